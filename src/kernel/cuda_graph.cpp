// SPDX-License-Identifier: MIT
#include <mylos/kernel/cuda_graph.hpp>

#include <utility>
#include <vector>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/core/detail/engine.hpp>

#include "kernel/launch_recorder.hpp"

namespace mylos::inline MYLOS_ABI {
namespace detail {
namespace {

thread_local LaunchRecorder* recorder_of_thread = nullptr;

}  // namespace

LaunchRecorder::LaunchRecorder(const Device& stream) : stream_(stream) { recorder_of_thread = this; }
LaunchRecorder::~LaunchRecorder() { recorder_of_thread = nullptr; }
LaunchRecorder* LaunchRecorder::current() noexcept { return recorder_of_thread; }

void LaunchRecorder::add(const Call& call, const Launch& settings, const LaunchShape& shape,
                         const ParameterBlock& parameters, std::shared_ptr<const DeviceProgram> program) {
  if (settings.stream && *settings.stream != stream_) {
    throw LaunchError(fmt::format(
        "kernel '{}' is launched on another stream than the one that is captured: a graph is captured on one stream: "
        "leave Launch::stream away, or capture that stream",
        call.kernel));
  }
  std::vector<std::shared_ptr<const void>> views;
  for (const Argument& argument : call.arguments) {
    if (argument.type->is_view) views.push_back(argument.type->share(argument.object));
  }
  launches_.push_back({std::move(program), std::string(call.kernel), shape, parameters, std::move(views)});
}

}  // namespace detail

struct CudaGraph::State {
  State(std::vector<detail::RecordedLaunch> recorded, const Device& captured)
      : launches(std::move(recorded)), stream(captured) {
    if (launches.empty()) return;
    const bool on_gpu = detail::engine().backend() == Backend::cuda;
    graph = on_gpu ? detail::make_driver_graph(launches, stream) : detail::make_emulated_graph(launches);
  }

  std::vector<detail::RecordedLaunch> launches;
  Device stream;
  std::unique_ptr<const detail::DeviceGraph> graph;  // refers to the launches; null where there are none
};

CudaGraph::Recording::Recording(const Device& stream) : recorder_(std::make_unique<detail::LaunchRecorder>(stream)) {}
CudaGraph::Recording::~Recording() = default;

CudaGraph CudaGraph::Recording::finish() const {
  return CudaGraph(std::make_shared<const State>(recorder_->take(), recorder_->stream()));
}

CudaGraph::CudaGraph(std::shared_ptr<const State> state) : state_(std::move(state)) {}

void CudaGraph::launch() const { launch(state_->stream); }

void CudaGraph::launch(const Device& stream) const {
  if (detail::is_capturing()) detail::require_no_capture("the launch of a graph");
  if (state_->graph != nullptr) state_->graph->launch(stream);
}

std::size_t CudaGraph::size() const { return state_->launches.size(); }

}  // namespace mylos::inline MYLOS_ABI
