// SPDX-License-Identifier: MIT
// How processes that use the CUDA engine start and end, on the stand-in driver: it ends a process that gives something
// not back with status 86.
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/child_program.hpp"
#include "support/contains.hpp"
#include "support/nvrtc_test.hpp"

namespace mylos_test {
namespace {

const std::string on_stand_in = "MYLOS_BACKEND=cuda MYLOS_CUDA_DRIVER=" MYLOS_STAND_IN;

class EngineProcesses : public NvrtcTest<::testing::TestWithParam<const char*>> {};
using EngineProcess = NvrtcTest<>;

TEST_P(EngineProcesses, GiveEverythingBack) {
  const Ended ended = run_child(GetParam(), on_stand_in);
  EXPECT_EQ(ended.status, 0) << ended.text;
}

INSTANTIATE_TEST_SUITE_P(Programs, EngineProcesses,
                         ::testing::Values("nothing", "use", "nested_sessions", "session_inside_kokkos",
                                           "kokkos_ends_first", "engine_after_the_end", "static_stream"),
                         [](const auto& program) { return program.param; });

TEST_F(EngineProcess, OnTheHostTouchesNoDevice) {
  const Ended ended = run_child("nothing", "MYLOS_CUDA_DRIVER=" MYLOS_STAND_IN
                                           " STAND_IN_FAIL="
                                           "cuDevicePrimaryCtxRetain:1:2");
  EXPECT_EQ(ended.status, 0) << ended.text;
}

// As with the emulated device: told by Kokkos, and no crash.
TEST_F(EngineProcess, AViewThatOutlivesKokkosIsTold) {
  const Ended ended = run_child("static_view", on_stand_in);
  EXPECT_TRUE(contains(ended.text, {"outlives_everything"}));
}

// One that cannot be given back keeps none of the others.
TEST_F(EngineProcess, WhatIsLeftIsGivenBackEach) {
  EXPECT_EQ(run_child("left_allocations", on_stand_in).status, 0);
  const Ended ended = run_child("left_allocations", on_stand_in + " STAND_IN_FAIL=cuMemFree_v2:1:1");
  EXPECT_TRUE(contains(ended.text, {"cuMemFree_v2 failed", "leak of "}));
  EXPECT_EQ(ended.text.find("leak of "), ended.text.rfind("leak of ")) << ended.text;
}

TEST_F(EngineProcess, ADeviceThatIsNotThereIsAnErrorWithTheNumbers) {
  const Ended ended = run_child("device_of_environment", on_stand_in + " MYLOS_DEVICE=2");
  EXPECT_TRUE(contains(ended.text, {"MYLOS_DEVICE is '2'", "a whole number from 0 to 1"}));
  EXPECT_EQ(run_child("device_of_environment", on_stand_in + " MYLOS_DEVICE=1").text, "ok\n");
}

TEST_F(EngineProcess, ReportsTheDriverAndItsDevices) {
  const auto info = nlohmann::json::parse(run_child("info", on_stand_in).text);
  EXPECT_EQ(info["backend"], "cuda");
  EXPECT_EQ(info["device_count"], 2);
  EXPECT_TRUE(info["backends"]["cuda"]["usable"]);
  EXPECT_EQ(info["backends"]["cuda"]["driver_version"], "12.4");
  EXPECT_EQ(info["backends"]["cuda"]["devices"], (nlohmann::json{"First GPU", "Second GPU"}));
}

TEST_F(EngineProcess, SaysWhyTheDriverIsOfNoUse) {
  const Ended old = run_child("backend", on_stand_in + " STAND_IN_VERSION=11080");
  EXPECT_TRUE(contains(old.text, {"'cuda' cannot be used", "serves CUDA 11.8", "needs 12.0"}));
  const Ended empty = run_child("backend", on_stand_in + " STAND_IN_DEVICES=0");
  EXPECT_TRUE(contains(empty.text, {"'cuda' cannot be used", "sees no GPU"}));
}

}  // namespace
}  // namespace mylos_test
