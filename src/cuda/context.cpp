// SPDX-License-Identifier: MIT
#include "cuda/context.hpp"

namespace mylos::inline MYLOS_ABI::cuda {
namespace {

DeviceProperties properties_of(const Driver& driver, DeviceHandle device) {
  const auto ask = [&](DeviceAttribute attribute) { return driver.attribute(device, attribute); };
  const auto size = [&](DeviceAttribute attribute) { return static_cast<std::size_t>(ask(attribute)); };
  return {.compute_capability = driver.compute_capability(device),
          .shared_bytes_opt_in = size(DeviceAttribute::max_shared_memory_per_block_optin),
          .max_pitch = size(DeviceAttribute::max_pitch),
          .threads_at_a_time =
              ask(DeviceAttribute::multiprocessor_count) * ask(DeviceAttribute::max_threads_per_multiprocessor),
          .reads_pageable_memory = ask(DeviceAttribute::pageable_memory_access) != 0};
}

}  // namespace

Context::Context(const Driver& driver, int ordinal)
    : driver_(driver),
      ordinal_(ordinal),
      device_(driver.device(ordinal)),
      properties_(properties_of(driver, device_)),
      handle_(driver.retain_context(device_)) {}

Context::~Context() {
  or_log(driver_, [&] {
    const Current current(*this);
    for (const ModuleHandle module : modules_) or_log(driver_, [&] { driver_.unload_module(module); });
    for (const StreamHandle stream : streams_) or_log(driver_, [&] { driver_.destroy_stream(stream); });
  });
  or_log(driver_, [&] { driver_.release_context(device_); });
}

bool Context::holds(StreamHandle stream) const {
  const Current current(*this);
  return driver_.context_of(stream) == handle_;
}

void Context::copy_to_device(const Stream& stream, void* destination, const void* source, std::size_t bytes) const {
  driver_.copy_to_device(stream, destination, source, bytes);
  const bool is_read_later = properties_.reads_pageable_memory || driver_.pointer_info(source).has_value();
  if (is_read_later) driver_.wait(stream);
}

StreamHandle Context::create_stream(int priority) {
  const Current current(*this);
  const StreamHandle stream = driver_.create_stream(priority);
  const std::lock_guard lock(mutex_);
  streams_.push_back(stream);
  return stream;
}

ModuleHandle Context::load_module(const std::string& image, std::string_view what) {
  const Current current(*this);
  const ModuleHandle module = driver_.load_module(image, what);
  const std::lock_guard lock(mutex_);
  modules_.push_back(module);
  return module;
}

void Context::destroy_stream(StreamHandle stream) noexcept {
  or_log(driver_, [&] {
    {
      const std::lock_guard lock(mutex_);
      std::erase(streams_, stream);
    }
    const Current current(*this);
    driver_.destroy_stream(stream);
  });
}

void Context::unload_module(ModuleHandle module) noexcept {
  or_log(driver_, [&] {
    {
      const std::lock_guard lock(mutex_);
      std::erase(modules_, module);
    }
    const Current current(*this);
    driver_.synchronize();
    driver_.unload_module(module);
  });
}

Current::Current(const Context& context) : driver_(context.driver_) { driver_.push(context.handle_); }

Current::~Current() {
  or_log(driver_, [&] { driver_.pop(); });
}

}  // namespace mylos::inline MYLOS_ABI::cuda
