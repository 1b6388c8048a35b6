// SPDX-License-Identifier: MIT
// What DeviceSpace and Device need from the thing behind them. One engine serves a process: the emulator's, the CUDA
// driver's, or Kokkos' own CUDA backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>
#include <mylos/core/copy_events.hpp>
#include <mylos/core/detail/strided.hpp>

struct CUstream_st;  // the driver's own name: cudaStream_t and CUstream are pointers to it

namespace mylos::inline MYLOS_ABI {
enum class Backend;  // backend.hpp, which is above this file
struct MemoryInfo;
}  // namespace mylos::inline MYLOS_ABI

namespace mylos::inline MYLOS_ABI::detail {

/// A queue of work in order. Engines derive from it; it may outlive its engine, and is then good for nothing.
class MYLOS_EXPORT Stream {
 public:
  explicit Stream(std::uint32_t id) : id_(id) {}
  virtual ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Unique in the process; 1 is the default stream.
  [[nodiscard]] std::uint32_t id() const noexcept { return id_; }

 private:
  std::uint32_t id_;
};

/// Streams are passed as pointers; a null one is the default stream. Work of one stream runs in order. A call returns
/// as soon as the memory that it was given on the host may be reused or freed, except `copy` to the host, whose
/// destination is complete only after a wait. What is copied or filled is not empty, addresses are not null.
class MYLOS_EXPORT Engine {
 public:
  virtual ~Engine();
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  [[nodiscard]] virtual Backend backend() const noexcept = 0;
  /// One line for people.
  [[nodiscard]] virtual std::string_view description() const noexcept = 0;

  /// Aligned to 256 bytes at least; 0 bytes have an address too. Null when there is no room.
  virtual void* allocate(std::size_t bytes, std::string_view label) = 0;
  virtual void deallocate(void* pointer) = 0;
  /// The first bytes of an allocation are no elements, and not for kernels.
  virtual void set_header(void* /*pointer*/, std::size_t /*bytes*/) {}
  /// Why work of this device must not use the address, *why it is a problem: what to try*; empty when it may: memory of
  /// its own, and of others that it reaches.
  [[nodiscard]] virtual std::string why_unreachable(const void* pointer) const = 0;
  /// The label that this allocation was made with; empty for memory of others.
  [[nodiscard]] virtual std::string label(const void* pointer) const = 0;

  /// Bytes, in the direction that `kind` says.
  virtual void copy(Stream* stream, CopyKind kind, void* destination, const void* source, std::size_t bytes) = 0;
  /// Within the device, any strides, with conversion.
  virtual void copy(Stream* stream, const StridedBlock& destination, const StridedBlock& source,
                    const ElementConversion& conversion) = 0;
  virtual void fill(Stream* stream, const StridedBlock& destination, std::span<const std::byte> pattern) = 0;

  virtual std::shared_ptr<Stream> create_stream(int priority) = 0;
  /// The stream of this handle of the CUDA driver: one that somebody else made and ends, or one of this engine; the
  /// same object for the same handle, null for the default stream's. Throws BackendError where the device is not the
  /// driver's, SpaceError for a stream of another device.
  virtual std::shared_ptr<Stream> foreign_stream(CUstream_st* handle);
  /// The driver's stream behind this one. Throws BackendError where there is none.
  [[nodiscard]] virtual CUstream_st* native_stream(Stream* stream);
  virtual void wait(Stream* stream) = 0;
  virtual void wait_for_all() = 0;

  [[nodiscard]] virtual MemoryInfo memory_info() const = 0;
  /// Gives back what is cached and not in use.
  virtual void release_memory() = 0;
  [[nodiscard]] virtual int concurrency() const = 0;
  [[nodiscard]] virtual std::size_t max_shared_memory_per_block() const = 0;
};

/// The process's engine, chosen at the first call from backend(): `emulated` and `cuda` are what they say; `host`
/// takes cuda where it is usable and the emulator otherwise. Throws BackendError before Kokkos::initialize, after
/// Kokkos::finalize and when the engine cannot be made.
MYLOS_EXPORT Engine& engine();
/// What the engine in use is, if any; never chooses one.
MYLOS_EXPORT std::optional<Backend> engine_in_use() noexcept;
/// Waits for all streams and drops the engine. Called by Kokkos::finalize.
MYLOS_EXPORT void end_engine();

/// Engine::why_unreachable of the engine in use; empty for a null pointer, which nobody uses.
MYLOS_EXPORT std::string why_unreachable(const void* pointer);

// What everything above the engine calls: engine() and the event that tells of it. SpaceError for an address that
// stands for device memory and that the device does not reach: a View in DeviceSpace can be made from any pointer.
// Nothing is done, nor told, for no bytes.

/// Bytes, in the direction that `kind` says; the labels that the engine knows are published.
MYLOS_EXPORT void copy_bytes(Stream* stream, CopyKind kind, void* destination, const void* source, std::size_t bytes);
/// Within the device, any strides, with conversion.
MYLOS_EXPORT void copy_block(Stream* stream, const StridedBlock& destination, const StridedBlock& source,
                             const ElementConversion& conversion);
/// `pattern` is the bytes of one element; no copy, so not published.
MYLOS_EXPORT void fill_block(Stream* stream, const StridedBlock& destination, std::span<const std::byte> pattern);

// These two choose no engine.

MYLOS_EXPORT void wait(Stream* stream, std::string_view why);
MYLOS_EXPORT void wait_for_all(std::string_view why);

}  // namespace mylos::inline MYLOS_ABI::detail
