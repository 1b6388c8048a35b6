// SPDX-License-Identifier: MIT
#include <mylos/core/backend.hpp>

#include <stdexcept>
#include <string>
#include <thread>

#include <nlohmann/json.hpp>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>

#include "core/child_program.hpp"
#include "core/support.hpp"
#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::Backend;

// No driver anywhere, whatever the machine has.
constexpr const char* no_driver = "MYLOS_CUDA_DRIVER=/nowhere/libcuda.so";

// ---- in a process of its own: what is read or chosen once

TEST(BackendChoice, IsHostUnlessSomethingElseIsSaid) { EXPECT_EQ(run_child("backend").text, "host\n"); }

TEST(BackendChoice, ComesFromTheEnvironment) {
  EXPECT_EQ(run_child("backend", "MYLOS_BACKEND=emulated").text, "emulated\n");
  EXPECT_EQ(run_child("backend", "MYLOS_BACKEND=host").text, "host\n");
}

TEST(BackendChoice, AnUnknownNameIsAnErrorWithTheChoices) {
  const Ended ended = run_child("backend_twice", "MYLOS_BACKEND=gpu");
  EXPECT_TRUE(contains(ended.text, {"MYLOS_BACKEND is 'gpu'", "host, cuda, emulated"}));
  const auto first_line = ended.text.substr(0, ended.text.find('\n') + 1);
  EXPECT_EQ(ended.text, first_line + first_line) << "it is told each time, not only the first";
}

TEST(BackendChoice, CudaWithoutADriverSaysWhy) {
  const Ended ended = run_child("backend", std::string(no_driver) + " MYLOS_BACKEND=cuda");
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(contains(ended.text, {"MYLOS_BACKEND=cuda", "'cuda' cannot be used", "/nowhere/libcuda.so"}));
}

TEST(BackendChoice, ScopeBeatsProcessBeatsEnvironment) {
  EXPECT_EQ(run_child("precedence", "MYLOS_BACKEND=emulated").text, "emulated\nhost\nemulated\n");
}

TEST(BackendChoice, AFailedChoiceChangesNothingAndFallbackWarnsOnce) {
  const Ended ended = run_child("cuda_without_driver", std::string(no_driver) + " MYLOS_BACKEND=emulated");
  EXPECT_EQ(ended.status, 0);
  EXPECT_TRUE(contains(ended.text, {"not available\nmylos::set_backend: the backend 'cuda' cannot be used: ",
                                    "\nemulated\nmylos::ScopedBackend: the backend 'cuda'", "host\n"}));
  const auto warning = ended.text.find("mylos: warning: ");
  ASSERT_NE(warning, std::string::npos);
  EXPECT_EQ(ended.text.find("mylos: warning: ", warning + 1), std::string::npos);
}

TEST(DeviceChoice, IsMadeBeforeTheFirstUse) {
  const Ended ended = run_child("device_is_late", no_driver);
  EXPECT_TRUE(contains(ended.text,
                       {"mylos::set_device(7): there is no such device: this process can use 1: choose 0 to 0\nok\n",
                        "mylos::set_device(0): the device is in use already"}));
}

TEST(DeviceChoice, OfTheEnvironmentIsChecked) {
  EXPECT_EQ(run_child("device_of_environment", std::string(no_driver) + " MYLOS_DEVICE=0").text, "ok\n");
  const Ended ended = run_child("device_of_environment", std::string(no_driver) + " MYLOS_DEVICE=3");
  EXPECT_TRUE(contains(ended.text, {"MYLOS_DEVICE is '3'", "a whole number from 0 to 0"}));
}

TEST(BackendInfo, TellsAllThatIsThereAndWhatIsNotAndWhy) {
  const Ended ended = run_child("info", no_driver);
  const auto info = nlohmann::json::parse(ended.text);
  EXPECT_EQ(info["backend"], "host");
  EXPECT_TRUE(info["device_in_use"].is_null()) << "asking chooses nothing";
  EXPECT_EQ(info["kokkos"]["version"].get<std::string>().substr(0, 2), std::to_string(KOKKOS_VERSION / 10000) + ".");
  EXPECT_EQ(info["kokkos"]["default_host_execution_space"], Kokkos::DefaultHostExecutionSpace::name());
  EXPECT_TRUE(info["backends"]["host"]["usable"]);
  EXPECT_FALSE(info["backends"]["cuda"]["usable"]);
  EXPECT_TRUE(contains(info["backends"]["cuda"]["reason"].get<std::string>(), {"/nowhere/libcuda.so"}));
  EXPECT_TRUE(info["backends"]["emulated"]["usable"]);
  EXPECT_TRUE(info["nvrtc"].contains("usable"));
  EXPECT_TRUE(info["nvrtc"].contains("file_of_the_build"));
}

TEST(BackendInfo, TellsWhyNvrtcCannotBeUsed) {
  const auto nvrtc = nlohmann::json::parse(run_child("info", "MYLOS_NVRTC=/nowhere/libnvrtc.so.13").text)["nvrtc"];
  EXPECT_FALSE(nvrtc["usable"]);
  EXPECT_TRUE(contains(nvrtc["reason"].get<std::string>(), {"/nowhere/libnvrtc.so.13", "MYLOS_NVRTC"}));
}

TEST(BackendInfo, TellsAboutTheCompilerOfTheEmulator) {
  const auto compiler = [](const std::string& environment) {
    return nlohmann::json::parse(run_child("info", environment).text)["backends"]["emulated"]["compiler"];
  };
  const auto usable = compiler("MYLOS_CXX=c++");
  EXPECT_EQ(usable["command"], "c++");
  EXPECT_FALSE(usable["version"].get<std::string>().empty());
  const auto missing = compiler("MYLOS_CXX=/nowhere/g++");
  EXPECT_FALSE(missing["usable"]);
  EXPECT_TRUE(contains(missing["reason"].get<std::string>(), {"/nowhere/g++"}));
}

TEST(BackendInfo, ReportsABadSettingInItsPlace) {
  const auto info = nlohmann::json::parse(run_child("info", "MYLOS_BACKEND=gpu").text);
  EXPECT_TRUE(contains(info["backend"]["error"].get<std::string>(), {"MYLOS_BACKEND is 'gpu'"}));
}

TEST(Engine, LivesFromTheStartToTheEndOfKokkos) {
  const Ended early = run_child("engine_before_the_start", no_driver);
  EXPECT_TRUE(contains(early.text, {"before Kokkos::initialize", "mylos::Session", "\n49152\n"}));
  const Ended late = run_child("engine_after_the_end");
  EXPECT_EQ(late.status, 0);
  EXPECT_TRUE(contains(late.text, {"after Kokkos::finalize"}));
}

// ---- in this process, whose device is the emulated one

#ifndef KOKKOS_ENABLE_CUDA
class Backends : public ::testing::Test {
 protected:
  Backends() { Kokkos::deep_copy(Kokkos::View<double*, DeviceSpace>("touched", 3), 1.0); }
  ~Backends() override { mylos::set_backend(Backend::host); }
};

TEST_F(Backends, TheOtherDeviceIsRefusedOnceOneIsInUse) {
  mylos::set_backend(Backend::emulated);
  EXPECT_EQ(mylos::backend(), Backend::emulated);
  EXPECT_THROW(mylos::set_backend(Backend::cuda), mylos::BackendError);
  EXPECT_EQ(mylos::backend(), Backend::emulated) << "a refused choice changes nothing";
}

TEST_F(Backends, ScopesNestAndEndWithExceptions) {
  {
    const mylos::ScopedBackend outer(Backend::emulated);
    const mylos::ScopedBackend inner(Backend::host);
    EXPECT_EQ(mylos::backend(), Backend::host);
    try {
      const mylos::ScopedBackend thrown_through(Backend::emulated);
      throw std::runtime_error("");
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(mylos::backend(), Backend::host);
  }
  EXPECT_EQ(mylos::backend(), Backend::host);
}

TEST_F(Backends, AScopeBelongsToItsThread) {
  const mylos::ScopedBackend scoped(Backend::emulated);
  Backend elsewhere = Backend::emulated;
  std::thread([&] { elsewhere = mylos::backend(); }).join();
  EXPECT_EQ(elsewhere, Backend::host);
}

TEST_F(Backends, WithBackendGivesTheSpace) {
  const auto name = []<class Space>(Space) { return std::string(Space::name()); };
  EXPECT_EQ(mylos::with_backend(name), HostSpace::name());
  mylos::set_backend(Backend::emulated);
  EXPECT_EQ(mylos::with_backend(name), DeviceSpace::name());
  int value = 1;
  mylos::with_backend([&]<class Space>(Space) -> int& { return value; }) = 2;
  EXPECT_EQ(value, 2) << "references come through";
  mylos::with_backend([&]<class Space>(Space) { value = 3; });
  EXPECT_EQ(value, 3) << "and so does nothing at all";
}

TEST_F(Backends, MemoryInfoFollowsAllocations) {
  const auto before = mylos::memory_info();
  constexpr std::size_t bytes = 8 << 20;
  {
    const Kokkos::View<char*, DeviceSpace> view("view", bytes);
    const auto during = mylos::memory_info();
    EXPECT_GE(during.used, before.used + bytes);
    EXPECT_GE(during.high_water, during.used);
    EXPECT_LE(during.free, during.total);
  }
  mylos::release_memory();
  const auto after = mylos::memory_info();
  EXPECT_EQ(after.used, before.used);
  EXPECT_GE(after.high_water, before.used + bytes);
}

TEST_F(Backends, AnAllocationThatIsTooLargeIsKokkosOwnError) {
  try {
    const Kokkos::View<char*, DeviceSpace> huge(Kokkos::view_alloc("huge", Kokkos::WithoutInitializing),
                                                std::size_t{1} << 60);
    ADD_FAILURE() << "a View of 2^60 bytes was made";
  } catch (const std::exception& error) {
    EXPECT_TRUE(contains(error.what(), {DeviceSpace::name(), "huge"}));
  }
}

TEST_F(Backends, TheEmulatedDeviceIsOneWithTheUsualSharedMemory) {
  EXPECT_EQ(mylos::device_count(), 1);
  EXPECT_EQ(mylos::max_shared_memory_per_block(), 48U * 1024U);
}
#endif

}  // namespace
}  // namespace mylos_test
