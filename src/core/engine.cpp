// SPDX-License-Identifier: MIT
#include <mylos/core/detail/engine.hpp>

#include <atomic>
#include <mutex>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>
#include <mylos/core/backend.hpp>

#include "core/capture.hpp"
#include "core/cuda_engine.hpp"
#include "core/emulator_engine.hpp"
#include "core/engine.hpp"

namespace mylos::inline MYLOS_ABI::detail {

Stream::~Stream() = default;
Engine::~Engine() = default;

std::shared_ptr<Stream> Engine::foreign_stream(CUstream_st* /*handle*/) {
  throw BackendError(fmt::format(
      "a Device was made from a CUDA stream: the device of this process is the {}, which has no such streams: set "
      "MYLOS_BACKEND=cuda, or make streams with Kokkos::Experimental::partition_space",
      description()));
}

CUstream_st* Engine::native_stream(Stream* /*stream*/) {
  throw BackendError(fmt::format(
      "a Device was asked for its CUDA stream: the device of this process is the {}, which has no such streams: ask "
      "only where mylos::backend() is cuda",
      description()));
}

namespace {

struct State {
  std::mutex mutex;  // while an engine is made or ended
  std::atomic<Engine*> current = nullptr;
};

State& state() {
  static State* const instance = new State;  // never destroyed: Views of static storage may ask at exit
  return *instance;
}

std::unique_ptr<Engine> make_engine() {
  const Backend wanted = backend();
  const bool cuda = wanted == Backend::cuda || (wanted == Backend::host && unusable_reason(Backend::cuda).empty());
  const int device = selected_device();
  return cuda ? make_cuda_engine(device) : make_emulator_engine();
}

Engine& choose_engine() {
  const std::lock_guard lock(state().mutex);
  Engine* chosen = state().current.load(std::memory_order_relaxed);
  if (chosen != nullptr) return *chosen;
  if (!kokkos_is_running()) {
    throw_kokkos_not_running("the device was used", "its memory and streams live between the two only");
  }
  chosen = make_engine().release();
  state().current.store(chosen, std::memory_order_release);
  log::info(fmt::format("the device of this process is the {}", chosen->description()));
  return *chosen;
}

}  // namespace

bool kokkos_is_running() noexcept { return Kokkos::is_initialized() && !Kokkos::is_finalized(); }

void throw_kokkos_not_running(std::string_view what, std::string_view why) {
  throw BackendError(
      fmt::format("{} {}: {}: make a mylos::Session first in main() and let Views, Kernels that hold streams and other "
                  "users of the "
                  "device end before it",
                  what, Kokkos::is_finalized() ? "after Kokkos::finalize" : "before Kokkos::initialize", why));
}

Engine& engine() {
  Engine* const chosen = state().current.load(std::memory_order_acquire);
  return chosen != nullptr ? *chosen : choose_engine();
}

std::optional<Backend> engine_in_use() noexcept {
  const Engine* const chosen = state().current.load(std::memory_order_acquire);
  if (chosen == nullptr) return std::nullopt;
  return chosen->backend();
}

void end_engine() {
  const std::lock_guard lock(state().mutex);
  const std::unique_ptr<Engine> ending(state().current.exchange(nullptr));
  if (ending == nullptr) return;
  try {
    ending->wait_for_all();
  } catch (...) {
    log::caught("the device failed while Kokkos::finalize waited for it");
  }
}

std::string why_unreachable(const void* pointer) {
  return pointer == nullptr ? std::string() : engine().why_unreachable(pointer);
}

namespace {

void require_reach(const Engine& by, const char* what, std::size_t bytes, const void* pointer) {
  const std::string why = why_unreachable(pointer);
  if (why.empty()) return;
  throw SpaceError(fmt::format("{} of {} bytes cannot be used by the {}: {}", what, bytes, by.description(), why));
}

std::size_t bytes_of(const StridedBlock& block, std::size_t element_bytes) {
  return static_cast<std::size_t>(block.size()) * element_bytes;
}

}  // namespace

void copy_bytes(Stream* stream, CopyKind kind, void* destination, const void* source, std::size_t bytes) {
  if (bytes == 0) return;
  Engine& by = engine();
  if (is_capturing()) require_no_capture(fmt::format("a copy of {} bytes", bytes));
  if (kind != CopyKind::to_host) require_reach(by, "the destination of a copy", bytes, destination);
  if (kind != CopyKind::to_device) require_reach(by, "the source of a copy", bytes, source);
  if (listening()) {
    const bool known = labels_are_known(destination, source);
    const std::string to = known || kind == CopyKind::to_host ? std::string() : by.label(destination);
    const std::string from = known || kind == CopyKind::to_device ? std::string() : by.label(source);
    publish({.kind = kind,
             .bytes = bytes,
             .destination = to,
             .source = from,
             .destination_address = destination,
             .source_address = source});
  }
  by.copy(stream, kind, destination, source, bytes);
}

void copy_block(Stream* stream, const StridedBlock& destination, const StridedBlock& source,
                const ElementConversion& conversion) {
  if (destination.size() == 0) return;
  Engine& by = engine();
  if (is_capturing()) require_no_capture(fmt::format("a copy of {} elements", destination.size()));
  require_reach(by, "the destination of a copy", bytes_of(destination, conversion.destination_bytes), destination.data);
  require_reach(by, "the source of a copy", bytes_of(source, conversion.source_bytes), source.data);
  if (listening()) {
    const bool known = labels_are_known(destination.data, source.data);
    const std::string to = known ? std::string() : by.label(destination.data);
    const std::string from = known ? std::string() : by.label(source.data);
    const std::size_t bytes = bytes_of(destination, conversion.destination_bytes);
    publish({.kind = CopyKind::device_copy,
             .bytes = bytes,
             .destination = to,
             .source = from,
             .destination_address = destination.data,
             .source_address = source.data});
  }
  by.copy(stream, destination, source, conversion);
}

void fill_block(Stream* stream, const StridedBlock& destination, std::span<const std::byte> pattern) {
  if (destination.size() == 0) return;
  Engine& by = engine();
  if (is_capturing()) require_no_capture(fmt::format("a fill of '{}'", by.label(destination.data)));
  require_reach(by, "the destination of a fill", bytes_of(destination, pattern.size()), destination.data);
  by.fill(stream, destination, pattern);
}

// Without an engine nothing was started: there is nothing to wait for, and no reason to choose one.

void wait(Stream* stream, std::string_view why) {
  Engine* const chosen = state().current.load(std::memory_order_acquire);
  if (chosen == nullptr) return;
  if (is_capturing()) require_no_capture(fmt::format("a wait ('{}')", why));
  chosen->wait(stream);
  publish({.kind = CopyKind::wait, .source = why});
}

void wait_for_all(std::string_view why) {
  Engine* const chosen = state().current.load(std::memory_order_acquire);
  if (chosen == nullptr) return;
  if (is_capturing()) require_no_capture(fmt::format("a wait ('{}')", why));
  chosen->wait_for_all();
  publish({.kind = CopyKind::wait, .source = why});
}

}  // namespace mylos::inline MYLOS_ABI::detail
