// SPDX-License-Identifier: MIT
#include <mylos/kernel/cuda_graph.hpp>

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/core/copy_events.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/kernel/debug.hpp>
#include <mylos/kernel/device_array.hpp>
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
  };
  for (const auto& [what, work] : cases) {
    EXPECT_TRUE(contains(refusal(work), {what, "in a capture of CudaGraph", "before or after the capture"})) << what;
  }
  EXPECT_TRUE(contains(refusal([&] { add({.stream = other}, x, 1.0, n); }), {"kernel 'add'", "another stream"}));
  expect_all(0);
}

TEST_F(CudaGraphs, AnExceptionOfTheFunctionEndsTheCapture) {
  EXPECT_EQ(thrown<std::runtime_error>([&] {
              static_cast<void>(CudaGraph::capture(Device(), [&] {
                add(x, 1.0, n);
                throw std::runtime_error("mine");
              }));
            }),
            "mine");
  add(x, 2.0, n);
  expect_all(2);
  const CudaGraph graph = CudaGraph::capture(Device(), [&] { add(x, 3.0, n); });
  EXPECT_EQ(graph.size(), 1U);
}

TEST_F(CudaGraphs, ARefusalThatIsCaughtLeavesTheRest) {
  const CudaGraph graph = CudaGraph::capture(Device(), [&] {
    add(x, 1.0, n);
    EXPECT_THROW(static_cast<void>(CudaGraph::capture(Device(), [] {})), mylos::LaunchError);
    EXPECT_THROW(Device().fence(), mylos::LaunchError);
    add(x, 2.0, n);
  });
  graph.launch();
  expect_all(3);
}

TEST_F(CudaGraphs, KeepTheirKernelsAlive) {
  const auto captured = [&] {
    CudaKernel kernel(text, "add");
    const CudaGraph graph = CudaGraph::capture(Device(), [&] { kernel(x, 1.0, n); });
    kernel.recompile();
    return graph;
  };
  captured().launch();
  expect_all(1);
}

TEST_F(CudaGraphs, HaveTheViewsOfTheCapture) {
  View view = x;
  Kokkos::View<double**, DeviceSpace> matrix("matrix", n, 3);
  const CudaGraph graph = CudaGraph::capture(Device(), [&] {
    add(view, 1.0, n);
    add(Kokkos::subview(matrix, Kokkos::ALL, 1), 2.0, n);
  });
  const auto column = Kokkos::subview(matrix, Kokkos::ALL, 1);
  matrix = {};
  Kokkos::resize(view, 2 * n);
  graph.launch();
  expect_all(1);
  EXPECT_EQ(mylos::to_host(view)(0), 0);
  EXPECT_EQ(mylos::to_host(column)(n - 1), 2);
}

// What a View does not own may be freed; where it is known, it is told before anything runs.
TEST_F(CudaGraphs, MissMemoryThatWasFreed) {
  using Unmanaged = Kokkos::View<double*, DeviceSpace, Kokkos::MemoryUnmanaged>;
  View owner("owner", n);
  const Unmanaged unmanaged(owner.data(), n);
  const CudaGraph graph = CudaGraph::capture(Device(), [&] {
    add(x, 1.0, n);
    add(unmanaged, 1.0, n);
  });
  graph.launch();
  EXPECT_EQ(mylos::to_host(owner)(0), 1);
  owner = {};
  EXPECT_TRUE(contains(thrown<mylos::SpaceError>([&] { graph.launch(); }),
                       {"kernel 'add'", "argument 1", "extents (100)", "parameter 'double* x'", "it was freed"}));
  expect_all(1);
  EXPECT_TRUE(contains(thrown<mylos::SpaceError>([&] { add(unmanaged, 1.0, n); }), {"'double* x'", "it was freed"}))
      << "as for a launch by itself";
}

TEST_F(CudaGraphs, TakeBundlesWithStructsOfViews) {
  const char* const grid_text = R"(
#include <mylos/device/array.hpp>
#include <mylos/device/index.hpp>
struct Grid { mylos::Array<double, 1> field; double plus; };
extern "C" __global__ void raise(Grid grid, long long n) { MYLOS_THREAD_1D(i, n); grid.field(i) += grid.plus; })";
  struct Grid {
    mylos::Array<double, 1> field;
    double plus;
  };
  double plus = 2;
  const auto grid = mylos::arguments([&] { return Grid{mylos::device_array<double, 1>(x), plus}; });
  const CudaKernel raise(grid_text, "raise");
  const CudaGraph graph = CudaGraph::capture(Device(), [&] { raise({.threads = n}, grid, n); });
  plus = 100;
  graph.launch();
  expect_all(2);
}

// ---- threads

TEST_F(CudaGraphs, HoldTheLaunchesOfTheirThreadOnly) {
  const View other("other", n);
  const auto capture = [&](const View& view) {
    return CudaGraph::capture(Device(), [&] {
      for (int launch = 0; launch < 50; ++launch) add(view, 1.0, n);
    });
  };
  std::optional<CudaGraph> of_other;
  std::thread thread([&] { of_other = capture(other); });
  const CudaGraph graph = capture(x);
  thread.join();
  const CudaGraph with_thread_inside = CudaGraph::capture(Device(), [&] {
    add(x, 1.0, n);
    std::thread([&] {
      add(other, 1000.0, n);
      Device().fence();
    }).join();
  });
  EXPECT_EQ(graph.size(), 50U);
  EXPECT_EQ(with_thread_inside.size(), 1U);
  EXPECT_EQ(mylos::to_host(other)(0), 1000);
  graph.launch();
  expect_all(50);
  of_other->launch();
  EXPECT_EQ(mylos::to_host(other)(n - 1), 1050);
}

TEST_F(CudaGraphs, AreLaunchedBySeveralThreads) {
  std::vector<View> views;
  std::vector<CudaGraph> graphs;
  for (int graph = 0; graph < 4; ++graph) {
    const View& view = views.emplace_back("view", n);
    graphs.push_back(CudaGraph::capture(Device(), [&] { add(view, graph, n); }));
  }
  {
    std::vector<std::jthread> threads;
    for (const CudaGraph& graph : graphs) {
      threads.emplace_back([&graph] {
        for (int launch = 0; launch < 10; ++launch) graph.launch();
      });
    }
  }
  for (std::size_t graph = 0; graph < 4; ++graph) EXPECT_EQ(mylos::to_host(views[graph])(n - 1), 10.0 * graph);
}

// ---- options of the kernels

TEST_F(CudaGraphs, LookForFiniteNumbersWhereTheirKernelsDo) {
  const CudaKernel finite(text, "add", {.check_finite = true});
  const CudaGraph graph = CudaGraph::capture(Device(), [&] {
    finite(x, 1.0, n);
    add(x, 1.0, n);
  });
  const mylos::CopyCounter counter;
  graph.launch();
  EXPECT_EQ(counter.counts().to_host, 1);
  expect_all(2);
  Kokkos::deep_copy(Kokkos::subview(x, 7), std::nan(""));
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { graph.launch(); }),
                       {"kernel 'add'", "argument 1", "'x'", "nan at (7)", "check_finite"}));
  EXPECT_EQ(mylos::to_host(x)(0), 3) << "what is behind it has not run";
}

TEST_F(CudaGraphs, AreCompiledForDebuggingWhereTheirKernelsAre) {
  const CudaKernel beyond(R"(
#include <mylos/device/array.hpp>
extern "C" __global__ void beyond(mylos::Array<double, 1> x, const double* where) { x((long long)*where) = 1; })",
                          "beyond", {.debug = true});
  const CudaGraph graph = CudaGraph::capture(Device(), [&] { beyond({.threads = 1, .block = 1}, x, factor); });
  graph.launch();
  Kokkos::deep_copy(factor, static_cast<double>(n));
  EXPECT_TRUE(contains(thrown<mylos::EmulationError>([&] { graph.launch(); }), {"beyond"}));
}

// The device of a process that computes on the host is the emulated one, or the GPU: graphs are for Views there.
TEST_F(CudaGraphs, AreOfTheDeviceWhateverTheBackend) {
  const mylos::ScopedBackend host(mylos::Backend::host);
  const CudaGraph graph = CudaGraph::capture(Device(), [&] { add(x, 1.0, n); });
  graph.launch();
  expect_all(1);
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
