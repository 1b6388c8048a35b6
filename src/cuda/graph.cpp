// SPDX-License-Identifier: MIT
#include "cuda/graph.hpp"

#include <type_traits>

#include <fmt/format.h>

namespace mylos::inline MYLOS_ABI::cuda {
namespace {

GraphExecHandle executable(const Context& context, std::span<const GraphLaunch> launches) {
  const Current current(context);
  const Driver& driver = context.driver();
  const auto destroy = [&driver](GraphHandle graph) { or_log(driver, [&] { driver.destroy(graph); }); };
  const std::unique_ptr<std::remove_pointer_t<GraphHandle>, decltype(destroy)> graph(driver.create_graph(), destroy);
  GraphNodeHandle last = nullptr;
  for (const auto& [kernel, config, parameters] : launches) {
    last = kernel->add_to(graph.get(), last, context, config, parameters);
  }
  return driver.instantiate(graph.get());
}

}  // namespace

Graph::Graph(const std::shared_ptr<Context>& context, std::span<const GraphLaunch> launches)
    : context_(context),
      last_(fmt::format("{} (the last of {} launches of a graph)", launches.back().kernel->name(), launches.size())),
      config_(launches.back().config),
      handle_(executable(*context, launches)) {}

// The driver lets one that runs come to its end.
Graph::~Graph() {
  if (const auto context = context_.lock()) {
    or_log(context->driver(), [&] {
      const Current current(*context);
      context->driver().destroy(handle_);
    });
  }
}

void Graph::launch(const Context& context, Stream& stream) const {
  const Current current(context);
  const std::lock_guard lock(launching_);
  context.driver().launch(stream, handle_, last_, config_);
}

}  // namespace mylos::inline MYLOS_ABI::cuda
