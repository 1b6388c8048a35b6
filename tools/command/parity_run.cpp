// SPDX-License-Identifier: MIT
#include "parity_run.hpp"

#include <filesystem>
#include <map>
#include <regex>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>

#include "base/process.hpp"
#include "skeleton.hpp"

namespace mylos_command {
namespace {

namespace fs = std::filesystem;
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

// Where the functors of these kernels are: in <namespace>::host.
std::string namespace_of(const Kernels& kernels) {
  static const std::regex host(R"(namespace\s+([A-Za-z_][A-Za-z0-9_:]*)::host\b)");
  const fs::path header = header_of(*kernels.begin()->second);
  const std::string text = mylos::read_file(header);
  std::smatch found;
  if (std::regex_search(text, found, host)) return found[1];
  throw mylos::LookupError(fmt::format(
      "{}: there is no 'namespace NAMESPACE::host': the functor is to be in one: write it so", header.string()));
}

// For CMake, the Mylos that this program is of: installed with it, or the build that it lies in.
std::string own_package() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path build = folder.parent_path().parent_path();
  if (fs::exists(build / "MylosConfig.cmake")) return "-DMylos_DIR=" + build.string();
  return "-DMylos_ROOT=" + folder.parent_path().string();
}

void require_run(const std::vector<std::string>& command) {
  const auto result = run_process(command);
  if (!result.started) {
    throw mylos::LookupError(fmt::format("there is no {}: --run builds the kernels with it: install it", command[0]));
  }
  if (result.exit_code == 0) return;
  throw mylos::CompileError(fmt::format("the kernels of this folder cannot be built together: {} {} says:\n{}",
                                        command[0], command[1], result.output),
                            result.output);
}

// Builds and runs the tests; returns what GoogleTest reports.
nlohmann::json report_of(const CheckOptions& options, const fs::path& folder, const Kernels& kernels) {
  const TemporaryFolder work;
  const std::string directory = '"' + folder.generic_string() + '"', name_space = namespace_of(kernels);
  static_cast<void>(work.write(
      "CMakeLists.txt",
      filled_skeleton("CMakeLists.txt", {.name_space = name_space, .project = "check", .directory = directory})));
  const std::string build = (work.path() / "build").string(), report = (work.path() / "report.json").string();
  std::vector<std::string> configure = {"cmake", "-S",          work.path().string(),        "-B",
                                        build,   own_package(), "-DCMAKE_BUILD_TYPE=Release"};
  configure.insert(configure.end(), options.cmake_options.begin(), options.cmake_options.end());
  require_run(configure);
  require_run({"cmake", "--build", build, "--target", "check_kernels_parity"});
  const auto tests = run_process({"env", "MYLOS_BACKEND=emulated", "MYLOS_DEBUG=1", "MYLOS_EMULATOR_STRICT=1",
                                  build + "/check_kernels_parity", "--gtest_output=json:" + report});
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
