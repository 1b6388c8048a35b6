// SPDX-License-Identifier: MIT
// libmylos_transfers.so in an application that knows nothing of Mylos.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/contains.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

const std::string program = MYLOS_FOREIGN_PROGRAM;
const std::string loaded = std::string("KOKKOS_TOOLS_LIBS=") + MYLOS_CONNECTOR + " ";

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(Connector, PrintsTheReportAtTheEnd) {
  const Ended alone = run_program(program);
  EXPECT_EQ(alone.status, 0) << alone.text;
  const Ended with = run_program(program, loaded);
  EXPECT_EQ(with.status, 0) << with.text;
  ASSERT_TRUE(with.text.starts_with(alone.text)) << with.text;
  EXPECT_EQ(with.text.substr(alone.text.size()),
            "transfers         times           bytes\n"
            "on the host          20\n"
            "of which          times           bytes  from -> to              where\n"
            "on the host          10           80000  density -> history      step/output\n"
            "on the host          10           80000  density -> old density  step\n");
}

TEST(Connector, TheGuideShowsThisVeryOutput) {
  const Ended with = run_program(program, loaded);
  EXPECT_TRUE(contains(text_of(MYLOS_TRANSFERS_GUIDE), {with.text}));
}

TEST(Connector, WritesJsonWhereAsked) {
  const TemporaryFolder folder;
  const Ended ended = run_program(program, loaded + "MYLOS_TRANSFERS_REPORT=" + folder.path().string() + "/%p.json");
  EXPECT_EQ(ended.status, 0) << ended.text;
  EXPECT_EQ(ended.text.find("transfers"), std::string::npos) << ended.text;
  const auto file = std::filesystem::directory_iterator(folder.path())->path();
  EXPECT_EQ(file.stem().string().find_first_not_of("0123456789"), std::string::npos) << file;
  const auto json = nlohmann::json::parse(text_of(file));
  EXPECT_EQ(json["host_copy"], 20);
  ASSERT_EQ(json["groups"].size(), 2U);
  EXPECT_EQ(json["groups"][0]["count"], 10);
}

TEST(Connector, AFileThatCannotBeWrittenLosesNothing) {
  const Ended ended = run_program(program, loaded + "MYLOS_TRANSFERS_REPORT=/nowhere/report.json");
  EXPECT_EQ(ended.status, 0);
  EXPECT_TRUE(
      contains(ended.text, {"'/nowhere/report.json' (MYLOS_TRANSFERS_REPORT) cannot be written", "on the host"}));
}

TEST(Connector, AMillionCopiesOfThreadsAreCountedExactly) {
  const Ended ended = run_program(program + " often", loaded);
  EXPECT_EQ(ended.status, 0);
  EXPECT_TRUE(contains(ended.text, {"on the host     1000000         4000000  from -> to"}));
}

// Mylos' own device, whose copies Kokkos tells of as any other's; and a scope in the program that chains.
TEST(Connector, HearsAProgramOfMylosThatCountsItself) {
  const Ended ended = run_program(MYLOS_COUNTING_PROGRAM, loaded + "MYLOS_BACKEND=emulated");
  EXPECT_EQ(ended.status, 0) << ended.text;
  EXPECT_TRUE(contains(ended.text, {"scope: 1 to device, 1 to host, 1 on the host, complete",
                                    "to host               1              40  device -> host",
                                    "to device             1              40  host -> device",
                                    "on the host           1              40  host -> other"}));
}

TEST(Connector, StaticObjectsMayCopyAtTheEnd) {
  const std::string late = std::string(MYLOS_COUNTING_PROGRAM) + " late";
  const Ended alone = run_program(late);
  EXPECT_EQ(alone.status, 0) << alone.text;
  EXPECT_TRUE(contains(alone.text, {"on the host           2"}));
  const Ended with = run_program(late, loaded);
  EXPECT_EQ(with.status, 0) << with.text;
  EXPECT_EQ(with.text.find("is not counted"), std::string::npos) << with.text;
  EXPECT_TRUE(contains(with.text, {"on the host           2"}));
}

TEST(Connector, AScopeThatStartsBeforeKokkosIsTold) {
  const Ended alone = run_program(std::string(MYLOS_COUNTING_PROGRAM) + " early", "MYLOS_BACKEND=emulated");
  EXPECT_EQ(alone.status, 0) << alone.text;
  EXPECT_TRUE(contains(alone.text, {"scope: 1 to device, 1 to host, 1 on the host, complete"}));
  // Kokkos puts the tool's callbacks in the place of ours when it starts.
  const Ended with = run_program(std::string(MYLOS_COUNTING_PROGRAM) + " early", loaded + "MYLOS_BACKEND=emulated");
  EXPECT_EQ(with.status, 0) << with.text;
  EXPECT_TRUE(contains(with.text, {"not complete", "on the host           1              40  host -> other"}));
}

}  // namespace
}  // namespace mylos_test
