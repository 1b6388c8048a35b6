// SPDX-License-Identifier: MIT
// Reductions: on the emulated device, and as a card runs them in a model of its blocks.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "device/block_model.hpp"
#include "device/collective_cases.hpp"
#include "device/emulated.hpp"
#include "device/every_architecture.hpp"
#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

namespace device = mylos::device;

// The operations that a type has, as types and in a kernel's text.
template <class T>
constexpr bool is_ordered = std::is_arithmetic_v<T>;
template <class T>
using Sum = std::conditional_t<std::is_same_v<T, Affine>, Compose, device::Plus>;

template <class T>
std::string kernel_text() {
  const std::string sum = std::is_same_v<T, Affine> ? "Compose" : "Plus";
  return "#include <mylos/device/reduce.hpp>\n#include <mylos/device/complex.hpp>\n" + affine_text +
         "\nusing namespace mylos::device;\nusing T = " + std::string(type_name<T>) + ";\n" +
         "extern \"C\" __global__ void k(const T* in, T* sums, T* least, T* most) {\n"
         "  const int i = blockIdx.x * block_threads() + block_thread();\n"
         "  const T value = in[i];\n"
         "  sums[i] = block_reduce(value, " +
         sum + "{});\n" + (is_ordered<T> ? "  least[i] = block_min(value);\n  most[i] = block_max(value);\n" : "") +
         "}\n";
}

template <class T>
std::string warp_text() {
  return kernel_text<T>() +
         "extern \"C\" __global__ void w(const T* in, T* out, unsigned mask) {\n"
         "  if ((mask >> threadIdx.x & 1) != 0) out[threadIdx.x] = warp_reduce(in[threadIdx.x], " +
         (std::is_same_v<T, Affine> ? "Compose" : "Plus") + "{}, mask);\n}\n";
}

template <class T>
class Reduce : public ::testing::Test {
 protected:
  struct Results { std::vector<T> sums, least, most; };

  static Results emulated(const std::vector<T>& values, Shape block) {
    const auto [sums, least, most] = emulated_collective(kernel_text<T>(), values, block);
    return {sums, least, most};
  }

  std::mt19937_64 random_{random_seed()};
};

TYPED_TEST_SUITE(Reduce, CollectiveTypes);

TYPED_TEST(Reduce, EveryThreadOfABlockHasTheResult) {
  using T = TypeParam;
  for (const Shape& shape : block_shapes(1024, 20, this->random_)) {
    const std::size_t blocks = 3;
    const std::vector<T> values = whole_values<T>(blocks * shape.size(), this->random_);
    const auto results = this->emulated(values, shape);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(i / shape.size() * shape.size());
      const std::vector<T> block(first, first + static_cast<std::ptrdiff_t>(shape.size()));
      ASSERT_EQ(results.sums[i], inclusive_scan_of(block, Sum<T>{}).back()) << i << " of " << shape.size();
      if constexpr (is_ordered<T>) {
        ASSERT_EQ(results.least[i], *std::ranges::min_element(block));
        ASSERT_EQ(results.most[i], *std::ranges::max_element(block));
      }
    }
  }
}

// A card's code, with real concurrency: as often as a block may call it, one call after the other.
TYPED_TEST(Reduce, ACardsBlocksHaveItAsWell) {
  using T = TypeParam;
  for (const Shape& shape : block_shapes(80, 13, this->random_)) {
    const std::vector<T> values = whole_values<T>(shape.size(), this->random_);
    const T expected = inclusive_scan_of(values, Sum<T>{}).back();
    run_in_model({shape.x, shape.y, shape.z}, [&](unsigned thread) {
      for (int repeat = 0; repeat < 2; ++repeat) {
        EXPECT_EQ(device::block_reduce(values[thread], Sum<T>{}), expected) << shape.size();
        if constexpr (is_ordered<T>) {
          EXPECT_EQ(device::block_min(values[thread]), *std::ranges::min_element(values));
          EXPECT_EQ(device::block_max(values[thread]), *std::ranges::max_element(values));
        }
      }
    });
  }
}

TYPED_TEST(Reduce, LanesOfAnyMaskHaveTheirResult) {
  using T = TypeParam;
  const std::vector<T> values = whole_values<T>(32, this->random_);
  std::vector<unsigned> masks{1U << 31U, 0x80000001U, 0x55555555U, 0xfffffff0U, device::full_warp};
  for (int i = 0; i < 3; ++i) masks.push_back(static_cast<unsigned>(this->random_()) | 1U);
  for (const unsigned mask : masks) {
    std::vector<T> named;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if ((mask >> lane & 1U) != 0) named.push_back(values[lane]);
    }
    const T expected = inclusive_scan_of(named, Sum<T>{}).back();
    EXPECT_EQ(emulated_in_warp(warp_text<T>(), values, mask), std::vector<T>(named.size(), expected)) << mask;
    run_in_model({32}, [&](unsigned lane) {
      if ((mask >> lane & 1U) == 0) return;
      EXPECT_EQ(device::warp_reduce(values[lane], Sum<T>{}, mask), expected) << mask;
      if constexpr (is_ordered<T>) {
        EXPECT_EQ(device::warp_min(values[lane], mask), *std::ranges::min_element(named));
        EXPECT_EQ(device::warp_max(values[lane], mask), *std::ranges::max_element(named));
        EXPECT_EQ(device::warp_sum(values[lane], mask), expected);
      }
    });
  }
}

TYPED_TEST(Reduce, CompilesForEveryArchitecture) {
  compiles_for_every_architecture(
      kernel_text<TypeParam>() +
      "extern \"C\" __global__ void w(T* x, unsigned mask) {\n"
      "  const auto first = [](T a, T) { return a; };\n"
      "  x[threadIdx.x] = warp_reduce(warp_reduce(x[threadIdx.x], first), first, mask);\n}");
}

// The same bits on the emulated device, on a card, and in what the header says.
TEST(ReduceOrder, IsThePromisedOne) {
  for (const std::size_t count : {1U, 3U, 31U, 32U, 50U, 100U}) {
    const std::vector<double> values = rough_values(count);
    const double expected = in_promised_order(values.data(), count, device::Plus{});
    const DeviceVector<double> x(values);
    run_emulated(
        R"(#include <mylos/device/reduce.hpp>
extern "C" __global__ void k(double* x) { x[threadIdx.x] = mylos::device::block_sum(x[threadIdx.x]); })",
        "k", {.grid = {1, 1, 1}, .block = {static_cast<std::uint32_t>(count), 1, 1}}, x.data());
    EXPECT_EQ(x.values(), std::vector<double>(count, expected));
    run_in_model({static_cast<unsigned>(count)},
                 [&](unsigned thread) { EXPECT_EQ(device::block_sum(values[thread]), expected) << count; });
    if (count > 32) continue;
    run_in_model({32}, [&](unsigned lane) {
      if (lane >= count) return;
      EXPECT_EQ(device::warp_sum(values[lane], device::full_warp >> (32 - count)), expected) << count;
    });
  }
}

TEST(ReduceExtremes, ShowNaN) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t place : {0U, 1U, 37U, 63U}) {
    std::vector<double> values(64, 1.0);
    values[place] = nan;
    run_in_model({64}, [&](unsigned thread) {
      EXPECT_TRUE(std::isnan(device::block_min(values[thread])) && std::isnan(device::block_max(values[thread])));
    });
  }
}

TEST(BlockSumTo, AddsOncePerBlock) {
  const DeviceVector<double> sum({0.5});
  const DeviceVector<unsigned long long> count({0});
  run_emulated(R"(#include <mylos/device/reduce.hpp>
extern "C" __global__ void k(double* sum, unsigned long long* count) {
  mylos::device::block_sum_to(sum, 0.25 * (threadIdx.x + 1));
  mylos::device::block_sum_to(count, 1);
})",
               "k", {.grid = {7, 1, 1}, .block = {10, 3, 2}}, sum.data(), count.data());
  EXPECT_EQ(sum.values().at(0), 0.5 + 7 * 6 * 0.25 * 55);
  EXPECT_EQ(count.values().at(0), 7 * 60U);
}

// A value that a thread changes after the call, while others still combine: none of them sees it.
TEST(BlockReduce, CallsFollowEachOtherInALoop) {
  const DeviceVector<int> x(std::vector<int>(96, 1));
  run_emulated(R"(#include <mylos/device/reduce.hpp>
extern "C" __global__ void k(int* x) {
  int value = x[threadIdx.x];
  for (int i = 0; i < 5; ++i) value = mylos::device::block_sum(value) % 1009 + static_cast<int>(threadIdx.x);
  x[threadIdx.x] = value;
})",
               "k", {.grid = {1, 1, 1}, .block = {96, 1, 1}}, x.data());
  std::vector<int> expected(96, 1);
  for (int i = 0; i < 5; ++i) {
    int sum = 0;
    for (const int value : expected) sum += value;
    for (std::size_t t = 0; t < 96; ++t) expected[t] = sum % 1009 + static_cast<int>(t);
  }
  EXPECT_EQ(x.values(), expected);
}

}  // namespace
}  // namespace mylos_test
