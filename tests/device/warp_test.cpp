// SPDX-License-Identifier: MIT
#include <cstdint>
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

TEST(Warp, ThreadsAreNumberedWithXFastest) {
  std::mt19937_64 random(random_seed());
  for (const Shape& shape : block_shapes(1024, 20, random)) {
    std::vector<int> expected;
    for (int i = 0; i < static_cast<int>(shape.size()); ++i) expected.push_back(i);
    const DeviceVector<int> threads(std::vector<int>(shape.size(), -1));
    const DeviceVector<unsigned> lanes(std::vector<unsigned>(shape.size(), 0));
    run_emulated(R"(#include <mylos/device/warp.hpp>
using namespace mylos::device;
extern "C" __global__ void k(int* threads, unsigned* lanes) {
  const int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  threads[i] = lane() == block_thread() % 32 && block_threads() == blockDim.x * blockDim.y * blockDim.z ? block_thread() : -2;
  lanes[i] = warp_lanes();
})",
                 "k", {.grid = {1, 1, 1}, .block = {shape.x, shape.y, shape.z}}, threads.data(), lanes.data());
    EXPECT_EQ(threads.values(), expected);
    const std::vector<unsigned> masks = lanes.values();
    for (std::size_t i = 0; i < masks.size(); ++i) {
      const std::size_t count = std::min<std::size_t>(32, shape.size() - i / 32 * 32);
      EXPECT_EQ(masks[i], static_cast<unsigned>((std::uint64_t{1} << count) - 1)) << i << " of " << shape.size();
    }
  }
}

TEST(Warp, LanesOfAMaskFollowEachOther) {
  std::mt19937_64 random(random_seed());
  std::vector<unsigned> masks{1U, 1U << 31U, 0x80000001U, 0x55555555U, 0xffff0000U, 0xffffffffU};
  for (int i = 0; i < 200; ++i) masks.push_back(static_cast<unsigned>(random() & random()) | 1U << (random() % 32));
  for (const unsigned mask : masks) {
    std::vector<int> set;
    for (int bit = 0; bit < 32; ++bit) {
      if ((mask >> static_cast<unsigned>(bit) & 1U) != 0) set.push_back(bit);
    }
    const int count = static_cast<int>(set.size());
    const auto at = [&](int rank) { return rank < 0 || rank >= count ? -1 : set[static_cast<std::size_t>(rank)]; };
    for (int rank = 0; rank < count; ++rank) {
      const device::detail::Lanes lanes(mask, at(rank));
      EXPECT_EQ(lanes.first(), at(0));
      for (const int distance : {1, 2, 4, 8, 16}) {
        ASSERT_EQ(lanes.behind(distance), at(rank + distance)) << mask << " " << rank;
        ASSERT_EQ(lanes.before(distance), at(rank - distance)) << mask << " " << rank;
      }
    }
  }
}

TEST(Warp, ShufflesMoveValuesOfAnySize) {
  struct Odd { char text[13]; };
  run_in_model({64}, [](unsigned thread) {
    const unsigned from = (thread + 5) % 32;
    const unsigned sender = thread / 32 * 32 + from;
    EXPECT_EQ(device::shuffle(static_cast<short>(thread), static_cast<int>(from)), static_cast<short>(sender));
    EXPECT_EQ(device::shuffle(1.5 * thread, static_cast<int>(from)), 1.5 * sender);
    Odd odd{};
    odd.text[12] = static_cast<char>(thread);
    EXPECT_EQ(device::shuffle(odd, static_cast<int>(from)).text[12], static_cast<char>(sender));
  });
}

TEST(Warp, ShufflesMoveValuesOfAnySizeOnTheEmulatedDevice) {
  const DeviceVector<int> out(std::vector<int>(80, 0));
  run_emulated(R"(#include <mylos/device/warp.hpp>
using namespace mylos::device;
struct Odd { char text[13]; };
struct Wide { double x[3]; };
extern "C" __global__ void k(int* out) {
  const int thread = block_thread(), from = (lane() + 5) % __popc(warp_lanes());
  Odd odd = {};
  odd.text[12] = static_cast<char>(thread);
  const Wide wide{{0.5 * thread, 1, 1.0 * thread}};
  const short small = shuffle(static_cast<short>(thread), from, warp_lanes());
  const Wide moved = shuffle(wide, from, warp_lanes());
  out[thread] = shuffle(odd, from, warp_lanes()).text[12] + 100 * small + (moved.x[2] == 2 * moved.x[0] ? 10000 * int(moved.x[2]) : 0);
})",
               "k", {.grid = {1, 1, 1}, .block = {40, 2, 1}}, out.data());
  const std::vector<int> values = out.values();
  for (int thread = 0; thread < 80; ++thread) {
    const int lanes = thread < 64 ? 32 : 16;
    EXPECT_EQ(values[static_cast<std::size_t>(thread)], 10101 * (thread / 32 * 32 + (thread % 32 + 5) % lanes));
  }
}

TEST(Warp, CompilesForEveryArchitecture) {
  compiles_for_every_architecture(R"(#include <mylos/device/warp.hpp>
struct Odd { char text[13]; };
extern "C" __global__ void k(double* x, Odd* y) {
  x[threadIdx.x] = mylos::device::shuffle(x[threadIdx.x], 3);
  y[threadIdx.x] = mylos::device::shuffle(y[threadIdx.x], 3, mylos::device::warp_lanes());
})");
}

}  // namespace
}  // namespace mylos_test
