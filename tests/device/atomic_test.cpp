// SPDX-License-Identifier: MIT
// The atomic operations of a file that does not include Kokkos, and those of kernels.
#include <mylos/device/atomic.hpp>

#include <random>
#include <string>

#include "device/atomic_cases.hpp"
#include "device/emulated.hpp"
#include "device/type_name.hpp"
#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

// Each number once among the values before, whoever came when: nothing was lost, nothing seen twice.
TYPED_TEST(Atomic, LosesNothingBetweenThreads) {
  constexpr int per_thread = 20000;
  TypeParam sum = 0;
  TypeParam largest = 0;
  std::vector<std::vector<TypeParam>> before(4);
  std::vector<std::thread> threads;
  for (auto& mine : before) {
    threads.emplace_back([&] {
      for (int i = 0; i < per_thread; ++i) {
        mine.push_back(device::atomic_add(&sum, 1));
        device::atomic_max(&largest, mine.back());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<TypeParam> all;
  for (const auto& mine : before) all.insert(all.end(), mine.begin(), mine.end());
  std::ranges::sort(all);
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], TypeParam(i));
  EXPECT_EQ(sum, TypeParam(4 * per_thread));
  EXPECT_EQ(largest, TypeParam(4 * per_thread - 1));
}

TYPED_TEST(Atomic, LosesNothingInAKernel) {
  using T = TypeParam;
  std::mt19937_64 random(random_seed());
  std::vector<T> values(1000);
  // Whole numbers below 2^24 in sum, so that floating sums are exact in any order.
  for (T& value : values) value = static_cast<T>(std::uniform_int_distribution<int>(0, 16000)(random));
  const DeviceVector<T> in(values);
  const DeviceVector<T> result({T(0), T(20000), T(0)});
  const DeviceVector<T> order(std::vector<T>(values.size(), T(0)));
  const DeviceVector<T> counter({T(0)});
  const std::string text = "using T = " + std::string(type_name<T>) + ";\n" + R"(#include <mylos/device/atomic.hpp>
extern "C" __global__ void k(const T* in, T* result, T* order, T* counter, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  mylos::device::atomic_add(&result[0], in[i]);
  mylos::device::atomic_min(&result[1], in[i]);
  mylos::device::atomic_max(&result[2], in[i]);
  order[static_cast<int>(mylos::device::atomic_add(counter, 1))] = in[i];
})";
  run_emulated(text, "k", {.grid = {16, 1, 1}, .block = {64, 1, 1}}, in.data(), result.data(), order.data(),
               counter.data(), static_cast<int>(values.size()));
  T sum = 0;
  for (const T value : values) sum += value;
  EXPECT_EQ(result.values(),
            (std::vector<T>{sum, *std::ranges::min_element(values), *std::ranges::max_element(values)}));
  auto visited = order.values();
  std::ranges::sort(visited);
  std::ranges::sort(values);
  EXPECT_EQ(visited, values);
}

}  // namespace
}  // namespace mylos_test
