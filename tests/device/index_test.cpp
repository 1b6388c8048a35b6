// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "device/emulated.hpp"

// The header as kernel text of this file: the built-in indices are ordinary variables here, so that blocks far beyond
// 2^31 threads can be looked at without launching what comes before them.
#define __device__
#define MYLOS_EMULATOR
#define MYLOS_PLAIN_INDICES
namespace {
struct Triple { unsigned x, y, z; };
Triple threadIdx{}, blockIdx{}, blockDim{}, gridDim{};
}  // namespace
#include <mylos/device/index.hpp>

namespace mylos_test {
namespace {

TEST(ThreadIndex, DoesNotWrapIn32Bits) {
  blockDim = {512, 1, 1};
  gridDim = {(1U << 23) + 1, 3, 1};
  blockIdx = {1U << 23, 2, 0};
  threadIdx = {7, 0, 0};
  EXPECT_EQ(mylos::device::thread_x(), (std::int64_t{1} << 32) + 7);
  EXPECT_EQ(mylos::device::threads_x(), (std::int64_t{1} << 32) + 512);
  EXPECT_EQ(mylos::device::thread_y(), 2);
  EXPECT_EQ(mylos::device::threads_y(), 3);
  static_assert(sizeof(mylos::device::thread_x()) == 8);
}

const std::string header = "#include <mylos/device/index.hpp>\n";

std::vector<int> visits(std::size_t count) { return std::vector<int>(count, 0); }

// Every element once, none beyond the end: one element behind it would be counted too.
TEST(Thread1D, VisitsEveryElementOnce) {
  for (const std::int64_t n : {1, 31, 64, 1000}) {
    const DeviceVector<int> count(visits(static_cast<std::size_t>(n) + 70));
    run_emulated(header + "extern \"C\" __global__ void k(int* v, long long n) { MYLOS_THREAD_1D(i, n); v[i] += 1; }",
                 "k", {.grid = {static_cast<std::uint32_t>(n + 63) / 64, 1, 1}, .block = {64, 1, 1}}, count.data(), n);
    std::vector<int> expected(static_cast<std::size_t>(n), 1);
    expected.resize(expected.size() + 70, 0);
    EXPECT_EQ(count.values(), expected) << n;
  }
}

TEST(Thread1D, TakesCountsOfAnyIntegerType) {
  const DeviceVector<int> count(visits(64));
  run_emulated(
      header +
          "extern \"C\" __global__ void k(int* v, size_t n, int m, unsigned char c) { MYLOS_THREAD_1D(i, n - 1);\n"
          "if (true) { MYLOS_THREAD_1D(j, m); MYLOS_THREAD_1D(l, c + 1); v[j] += l == i; } }",
      "k", {.grid = {1, 1, 1}, .block = {64, 1, 1}}, count.data(), std::size_t{61}, 59, static_cast<unsigned char>(55));
  std::vector<int> expected(56, 1);
  expected.resize(64, 0);
  EXPECT_EQ(count.values(), expected);
}

TEST(Thread2D, HasXAsItsFirstIndex) {
  constexpr int nx = 13;
  constexpr int ny = 7;
  const DeviceVector<int> seen(visits(nx * ny));
  run_emulated(header +
                   "extern \"C\" __global__ void k(int* v, int nx, int ny) { MYLOS_THREAD_2D(i, j, nx, ny); v[j * nx + "
                   "i] += 100 * i + j; }",
               "k", {.grid = {2, 2, 1}, .block = {8, 4, 1}}, seen.data(), nx, ny);
  const auto values = seen.values();
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) EXPECT_EQ(values[static_cast<std::size_t>(j * nx + i)], 100 * i + j) << i << ", " << j;
  }
}

TEST(Thread3D, HasXAsItsFirstIndex) {
  constexpr int n[3] = {5, 3, 4};
  const DeviceVector<int> seen(visits(60));
  run_emulated(header +
                   "extern \"C\" __global__ void k(int* v, int nx, int ny, int nz) {\n"
                   "MYLOS_THREAD_3D(i, j, k, nx, ny, nz); v[(k * ny + j) * nx + i] += 100 * i + 10 * j + k + 1; }",
               "k", {.grid = {2, 2, 3}, .block = {4, 2, 2}}, seen.data(), n[0], n[1], n[2]);
  const auto values = seen.values();
  for (int index = 0; index < 60; ++index) {
    const int i = index % n[0];
    const int j = index / n[0] % n[1];
    const int k = index / n[0] / n[1];
    EXPECT_EQ(values[static_cast<std::size_t>(index)], 100 * i + 10 * j + k + 1) << index;
  }
}

TEST(GridStride1D, CoversEverythingWithAnyGrid) {
  for (const std::uint32_t blocks : {1U, 3U, 40U}) {
    const DeviceVector<int> count(visits(1000));
    run_emulated(
        header + "extern \"C\" __global__ void k(int* v, unsigned n) { MYLOS_GRID_STRIDE_1D(i, n) { v[i] += 1; } }",
        "k", {.grid = {blocks, 1, 1}, .block = {32, 1, 1}}, count.data(), 1000U);
    EXPECT_EQ(count.values(), std::vector<int>(1000, 1)) << blocks;
  }
}

}  // namespace
}  // namespace mylos_test
