// SPDX-License-Identifier: MIT
// Scans: on the emulated device, and as a card runs them in a model of its blocks.
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

template <class T>
using Sum = std::conditional_t<std::is_same_v<T, Affine>, Compose, device::Plus>;
/// What changes nothing.
template <class T>
T identity() {
  if constexpr (std::is_same_v<T, Affine>) {
    return {1, 0};
  } else {
    return T();
  }
}

template <class T>
std::string kernel_text() {
  const bool affine = std::is_same_v<T, Affine>;
  return "#include <mylos/device/scan.hpp>\n#include <mylos/device/complex.hpp>\n" + affine_text +
         "\nusing namespace mylos::device;\nusing T = " + std::string(type_name<T>) + ";\n" +
         "using Sum = " + (affine ? "Compose" : "Plus") + ";\n" +
         "extern \"C\" __global__ void k(const T* in, T* inclusive, T* exclusive, T* total) {\n"
         "  const int i = blockIdx.x * block_threads() + block_thread();\n"
         "  T all;\n"
         "  inclusive[i] = block_inclusive_scan(in[i], Sum{});\n"
         "  exclusive[i] = block_exclusive_scan(in[i], Sum{}, " +
         (affine ? "Affine{1, 0}" : "T()") +
         ", &all);\n"
         "  total[i] = all;\n}\n";
}

template <class T>
std::string warp_text(const std::string& expression) {
  return kernel_text<T>() +
         "extern \"C\" __global__ void w(const T* in, T* out, unsigned mask) {\n"
         "  if ((mask >> threadIdx.x & 1) != 0) out[threadIdx.x] = " +
         expression + ";\n}\n";
}

template <class T>
struct Results {
  std::vector<T> inclusive, exclusive, total;
};

template <class T>
Results<T> emulated(const std::vector<T>& values, Shape block) {
  const auto [inclusive, exclusive, total] = emulated_collective(kernel_text<T>(), values, block);
  return {inclusive, exclusive, total};
}

template <class T>
Results<T> modelled(const std::vector<T>& values, Shape block) {
  Results<T> results{values, values, values};
  run_in_model({block.x, block.y, block.z}, [&](unsigned thread) {
    results.inclusive[thread] = device::block_inclusive_scan(values[thread], Sum<T>{});
    results.exclusive[thread] =
        device::block_exclusive_scan(values[thread], Sum<T>{}, identity<T>(), &results.total[thread]);
  });
  return results;
}

/// `first` and what follows it, without the last one: an exclusive scan from an inclusive one.
template <class T>
std::vector<T> moved_by_one(std::vector<T> values, T first) {
  values.insert(values.begin(), first);
  values.pop_back();
  return values;
}

template <class T>
class Scan : public ::testing::Test {
 protected:
  std::mt19937_64 random_{random_seed()};
};

TYPED_TEST_SUITE(Scan, CollectiveTypes);

TYPED_TEST(Scan, ThreadsOfABlockHaveWhatComesBeforeThem) {
  using T = TypeParam;
  for (const Shape& shape : block_shapes(1024, 20, this->random_)) {
    std::vector<T> values, inclusive, exclusive, total;
    for (int block = 0; block < 3; ++block) {
      const std::vector<T> mine = whole_values<T>(shape.size(), this->random_);
      const std::vector<T> scan = inclusive_scan_of(mine, Sum<T>{});
      const std::vector<T> before = moved_by_one(scan, identity<T>());
      values.insert(values.end(), mine.begin(), mine.end());
      inclusive.insert(inclusive.end(), scan.begin(), scan.end());
      exclusive.insert(exclusive.end(), before.begin(), before.end());
      total.insert(total.end(), scan.size(), scan.back());
    }
    const Results<T> results = emulated(values, shape);
    ASSERT_EQ(results.inclusive, inclusive) << shape.size();
    ASSERT_EQ(results.exclusive, exclusive) << shape.size();
    ASSERT_EQ(results.total, total) << shape.size();
  }
}

TYPED_TEST(Scan, ACardsBlocksHaveItAsWell) {
  using T = TypeParam;
  for (const Shape& shape : block_shapes(80, 13, this->random_)) {
    const std::vector<T> values = whole_values<T>(shape.size(), this->random_);
    const std::vector<T> scan = inclusive_scan_of(values, Sum<T>{});
    const Results<T> results = modelled(values, shape);
    EXPECT_EQ(results.inclusive, scan) << shape.size();
    EXPECT_EQ(results.exclusive, moved_by_one(scan, identity<T>())) << shape.size();
    EXPECT_EQ(results.total, std::vector<T>(shape.size(), scan.back())) << shape.size();
  }
}

TYPED_TEST(Scan, LanesOfAnyMaskFollowEachOther) {
  using T = TypeParam;
  const std::vector<T> values = whole_values<T>(32, this->random_);
  std::vector<unsigned> masks{1U << 31U, 0x80000001U, 0x55555555U, 0xfffffff0U, device::full_warp};
  for (int i = 0; i < 3; ++i) masks.push_back(static_cast<unsigned>(this->random_()) | 1U);
  for (const unsigned mask : masks) {
    std::vector<T> inclusive(values), exclusive(values), expected_inclusive(values), expected_exclusive(values);
    T before = identity<T>();
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if ((mask >> lane & 1U) == 0) continue;
      expected_exclusive[lane] = before;
      before = expected_inclusive[lane] = Sum<T>{}(before, values[lane]);
    }
    run_in_model({32}, [&](unsigned lane) {
      if ((mask >> lane & 1U) == 0) return;
      inclusive[lane] = device::warp_inclusive_scan(values[lane], Sum<T>{}, mask);
      exclusive[lane] = device::warp_exclusive_scan(values[lane], Sum<T>{}, identity<T>(), mask);
    });
    EXPECT_EQ(emulated_in_warp(warp_text<T>("warp_inclusive_scan(in[threadIdx.x], Sum{}, mask)"), values, mask),
              of_lanes(expected_inclusive, mask));
    EXPECT_EQ(
        emulated_in_warp(warp_text<T>("warp_exclusive_scan(in[threadIdx.x], Sum{}, " +
                                      std::string(std::is_same_v<T, Affine> ? "Affine{1, 0}" : "T()") + ", mask)"),
                         values, mask),
        of_lanes(expected_exclusive, mask));
    EXPECT_EQ(inclusive, expected_inclusive) << mask;
    EXPECT_EQ(exclusive, expected_exclusive) << mask;
  }
}

TYPED_TEST(Scan, CompilesForEveryArchitecture) {
  compiles_for_every_architecture(kernel_text<TypeParam>() +
                                  "extern \"C\" __global__ void w(T* x, unsigned mask) {\n"
                                  "  const T value = warp_inclusive_scan(x[threadIdx.x], Sum{}, mask);\n"
                                  "  x[threadIdx.x] = warp_exclusive_scan(value, Sum{}, value, mask);\n}");
}

// Sums of numbers of very different size: the same bits on the emulated device and on a card, and exclusive ones are
// the inclusive ones of the thread before, to the bit.
TEST(ScanOrder, IsTheSameEverywhere) {
  for (const std::size_t count : {3U, 32U, 50U, 100U}) {
    const std::vector<double> values = rough_values(count);
    const Shape shape{static_cast<std::uint32_t>(count)};
    const Results<double> here = emulated(values, shape), card = modelled(values, shape);
    EXPECT_EQ(here.inclusive, card.inclusive);
    EXPECT_EQ(here.exclusive, card.exclusive);
    EXPECT_EQ(here.exclusive, moved_by_one(here.inclusive, 0.0));
    EXPECT_EQ(here.total, std::vector<double>(count, here.inclusive.back()));
  }
}

TEST(ExclusiveSum, LosesNothingNextToALargeNumber) {
  for (const std::size_t count : {32U, 64U, 100U}) {
    std::vector<double> values(count, 0.0);
    values.front() = 1.0;
    values.back() = 1e20;
    std::vector<double> expected(count, 1.0);
    expected.front() = 0.0;
    EXPECT_EQ(emulated(values, {static_cast<std::uint32_t>(count)}).exclusive, expected);
    EXPECT_EQ(modelled(values, {static_cast<std::uint32_t>(count)}).exclusive, expected);
  }
}

TEST(ExclusiveSum, IsWhereKeptElementsGo) {
  const DeviceVector<int> in({5, -1, 7, -2, -3, 8, 9, -4});
  const DeviceVector<int> out(std::vector<int>(9, 0));
  run_emulated(R"(#include <mylos/device/scan.hpp>
extern "C" __global__ void k(const int* in, int* out) {
  const int value = in[threadIdx.x];
  int kept;
  const int place = mylos::device::block_exclusive_sum(value > 0 ? 1 : 0, &kept);
  if (value > 0) out[place] = value;
  if (threadIdx.x == 0) out[8] = kept;
})",
               "k", {.grid = {1, 1, 1}, .block = {8, 1, 1}}, static_cast<const int*>(in.data()), out.data());
  EXPECT_EQ(out.values(), (std::vector<int>{5, 7, 8, 9, 0, 0, 0, 0, 4}));
}

}  // namespace
}  // namespace mylos_test
