// SPDX-License-Identifier: MIT
#include "emulator/check_services.hpp"

#include <cstdint>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/emulator/memory.hpp>

#include "emulator/block_runner.hpp"
#include "emulator/checker.hpp"
#include "emulator/device_heap.hpp"
#include "emulator/leaving.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

std::uintptr_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

template <std::size_t bytes, bool writes>
void aligned(const void* address, const void* code) {
  Checker::running().aligned<bytes, writes>(number(address), number(code));
}
template <std::size_t bytes, bool writes>
void small(const void* address, const void* code) {
  Checker::running().access(number(address), bytes, writes ? mylos_writes : 0, number(code));
}
void access(const void* address, unsigned long bytes, int kind, const void* code) {
  Checker::running().access(number(address), bytes, kind, number(code));
}
void synchronise(const void* address, int kind) { Checker::running().synchronise(number(address), kind); }
void fence(int of_device) { Checker::running().fence(of_device != 0); }
int gives_turn() { return BlockRunner::running()->gives_turn() ? 1 : 0; }

// As on the device: null when there is no room.
void* allocate_in_kernel(unsigned long bytes) {
  Checker::running().note_heap_use();
  try {
    return emulator::allocate(bytes, heap_label);
  } catch (const Error&) {
    return nullptr;
  }
}

// A View's memory is the host's to free.
void release_from_heap(void* memory) {
  const auto allocation = emulator::find(memory);
  if (allocation && allocation->label != heap_label) {
    throw ValueError(
        fmt::format("the kernel frees memory of View '{}', which the host has allocated: it would be freed twice: free "
                    "in a kernel what malloc or new gave in one",
                    allocation->label));
  }
  emulator::deallocate(memory);
}

__attribute__((noinline)) bool is_released(void* memory, std::uintptr_t code) {
  Checker::running().note_heap_use();
  try {
    release_from_heap(memory);
    return true;
  } catch (const Error& error) {
    BlockRunner::running()->record({.kind = Kind::memory, .text = error.what()}, {CodePath{instruction_before(code)}});
    return false;
  }
}
MYLOS_LEAVES_FIBER void release_in_kernel(void* memory, const void* code) {
  if (!is_released(memory, number(code))) BlockRunner::running()->abandon();
}

// How compilers describe what -fsanitize=bounds and -fsanitize=alignment find: the same for g++ and clang++.
struct TypeAbout {
  std::uint16_t kind, info;
  char name[1];  // "'float [8]'", as long as it is
};
struct SubscriptAbout {
  const char* file;
  std::uint32_t line, column;
  const TypeAbout* array;
};
struct PointerAbout {
  const char* file;
  std::uint32_t line, column;
  const TypeAbout* type;
  std::uint8_t log_alignment;
};

__attribute__((noinline)) void record_subscript(const SubscriptAbout& about, std::int64_t index, std::uintptr_t code) {
  BlockRunner::running()->record(
      {.kind = Kind::memory,
       .index = {index},
       .text = fmt::format("index {} is outside of an array of type {}: there is no such element: check the index",
                           index, about.array->name)},
      {CodePath{instruction_before(code)}});
}
MYLOS_LEAVES_FIBER void bad_subscript(const void* about, unsigned long index, const void* code) {
  record_subscript(*static_cast<const SubscriptAbout*>(about), static_cast<std::int64_t>(index), number(code));
  BlockRunner::running()->abandon();
}

__attribute__((noinline)) void record_misaligned(const PointerAbout& about, std::uintptr_t code) {
  BlockRunner::running()->record(
      {.kind = Kind::alignment,
       .text = misaligned_text(fmt::format("an access of type {}", about.type->name), 1U << about.log_alignment)},
      {CodePath{instruction_before(code)}});
}
MYLOS_LEAVES_FIBER void misaligned(const void* about, unsigned long /*address*/, const void* code) {
  record_misaligned(*static_cast<const PointerAbout*>(about), number(code));
  BlockRunner::running()->abandon();
}

}  // namespace

const mylos_checks& check_services() noexcept {
  static const mylos_checks instance{
      {small<1, false>, small<2, false>, aligned<4, false>, aligned<8, false>, aligned<16, false>},
      {small<1, true>, small<2, true>, aligned<4, true>, aligned<8, true>, aligned<16, true>},
      access,
      synchronise,
      fence,
      gives_turn,
      allocate_in_kernel,
      release_in_kernel,
      bad_subscript,
      misaligned};
  return instance;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
