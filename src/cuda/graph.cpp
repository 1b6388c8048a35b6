// SPDX-License-Identifier: MIT
#include "cuda/graph.hpp"

#include <utility>

namespace mylos::inline MYLOS_ABI::cuda {
namespace {

// While one lives, what is queued on the stream goes into a graph.
class Capture {
 public:
  Capture(const Driver& driver, Stream& stream) : driver_(driver), stream_(stream) { driver_.begin_capture(stream_); }
  ~Capture() {
    if (is_open_) or_log(driver_, [&] { driver_.destroy(driver_.end_capture(stream_)); });
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  [[nodiscard]] GraphHandle end() {
    is_open_ = false;
    return driver_.end_capture(stream_);
  }

 private:
  const Driver& driver_;
  Stream& stream_;
  bool is_open_ = true;
};

GraphExecHandle instantiated(const Driver& driver, GraphHandle graph) {
  const auto destroy = [&driver](GraphHandle captured) { or_log(driver, [&] { driver.destroy(captured); }); };
  const std::unique_ptr<CUgraph_st, decltype(destroy)> owner(graph, destroy);
  return driver.instantiate(graph);
}

GraphExecHandle captured(const Context& context, Stream& stream, const std::function<void()>& queue) {
  const Current current(context);
  Capture capture(context.driver(), stream);
  queue();
  return instantiated(context.driver(), capture.end());
}

}  // namespace

Graph::Graph(const std::shared_ptr<Context>& context, Stream& stream, std::string last, const LaunchConfig& config,
             const std::function<void()>& queue)
    : context_(context), last_(std::move(last)), config_(config), handle_(captured(*context, stream, queue)) {}

Graph::~Graph() {
  if (const auto context = context_.lock()) {
    or_log(context->driver(), [&] {
      const Current current(*context);
      context->driver().synchronize();  // it may be running
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
