// SPDX-License-Identifier: MIT
// Graphs of launches, captured and launched by the driver.
#include <optional>
#include <string>

#include <mylos/base/error.hpp>
#include <mylos/kernel.hpp>

#include "cuda/engine.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::CudaGraph;
using mylos::CudaKernel;

const std::string text = R"(
extern "C" __global__ void add(double* x, double a) { x[threadIdx.x] += a; }
extern "C" __global__ void twice(double* x) { x[threadIdx.x] *= 2; })";

class EngineGraphs : public EngineTest {
 protected:
  EngineGraphs() {
    run_on_emulator(stand_in, "add", text, "add");
    run_on_emulator(stand_in, "twice", text, "twice");
  }
  [[nodiscard]] CudaGraph captured(const Device& stream = {}) const {
    return CudaGraph::capture(stream, [&] {
      add({.threads = 10, .block = 10}, x, 1.0);
      twice({.threads = 10, .block = 10}, x);
    });
  }

  const CudaKernel add{text, "add"}, twice{text, "twice"};
  const OnDevice<double*> x{"x", 10};
};

TEST_F(EngineGraphs, AreLaunchedByOneCall) {
  const CudaGraph graph = captured();
  Kokkos::fence();
  expect_all(on_host(x), 0.0);
  stand_in.forget();
  for (int launch = 0; launch < 3; ++launch) graph.launch();
  EXPECT_EQ(stand_in.count("cuGraphLaunch"), 3);
  EXPECT_EQ(stand_in.count("cuLaunchKernel"), 0);
  EXPECT_EQ(stand_in.count("cuStreamSynchronize"), 0);
  expect_all(on_host(x), 14.0);
}

TEST_F(EngineGraphs, GoToTheStreamThatIsAskedFor) {
  const auto streams = Kokkos::Experimental::partition_space(Device(), 1, 1);
  const CudaGraph graph = captured(streams[0]);
  graph.launch();
  streams[0].fence();
  const OnHost<double*> host("host", 10);
  Kokkos::deep_copy(streams[1], host, x);
  streams[1].fence();
  expect_all(host, 2.0);
  graph.launch(streams[1]);
  Kokkos::deep_copy(streams[1], host, x);
  streams[1].fence();
  expect_all(host, 6.0);
}

TEST_F(EngineGraphs, EndWithTheirObjects) {
  std::optional<CudaGraph> graph = captured();
  const CudaGraph copy = *graph;  // NOLINT(performance-unnecessary-copy-initialization): shares what was captured
  EXPECT_EQ(stand_in.count("cuGraphDestroy"), 1) << "only its executable is kept";
  graph.reset();
  EXPECT_EQ(stand_in.count("cuGraphExecDestroy"), 0);
  copy.launch();
  Kokkos::fence();
  expect_all(on_host(x), 2.0);
}

TEST_F(EngineGraphs, ErrorsEndTheCapture) {
  static_cast<void>(captured());  // compiles
  for (const char* call : {"cuStreamBeginCapture_v2", "cuLaunchKernel", "cuGraphInstantiateWithFlags"}) {
    stand_in.fail(call, 1);
    EXPECT_TRUE(contains(thrown<mylos::CudaError>([&] { static_cast<void>(captured()); }), {call})) << call;
    add({.threads = 10, .block = 10}, x, 0.0);
    Device().fence();
  }
  const CudaGraph graph = captured();
  stand_in.fail("cuGraphLaunch", 1);
  EXPECT_TRUE(contains(thrown<mylos::CudaError>([&] { graph.launch(); }), {"cuGraphLaunch failed"}));
  graph.launch();
  expect_all(on_host(x), 2.0);
}

TEST_F(EngineGraphs, AreWaitedForWhenDebugging) {
  const mylos::ScopedDebug debug(true);
  stand_in.forget();
  const CudaGraph graph = captured();
  EXPECT_EQ(stand_in.count("cuStreamSynchronize"), 0) << "nothing is waited for in a capture";
  graph.launch();
  EXPECT_EQ(stand_in.count("cuStreamSynchronize"), 1);
}

}  // namespace
}  // namespace mylos_test
