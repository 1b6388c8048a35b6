// SPDX-License-Identifier: MIT
// The program itself: exit codes, and what goes to which stream.
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <stdio.h>

#include <mylos/base/files.hpp>

#include "support/contains.hpp"
#include "support/nvrtc_test.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

struct Ended {
  int status;
  std::string output;
};

Ended mylos_program(const std::string& words) {
  FILE* const pipe = ::popen((MYLOS_PROGRAM " " + words).c_str(), "r");
  Ended ended{-1, {}};
  std::array<char, 4096> part{};
  while (const std::size_t bytes = std::fread(part.data(), 1, part.size(), pipe))
    ended.output.append(part.data(), bytes);
  const int status = ::pclose(pipe);
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ended;
}

TEST(MylosProgram, TellsWhatTheMachineOffers) {
  for (const char* words : {"info", "info --json"}) {
    const Ended info = mylos_program(words);
    EXPECT_EQ(info.status, 0) << words;
    EXPECT_TRUE(nlohmann::json::parse(info.output)["backends"].contains("emulated")) << words;
  }
}

TEST(MylosProgram, ChecksKernels) {
  const TemporaryFolder folder;
  mylos::write_file_atomically(folder / "k.cu", "__global__ void k(int* x) { x[0] = 1; }");
  const Ended good = mylos_program("check " + folder.path().string());
  EXPECT_EQ(good.status, 0) << good.output;
  EXPECT_TRUE(contains(good.output, {"1 of 1 kernels are good"}));
  mylos::write_file_atomically(folder / "l.cu", "__global__ void l(int* x) { x[0] = y; }");
  const Ended bad = mylos_program("check --json " + folder.path().string());
  EXPECT_EQ(bad.status, 1);
  EXPECT_EQ(nlohmann::json::parse(bad.output).size(), 2U);
}

TEST(MylosProgram, ShowsAndEmptiesTheCache) {
  const TemporaryFolder folder;
  mylos::write_file_atomically(folder / "k.cu", "__global__ void kept_kernel(int* x) { x[0] = 1; }");
  const ScopedVariable place("MYLOS_CACHE_DIR", (folder / "cache").c_str());
  const ScopedVariable on("MYLOS_CACHE", "1");
  EXPECT_EQ(mylos_program("cache path").output, (folder / "cache").string() + "\n");
  EXPECT_TRUE(contains(mylos_program("cache list").output, {"0 entries, 0 bytes"}));
  EXPECT_EQ(mylos_program("cache list --json").output, "[]\n");
  EXPECT_EQ(mylos_program("check " + (folder / "k.cu").string()).status, 0);
  // The kernel, and for a g++ the emulator's headers as it has read them.
  const std::string list = mylos_program("cache list").output;
  EXPECT_TRUE(contains(list, {"kept_kernel", " entries, ", folder.path().string()}));
  const auto entries = std::ranges::count(list, '\n') - 1;
  EXPECT_TRUE(entries == 1 || (entries == 2 && contains(list, {"the emulator's headers"}))) << list;
  const auto as_json = nlohmann::json::parse(mylos_program("cache list --json").output);
  EXPECT_EQ(std::ssize(as_json), entries);
  for (const auto& entry : as_json) {
    EXPECT_EQ(entry.size(), 2U);
    EXPECT_TRUE(contains(list, {entry.at("bytes").dump() + "  " + entry.at("description").get<std::string>() + '\n'}));
  }
  EXPECT_EQ(mylos_program("cache clear").output, std::to_string(entries) + " entries removed\n");
  EXPECT_TRUE(contains(mylos_program("cache list").output, {"0 entries"}));
  const ScopedVariable off("MYLOS_CACHE", "0");
  const Ended none = mylos_program("cache path 2>&1");
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(contains(none.output, {"there is no cache", "MYLOS_CACHE_DIR"}));
}

TEST(MylosProgram, RefusesWrongCalls) {
  for (const char* words : {"", "chek", "check", "check --arch 90 .", "new", "new kernel", "check /nowhere/at/all"}) {
    const Ended ended = mylos_program(std::string(words) + " 2>&1");
    EXPECT_EQ(ended.status, 2) << words;
    EXPECT_FALSE(ended.output.empty()) << words;
  }
  EXPECT_TRUE(contains(mylos_program("check --arch 90 . 2>&1").output, {"'90' is no architecture", "sm_90"}));
  EXPECT_EQ(mylos_program("check --time-limit 0 . 2>&1").status, 2);
  EXPECT_EQ(mylos_program("--version").status, 0);
}

class MylosProgramByNvrtc : public NvrtcTest<> {};

TEST_F(MylosProgramByNvrtc, RefusesArchitecturesThatItDoesNotHave) {
  const Ended ended = mylos_program("check --arch sm_80,sm_999 . 2>&1");
  EXPECT_EQ(ended.status, 2);
  EXPECT_TRUE(
      contains(ended.output, {"--arch sm_999", "NVRTC", "does not compile for it, but for", "80", "choose one"}));
}

TEST(MylosProgram, AloneListsItsCommands) {
  const Ended all = mylos_program("2>&1");
  EXPECT_EQ(all.status, 2);
  EXPECT_TRUE(contains(all.output, {"usage: mylos COMMAND", "\n  mylos info  ", "\n  mylos check  ",
                                    "\n  mylos new kernel  ", "\n  mylos cache list  ", "--help"}));
  EXPECT_LT(std::ranges::count(all.output, '\n'), 12) << "a line for each";
  const Ended some = mylos_program("cache 2>&1");
  EXPECT_EQ(some.status, 2);
  EXPECT_TRUE(contains(some.output, {"\n  mylos cache clear  "}));
  EXPECT_EQ(some.output.find("mylos info"), std::string::npos);
}

TEST(MylosProgram, ExplainsItself) {
  for (const std::string command : {"", "info", "check", "new", "new kernel", "cache", "cache list", "cache clear"}) {
    const Ended help = mylos_program(command + " --help");
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_TRUE(contains(help.output, {"Usage: mylos " + command, "Options:", "\nEnvironment:\n", "\nExit codes:\n",
                                       "\nExample:\n  mylos "}));
    std::istringstream lines(help.output);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  }
  EXPECT_TRUE(contains(mylos_program("info --help").output, {"--json", "as without it"}));
  EXPECT_TRUE(contains(mylos_program("cache list --help").output, {"--json", "in place of the table"}));
  EXPECT_TRUE(contains(mylos_program("check --help").output, {"--time-limit SECONDS", "[600]", "any generator"}));
}

}  // namespace
}  // namespace mylos_test
