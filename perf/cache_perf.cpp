// SPDX-License-Identifier: MIT
// How long the first kernels of a program take when an earlier process has compiled them.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/hash.hpp>
#include <mylos/emulator/compiler.hpp>
#include <mylos/jit/cache.hpp>
#include <mylos/jit/compiler.hpp>

#include "support/own_cache.hpp"

namespace mylos_perf {
namespace {

// Of a common size: a hundred lines of a port that includes the device headers and <cstdint>.
std::string text_of(const std::string& name) {
  std::string text = "#include <mylos/device.hpp>\n#include <cstdint>\n";
  text += "extern \"C\" __global__ void " + name + "(double a, const double* x, double* y, int n) {\n";
  text += "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n";
  for (int line = 0; line < 100; ++line)
    text += fmt::format("  y[i] = a * x[i] + y[i] * {}.0;  // line {}\n", line, line);
  return text + "}\n";
}

constexpr std::array names{"first", "second", "third"};
using Seconds = std::array<double, names.size()>;

// Wall times of the kernels' compilation one after the other, in a process of its own.
template <class Compile>
Seconds in_new_process(const Compile& compile) {
  std::array<int, 2> ends{};
  Seconds seconds{};
  if (::pipe(ends.data()) != 0) return seconds;
  const pid_t child = ::fork();
  if (child == 0) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto start = std::chrono::steady_clock::now();
      compile(names[i]);
      seconds[i] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    ::_exit(::write(ends[1], seconds.data(), sizeof seconds) == sizeof seconds ? 0 : 1);
  }
  if (::read(ends[0], seconds.data(), sizeof seconds) != sizeof seconds) seconds.fill(0);
  ::waitpid(child, nullptr, 0);
  ::close(ends[0]);
  ::close(ends[1]);
  return seconds;
}

template <class Compile>
void report(const char* who, const Compile& compile) {
  const Seconds cold = in_new_process(compile);
  Seconds warm;
  warm.fill(std::numeric_limits<double>::infinity());
  for (int round = 0; round < 30; ++round) {
    const Seconds now = in_new_process(compile);
    for (std::size_t i = 0; i < warm.size(); ++i) warm[i] = std::min(warm[i], now[i]);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::printf("| %s, %s kernel of a process | %.0f | %.2f |\n", who, names[i], cold[i] * 1e3, warm[i] * 1e3);
  }
}

void report_store(const std::filesystem::path& folder) {
  mylos::jit::Cache cache(folder);
  for (const std::size_t bytes : {30'000U, 1'000'000U}) {
    const std::string key = mylos::Hasher().add(std::to_string(bytes)).hex();
    cache.store(key, "bytes", std::string(bytes, 'x'));
    double smallest = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 200; ++round) {
      const auto start = std::chrono::steady_clock::now();
      if (!cache.load(key)) return;
      smallest = std::min(smallest, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::printf("| bytes alone, %zu kB | | %.3f |\n", bytes / 1000, smallest * 1e3);
  }
}

}  // namespace
}  // namespace mylos_perf

int main() {
  const mylos_perf::OwnCache own;
  std::printf("## The cache of compiled kernels\n\n| kernel | compiled, ms | from the cache, ms |\n|---|---|---|\n");
  mylos_perf::report("emulated device", [](const char* name) {
    static_cast<void>(mylos::emulator::compile({.text = mylos_perf::text_of(name), .name = name}));
  });
  // Nothing of this may happen in this process: a library that is loaded here would be there for all.
  mylos_perf::report("NVRTC", [](const char* name) {
    try {
      static_cast<void>(mylos::jit::NvrtcCompiler().compile(
          {.text = mylos_perf::text_of(name), .name = name, .architecture = "sm_90"}));
    } catch (const mylos::BackendError& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
  });
  mylos_perf::report_store(own.folder() / "bytes");
  return 0;
}
