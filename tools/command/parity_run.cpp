// SPDX-License-Identifier: MIT
#include "parity_run.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>

#include "base/process.hpp"
#include "catalog_names.hpp"
#include "skeleton.hpp"

namespace mylos_command {
namespace {

namespace fs = std::filesystem;
using mylos::detail::ProcessResult;
using mylos::detail::run_process;
using mylos::detail::TemporaryFolder;

constexpr const char* target = "parity";

/// By name, of one folder that mylos_add_kernels() takes.
using Kernels = std::map<std::string, CheckedKernel*>;

fs::path header_of(const CheckedKernel& kernel) { return fs::absolute(kernel.file).replace_extension(".hpp"); }

// <folder>/<name>/<name>.cu with a functor beside it.
bool is_of_catalog(const CheckedKernel& kernel) {
  std::error_code code;
  const fs::path header = header_of(kernel);
  return kernel.name == header.stem() && kernel.name == header.parent_path().filename() && fs::exists(header, code);
}

std::string namespace_of(const Kernels& kernels) {
  const fs::path header = header_of(*kernels.begin()->second);
  std::string found = catalog_namespace(mylos::read_file(header));
  if (!found.empty()) return found;
  throw mylos::LookupError(fmt::format(
      "{}: there is no 'namespace NAMESPACE::host': the functor is to be in one: write it so", header.string()));
}

// For CMake, the Mylos that this program is of: installed with it, or the build that it lies in: in tools/command of
// that, or in a folder for each configuration there.
std::string own_package() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& command : {folder, folder.parent_path()}) {
    const fs::path build = command.parent_path().parent_path();
    if (command.filename() == "command" && fs::exists(build / "MylosConfig.cmake")) {
      return "-DMylos_DIR=" + build.string();
    }
  }
  return "-DMylos_ROOT=" + folder.parent_path().string();
}

std::string last_lines(std::string_view text, int lines) {
  std::size_t begin = text.size();
  while (begin > 0 && (text[begin - 1] != '\n' || lines-- > 0)) --begin;
  return std::string(text.substr(begin));
}

// A step that takes too long is an error that tells what it was: "building the kernels".
ProcessResult limited(std::string_view step, const std::vector<std::string>& command, const CheckOptions& options) {
  ProcessResult result = run_process(command, options.time_limit);
  if (result.interrupted_by != 0) throw Interrupted(result.interrupted_by);
  if (!result.timed_out) return result;
  throw mylos::Error(fmt::format(
      "{} took longer than {} s, and was ended: something in it may never end, or the machine is busy: see the last "
      "lines, or give it more by --time-limit:\n{}",
      step, options.time_limit.count(), last_lines(result.output, 10)));
}

void require_run(std::string_view step, const std::vector<std::string>& command, const CheckOptions& options) {
  const ProcessResult result = limited(step, command, options);
  if (!result.started) {
    throw mylos::LookupError(fmt::format("there is no {}: --run builds the kernels with it: install it", command[0]));
  }
  if (result.exit_code == 0) return;
  throw mylos::CompileError(fmt::format("the kernels of this folder cannot be built together: {} {} says:\n{}",
                                        command[0], command[1], result.output),
                            result.output);
}

// Builds the tests in `work`; returns their program. Whatever the generator: one that builds several configurations
// builds Release, and puts the program into the same folder.
std::string built_tests(const CheckOptions& options, const TemporaryFolder& work) {
  const std::string build = (work.path() / "build").string(), programs = (work.path() / "bin").string();
  std::vector<std::string> configure = {
      "cmake", "-S",          work.path().string(),         "-B",
      build,   own_package(), "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=$<1:" + programs + ">"};
  configure.insert(configure.end(), options.cmake_options.begin(), options.cmake_options.end());
  require_run("configuring the kernels by CMake", configure, options);
  require_run("building the kernels",
              {"cmake", "--build", build, "--config", "Release", "--target", "check_kernels_parity"}, options);
  return programs + "/check_kernels_parity";
}

// Builds and runs the tests; returns what GoogleTest reports.
nlohmann::json report_of(const CheckOptions& options, const fs::path& folder, const Kernels& kernels) {
  const TemporaryFolder work;
  const std::string directory = '"' + folder.generic_string() + '"', name_space = namespace_of(kernels);
  static_cast<void>(work.write(
      "CMakeLists.txt",
      filled_skeleton("CMakeLists.txt", {.name_space = name_space, .project = "check", .directory = directory})));
  const std::string report = (work.path() / "report.json").string();
  const ProcessResult tests =
      limited("comparing functors and ports",
              {"env", "MYLOS_BACKEND=emulated", "MYLOS_DEBUG=1", "MYLOS_EMULATOR_STRICT=1", "MYLOS_EMULATOR_CHECKS=all",
               built_tests(options, work), "--gtest_output=json:" + report},
              options);
  std::error_code code;
  if (fs::exists(report, code)) return nlohmann::json::parse(mylos::read_file(report));
  throw mylos::Error(
      fmt::format("the parity tests ended early, with code {}: a kernel has ended the program: "
                  "see the last lines:\n{}",
                  tests.exit_code, tests.output));
}

void add_outcomes(const nlohmann::json& report, const Kernels& kernels) {
  for (const auto& suite : report.at("testsuites")) {
    for (const auto& test : suite.at("testsuite")) {
      const auto kernel = kernels.find(test.at("name").get<std::string>());
      if (kernel == kernels.end()) continue;
      Outcome outcome{.target = target};
      if (test.at("result") == "SKIPPED") outcome.skipped = "no inputs";
      for (const auto& failure : test.value("failures", nlohmann::json::array())) {
        outcome.error += failure.at("failure").get<std::string>() + '\n';
      }
      kernel->second->outcomes.push_back(std::move(outcome));
    }
  }
}

}  // namespace

void run_parity(const CheckOptions& options, std::vector<CheckedKernel>& kernels,
                const std::function<void(const std::string&)>& progress) {
  std::map<fs::path, Kernels> catalogs;
  for (CheckedKernel& kernel : kernels) {
    if (is_of_catalog(kernel)) {
      catalogs[header_of(kernel).parent_path().parent_path()].emplace(kernel.name, &kernel);
    } else {
      kernel.outcomes.push_back({.target = target, .skipped = "no functor"});
    }
  }
  for (const auto& [folder, in_folder] : catalogs) {
    progress(fmt::format("building the kernels of {}, then running them", folder.string()));
    try {
      add_outcomes(report_of(options, folder, in_folder), in_folder);
    } catch (const mylos::Error& error) {
      for (const auto& [name, kernel] : in_folder)
        kernel->outcomes.push_back({.target = target, .error = error.what()});
    }
  }
}

}  // namespace mylos_command
