// SPDX-License-Identifier: MIT
// A block of a card, modelled on the host: an OS thread for each CUDA thread, shuffles by rendezvous of the lanes in
// their mask. Header texts that use warp operations run in it as on a card, with real concurrency.
//
// Includes the headers under test, which are not to be included before: a host compiler would see nothing of them.
#pragma once

#include <array>
#include <barrier>
#include <bit>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/device/atomic.hpp>
#include <mylos/device/complex.hpp>
#include <mylos/device/math.hpp>

// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's names
namespace mylos_test {

struct Index3 {
  unsigned x = 1, y = 1, z = 1;
  [[nodiscard]] unsigned size() const { return x * y * z; }
};

/// The lanes that call shuffles with one mask.
struct Rendezvous {
  explicit Rendezvous(unsigned mask) : everybody(std::popcount(mask)) {}
  std::barrier<> everybody;
  std::array<unsigned long long, 32> words{};
};

class BlockModel {
 public:
  explicit BlockModel(Index3 shape) : everybody_(static_cast<std::ptrdiff_t>(shape.size())) {}

  void wait() { everybody_.arrive_and_wait(); }

  Rendezvous& lanes(int warp, unsigned mask) {
    const std::lock_guard lock(mutex_);
    auto& entry = lanes_[{warp, mask}];
    if (entry == nullptr) entry = std::make_unique<Rendezvous>(mask);
    return *entry;
  }

 private:
  std::barrier<> everybody_;
  std::mutex mutex_;
  std::map<std::pair<int, unsigned>, std::unique_ptr<Rendezvous>> lanes_;
};

inline BlockModel* block_model = nullptr;

}  // namespace mylos_test

inline thread_local mylos_test::Index3 threadIdx;
inline mylos_test::Index3 blockDim;

inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __popc(unsigned x) { return std::popcount(x); }
inline unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (unsigned bit = 0; bit < 32; ++bit) reversed |= (x >> bit & 1U) << (31U - bit);
  return reversed;
}
inline void __syncthreads() { mylos_test::block_model->wait(); }
template <class Word>
Word __shfl_sync(unsigned mask, Word word, int from) {
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  EXPECT_TRUE((mask >> thread % 32 & 1U) != 0 && (mask >> static_cast<unsigned>(from) & 1U) != 0)
      << "lane " << thread % 32 << " shuffles from lane " << from << " with a mask without one of them: " << mask;
  mylos_test::Rendezvous& lanes = mylos_test::block_model->lanes(static_cast<int>(thread / 32), mask);
  lanes.words[thread % 32] = word;
  lanes.everybody.arrive_and_wait();
  const auto result = static_cast<Word>(lanes.words[static_cast<unsigned>(from)]);
  lanes.everybody.arrive_and_wait();
  return result;
}

namespace mylos_test {

/// Runs `thread(number)` in every thread of a block.
template <class F>
void run_in_model(Index3 shape, F thread) {
  BlockModel model(shape);
  block_model = &model;
  blockDim = shape;
  std::vector<std::jthread> threads;
  for (unsigned number = 0; number < shape.size(); ++number) {
    threads.emplace_back([=] {
      threadIdx = {number % shape.x, number / shape.x % shape.y, number / shape.x / shape.y};
      thread(number);
    });
  }
}

}  // namespace mylos_test
// NOLINTEND(bugprone-reserved-identifier)

#define __CUDACC__
#define __device__
#define __shared__ static
#include <mylos/device/reduce.hpp>
#include <mylos/device/scan.hpp>
#include <mylos/device/warp.hpp>
#undef __shared__
#undef __device__
#undef __CUDACC__
