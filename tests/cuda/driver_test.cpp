// SPDX-License-Identifier: MIT
#include <mylos/cuda/driver.hpp>

#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "support/child.hpp"
#include "support/contains.hpp"
#include "support/scoped_variable.hpp"

namespace mylos_test {
namespace {

using mylos::cuda::DriverInfo;

const std::string stand_in = MYLOS_STAND_IN_FOLDER "/test_cuda_stand_in.so";

/// What a stand-in with this setting of its own is found to be.
DriverInfo probe(const char* variable, const char* value) {
  const ScopedVariable set(variable, value);
  return mylos::cuda::probe_driver(stand_in);
}

TEST(ProbeDriver, ListsTheDevices) {
  const DriverInfo info = mylos::cuda::probe_driver(stand_in);
  EXPECT_TRUE(info.usable()) << info.unusable_reason;
  EXPECT_EQ(info.version, 12040);
  EXPECT_EQ(info.path, stand_in);
  ASSERT_EQ(info.devices.size(), 2U);
  EXPECT_EQ(info.devices[0].name, "First GPU");
  EXPECT_EQ(info.devices[0].compute_capability, 90);
  EXPECT_EQ(info.devices[0].total_memory, std::size_t{80} << 30);
  EXPECT_EQ(info.devices[1].name, "Second GPU");
  EXPECT_EQ(info.devices[1].compute_capability, 121);
}

TEST(ProbeDriver, SaysWhyThereIsNone) {
  const DriverInfo info = mylos::cuda::probe_driver("libcuda-that-is-not-here.so.1");
  EXPECT_FALSE(info.usable());
  EXPECT_TRUE(info.path.empty());
  EXPECT_TRUE(contains(info.unusable_reason, {"driver cannot be loaded", "libcuda-that-is-not-here.so.1",
                                              "correct or unset MYLOS_CUDA_DRIVER"}));
}

TEST(ProbeDriver, SaysWhatIsWrongWithTheOneFound) {
  const DriverInfo old = probe("STAND_IN_VERSION", "11080");
  EXPECT_TRUE(contains(old.unusable_reason, {"serves CUDA 11.8", "needs 12.0 or newer", "update", ".so"}));
  const DriverInfo empty = probe("STAND_IN_DEVICES", "0");
  EXPECT_TRUE(contains(empty.unusable_reason, {"sees no GPU", "CUDA_VISIBLE_DEVICES"}));
  const DriverInfo failing = probe("STAND_IN_FAIL", "cuInit:1:100");
  EXPECT_TRUE(contains(failing.unusable_reason,
                       {"cuInit failed", "CUDA_ERROR_NO_DEVICE", "100", "no CUDA-capable device", "nvidia-smi"}));
  const DriverInfo incomplete = mylos::cuda::probe_driver(MYLOS_STAND_IN_FOLDER "/test_cuda_incomplete.so");
  EXPECT_TRUE(contains(incomplete.unusable_reason, {"no function cuDeviceTotalMem_v2", "too old"}));
  for (const DriverInfo* info : {&old, &empty, &failing, &incomplete}) EXPECT_TRUE(info->devices.empty());
}

TEST(ProbeDriver, SurvivesAFailureOfEveryCall) {
  for (const char* call : {"cuInit", "cuDriverGetVersion", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName",
                           "cuDeviceGetAttribute", "cuDeviceTotalMem_v2"}) {
    const DriverInfo info = probe("STAND_IN_FAIL", (std::string(call) + ":1:1").c_str());
    EXPECT_TRUE(contains(info.unusable_reason, {std::string(call) + " failed", "CUDA_ERROR_INVALID_VALUE"}));
  }
}

// The first call decides for the whole process, so each case has one of its own.
TEST(Driver, IsTheOneThatTheVariableNames) {
  const ScopedVariable variable("MYLOS_CUDA_DRIVER", stand_in.c_str());
  Child child([] {
    const bool once = &mylos::cuda::driver() == &mylos::cuda::driver();
    ::_exit(once && mylos::cuda::driver().usable() && mylos::cuda::driver().devices.size() == 2 ? 17 : 1);
  });
  EXPECT_EQ(child.wait(), 17);
}

TEST(Driver, IsUnusableWhereTheVariableNamesNothing) {
  const ScopedVariable variable("MYLOS_CUDA_DRIVER", "/nowhere/libcuda.so.1");
  Child child([] {
    const std::string& reason = mylos::cuda::driver().unusable_reason;
    ::_exit(reason.find("/nowhere/libcuda.so.1") != std::string::npos ? 17 : 1);
  });
  EXPECT_EQ(child.wait(), 17);
}

TEST(VersionText, IsMajorAndMinor) {
  EXPECT_EQ(mylos::cuda::version_text(13000), "13.0");
  EXPECT_EQ(mylos::cuda::version_text(12040), "12.4");
  EXPECT_EQ(mylos::cuda::version_text(11080), "11.8");
}

}  // namespace
}  // namespace mylos_test
