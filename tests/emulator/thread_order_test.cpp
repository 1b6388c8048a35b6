// SPDX-License-Identifier: MIT
// Check::thread_order: launches whose results depend on the order of threads are told, others run as if once.
#include <stdlib.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mylos/base/log.hpp>
#include <mylos/device/array.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/options.hpp>

#include "emulator/support.hpp"
#include "support/scoped_variable.hpp"

namespace mylos_test {
namespace {

using emulator::Check;
using emulator::Finding;
using emulator::Kind;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

emulator::Options in_several_orders() { return {.checks = {Check::thread_order}}; }

constexpr emulator::LaunchShape two_blocks{.grid = {2, 1, 1}, .block = {32, 1, 1}};

TEST(ThreadOrder, AppendedElementsAreTold) {
  const auto program = compiled("append",
                                "extern \"C\" __global__ void append(int* count, int* list) {\n"
                                "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                "  if (i % 2 == 0) list[atomicAdd(count, 1)] = i;\n}");
  const DeviceArray<int> count(1, 0, "count"), list(64, -1, "list");
  const auto scope = emulator::with(in_several_orders());
  const auto findings = findings_of([&] { run(*program, two_blocks, count.data(), list.data()); });
  ASSERT_EQ(findings.size(), 1U) << "the count is the same in each order";
  const Finding& finding = findings[0];
  EXPECT_EQ(finding.kind, Kind::thread_order);
  EXPECT_EQ(finding.kernel, "append");
  EXPECT_EQ(finding.label, "list");
  EXPECT_THAT(finding.index, ElementsAre(0));
  EXPECT_THAT(finding.text,
              HasSubstr("element 0 of View 'list' depends on the order of threads: it is 0 with order_seed 0 and 62 "
                        "with order_seed 1, and 31 more elements differ"));
  ASSERT_EQ(finding.sites.size(), 2U);
  EXPECT_EQ(finding.sites[0].value, "0");
  EXPECT_EQ(finding.sites[0].order_seed, 0U);
  EXPECT_EQ(finding.sites[0].thread.x, 0);
  EXPECT_EQ(finding.sites[1].value, "62");
  EXPECT_EQ(finding.sites[1].order_seed, 1U);
  EXPECT_EQ(finding.sites[1].block.x, 1);
  EXPECT_EQ(finding.sites[1].thread.x, 30);
  for (const auto& site : finding.sites) {
    EXPECT_EQ(site.file, "append.cu");
    EXPECT_EQ(site.line, 3);
  }
  EXPECT_EQ(count.read().front(), 32) << "as after one run, the first";
  EXPECT_EQ(list.read()[1], 2);
}

TEST(ThreadOrder, RoundingIsToldUnlessItIsAllowedFor) {
  const auto program =
      compiled("sum", "extern \"C\" __global__ void sum(const double* x, double* s) { atomicAdd(s, x[threadIdx.x]); }");
  const DeviceArray<double> x(random_values<double>(64, 0, 1, 17));
  const auto found = [&](const emulator::Options& options) {
    const DeviceArray<double> s(1, 0, "s");
    const auto scope = emulator::with(options);
    return findings_of([&] { run(*program, {.block = {64, 1, 1}}, x.data(), s.data()); });
  };
  auto options = in_several_orders();
  const auto findings = found(options);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].label, "s");
  EXPECT_THAT(findings[0].text, HasSubstr("order_tolerance"));
  EXPECT_NE(findings[0].sites.at(0).value, findings[0].sites.at(1).value);
  options.order_tolerance = 1e-13;
  EXPECT_THAT(found(options), IsEmpty());
  options.order_tolerance = 1e-18;
  EXPECT_EQ(found(options).size(), 1U);
}

// Each run begins with the same memory, variables of the text included, and counts once.
TEST(ThreadOrder, ResultsOfOneRunStay) {
  const auto program = compiled("k", R"(
__device__ int launches = 10;
extern "C" __global__ void k(double* x, long* sum, int* seen) {
  __shared__ double s[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  __syncthreads();
  x[i] = s[63 - t] + 1;
  atomicAdd(sum, i);
  atomicAdd(&launches, 1);
  __syncthreads();
  if (i == 0) *seen = 0;
}
)");
  std::vector<double> expected(256);
  const auto values = random_values<double>(256, 0, 1, 5);
  for (std::size_t i = 0; i < 256; ++i) expected[i] = values[i / 64 * 64 + 63 - i % 64] + 1;
  const DeviceArray<double> x(values);
  const DeviceArray<long> sum(1, 7);
  const DeviceArray<int> seen(1, 1);
  const auto variable = program->variable("launches");
  const auto scope = emulator::with({.checks = {Check::thread_order, Check::race, Check::initialisation}});
  EXPECT_THAT(
      findings_of([&] { run(*program, {.grid = {4, 1, 1}, .block = {64, 1, 1}}, x.data(), sum.data(), seen.data()); }),
      IsEmpty());
  EXPECT_EQ(x.read(), expected);
  EXPECT_EQ(sum.read().front(), 7 + 255 * 256 / 2);
  EXPECT_EQ(seen.read().front(), 0);
  int launches = 0;
  std::memcpy(&launches, variable.data(), sizeof launches);
  EXPECT_EQ(launches, 10 + 256);
}

TEST(ThreadOrder, VariablesOfTheTextAreCompared) {
  const auto program = compiled("k",
                                "__device__ int winner = -1;\n"
                                "extern \"C\" __global__ void k(int* out) {\n"
                                "  if (threadIdx.x == 99) *out = winner;\n"
                                "  atomicCAS(&winner, -1, (int)threadIdx.x);\n}");
  const DeviceArray<int> out(1);
  const auto scope = emulator::with(in_several_orders());
  const auto findings = findings_of([&] { run(*program, {.block = {32, 1, 1}}, out.data()); });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].text, HasSubstr("the variable 'winner' depends on the order of threads"));
  EXPECT_EQ(findings[0].sites.at(0).line, 4);
}

// Between two atomic accesses of a thread others have theirs.
TEST(ThreadOrder, AccessesOfThreadsAreInterleaved) {
  const auto program = compiled("k",
                                "extern \"C\" __global__ void k(int* a, int* b, int* order) {\n"
                                "  order[atomicAdd(a, 1)] = atomicAdd(b, 1);\n}");
  const DeviceArray<int> a(1), b(1), order(32, 0, "order");
  auto options = in_several_orders();
  const auto scope = emulator::with(options);
  const auto findings = findings_of([&] { run(*program, {.block = {32, 1, 1}}, a.data(), b.data(), order.data()); });
  ASSERT_EQ(findings.size(), 1U) << "without a turn in between, both numbers are always the same";
  EXPECT_EQ(findings[0].label, "order");
}

TEST(ThreadOrder, ElementsAreToldByTheirIndices) {
  const auto program = compiled("k",
                                "#include <mylos/device/array.hpp>\n"
                                "extern \"C\" __global__ void k(mylos::Array<float, 2> a) {\n"
                                "  a(2, 2) = 1;\n"
                                "  a(1, 4) = threadIdx.x;\n}");
  const DeviceArray<float> a(3 * 5, 0, "field");
  const mylos::Array<float, 2> by_columns(a.data(), {3, 5}, {1, 3});
  const auto scope = emulator::with(in_several_orders());
  const auto findings = findings_of([&] { run(*program, {.block = {8, 1, 1}}, by_columns); });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].label, "field");
  EXPECT_THAT(findings[0].index, ElementsAre(1, 4));
  EXPECT_EQ(findings[0].sites.at(0).value, "7");
  EXPECT_EQ(findings[0].sites.at(1).value, "0");
}

// What differs from run to run in one order as well does not depend on the order.
TEST(ThreadOrder, ClocksAreNoMatterOfOrder) {
  const auto program = compiled("k", "extern \"C\" __global__ void k(long long* x) { x[threadIdx.x] = clock64(); }");
  const DeviceArray<long long> x(32);
  const auto scope = emulator::with(in_several_orders());
  EXPECT_THAT(findings_of([&] { run(*program, {.block = {32, 1, 1}}, x.data()); }), IsEmpty());
}

// One of them hides no others of its View.
TEST(ThreadOrder, StableElementsAreToldBesideClocks) {
  const auto program =
      compiled("k",
               "extern \"C\" __global__ void k(int* count, long long* x) {\n"
               "  const int i = atomicAdd(count, 1);\n"
               "  x[threadIdx.x < 2 ? threadIdx.x : 4 + i] = threadIdx.x < 2 ? clock64() : threadIdx.x;\n}");
  const DeviceArray<int> count(1);
  const DeviceArray<long long> x(64, 0, "x");
  const auto scope = emulator::with(in_several_orders());
  const auto findings = findings_of([&] { run(*program, {.block = {32, 1, 1}}, count.data(), x.data()); });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].index, ElementsAre(4));
  EXPECT_THAT(findings[0].text, AllOf(HasSubstr("element 4 of View 'x'"), HasSubstr(", and ")));
  EXPECT_EQ(findings[0].sites.at(0).value, "0");
  EXPECT_EQ(findings[0].sites.at(1).value, "31");
}

TEST(ThreadOrder, AllBytesOfVariablesAreCompared) {
  for (const int bytes : {3, 5, 6, 7, 9}) {
    const std::string size = std::to_string(bytes), last = std::to_string(bytes - 1);
    const auto program = compiled("k", "__device__ unsigned char tail[" + size +
                                           "];\nextern \"C\" __global__ void k(int* count) {\n"
                                           "  if (atomicAdd(count, 1) == 0) tail[" +
                                           last + "] = threadIdx.x;\n}");
    const DeviceArray<int> count(1);
    const auto scope = emulator::with(in_several_orders());
    const auto findings = findings_of([&] { run(*program, {.block = {32, 1, 1}}, count.data()); });
    ASSERT_EQ(findings.size(), 1U) << bytes << " bytes";
    EXPECT_THAT(findings[0].text, HasSubstr("element " + last + " of the variable 'tail'"));
  }
}

// The second run cannot begin: the first one has spoilt a setting.
TEST(ThreadOrder, WhatIsThrownBetweenRunsLeavesTheFirstOnesMemory) {
  const auto program = compiled("k",
                                "__device__ int total = 1;\n"
                                "extern \"C\" __global__ void k(int* x, char* setting) {\n"
                                "  x[threadIdx.x] = 5;\n"
                                "  if (threadIdx.x == 0) total = 7, setting[0] = '?';\n}");
  const auto of_host = program->variable("total");
  const DeviceArray<int> x(32);
  const ScopedVariable variable("MYLOS_EMULATOR_EXITED", "report");
  const auto scope = emulator::with(in_several_orders());
  error_of<mylos::ValueError>(
      [&] { run(*program, {.block = {32, 1, 1}}, x.data(), ::getenv("MYLOS_EMULATOR_EXITED")); });
  EXPECT_EQ(x.read(), std::vector<int>(32, 5));
  int total = 0;
  std::memcpy(&total, of_host.data(), sizeof total);
  EXPECT_EQ(total, 7);
}

TEST(ThreadOrder, FaultsOfOtherOrdersAreTold) {
  const auto program = compiled("k",
                                "extern \"C\" __global__ void k(int* count, int* x) {\n"
                                "  const int i = atomicAdd(count, 1);\n"
                                "  if (threadIdx.x == 0) x[i] = 1;\n}");
  const DeviceArray<int> count(1), x(16, 0, "x");
  const auto scope = emulator::with({.checks = {Check::thread_order, Check::memory}});
  const auto findings = findings_of([&] { run(*program, {.block = {32, 1, 1}}, count.data(), x.data()); });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, Kind::memory);
  EXPECT_THAT(findings[0].text, HasSubstr("in the order of order_seed 1, and not in that of 0"));
  EXPECT_EQ(findings[0].sites.at(0).order_seed, 1U);
  EXPECT_EQ(x.read().front(), 1) << "what the first order left";
  EXPECT_EQ(count.read().front(), 32);
}

TEST(ThreadOrder, RacesAreToldAsSuch) {
  const auto program = compiled("k", "extern \"C\" __global__ void k(int* x) { *x = threadIdx.x; }");
  const DeviceArray<int> x(1, 0, "x");
  const auto kinds = [&](const std::set<Check>& checks) {
    const auto scope = emulator::with({.checks = checks});
    std::vector<Kind> found;
    for (const Finding& finding : findings_of([&] { run(*program, {.block = {8, 1, 1}}, x.data()); })) {
      found.push_back(finding.kind);
    }
    return found;
  };
  EXPECT_THAT(kinds({Check::thread_order}), ElementsAre(Kind::thread_order));
  EXPECT_THAT(kinds({Check::thread_order, Check::race}), ElementsAre(Kind::race));
}

// Whose memory has other addresses in each run.
TEST(ThreadOrder, KernelsThatAllocateRunOnce) {
  const auto program = compiled("k",
                                "extern \"C\" __global__ void k(int* x) {\n"
                                "  int* const own = new int(1);\n  atomicAdd(x, *own);\n  delete own;\n}");
  const DeviceArray<int> x(1);
  std::string warnings;
  const auto before = mylos::log::set_sink([&](mylos::log::Level, std::string_view text) { warnings += text; });
  const auto scope = emulator::with(in_several_orders());
  const auto findings = findings_of([&] { run(*program, {.block = {8, 1, 1}}, x.data()); });
  mylos::log::set_sink(before);
  EXPECT_THAT(findings, IsEmpty());
  EXPECT_EQ(x.read().front(), 8);
  EXPECT_THAT(warnings, HasSubstr("kernel 'k' allocates or frees memory"));
}

// Memory that only another order allocates goes again; what only that one frees is freed memory from then on.
TEST(ThreadOrder, HeapUseOfAnotherOrderIsNoMatterOfComparison) {
  const auto make = compiled("make", "extern \"C\" __global__ void make(int** p) { *p = new int(3); }");
  const auto change = compiled("change",
                               "extern \"C\" __global__ void change(int** p, int* ticket, int** other) {\n"
                               "  if (atomicAdd(ticket, 1) != 0 || threadIdx.x == 0) return;\n"
                               "  **p = 4;\n  delete *p;\n  *other = new int(5);\n}");
  const auto use = compiled("use", "extern \"C\" __global__ void use(int** p, int* x) { *x = **p; }");
  const DeviceArray<int*> p(1), other(1);
  const DeviceArray<int> ticket(1);
  const auto scope = emulator::with({.checks = {Check::thread_order, Check::memory}});
  std::string warnings;
  const auto before = mylos::log::set_sink([&](mylos::log::Level, std::string_view text) { warnings += text; });
  run(*make, {}, p.data());
  warnings.clear();
  const std::size_t count = emulator::memory_usage().count;
  const auto findings = findings_of([&] { run(*change, {.block = {2, 1, 1}}, p.data(), ticket.data(), other.data()); });
  mylos::log::set_sink(before);
  EXPECT_THAT(findings, IsEmpty());
  EXPECT_THAT(warnings, HasSubstr("kernel 'change' allocates or frees memory in the order of order_seed 1 and not in "
                                  "that of 0"));
  EXPECT_EQ(other.read().front(), nullptr) << "what the first order left";
  EXPECT_EQ(emulator::memory_usage().count, count - 1) << "what it freed, and nothing new";
  const auto found = findings_of([&] { run(*use, {}, p.data(), ticket.data()); });
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Kind::memory);
}

// What nobody has written before is so for each run, and written by the first one afterwards.
TEST(ThreadOrder, InitialisedStatesAreRestored) {
  const auto scope = emulator::with({.checks = {Check::thread_order, Check::initialisation}});
  auto* const x = static_cast<int*>(emulator::allocate(64 * sizeof(int), "x"));
  const auto write = compiled("k",
                              "extern \"C\" __global__ void k(int* x, int* ticket) {\n"
                              "  const int i = atomicAdd(ticket, 1);\n"
                              "  if (threadIdx.x == 0) x[0] = 1;\n"
                              "  if (threadIdx.x == 1 && i == 0) x[2] = x[0];\n}");
  const DeviceArray<int> ticket(1);
  const auto findings = findings_of([&] { run(*write, {.block = {2, 1, 1}}, x, ticket.data()); });
  ASSERT_EQ(findings.size(), 1U) << "in decreasing order, thread 1 comes before anybody has written";
  EXPECT_EQ(findings[0].kind, Kind::initialisation);
  EXPECT_EQ(findings[0].sites.at(0).order_seed, 1U);
  const auto read = compiled("k", "extern \"C\" __global__ void k(int* x, int* y) { *y = x[0]; }");
  EXPECT_THAT(findings_of([&] { run(*read, {}, x, ticket.data()); }), IsEmpty());
  emulator::deallocate(x);
}

}  // namespace
}  // namespace mylos_test
