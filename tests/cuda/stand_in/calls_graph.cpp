// SPDX-License-Identifier: MIT
// The stand-in's graphs: launches that are captured, and run when the graph is launched.
#include <memory>
#include <utility>

#include "cuda/stand_in/model.hpp"

using mylos::cuda::CaptureMode;
using mylos::cuda::GraphExecHandle;
using mylos::cuda::GraphHandle;
using stand_in::answer_in_context;
using stand_in::model;

STAND_IN_EXPORT Result cuStreamBeginCapture_v2(StreamHandle handle, CaptureMode mode) {
  return answer_in_context("cuStreamBeginCapture_v2", "", [&](CUctx_st& context) {
    CUstream_st* const stream = stand_in::stream_of(context, handle, "cuStreamBeginCapture_v2");
    if (stream == nullptr) return invalid_handle;
    const bool possible = handle != nullptr && !stream->is_captured && mode == CaptureMode::thread_local_;
    if (!possible) return model().violation("cuStreamBeginCapture_v2 where nothing can be captured");
    stream->is_captured = true;
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuStreamEndCapture(StreamHandle handle, GraphHandle* made) {
  return answer_in_context("cuStreamEndCapture", "", [&](CUctx_st& context) {
    CUstream_st* const stream = stand_in::stream_of(context, handle, "cuStreamEndCapture");
    if (stream == nullptr || !stream->is_captured) return model().violation("cuStreamEndCapture without a capture");
    stream->is_captured = false;
    auto graph = std::make_unique<CUgraph_st>(CUgraph_st{std::exchange(stream->graph, {})});
    *made = graph.get();
    context.graphs.emplace(graph.get(), std::move(graph));
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuGraphInstantiateWithFlags(GraphExecHandle* made, GraphHandle graph, unsigned long long flags) {
  return answer_in_context("cuGraphInstantiateWithFlags", "", [&](CUctx_st& context) {
    if (!context.graphs.contains(graph) || flags != 0) {
      return model().violation("cuGraphInstantiateWithFlags of no graph", invalid_handle);
    }
    auto executable = std::make_unique<CUgraphExec_st>(CUgraphExec_st{graph->work});
    *made = executable.get();
    context.executables.emplace(executable.get(), std::move(executable));
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuGraphLaunch(GraphExecHandle executable, StreamHandle handle) {
  return answer_in_context("cuGraphLaunch", "", [&](CUctx_st& context) {
    CUstream_st* const stream = stand_in::stream_of(context, handle, "cuGraphLaunch");
    if (stream == nullptr || !context.executables.contains(executable)) return invalid_handle;
    for (const Work& work : executable->work) stream->queue.push_back(work);
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuGraphDestroy(GraphHandle graph) {
  return answer_in_context("cuGraphDestroy", "", [&](CUctx_st& context) {
    if (context.graphs.erase(graph) == 1) return Result::success;
    return model().violation("cuGraphDestroy of no graph", invalid_handle);
  });
}

STAND_IN_EXPORT Result cuGraphExecDestroy(GraphExecHandle executable) {
  return answer_in_context("cuGraphExecDestroy", "", [&](CUctx_st& context) {
    if (context.executables.erase(executable) == 1) return Result::success;
    return model().violation("cuGraphExecDestroy of no graph", invalid_handle);
  });
}
