// SPDX-License-Identifier: MIT
// The stand-in's graphs: launches as nodes that wait for others, run when the graph is launched.
#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuda/stand_in/model.hpp"

using mylos::cuda::GraphExecHandle;
using mylos::cuda::GraphHandle;
using mylos::cuda::GraphNodeHandle;
using mylos::cuda::KernelNode;
using stand_in::answer_in_context;
using stand_in::model;

namespace {

bool has_node(const CUgraph_st& graph, const CUgraphNode_st* node) {
  return std::ranges::any_of(graph.nodes, [&](const auto& own) { return own.get() == node; });
}

// The nodes that a new one waits for: all of this graph, none twice.
bool are_dependencies(const CUgraph_st& graph, std::span<const GraphNodeHandle> nodes) {
  const std::set<GraphNodeHandle> different(nodes.begin(), nodes.end());
  return different.size() == nodes.size() &&
         std::ranges::all_of(nodes, [&](GraphNodeHandle node) { return has_node(graph, node); });
}

// An order that the graph allows, and the most unlike the one in which its nodes were made: of those that may run, the
// one made last. A dependency that is missing shows.
std::vector<Work> order_of(const CUgraph_st& graph) {
  std::vector<Work> work;
  std::set<const CUgraphNode_st*> placed;
  const auto may_run = [&](const std::unique_ptr<CUgraphNode_st>& node) {
    return !placed.contains(node.get()) &&
           std::ranges::all_of(node->after, [&](const CUgraphNode_st* before) { return placed.contains(before); });
  };
  while (work.size() < graph.nodes.size()) {
    const auto next = std::find_if(graph.nodes.rbegin(), graph.nodes.rend(), may_run);
    placed.insert(next->get());
    work.push_back((*next)->work);
  }
  return work;
}

/// Ends what a handle stands for.
template <class Handle>
Result end(CUctx_st& context, auto& alive, Handle handle, const std::string& call) {
  const auto found = alive.find(handle);
  if (found == alive.end()) return model().violation(call + " of no graph: destroyed twice?", invalid_handle);
  context.ended.push_back(std::move(found->second));
  alive.erase(found);
  return Result::success;
}

}  // namespace

STAND_IN_EXPORT Result cuGraphCreate(GraphHandle* made, unsigned flags) {
  return answer_in_context("cuGraphCreate", "", [&](CUctx_st& context) {
    if (flags != 0) return model().violation("cuGraphCreate with flags");
    auto graph = std::make_unique<CUgraph_st>();
    *made = graph.get();
    context.graphs.emplace(graph.get(), std::move(graph));
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuGraphAddKernelNode_v2(GraphNodeHandle* made, GraphHandle graph,
                                               const GraphNodeHandle* dependencies, std::size_t count,
                                               const KernelNode* asked) {
  const std::string call = "cuGraphAddKernelNode_v2";
  return answer_in_context(call, stand_in::symbol_of(asked->function), [&](CUctx_st& context) {
    if (!context.graphs.contains(graph)) return model().violation(call + " to no graph", invalid_handle);
    const std::span after(dependencies, count);
    if (!are_dependencies(*graph, after)) return model().violation(call + " behind nodes that the graph does not have");
    if (asked->kernel != nullptr || asked->context != nullptr) {
      return model().violation(call + " of a function and of a kernel of a library");
    }
    auto node = std::make_unique<CUgraphNode_st>();
    node->after.assign(after.begin(), after.end());
    const Result result = stand_in::launch_work(context, call, asked->function,
                                                {nullptr,
                                                 {asked->grid_x, asked->grid_y, asked->grid_z},
                                                 {asked->block_x, asked->block_y, asked->block_z},
                                                 asked->shared_bytes,
                                                 nullptr},
                                                asked->values, asked->extra, node->work);
    if (result != Result::success) return result;
    *made = node.get();
    graph->nodes.push_back(std::move(node));
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuGraphInstantiateWithFlags(GraphExecHandle* made, GraphHandle graph, unsigned long long flags) {
  return answer_in_context("cuGraphInstantiateWithFlags", "", [&](CUctx_st& context) {
    if (!context.graphs.contains(graph) || flags != 0) {
      return model().violation("cuGraphInstantiateWithFlags of no graph, or with flags", invalid_handle);
    }
    auto executable = std::make_unique<CUgraphExec_st>(CUgraphExec_st{order_of(*graph)});
    *made = executable.get();
    context.executables.emplace(executable.get(), std::move(executable));
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuGraphLaunch(GraphExecHandle executable, StreamHandle handle) {
  return answer_in_context("cuGraphLaunch", "", [&](CUctx_st& context) {
    CUstream_st* const stream = stand_in::stream_of(context, handle, "cuGraphLaunch");
    if (stream == nullptr) return invalid_handle;
    if (!context.executables.contains(executable)) {
      return model().violation("cuGraphLaunch of what the context does not have", invalid_handle);
    }
    for (const Work& work : executable->work) stream->add(work);
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuGraphDestroy(GraphHandle graph) {
  return answer_in_context("cuGraphDestroy", "",
                           [&](CUctx_st& context) { return end(context, context.graphs, graph, "cuGraphDestroy"); });
}

STAND_IN_EXPORT Result cuGraphExecDestroy(GraphExecHandle executable) {
  return answer_in_context("cuGraphExecDestroy", "", [&](CUctx_st& context) {
    return end(context, context.executables, executable, "cuGraphExecDestroy");
  });
}
