// SPDX-License-Identifier: MIT
#include "cuda/loaded_kernel.hpp"

#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::cuda {

Module::Module(const std::shared_ptr<Context>& context, const std::string& image, std::string_view what)
    : context_(context), handle_(context->load_module(image, what)) {}

Module::~Module() {
  if (const auto context = context_.lock()) context->unload_module(handle_);
}

LoadedKernel::LoadedKernel(const Context& context, std::shared_ptr<const Module> module, const std::string& symbol,
                           std::string name)
    : module_(std::move(module)), name_(std::move(name)) {
  const Driver& driver = context.driver();
  const Current current(context);
  function_ = driver.function(module_->handle(), symbol);
  const auto ask = [&](FunctionAttribute attribute) {
    return static_cast<std::size_t>(driver.attribute(function_, attribute));
  };
  max_threads_ = ask(FunctionAttribute::max_threads_per_block);
  static_shared_bytes_ = ask(FunctionAttribute::static_shared_bytes);
  allowed_shared_bytes_ = ask(FunctionAttribute::max_dynamic_shared_bytes);
}

void LoadedKernel::launch(const Context& context, Stream& stream, const LaunchConfig& config,
                          std::span<const std::byte> parameters) const {
  check(context, config);
  const Current current(context);
  allow_shared(context, config.shared_bytes);
  context.driver().launch(stream, function_, name_, config, parameters);
}

GraphNodeHandle LoadedKernel::add_to(GraphHandle graph, GraphNodeHandle previous, const Context& context,
                                     const LaunchConfig& config, std::span<const std::byte> parameters) const {
  check(context, config);
  const Current current(context);
  allow_shared(context, config.shared_bytes);
  return context.driver().add_launch(graph, previous, function_, name_, config, parameters);
}

std::span<std::byte> LoadedKernel::variable(const Context& context, const std::string& symbol) const {
  const Current current(context);
  return context.driver().variable(module_->handle(), symbol);
}

void LoadedKernel::check(const Context& context, const LaunchConfig& config) const {
  const std::size_t threads = std::size_t{config.block[0]} * config.block[1] * config.block[2];
  if (threads > max_threads_) {
    throw LaunchError(
        fmt::format("kernel '{}': a block of {} threads: with the registers that it needs, a block of it has at most "
                    "{}: choose a smaller block, or limit them with __launch_bounds__({})",
                    name_, threads, max_threads_, threads));
  }
  const std::size_t shared = static_shared_bytes_ + config.shared_bytes,
                    most = context.properties().shared_bytes_opt_in;
  if (shared > most) {
    throw LaunchError(
        fmt::format("kernel '{}': {} bytes of shared memory, {} static and {} dynamic: the device has {} for a block: "
                    "use a smaller block or less memory per thread",
                    name_, shared, static_shared_bytes_, config.shared_bytes, most));
  }
}

void LoadedKernel::allow_shared(const Context& context, std::size_t bytes) const {
  if (bytes == 0) return;
  const std::lock_guard lock(allowing_);
  if (bytes <= allowed_shared_bytes_) return;
  context.driver().set_attribute(function_, FunctionAttribute::max_dynamic_shared_bytes, static_cast<int>(bytes));
  allowed_shared_bytes_ = bytes;
}

}  // namespace mylos::inline MYLOS_ABI::cuda
