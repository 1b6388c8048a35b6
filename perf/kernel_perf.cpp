// SPDX-License-Identifier: MIT
// What Mylos adds to a kernel: its part of a call on the host and of a launch, reading signatures, compiling a catalog.
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <Kokkos_Core.hpp>
#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/core/session.hpp>
#include <mylos/jit/signature.hpp>
#include <mylos/kernel.hpp>

#include "support/interleaved.hpp"

namespace {

using mylos_perf::Row;

struct push {
  template <class X, class V>
  void operator()(std::int64_t i, const X& x, const V& v, double dt) const {
    x(i) += dt * v(i);
  }
};

void print_per_call(const Row& row) {
  const std::vector<double> seconds = mylos_perf::smallest_seconds(row, 30);
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    fmt::print("| {} | {} | {:.1f} | {:+.1f} |\n", row.name, row.rivals[i].name, 1e9 * seconds[i] / row.units,
               1e9 * (seconds[i] - seconds[0]) / row.units);
  }
}

// Over one element: what is left is the call itself.
void host_call() {
  const mylos::Kernel kernel("push", push{});
  const mylos::Kernel with_port(
      "push", push{},
      mylos::CudaKernel("extern \"C\" __global__ void push(double* x, const double* v, double dt) {}", "push"));
  const Kokkos::View<double*, mylos::HostSpace> x("x", 1);
  const Kokkos::View<double*, mylos::HostSpace> v("v", 1);
  constexpr int calls = 100'000;
  const double dt = 1e-3;
  print_per_call({.name = "host call, one element",
                  .units = calls,
                  .unit = "call",
                  .rivals = {{"Kokkos::parallel_for",
                              [&] {
                                for (int call = 0; call < calls; ++call) {
                                  Kokkos::parallel_for(
                                      "push", Kokkos::RangePolicy<Kokkos::IndexType<std::int64_t>>(0, 1),
                                      KOKKOS_LAMBDA(std::int64_t i) { push{}(i, x, v, dt); });
                                }
                              }},
                             {"Kernel",
                              [&] {
                                for (int call = 0; call < calls; ++call) kernel(x, v, dt);
                              }},
                             {"Kernel with a port",
                              [&] {
                                for (int call = 0; call < calls; ++call) with_port(x, v, dt);
                              }},
                             {"the same, a value is converted", [&] {
                                for (int call = 0; call < calls; ++call) with_port(x, v, 1);
                              }}}});
}

// Of no threads: everything is checked and packed, and nothing is launched.
void device_call() {
  const mylos::CudaKernel kernel(R"(
    #include <mylos/device/array.hpp>
    extern "C" __global__ void move(mylos::Array<double, 2> x, mylos::Array<double, 2> v, const double* field,
                                    const double* weight, double* sums, double dt, double box, int cells,
                                    long long markers, bool weighted) {}
  )",
                                 "move");
  const Kokkos::View<double**, mylos::DeviceSpace> x("x", 10, 3);
  const Kokkos::View<double**, mylos::DeviceSpace> v("v", 10, 3);
  const Kokkos::View<const double*, mylos::DeviceSpace> field = Kokkos::View<double*, mylos::DeviceSpace>("field", 8);
  const Kokkos::View<double*, mylos::DeviceSpace> weight("weight", 10);
  const Kokkos::View<double*, mylos::DeviceSpace> sums("sums", 4);
  constexpr int calls = 100'000;
  print_per_call({.name = "check and pack, ten arguments",
                  .units = calls,
                  .unit = "call",
                  .rivals = {{"CudaKernel of no threads", [&] {
                                for (int call = 0; call < calls; ++call) {
                                  kernel({.threads = 0}, x, v, field, weight, sums, 0.1, 1.0, 48, 10LL, true);
                                }
                              }}}});
}

std::string kernel_text(int number) {
  std::string text = fmt::format(
      "#include <mylos/device.hpp>\n/* kernel {0} */\nextern \"C\" __global__ void k{0}(\n"
      "    double a, const double* __restrict__ x,  // input\n    double* y, int n) {{\n",
      number);
  text += "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n";
  for (int line = 0; line < 20; ++line) text += fmt::format("  y[i] = a * x[i] + y[i] * {}.0;\n", line + number);
  return text + "}\n";
}

void signatures() {
  std::vector<std::string> texts;
  for (int number = 0; number < 1000; ++number) texts.push_back(kernel_text(number));
  std::size_t parameters = 0;
  const Row row = {.name = "signatures of 1000 texts",
                   .unit = "text",
                   .rivals = {{"jit::parse_signature", [&] {
                                 for (const std::string& text : texts) {
                                   const std::string name = mylos::jit::kernel_names(text).at(0);
                                   parameters += mylos::jit::parse_signature(text, name).parameters.size();
                                 }
                               }}}};
  fmt::print("\n{}: {:.1f} ms\n", row.name, 1e3 * mylos_perf::smallest_seconds(row, 5)[0]);
}

struct Nothing {
  void operator()(std::int64_t, double, const Kokkos::View<double*>&) const {}
};

// Wall time of compiling 32 kernels for the architecture (empty: for the emulated device) that no call before has had:
// what is compiled for the emulated device stays in the process.
double seconds_to_compile(const std::string& architecture, int jobs) {
  static int number = 0;
  std::vector<std::unique_ptr<mylos::Kernel<Nothing>>> kernels;
  std::vector<mylos::KernelInfo> infos;
  for (const int end = number + 32; number < end; ++number) {
    const std::string name = fmt::format("k{}", number);
    kernels.push_back(
        std::make_unique<mylos::Kernel<Nothing>>(name, Nothing{}, mylos::CudaKernel(kernel_text(number), name)));
    infos.emplace_back(kernels.back().get(), std::filesystem::path("kernels") / name);
  }
  const mylos::KernelCatalog catalog(std::move(infos));
  const auto start = std::chrono::steady_clock::now();
  static_cast<void>(catalog.compile_all({.arch = architecture, .jobs = jobs}));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The smallest of three, taking turns.
void compilation() {
  fmt::print("\n| 32 kernels compiled for | 1 job, s | 2 jobs, s | speed |\n|---|---|---|---|\n");
  for (const std::string architecture : {"", "sm_90"}) {
    try {
      double one = std::numeric_limits<double>::max(), two = one;
      for (int round = 0; round < 3; ++round) {
        one = std::min(one, seconds_to_compile(architecture, 1));
        two = std::min(two, seconds_to_compile(architecture, 2));
      }
      fmt::print("| {} | {:.2f} | {:.2f} | {:.2f} |\n", architecture.empty() ? "the emulated device" : architecture,
                 one, two, one / two);
    } catch (const mylos::BackendError& error) {
      fmt::print(stderr, "{}\n", error.what());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  ::setenv("MYLOS_CACHE", "0", 1);
  const mylos::Session session(argc, argv);
  mylos::set_backend(mylos::Backend::emulated);
  fmt::print("## kernel\n\n| what | rival | ns per call | more than the first |\n|---|---|---|---|\n");
  host_call();
  device_call();
  signatures();
  compilation();
}
