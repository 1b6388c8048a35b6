// SPDX-License-Identifier: MIT
#include <mylos/jit/diagnostics.hpp>

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/contains.hpp"

namespace mylos_test {
namespace {

using mylos::jit::advice_on_includes;
using mylos::jit::errors_with_excerpts;
using mylos::jit::IncludeLine;
using mylos::jit::parse_diagnostics;
using mylos::jit::source_excerpt;

TEST(ParseDiagnostics, ReadsNvrtc) {
  const auto found = parse_diagnostics(
      "a (b)/k.cu(3): error: identifier \"x\" is undefined: really\n"
      "  \tint a = x;\n"
      "  \t        ^\n"
      "\n"
      "k.cu(7): warning #177-D: function \"s\" was declared but never referenced\n"
      "1 error detected in the compilation of \"k.cu\".\n"
      "nix.hpp(1): catastrophic error: cannot open source file\n");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].file, "a (b)/k.cu");
  EXPECT_EQ(found[0].line, 3);
  EXPECT_EQ(found[0].column, 10);
  EXPECT_TRUE(found[0].is_error);
  EXPECT_EQ(found[0].message, "identifier \"x\" is undefined: really");
  EXPECT_FALSE(found[1].is_error);
  EXPECT_EQ(found[1].line, 7);
  EXPECT_EQ(found[1].column, 0);
  EXPECT_TRUE(found[2].is_error);
}

TEST(ParseDiagnostics, ReadsGccAndClang) {
  const auto found = parse_diagnostics(
      "In file included from k.cu:1:\n"
      "h.hpp: In function 'int f()':\n"
      "C:\\h.hpp:3:5: error: 'x' was not declared: really\r\n"
      "k.cu:12: warning: unused [-Wunused]\n"
      "k.cu:2:10: fatal error: nix.h: No such file or directory\n");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].file, "C:\\h.hpp");
  EXPECT_EQ(found[0].line, 3);
  EXPECT_EQ(found[0].column, 5);
  EXPECT_EQ(found[0].message, "'x' was not declared: really");
  EXPECT_FALSE(found[1].is_error);
  EXPECT_EQ(found[2].message, "nix.h: No such file or directory");
}

TEST(ParseDiagnostics, PassesOverEverythingElse) {
  EXPECT_TRUE(parse_diagnostics("").empty());
  EXPECT_TRUE(parse_diagnostics("error\n(3): \nk.cu(x): error: y\nk.cu(3) error: y\n:::\n").empty());
}

TEST(AdviceOnIncludes, TellsWhereWasLooked) {
  const std::string gcc = "k.cu:2:10: fatal error: nix.h: No such file or directory\n";
  EXPECT_EQ(advice_on_includes(gcc, {.own = "kernels", .further = {"/a", "/b"}}),
            "folders searched for included files:\n  kernels\n  /a\n  /b\n"
            "give the missing one's to CudaOptions::include_dirs\n");
  EXPECT_TRUE(contains(advice_on_includes("k.cu(2): catastrophic error: cannot open source file \"nix.h\"\n", {}),
                       {"folders searched for included files: none of yours", "CudaOptions::include_dirs"}));
  EXPECT_EQ(advice_on_includes("k.cu:2:10: error: 'x' was not declared\n", {}), "");
}

TEST(WithoutConsequences, LeavesOutWhatFollowsFromOtherErrors) {
  const auto is_ours = [](std::string_view file) { return file == "ours"; };
  const std::string theirs = "k.cu(1): error: identifier \"doubel\" is undefined\n  echo\n  ^\n";
  const std::string follows = "ours(2): error: incomplete type\n  echo\n    ^\n   detected during something\n";
  const std::string warning = "k.cu(7): warning: unused\n";
  EXPECT_EQ(mylos::jit::without_consequences(theirs + follows, is_ours), theirs);
  EXPECT_EQ(mylos::jit::without_consequences(follows + theirs, is_ours), theirs);
  EXPECT_EQ(mylos::jit::without_consequences(warning + follows, is_ours), warning + follows) << "it says what is wrong";
  EXPECT_EQ(mylos::jit::without_consequences("ours:3:5: error: a\nk.cu:1:2: error: b\n", is_ours),
            "k.cu:1:2: error: b\n");
  EXPECT_EQ(mylos::jit::without_consequences("crash\n", is_ours), "crash\n");
}

TEST(SourceExcerpt, NumbersAndMarksLines) {
  EXPECT_EQ(source_excerpt("one\ntwo\nthree\nfour\n", 3, 2, 1),
            "  2 | two\n"
            "> 3 | three\n"
            "    |  ^\n"
            "  4 | four\n");
}

TEST(SourceExcerpt, KeepsTabsAboveTheCaretAndWidthsOfNumbers) {
  std::string text;
  for (int line = 1; line <= 10; ++line) text += "\tline\r\n";
  EXPECT_EQ(source_excerpt(text, 9, 3, 1),
            "   8 | \tline\n"
            ">  9 | \tline\n"
            "     | \t ^\n"
            "  10 | \tline\n");
}

TEST(SourceExcerpt, IsEmptyForLinesThatAreNotThere) {
  EXPECT_EQ(source_excerpt("one\n", 0), "");
  EXPECT_EQ(source_excerpt("one\n", 2), "");
  EXPECT_EQ(source_excerpt("", 1), "");
  EXPECT_EQ(source_excerpt("one", 1, 9), "> 1 | one\n    |    ^\n");
}

std::optional<std::string> text_of(const std::string& file) {
  return file == "k.cu" ? std::optional<std::string>("first\nsecond\n") : std::nullopt;
}

std::vector<IncludeLine> not_included(const std::string&) { return {}; }

TEST(ErrorsWithExcerpts, ShowsErrorsOnlyAndUpToTheLimit) {
  const std::string text = errors_with_excerpts(
      "k.cu(1): warning: w\nk.cu(2): error: e1\nh.hpp(1): error: e2\nk.cu(1): error: e3\n", text_of, not_included, 2);
  EXPECT_EQ(text,
            "k.cu:2: error: e1\n  1 | first\n> 2 | second\n"
            "h.hpp:1: error: e2\n"
            "... 3 errors in all\n");
  EXPECT_EQ(errors_with_excerpts("the compiler crashed\n", text_of, not_included), "the compiler crashed\n");
}

TEST(ErrorsWithExcerpts, ShowsTheLinesThatIncludeAFile) {
  const auto lines_to = [](const std::string& file) -> std::vector<IncludeLine> {
    if (file != "b.hpp") return {};
    return {{"a.hpp", 3}, {"k.cu", 1}};
  };
  EXPECT_EQ(errors_with_excerpts("k.cu:2:1: error: e1\nb.hpp:7:5: error: e2\n", text_of, lines_to),
            "k.cu:2:1: error: e1\n  1 | first\n> 2 | second\n    | ^\n"
            "b.hpp:7:5: error: e2\n  included from a.hpp:3\n  included from k.cu:1\n");
}

}  // namespace
}  // namespace mylos_test
