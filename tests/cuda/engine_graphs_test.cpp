// SPDX-License-Identifier: MIT
// Graphs of launches, made and launched by the driver.
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <mylos/base/error.hpp>
#include <mylos/kernel.hpp>

#include "cuda/engine.hpp"
#include "kernel/own_process.hpp"
#include "support/scoped_variable.hpp"
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
  /// x becomes 2 (x + 1).
  [[nodiscard]] CudaGraph captured(const CudaKernel& first, const Device& stream = {}) const {
    return CudaGraph::capture(stream, [&] {
      first({.threads = 10, .block = 10}, x, 1.0);
      twice({.threads = 10, .block = 10}, x);
    });
  }
  [[nodiscard]] CudaGraph captured(const Device& stream = {}) const { return captured(add, stream); }

  void expect_no_graph_is_left() const {
    EXPECT_EQ(stand_in.count("cuGraphCreate"), stand_in.count("cuGraphDestroy"));
    EXPECT_EQ(stand_in.count("cuGraphInstantiateWithFlags"), stand_in.count("cuGraphExecDestroy"));
  }

  const CudaKernel add{text, "add"}, twice{text, "twice"};
  const OnDevice<double*> x{"x", 10};
};

TEST_F(EngineGraphs, AreMadeOfOneNodeForEachLaunch) {
  const CudaGraph graph = captured();
  Kokkos::fence();
  EXPECT_EQ(stand_in.count("cuGraphAddKernelNode_v2 add"), 1);
  EXPECT_EQ(stand_in.count("cuGraphAddKernelNode_v2 twice"), 1);
  EXPECT_EQ(stand_in.count("cuLaunchKernel"), 0);
  expect_all(on_host(x), 0.0);
}

// The stand-in runs nodes in another order wherever their dependencies allow it.
TEST_F(EngineGraphs, AreLaunchedByOneCallInTheirOrder) {
  const CudaGraph graph = captured();
  stand_in.forget();
  for (int launch = 0; launch < 3; ++launch) graph.launch();
  EXPECT_EQ(stand_in.count("cuGraphLaunch"), 3);
  EXPECT_EQ(stand_in.count("cuLaunchKernel"), 0);
  EXPECT_EQ(stand_in.count("cuStreamSynchronize"), 0);
  EXPECT_EQ(stand_in.count("cuCtxSynchronize"), 0);
  expect_all(on_host(x), 14.0);
}

TEST_F(EngineGraphs, OfManyLaunchesKeepTheirOrder) {
  const CudaGraph graph = CudaGraph::capture(Device(), [&] {
    for (int n = 0; n < 20; ++n) {
      add({.threads = 10, .block = 10}, x, n);
      twice({.threads = 10, .block = 10}, x);
    }
  });
  double expected = 0;
  for (int n = 0; n < 20; ++n) expected = 2 * (expected + n);
  graph.launch();
  expect_all(on_host(x), expected);
}

TEST_F(EngineGraphs, AreLoggedWhenTheyAreLaunched) {
  const CudaGraph graph = captured();
  const Logged logged(mylos::log::Level::debug);
  graph.launch();
  EXPECT_TRUE(contains(logged.text(), {"a graph of 2 launches: launched"}));
  const mylos::ScopedDebug debug(true);
  graph.launch();
  EXPECT_TRUE(contains(logged.text(), {"kernel 'add': launched", "kernel 'twice': launched"}));
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

TEST_F(EngineGraphs, GoToStreamsOfOthers) {
  OtherLibrary other(stand_in);
  CUstream_st* const stream = other.create_stream();
  const CudaGraph graph = captured(Device(stream));
  graph.launch();
  other.wait(stream);
  expect_all(on_host(x), 2.0);
  EXPECT_EQ(other.current(), other.context()) << "what was current is so again";
}

// ---- lifetimes

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

TEST_F(EngineGraphs, MayEndWhileTheyRun) {
  {
    const CudaGraph graph = captured();
    graph.launch();
  }
  expect_no_graph_is_left();
  expect_all(on_host(x), 2.0);
}

TEST_F(EngineGraphs, KeepTheirKernels) {
  std::optional<CudaGraph> graph;
  {
    CudaKernel kernel(text, "add");
    graph = captured(kernel);
    kernel.recompile();
  }
  EXPECT_EQ(stand_in.count("cuModuleUnload"), 0);
  graph->launch();
  expect_all(on_host(x), 2.0);
  graph.reset();
  EXPECT_EQ(stand_in.count("cuModuleUnload"), 1);
}

TEST_F(EngineGraphs, KeepTheirViews) {
  const CudaGraph graph = [&] {
    const OnDevice<double*> inner("inner", 10);
    return CudaGraph::capture(Device(), [&] { add({.threads = 10, .block = 10}, inner, 1.0); });
  }();
  EXPECT_EQ(stand_in.count("cuMemFree_v2"), 0);
  graph.launch();
  Kokkos::fence();
}

TEST_F(EngineGraphs, MissMemoryThatOthersFreed) {
  OtherLibrary other(stand_in);
  const Foreign<double*> foreign(other.allocate<double>(10), 10);
  Kokkos::deep_copy(foreign, 0.0);
  const CudaGraph graph = CudaGraph::capture(Device(), [&] {
    add({.threads = 10, .block = 10}, x, 1.0);
    add({.threads = 10, .block = 10}, foreign, 1.0);
  });
  graph.launch();
  Kokkos::fence();
  other.free_last();
  EXPECT_TRUE(contains(thrown<mylos::SpaceError>([&] { graph.launch(); }),
                       {"kernel 'add'", "argument 1", "parameter 'double* x'", "it was freed"}));
  expect_all(on_host(x), 1.0);  // nothing ran
}

// ---- threads

// Other threads use the driver as they like while one captures, and capture themselves.
TEST_F(EngineGraphs, AreCapturedByThreadsOfTheirOwn) {
  constexpr int threads = 3, rounds = 5;
  std::vector<OnDevice<double*>> views;
  for (int n = 0; n < threads; ++n) views.emplace_back("view", 10);
  const auto work = [&](const OnDevice<double*>& view) {
    for (int round = 0; round < rounds; ++round) {
      const CudaGraph graph = CudaGraph::capture(Device(), [&] {
        std::thread([] {
          const OnDevice<int*> unrelated("unrelated", 5);
          Kokkos::deep_copy(Device(), unrelated, 1);
          Device().fence();
        }).join();
        add({.threads = 10, .block = 10}, view, 1.0);
        twice({.threads = 10, .block = 10}, view);
      });
      EXPECT_EQ(graph.size(), 2U);
      graph.launch();
    }
  };
  std::vector<std::thread> running;
  for (const auto& view : views) running.emplace_back(work, std::cref(view));
  for (std::thread& thread : running) thread.join();
  for (const auto& view : views) expect_all(on_host(view), 62.0);  // 2 (2 (2 (2 (2 + 1) + ...
  expect_no_graph_is_left();
}

TEST_F(EngineGraphs, AreLaunchedByManyThreads) {
  const CudaGraph graph = CudaGraph::capture(Device(), [&] { add({.threads = 10, .block = 10}, x, 1.0); });
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n) {
    threads.emplace_back([&] {
      for (int repeat = 0; repeat < 25; ++repeat) graph.launch();
    });
  }
  for (std::thread& thread : threads) thread.join();
  expect_all(on_host(x), 100.0);
}

// ---- limits and errors

TEST_F(EngineGraphs, ErrorsLeaveNothing) {
  static_cast<void>(captured());  // compiles
  for (const auto& [call, nth] :
       {std::pair("cuGraphCreate", 1), std::pair("cuGraphAddKernelNode_v2", 1), std::pair("cuGraphAddKernelNode_v2", 2),
        std::pair("cuGraphInstantiateWithFlags", 1)}) {
    stand_in.forget();
    stand_in.fail(call, 1, nth);
    const std::string message = thrown<mylos::CudaError>([&] { static_cast<void>(captured()); });
    EXPECT_TRUE(contains(message, {call, "CUDA_ERROR_INVALID_VALUE"})) << nth;
    if (nth == 2) {
      EXPECT_TRUE(contains(message, {"kernel 'twice'"}));
    }
    const bool was_made = std::string_view(call) != "cuGraphCreate";
    EXPECT_EQ(stand_in.count("cuGraphDestroy"), was_made ? 1 : 0) << call;
    add({.threads = 10, .block = 10}, x, 0.0);  // runs: nothing is captured any more
    Device().fence();
    EXPECT_EQ(stand_in.count("cuLaunchKernel add"), 1);
  }
}

TEST_F(EngineGraphs, ExceptionsMakeNoGraph) {
  static_cast<void>(captured());
  stand_in.forget();
  EXPECT_EQ(thrown<std::runtime_error>([&] {
              static_cast<void>(CudaGraph::capture(Device(), [&] {
                add({.threads = 10, .block = 10}, x, 1.0);
                throw std::runtime_error("mine");
              }));
            }),
            "mine");
  EXPECT_EQ(stand_in.count("cuGraph"), 0);
  add({.threads = 10, .block = 10}, x, 3.0);
  expect_all(on_host(x), 3.0);
}

TEST_F(EngineGraphs, FailingLaunchesAreToldAndPass) {
  const CudaGraph graph = captured();
  stand_in.fail("cuGraphLaunch", 1);
  EXPECT_TRUE(contains(thrown<mylos::CudaError>([&] { graph.launch(); }), {"cuGraphLaunch failed"}));
  graph.launch();
  expect_all(on_host(x), 2.0);
}

TEST_F(EngineGraphs, HaveTheLimitsOfTheirKernels) {
  const ScopedVariable few("STAND_IN_MAX_THREADS", "256");
  const CudaKernel kernel(text, "add");
  EXPECT_TRUE(contains(thrown<mylos::LaunchError>([&] {
                         static_cast<void>(
                             CudaGraph::capture(Device(), [&] { kernel({.threads = 10, .block = 512}, x, 1.0); }));
                       }),
                       {"kernel 'add'", "a block of 512 threads", "at most 256"}));
  EXPECT_TRUE(contains(thrown<mylos::LaunchError>([&] {
                         static_cast<void>(CudaGraph::capture(Device(), [&] {
                           kernel({.threads = 10, .block = 10, .shared_bytes = 300 * 1024}, x, 1.0);
                         }));
                       }),
                       {"kernel 'add'", "307200 bytes", "232448"}));
  expect_no_graph_is_left();
}

TEST_F(EngineGraphs, AskForTheSharedMemoryThatTheyNeed) {
  // More than the emulator has: what it runs is not the text.
  stand_in.set_body("add",
                    [](void*, const stand_in::Launched& launch) { return launch.shared_bytes == 60000 ? 0 : 719; });
  const CudaGraph graph =
      CudaGraph::capture(Device(), [&] { add({.threads = 10, .block = 10, .shared_bytes = 60000}, x, 1.0); });
  graph.launch();
  Kokkos::fence();
  EXPECT_EQ(stand_in.count("cuFuncSetAttribute 60000"), 1);
}

// What cannot be ended is logged: destructors do not throw.
TEST_F(EngineGraphs, DISABLED_EndingsAreLoggedWhenTheyFail) {
  static_cast<void>(captured());
  for (const char* call : {"cuGraphDestroy", "cuGraphExecDestroy"}) {
    const Logged logged;
    stand_in.fail(call, 1);
    static_cast<void>(captured());
    EXPECT_TRUE(contains(logged.text(), {call, "CUDA_ERROR_INVALID_VALUE"}));
  }
  end_alone();  // what was not given back is missed at a regular end
}

TEST_F(EngineGraphs, EndingsAreLoggedWhenTheyFail) {
  EXPECT_EQ(run_alone("EngineGraphs.DISABLED_EndingsAreLoggedWhenTheyFail", "MYLOS_LOG", "error"), passed_alone);
}

TEST_F(EngineGraphs, DISABLED_FaultsNameThem) {
  const CudaGraph graph = captured();
  stand_in.set_body("add", [](void*, const stand_in::Launched&) { return 700; });
  graph.launch();
  EXPECT_TRUE(
      contains(thrown<mylos::CudaError>([] { Device().fence(); }),
               {"CUDA_ERROR_ILLEGAL_ADDRESS", "twice (the last of 2 launches of a graph)", "block 10 x 1 x 1"}));
  EXPECT_THROW(graph.launch(), mylos::CudaError) << "it stays";
  end_alone();
}

TEST_F(EngineGraphs, FaultsNameThem) {
  EXPECT_EQ(run_alone("EngineGraphs.DISABLED_FaultsNameThem", "MYLOS_LOG", "error"), passed_alone);
}

// ---- debugging

/// Launches of kernels that are waited for and looked at, are so in a graph too.
class EngineWatchedGraphs : public EngineGraphs {
 protected:
  void expect_one_by_one(const CudaGraph& graph, int waits) const {
    stand_in.forget();
    graph.launch();
    EXPECT_EQ(stand_in.count("cuGraphLaunch"), 0);
    EXPECT_EQ(stand_in.count("cuLaunchKernel add"), 1);
    EXPECT_EQ(stand_in.count("cuLaunchKernel twice"), 1);
    EXPECT_EQ(stand_in.count("cuStreamSynchronize"), waits);
    expect_all(on_host(x), 2.0);
  }
};

TEST_F(EngineWatchedGraphs, WaitAfterKernelsThatAreDebugged) {
  const CudaKernel kernel(text, "add", {.debug = true});
  stand_in.forget();
  const CudaGraph graph = captured(kernel);
  EXPECT_EQ(stand_in.count("cuStreamSynchronize"), 0) << "nothing is waited for in a capture";
  expect_one_by_one(graph, 1);
}

TEST_F(EngineWatchedGraphs, WaitAfterEachLaunchWhereAllIsDebugged) {
  const CudaGraph graph = captured();
  const mylos::ScopedDebug debug(true);
  expect_one_by_one(graph, 2);
}

TEST_F(EngineWatchedGraphs, CapturedWhileDebuggingRunAfterwardsToo) {
  const CudaGraph graph = [&] {
    const mylos::ScopedDebug debug(true);
    return captured();
  }();
  expect_one_by_one(graph, 0);
}

TEST_F(EngineWatchedGraphs, LookForFiniteNumbers) {
  const CudaKernel kernel(text, "add", {.check_finite = true});
  const CudaGraph graph = captured(kernel);
  graph.launch();
  expect_all(on_host(x), 2.0);
  Kokkos::deep_copy(x, std::nan(""));
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { graph.launch(); }),
                       {"kernel 'add'", "argument 1", "'x'", "nan at (0)", "check_finite"}));
}

TEST_F(EngineWatchedGraphs, DISABLED_FaultsNameTheirKernel) {
  const CudaGraph graph = captured();
  stand_in.set_body("add", [](void*, const stand_in::Launched&) { return 719; });
  const mylos::ScopedDebug debug(true);
  EXPECT_TRUE(contains(thrown<mylos::CudaError>([&] { graph.launch(); }),
                       {"CUDA_ERROR_LAUNCH_FAILED", "'add' (grid 1 x 1 x 1, block 10 x 1 x 1)"}));
  end_alone();
}

TEST_F(EngineWatchedGraphs, FaultsNameTheirKernel) {
  EXPECT_EQ(run_alone("EngineWatchedGraphs.DISABLED_FaultsNameTheirKernel", "MYLOS_LOG", "error"), passed_alone);
}

}  // namespace
}  // namespace mylos_test
