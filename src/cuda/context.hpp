// SPDX-License-Identifier: MIT
// The primary context of one GPU: the one that the CUDA runtime, Kokkos and every library built on it work in.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/base/log.hpp>

#include "cuda/driver_calls.hpp"

namespace mylos::inline MYLOS_ABI::cuda {

/// What of the device decides how work is given to it.
struct DeviceProperties {
  int compute_capability = 0;           ///< 90 for 9.0
  std::size_t shared_bytes_opt_in = 0;  ///< that a kernel may have when it asks
  std::size_t max_pitch = 0;            ///< of rows that are copied
  int threads_at_a_time = 0;
  bool reads_pageable_memory = false;  ///< of the host, in place
};

/// Held from construction to destruction. The streams and modules made through it end with it, if not before.
class Context {
 public:
  /// Throws CudaError.
  Context(const Driver& driver, int ordinal);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] const Driver& driver() const noexcept { return driver_; }
  [[nodiscard]] int ordinal() const noexcept { return ordinal_; }
  [[nodiscard]] const DeviceProperties& properties() const noexcept { return properties_; }
  /// Whether a stream works in this context.
  [[nodiscard]] bool holds(StreamHandle stream) const;
  /// Queues a copy from the host's memory, which may be used again at return: waits for the stream where the driver may
  /// read it later. This is the current context.
  void copy_to_device(const Stream& stream, void* destination, const void* source, std::size_t bytes) const;

  [[nodiscard]] StreamHandle create_stream(int priority);
  [[nodiscard]] ModuleHandle load_module(const std::string& image, std::string_view what);
  // Both log what fails.

  void destroy_stream(StreamHandle stream) noexcept;
  /// Waits for all work in the context, that of others too: kernels of the module may be running.
  void unload_module(ModuleHandle module) noexcept;

 private:
  friend class Current;

  const Driver& driver_;
  int ordinal_;
  DeviceHandle device_;
  DeviceProperties properties_;
  ContextHandle handle_;
  std::mutex mutex_;
  std::vector<StreamHandle> streams_;
  std::vector<ModuleHandle> modules_;
};

/// While one lives, the context is the current one of this thread; what was current before is so again afterwards.
class Current {
 public:
  explicit Current(const Context& context);
  ~Current();
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  const Driver& driver_;
};

/// Runs `f`, which must not stop an object from ending, and logs what it throws. Silent once the device is lost: that
/// was told.
template <class F>
void or_log(const Driver& driver, F&& f) noexcept {
  const bool was_lost = !driver.fault().empty();
  try {
    f();
  } catch (...) {
    if (!was_lost) log::caught("at the end of something on the GPU");
  }
}

}  // namespace mylos::inline MYLOS_ABI::cuda
