// SPDX-License-Identifier: MIT
// The command `mylos`: what this machine offers, whether kernels compile, a kernel to begin with, the cache.
// Exit codes: 0 good, 1 a kernel has faults, 2 a wrong call or anything that could not be done.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/version.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/jit/cache.hpp>

#include "check.hpp"
#include "new_kernel.hpp"

namespace {

using namespace mylos_command;

constexpr int has_faults = 1;
constexpr int cannot = 2;

// On a terminal only, one line that is overwritten.
class Progress {
 public:
  void operator()(const std::string& what) const {
    if (on_terminal_) fmt::print(stderr, "\r\033[K{}", what);
  }
  ~Progress() {
    if (on_terminal_) std::fputs("\r\033[K", stderr);
  }

 private:
  bool on_terminal_ = ::isatty(STDERR_FILENO) == 1;
};

void add_info(CLI::App& app, int& /*status*/) {
  auto* command = app.add_subcommand("info", "What this machine offers to Mylos: backends, compilers, devices (JSON)");
  command->callback([] { fmt::print("{}\n", mylos::backend_info()); });
}

void add_check(CLI::App& app, int& status) {
  auto* command = app.add_subcommand("check", "Compile the kernels of .cu files for the emulator and by NVRTC");
  auto options = std::make_shared<CheckOptions>();
  auto as_json = std::make_shared<bool>(false);
  auto without_emulator = std::make_shared<bool>(false);
  command->add_option("paths", options->paths, "Files, or folders that are searched for .cu files")->required();
  command->add_option("--arch", options->architectures, "Architectures for NVRTC, such as sm_80,sm_90")
      ->delimiter(',')
      ->check(CLI::Validator(
          [](const std::string& name) {
            const bool fits = name.starts_with("sm_") || name.starts_with("compute_");
            return fits ? std::string() : "'" + name + "' is no architecture: write sm_90 or compute_90";
          },
          "sm_N"));
  command->add_option("-I,--include", options->include_dirs, "Folders of the headers that the kernels include");
  command->add_option("--option", options->compiler_options, "An option of the compilers, such as --option=-DN=3");
  command->add_flag("--no-emulator", *without_emulator, "Compile by NVRTC only");
  command->add_flag("--run", options->run,
                    "Build the kernels too, and compare functor and port on the inputs of their parity files");
  command->add_option("--cmake", options->cmake_options, "An option of that build, such as --cmake=-DKokkos_DIR=...");
  command->add_flag("--json", *as_json, "Print JSON in place of the table");
  command->callback([options, as_json, without_emulator, &status] {
    options->emulator = !*without_emulator;
    const std::vector<CheckedKernel> kernels = check(*options, Progress());
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

void list_cache() {
  std::uintmax_t bytes = 0;
  const auto entries = cache().entries();
  for (const mylos::jit::Cache::Entry& entry : entries) {
    fmt::print("{:>10}  {}\n", entry.bytes, entry.description);
    bytes += entry.bytes;
  }
  fmt::print("{} compiled kernels, {} bytes, in {}\n", entries.size(), bytes, cache().folder().string());
}

void add_cache(CLI::App& app, int& /*status*/) {
  auto* command = app.add_subcommand("cache", "The folder of compiled kernels");
  command->require_subcommand(1);
  command->add_subcommand("path", "Print where it is")->callback([] { fmt::print("{}\n", cache().folder().string()); });
  command->add_subcommand("list", "List what it holds, the kernel used last first")->callback(list_cache);
  command->add_subcommand("clear", "Remove all of it")->callback([] {
    fmt::print("{} compiled kernels removed\n", cache().clear());
  });
}

void add_new(CLI::App& app, int& /*status*/) {
  auto* command = app.add_subcommand("new", "Begin something");
  command->require_subcommand(1);
  auto* kernel = command->add_subcommand("kernel", "A kernel's folder that builds and passes its test, to be changed");
  auto settings = std::make_shared<NewKernel>();
  kernel->add_option("name", settings->name, "The kernel's name")->required();
  kernel->add_option("--directory", settings->directory,
                     "The folder of all kernels [that of the project's mylos_add_kernels(), else kernels]");
  kernel->add_option("--namespace", settings->name_space,
                     "The namespace of the catalog [that of the project's mylos_add_kernels(), else app::kernels]");
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

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Mylos: hand-written CUDA kernels on Kokkos Views");
  int status = 0;
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string(mylos::version()));
  add_info(app, status);
  add_check(app, status);
  add_new(app, status);
  add_cache(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : cannot;
  } catch (const std::exception& error) {
    fmt::print(stderr, "mylos: {}\n", error.what());
    return cannot;
  }
  return status;
}
