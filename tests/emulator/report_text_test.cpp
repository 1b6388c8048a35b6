// SPDX-License-Identifier: MIT
// Findings as people read them: one line, the lines of the text below it, what is wrong in general and what helps.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mylos/base/files.hpp>
#include <mylos/device/array.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/options.hpp>

#include "emulator/support.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

using emulator::Finding;
using emulator::Kind;
using emulator::report_of;
using emulator::Site;
using ::testing::HasSubstr;

std::vector<Finding> two_races() {
  const Site write{.block = 0, .thread = 3, .file = "push.cu", .line = 12, .column = 10, .source = "  x[i] = y[i];"};
  const Site read{.block = 1, .thread = 4, .file = "push.cu", .line = 105, .source = "\tif (x[i] > 0)"};
  return {
      {.kind = Kind::race, .kernel = "push", .sites = {write, read}, .label = "x", .index = {1, 3}, .text = "a: b: c"},
      {.kind = Kind::race, .kernel = "push", .sites = {write, write}, .label = "x", .index = {7}, .text = "d"}};
}

TEST(ReportText, ShowsTheLinesOfBothSites) {
  EXPECT_EQ(report_of(two_races()),
            "kernel 'push', block (0), thread (3), at push.cu:12, block (1), thread (4), at push.cu:105: a: b: c\n"
            "   --> push.cu:12:10: thread (3) of block (0)\n"
            " 12 |   x[i] = y[i];\n"
            "    |          ^\n"
            "    --> push.cu:105: thread (4) of block (1)\n"
            " 105 | \tif (x[i] > 0)\n"
            "     | \t^~~~~~~~~~~~~\n"
            "  = element: x(1, 3)\n"
            "  = race: " +
                std::string(explanation_of(Kind::race)) + "\n  = what helps: " + std::string(remedy_of(Kind::race)) +
                "\n"
                "kernel 'push', block (0), thread (3), at push.cu:12, block (0), thread (3), at push.cu:12: d\n"
                "   --> push.cu:12:10: thread (3) of block (0); thread (3) of block (0)\n"
                " 12 |   x[i] = y[i];\n"
                "    |          ^");
}

TEST(ReportText, IsTheErrorsMessage) { EXPECT_EQ(mylos::EmulationError(two_races()).what(), report_of(two_races())); }

TEST(ReportText, HasNothingButTheMessageWhereNoLineIsKnown) {
  EXPECT_EQ(report_of({{.kind = Kind::crash, .kernel = "k", .text = "why"}}), "kernel 'k': why");
}

TEST(ReportText, ColoursAddNothingToTheText) {
  const std::string coloured = report_of(two_races(), true);
  EXPECT_THAT(coloured, HasSubstr("\x1b[1;31mkernel 'push'"));
  EXPECT_THAT(coloured, HasSubstr("\x1b[1;32m         ^\x1b[0m"));
  EXPECT_EQ(std::regex_replace(coloured, std::regex("\x1b\\[[0-9;]*m"), ""), report_of(two_races()));
}

TEST(ReportText, EveryKindIsExplained) {
  for (int kind = 0; kind <= static_cast<int>(Kind::crash); ++kind) {
    EXPECT_GT(explanation_of(static_cast<Kind>(kind)).size(), 20U);
    EXPECT_GT(remedy_of(static_cast<Kind>(kind)).size(), 20U);
  }
}

// A terminal that nobody looks at.
class Terminal {
 public:
  Terminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) return;
    const int slave = ::open(::ptsname(master_), O_RDWR | O_NOCTTY);
    if (slave >= 0) stream_ = ::fdopen(slave, "w");
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    if (stream_ != nullptr) std::fclose(stream_);
    ::close(master_);
  }
  [[nodiscard]] std::FILE* stream() const { return stream_; }

 private:
  int master_;
  std::FILE* stream_ = nullptr;
};

TEST(ReportText, TerminalsGetColoursUnlessTheyAreNotWanted) {
  const Terminal terminal;
  if (terminal.stream() == nullptr) GTEST_SKIP() << "this system has no pseudo-terminals";
  {
    const ScopedVariable colours("NO_COLOR", nullptr);
    EXPECT_TRUE(emulator::takes_colour(terminal.stream()));
    std::FILE* const file = std::tmpfile();
    EXPECT_FALSE(emulator::takes_colour(file));
    std::fclose(file);
  }
  {
    const ScopedVariable empty("NO_COLOR", "");
    EXPECT_TRUE(emulator::takes_colour(terminal.stream())) << "empty is as if not set";
  }
  const ScopedVariable no_colours("NO_COLOR", "1");
  EXPECT_FALSE(emulator::takes_colour(terminal.stream()));
}

std::vector<Finding> findings_in(const emulator::Source& source, unsigned threads) {
  const auto program = emulator::compile(source);
  const DeviceArray<int> x(64, 0, "x");
  const auto scope = emulator::with({.checks = emulator::all_checks()});
  return findings_of([&] { run(*program, {.block = {threads, 1, 1}}, x.data()); });
}

TEST(Quotes, AreOfTheTextAndOfFilesThatItIncludes) {
  const TemporaryFolder folder;
  mylos::write_file_atomically(folder.path() / "store.hpp",
                               "// a header\n__device__ void store(int* x) {\n  *x = 1;\n}\n");
  const auto findings = findings_in({.text = "#include \"store.hpp\"\n"
                                             "extern \"C\" __global__ void k(int* x) {\n"
                                             "  store(x + 64);\n}",
                                     .name = "k",
                                     .include_dirs = {folder.path()}},
                                    1);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].sites.at(0).source, "  *x = 1;");
  const auto own = findings_in({.text = "extern \"C\" __global__ void k(int* x) {\n  x[64] = 1;\r\n}", .name = "k"}, 1);
  EXPECT_EQ(own.at(0).sites.at(0).source, "  x[64] = 1;");
}

TEST(Quotes, PointToTheBarrier) {
  const auto findings = findings_in(
      {.text = "extern \"C\" __global__ void k(int* x) {\n  if (threadIdx.x == 0) __syncthreads();\n}", .name = "k"},
      2);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(report_of(findings), HasSubstr("\n 2 |   if (threadIdx.x == 0) __syncthreads();\n"
                                             "   |                         "));
  EXPECT_GE(findings[0].sites.at(0).column, 25);  // compilers differ: the name, or the parenthesis
  EXPECT_LE(findings[0].sites.at(0).column, 39);
}

TEST(Quotes, PointIntoTheExpression) {
  const auto findings = findings_in(
      {.text = "extern \"C\" __global__ void k(int* x) {\n  const int i = threadIdx.x; x[i] = 1; x[i + 64] = x[i];\n}",
       .name = "k"},
      1);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_GE(findings[0].sites.at(0).column, 40);
  EXPECT_LE(findings[0].sites.at(0).column, 57);
}

TEST(Quotes, FaultsOnArraysTellTheIndices) {
  const auto writes = compiled("writes", R"(#include <mylos/device/array.hpp>
extern "C" __global__ void writes(mylos::Array<double, 3> a, int i, int j, int k) { a(i, j, k) = threadIdx.x; })");
  const auto reads = compiled("reads", R"(#include <mylos/device/array.hpp>
extern "C" __global__ void reads(mylos::Array<double, 3> a, double* x) { *x = a(1, 2, 3); })");
  const auto scope = emulator::with({.checks = emulator::all_checks()});
  const DeviceArray<double> memory(2 * 4 * 5, 0, "field"), x(1);
  const auto expect = [](const std::vector<Finding>& findings, std::vector<std::int64_t> index, const char* text) {
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].label, "field");
    EXPECT_EQ(findings[0].index, index);
    EXPECT_THAT(report_of(findings), HasSubstr(text));
  };
  const auto right = [](double* data) { return mylos::Array<double, 3>(data, {2, 4, 5}, {20, 5, 1}); };
  const auto left = [](double* data) { return mylos::Array<double, 3>(data, {2, 4, 5}, {1, 2, 8}); };
  const auto write = [&](const auto& array, int i, int j, int k) {
    return findings_of([&] { run(*writes, {.block = {2, 1, 1}}, array, i, j, k); });
  };
  for (const auto& array : {right(memory.data()), left(memory.data())}) {
    expect(write(array, 1, 2, 3), {1, 2, 3}, "= element: field(1, 2, 3)");
    auto* const unwritten = static_cast<double*>(emulator::allocate(2 * 4 * 5 * sizeof(double), "field"));
    const mylos::Array<double, 3> bare(unwritten, {2, 4, 5}, {array.stride(0), array.stride(1), array.stride(2)});
    expect(findings_of([&] { run(*reads, {}, bare, x.data()); }), {1, 2, 3}, "= element: field(1, 2, 3)");
    emulator::deallocate(unwritten);
  }
  // Behind or in front of all, the axis of the largest stride is the one with other indices.
  expect(write(right(memory.data()), 2, 1, 3), {2, 1, 3}, "= element: field(2, 1, 3)");
  expect(write(right(memory.data()), -1, 3, 4), {-1, 3, 4}, "= element: field(-1, 3, 4)");
  expect(write(left(memory.data()), 1, 2, 5), {1, 2, 5}, "= element: field(1, 2, 5)");
}

TEST(Quotes, ReachPrograms) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "findings.jsonl";
  const ScopedVariable variable("MYLOS_EMULATOR_REPORT", file.c_str());
  findings_in({.text = "extern \"C\" __global__ void k(int* x) {\n  x[64] = 1;\n}", .name = "k"}, 1);
  EXPECT_THAT(mylos::read_file(file), HasSubstr(R"("line":2,)"));
  EXPECT_THAT(mylos::read_file(file), HasSubstr(R"("source":"  x[64] = 1;")"));
}

TEST(Quotes, AreWrittenToStderrIfAsked) {
  const ScopedVariable variable("MYLOS_EMULATOR_REPORT", "stderr");
  ::testing::internal::CaptureStderr();
  const auto findings =
      findings_in({.text = "extern \"C\" __global__ void k(int* x) {\n  x[64] = 1;\n}", .name = "k"}, 1);
  const std::string written = ::testing::internal::GetCapturedStderr(), expected = report_of(findings) + "\n";
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  EXPECT_THAT(written, ::testing::EndsWith(expected)) << "a sanitizer may have said something before";
#else
  EXPECT_EQ(written, expected);
#endif
}

}  // namespace
}  // namespace mylos_test
