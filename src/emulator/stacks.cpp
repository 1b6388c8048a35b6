// SPDX-License-Identifier: MIT
#include "emulator/stacks.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "base/texts.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

constexpr std::size_t group_size = 32;
constexpr std::size_t stagger = 320;

std::size_t page() {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

[[noreturn]] void refuse(std::size_t bytes) {
  throw BackendError(
      fmt::format("cannot make stacks of {} bytes for the threads of a block: {}: ask for smaller ones "
                  "(Options::stack_bytes), use fewer MYLOS_EMULATOR_THREADS (or blocks, where they meet at barriers of "
                  "the grid), or raise vm.max_map_count",
                  bytes, mylos::detail::system_reason(errno)));
}

}  // namespace

Stacks::~Stacks() { release(); }

void Stacks::release() noexcept {
  for (const std::uintptr_t group : groups_) ::munmap(reinterpret_cast<void*>(group), group_size * stride_);
  groups_.clear();
  tops_.clear();
}

void Stacks::reserve(std::size_t count, std::size_t bytes) {
  bytes = (bytes + page() - 1) / page() * page();
  if (bytes != bytes_) {
    release();
    bytes_ = bytes;
    stride_ = bytes + page();
  }
  while (groups_.size() * group_size < count) add_group();
}

void Stacks::add_group() {
  const std::size_t size = group_size * stride_;
  void* const range =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (range == MAP_FAILED) refuse(bytes_);
  const auto group = reinterpret_cast<std::uintptr_t>(range);
  ::madvise(range, size, MADV_NOHUGEPAGE);  // advice: a huge page would cost eight stacks' worth of memory
  for (std::size_t i = 0; i < group_size; ++i) {
    if (::mprotect(reinterpret_cast<void*>(group + i * stride_), page(), PROT_NONE) == 0) continue;
    ::munmap(range, size);
    refuse(bytes_);
  }
  groups_.push_back(group);
  for (std::size_t i = 0; i < group_size; ++i) {
    tops_.push_back(group + (i + 1) * stride_ - tops_.size() * stagger % page() / 16 * 16);
  }
}

std::uintptr_t Stacks::end_of(std::uintptr_t address) const noexcept {
  for (const std::uintptr_t group : groups_) {
    if (address - group < group_size * stride_) return group + ((address - group) / stride_ + 1) * stride_;
  }
  return 0;
}

bool Stacks::is_guard(std::uintptr_t address) const noexcept {
  for (const std::uintptr_t group : groups_) {
    if (address - group < group_size * stride_) return (address - group) % stride_ < page();
  }
  return false;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
