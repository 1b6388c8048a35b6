// SPDX-License-Identifier: MIT
#include <mylos/kernel/launch.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/kernel/cuda_graph.hpp>
#include <mylos/kernel/cuda_kernel.hpp>
#include <mylos/kernel/kernel.hpp>

#include "support/contains.hpp"
#include "support/log_lines.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::CudaKernel;
using mylos::CudaOptions;
using mylos::Extents3;
using mylos::Launch;
using mylos::LaunchShape;

LaunchShape shape(const Launch& launch, const CudaOptions& options = {}) {
  const CudaKernel kernel("extern \"C\" __global__ void nothing() {}", "nothing", options);
  return kernel.launch_shape(launch, mylos::ArgumentPack<>());
}

template <class E>
std::string refusal(const Launch& launch) {
  const std::string text = thrown<E>([&] { static_cast<void>(shape(launch)); });
  EXPECT_TRUE(contains(text, {"kernel 'nothing'"}));
  return text;
}

static_assert(mylos::detail::no_launch_first_v<> && mylos::detail::no_launch_first_v<int, Launch>);
static_assert(!mylos::detail::no_launch_first_v<const Launch&> && !mylos::detail::no_launch_first_v<Launch, int>);

TEST(Launch, TheGridCoversTheThreads) {
  EXPECT_EQ(shape({.threads = 1}), (LaunchShape{{1, 1, 1}, {128, 1, 1}, 0}));
  EXPECT_EQ(shape({.threads = 129}, {.block = 64}), (LaunchShape{{3, 1, 1}, {64, 1, 1}, 0}));
  EXPECT_EQ(shape({.threads = {17, 9}}, {.block3 = {8, 8}}), (LaunchShape{{3, 2, 1}, {8, 8, 1}, 0}));
  EXPECT_EQ(shape({.threads = {5, 5, 5}, .block = {4, 4, 4}, .shared_bytes = 16}),
            (LaunchShape{{2, 2, 2}, {4, 4, 4}, 16}));
  EXPECT_EQ(shape({.threads = {3, 4}}), (LaunchShape{{1, 4, 1}, {128, 1, 1}, 0})) << "a row of blocks for each y";
}

TEST(Launch, TheBlockHasTheAxesOfTheText) {
  const auto shape_of = [](const char* body, const Launch& launch, const CudaOptions& options = {}) {
    const CudaKernel kernel("extern \"C\" __global__ void k(double* a) { " + std::string(body) + " }", "k", options);
    const Kokkos::View<double***, mylos::DeviceSpace> a("a", 100, 20, 6);
    return kernel.launch_shape(launch, mylos::ArgumentPack<Kokkos::View<double***, mylos::DeviceSpace>>(a));
  };
  constexpr const char* in_two = "MYLOS_THREAD_2D(i, j, 100, 20);";
  constexpr const char* in_three = "MYLOS_THREAD_3D(i, j, k, 100, 20, 6);";
  EXPECT_EQ(shape_of(in_two, {}), (LaunchShape{{4, 5, 1}, {32, 4, 1}, 0}));
  EXPECT_EQ(shape_of(in_three, {}), (LaunchShape{{7, 5, 3}, {16, 4, 2}, 0}));
  EXPECT_EQ(shape_of("MYLOS_THREAD_1D(i, 100);", {}), (LaunchShape{{1, 1, 1}, {128, 1, 1}, 0}));
  EXPECT_EQ(shape_of(in_two, {}, {.block = 64}).block, Extents3(16, 4, 1));
  EXPECT_EQ(shape_of(in_three, {}, {.block = 1023}).block, Extents3(1023, 1, 1));
  EXPECT_EQ(shape_of(in_two, {}, {.block3 = {8, 8}}), (LaunchShape{{13, 3, 1}, {8, 8, 1}, 0}));
  EXPECT_EQ(shape_of(in_two, {.threads = {100, 20}, .block = 50}), (LaunchShape{{2, 20, 1}, {50, 1, 1}, 0}));
  EXPECT_EQ(shape_of(in_two, {.grid = 3, .block = 50}).grid, Extents3(3, 1, 1)) << "a grid is taken as it is";
  for (const Launch& too_few : {Launch{.block = 50}, Launch{.threads = 100}}) {
    EXPECT_TRUE(contains(thrown<mylos::LaunchError>([&] { (void)shape_of(in_two, too_few); }),
                         {"kernel 'k'", "(100)", "1 of the 2 axes", "its text", "'a'", "{.threads = {nx, ny}}"}));
  }
}

TEST(Launch, AGivenGridNeedsNoThreads) {
  EXPECT_EQ(shape({.grid = {2, 3}, .block = 32}), (LaunchShape{{2, 3, 1}, {32, 1, 1}, 0}));
}

TEST(Launch, NoThreadsAreAnEmptyGrid) {
  EXPECT_EQ(shape({.threads = 0}).grid, Extents3(0, 1, 1));
  EXPECT_EQ(shape({.threads = {5, 0}}).grid.y, 0);
  EXPECT_EQ(shape({.threads = 0, .grid = 7}).grid.x, 0);
}

TEST(Launch, AnEmptyGridIsNothingToDo) {
  const CudaKernel kernel("extern \"C\" __global__ void set(double* x) { x[0] = 1; }", "set");
  const Kokkos::View<double*, mylos::DeviceSpace> x("x", 1);
  const Kokkos::View<float*, mylos::DeviceSpace> narrow("narrow", 1);
  for (const Extents3& grid : {Extents3(0), Extents3(0, 1, 1), Extents3(1, 0, 1), Extents3(1, 1, 0)}) {
    EXPECT_NO_THROW(kernel({.grid = grid, .block = 1}, x)) << to_string(grid);
    EXPECT_THROW(kernel({.grid = grid, .block = 1}, narrow), mylos::SignatureError) << "arguments are checked";
  }
  EXPECT_EQ(mylos::to_host(x)(0), 0);
  EXPECT_FALSE(kernel.is_compiled());
}

TEST(Launch, AnEmptyBlockIsRefused) {
  const auto refused = [](const Extents3& grid, const Extents3& block, const char* what) {
    EXPECT_TRUE(contains(refusal<mylos::LaunchError>({.grid = grid, .block = block}), {what}));
  };
  for (const Extents3& grid : {Extents3(1), Extents3(0, 1, 1)}) {
    refused(grid, 0, "block (0) has 0 threads along x: CUDA allows 1 to 1024");
    refused(grid, {0, 1, 1}, "block (0, 1, 1) has 0 threads along x: CUDA allows 1 to 1024");
    refused(grid, {8, 4, 0}, "block (8, 4, 0) has 0 threads along z: CUDA allows 1 to 64");
  }
}

TEST(Launch, SixtyFourBitsOfThreads) {
  const std::int64_t threads = std::int64_t(2147483647) * 1024;
  EXPECT_EQ(shape({.threads = threads, .block = 1024}).grid.x, 2147483647);
  EXPECT_TRUE(contains(refusal<mylos::LaunchError>({.threads = threads + 1, .block = 1024}),
                       {"2147483648 blocks along x", "2147483647", "(1024)"}));
}

TEST(Launch, LimitsAreCheckedWithTheirNumbers) {
  EXPECT_TRUE(contains(refusal<mylos::LaunchError>({.threads = 1, .block = 2048}), {"(2048)", "1 to 1024"}));
  EXPECT_TRUE(contains(refusal<mylos::LaunchError>({.threads = 1, .block = {1024, 2, 1}}), {"2048 threads", "1024"}));
  EXPECT_TRUE(contains(refusal<mylos::LaunchError>({.threads = 1, .block = {1, 1, 65}}), {"along z", "1 to 64"}));
  EXPECT_TRUE(contains(refusal<mylos::LaunchError>({.threads = 1, .block = 0}), {"0 threads", "1 to 1024"}));
  EXPECT_TRUE(contains(refusal<mylos::LaunchError>({.grid = {1, 65536, 1}}), {"65536 blocks along y", "65535"}));
  EXPECT_TRUE(contains(refusal<mylos::LaunchError>({.threads = 1, .shared_bytes = 49153}), {"49153 bytes", "49152"}));
  EXPECT_TRUE(contains(refusal<mylos::ValueError>({.grid = -1}), {"(-1)", "negative"}));
  EXPECT_TRUE(contains(refusal<mylos::ValueError>({.threads = {4, -2}}), {"(4, -2)", "negative"}));
  EXPECT_TRUE(contains(refusal<mylos::ValueError>({.threads = -1, .block = 2048}), {"(-1)", "negative"}))
      << "before limits";
  EXPECT_TRUE(contains(refusal<mylos::ValueError>({.grid = {1, -3}, .block = 2048}), {"(1, -3)", "negative"}));
}

TEST(Launch, IsLogged) {
  struct Set {
    void operator()(std::int64_t i, const Kokkos::View<double*, mylos::HostSpace>& x) const { x(i) = 1; }
  };
  const mylos::Kernel kernel("set", Set{},
                             CudaKernel("extern \"C\" __global__ void set(double* x) { x[threadIdx.x] = 1; }", "set"));
  const Kokkos::View<double*, mylos::DeviceSpace> x("x", 6);
  const Kokkos::View<double*, mylos::HostSpace> on_host("on_host", 6);
  kernel({.threads = 6, .block = 3}, x);  // compiled
  LogLines log(mylos::log::Level::debug);
  kernel({.threads = 6, .block = 3, .shared_bytes = 8}, x);
  EXPECT_EQ(log.take(), (std::vector<std::string>{"kernel 'set': launched (emulated), (2, 1, 1) blocks of (3, 1, 1) "
                                                  "threads, 8 bytes of dynamic shared memory"}));
  kernel({.threads = 5}, on_host);
  EXPECT_EQ(log.take(), (std::vector<std::string>{"kernel 'set': its functor runs, (5) threads"}));
}

TEST(Launch, AnIndexOf32BitsIsWarnedOfOnce) {
  const Kokkos::View<double*, mylos::DeviceSpace> x("x", 1);
  // What two launches log that are recorded and not run: there are too many threads.
  const auto logged = [&x](const std::string& block, std::int64_t blocks) {
    const std::string index = block + " * blockDim.x + threadIdx.x";
    const CudaKernel kernel("\n__global__ void k(double* x) { const long long i = " + index + "; x[i] = 1; }", "k");
    LogLines log;
    const auto launches = mylos::CudaGraph::capture(mylos::Device(), [&] {
      for (int launch = 0; launch < 2; ++launch) kernel({.grid = blocks, .block = 512}, x);
    });
    EXPECT_EQ(launches.size(), 2U);
    return log.take();
  };
  constexpr std::int64_t too_many = std::int64_t{1} << 22;
  const auto warnings = logged("blockIdx.x", too_many);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(contains(warnings[0], {"kernel 'k'", "2147483648 threads along x", "4194304 blocks of 512", "line 2 ",
                                     "std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x", "MYLOS_THREAD_1D"}));
  EXPECT_EQ(logged("blockIdx.x", too_many - 1), std::vector<std::string>{});
  EXPECT_EQ(logged("(long long)blockIdx.x", too_many), std::vector<std::string>{});
}

}  // namespace
}  // namespace mylos_test
