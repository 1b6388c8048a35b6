// SPDX-License-Identifier: MIT
#include <mylos/core/session.hpp>

#include <string>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include "core/child_program.hpp"
#include "support/contains.hpp"

namespace mylos_test {
namespace {

class EndsWell : public ::testing::TestWithParam<const char*> {};

// Nothing of ours is alive after Kokkos::finalize, however the program ends: Kokkos would abort.
TEST_P(EndsWell, WithStatusZero) {
  const Ended ended = run_child(GetParam());
  EXPECT_EQ(ended.status, 0) << ended.text;
  EXPECT_EQ(ended.text.find("error"), std::string::npos) << ended.text;
}
INSTANTIATE_TEST_SUITE_P(Session, EndsWell,
                         ::testing::Values("nothing", "use", "nested_sessions", "session_inside_kokkos",
                                           "kokkos_ends_first", "static_stream"),
                         [](const auto& program) { return std::string(program.param); });

TEST(Session, EndsOnlyWhatItStarted) {
  EXPECT_EQ(run_child("nested_sessions").text, "alive\n");
  EXPECT_EQ(run_child("session_inside_kokkos").text, "alive\n");
}

TEST(Session, EndsKokkosWhenAnExceptionLeavesMain) {
  const Ended ended = run_child("thrown_out_of_main");
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.text, "main: out of main\n");
}

TEST(Session, CannotStartKokkosTwice) {
  EXPECT_TRUE(contains(run_child("session_after_the_end").text, {"mylos::Session", "once in a process"}));
}

TEST(Session, AViewBeforeTheStartIsAnError) {
  const Ended ended = run_child("view_before_the_start");
  EXPECT_NE(ended.status, 0);
  EXPECT_FALSE(ended.text.empty());
}

// Not ours to prevent: the device tells what is alive when it ends, and Kokkos which View ended behind it.
TEST(Session, AViewThatOutlivesKokkosIsNamed) {
  for (const auto& [program, label] :
       {std::pair("static_view", "outlives_everything"), std::pair("static_empty_view", "empty_but_alive")}) {
    const Ended ended = run_child(program);
    EXPECT_NE(ended.status, 0);
    EXPECT_TRUE(contains(ended.text, {"1 allocation of the emulated device", "was never freed: '" + std::string(label),
                                      "deallocated after Kokkos::finalize"}));
  }
}

}  // namespace
}  // namespace mylos_test
