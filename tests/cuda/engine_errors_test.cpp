// SPDX-License-Identifier: MIT
// Every call of the CUDA engine that can fail, and what a user hears of it, on the stand-in driver.
#include <cstdlib>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include <nlohmann/json.hpp>

#include <mylos/base/error.hpp>

#include "cuda/engine.hpp"
#include "kernel/own_process.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

void fill_with_kernel() { Kokkos::deep_copy(OnDevice<double*>("numbers", 9), 1.0); }

/// A call of the driver's, and what makes us make it.
struct FailingCall {
  const char* call;
  std::function<void()> use;
  int code = 1;
  std::string error = "CUDA_ERROR_INVALID_VALUE (1: invalid argument)";
  friend std::ostream& operator<<(std::ostream& out, const FailingCall& failing) { return out << failing.call; }
};

struct Prepared {
  OnDevice<int**> device{"device", 100, 6};
  OnDevice<int**>::host_mirror_type host{"host", 100, 6};
  OnDevice<std::int16_t**> shorts{"shorts", 200, 6};
};

Prepared& prepared() {
  static Prepared* const views = new Prepared;
  return *views;
}

class EngineErrors : public EngineTest, public ::testing::WithParamInterface<FailingCall> {};

TEST_P(EngineErrors, NameTheCallAndTheError) {
  GetParam().use();  // all that happens once has happened
  Kokkos::fence();
  stand_in.fail(GetParam().call, GetParam().code);
  const std::string message = thrown<mylos::CudaError>(GetParam().use);
  EXPECT_TRUE(contains(message, {GetParam().call, GetParam().error, "MYLOS_LOG"}));
  GetParam().use();
  Kokkos::fence();
  EXPECT_TRUE(mylos::cuda_available()) << "such an error passes";
}

template <class V>
auto half(const V& view) {
  return Kokkos::subview(view, std::pair<std::size_t, std::size_t>(0, view.extent(0) / 2), Kokkos::ALL);
}

INSTANTIATE_TEST_SUITE_P(
    Calls, EngineErrors,
    ::testing::Values(
        FailingCall{"cuCtxPushCurrent_v2", [] { mylos::memory_info(); }},
        FailingCall{"cuMemAlloc_v2", [] { OnDevice<int*>("view", 5); }},
        FailingCall{"cuMemGetInfo_v2", [] { mylos::memory_info(); }},
        FailingCall{"cuMemcpyHtoDAsync_v2", [] { Kokkos::deep_copy(prepared().device, prepared().host); }},
        // Its error 1 is an answer: a pointer that CUDA does not know.
        FailingCall{"cuPointerGetAttribute", [] { Kokkos::deep_copy(prepared().device, prepared().host); }, 400,
                    "CUDA_ERROR_INVALID_HANDLE (400: invalid resource handle)"},
        FailingCall{"cuMemcpyDtoHAsync_v2", [] { Kokkos::deep_copy(prepared().host, prepared().device); }},
        FailingCall{"cuMemcpyDtoDAsync_v2",
                    [] {
                      const auto& view = prepared().device;
                      Kokkos::deep_copy(Kokkos::subview(view, Kokkos::ALL, 0), Kokkos::subview(view, Kokkos::ALL, 1));
                    }},
        FailingCall{"cuMemcpy2DAsync_v2",
                    [] {
                      const OnDevice<int**> target(Kokkos::view_alloc("target", Kokkos::WithoutInitializing), 50, 6);
                      mylos::copy_view(target, half(prepared().device));
                    }},
        FailingCall{"cuMemsetD8Async", [] { Kokkos::deep_copy(prepared().device, 0); }},
        FailingCall{"cuMemsetD16Async", [] { Kokkos::deep_copy(prepared().shorts, std::int16_t{300}); }},
        FailingCall{"cuMemsetD32Async", [] { Kokkos::deep_copy(prepared().device, 5); }},
        FailingCall{"cuMemsetD2D8Async", [] { Kokkos::deep_copy(half(prepared().device), 0x02020202); }},
        FailingCall{"cuMemsetD2D16Async", [] { Kokkos::deep_copy(half(prepared().shorts), std::int16_t{300}); }},
        FailingCall{"cuMemsetD2D32Async", [] { Kokkos::deep_copy(half(prepared().device), 5); }},
        FailingCall{"cuCtxGetStreamPriorityRange", [] { Kokkos::Experimental::partition_space(Device(), 1); }},
        FailingCall{"cuStreamCreateWithPriority", [] { Kokkos::Experimental::partition_space(Device(), 1); }},
        FailingCall{"cuStreamSynchronize", [] { Device().fence(); }},
        FailingCall{"cuStreamGetCtx", [] { Device{static_cast<CUstream_st*>(nullptr)}; }},
        FailingCall{"cuCtxSynchronize", [] { Kokkos::fence(); }}, FailingCall{"cuLaunchKernel", fill_with_kernel}),
    [](const auto& failing) { return std::string(failing.param.call); });

class EngineEndings : public EngineTest {};

// Destructors do not throw: what fails in them is logged.
TEST_F(EngineEndings, DISABLED_AreLoggedWhenTheyFail) {
  const auto logged_at = [&](const char* call, const std::function<void()>& end) {
    const Logged logged;
    stand_in.fail(call, 1);
    end();
    EXPECT_TRUE(contains(logged.text(), {call, "CUDA_ERROR_INVALID_VALUE"}));
  };
  auto view = std::make_unique<OnDevice<int*>>("view", 3);
  logged_at("cuCtxPopCurrent_v2", [] { mylos::memory_info(); });
  logged_at("cuMemFree_v2", [&] { view.reset(); });
  logged_at("cuStreamDestroy_v2", [] { Kokkos::Experimental::partition_space(Device(), 1); });
  end_alone();  // what was not given back is missed at a regular end
}

TEST_F(EngineEndings, AreLoggedWhenTheyFail) {
  EXPECT_EQ(run_alone("EngineEndings.DISABLED_AreLoggedWhenTheyFail", "MYLOS_LOG", "error"), passed_alone);
}

class EngineFaults : public EngineTest {
 protected:
  /// A kernel of ours writes where it must not.
  void make_kernel_fault() const {
    stand_in.set_body("mylos_fill_8", [](void*, const stand_in::Launched&) { return 700; });
  }
};

// What a process does not recover from is told at the next wait, names the kernel, and stays known.
TEST_F(EngineFaults, DISABLED_StayKnown) {
  const OnDevice<double*> view("view", 9);
  const Device other = Kokkos::Experimental::partition_space(Device(), 1)[0];
  make_kernel_fault();
  Kokkos::deep_copy(Device(), view, 1.5);
  EXPECT_TRUE(mylos::cuda_available()) << "nobody has waited yet";
  const std::string message = thrown<mylos::CudaError>([] { Device().fence(); });
  EXPECT_TRUE(contains(message, {"cuStreamSynchronize", "CUDA_ERROR_ILLEGAL_ADDRESS", "700",
                                 "launched last on this stream is 'mylos_fill_8'", "grid 1 x 1 x 1",
                                 "block 256 x 1 x 1", "MYLOS_BACKEND=emulated"}));
  EXPECT_TRUE(contains(thrown<mylos::CudaError>([&] { other.fence(); }), {"on another stream, is 'mylos_fill_8'"}));
  EXPECT_FALSE(mylos::cuda_available());
  const auto info = nlohmann::json::parse(mylos::backend_info());
  EXPECT_FALSE(info["backends"]["cuda"]["usable"]);
  EXPECT_TRUE(contains(info["backends"]["cuda"]["reason"].get<std::string>(),
                       {"the device was lost", "CUDA_ERROR_ILLEGAL_ADDRESS", "mylos_fill_8"}));
  EXPECT_TRUE(contains(thrown<mylos::BackendError>([] { mylos::set_backend(mylos::Backend::cuda); }), {"was lost"}));
  EXPECT_THROW(static_cast<void>(mylos::memory_info()), mylos::CudaError);
  const Logged logged;
  {
    const OnDevice<double*> ends = view;
  }
  EXPECT_EQ(logged.text(), "") << "the end of a View says nothing new";
  end_alone();
}

// A wait for all streams is on none that another could be compared with.
TEST_F(EngineFaults, DISABLED_SurfaceAtAWaitForAll) {
  const OnDevice<double*> view("view", 9);
  make_kernel_fault();
  Kokkos::deep_copy(Device(), view, 1.5);
  EXPECT_TRUE(contains(thrown<mylos::CudaError>([] { Kokkos::fence(); }),
                       {"cuCtxSynchronize", "the kernel launched last is 'mylos_fill_8'"}));
  end_alone();
}

// The program ends as usual, having told what is lost once.
TEST_F(EngineFaults, DISABLED_SurfaceAtTheEnd) {
  make_kernel_fault();
  auto view = std::make_unique<OnDevice<double*>>("view", 9);
  Kokkos::deep_copy(Device(), *view, 1.5);
  const Logged logged;
  view.reset();
  EXPECT_TRUE(contains(logged.text(), {"CUDA_ERROR_ILLEGAL_ADDRESS", "mylos_fill_8"}));
  end_alone();
}

TEST_F(EngineFaults, OfKernelsNameThem) {
  EXPECT_EQ(run_alone("EngineFaults.DISABLED_StayKnown", "MYLOS_LOG", "error"), passed_alone);
  EXPECT_EQ(run_alone("EngineFaults.DISABLED_SurfaceAtAWaitForAll", "MYLOS_LOG", "error"), passed_alone);
  EXPECT_EQ(run_alone("EngineFaults.DISABLED_SurfaceAtTheEnd", "MYLOS_LOG", "error"), passed_alone);
}

// Errors of calls that a process makes once, each in a process that makes them for the first time.
TEST(EngineStart, DISABLED_Fails) {
  const std::string call = std::getenv("STAND_IN_FAIL");
  EXPECT_TRUE(contains(thrown<mylos::CudaError>(fill_with_kernel), {call.substr(0, call.find(':')), "CUDA_ERROR"}));
  fill_with_kernel();
  Kokkos::fence();
  end_alone();
}

class EngineStartFailures : public NvrtcTest<::testing::TestWithParam<const char*>> {};

TEST_P(EngineStartFailures, AreErrorsThatNameTheCall) {
  EXPECT_EQ(run_alone("EngineStart.DISABLED_Fails", "STAND_IN_FAIL", GetParam()), passed_alone);
}

INSTANTIATE_TEST_SUITE_P(Calls, EngineStartFailures,
                         ::testing::Values("cuDevicePrimaryCtxRetain:1:2", "cuModuleLoadDataEx:1:218",
                                           "cuModuleGetFunction:1:500", "cuFuncGetAttribute:1:1",
                                           "cuStreamCreateWithPriority:1:2"),
                         [](const auto& failing) {
                           const std::string text = failing.param;
                           return text.substr(0, text.find(':'));
                         });

}  // namespace
}  // namespace mylos_test
