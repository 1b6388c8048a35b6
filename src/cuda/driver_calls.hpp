// SPDX-License-Identifier: MIT
// The CUDA driver: one checked method for each of its functions that Mylos calls.
//
// A call that fails throws CudaError, which names the function, the error and, when it is the fault of a kernel that
// runs behind it, the kernel launched last. What needs a current context says so by needing a Current (context.hpp) in
// the caller's scope.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>
#include <mylos/cuda/library.hpp>

#include "cuda/driver_functions.hpp"
#include "cuda/stream.hpp"

namespace mylos::inline MYLOS_ABI::cuda {

/// Rows of bytes, one behind the other at a distance of `pitch`.
struct Rows {
  void* data = nullptr;
  std::size_t pitch = 0;
};

/// What the driver knows of an address.
struct PointerInfo {
  MemoryType type = MemoryType::host;
  int device = 0;
};

/// Whether no call of this process can succeed after such an error.
[[nodiscard]] bool is_sticky(Result result) noexcept;

class Driver {
 public:
  /// Loads it. Throws BackendError when the library or one of its functions is missing.
  explicit Driver(const std::string& path);

  /// The process' own, which driver() describes. Throws BackendError with the reason where that is unusable.
  static const Driver& instance();

  [[nodiscard]] const std::string& path() const noexcept { return library_.path(); }
  /// Why nothing can be called any more: the first error of a kind that a process does not recover from; else empty.
  [[nodiscard]] std::string fault() const;

  void init() const;
  [[nodiscard]] int version() const;
  [[nodiscard]] int device_count() const;
  [[nodiscard]] DeviceHandle device(int ordinal) const;
  [[nodiscard]] std::string name(DeviceHandle device) const;
  [[nodiscard]] int attribute(DeviceHandle device, DeviceAttribute attribute) const;
  /// 90 for 9.0.
  [[nodiscard]] int compute_capability(DeviceHandle device) const;
  [[nodiscard]] std::size_t total_memory(DeviceHandle device) const;

  [[nodiscard]] ContextHandle retain_context(DeviceHandle device) const;
  void release_context(DeviceHandle device) const;
  void push(ContextHandle context) const;
  void pop() const;

  // From here on in the current context.

  /// Waits for all streams.
  void synchronize() const;

  /// Null when there is no room.
  [[nodiscard]] void* allocate(std::size_t bytes) const;
  void deallocate(void* pointer) const;
  struct Memory { std::size_t free, total; };
  [[nodiscard]] Memory memory_info() const;
  /// Nothing for an address that the driver does not know: of pageable memory, or of none.
  [[nodiscard]] std::optional<PointerInfo> pointer_info(const void* pointer) const;

  void copy_to_device(const Stream& stream, void* destination, const void* source, std::size_t bytes) const;
  void copy_to_host(const Stream& stream, void* destination, const void* source, std::size_t bytes) const;
  void copy_on_device(const Stream& stream, void* destination, const void* source, std::size_t bytes) const;
  void copy_rows(const Stream& stream, Rows destination, Rows source, std::size_t width_bytes,
                 std::size_t height) const;
  /// `count` values of `unit_bytes` (1, 2 or 4) each.
  void set(const Stream& stream, void* destination, std::uint32_t value, std::size_t unit_bytes,
           std::size_t count) const;
  void set_rows(const Stream& stream, Rows destination, std::uint32_t value, std::size_t unit_bytes, std::size_t width,
                std::size_t height) const;

  /// Work of the legacy default stream and of this one waits for each other. A smaller number is more urgent; numbers
  /// beyond the device's range are taken as its ends.
  [[nodiscard]] StreamHandle create_stream(int priority) const;
  void destroy_stream(StreamHandle stream) const;
  void wait(const Stream& stream) const;
  [[nodiscard]] ContextHandle context_of(StreamHandle stream) const;

  /// A cubin or PTX text; `what` names it in messages.
  [[nodiscard]] ModuleHandle load_module(const std::string& image, std::string_view what) const;
  void unload_module(ModuleHandle module) const;
  [[nodiscard]] FunctionHandle function(ModuleHandle module, const std::string& symbol) const;
  /// Its bytes, on the device.
  [[nodiscard]] std::span<std::byte> variable(ModuleHandle module, const std::string& symbol) const;
  [[nodiscard]] int attribute(FunctionHandle function, FunctionAttribute attribute) const;
  void set_attribute(FunctionHandle function, FunctionAttribute attribute, int value) const;
  /// `parameters`: as the function lays them out, to the last byte of the last one.
  void launch(Stream& stream, FunctionHandle function, std::string_view kernel, const LaunchConfig& config,
              std::span<const std::byte> parameters) const;

  [[nodiscard]] GraphHandle create_graph() const;
  /// A launch that runs when the node `previous` has finished; at the beginning where that is null. The parameters, as
  /// above, are copied.
  [[nodiscard]] GraphNodeHandle add_launch(GraphHandle graph, GraphNodeHandle previous, FunctionHandle function,
                                           std::string_view kernel, const LaunchConfig& config,
                                           std::span<const std::byte> parameters) const;
  [[nodiscard]] GraphExecHandle instantiate(GraphHandle graph) const;
  /// `last` is its last launch, with that config.
  void launch(Stream& stream, GraphExecHandle graph, std::string_view last, const LaunchConfig& config) const;
  void destroy(GraphHandle graph) const;
  void destroy(GraphExecHandle graph) const;

 private:
  template <class... P, class... A>
  void call(const Entry<Result(P...)>& entry, A... arguments) const;
  template <class... P, class... A>
  void call_on(const Stream& stream, const Entry<Result(P...)>& entry, A... arguments) const;
  [[nodiscard]] std::string described(Result result) const;
  /// What may have caused an error that `stream` tells of; null: a call for all streams does.
  [[nodiscard]] std::string suspect(const Stream* stream) const;
  [[noreturn]] void fail(const char* function, Result result, const Stream* stream, std::string_view about = {}) const;

  Library library_;
  DriverFunctions functions_;
  mutable LastLaunch last_launch_;
  mutable std::mutex fault_mutex_;
  mutable std::string fault_;
};

}  // namespace mylos::inline MYLOS_ABI::cuda
