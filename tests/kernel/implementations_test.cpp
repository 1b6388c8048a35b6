// SPDX-License-Identifier: MIT
#include <mylos/kernel/implementations.hpp>

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/kernel/kernel.hpp>

#include "kernel/own_process.hpp"
#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using View = Kokkos::View<int*, Kokkos::HostSpace>;

struct Write {
  int value;
  void operator()(std::int64_t i, const View& x) const { x(i) = value; }
};

const char* const port_text = "extern \"C\" __global__ void write(int* x) { x[blockIdx.x] = 3; }";

const auto& plain() {
  static const mylos::Kernel kernel("plain", Write{1});
  return kernel;
}
const auto& several() {
  static const mylos::Kernel kernel("write", mylos::implementations(Write{1}, mylos::named("simd", Write{2})),
                                    mylos::CudaKernel(port_text, "write", {.block = 1}));
  return kernel;
}

// What the implementation in force writes.
int written() {
  const View x("x", 4);
  several()(x);
  EXPECT_EQ(x(0), x(3));
  return x(3);
}

// The name "simd" exists as soon as a kernel has it, in whichever order, or process, the cases run.
class Implementations : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { several(); }
};

TEST_F(Implementations, EveryKernelSaysWhatItHas) {
  EXPECT_EQ(plain().implementations(), (std::vector<std::string>{"kokkos", "serial"}));
  EXPECT_EQ(several().implementations(),
            (std::vector<std::string>{"kokkos", "serial", "port_on_host", "simd", "cuda", "emulated"}));
}

TEST_F(Implementations, TheDefaultIsKokkos) {
  EXPECT_EQ(mylos::host_implementation(), "kokkos");
  EXPECT_EQ(several().selected(mylos::Backend::host), "kokkos");
  EXPECT_EQ(written(), 1);
}

TEST_F(Implementations, ScopesNestAndTheProcessWideChoiceIsUnderThem) {
  mylos::set_host_implementation("simd");
  EXPECT_EQ(written(), 2);
  {
    const mylos::ScopedHostImplementation serial("serial");
    EXPECT_EQ(written(), 1);
    EXPECT_EQ(several().selected(mylos::Backend::host), "serial");
    {
      const mylos::ScopedHostImplementation simd("simd");
      EXPECT_EQ(written(), 2);
    }
    EXPECT_EQ(mylos::host_implementation(), "serial");
    std::string other;
    std::thread([&] { other = mylos::host_implementation(); }).join();
    EXPECT_EQ(other, "simd") << "a scope belongs to its thread";
  }
  EXPECT_EQ(mylos::host_implementation(), "simd");
  mylos::set_host_implementation("");
  EXPECT_EQ(written(), 1);
}

TEST_F(Implementations, ThePortRunsOnHostViews) {
  const mylos::ScopedHostImplementation port("port_on_host");
  EXPECT_EQ(written(), 3);
}

TEST_F(Implementations, ChosenAndAbsentIsAnError) {
  const View x("x", 4);
  for (const char* name : {"simd", "port_on_host"}) {
    const mylos::ScopedHostImplementation chosen(name);
    const std::string text = thrown<mylos::LookupError>([&] { plain()(x); });
    EXPECT_TRUE(contains(text, {"kernel 'plain'", std::string("'") + name + "'", "kokkos, serial", "absent"}));
    EXPECT_EQ(thrown<mylos::LookupError>([&] { static_cast<void>(plain().selected(mylos::Backend::host)); }), text);
  }
  EXPECT_EQ(x(0), 0) << "nothing ran";
}

TEST_F(Implementations, AnUnknownNameIsAnErrorAndChangesNothing) {
  const std::string host = thrown<mylos::ValueError>([] { mylos::set_host_implementation("simdd"); });
  EXPECT_TRUE(contains(host, {"set_host_implementation", "'simdd'", "kokkos, serial, port_on_host", "simd"}));
  EXPECT_EQ(mylos::host_implementation(), "kokkos");
  const std::string device = thrown<mylos::ValueError>([] { mylos::ScopedDeviceImplementation scope("hip"); });
  EXPECT_TRUE(contains(device, {"'hip'", "cuda, emulated, kokkos"}));
  EXPECT_EQ(mylos::device_implementation(), "automatic");
}

TEST_F(Implementations, DISABLED_HostFromEnvironment) {
  EXPECT_EQ(written(), 2);
  end_alone();
}

TEST_F(Implementations, DISABLED_DeviceFromEnvironment) {
  EXPECT_EQ(mylos::device_implementation(), "emulated");
  end_alone();
}

TEST_F(Implementations, DISABLED_UnknownInEnvironment) {
  const std::string text = thrown<mylos::ValueError>([] { written(); });
  EXPECT_TRUE(contains(text, {"MYLOS_HOST_IMPLEMENTATION", "'fast'"}));
  end_alone();
}

TEST_F(Implementations, TheEnvironmentChooses) {
  const std::string suite = "Implementations.DISABLED_";
  EXPECT_EQ(run_alone(suite + "HostFromEnvironment", "MYLOS_HOST_IMPLEMENTATION", "simd"), passed_alone);
  EXPECT_EQ(run_alone(suite + "DeviceFromEnvironment", "MYLOS_DEVICE_IMPLEMENTATION", "emulated"), passed_alone);
  EXPECT_EQ(run_alone(suite + "UnknownInEnvironment", "MYLOS_HOST_IMPLEMENTATION", "fast"), passed_alone);
}

}  // namespace
}  // namespace mylos_test
