// SPDX-License-Identifier: MIT
// Warp operations: what they give, against plain references.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mylos/emulator/options.hpp>

#include "device/every_architecture.hpp"
#include "emulator/both_compilers.hpp"
#include "emulator/support.hpp"
#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

using emulator::LaunchShape;

class Warps : public WithSwitch {
 protected:
  std::mt19937_64 random_{random_seed()};
};

INSTANTIATE_TEST_SUITE_P(Switch, Warps, switch_kinds());

constexpr const char* sums_text = R"(extern "C" __global__ void sums(const double* x, double* out, int n) {
  __shared__ double of_warp[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  double value = i < n ? x[i] : 0.0;
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < blockDim.x / warpSize ? of_warp[lane] : 0.0;
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffff, value, offset);
    if (lane == 0) out[blockIdx.x] = value;
  }
})";

TEST_P(Warps, AddUpABlock) {
  const auto program = compiled("sums", sums_text);
  EXPECT_EQ(program->execution(), emulator::Execution::fibers);
  const int n = 1024 * 5 - 77;
  const auto x = random_values<double>(static_cast<std::size_t>(n), -1, 1, 3);
  const DeviceArray<double> dx(x);
  for (const unsigned block : {32U, 256U, 1024U}) {
    const unsigned blocks = (static_cast<unsigned>(n) + block - 1) / block;
    for (const unsigned threads : {1U, 3U}) {
      const auto scope = emulator::with({.threads = threads});
      const DeviceArray<double> out(blocks);
      run(*program, {.grid = {blocks, 1, 1}, .block = {block, 1, 1}}, static_cast<const double*>(dx.data()), out.data(),
          n);
      const auto sums = out.read();
      EXPECT_NEAR(std::accumulate(sums.begin(), sums.end(), 0.0), std::accumulate(x.begin(), x.end(), 0.0), 1e-10);
    }
  }
}

// All shuffles x widths x operands, in one kernel of loops: out[((operation * 6 + width) * operands + operand) * 32 +
// lane].
constexpr int first_operand = -3;
constexpr int operands = 40;
constexpr int widths = 6;  // 1 to 32
constexpr const char* shuffles_text = R"(template <class T> __global__ void shuffles(const T* x, T* out) {
  int lane = threadIdx.x, at = lane;
  T value = x[lane];
  for (int width = 1; width <= 32; width *= 2)
    for (int k = -3; k < 37; ++k, at += 32) out[at] = __shfl_sync(0xffffffffu, value, k, width);
  for (int width = 1; width <= 32; width *= 2)
    for (int k = -3; k < 37; ++k, at += 32) out[at] = __shfl_up_sync(0xffffffffu, value, k, width);
  for (int width = 1; width <= 32; width *= 2)
    for (int k = -3; k < 37; ++k, at += 32) out[at] = __shfl_down_sync(0xffffffffu, value, k, width);
  for (int width = 1; width <= 32; width *= 2)
    for (int k = -3; k < 37; ++k, at += 32) out[at] = __shfl_xor_sync(0xffffffffu, value, k, width);
})";

// From the words of CUDA's guide: segments of `width` lanes, each with lanes numbered from 0; a lane whose source is
// not in its segment keeps its value, but xor reaches segments before its own. Of operands the lowest five bits count.
int shuffle_source(int operation, int lane, int operand, int width) {
  const int distance = ((operand % 32) + 32) % 32;
  const int segment = lane / width;
  const auto inside = [&](int source) { return source >= 0 && source < 32 && source / width == segment; };
  if (operation == 0) return segment * width + distance % width;
  if (operation == 1) return inside(lane - distance) ? lane - distance : lane;
  if (operation == 2) return inside(lane + distance) ? lane + distance : lane;
  return (lane ^ distance) / width <= segment ? lane ^ distance : lane;
}

// Of a type of the language, or of a header of the toolkit's, which NVRTC has to take as well.
template <class T>
void expect_shuffles(const std::string& type, std::mt19937_64& random, const std::string& header = "") {
  const emulator::Source text{
      .text = header + shuffles_text, .name = "shuffles", .instantiate = "shuffles<" + type + ">"};
  const auto program = header.empty() ? emulator::compile(text) : compile_by_both(text);
  std::vector<T> x(32);
  for (T& value : x) {
    const std::uint64_t bits = random();
    if constexpr (std::is_floating_point_v<T>) {
      value = static_cast<T>(bits) / 3;
    } else {
      std::memcpy(&value, &bits, sizeof(T));
    }
  }
  const DeviceArray<T> in(x);
  const DeviceArray<T> out(std::size_t{4} * widths * operands * 32);
  run(*program, {.block = {32, 1, 1}}, static_cast<const T*>(in.data()), out.data());
  const std::vector<T> values = out.read();
  std::size_t at = 0;
  for (int operation = 0; operation < 4; ++operation) {
    for (int width = 1; width <= 32; width *= 2) {
      for (int k = 0; k < operands; ++k) {
        for (int lane = 0; lane < 32; ++lane, ++at) {
          const int source = shuffle_source(operation, lane, first_operand + k, width);
          ASSERT_EQ(values[at], x[static_cast<std::size_t>(source)])
              << type << ", operation " << operation << ", lane " << lane << ", operand " << first_operand + k
              << ", width " << width;
        }
      }
    }
  }
}

TEST_P(Warps, ShuffleAllTypesWidthsAndDistances) {
  expect_shuffles<int>("int", random_);
  expect_shuffles<unsigned>("unsigned", random_);
  expect_shuffles<long>("long", random_);
  expect_shuffles<unsigned long>("unsigned long", random_);
  expect_shuffles<long long>("long long", random_);
  expect_shuffles<unsigned long long>("unsigned long long", random_);
  expect_shuffles<float>("float", random_);
  expect_shuffles<double>("double", random_);
}

// As bits, whatever number they are.
TEST_P(Warps, ShuffleNumbersOfTwoBytes) {
  expect_shuffles<std::uint16_t>("__half", random_, "#include <cuda_fp16.h>\n");
  expect_shuffles<std::uint32_t>("__half2", random_, "#include <cuda_fp16.h>\n");
  expect_shuffles<std::uint16_t>("__nv_bfloat16", random_, "#include <cuda_bf16.h>\n");
  expect_shuffles<std::uint32_t>("__nv_bfloat162", random_, "#include <cuda_bf16.h>\n");
}

TEST(WarpTypes, AreThoseOfCuda) {
  constexpr const char* text = R"(template <class A, class B> struct same { static constexpr bool value = false; };
template <class A> struct same<A, A> { static constexpr bool value = true; };
extern "C" __global__ void types(int* out) {
  static_assert(same<decltype(__shfl_sync(~0u, short(3), 0)), int>::value, "");
  static_assert(same<decltype(__shfl_up_sync(~0u, true, 1)), int>::value, "");
  static_assert(same<decltype(__shfl_xor_sync(~0u, 1.0f, 1)), float>::value, "");
  static_assert(same<decltype(__match_any_sync(~0u, 1.0)), unsigned>::value, "");
  auto index = __shfl_sync(~0u, threadIdx.x, 3);
  auto place = __shfl_down_sync(~0u, blockIdx.x * blockDim.x + threadIdx.x, 1, 8);
  static_assert(same<decltype(index), unsigned>::value && same<decltype(place), unsigned>::value, "");
  out[threadIdx.x] = index + place + __reduce_add_sync(~0u, threadIdx.x) + __reduce_max_sync(~0u, -int(threadIdx.x));
})";
  const auto program = compiled("types", text);
  const DeviceArray<int> out(32);
  run(*program, {.block = {32, 1, 1}}, out.data());
  const auto values = out.read();
  for (int t = 0; t < 32; ++t) EXPECT_EQ(values[t], 3 + (t % 8 == 7 ? t : t + 1) + 496) << t;
  compiles_for_every_architecture(text);
}

// Block of 40: the second warp has 8 lanes. Broadcasts, votes and __syncwarp name more, and touch none of them.
TEST_P(Warps, ThatAreShortMayBeNamedWhole) {
  const auto program = compiled("short_warp", R"(__global__ void short_warp(int* out) {
  int t = threadIdx.x, lane = t % 32;
  __syncwarp();
  int first = __shfl_sync(0xffffffff, 100 + t, 0);
  unsigned even = __ballot_sync(0xffffffff, lane % 2 == 0);
  int all = __all_sync(0xffffffff, t < 40), any = __any_sync(0xffffffff, t == 39);
  unsigned active = __activemask(), equal = __match_any_sync(0xffffffff, lane / 4);
  int xored = __shfl_xor_sync(0xffffffff, t, 5);
  int* row = out + 8 * t;
  row[0] = first; row[1] = even; row[2] = all; row[3] = any; row[4] = active; row[5] = equal; row[6] = xored;
  row[7] = __reduce_add_sync(0xffffffff, t);
})");
  const DeviceArray<int> out(320);
  run(*program, {.block = {40, 1, 1}}, out.data());
  const auto values = out.read();
  for (int t = 0; t < 40; ++t) {
    const bool second = t >= 32;
    const auto group = static_cast<int>(0xfU << static_cast<unsigned>(t % 32 / 4 * 4));
    const std::vector<int> expected{
        second ? 132 : 100,        second ? 0x55 : 0x55555555, 1, second ? 1 : 0, second ? 0xff : -1, group, t ^ 5,
        second ? 8 * 32 + 28 : 496};
    EXPECT_EQ(std::vector<int>(values.begin() + 8 * t, values.begin() + 8 * t + 8), expected) << t;
  }
}

// A thread that begins where the one before it has left, or waits, has not been switched to before it waits itself.
TEST_P(Warps, MeetWithoutABarrierBefore) {
  const auto program = compiled("pairs", R"(__global__ void pairs(int first, int* out) {
    const int t = threadIdx.x;
    if (t < first) return;
    const unsigned pair = 3u << (t % 32 / 2 * 2);
    __syncwarp(pair);
    out[t] = __shfl_xor_sync(pair, t, 1);
    __syncwarp(pair);
  })");
  for (const unsigned block : {4U, 66U, 98U, 128U}) {
    for (const int first : {0, 2, 34}) {
      const DeviceArray<int> out(std::vector<int>(block, -1));
      run(*program, {.block = {block, 1, 1}}, first, out.data());
      for (int t = 0; t < static_cast<int>(block); ++t) {
        EXPECT_EQ(out.read()[static_cast<std::size_t>(t)], t < first ? -1 : t ^ 1) << block << " threads, " << first;
      }
    }
  }
}

// Offset 16 over a whole warp: the first half gets the second one's values, the second half keeps its own.
TEST_P(Warps, KeepTheirValueBeyondTheEnd) {
  const auto program = compiled("halves", R"(__global__ void halves(int* out) {
  out[threadIdx.x] = __shfl_down_sync(0xffffffff, threadIdx.x % 32, 16);
})");
  const DeviceArray<int> out(64);
  run(*program, {.block = {64, 1, 1}}, out.data());
  const auto values = out.read();
  for (int t = 0; t < 64; ++t) EXPECT_EQ(values[t], t % 32 < 16 ? t % 32 + 16 : t % 32);
}

// Warps by number, x fastest, in blocks of any shape.
TEST_P(Warps, AreThirtyTwoThreadsInTheOrderOfTheirNumbers) {
  const auto program = compiled("numbers", R"(__global__ void numbers(int* first, unsigned* lanes) {
  int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int i = block * blockDim.x * blockDim.y * blockDim.z + t;
  first[i] += __shfl_sync(0xffffffff, t, 0);
  lanes[i] = __ballot_sync(0xffffffff, 1);
})");
  const std::array<std::uint32_t, 3> grid{2, 3, 4};
  for (const auto& block : std::vector<std::array<std::uint32_t, 3>>{
           {1, 1, 1}, {3, 5, 7}, {33, 1, 1}, {1, 1, 33}, {1024, 1, 1}, {4, 4, 64}, {1, 40, 2}}) {
    const std::size_t size = std::size_t{block[0]} * block[1] * block[2];
    const DeviceArray<int> first(24 * size);
    const DeviceArray<unsigned> lanes(24 * size);
    run(*program, {.grid = grid, .block = block}, first.data(), lanes.data());
    const auto firsts = first.read();
    const auto masks = lanes.read();
    for (std::size_t i = 0; i < firsts.size(); ++i) {
      const std::size_t warp = i % size / 32;
      const std::size_t count = std::min<std::size_t>(32, size - 32 * warp);
      ASSERT_EQ(firsts[i], static_cast<int>(32 * warp)) << i << " of " << size;
      ASSERT_EQ(masks[i], static_cast<unsigned>((std::uint64_t{1} << count) - 1)) << i << " of " << size;
    }
  }
}

// Rounds of operations in which every lane has a mask of its own, or none. Each lane writes what it gets.
constexpr int results_per_round = 11;
constexpr const char* groups_text = R"(extern "C" __global__ void groups(const unsigned* masks, const int* values,
                                                                 int* out, int rounds, int ends) {
  int t = threadIdx.x, n = blockDim.x;
  for (int r = 0; r < rounds; ++r) {
    unsigned mask = masks[r * n + t];
    int v = values[r * n + t], same;
    int* o = out + (r * n + t) * 11;
    if (mask != 0) {
      int source = __ffs(mask & (mask - 1)) > 0 ? __ffs(mask & (mask - 1)) - 1 : __ffs(mask) - 1;
      o[0] = __shfl_sync(mask, v, source);
      o[1] = __ballot_sync(mask, v & 1);
      o[2] = __any_sync(mask, v == 7) + 2 * __all_sync(mask, v != 7);
      o[3] = __match_any_sync(mask, v & 3);
      o[4] = __match_all_sync(mask, v >> 4, &same);
      o[5] = same;
      o[6] = __reduce_add_sync(mask, v);
      o[7] = __reduce_min_sync(mask, -v) + __reduce_max_sync(mask, unsigned(v));
      __syncwarp(mask);
      o[8] = __reduce_and_sync(mask, v) ^ __reduce_or_sync(mask, v + 1);
      o[9] = __reduce_xor_sync(mask, v);
      o[10] = __shfl_xor_sync(mask, (long long)v << 32, 0) >> 32;
    }
    if (r % 3 == 2) __syncwarp();
    if (r == ends && v % 2) return;
    if (r % 5 == 4 && r < ends) __syncthreads();
  }
})";

struct GroupsCase {
  int threads, rounds, ends;
  std::vector<unsigned> masks;
  std::vector<int> values;
};

// Random partitions of each warp into groups; those of one lane in five stay out. Lanes that have left are in no mask.
GroupsCase random_groups(std::mt19937_64& random, int threads, int rounds, int ends) {
  GroupsCase c{threads, rounds, ends, {}, {}};
  std::vector<bool> left(static_cast<std::size_t>(threads));
  for (int r = 0; r < rounds; ++r) {
    const unsigned count = 1 + static_cast<unsigned>(random() % 5);
    std::vector<unsigned> groups(static_cast<std::size_t>(threads));
    for (unsigned& group : groups) group = static_cast<unsigned>(random() % count);
    for (int t = 0; t < threads; ++t) {
      unsigned mask = 0;
      for (int other = t / 32 * 32; other < std::min(threads, t / 32 * 32 + 32); ++other) {
        const bool together = groups[other] == groups[t] && !left[other];
        mask |= together ? 1U << static_cast<unsigned>(other % 32) : 0U;
      }
      c.masks.push_back(groups[t] == 4 || left[t] ? 0 : mask);
      c.values.push_back(static_cast<int>(random() % 40));
    }
    for (int t = 0; r == ends && t < threads; ++t)
      left[t] = left[t] || c.values[c.values.size() - threads + t] % 2 == 1;
  }
  return c;
}

// What a lane of a group gets: from the values of its lanes, in increasing order.
std::vector<int> expected_of_group(unsigned mask, int own, const std::function<int(int)>& value_of_lane) {
  std::vector<int> lanes;
  for (int lane = 0; lane < 32; ++lane) {
    if ((mask >> static_cast<unsigned>(lane) & 1U) != 0) lanes.push_back(lane);
  }
  unsigned odd = 0, equal = 0, sum = 0, both = ~0U, either = 0, exclusive = 0;
  bool any = false, all_alike = true;
  int least = 0, most = 0;
  for (const int lane : lanes) {
    const int v = value_of_lane(lane);
    odd |= static_cast<unsigned>(v & 1) << static_cast<unsigned>(lane);
    equal |= (v & 3) == (own & 3) ? 1U << static_cast<unsigned>(lane) : 0U;
    any = any || v == 7;
    all_alike = all_alike && v >> 4 == value_of_lane(lanes.front()) >> 4;
    sum += static_cast<unsigned>(v);
    least = lane == lanes.front() ? -v : std::min(least, -v);
    most = std::max(most, v);
    both &= static_cast<unsigned>(v);
    either |= static_cast<unsigned>(v + 1);
    exclusive ^= static_cast<unsigned>(v);
  }
  return {value_of_lane(lanes.size() > 1 ? lanes[1] : lanes[0]),
          static_cast<int>(odd),
          any ? 1 : 2,
          static_cast<int>(equal),
          all_alike ? static_cast<int>(mask) : 0,
          all_alike ? 1 : 0,
          static_cast<int>(sum),
          least + most,
          static_cast<int>(both ^ either),
          static_cast<int>(exclusive),
          own};
}

void expect_groups(const emulator::Program& program, const GroupsCase& c) {
  const DeviceArray<unsigned> masks(c.masks);
  const DeviceArray<int> values(c.values);
  const DeviceArray<int> out(c.masks.size() * results_per_round);
  run(program, {.block = {static_cast<unsigned>(c.threads), 1, 1}}, static_cast<const unsigned*>(masks.data()),
      static_cast<const int*>(values.data()), out.data(), c.rounds, c.ends);
  const auto results = out.read();
  for (std::size_t i = 0; i < c.masks.size(); ++i) {
    if (c.masks[i] == 0) continue;
    const std::size_t lane = i % static_cast<std::size_t>(c.threads) % 32;
    const auto value_of_lane = [&](int other) { return c.values[i - lane + static_cast<std::size_t>(other)]; };
    const auto first = results.begin() + static_cast<std::ptrdiff_t>(i * results_per_round);
    ASSERT_EQ(std::vector<int>(first, first + results_per_round),
              expected_of_group(c.masks[i], c.values[i], value_of_lane))
        << "round " << i / c.threads << ", thread " << i % c.threads << " of " << c.threads << ", mask " << c.masks[i];
  }
}

TEST_P(Warps, GiveEachGroupOfLanesItsResult) {
  const auto program = compiled("groups", groups_text);
  for (int repeat = 0; repeat < 30; ++repeat) {
    const int threads = repeat == 0 ? 32 : static_cast<int>(1 + random_() % 200);
    const int rounds = static_cast<int>(1 + random_() % 20);
    const int ends = repeat % 2 == 0 ? rounds : static_cast<int>(random_() % rounds);
    expect_groups(*program, random_groups(random_, threads, rounds, ends));
  }
}

// Many live values of every kind across shuffles and barriers: the switch must keep them all.
TEST_P(Warps, LiveValuesSurviveShuffles) {
  const auto program = compiled("live", R"(__global__ void live(double* out, int rounds) {
  int t = threadIdx.x;
  double a[24]; float f[16]; long q[12];
  for (int k = 0; k < 24; k++) a[k] = t * 100 + k;
  for (int k = 0; k < 16; k++) f[k] = t + k;
  for (int k = 0; k < 12; k++) q[k] = t * 7 + k;
  double received = 0;
  for (int r = 0; r < rounds; r++) {
    for (int k = 0; k < 24; k++) a[k] += k;
    received += __shfl_up_sync(0xffffffff, a[r % 24], r, 16);
    for (int k = 0; k < 16; k++) f[k] += r;
    if (r % 4 == 3) __syncthreads();
    for (int k = 0; k < 12; k++) q[k] += q[(k + 1) % 12] & r;
    received += __shfl_xor_sync(0xffffffff, f[r % 16], 3);
  }
  double s = received;
  for (double v : a) s += v;
  for (float v : f) s += v;
  for (long v : q) s += v;
  out[t] = s;
})");
  constexpr int n = 96;
  constexpr int rounds = 20;
  std::vector<double> expected(n);
  for (int t = 0; t < n; ++t) {
    long q[12];
    for (int k = 0; k < 12; ++k) q[k] = t * 7 + k;
    for (int r = 0; r < rounds; ++r) {
      const int lane = t % 16 >= r ? t - r : t;
      expected[t] += lane * 100 + r % 24 + (r + 1) * (r % 24);
      expected[t] += (t ^ 3) + r % 16 + r * (r + 1) / 2;
      for (int k = 0; k < 12; ++k) q[k] += q[(k + 1) % 12] & r;
    }
    for (int k = 0; k < 24; ++k) expected[t] += t * 100 + k + rounds * k;
    for (int k = 0; k < 16; ++k) expected[t] += t + k + rounds * (rounds - 1) / 2;
    for (const long v : q) expected[t] += static_cast<double>(v);
  }
  const DeviceArray<double> out(n);
  run(*program, {.block = {n, 1, 1}}, out.data(), rounds);
  EXPECT_EQ(out.read(), expected);
}

// The lanes that come to a place together: what shares an atomic among them.
TEST_P(Warps, ActiveLanesAreThoseThatComeToTheSamePlace) {
  const auto program = compiled("shared_atomic", R"(__global__ void shared_atomic(const int* x, int* out, int* kept,
                                                                              int* additions, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (x[i] > 0) {
    unsigned active = __activemask();
    int lane = threadIdx.x % 32, leader = __ffs(active) - 1, first = 0;
    if (lane == leader) { first = atomicAdd(kept, __popc(active)); atomicAdd(additions, 1); }
    first = __shfl_sync(active, first, leader);
    out[first + __popc(active & ((1u << lane) - 1))] = x[i];
  } else {
    unsigned others = __activemask();
    if ((threadIdx.x % 32) == 31 - __clz(others)) atomicAdd(additions + 1, __popc(others));
  }
})");
  const int n = 1000;
  const auto x = random_values<int>(n, -5, 5, 9);
  const DeviceArray<int> dx(x);
  const DeviceArray<int> out(n);
  const DeviceArray<int> kept(1);
  const DeviceArray<int> additions(2);
  run(*program, {.grid = {8, 1, 1}, .block = {128, 1, 1}}, static_cast<const int*>(dx.data()), out.data(), kept.data(),
      additions.data(), n);
  std::vector<int> expected;
  std::copy_if(x.begin(), x.end(), std::back_inserter(expected), [](int v) { return v > 0; });
  ASSERT_EQ(kept.read()[0], static_cast<int>(expected.size()));
  auto values = out.read();
  values.resize(expected.size());
  EXPECT_THAT(values, ::testing::UnorderedElementsAreArray(expected));
  EXPECT_EQ(additions.read(), (std::vector<int>{32, n - static_cast<int>(expected.size())})) << "one for each warp";
}

// Locks and hand-overs beside warp operations: threads that spin do not keep the lanes of others from meeting.
TEST_P(Warps, MeetWhileOthersSpin) {
  const auto program = compiled("spins", R"(__global__ void spins(int* out, int* turn) {
  int t = threadIdx.x, n = blockDim.x;
  int warp = t / 32, warps = n / 32;
  while (atomicAdd(turn, 0) != warps - 1 - warp) {}
  int sum = __reduce_add_sync(0xffffffff, t);
  __syncwarp();
  if (t % 32 == 7) atomicAdd(turn, 1);
  __syncthreads();
  out[t] = sum + __syncthreads_count(t > 5);
})");
  constexpr int n = 96;
  const DeviceArray<int> out(n);
  const DeviceArray<int> turn(1);
  run(*program, {.block = {n, 1, 1}}, out.data(), turn.data());
  const auto values = out.read();
  for (int t = 0; t < n; ++t) ASSERT_EQ(values[t], 1024 * (t / 32) + 496 + n - 6) << t;
}

TEST(WarpTexts, CompileForEveryArchitecture) {
  const std::string text = std::string(sums_text) + groups_text + shuffles_text +
                           "template __global__ void shuffles<double>(const double*, double*);\n" +
                           "template __global__ void shuffles<unsigned long>(const unsigned long*, unsigned long*);\n";
  compiles_for_every_architecture(text);
}

}  // namespace
}  // namespace mylos_test
