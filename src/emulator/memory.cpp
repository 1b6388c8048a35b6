// SPDX-License-Identifier: MIT
#include <mylos/emulator/memory.hpp>

#include <cstdint>

#include "emulator/arena.hpp"
#include "emulator/registry.hpp"
#include "emulator/strict.hpp"

namespace mylos::inline MYLOS_ABI::emulator {

using detail::Arena;
using detail::Registry;

void* allocate(std::size_t bytes, std::string_view label) {
  detail::watch_host_accesses_if_asked();
  return Registry::instance().allocate(bytes, label);
}

void deallocate(void* base) {
  if (base != nullptr) Registry::instance().deallocate(base);
}

bool owns(const void* address) noexcept {
  const Arena* const arena = Arena::existing();
  return arena != nullptr && arena->contains(reinterpret_cast<std::uintptr_t>(address));
}

std::optional<Allocation> find(const void* address) {
  if (!owns(address)) return std::nullopt;
  return Registry::instance().find(reinterpret_cast<std::uintptr_t>(address));
}

MemoryUsage memory_usage() { return Registry::instance().usage(); }

std::size_t release_all() { return Arena::existing() == nullptr ? 0 : Registry::instance().release_all(); }

HostAccess::HostAccess() { Arena::instance().open(); }
HostAccess::~HostAccess() { Arena::instance().close(); }

}  // namespace mylos::inline MYLOS_ABI::emulator
