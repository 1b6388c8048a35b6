// SPDX-License-Identifier: MIT
#include <mylos/kernel/cuda_graph.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <mylos/base/log.hpp>

#include "core/cuda_device.hpp"
#include "cuda/graph.hpp"
#include "kernel/launch_recorder.hpp"

namespace mylos::inline MYLOS_ABI {
namespace {

bool is_any_watched(const std::vector<detail::RecordedLaunch>& launches) {
  return std::ranges::any_of(launches, &detail::RecordedLaunch::is_watched);
}

// Null where each launch has to be one by itself.
std::unique_ptr<const cuda::Graph> driver_graph(const std::vector<detail::RecordedLaunch>& launches) {
  if (launches.empty() || is_any_watched(launches)) return nullptr;
  std::vector<cuda::GraphLaunch> together;
  together.reserve(launches.size());
  for (const detail::RecordedLaunch& one : launches) together.push_back(one.on_gpu());
  if (together.front().kernel == nullptr) return nullptr;
  return std::make_unique<const cuda::Graph>(detail::cuda_context(), together);
}

}  // namespace

struct CudaGraph::State {
  State(std::vector<detail::RecordedLaunch> recorded, Device captured)
      : launches(std::move(recorded)), stream(std::move(captured)), graph(driver_graph(launches)) {}

  const std::vector<detail::RecordedLaunch> launches;
  const Device stream;
  const std::unique_ptr<const cuda::Graph> graph;
};

CudaGraph::Recording::Recording(const Device& stream) : recorder_(std::make_unique<detail::LaunchRecorder>(stream)) {}
CudaGraph::Recording::~Recording() = default;

CudaGraph CudaGraph::Recording::finish() const {
  return CudaGraph(std::make_shared<const State>(recorder_->take(), recorder_->stream()));
}

CudaGraph::CudaGraph(std::shared_ptr<const State> state) : state_(std::move(state)) {}

void CudaGraph::launch() const { launch(state_->stream); }

void CudaGraph::launch(const Device& stream) const {
  const auto& [launches, captured, graph] = *state_;
  detail::require_no_capture("the launch of a graph");
  for (const detail::RecordedLaunch& one : launches) one.require_memory();
  if (graph == nullptr || is_any_watched(launches)) {
    for (const detail::RecordedLaunch& one : launches) one.run(stream);
    return;
  }
  if (log::enabled(log::Level::debug)) log::debug(fmt::format("a graph of {} launches: launched", launches.size()));
  graph->launch(*detail::cuda_context(), detail::cuda_stream(stream));
}

std::size_t CudaGraph::size() const { return state_->launches.size(); }

}  // namespace mylos::inline MYLOS_ABI
