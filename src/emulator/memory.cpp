// SPDX-License-Identifier: MIT
#include <mylos/emulator/memory.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/options.hpp>

#include "emulator/arena.hpp"
#include "emulator/registry.hpp"
#include "emulator/report_file.hpp"
#include "emulator/shadow.hpp"
#include "emulator/strict.hpp"

namespace mylos::inline MYLOS_ABI::emulator {

using detail::Arena;
using detail::Registry;
using detail::Shadow;

namespace {

std::uintptr_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

void need_live(const void* pointer, std::size_t bytes, const char* did) {
  if (!current_checks().contains(Check::memory)) return;
  const auto allocation = find(pointer);
  if (allocation && bytes <= allocation->bytes - (number(pointer) - number(allocation->base))) return;
  const detail::Surroundings at = Registry::instance().surroundings(number(pointer));
  Finding finding{.kind = Kind::memory, .kernel = "(host)", .label = at.label};
  finding.text = fmt::format(
      "{} bytes were {} from {}, which are not all in one live allocation (next to '{}', {} bytes): the memory is "
      "freed or too small: check the View that the library was given",
      bytes, did, pointer, at.label, at.bytes);
  const std::vector<Finding> findings{std::move(finding)};
  detail::append_to_report(findings);
  throw EmulationError(findings);
}

}  // namespace

void* allocate(std::size_t bytes, std::string_view label) {
  detail::watch_host_accesses_if_asked();
  if (Shadow::existing() == nullptr && !current_checks().empty()) Registry::instance().start_checks();
  return Registry::instance().allocate(bytes, label);
}

void set_header(void* base, std::size_t bytes) { Registry::instance().set_header(base, bytes); }

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

bool notes_are_exact() noexcept { return Shadow::existing() != nullptr; }

void note_read(const void* pointer, std::size_t bytes) {
  if (bytes != 0 && notes_are_exact() && owns(pointer)) need_live(pointer, bytes, "read");
}

void note_write(const void* pointer, std::size_t bytes) {
  if (bytes == 0 || !owns(pointer)) return;
  if (!notes_are_exact()) return Registry::instance().note_early_write(number(pointer), bytes);
  need_live(pointer, bytes, "written");
  detail::mark_written(Shadow::existing()->states(), number(pointer) - Arena::instance().base(), bytes);
}

void note_copy(void* destination, const void* source, std::size_t bytes) {
  const bool is_within_device = owns(destination) && owns(source);
  if (!is_within_device) return note_write(destination, bytes);
  if (!notes_are_exact()) {
    if (Registry::instance().has_unnoted_writes(number(source))) note_write(destination, bytes);
    return;
  }
  need_live(destination, bytes, "written");
  need_live(source, bytes, "read");
  Registry::instance().catch_up();
  const std::uintptr_t base = Arena::instance().base();
  detail::copy_writes(Shadow::existing()->states(), number(destination) - base, number(source) - base, bytes);
}

HostAccess::HostAccess() { Arena::instance().open(); }
HostAccess::~HostAccess() { Arena::instance().close(); }

}  // namespace mylos::inline MYLOS_ABI::emulator
