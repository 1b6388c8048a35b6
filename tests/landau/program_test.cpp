// SPDX-License-Identifier: MIT
// The program as its user meets it: exit codes, texts, files.
#include <sys/wait.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <mylos/base/files.hpp>

#include "support/child.hpp"
#include "support/contains.hpp"
#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

struct Outcome {
  int exit_code = -1;
  std::string text;  // stdout and stderr
};

Outcome run_shell(const std::string& command) {
  Outcome outcome;
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  for (std::size_t read = 0; (read = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    outcome.text.append(buffer.data(), read);
  }
  const int status = ::pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

Outcome run_landau(const std::string& arguments, const std::string& environment = "") {
  return run_shell(environment + " " LANDAU_PROGRAM " " + arguments);
}

constexpr auto small_run = "--particles 2000 --steps 20 --no-check ";

TEST(Program, WritesTheReportAndPasses) {
  for (const std::string backend : {"host", "emulated"}) {
    const TemporaryFolder folder;
    const Outcome outcome = run_landau("--backend " + backend + " --json " + (folder / "out.json").string());
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    EXPECT_TRUE(contains(outcome.text, {"damping rate", "frequency", "error", "waits in all: ", "backend " + backend}));
    const auto json = nlohmann::json::parse(mylos::read_file(folder / "out.json"));
    for (const char* key :
         {"backend", "implementation", "particles", "steps", "damping_rate", "damping_rate_theory",
          "damping_rate_error", "frequency", "frequency_theory", "frequency_error", "discrete_damping_rate",
          "discrete_frequency", "energy_error", "momentum_error", "charge_error", "seconds", "marker_steps_per_second",
          "transfers_to_host", "transfers_to_device"}) {
      ASSERT_TRUE(json.contains(key)) << key;
      EXPECT_FALSE(json[key].is_null()) << key;
    }
    EXPECT_EQ(json["backend"], backend);
    EXPECT_EQ(json["particles"], 100'000);
    EXPECT_EQ(json["steps"], 151);
    EXPECT_LT(json["damping_rate_error"], 0.02);
    EXPECT_LT(json["frequency_error"], 0.01);
    const double rate = json["damping_rate"];
    const double theory = json["damping_rate_theory"];
    EXPECT_NEAR(json["damping_rate_error"], std::abs(rate / theory - 1.0), 1e-12);
    EXPECT_EQ(json["transfers_in_steps"], 0);
    EXPECT_EQ(json["transfers_to_host"] > 0, backend == "emulated");
    EXPECT_EQ(json.at("waits") > 0, backend == "emulated");
  }
}

TEST(Program, EveryModeHasTheKeysOfADampedWaveAndNullForWhatItHasNot) {
  nlohmann::json damped;
  for (const std::string mode : {"landau", "two_stream", "cold_plasma"}) {
    const Outcome outcome = run_landau("--mode " + mode + " --backend host --quiet --json - " + small_run);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    const auto json = nlohmann::json::parse(outcome.text);
    if (mode == "landau") damped = json;
    for (const auto& [key, value] : damped.items()) ASSERT_TRUE(json.contains(key)) << mode << " has no " << key;
    EXPECT_EQ(json["damping_rate_theory"].is_null(), mode != "landau");
    EXPECT_EQ(json["discrete_damping_rate"].is_null(), mode != "landau");
    EXPECT_EQ(json["frequency_theory"].is_null(), mode == "two_stream");
    EXPECT_EQ(json.contains("growth_rate_theory"), mode == "two_stream");
  }
}

TEST(Program, HonoursTheEnvironmentAndTheOptionWins) {
  EXPECT_TRUE(contains(run_landau(small_run, "MYLOS_BACKEND=emulated").text, {"backend emulated"}));
  EXPECT_TRUE(
      contains(run_landau(std::string(small_run) + "--backend host", "MYLOS_BACKEND=emulated").text, {"backend host"}));
  const Outcome outcome = run_landau(small_run, "MYLOS_BACKEND=abacus");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.text, {"MYLOS_BACKEND", "abacus"}));
}

TEST(Program, QuietSaysNothing) {
  const Outcome outcome = run_landau(std::string(small_run) + "--quiet --backend host");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.text, "");
}

// One thread needs more than half a second for the steps; before that, nothing is worth a line.
TEST(Program, TellsItsProgressInLinesUnlessItIsToBeQuiet) {
  const auto errors_of = [](const std::string& options) {
    return run_shell("{ OMP_NUM_THREADS=1 " LANDAU_PROGRAM
                     " --backend host --particles 1000000 --steps 150 --no-check " +
                     options + " 2>&1 >/dev/null; }");
  };
  const std::string text = errors_of("").text;
  EXPECT_EQ(text.find('\r'), std::string::npos) << text;
  const std::regex line(R"(step (\d+) of 150 \((\d+) %\), (\d+\.\d) s\n)");
  const std::vector<std::smatch> lines(std::sregex_iterator(text.begin(), text.end(), line), std::sregex_iterator());
  ASSERT_GE(lines.size(), 2U) << text;
  EXPECT_LT(std::stoi(lines.front().str(1)), 150) << text;
  EXPECT_GE(std::stod(lines.front().str(3)), 0.5) << text;
  EXPECT_EQ(lines.back().str(1), "150") << text;
  EXPECT_EQ(lines.back().str(2), "100") << text;
  const double seconds = std::stod(lines.back().str(3));
  EXPECT_LE(static_cast<double>(lines.size()), 2.0 + seconds / 10.0) << text;  // one in ten seconds, and the last
  EXPECT_EQ(errors_of("--quiet").text, "");
}

TEST(Program, JsonToTheStandardOutputIsAlone) {
  const TemporaryFolder folder;
  const std::string errors = (folder / "errors").string();
  const Outcome outcome =
      run_shell("cd " + folder.path().string() + " && { " LANDAU_PROGRAM " --backend host --json - " + small_run +
                " 2>" + errors + "; }");
  ASSERT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(outcome.text)["steps"], 20);
  EXPECT_TRUE(contains(mylos::read_file(errors), {"2000 particles", "conserved within"}));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"errors"});
  EXPECT_EQ(run_landau("--backend host --quiet --json - " + std::string(small_run) + " >/dev/full").exit_code, 2);
}

TEST(Program, HelpIsOurs) {
  for (const char* option : {"--help", "-h", "--kokkos-num-threads=1 --help"}) {
    const Outcome outcome = run_landau(option);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_TRUE(contains(outcome.text, {"A plasma wave", "--json", "made if need be", "--kokkos-help"}));
    EXPECT_FALSE(contains(outcome.text, {"--kokkos-device-id"})) << outcome.text;
  }
}

TEST(Program, OutOfToleranceEndsWithOneAndSaysWhatIsWrong) {
  const Outcome outcome = run_landau("--particles 300 --backend host");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(contains(outcome.text, {"damping_rate_error", "300 particles", "take more particles"}));
}

TEST(Program, BadInputEndsWithTwo) {
  for (const char* arguments : {"--backend gpu", "--particles 0", "--particles=-1", "--particles 1e15", "--k nan",
                                "--unknown", "--json /proc/none/out.json", "--json ''", "--output ''"}) {
    const Outcome outcome = run_landau(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << outcome.text;
    EXPECT_FALSE(outcome.text.empty());
  }
  EXPECT_TRUE(contains(run_landau("--json ''").text, {"--json is empty", "leave --json out"}));
  EXPECT_TRUE(contains(run_landau("--particles 1e14").text, {"GiB", "are free", "fewer particles"}));
}

TEST(Program, CudaWithoutADriverTellsTheReason) {
  const Outcome outcome = run_landau("--backend cuda", "MYLOS_CUDA_DRIVER=/nowhere/libcuda.so");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.text, {"'cuda' cannot be used", "/nowhere/libcuda.so", "MYLOS_CUDA_DRIVER"}));
  EXPECT_FALSE(contains(outcome.text, {"damping rate"}));
}

TEST(Program, AnOutputFolderThatCannotBeWrittenIsFoundBeforeTheRun) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "not a folder";
  Outcome outcome = run_landau("--output " + (folder / "file/below").string());
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.text, {"file/below", "Not a directory"}));
  EXPECT_FALSE(contains(outcome.text, {"damping rate"}));
  EXPECT_TRUE(
      contains(run_landau("--json " + (folder / "file/below/out.json").string()).text, {"--json: cannot make"}));
  EXPECT_TRUE(contains(run_landau("--json " + folder.path().string()).text, {"--json is", "that is a folder"}));

  std::filesystem::create_directory(folder / "locked");
  std::filesystem::permissions(folder / "locked", std::filesystem::perms::owner_read |
                                                      std::filesystem::perms::others_read |
                                                      std::filesystem::perms::others_exec);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  Child child([&] {
    obey_permissions();  // another user may not reach this program
    outcome = run_landau("--output " + (folder / "locked").string());
    std::ofstream(folder / "text") << outcome.exit_code << outcome.text;
  });
  EXPECT_EQ(child.wait(), 0);
  EXPECT_TRUE(contains(mylos::read_file(folder / "text"),
                       {"2", "--output: the folder", "locked takes no files", "ermission denied"}));
}

TEST(Program, WritesHistoryAndAFileThatH5pyOpens) {
  const TemporaryFolder folder;
  const std::string output = (folder / "out").string();
  for (const std::string arguments : {"--dimension 1", "--dimension 3 --cells 8,4,4", "--mode two_stream"}) {
    const Outcome outcome = run_landau(arguments + " --backend emulated " + small_run + "--output " + output);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    std::ifstream csv(std::filesystem::path(output) / "history.csv");
    std::string line;
    std::getline(csv, line);
    EXPECT_EQ(line, "step,t,W,K,Px,Re E1,Im E1,sum rho");
    int rows = 0;
    while (std::getline(csv, line)) ++rows;
    EXPECT_EQ(rows, 20);
    const std::string python = LANDAU_PYTHON;
    if (python.empty()) continue;
    const Outcome opened = run_shell(python + " " LANDAU_H5PY_CHECK " " + output);
    EXPECT_EQ(opened.exit_code, 0) << opened.text;
  }
  if (std::string(LANDAU_PYTHON).empty())
    GTEST_SKIP() << "no Python environment with h5py: MYLOS_PYTHON_ENV is not set";
}

TEST(Program, PlotsOneOrTwoRuns) {
  const std::string python = LANDAU_PYTHON;
  if (python.empty()) GTEST_SKIP() << "no Python environment with matplotlib: MYLOS_PYTHON_ENV is not set";
  const TemporaryFolder folder;
  const std::string host = (folder / "host").string();
  const std::string emulated = (folder / "emulated").string();
  ASSERT_EQ(run_landau("--backend host --quiet --output " + host).exit_code, 0);
  ASSERT_EQ(run_landau("--backend emulated --quiet --output " + emulated).exit_code, 0);
  const Outcome plotted = run_shell(python + " " LANDAU_PLOT " " + host + " " + emulated);
  EXPECT_EQ(plotted.exit_code, 0) << plotted.text;
  EXPECT_GT(std::filesystem::file_size(host + "/landau.png"), 20'000U);
  EXPECT_NE(run_shell(python + " " LANDAU_PLOT " " + (folder / "none").string()).exit_code, 0);
}

}  // namespace
}  // namespace mylos_test
