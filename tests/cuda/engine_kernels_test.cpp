// SPDX-License-Identifier: MIT
// Kernels launched by the driver: the stand-in takes their parameters as the compiled image lays them out, and runs
// their texts on the emulator.
#include <cmath>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/cuda/nvrtc.hpp>
#include <mylos/kernel.hpp>

#include "cuda/engine.hpp"
#include "kernel/own_process.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::CudaKernel;

const std::string axpy_text = R"(
extern "C" __global__ void axpy(double* y, const double* x, double a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
})";

class EngineKernels : public EngineTest {
 protected:
  /// A kernel whose launches run its text.
  CudaKernel running(const std::string& text, const std::string& name, mylos::CudaOptions options = {},
                     const std::string& symbol = {}) const {
    run_on_emulator(stand_in, symbol.empty() ? name : symbol, text, name, options.instantiate);
    return {text, name, std::move(options)};
  }

  const OnDevice<double*> x{"x", 300};
  const OnDevice<double*> y{"y", 300};
};

TEST_F(EngineKernels, RunOnViews) {
  const CudaKernel axpy = running(axpy_text, "axpy");
  Kokkos::deep_copy(x, 2.0);
  Kokkos::deep_copy(y, 1.0);
  axpy(y, x, 10, 300);
  axpy({.threads = 100}, y, x, 100.0, 100);
  const auto result = on_host(y);
  EXPECT_EQ(result(99), 221.0);
  EXPECT_EQ(result(100), 21.0);
  EXPECT_EQ(stand_in.count("cuLaunchKernel axpy"), 2);
  EXPECT_EQ(stand_in.count("cuModuleGetFunction axpy"), 1);
  const auto compiled = axpy.compile();
  EXPECT_EQ(compiled.architecture, "sm_90");
  EXPECT_EQ(compiled.image.substr(1, 3), "ELF");
}

struct Settings {
  double width = 0;
  std::int16_t level = 0;
  bool is_open = false;
};

// Each parameter where the compiler has put it, and the block as long as it says: the stand-in compares.
TEST_F(EngineKernels, TakeParametersOfAllSizes) {
  const CudaKernel pack = running(R"(
#include <mylos/device.hpp>
struct Settings { double width; short level; bool is_open; };
extern "C" __global__ void pack(char c, double* out, bool b, float f, Settings s, short h, double2 z,
                                mylos::Array<const double, 2> a, float2 w, float3 v, signed char last) {
  if (blockIdx.x * blockDim.x + threadIdx.x > 0) return;
  const double values[] = {double(c), double(b), f, s.width, double(s.level), double(s.is_open), double(h), z.x,
                           z.y, a(1, 2), w.y, v.z, double(last)};
  for (int i = 0; i < 13; ++i) out[i] = values[i];
})",
                                  "pack");
  const Kokkos::View<double**, Kokkos::LayoutRight, DeviceSpace> matrix("matrix", 3, 4);
  const auto host = Kokkos::create_mirror_view(matrix);
  host(1, 2) = 42.5;
  Kokkos::deep_copy(matrix, host);
  struct { float x, y, z; } const three{1, 2, 3.5F};
  struct alignas(8) { float x, y; } const two{0, 8};
  struct alignas(16) { double x, y; } const wide{3, -4};
  const Kokkos::View<const double**, Kokkos::LayoutRight, DeviceSpace> read = matrix;
  pack({.threads = 1}, 'A', y, true, 1.5, Settings{2.25, 300, true}, -7, wide, read, two, three, -128);
  const auto out = on_host(y);
  const std::vector<double> expected = {65, 1, 1.5, 2.25, 300, 1, -7, 3, -4, 42.5, 8, 3.5, -128};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(out(i), expected[i]) << i;
}

// Sizes that only the kernel's compiler knows, by value and as elements: told by the image, before anything runs.
TEST_F(EngineKernels, StructsOfAnotherSizeAreRefused) {
  const std::string text = R"(
struct Particle { double x[3]; float weight; };
extern "C" __global__ void by_value(double* out, Particle p) { out[0] = p.weight; }
extern "C" __global__ void by_pointer(const Particle* p, double* out) { out[0] = p[1].weight; })";
  struct Short {
    double x[2];
    float weight;
  };
  const CudaKernel by_value = running(text, "by_value"), by_pointer = running(text, "by_pointer");
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { by_value({.threads = 1}, y, Short{}); }),
                       {"kernel 'by_value'", "argument 2", "it has 24 bytes", "has 32 and 8 in the kernel"}));
  const OnDevice<Short*> particles("particles", 2);
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { by_pointer({.threads = 1}, particles, y); }),
                       {"kernel 'by_pointer'", "argument 1", "'particles'", "its elements have 24 bytes", "32"}));
  EXPECT_EQ(stand_in.count("cuLaunchKernel"), 0);
  struct Particle {
    double x[3];
    float weight;
  };
  by_value({.threads = 1}, y, Particle{{}, 2.5F});
  EXPECT_EQ(on_host(y)(0), 2.5);
}

TEST_F(EngineKernels, ParametersThatTheCompilerFindsOtherwiseAreRefused) {
  const TemporaryFolder folder;
  mylos::write_file_atomically(folder / "types.hpp", "typedef int index_type;\n");
  const std::string text =
      "#include \"types.hpp\"\nextern \"C\" __global__ void k(double* x, index_type n) { x[n] = 1; }";
  const CudaKernel kernel(text, "k", {.include_dirs = {folder.path()}});
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { kernel(y, 1); }),
                       {"kernel 'k'", "parameter 2", "'index_type n'", "a signed integer of 4 bytes"}));
  EXPECT_THROW(static_cast<void>(kernel.compile("sm_80")), mylos::SignatureError);
  EXPECT_EQ(stand_in.count("cuLaunchKernel"), 0);
}

TEST_F(EngineKernels, OfTemplatesHaveMangledSymbols) {
  const CudaKernel scale = running(R"(
template <class T, int N> __global__ void scale(T* x) { x[threadIdx.x] *= N; })",
                                   "scale", {.instantiate = "scale<double, 3>"}, "_Z5scaleIdLi3EEvPT_");
  Kokkos::deep_copy(x, 2.0);
  scale({.threads = 10, .block = 10}, x);
  EXPECT_EQ(on_host(x)(9), 6.0);
  EXPECT_EQ(stand_in.count("cuLaunchKernel _Z5scaleIdLi3EEvPT_"), 1);
}

TEST_F(EngineKernels, KeepTheirVariablesFromLaunchToLaunch) {
  const CudaKernel count = running(R"(
__device__ int launches;
extern "C" __global__ void count(double* x) { *x = ++launches; })",
                                   "count");
  for (int launch = 0; launch < 3; ++launch) count({.threads = 1, .block = 1}, x);
  EXPECT_EQ(on_host(x)(0), 3.0);
}

TEST_F(EngineKernels, GoToTheStreamOfTheLaunch) {
  const CudaKernel axpy = running(axpy_text, "axpy");
  const Device stream = Kokkos::Experimental::partition_space(Device(), 1)[0];
  Kokkos::deep_copy(x, 1.0);
  Kokkos::deep_copy(y, 1.0);
  Kokkos::fence();
  const OnHost<double*> host("host", 300);
  axpy({.stream = stream}, y, x, 4.0, 300);
  Kokkos::deep_copy(stream, host, y);
  stream.fence();
  expect_all(host, 5.0);
  axpy({.stream = stream}, y, x, 4.0, 300);
  Kokkos::deep_copy(Device(), host, y);
  Device().fence();
  expect_all(host, 5.0);  // before the launch, which nobody has waited for
}

TEST_F(EngineKernels, AreLaunchedFromManyThreads) {
  const CudaKernel axpy = running(axpy_text, "axpy");
  Kokkos::deep_copy(x, 1.0);
  std::vector<OnDevice<double*>> sums;
  for (int n = 0; n < 4; ++n) sums.emplace_back("sum", 300);
  std::vector<std::thread> threads;
  for (const auto& sum : sums) {
    threads.emplace_back([&axpy, &sum, this] {
      for (int repeat = 0; repeat < 25; ++repeat) axpy(sum, x, 1.0, 300);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& sum : sums) expect_all(on_host(sum), 25.0);
  EXPECT_EQ(stand_in.count("cuModuleGetFunction axpy"), 1) << "compiled once";
}

TEST_F(EngineKernels, EmptyWorkIsNotLaunched) {
  const CudaKernel axpy = running(axpy_text, "axpy");
  axpy({.threads = 0}, y, x, 1.0, 0);
  for (const mylos::Extents3& grid : {mylos::Extents3(0, 1, 1), mylos::Extents3(1, 0, 1), mylos::Extents3(1, 1, 0)}) {
    EXPECT_NO_THROW(axpy({.grid = grid, .block = 32}, y, x, 1.0, 300)) << to_string(grid);
  }
  EXPECT_EQ(stand_in.count("cuLaunchKernel axpy"), 0);
  EXPECT_FALSE(axpy.is_compiled());
  EXPECT_THROW(axpy({.threads = 0}, y, x, 1.0), mylos::SignatureError) << "its arguments are checked all the same";
}

TEST_F(EngineKernels, EndWithTheirModule) {
  {
    const CudaKernel axpy = running(axpy_text, "axpy");
    const CudaKernel copy = axpy;  // NOLINT(performance-unnecessary-copy-initialization): shares what is compiled
    axpy(y, x, 1.0, 300);
    copy(y, x, 1.0, 300);
  }
  EXPECT_EQ(stand_in.count("cuModuleLoadDataEx"), 1);
  EXPECT_EQ(stand_in.count("cuModuleUnload"), 1);
}

TEST_F(EngineKernels, AreForgottenByRecompile) {
  CudaKernel axpy = running(axpy_text, "axpy");
  EXPECT_FALSE(axpy.is_compiled());
  axpy(y, x, 1.0, 300);
  EXPECT_TRUE(axpy.is_compiled());
  axpy.recompile();
  EXPECT_FALSE(axpy.is_compiled());
  axpy(y, x, 1.0, 300);
  EXPECT_EQ(stand_in.count("cuModuleLoadDataEx"), 2);
}

TEST_F(EngineKernels, ArePortsOfKernels) {
  struct Axpy {
    void operator()(std::int64_t i, const OnHost<double*>& to, const OnHost<const double*>& from, double a,
                    int /*n*/) const {
      to(i) += a * from(i);
    }
  };
  const mylos::Kernel<Axpy> kernel("axpy", Axpy{}, running(axpy_text, "axpy"));
  EXPECT_EQ(kernel.selected(mylos::Backend::cuda), "cuda");
  Kokkos::deep_copy(x, 1.0);
  kernel(y, x, 3.0, 300);
  expect_all(on_host(y), 3.0);
}

TEST_F(EngineKernels, PortsRunOnHostViewsToo) {
  const mylos::ScopedHostImplementation port("port_on_host");
  struct Nothing {
    void operator()(std::int64_t, const OnHost<double*>&, const OnHost<const double*>&, double, int) const {}
  };
  const mylos::Kernel<Nothing> kernel("axpy", Nothing{}, CudaKernel(axpy_text, "axpy"));
  const OnHost<double*> from("from", 30), to("to", 30);
  Kokkos::deep_copy(from, 1.5);
  kernel(to, from, 2.0, 30);
  expect_all(to, 3.0);
  EXPECT_EQ(stand_in.count("cuLaunchKernel"), 0);
}

TEST_F(EngineKernels, FiniteResultsAreAskedForOnTheDevice) {
  const CudaKernel axpy = running(axpy_text, "axpy", {.check_finite = true});
  Kokkos::deep_copy(x, 1.0);
  axpy(y, x, 1.0, 300);
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { axpy(y, x, std::nan(""), 5); }), {"'axpy'", "'y'", "(0)"}));
}

// ---- limits

TEST_F(EngineKernels, AskForTheSharedMemoryThatTheyNeed) {
  const CudaKernel shared = running(R"(
extern "C" __global__ void shared(double* x) {
  extern __shared__ double many[];
  __shared__ double few[512];
  few[threadIdx.x] = 1;
  many[threadIdx.x + 7000] = few[threadIdx.x];
  x[threadIdx.x] = many[threadIdx.x + 7000];
})",
                                    "shared");
  // More than the emulator has: what it runs is not this text.
  stand_in.set_body("shared", [](void*, const stand_in::Launched& launch) {
    return launch.shared_bytes == 60000 || launch.shared_bytes == 50000 || launch.shared_bytes == 100 ? 0 : 719;
  });
  shared({.threads = 32, .shared_bytes = 100}, x);
  EXPECT_EQ(stand_in.count("cuFuncSetAttribute"), 0) << "every block has that";
  shared({.threads = 32, .shared_bytes = 60000}, x);
  shared({.threads = 32, .shared_bytes = 50000}, x);
  EXPECT_EQ(stand_in.count("cuFuncSetAttribute 60000"), 1);
  EXPECT_EQ(stand_in.count("cuFuncSetAttribute"), 1);
  Kokkos::fence();
  // 227 KiB are allowed, 4 KiB of them are taken.
  EXPECT_TRUE(contains(thrown<mylos::LaunchError>([&] { shared({.threads = 32, .shared_bytes = 226 * 1024}, x); }),
                       {"'shared'", "235520 bytes", "4096 static and 231424 dynamic", "the device has 232448"}));
  EXPECT_TRUE(contains(thrown<mylos::LaunchError>([&] { shared({.threads = 32, .shared_bytes = 228 * 1024}, x); }),
                       {"'shared'", "233472 bytes", "232448"}));
}

TEST_F(EngineKernels, HaveBlocksThatTheirRegistersAllow) {
  const ScopedVariable few("STAND_IN_MAX_THREADS", "256");
  const CudaKernel axpy = running(axpy_text, "axpy");
  EXPECT_TRUE(contains(thrown<mylos::LaunchError>([&] { axpy({.threads = 300, .block = 512}, y, x, 1.0, 300); }),
                       {"'axpy'", "a block of 512 threads", "at most 256", "__launch_bounds__(512)"}));
  axpy({.threads = 300, .block = 256}, y, x, 1.0, 300);
  Kokkos::fence();
}

TEST_F(EngineKernels, LimitsOfCudaAreThoseOfTheEmulator) {
  const CudaKernel axpy = running(axpy_text, "axpy");
  const auto refused = [&](const mylos::Launch& launch, const char* number) {
    const std::string message = thrown<mylos::LaunchError>([&] { axpy(launch, y, x, 1.0, 300); });
    EXPECT_TRUE(contains(message, {"'axpy'", number}));
  };
  refused({.grid = {1, 65536, 1}}, "65535");
  refused({.grid = {std::int64_t{1} << 31, 1, 1}}, "2147483647");
  refused({.threads = 5, .block = 2048}, "1024");
  refused({.threads = 5, .block = {1024, 2, 1}}, "2048");
  refused({.threads = 5, .block = {8, 8, 128}}, "64");
  refused({.threads = 5, .block = 0}, "block (0) has 0 threads along x: CUDA allows 1 to 1024");
  refused({.grid = {0, 1, 1}, .block = {8, 4, 0}}, "block (8, 4, 0) has 0 threads along z: CUDA allows 1 to 64");
  EXPECT_EQ(stand_in.count("cuLaunchKernel axpy"), 0);
}

// ---- errors

TEST_F(EngineKernels, ALaunchThatTheDriverRefusesNamesTheKernel) {
  const CudaKernel axpy = running(axpy_text, "axpy");
  axpy(y, x, 1.0, 300);
  stand_in.fail("cuLaunchKernel", 701);
  EXPECT_TRUE(contains(thrown<mylos::CudaError>([&] { axpy(y, x, 1.0, 300); }),
                       {"cuLaunchKernel failed", "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "kernel 'axpy'", "registers"}));
  axpy(y, x, 1.0, 300);
  Kokkos::fence();
  EXPECT_TRUE(mylos::cuda_available());
}

TEST_F(EngineKernels, AnImageThatTheDriverRefusesNamesTheKernel) {
  stand_in.fail("cuModuleLoadDataEx", 218);
  const CudaKernel axpy = running(axpy_text, "axpy");
  EXPECT_TRUE(contains(thrown<mylos::CudaError>([&] { axpy(y, x, 1.0, 300); }),
                       {"cuModuleLoadDataEx failed", "CUDA_ERROR_INVALID_PTX", "kernel 'axpy'", "MYLOS_NVRTC"}));
  axpy(y, x, 1.0, 300);
  Kokkos::fence();
}

TEST_F(EngineKernels, ViewsElsewhereAreNamed) {
  const CudaKernel axpy = running(axpy_text, "axpy");
  OtherLibrary other(stand_in, 1);
  const Foreign<double*> elsewhere(other.allocate<double>(300), 300);
  EXPECT_TRUE(contains(thrown<mylos::SpaceError>([&] { axpy(y, elsewhere, 1.0, 300); }),
                       {"'axpy'", "argument 2", "device 1", "set_device"}));
  OtherLibrary same(stand_in);
  const Foreign<double*> here(same.allocate<double>(300), 300);
  Kokkos::deep_copy(here, 1.0);
  axpy(y, here, 1.0, 300);
  expect_all(on_host(y), 1.0);
  EXPECT_EQ(same.current(), same.context()) << "what was current is so again";
}

TEST_F(EngineKernels, DISABLED_OfAFaultAreNamed) {
  const CudaKernel axpy = running(axpy_text, "axpy");
  axpy(y, x, 1.0, 300);
  Kokkos::fence();
  stand_in.set_body("axpy", [](void*, const stand_in::Launched&) { return 719; });
  const mylos::ScopedDebug debug(true);
  const CudaKernel other(axpy_text, "axpy");
  EXPECT_TRUE(contains(thrown<mylos::CudaError>([&] { other({.block = 64}, y, x, 1.0, 300); }),
                       {"CUDA_ERROR_LAUNCH_FAILED", "'axpy' (grid 5 x 1 x 1, block 64 x 1 x 1)"}));
  EXPECT_THROW(other(y, x, 1.0, 300), mylos::CudaError) << "it stays";
  end_alone();
}

TEST_F(EngineKernels, OfAFaultAreNamedAtOnceWhenDebugging) {
  EXPECT_EQ(run_alone("EngineKernels.DISABLED_OfAFaultAreNamed", "MYLOS_LOG", "error"), passed_alone);
}

TEST_F(EngineKernels, DebuggingWaitsAfterEachLaunch) {
  const CudaKernel axpy = running(axpy_text, "axpy", {.debug = true});
  const mylos::CopyCounter counter;
  stand_in.forget();
  axpy(y, x, 1.0, 300);
  axpy(y, x, 1.0, 300);
  EXPECT_EQ(stand_in.count("cuStreamSynchronize"), 2);
  EXPECT_EQ(counter.counts().sync, 2) << "waits are counted";
}

// ---- other devices

TEST_F(EngineKernels, DISABLED_OnACardNewerThanNvrtc) {
  const CudaKernel axpy = running(axpy_text, "axpy");
  Kokkos::deep_copy(x, 1.0);
  axpy(y, x, 3.0, 300);
  expect_all(on_host(y), 3.0);
  const int newest = mylos::cuda::Nvrtc::require().supported_architectures().back();
  EXPECT_EQ(axpy.compile().architecture, "compute_" + std::to_string(newest));
  EXPECT_TRUE(contains(axpy.compile().image, {".entry axpy("}));
  end_alone();
}

TEST_F(EngineKernels, AreGivenAsPtxToACardNewerThanNvrtc) {
  EXPECT_EQ(run_alone("EngineKernels.DISABLED_OnACardNewerThanNvrtc", "STAND_IN_CAPABILITY", "345"), passed_alone);
}

TEST_F(EngineKernels, DISABLED_OnTheSecondDevice) {
  const CudaKernel axpy = running(axpy_text, "axpy");
  OtherLibrary first(stand_in, 0);
  OtherLibrary second(stand_in, 1);
  const Foreign<double*> here(second.allocate<double>(300), 300);
  Kokkos::deep_copy(here, 2.0);
  axpy(y, here, 3.0, 300);
  expect_all(on_host(y), 6.0);
  EXPECT_EQ(axpy.compile().architecture, "sm_121");
  EXPECT_EQ(mylos::memory_info().total, std::size_t{32} << 30);
  end_alone();
}

TEST_F(EngineKernels, RunOnTheDeviceThatIsChosen) {
  EXPECT_EQ(run_alone("EngineKernels.DISABLED_OnTheSecondDevice", "MYLOS_DEVICE", "1"), passed_alone);
}

}  // namespace
}  // namespace mylos_test
