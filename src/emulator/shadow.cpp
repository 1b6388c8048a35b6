// SPDX-License-Identifier: MIT
#include "emulator/shadow.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "base/texts.hpp"
#include "emulator/arena.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// Calls `change(state, mask)` for each four bytes that the range touches; the mask tells which of them.
template <class Change>
void for_each_state(ByteStates* states, std::size_t offset, std::size_t bytes, Change change) {
  const std::size_t end = offset + bytes;
  const auto partly = [&](std::size_t index, std::size_t from, std::size_t to) {
    change(states[index], static_cast<ByteStates>((1U << to) - (1U << from)));
  };
  std::size_t index = offset / cell_bytes;
  if (bytes == 0) return;
  if (index == (end - 1) / cell_bytes) return partly(index, offset % cell_bytes, (end - 1) % cell_bytes + 1);
  if (offset % cell_bytes != 0) partly(index++, offset % cell_bytes, cell_bytes);
  for (; index < end / cell_bytes; ++index) change(states[index], all_given);
  if (end % cell_bytes != 0) partly(index, 0, end % cell_bytes);
}

void* reserve(std::size_t bytes) {
  void* const range =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) {
    throw BackendError(
        fmt::format("cannot reserve {} bytes of addresses for the checks of kernels: {}: raise the limit on virtual "
                    "memory (ulimit -v), or run without MYLOS_EMULATOR_CHECKS",
                    bytes, mylos::detail::system_reason(errno)));
  }
  ::madvise(range, bytes, MADV_DONTDUMP);
  return range;
}

void discard(void* begin, std::size_t bytes) noexcept {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (address + page - 1) / page * page;
  const std::uintptr_t last = (address + bytes) / page * page;
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace

void give(ByteStates* states, std::size_t offset, std::size_t bytes) noexcept {
  for_each_state(states, offset, bytes, [](ByteStates& state, ByteStates mask) {
    state = static_cast<ByteStates>((state & ~(mask << 4)) | mask);
  });
}

void take_away(ByteStates* states, std::size_t offset, std::size_t bytes) noexcept {
  for_each_state(states, offset, bytes, [](ByteStates& state, ByteStates mask) {
    state = static_cast<ByteStates>(state & ~(mask | mask << 4));
  });
}

void mark_written(ByteStates* states, std::size_t offset, std::size_t bytes) noexcept {
  for_each_state(states, offset, bytes, [](ByteStates& state, ByteStates mask) {
    state = static_cast<ByteStates>(state | (state & mask) << 4);
  });
}

void copy_writes(ByteStates* states, std::size_t destination, std::size_t source, std::size_t bytes) {
  if ((destination | source | bytes) % cell_bytes == 0) {
    const auto one = [&](std::size_t i) {
      ByteStates& to = states[destination / cell_bytes + i];
      const ByteStates given = to & all_given;
      to = static_cast<ByteStates>(given | ((states[source / cell_bytes + i] >> 4 & given) << 4));
    };
    const std::size_t cells = bytes / cell_bytes;
    if (destination < source) {
      for (std::size_t i = 0; i < cells; ++i) one(i);
    } else {
      for (std::size_t i = cells; i-- > 0;) one(i);
    }
    return;
  }
  const auto set = [&](std::size_t offset, bool written) {
    ByteStates& state = states[offset / cell_bytes];
    const auto bit = static_cast<ByteStates>(1U << (offset % cell_bytes + 4));
    const bool is_given = (state >> offset % cell_bytes & 1U) != 0;
    state = static_cast<ByteStates>(written && is_given ? state | bit : state & ~bit);
  };
  std::vector<bool> written(bytes);  // the two may overlap
  for (std::size_t i = 0; i < bytes; ++i) {
    written[i] = (states[(source + i) / cell_bytes] >> ((source + i) % cell_bytes + 4) & 1U) != 0;
  }
  for (std::size_t i = 0; i < bytes; ++i) set(destination + i, written[i]);
}

void forget_writes(ByteStates* states, std::size_t bytes) noexcept {
  for (std::size_t i = 0; i < bytes / cell_bytes; ++i) states[i] &= all_given;
}

std::atomic<Shadow*> Shadow::existing_ = nullptr;

Shadow& Shadow::instance() {
  static Shadow* const shadow = new Shadow;  // never destroyed, as the arena
  return *shadow;
}

Shadow::Shadow() {
  const std::size_t cells = Arena::instance().size() / cell_bytes;
  states_ = static_cast<ByteStates*>(reserve(cells));
  cells_ = static_cast<Cell*>(reserve(cells * sizeof(Cell)));
  existing_.store(this, std::memory_order_release);
}

void Shadow::forget_accesses(std::size_t offset, std::size_t bytes) const noexcept {
  discard(cells_ + offset / cell_bytes, bytes / cell_bytes * sizeof(Cell));
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
