// SPDX-License-Identifier: MIT
// What running and checking kernels on the emulated device costs, each against what it should cost. See perf/README.md.
#include <stdlib.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <Kokkos_Core.hpp>
#include <fmt/format.h>

#include <mylos/core/session.hpp>
#include <mylos/emulator/compiler.hpp>
#include <mylos/emulator/launch.hpp>
#include <mylos/emulator/memory.hpp>
#include <mylos/emulator/options.hpp>

#include "emulator_host_loops.hpp"
#include "support/interleaved.hpp"
#include "support/own_cache.hpp"

namespace {

namespace emulator = mylos::emulator;
using mylos_perf::Row;
using mylos_perf::smallest_seconds;

constexpr const char* axpy_text = R"(
extern "C" __global__ void axpy(int n, double a, const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
)";

constexpr const char* push_text = R"(
extern "C" __global__ void push(int n, double dt, double box, double* position, double* velocity) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = position[i];
  const double v = velocity[i] + dt * x * (1.0 - x * x);
  const double moved = x + dt * v;
  velocity[i] = v;
  position[i] = moved - box * floor(moved / box);
}
)";

constexpr const char* barriers_text = R"(
extern "C" __global__ void barriers(int n, double* sums) {
  double sum = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    sum += 1.0;
    __syncthreads();
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
)";

constexpr const char* shuffles_text = R"(
extern "C" __global__ void shuffles(int n, double* sums) {
  double sum = threadIdx.x;
  for (int i = 0; i < n; ++i) sum = 0.5 * (sum + __shfl_down_sync(0xffffffffu, sum, 1));
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
)";

constexpr const char* reduction_text = R"(
extern "C" __global__ void reduction(const double* x, double* sums) {
  __shared__ double partial[256];
  const int thread = threadIdx.x;
  partial[thread] = x[blockIdx.x * blockDim.x + thread];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (thread < half) partial[thread] += partial[thread + half];
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = partial[0];
}
)";

class DeviceArray {
 public:
  DeviceArray(std::size_t size, double value)
      : data_(static_cast<double*>(emulator::allocate(size * sizeof(double), "array"))) {
    const emulator::HostAccess access;
    emulator::note_write(data_, size * sizeof(double));
    std::fill_n(data_, size, value);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { emulator::deallocate(data_); }
  [[nodiscard]] double* data() const { return data_; }

 private:
  double* data_;
};

// Arguments of exactly the kernel's parameter types.
template <class... A>
void run(const emulator::Program& program, unsigned blocks, unsigned threads, A... arguments) {
  void* const addresses[] = {static_cast<void*>(&arguments)...};
  emulator::launch(program, {.grid = {blocks, 1, 1}, .block = {threads, 1, 1}}, addresses);
}

// How kernels compiled from now on go from one thread's stack to another's.
std::shared_ptr<const emulator::Program> compiled(const std::string& name, const char* text,
                                                  const char* switching = "in_place") {
  ::setenv("MYLOS_EMULATOR_SWITCH", switching, 1);
  return emulator::compile({.text = text, .name = name});
}

void print_number(const std::string& what, double number, const char* unit, const char* target) {
  fmt::print("| {} | {:.3g} {} | {} |\n", what, number, unit, target);
}
void print_times(const std::string& what, double ratio, const char* target) {
  fmt::print("| {} | {:.2f} times | {} |\n", what, ratio, target);
}

constexpr long elements = 1'000'000;
constexpr unsigned block = 256;
constexpr unsigned grid = (elements + block - 1) / block;

// The same memory for both.
void barrier_free_kernels() {
  const DeviceArray x(elements, 0.25), y(elements, 0.5);
  const auto axpy = compiled("axpy", axpy_text), push = compiled("push", push_text);
  const int n = elements;
  const auto compare = [](const char* name, const auto& host, const auto& device) {
    const auto host_with_access = [&host] {
      const emulator::HostAccess access;
      host();
    };
    const auto seconds = smallest_seconds({.name = name,
                                           .units = elements,
                                           .unit = "element",
                                           .rivals = {{"host", host_with_access}, {"device", device}}},
                                          60);
    print_number(fmt::format("{} on the host, of 10^6 elements", name), 1e9 * seconds[0] / elements, "ns", "");
    print_times(fmt::format("{} on the emulated device, speed of the host's", name), seconds[0] / seconds[1],
                "at least 0.9");
  };
  compare(
      "axpy", [&] { mylos_perf::host_axpy(elements, 1e-9, x.data(), y.data()); },
      [&] { run(*axpy, grid, block, n, 1e-9, static_cast<const double*>(x.data()), y.data()); });
  compare(
      "push", [&] { mylos_perf::host_push(elements, 1e-3, 1.0, x.data(), y.data()); },
      [&] { run(*push, grid, block, n, 1e-3, 1.0, x.data(), y.data()); });
}

// Seconds for one operation of one thread, both ways of switching: in place, then portably.
std::vector<double> seconds_per_operation(const char* name, const char* text, unsigned threads) {
  constexpr int operations = 1000;
  const DeviceArray sums(threads, 0.0);
  const auto in_place = compiled(name, text), portable = compiled(name, text, "portable");
  auto seconds =
      smallest_seconds({.name = name,
                        .unit = "operation",
                        .rivals = {{"in place", [&] { run(*in_place, 1, threads, operations, sums.data()); }},
                                   {"portable", [&] { run(*portable, 1, threads, operations, sums.data()); }}}},
                       40);
  for (double& value : seconds) value /= static_cast<double>(operations) * threads;
  return seconds;
}

void meetings() {
  for (const unsigned threads : {32U, 256U, 1024U}) {
    const bool counts = threads == 256;
    const auto barrier = seconds_per_operation("barriers", barriers_text, threads);
    print_number(fmt::format("a barrier, per thread of {}", threads), 1e9 * barrier[0], "ns",
                 counts ? "at most 4" : "");
    print_number(fmt::format("the same with the portable switch, {} threads", threads), 1e9 * barrier[1], "ns", "");
    const auto shuffle = seconds_per_operation("shuffles", shuffles_text, threads);
    print_number(fmt::format("a shuffle, per thread of {}", threads), 1e9 * shuffle[0], "ns",
                 counts ? "at most 10" : "");
    print_number(fmt::format("the same with the portable switch, {} threads", threads), 1e9 * shuffle[1], "ns", "");
  }
}

void block_reduction() {
  constexpr unsigned blocks = 200;
  const DeviceArray x(std::size_t{blocks} * block, 1.0), sums(blocks, 0.0);
  const auto in_place = compiled("reduction", reduction_text);
  const auto portable = compiled("reduction", reduction_text, "portable");
  const auto reduce = [&](const emulator::Program& program) {
    run(program, blocks, block, static_cast<const double*>(x.data()), sums.data());
  };
  const auto seconds =
      smallest_seconds({.name = "block reduction",
                        .unit = "block",
                        .rivals = {{"in place", [&] { reduce(*in_place); }}, {"portable", [&] { reduce(*portable); }}}},
                       40);
  print_number("sum of 256 threads with nine barriers", 1e6 * seconds[0] / blocks, "us a block", "");
  print_times("its speed, of the portable switch's", seconds[1] / seconds[0], "at least 5");
}

void checks() {
  constexpr int n = 100'000;
  const DeviceArray x(n, 0.25), y(n, 0.5);
  const auto push = compiled("push", push_text);
  const auto all = emulator::with({.checks = emulator::all_checks()});
  const auto seconds = smallest_seconds(
      {.name = "checked push",
       .unit = "launch",
       .rivals = {{"checked", [&] { run(*push, (n + block - 1) / block, block, n, 1e-3, 1.0, x.data(), y.data()); }}}},
      40);
  print_number("push under all checks, per thread", 1e9 * seconds[0] / n, "ns", "at most 60");
}

double wall_seconds_of(const emulator::Program& program, const DeviceArray& sums, unsigned threads) {
  const auto workers = emulator::with({.threads = threads});
  const auto start = std::chrono::steady_clock::now();
  run(program, 2, block, 20'000, sums.data());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void parallel_blocks() {
  const DeviceArray sums(std::size_t{2} * block, 0.0);
  const auto program = compiled("barriers", barriers_text);
  double one = std::numeric_limits<double>::infinity(), two = one;
  for (int round = 0; round < 20; ++round) {
    one = std::min(one, wall_seconds_of(*program, sums, 1));
    two = std::min(two, wall_seconds_of(*program, sums, 2));
  }
  print_times("two blocks on two OS threads, speed of one's", one / two, "at least 1.7");
}

double children_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Of a text that was never compiled before; the first of the rounds precompiles the emulator's headers.
void compilation(const char* name, const char* text) {
  double wall = std::numeric_limits<double>::infinity(), cpu = wall;
  for (int round = 0; round < 12; ++round) {
    const std::string unique = fmt::format("{}// {}\n", text, round);
    const auto start = std::chrono::steady_clock::now();
    const double before = children_seconds() + mylos_perf::cpu_seconds();
    static_cast<void>(compiled(name, unique.c_str()));
    cpu = std::min(cpu, children_seconds() + mylos_perf::cpu_seconds() - before);
    wall = std::min(wall, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  print_number(fmt::format("compiling {}, CPU time", name), 1e3 * cpu, "ms", "at most 100");
  print_number(fmt::format("compiling {}, wall time", name), 1e3 * wall, "ms", "");
}

void compilations() {
  compilation("axpy", axpy_text);
  compilation("reduction", reduction_text);
}

struct Part {
  const char* name;
  void (*measure)();
};
constexpr Part parts[] = {
    {"loops", barrier_free_kernels}, {"meetings", meetings},        {"reduction", block_reduction}, {"checks", checks},
    {"parallel", parallel_blocks},   {"compilation", compilations},
};

// Whether there are parts of all these names.
bool are_known(const std::set<std::string>& names) {
  std::set<std::string> unknown = names;
  for (const Part& part : parts) unknown.erase(part.name);
  for (const std::string& name : unknown) fmt::print(stderr, "there is no part '{}' in emulator_perf.cpp\n", name);
  return unknown.empty();
}

}  // namespace

// Arguments: the parts to measure; all if there are none.
int main(int argc, char** argv) {
  const mylos_perf::OwnCache own;
  const mylos::Session session(argc, argv);
  const std::set<std::string> asked(argv + 1, argv + argc);
  if (!are_known(asked)) return 1;
  const auto alone = emulator::with({.threads = 1});
  fmt::print("## emulator\n\n| what | measured | target |\n|---|---|---|\n");
  for (const Part& part : parts) {
    if (asked.empty() || asked.contains(part.name)) part.measure();
  }
}
