// SPDX-License-Identifier: MIT
// The command `mylos`: what this machine offers, whether kernels compile, a kernel to begin with, the cache.
// Exit codes: 0 good, 1 a kernel has faults, 2 a wrong call or anything that could not be done.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/version.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/jit/cache.hpp>

#include "cache_report.hpp"
#include "check.hpp"
#include "help.hpp"
#include "new_kernel.hpp"
#include "parity_run.hpp"

namespace {

using namespace mylos_command;  // NOLINT(google-build-using-namespace): this program's own

constexpr int has_faults = 1;
constexpr int cannot = 2;

// On a terminal only, one line that is overwritten.
class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void operator()(const std::string& what) const {
    if (on_terminal_) fmt::print(stderr, "\r\033[K{}", what);
  }
  ~Progress() {
    if (on_terminal_) std::fputs("\r\033[K", stderr);
  }

 private:
  bool on_terminal_ = ::isatty(STDERR_FILENO) == 1;
};

// With its own words below its options.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& purpose, const char* words) {
  CLI::App* const command = app.add_subcommand(name, purpose);
  command->group("Commands")->footer(words);
  return command;
}

void add_json_flag(CLI::App& command, bool& as_json) {
  command.add_flag("--json", as_json, "Print JSON in place of the table");
}

void add_info(CLI::App& app, int& /*status*/) {
  auto* command = add_command(app, "info", "Tell what this machine offers: backends, compilers, devices", help::info);
  command->add_flag("--json")->description("Print JSON, as without it");
  command->callback([] { fmt::print("{}\n", mylos::backend_info()); });
}

CLI::Validator is_architecture() {
  return {[](const std::string& name) {
            const bool fits = name.starts_with("sm_") || name.starts_with("compute_");
            return fits ? std::string() : "'" + name + "' is no architecture: write sm_90 or compute_90";
          },
          "", "architecture"};
}

void add_check_options(CLI::App& command, CheckOptions& options) {
  command.add_option("paths", options.paths, "Files, or folders that are searched for .cu files")
      ->required()
      ->type_name("");
  command.add_option("--arch", options.architectures, "For NVRTC: sm_80,sm_90a,compute_100")
      ->delimiter(',')
      ->check(is_architecture())
      ->type_name("NAMES");
  command.add_option("-I,--include", options.include_dirs, "Where headers of #include \"...\" are")
      ->type_name("FOLDER");
  command.add_option("--option", options.compiler_options, "Of both compilers: --option=-DN=3")->type_name("WORD");
  command.add_flag("--run", options.run, "Build the kernels too, and compare functor and port");
  command.add_option("--cmake", options.cmake_options, "Of that build: --cmake=-DKokkos_DIR=...")->type_name("WORD");
  command
      .add_option_function<int>(
          "--time-limit", [&options](int seconds) { options.time_limit = std::chrono::seconds(seconds); },
          fmt::format("Of each step of --run, in seconds, 1 to 86400 [{}]", options.time_limit.count()))
      ->check(CLI::Range(1, 86400).description(""))
      ->type_name("SECONDS");
}

void add_check(CLI::App& app, int& status) {
  auto* command =
      add_command(app, "check", "Compile the kernels of .cu files for the emulated device and by NVRTC", help::check);
  auto options = std::make_shared<CheckOptions>();
  auto as_json = std::make_shared<bool>(false);
  auto without_emulator = std::make_shared<bool>(false);
  add_check_options(*command, *options);
  command->add_flag("--no-emulator", *without_emulator, "Compile by NVRTC only");
  add_json_flag(*command, *as_json);
  command->callback([options, as_json, without_emulator, &status] {
    options->emulator = !*without_emulator;
    const std::vector<CheckedKernel> kernels = [&options] {
      const Progress progress;
      return check(*options, std::cref(progress));
    }();
    std::fputs((*as_json ? json(kernels) : table(kernels)).c_str(), stdout);
    for (const CheckedKernel& kernel : kernels) {
      if (!kernel.good()) status = has_faults;
    }
  });
}

mylos::jit::Cache& cache() {
  mylos::jit::Cache* const cache = mylos::jit::Cache::of_process();
  if (cache == nullptr) {
    throw mylos::CacheError("there is no cache: MYLOS_CACHE=0, or no home folder: unset it, or set MYLOS_CACHE_DIR");
  }
  return *cache;
}

void add_cache_list(CLI::App& cache_command) {
  auto* command = add_command(cache_command, "list", "List what it holds, the kernel used last first", help::cache);
  auto as_json = std::make_shared<bool>(false);
  add_json_flag(*command, *as_json);
  command->callback([as_json] {
    const CacheEntries entries = cache().entries();
    std::fputs((*as_json ? json(entries) : table(entries, cache().folder())).c_str(), stdout);
  });
}

void add_cache(CLI::App& app, int& /*status*/) {
  auto* command = add_command(app, "cache", "Show or empty the folder of compiled kernels", help::cache);
  command->require_subcommand(1);
  add_command(*command, "path", "Print where it is", help::cache)->callback([] {
    fmt::print("{}\n", cache().folder().string());
  });
  add_cache_list(*command);
  add_command(*command, "clear", "Remove all of it", help::cache)->callback([] {
    fmt::print("{} entries removed\n", cache().clear());
  });
}

void add_new(CLI::App& app, int& /*status*/) {
  auto* command = add_command(app, "new", "Begin something: a kernel", help::new_kernel);
  command->require_subcommand(1);
  auto* kernel =
      add_command(*command, "kernel", "Write a kernel's folder that builds and passes its test", help::new_kernel);
  auto settings = std::make_shared<NewKernel>();
  kernel->add_option("name", settings->name, "The kernel's name: a C++ identifier")->required()->type_name("");
  kernel->add_option("--directory", settings->directory, "The folder of all kernels [see below, else kernels]")
      ->type_name("FOLDER");
  kernel->add_option("--namespace", settings->name_space, "Of the catalog [see below, else app::kernels]")
      ->type_name("A::B");
  kernel->callback([settings] {
    const NewKernel made = completed(*settings);
    const auto files = make_kernel(made);
    for (const auto& file : files) fmt::print("{}\n", file.lexically_normal().string());
    if (files.back().filename() == "CMakeLists.txt") return;
    fmt::print(
        "CMakeLists.txt was there: it needs mylos_add_kernels(... DIRECTORY {} NAMESPACE {}), and for the test of "
        "functor against port, before it, enable_testing() and set(MYLOS_TESTING ON)\n",
        made.directory.generic_string(), made.name_space);
  });
}

// The command that was named last: `mylos new` has no name behind it.
const CLI::App& last_named(const CLI::App& app) {
  const auto named = app.get_subcommands();
  return named.empty() ? app : last_named(*named.front());
}

// All that can be written behind `begin`, a line each.
void print_commands(const CLI::App& app, const std::string& begin) {
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    const std::string name = begin + ' ' + command->get_name();
    if (command->get_subcommands(nullptr).empty()) {
      fmt::print(stderr, "  {:<20}{}\n", name, command->get_description());
    } else {
      print_commands(*command, name);
    }
  }
}

// For a call that ends too early; false when that is not what was wrong.
bool told_commands(const CLI::App& app) {
  const CLI::App& last = last_named(app);
  if (last.get_subcommands(nullptr).empty()) return false;
  fmt::print(stderr, "usage: mylos COMMAND [OPTIONS]\n\n");
  print_commands(last, last.get_parent() == nullptr ? "mylos" : "mylos " + last.get_name());
  fmt::print(stderr, "\nAn option of each: --help\n");
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Hand-written CUDA kernels on Kokkos Views: what this machine can do, and checks of kernels", "mylos");
  int status = 0;
  app.require_subcommand(1)->footer(help::mylos);
  app.get_formatter()->column_width(26);
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("Positionals", "Arguments");
  app.set_version_flag("--version", std::string(mylos::version()));
  add_info(app, status);
  add_check(app, status);
  add_new(app, status);
  add_cache(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    if (!told_commands(app)) app.exit(error);
    return cannot;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : cannot;
  } catch (const Interrupted& interrupted) {  // as if it had not been taken
    ::signal(interrupted.by, SIG_DFL);
    ::raise(interrupted.by);
  } catch (const std::exception& error) {
    fmt::print(stderr, "mylos: {}\n", error.what());
    return cannot;
  }
  return status;
}
