// SPDX-License-Identifier: MIT
// Checked launches: kernels with a fault are reported at its line, and their repaired twins are not.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <future>
#include <numeric>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mylos/base/files.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/options.hpp>
#include <mylos/jit/compiler.hpp>

#include "emulator/corpus.hpp"
#include "emulator/findings.hpp"
#include "emulator/support.hpp"
#include "support/nvrtc_test.hpp"
#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

using emulator::Check;
using emulator::Finding;
using emulator::Kind;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::set<Check> all_checks = emulator::all_checks();

std::vector<std::string> options_of(bool faulty) {
  return faulty ? std::vector<std::string>{"-DFAULTY"} : std::vector<std::string>{};
}

std::vector<Finding> run_corpus_kernel(const CorpusKernel& kernel, bool faulty, std::uint64_t order_seed = 0) {
  emulator::Options options{.checks = all_checks, .order_seed = order_seed};
  if (kernel.finds("thread_order")) options.checks.insert(Check::thread_order);
  if (faulty && kernel.finds("deadlock")) options.patience = std::chrono::seconds(1);
  const auto scope = emulator::with(options);
  const auto program = emulator::compile(
      {.text = kernel.text, .name = "test", .file = kernel.name + ".cu", .options = options_of(faulty)});
  const CorpusArguments arguments(kernel, faulty);
  return findings_of([&] { emulator::launch(*program, kernel.shape, arguments.addresses()); });
}

// "race at x.cu:5", for each line that a finding names.
std::set<std::string> lines_of(const std::vector<Finding>& findings) {
  std::set<std::string> lines;
  for (const Finding& finding : findings) {
    for (const emulator::Site& site : finding.sites) {
      if (site.line == 0) continue;  // that of a thread that has left
      lines.insert(std::string(to_string(finding.kind)) + " at " + site.file + ":" + std::to_string(site.line));
    }
  }
  return lines;
}

std::set<std::string> marked_lines(const CorpusKernel& kernel) {
  std::set<std::string> lines;
  for (const auto& mark : kernel.marks) {
    lines.insert(mark.kind + " at " + kernel.name + ".cu:" + std::to_string(mark.line));
  }
  return lines;
}

class Corpus : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Checks, Corpus, ::testing::ValuesIn(corpus_names()),
                         [](const auto& test) { return test.param; });

TEST_P(Corpus, FaultIsReportedAtItsLines) {
  const CorpusKernel kernel = read_corpus_kernel(GetParam());
  ASSERT_FALSE(kernel.marks.empty());
  const auto findings = run_corpus_kernel(kernel, true);
  EXPECT_EQ(lines_of(findings), marked_lines(kernel)) << told(findings);
}

TEST_P(Corpus, RepairedTwinHasNoFindings) {
  const CorpusKernel kernel = read_corpus_kernel(GetParam());
  for (const std::uint64_t order_seed : {0, 1, 5}) {
    if (kernel.in_order && order_seed != 0) continue;
    const auto findings = run_corpus_kernel(kernel, false, order_seed);
    EXPECT_THAT(findings, IsEmpty()) << "order_seed " << order_seed << '\n' << told(findings);
  }
}

// One of the twins by its results: lanes that wait for each other add up, whoever comes first.
TEST(WholeCorpus, RepairedWarpAddsUpInEachOrder) {
  const auto program = compiled("test", read_corpus_kernel("volatile_last_warp").text);
  std::vector<int> values(128);
  std::iota(values.begin(), values.end(), 0);
  const DeviceArray<int> x(values);
  DeviceArray<int> sums(2);
  for (const std::uint64_t order_seed : {0, 1, 5}) {
    for (const bool checked : {false, true}) {
      const auto scope = checks_if(checked);
      const auto order = emulator::with({.order_seed = order_seed});
      sums.write({-1, -1});
      run(*program, {.grid = {2, 1, 1}, .block = {64, 1, 1}}, static_cast<const int*>(x.data()), sums.data());
      EXPECT_EQ(sums.read(), (std::vector<int>{63 * 64 / 2, 127 * 128 / 2 - 63 * 64 / 2})) << order_seed << checked;
    }
  }
}

TEST(WholeCorpus, RebuildsFaultsThatWereReported) {
  const std::vector<std::string> names = corpus_names();
  EXPECT_GE(std::ranges::count_if(names, [](const auto& name) { return !read_corpus_kernel(name).reported.empty(); }),
            20);
}

TEST(WholeCorpus, HasFaultsOfEveryKind) {
  std::set<std::string> kinds;
  for (const std::string& name : corpus_names()) {
    for (const auto& mark : read_corpus_kernel(name).marks) kinds.insert(mark.kind);
  }
  std::set<std::string> all;
  for (int kind = 0; kind <= static_cast<int>(Kind::crash); ++kind) {
    all.insert(std::string(to_string(static_cast<Kind>(kind))));
  }
  EXPECT_EQ(kinds, all);
}

class CorpusOnGpu : public NvrtcTest<::testing::TestWithParam<std::string>> {};
INSTANTIATE_TEST_SUITE_P(Checks, CorpusOnGpu, ::testing::ValuesIn(corpus_names()),
                         [](const auto& test) { return test.param; });

TEST_P(CorpusOnGpu, Compiles) {
  const CorpusKernel kernel = read_corpus_kernel(GetParam());
  if (lacks_toolkit_headers(kernel.text)) GTEST_SKIP() << "it includes headers of a CUDA toolkit, and there is none";
  for (const bool faulty : {true, false}) {
    EXPECT_NO_THROW(static_cast<void>(mylos::jit::NvrtcCompiler().compile(
        {.text = kernel.text, .name = "test", .architecture = "compute_80", .options = options_of(faulty)})));
  }
}

// The first finding of a kernel of one block, on one array "x" of doubles.
Finding finding_in(const std::string& body, unsigned threads, std::size_t elements = 64, unsigned blocks = 1) {
  const auto scope = emulator::with({.checks = all_checks});
  const auto program =
      emulator::compile({.text = "extern \"C\" __global__ void k(double* x) {\n" + body + "\n}", .name = "k"});
  auto* const x = static_cast<double*>(emulator::allocate(elements * sizeof(double), "x"));
  const auto findings = findings_of([&] { run(*program, {.grid = {blocks, 1, 1}, .block = {threads, 1, 1}}, x); });
  emulator::deallocate(x);
  if (findings.empty()) {
    ADD_FAILURE() << "nothing was found in " << body;
    return {};
  }
  return findings.front();
}

TEST(Checks, OutOfBoundsTellsViewDistanceAndElement) {
  const auto finding = finding_in("if (threadIdx.x == 5)\nx[66] = 1;", 8);
  EXPECT_EQ(finding.kind, Kind::memory);
  EXPECT_EQ(finding.kernel, "k");
  EXPECT_EQ(finding.label, "x");
  EXPECT_THAT(finding.index, ElementsAre(66));
  EXPECT_THAT(finding.text, HasSubstr("a write of 8 bytes 16 bytes after the end of View 'x' (512 bytes)"));
  ASSERT_EQ(finding.sites.size(), 1U);
  EXPECT_EQ(finding.sites[0].thread.x, 5);
  EXPECT_EQ(finding.sites[0].file, "k.cu");
  EXPECT_EQ(finding.sites[0].line, 3);
  const auto before = finding_in("x[-2 + int(threadIdx.x)] = 1;", 1);
  EXPECT_THAT(before.text, HasSubstr("16 bytes before the beginning of View 'x'"));
  EXPECT_THAT(before.index, ElementsAre(-2));
}

TEST(Checks, RaceTellsBothThreadsAndLines) {
  const auto finding = finding_in("int i = threadIdx.x;\nif (i == 3) x[7] = 1;\nif (i == 40) x[8] = x[7];", 64);
  EXPECT_EQ(finding.kind, Kind::race);
  EXPECT_EQ(finding.label, "x");
  EXPECT_THAT(finding.index, ElementsAre(7));
  ASSERT_EQ(finding.sites.size(), 2U);
  EXPECT_EQ(finding.sites[0].thread.x, 3);
  EXPECT_EQ(finding.sites[0].line, 3);
  EXPECT_EQ(finding.sites[1].thread.x, 40);
  EXPECT_EQ(finding.sites[1].line, 4);
  EXPECT_THAT(finding.text,
              HasSubstr("race on View 'x' at element 7: thread (3) of block (0) wrote it at k.cu:3, thread (40) of "
                        "block (0) read it at k.cu:4 without a barrier between: put __syncthreads() between them"));
  EXPECT_THAT(finding_in("x[blockIdx.x / 2] = threadIdx.x;", 1, 64, 2).text, HasSubstr("blocks run in any order"));
}

// Of 2^25 threads two meet.
TEST(Checks, RacesOfThreadsFarApartTellTheirNumbers) {
  const auto finding = finding_in(
      "unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i == 5 * 1024 + 7) x[3] = 1;\n"
      "if (i == 32226u * 1024 + 576) x[3] = 2;",
      1024, 64, 1U << 15U);
  EXPECT_EQ(finding.kind, Kind::race);
  ASSERT_EQ(finding.sites.size(), 2U);
  EXPECT_EQ(finding.sites[0].block.x, 5);
  EXPECT_EQ(finding.sites[0].thread.x, 7);
  EXPECT_EQ(finding.sites[0].line, 3);
  EXPECT_EQ(finding.sites[1].block.x, 32226);
  EXPECT_EQ(finding.sites[1].thread.x, 576);
  EXPECT_EQ(finding.sites[1].line, 4);
}

TEST(Checks, SharedArraysAreNamed) {
  const auto finding = finding_in(
      "__shared__ float tile[4][5];\nfloat* row = tile[0];\nfor (int i = 0; i < 21; ++i) row[i] = 1;\nx[0] = row[3];",
      1);
  EXPECT_EQ(finding.kind, Kind::memory);
  EXPECT_THAT(finding.text,
              HasSubstr("a write of 4 bytes 0 bytes after the end of the shared array 'tile' (80 bytes)"));
  EXPECT_THAT(finding.index, ElementsAre(20));
  const auto unwritten = finding_in("__shared__ double s[3];\nx[0] = s[2];", 1);
  EXPECT_EQ(unwritten.kind, Kind::initialisation);
  EXPECT_THAT(unwritten.text, HasSubstr("element 2 of the shared array 's' is read before it was written"));
}

TEST(Checks, AreMadeForTheirScopeOnly) {
  const auto program = emulator::compile(
      {.text = "extern \"C\" __global__ void k(int* x) { x[threadIdx.x / 2] = threadIdx.x; }", .name = "k"});
  const DeviceArray<int> x(32);
  const auto found = [&] { return findings_of([&] { run(*program, {.block = {32, 1, 1}}, x.data()); }); };
  EXPECT_THAT(found(), IsEmpty());
  {
    const auto scope = emulator::with({.checks = {Check::race}});
    EXPECT_EQ(found().size(), 1U);
    const auto inner = emulator::with({.threads = 2});
    EXPECT_EQ(found().size(), 1U) << "an inner scope that says nothing of checks";
  }
  {
    const auto scope = emulator::with({.checks = {Check::memory, Check::initialisation}});
    EXPECT_THAT(found(), IsEmpty());
  }
  EXPECT_THAT(found(), IsEmpty());
}

// What an unchecked launch or a library may have written is not reported.
TEST(Checks, TakeWhatNobodyWatchedForWritten) {
  const auto scope_of = [] { return emulator::with({.checks = all_checks}); };
  const auto write =
      emulator::compile({.text = "extern \"C\" __global__ void k(int* x) { x[threadIdx.x] = 1; }", .name = "k"});
  const auto read = emulator::compile(
      {.text = "extern \"C\" __global__ void k(int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }", .name = "k"});
  const auto allocate = [&] { return static_cast<int*>(emulator::allocate(128, "x")); };
  const auto found = [&](int* x, int* y) {
    const auto scope = scope_of();
    return findings_of([&] { run(*read, {.block = {32, 1, 1}}, x, y); });
  };
  static_cast<void>(scope_of());
  int *const x = allocate(), *const y = allocate(), *const z = allocate();
  EXPECT_EQ(found(x, y).size(), 1U);
  emulator::note_write(z, 128);
  EXPECT_THAT(found(z, y), IsEmpty());
  int* const w = allocate();
  run(*write, {.block = {32, 1, 1}}, w);
  EXPECT_THAT(found(w, y), IsEmpty());
  int* const copied = allocate();
  emulator::note_copy(copied, z, 64);
  EXPECT_EQ(found(copied, y).size(), 1U);
  for (int* const memory : {x, y, z, w, copied}) emulator::deallocate(memory);
}

TEST(Checks, HeadersOfContainersAreNotTheKernels) {
  const auto scope = emulator::with({.checks = all_checks});
  auto* const memory = static_cast<double*>(emulator::allocate(128 + 64, "x"));
  emulator::set_header(memory, 128);
  emulator::note_write(memory, 128 + 64);
  const auto program =
      emulator::compile({.text = "extern \"C\" __global__ void k(double* x, int i) { x[i] += 1; }", .name = "k"});
  const auto found = [&](int i) { return findings_of([&] { run(*program, {}, memory + 16, i); }); };
  EXPECT_THAT(found(0), IsEmpty());
  EXPECT_THAT(found(-1).at(0).text, HasSubstr("8 bytes before the beginning of View 'x' (64 bytes)"));
  EXPECT_THAT(found(9).at(0).index, ElementsAre(9));
  EXPECT_THROW(emulator::set_header(memory + 1, 8), mylos::ValueError);
  emulator::deallocate(memory);
}

TEST(Checks, NotesOfFreedMemoryAreFindings) {
  const auto scope = emulator::with({.checks = all_checks});
  void* const x = emulator::allocate(64, "field");
  EXPECT_NO_THROW(emulator::note_read(x, 64));
  const auto message = [](auto&& action) { return std::string(error_of<mylos::EmulationError>(action)->what()); };
  EXPECT_THAT(message([&] { emulator::note_write(x, 65); }), AllOf(HasSubstr("65 bytes"), HasSubstr("'field'")));
  emulator::deallocate(x);
  EXPECT_THAT(message([&] { emulator::note_read(x, 64); }), AllOf(HasSubstr("64 bytes"), HasSubstr("'field'")));
}

TEST(Checks, TheHostsVariablesAreThoseOfCheckedLaunchesToo) {
  const auto program = emulator::compile({.text = R"(__constant__ double scale;
__device__ int launches = 1;
__global__ void k(double* x) {
  x[threadIdx.x] = scale;
  if (threadIdx.x == 0) ++launches;
})",
                                          .name = "k"});
  const DeviceArray<double> x(2);
  const double two = 2;
  std::memcpy(program->variable("scale").data(), &two, sizeof two);
  const std::span<std::byte> launches = program->variable("launches");
  const auto scope = emulator::with({.checks = all_checks});
  for (int expected = 2; expected < 4; ++expected) {
    run(*program, {.block = {2, 1, 1}}, x.data());
    int value = 0;
    std::memcpy(&value, launches.data(), sizeof value);
    EXPECT_EQ(value, expected);
  }
  EXPECT_EQ(x.read(), std::vector<double>(2, 2));
}

// Shared arrays last meanwhile.
TEST(Checks, BarriersOfGridsOrderWhatBlocksDo) {
  const auto program = emulator::compile({.text = R"(#include <cooperative_groups.h>
__global__ void k(int* x, char* bytes, int waits, bool clash) {
  __shared__ int own[2];
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  own[threadIdx.x] = x[i] = bytes[i] = i;
  for (int wait = 0; wait < waits; ++wait) cooperative_groups::this_grid().sync();
  x[n + i] = x[n - 1 - i] + 10 * bytes[(i + 2) % n] + 100 * own[1 - threadIdx.x];
  if (clash && threadIdx.x == 1) x[2 * n] = i;
})",
                                          .name = "k"});
  constexpr unsigned blocks = 3;
  constexpr int n = 2 * blocks;
  const DeviceArray<int> x(2 * n + 1);
  const DeviceArray<char> bytes(n);
  const auto scope = emulator::with({.checks = all_checks});
  const auto found = [&](int waits, bool clash) {
    return findings_of(
        [&] { run(*program, {.grid = {blocks, 1, 1}, .block = {2, 1, 1}}, x.data(), bytes.data(), waits, clash); });
  };
  for (const int waits : {1, 2}) {
    const auto findings = found(waits, false);
    EXPECT_THAT(findings, IsEmpty()) << told(findings);
    const auto values = x.read();
    for (int i = 0; i < n; ++i) EXPECT_EQ(values[n + i], n - 1 - i + 10 * ((i + 2) % n) + 100 * (i ^ 1));
  }
  const auto behind = found(2, true);
  ASSERT_EQ(behind.size(), 1U) << told(behind);
  EXPECT_EQ(behind[0].kind, Kind::race);
  EXPECT_THAT(behind[0].index, ElementsAre(2 * n));
  EXPECT_EQ(behind[0].sites.at(0).block.x, 0);
  EXPECT_EQ(behind[0].sites.at(1).block.x, 1);
  EXPECT_THAT(found(0, false), ::testing::Contains(::testing::Field(&Finding::kind, Kind::race)));
  const auto in_other_orders = emulator::with({.checks = {Check::thread_order}});
  EXPECT_THAT(found(2, false), IsEmpty());
  EXPECT_THAT(found(2, true), ElementsAre(::testing::Field(&Finding::kind, Kind::thread_order)));
}

// Counters that all threads fence for are the most that there is to know of whom.
TEST(Checks, ManyThreadsFenceWhatTheyCount) {
  const auto program = compiled("k", R"(
__global__ void k(const int* x, int* y, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  y[i] = x[i] + 1;
  __threadfence();
  if (atomicAdd(count, 1) == n - 1) count[1] = y[0] + y[n / 2];
})");
  constexpr unsigned blocks = 96, threads = 256;
  const DeviceArray<int> x(blocks * threads, 4), y(blocks * threads), count(2);
  const auto scope = emulator::with({.checks = all_checks, .time_limit = std::chrono::seconds(40)});
  const auto findings = findings_of([&] {
    run(*program, {.grid = {blocks, 1, 1}, .block = {threads, 1, 1}}, static_cast<const int*>(x.data()), y.data(),
        count.data());
  });
  EXPECT_THAT(findings, IsEmpty()) << told(findings);
  EXPECT_EQ(count.read()[1], 10);
}

// The first finding of a launch that cannot end.
Finding deadlock_of(const std::string& body, const emulator::LaunchShape& shape, const emulator::Options& options) {
  const auto scope = emulator::with(options);
  const auto program = compiled("k", "__global__ void k(int* x) {\n" + body + "\n}");
  const DeviceArray<int> x(4);
  const auto findings = findings_of([&] { run(*program, shape, x.data()); });
  if (findings.empty()) {
    ADD_FAILURE() << "nothing was found in " << body;
    return {};
  }
  EXPECT_EQ(findings.front().kind, Kind::deadlock);
  return findings.front();
}

TEST(Deadlocks, OfVolatileFlagsNameTheWayOut) {
  if (no_time_limits != nullptr) GTEST_SKIP() << no_time_limits;
  const std::string body = "volatile int* flag = x;\nif (threadIdx.x == 1) *flag = 1;\nwhile (*flag == 0) {}";
  const emulator::LaunchShape shape{.block = {2, 1, 1}};
  const auto finding = deadlock_of(body, shape, {.threads = 1, .time_limit = std::chrono::seconds(1)});
  EXPECT_THAT(finding.text, AllOf(HasSubstr("__nanosleep"), HasSubstr("atomicAdd(p, 0)"), HasSubstr("with checks")));
  const auto with_turn = [](const char* turn) {
    return std::string("volatile int* flag = x;\nif (threadIdx.x == 1) *flag = 1;\nwhile (*flag == 0) ") + turn + ";";
  };
  const DeviceArray<int> x(4);
  const auto scope = emulator::with({.time_limit = std::chrono::seconds(20)});
  const auto program = compiled("k", "__global__ void k(int* x) {\n" + with_turn("__nanosleep(100)") + "\n}");
  EXPECT_NO_THROW(run(*program, shape, x.data()));
}

TEST(Deadlocks, OfCheckedBlocksThatWaitForEachOther) {
  const auto finding =
      deadlock_of(R"(__syncthreads();
if (threadIdx.x == 0) {
  __threadfence();
  atomicAdd(x, 1);
  while (atomicAdd(x, 0) < gridDim.x) {}
}
__syncthreads();)",
                  {.grid = {2, 1, 1}, .block = {2, 1, 1}}, {.checks = all_checks, .patience = std::chrono::seconds(1)});
  EXPECT_THAT(finding.text, AllOf(HasSubstr("checked blocks run one after another"), HasSubstr("with one block"),
                                  ::testing::Not(HasSubstr("MYLOS_EMULATOR_THREADS"))));
  ASSERT_EQ(finding.sites.size(), 1U);
  EXPECT_EQ(finding.sites[0].file, "k.cu");
  EXPECT_EQ(finding.sites[0].line, 6);
}

// Nobody would live to see the end of the patience.
TEST(Deadlocks, OfCheckedThreadsAreCertainSoon) {
  const emulator::Options options{.checks = all_checks, .patience = std::chrono::seconds(10000)};
  for (const char* const body : {
           "while (atomicAdd(x, 0) == 0) {}",
           "int* y = x + threadIdx.x % 2;\nwhile (atomicAdd(y, 0) + atomicAdd(y + 1, 0) + atomicCAS(y + 2, 1, 2) == 0) "
           "{}",
           "volatile int* flag = x;\nwhile (*flag == 0) __nanosleep(10);",
           "__shared__ int s;\nif (threadIdx.x == 0) s = 0;\n__syncthreads();\nif (threadIdx.x == 1) __syncthreads();\n"
           "while (atomicExch(&s, 0) == 0) {}",
       }) {
    const auto finding = deadlock_of(body, {.grid = {2, 1, 1}, .block = {40, 1, 1}}, options);
    EXPECT_THAT(finding.text, HasSubstr("threads wait for each other forever")) << body;
  }
}

TEST(Deadlocks, AreNotWaitsThatEnd) {
  const auto found = [](const std::string& body, int* x) {
    const auto program = compiled("k", "__global__ void k(int* x) {\n" + body + "\n}");
    const auto scope = emulator::with({.checks = {Check::memory}});
    return told(findings_of([&] { run(*program, {.block = {2, 1, 1}}, x); }));
  };
  const DeviceArray<int> x(1);
  EXPECT_THAT(found("for (int i = 0; i < 1000000 && atomicAdd(x, 0) == 0; ++i) {}", x.data()), IsEmpty());
  EXPECT_THAT(
      found("long long end = clock64() + 1000000000;\nwhile (atomicAdd(x, 0) == 0 && clock64() < end) {}", x.data()),
      IsEmpty());
  const auto write = [&](int value) {
    const emulator::HostAccess access;
    std::atomic_ref(*x.data()).store(value);
  };
  std::promise<void> ready;
  std::thread other([&] {
    write(0);
    ready.set_value();
    std::this_thread::sleep_for(std::chrono::seconds(1));
    write(1);
  });
  ready.get_future().wait();
  EXPECT_THAT(found("while (atomicAdd(x, 0) == 0) {}", x.data()), IsEmpty()) << "another OS thread writes it";
  other.join();
}

TEST(Checks, KernelsFreeTheirOwnMemoryOnly) {
  const auto finding = finding_in("double* mine = new double[3];\ndelete[] mine;\nfree(x);", 1);
  EXPECT_EQ(finding.kind, Kind::memory);
  EXPECT_EQ(finding.sites.at(0).line, 4);
  EXPECT_THAT(finding.text, AllOf(HasSubstr("View 'x'"), HasSubstr("the host has allocated")));
}

// What a page shows between ```language and ```.
std::string block_of(const std::string& page, const std::string& language) {
  const std::string fence = "```" + language + "\n";
  const auto begin = page.find(fence) + fence.size();
  return page.substr(begin, page.find("```", begin) - begin);
}

TEST(EmulatorGuide, ShowsTheReportThatItsKernelGets) {
  const std::string page = mylos::read_file(std::filesystem::path(MYLOS_SOURCE_FOLDER) / "docs" / "emulator.md");
  const DeviceArray<double> x(64), y(64);
  const auto scope = emulator::with({.checks = all_checks});
  const auto program =
      emulator::compile({.text = block_of(page, "cuda"), .name = "difference", .file = "difference.cu"});
  const auto error = error_of<mylos::EmulationError>([&] { run(*program, {.block = {64, 1, 1}}, x.data(), y.data()); });
  const std::string report = error->what() + std::string("\n"), shown = block_of(page, "text");
  if (emulator::compiler_info().version.find("clang") == std::string::npos) {
    EXPECT_EQ(report, shown);
  } else {  // which has other columns
    EXPECT_EQ(report.substr(0, report.find('\n')), shown.substr(0, shown.find('\n')));
  }
}

TEST(Report, HasALineOfJsonForEachFinding) {
  const mylos_test::TemporaryFolder folder;
  const auto file = folder.path() / "findings.jsonl";
  const ScopedVariable variable("MYLOS_EMULATOR_REPORT", file.c_str());
  finding_in("x[100] = 1;", 1);
  finding_in("if (threadIdx.x == 1) x[64] = 2;", 2);
  std::istringstream lines(mylos::read_file(file));
  std::string first, second, none;
  std::getline(lines, first);
  std::getline(lines, second);
  EXPECT_FALSE(std::getline(lines, none));
  EXPECT_THAT(
      first,
      AllOf(HasSubstr(R"({"kind":"memory","kernel":"k","sites":[{"block":[0],"thread":[0],"file":"k.cu","line":2,)"),
            HasSubstr(R"("source":"x[100] = 1;"}],"label":"x","index":[100],"text":"a write of 8 bytes)")));
  EXPECT_THAT(second, HasSubstr(R"("thread":[1])"));
}

TEST(Report, HasWhatLibrariesDid) {
  const mylos_test::TemporaryFolder folder;
  const auto file = folder.path() / "findings.jsonl";
  const ScopedVariable variable("MYLOS_EMULATOR_REPORT", file.c_str());
  const auto scope = emulator::with({.checks = all_checks});
  void* const x = emulator::allocate(64, "field");
  EXPECT_THROW(emulator::note_read(x, 65), mylos::EmulationError);
  emulator::deallocate(x);
  EXPECT_THAT(mylos::read_file(file), AllOf(HasSubstr("(host)"), HasSubstr("65 bytes were read")));
}

}  // namespace
}  // namespace mylos_test
