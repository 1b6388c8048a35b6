// SPDX-License-Identifier: MIT
#include <mylos/emulator/finding.hpp>

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "emulator/support.hpp"

namespace mylos_test {
namespace {

using emulator::Finding;
using emulator::Kind;

TEST(Finding, EveryKindHasItsName) {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(Kind::crash); ++kind) names.insert(to_string(static_cast<Kind>(kind)));
  EXPECT_EQ(names.size(), 10U);
  EXPECT_EQ(to_string(Kind::thread_order), "thread_order");
  EXPECT_EQ(to_string(Kind::crash), "crash");
}

TEST(Finding, TheErrorTellsWhatIsKnownOfEachSite) {
  const mylos::EmulationError error({
      {.kind = Kind::race,
       .kernel = "push",
       .sites = {{{1, 2}, 7, "push.cu", 12}, {{}, {}, "push.cu", 9}},
       .text = "why"},
      {.kind = Kind::crash, .kernel = "pull", .text = "other"},
  });
  EXPECT_STREQ(error.what(),
               "kernel 'push', block (1, 2), thread (7), at push.cu:12, at push.cu:9: why\nkernel 'pull': other");
  ASSERT_EQ(error.findings().size(), 2U);
  EXPECT_EQ(error.findings()[0].kind, Kind::race);
}

}  // namespace
}  // namespace mylos_test
