// SPDX-License-Identifier: MIT
#include "core/emulator_engine.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <thread>

#include <fmt/format.h>

#include <mylos/base/log.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/emulator/memory.hpp>

namespace mylos::inline MYLOS_ABI::detail {
namespace {

class EmulatorEngine final : public Engine {
 public:
  // Of Views that are alive now, Kokkos reports those that end.
  ~EmulatorEngine() override {
    try {
      emulator::report_leaks();
    } catch (...) {
      log::caught("the emulated device ends, and cannot tell what was not freed");
    }
    emulator::release_all();
  }

  [[nodiscard]] Backend backend() const noexcept override { return Backend::emulated; }
  [[nodiscard]] std::string_view description() const noexcept override { return "emulated CUDA device"; }

  void* allocate(std::size_t bytes, std::string_view label) override {
    try {
      return emulator::allocate(bytes, label);
    } catch (const emulator::OutOfMemory& error) {
      log::info(error.what());  // Kokkos throws an error of its own, which cannot say what is in use
      return nullptr;
    }
  }
  void deallocate(void* pointer) override { emulator::deallocate(pointer); }
  void set_header(void* pointer, std::size_t bytes) override { emulator::set_header(pointer, bytes); }
  [[nodiscard]] std::string why_unreachable(const void* pointer) const override {
    if (emulator::find(pointer)) return {};
    if (emulator::owns(pointer)) {
      return fmt::format(
          "nothing is allocated at its address {}: it was freed: keep the View that owns the memory until the work "
          "on it is done",
          pointer);
    }
    return fmt::format("its address {} is not of the emulated device: pass memory of mylos::DeviceSpace", pointer);
  }
  [[nodiscard]] std::string label(const void* pointer) const override {
    const auto allocation = emulator::find(pointer);
    return allocation ? allocation->label : std::string();
  }

  void copy(Stream* /*stream*/, CopyKind /*kind*/, void* destination, const void* source, std::size_t bytes) override {
    const emulator::HostAccess access;
    emulator::note_copy(destination, source, bytes);
    std::memmove(destination, source, bytes);
  }
  void copy(Stream* /*stream*/, const StridedBlock& destination, const StridedBlock& source,
            const ElementConversion& conversion) override {
    const emulator::HostAccess access;
    note_writes(destination, conversion.destination_bytes);
    copy_on_host(destination, source, conversion);
  }
  void fill(Stream* /*stream*/, const StridedBlock& destination, std::span<const std::byte> pattern) override {
    const emulator::HostAccess access;
    note_writes(destination, pattern.size());
    fill_on_host(destination, pattern);
  }

  // Work is done when a call returns, so a stream is but its number.
  std::shared_ptr<Stream> create_stream(int /*priority*/) override { return std::make_shared<Stream>(++last_stream_); }
  void wait(Stream* /*stream*/) override {}
  void wait_for_all() override {}

  [[nodiscard]] MemoryInfo memory_info() const override {
    const auto usage = emulator::memory_usage();
    return {.free = usage.capacity - std::min(usage.capacity, usage.in_use),
            .total = usage.capacity,
            .used = usage.in_use,
            .high_water = usage.high_water};
  }
  void release_memory() override {}  // freed pages are with the system already
  [[nodiscard]] int concurrency() const override {
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  }
  [[nodiscard]] std::size_t max_shared_memory_per_block() const override { return emulated_shared_memory_bytes; }

 private:
  static void note_writes(const StridedBlock& block, std::size_t element_bytes) {
    if (emulator::notes_are_exact()) return for_each_run(block, element_bytes, emulator::note_write);
    if (block.size() != 0) emulator::note_write(block.data, element_bytes);
  }

  std::atomic<std::uint32_t> last_stream_ = 1;  // 1 is the default stream
};

}  // namespace

std::unique_ptr<Engine> make_emulator_engine() { return std::make_unique<EmulatorEngine>(); }

}  // namespace mylos::inline MYLOS_ABI::detail
