// SPDX-License-Identifier: MIT
#include <mylos/kernel/cuda_graph.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/core/copy_events.hpp>
#include <mylos/kernel/implementations.hpp>
#include <mylos/kernel/kernel.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::CudaGraph;
using mylos::CudaKernel;
using mylos::Device;
using mylos::DeviceSpace;
using View = Kokkos::View<double*, DeviceSpace>;

constexpr std::size_t n = 100;

const std::string text = R"(
extern "C" __global__ void add(double* x, double a, long long n) {
  const long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += a;
}
extern "C" __global__ void scale(double* x, const double* factor, long long n) {
  const long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= *factor;
})";

class CudaGraphs : public ::testing::Test {
 protected:
  void expect_all(double value) const {
    const auto host = mylos::to_host(x);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(host(i), value) << i;
  }
  /// What is thrown when this is captured.
  std::string refusal(const std::function<void()>& work) const {
    std::string message = thrown<mylos::LaunchError>([&] { static_cast<void>(CudaGraph::capture(Device(), work)); });
    Device().fence("the thread captures no more");
    return message;
  }

  const CudaKernel add{text, "add"}, scale{text, "scale"};
  const View x{"x", n};
  const Kokkos::View<double, DeviceSpace> factor{"factor"};
};

TEST_F(CudaGraphs, RunWhatWasCapturedInItsOrder) {
  Kokkos::deep_copy(factor, 2.0);
  const CudaGraph graph = CudaGraph::capture(Device(), [&] {
    add(x, 1.0, n);
    scale({.threads = n, .block = 32}, x, factor, n);
    add({.threads = 0}, x, 1000.0, n);
  });
  expect_all(0);  // nothing has run
  EXPECT_EQ(graph.size(), 2U);
  for (int launch = 0; launch < 3; ++launch) graph.launch();
  expect_all(14);  // 2 (2 (2 (0 + 1) + 1) + 1)
}

TEST_F(CudaGraphs, HaveTheArgumentsOfTheCaptureAndReadViewsWhenTheyRun) {
  double a = 3;
  const auto made = mylos::arguments([&a] { return a; });
  const CudaGraph graph = CudaGraph::capture(Device(), [&] {
    add(x, made, n);
    scale({.threads = n}, x, factor, n);
  });
  a = 1e9;
  Kokkos::deep_copy(factor, 10.0);
  graph.launch();
  expect_all(30);
  Kokkos::deep_copy(factor, 0.5);
  graph.launch();
  expect_all(16.5);
}

TEST_F(CudaGraphs, KeepTheirViewsAlive) {
  std::optional<CudaGraph> graph;
  {
    const Kokkos::View<double, DeviceSpace> inner("inner");
    Kokkos::deep_copy(inner, 5.0);
    graph = CudaGraph::capture(Device(), [&] {
      add(x, 1.0, n);
      scale({.threads = n}, x, inner, n);
    });
  }
  const Kokkos::View<double[64], DeviceSpace> other("takes the place of inner, were it free");
  Kokkos::deep_copy(other, -1.0);
  const CudaGraph copy = *graph;
  graph.reset();
  copy.launch();
  expect_all(5);
}

struct Add {
  void operator()(std::int64_t i, const auto& to, double a, std::int64_t /*n*/) const { to(i) += a; }
};

TEST_F(CudaGraphs, CaptureLaunchesOfKernelsWithPorts) {
  const mylos::Kernel<Add> kernel("add", Add{}, add);
  const Device stream = Kokkos::Experimental::partition_space(Device(), 1)[0];
  const CudaGraph graph = CudaGraph::capture(stream, [&] {
    kernel(x, 1.0, n);
    kernel({.stream = stream}, x, 1.0, n);
  });
  graph.launch();
  graph.launch(Device());
  expect_all(4);

  const Kokkos::View<double*, mylos::HostSpace> on_host("on_host", n);
  EXPECT_TRUE(contains(refusal([&] { kernel(on_host, 1.0, n); }), {"the functor of kernel 'add'"}));
  const mylos::ScopedHostImplementation port("port_on_host");
  EXPECT_TRUE(contains(refusal([&] { kernel(on_host, 1.0, n); }), {"kernel 'add' on Views of the host"}));
  EXPECT_EQ(on_host(0), 0);
}

TEST_F(CudaGraphs, OfNothingDoNothing) {
  const CudaGraph graph = CudaGraph::capture(Device(), [] {});
  EXPECT_EQ(graph.size(), 0U);
  graph.launch();
}

TEST_F(CudaGraphs, ArgumentsAreCheckedWhenTheyAreCaptured) {
  const Kokkos::View<float*, DeviceSpace> floats("floats", n);
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>(
                           [&] { static_cast<void>(CudaGraph::capture(Device(), [&] { add(floats, 1.0, n); })); }),
                       {"'floats'"}));
  add(x, 1.0, n);
  expect_all(1);  // it runs: nothing is captured any more
}

TEST_F(CudaGraphs, RefuseWhatTheyCannotHold) {
  const CudaGraph graph = CudaGraph::capture(Device(), [&] { add(x, 1.0, n); });
  const View y("y", n);
  const auto host = Kokkos::create_mirror_view(x);
  const Device other = Kokkos::Experimental::partition_space(Device(), 1)[0];
  const CudaKernel finite(text, "add", {.check_finite = true});
  const std::pair<std::string, std::function<void()>> cases[] = {
      {"a wait ('my fence')", [&] { Device().fence("my fence"); }},
      {"a wait ('all')", [] { Kokkos::fence("all"); }},
      {"a wait ('Kokkos::deep_copy", [&] { Kokkos::deep_copy(host, x); }},
      {"a copy of 800 bytes", [&] { Kokkos::deep_copy(Device(), host, x); }},
      {"a copy of 800 bytes", [&] { Kokkos::deep_copy(Device(), y, x); }},
      {"a fill of 'x'", [&] { Kokkos::deep_copy(Device(), x, 1.0); }},
      {"an allocation of 'fresh'", [] { const View fresh("fresh", 3); }},
      {"another capture", [&] { static_cast<void>(CudaGraph::capture(Device(), [] {})); }},
      {"the launch of a graph", [&] { graph.launch(); }},
      {"kernel 'add' with check_finite", [&] { finite(x, 1.0, n); }},
  };
  for (const auto& [what, work] : cases) {
    EXPECT_TRUE(contains(refusal(work), {what, "in a capture of CudaGraph", "before or after the capture"})) << what;
  }
  EXPECT_TRUE(contains(refusal([&] { add({.stream = other}, x, 1.0, n); }), {"kernel 'add'", "another stream"}));
  expect_all(0);
}

TEST_F(CudaGraphs, ReplaysCopyNothing) {
  const CudaGraph graph = CudaGraph::capture(Device(), [&] { add(x, 1.0, n); });
  const mylos::CopyCounter counter;
  graph.launch();
  EXPECT_EQ(counter.counts().to_host + counter.counts().to_device + counter.counts().device_copy, 0);
  EXPECT_EQ(counter.counts().sync, 0);
}

}  // namespace
}  // namespace mylos_test
