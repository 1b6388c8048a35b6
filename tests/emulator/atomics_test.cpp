// SPDX-License-Identifier: MIT
// Atomic functions, and atomics as objects: old values, new values, and sums of many threads.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/emulator/options.hpp>

#include "emulator/both_compilers.hpp"
#include "emulator/support.hpp"

namespace mylos_test {
namespace {

template <class T>
struct AtomicRow {
  std::string operation;  // on `p` with `v`
  T start;
  std::function<T(T, T)> update;
};

// Operation by operation, one thread for each operand: the old value and the new one; on several workers and on one.
template <class T>
void expect_atomics(const std::string& type, const std::vector<AtomicRow<T>>& rows, const std::vector<T>& operands,
                    const std::string& before = "") {
  std::string text = before + "__global__ void atomics(" + type + "* cells, const " + type + "* vs, " + type +
                     "* old, int n) {\n  int i = blockIdx.x;\n  " + type + " v = vs[i], *p = cells + i;\n";
  for (const auto& row : rows) text += "  old[i] = " + row.operation + "; p += n; old += n;\n";
  const auto program = compile_by_both({.text = text + "}\n", .name = "atomics"});
  const std::size_t n = operands.size();
  std::vector<T> starts;
  for (const auto& row : rows) starts.insert(starts.end(), n, row.start);
  for (const unsigned threads : {1U, 3U}) {
    const auto scope = emulator::with({.threads = threads});
    const DeviceArray<T> cells(starts);
    const DeviceArray<T> vs(operands);
    const DeviceArray<T> old(starts.size());
    run(*program, {.grid = {static_cast<std::uint32_t>(n), 1, 1}}, cells.data(), static_cast<const T*>(vs.data()),
        old.data(), static_cast<int>(n));
    EXPECT_EQ(old.read(), starts) << type;
    const auto now = cells.read();
    for (std::size_t at = 0; at < now.size(); ++at) {
      const AtomicRow<T>& row = rows[at / n];
      EXPECT_EQ(now[at], row.update(row.start, operands[at % n]))
          << type << ' ' << row.operation << " with " << operands[at % n];
    }
  }
}

template <class T>
std::vector<AtomicRow<T>> bitwise_and_extreme(T start, const std::string& suffix) {
  return {
      {"atomicMin" + suffix + "(p, v)", start, [](T a, T v) { return std::min(a, v); }},
      {"atomicMax" + suffix + "(p, v)", start, [](T a, T v) { return std::max(a, v); }},
      {"atomicAnd" + suffix + "(p, v)", start, [](T a, T v) { return static_cast<T>(a & v); }},
      {"atomicOr" + suffix + "(p, v)", start, [](T a, T v) { return static_cast<T>(a | v); }},
      {"atomicXor" + suffix + "(p, v)", start, [](T a, T v) { return static_cast<T>(a ^ v); }},
  };
}
template <class T>
AtomicRow<T> addition(const std::string& call, T start) {
  using U = std::make_unsigned_t<T>;
  return {call, start, [](T a, T v) { return static_cast<T>(static_cast<U>(a) + static_cast<U>(v)); }};
}
template <class T>
AtomicRow<T> exchange_if_equal(const std::string& suffix, T start) {
  return {"atomicCAS" + suffix + "(p, v, " + (sizeof(T) == 2 ? "(unsigned short)" : "") + "(v + 1))", start,
          [](T a, T v) { return a == v ? static_cast<T>(v + 1) : a; }};
}

template <class T>
std::vector<AtomicRow<T>> of_all_scopes(T start) {
  using U = std::make_unsigned_t<T>;
  std::vector<AtomicRow<T>> rows;
  for (const char* suffix : {"", "_block", "_system"}) {
    rows.push_back(addition<T>(std::string("atomicAdd") + suffix + "(p, v)", start));
    if (sizeof(T) == 4) {
      rows.push_back({std::string("atomicSub") + suffix + "(p, v)", start,
                      [](T a, T v) { return static_cast<T>(static_cast<U>(a) - static_cast<U>(v)); }});
    }
    rows.push_back({std::string("atomicExch") + suffix + "(p, v)", start, [](T, T v) { return v; }});
    rows.push_back(exchange_if_equal<T>(suffix, start));
    for (auto& row : bitwise_and_extreme<T>(start, suffix)) rows.push_back(row);
  }
  return rows;
}

TEST(Atomics, OfIntegers) {
  expect_atomics<int>("int", of_all_scopes<int>(-5), {-5, 0, 7, -1000000000, 2000000000});
  expect_atomics<unsigned>("unsigned", of_all_scopes<unsigned>(12), {12, 0, 7, 4000000000U});
  expect_atomics<unsigned long long>("unsigned long long", of_all_scopes<unsigned long long>(12), {12, 0, 1ULL << 63});
  expect_atomics<long long>("long long", bitwise_and_extreme<long long>(-5, ""), {-5, 0, 7, -(1LL << 60), 1LL << 60});
  expect_atomics<unsigned short>("unsigned short", {exchange_if_equal<unsigned short>("", 7)}, {7, 8, 65535});
}

TEST(Atomics, OfUnsignedIntegersWrapAtTheirLimit) {
  const auto increase = [](unsigned a, unsigned v) { return a >= v ? 0 : a + 1; };
  const auto decrease = [](unsigned a, unsigned v) { return a == 0 || a > v ? v : a - 1; };
  expect_atomics<unsigned>("unsigned",
                           {{"atomicInc(p, v)", 7, increase},
                            {"atomicInc(p, v)", 6, increase},
                            {"atomicInc_block(p, v)", 0, increase},
                            {"atomicDec(p, v)", 7, decrease},
                            {"atomicDec_system(p, v)", 0, decrease}},
                           {0, 6, 7, 8, 4000000000U});
}

TEST(Atomics, OfFloatingNumbers) {
  const auto second = [](auto, auto v) { return v; };
  expect_atomics<float>("float",
                        {{"atomicAdd(p, v)", 1.5F, std::plus<>()},
                         {"atomicAdd_block(p, v)", 1.5F, std::plus<>()},
                         {"atomicExch(p, v)", 1.5F, second}},
                        {0.25F, -3.0F});
  expect_atomics<double>("double",
                         {{"atomicAdd(p, v)", 1.5, std::plus<>()}, {"atomicAdd_system(p, v)", 1.5, std::plus<>()}},
                         {0.25, -3.0});
}

// A loop of CAS on the bits ends although NaN is not equal to itself.
TEST(Atomics, OnNanEnd) {
  const auto program = compile_by_both({.text = R"(__global__ void nans(double* p) {
  unsigned long long* bits = reinterpret_cast<unsigned long long*>(p);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(1.0 + __longlong_as_double(assumed)));
  } while (assumed != old);
  atomicAdd(p, 1.0);
})",
                                        .name = "nans"});
  for (const unsigned threads : {1U, 2U}) {
    const auto scope = emulator::with({.threads = threads});
    const DeviceArray<double> p(1, std::numeric_limits<double>::quiet_NaN());
    run(*program, {.grid = {4, 1, 1}, .block = {32, 1, 1}}, p.data());
    EXPECT_TRUE(std::isnan(p.read()[0]));
  }
}

// Every thread's part arrives, and each old value is seen once.
TEST(Atomics, OfManyWorkersAreExact) {
  const auto program =
      compile_by_both({.text = R"(__global__ void many(unsigned long long* sums, double* total, float2* pair,
                                                  unsigned* seen, unsigned short* small) {
  for (int round = 0; round < 500; ++round) {
    const unsigned long long old = atomicAdd(sums, 1ull);
    atomicAdd(seen + old / 32, 1u << old % 32);
    atomicAdd(total, 0.5);
    atomicAdd(pair, make_float2(1.0f, 2.0f));
    atomicMax(sums + 1, old);
    unsigned short had, wanted;
    do {
      had = *static_cast<volatile unsigned short*>(small);
      wanted = had + 1;
    } while (atomicCAS(small, had, wanted) != had);
  }
})",
                       .name = "many"});
  constexpr unsigned blocks = 100;
  constexpr unsigned threads = 32;
  constexpr unsigned workers = 16;
  constexpr unsigned total = blocks * threads * 500;
  static_assert(total == workers * 100000);
  const auto scope = emulator::with({.threads = workers});
  const DeviceArray<std::uint64_t> sums(2);
  const DeviceArray<double> doubles(1);
  const DeviceArray<float> pair(2);
  const DeviceArray<std::uint32_t> seen(total / 32);
  const DeviceArray<std::uint16_t> small(1);
  run(*program, {.grid = {blocks, 1, 1}, .block = {threads, 1, 1}}, sums.data(), doubles.data(), pair.data(),
      seen.data(), small.data());
  EXPECT_EQ(sums.read(), (std::vector<std::uint64_t>{total, total - 1}));
  EXPECT_EQ(doubles.read()[0], total * 0.5);
  EXPECT_EQ(pair.read(), (std::vector<float>{total, 2.0F * total}));
  EXPECT_EQ(seen.read(), std::vector<std::uint32_t>(total / 32, ~0U));
  EXPECT_EQ(small.read()[0], static_cast<std::uint16_t>(total));
}

// Under NVRTC the same headers are the toolkit's.
const std::string objects = R"(#include <cuda/atomic>
#include <cuda/std/atomic>
template <class T>
using Ref = cuda::atomic_ref<T, cuda::thread_scope_device>;
)";

TEST(Atomics, AsObjectsOfIntegers) {
  expect_atomics<int>(
      "int",
      {addition<int>("Ref<int>(*p).fetch_add(v)", -5),
       {"Ref<int>(*p).fetch_sub(v, cuda::memory_order_relaxed)", -5, std::minus<>()},
       {"Ref<int>(*p).fetch_and(v)", -5, std::bit_and<>()},
       {"Ref<int>(*p).fetch_or(v, cuda::std::memory_order_acq_rel)", -5, std::bit_or<>()},
       {"Ref<int>(*p).fetch_xor(v)", -5, std::bit_xor<>()},
       {"Ref<int>(*p).fetch_min(v)", -5, [](int a, int v) { return std::min(a, v); }},
       {"Ref<int>(*p).fetch_max(v, cuda::memory_order_release)", -5, [](int a, int v) { return std::max(a, v); }},
       {"Ref<int>(*p).exchange(v)", -5, [](int, int v) { return v; }},
       {"Ref<int>(*p)++", -5, [](int a, int) { return a + 1; }},
       {"(Ref<int>(*p) += v) - v", -5, std::plus<>()},
       {"++Ref<int>(*p) - 1", -5, [](int a, int) { return a + 1; }},
       {"[=] { int e = v; Ref<int>(*p).compare_exchange_strong(e, 9); return Ref<int>(*p) == 9 ? -5 : e; }()", -5,
        [](int a, int v) { return a == v ? 9 : a; }}},
      {-5, 0, 7, -1000, 2000}, objects);
}

TEST(Atomics, AsObjectsOfOtherTypes) {
  expect_atomics<double>("double",
                         {{"Ref<double>(*p).fetch_add(v)", 1.5, std::plus<>()},
                          {"Ref<double>(*p).fetch_sub(v)", 1.5, std::minus<>()},
                          {"Ref<double>(*p).exchange(v)", 1.5, [](double, double v) { return v; }}},
                         {0.25, -3.0}, objects);
  const auto program = compile_by_both({.text = objects + R"(
struct alignas(8) Pair { int a, b; };
__global__ void others(Pair* pair, int* values, unsigned char* byte, int** cursor) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> shared;
  if (threadIdx.x == 0) shared.store(0);
  __syncthreads();
  shared.fetch_add(threadIdx.x);
  Ref<unsigned char>(*byte).fetch_add(1);
  cuda::atomic_ref<Pair, cuda::thread_scope_device> ref(*pair);
  Pair seen = ref.load(cuda::memory_order_acquire);
  while (!ref.compare_exchange_weak(seen, Pair{seen.a + 1, seen.b + 2})) {
  }
  cuda::atomic_ref<int*, cuda::thread_scope_device>(*cursor).fetch_add(2);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
  __syncthreads();
  cuda::std::atomic<double> mine(1.5);
  mine.fetch_add(2);
  if (threadIdx.x == 0) values[0] = shared, values[1] = int(2 * mine.load()) + cuda::std::atomic_ref<int>(values[2]).load();
})",
                                        .name = "others"});
  const DeviceArray<int> pair(2), values(std::vector<int>{0, 0, 30});
  const DeviceArray<int*> cursor(1, values.data());
  const DeviceArray<unsigned char> byte(4, 250);
  run(*program, {.block = {8, 1, 1}}, pair.data(), values.data(), byte.data(), cursor.data());
  EXPECT_EQ(cursor.read()[0], values.data() + 16);
  EXPECT_EQ(pair.read(), (std::vector<int>{8, 16}));
  EXPECT_EQ(values.read(), (std::vector<int>{28, 37, 30}));
  EXPECT_EQ(byte.read(), (std::vector<unsigned char>{2, 250, 250, 250}));
}

// Threads of one block and blocks on several workers wait for what another one stores.
TEST(Atomics, LoadsInALoopSeeWhatOthersStore) {
  const auto program = compile_by_both({.text = objects + R"(
__global__ void waits(int* flag, int* data, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Ref<int> ref(*flag);
  if (i + 1 == gridDim.x * blockDim.x) {
    *data = 42;
    ref.store(1, cuda::memory_order_release);
  } else if (i % 2 == 0) {
    while (ref.load(cuda::memory_order_acquire) == 0) {
    }
  } else {
    ref.wait(0);
  }
  out[i] = *data;
})",
                                        .name = "waits"});
  for (const unsigned threads : {1U, 2U}) {
    const auto scope = emulator::with({.threads = threads});
    const DeviceArray<int> flag(1), data(1), out(threads * 64);
    run(*program, {.grid = {threads, 1, 1}, .block = {64, 1, 1}}, flag.data(), data.data(), out.data());
    EXPECT_EQ(out.read(), std::vector<int>(threads * 64, 42));
  }
}

}  // namespace
}  // namespace mylos_test
