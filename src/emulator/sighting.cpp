// SPDX-License-Identifier: MIT
#include "emulator/sighting.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "emulator/divergence.hpp"
#include "emulator/site.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

std::string who_and_where(const Site& site, bool writes) {
  const std::string line = site.file.empty() ? "" : fmt::format(" at {}:{}", site.file, site.line);
  return fmt::format("thread {} of block {} {} it{}", to_string(site.thread), to_string(site.block),
                     writes ? "wrote" : "read", line);
}

// What would have ordered the two, and what to do.
std::string_view remedy(const Witness& before, const Witness& now) {
  if (before.block != now.block) {
    return "and blocks run in any order: use atomic functions, let one block own the element, or split the work into "
           "two launches";
  }
  if (before.writes && now.writes) {
    return "without a barrier between, so either value may stay: let one thread own the element, use an atomic "
           "function, or put __syncthreads() between them";
  }
  if (before.thread / mylos_lanes == now.thread / mylos_lanes) {
    return "without a barrier between, and lanes of a warp do not run in step: put __syncwarp() or __syncthreads() "
           "between them";
  }
  return "without a barrier between: put __syncthreads() between them";
}

std::string race_text(const Memory& memory, std::int64_t element, const Finding& finding, const Witness& before,
                      const Witness& now) {
  return fmt::format("race on {} at element {}: {}, {} {}", name_of(memory), element,
                     who_and_where(finding.sites.front(), before.writes),
                     who_and_where(finding.sites.back(), now.writes), remedy(before, now));
}

std::string initialisation_text(const Sighting& sighting, std::int64_t element) {
  const bool is_view = sighting.memory.of == Memory::Of::device;
  return fmt::format("element {} of {} is read before it was written{}: its value is arbitrary: {}", element,
                     name_of(sighting.memory), is_view ? "" : " in this block",
                     is_view ? "initialise the View (WithoutInitializing leaves that to you), or check the index"
                             : "write it first, with __syncthreads() before other threads read it, or check the index");
}

}  // namespace

Site site_of(const Witness& witness, const mylos_launch& launch, const std::optional<Line>& line) {
  mylos_place place{};
  std::ranges::copy(index_of(witness.block, launch.grid), place.block);
  std::ranges::copy(index_of(witness.thread, launch.block), place.thread);
  Site site = site_of(launch, place);
  if (line) {
    site.file = line->file;
    site.line = line->number;
    site.column = line->column;
  }
  return site;
}

std::string name_of(const Memory& memory) {
  switch (memory.of) {
    case Memory::Of::device: return fmt::format("View '{}'", memory.name);
    case Memory::Of::shared: return fmt::format("the shared array '{}'", memory.name);
    case Memory::Of::dynamic_shared: return "the dynamic shared memory";
    default: return fmt::format("the variable '{}'", memory.name);
  }
}

std::string misaligned_text(std::string_view access, std::size_t alignment) {
  return fmt::format(
      "{} at an address that is no multiple of {}: a GPU cannot do that: align what the pointer was made from, or "
      "access the parts one by one",
      access, alignment);
}

std::string access_text(bool writes, std::size_t bytes) {
  return fmt::format("a {} of {} byte{}", writes ? "write" : "read", bytes, bytes == 1 ? "" : "s");
}

Finding finding_of(const Sighting& sighting, const mylos_launch& launch, const std::optional<Line>& now_at,
                   const std::optional<Line>& before_at) {
  const std::int64_t element = sighting.memory.offset / std::max<std::int64_t>(sighting.bytes, 1);
  Finding finding{.kind = sighting.kind, .label = sighting.memory.name, .index = {element}};
  const Site now = site_of(sighting.now, launch, now_at);
  if (const auto& before = sighting.before) {
    finding.sites = {site_of(*before, launch, before_at), now};
    finding.text = race_text(sighting.memory, element, finding, *before, sighting.now);
  } else {
    finding.sites = {now};
    finding.text = initialisation_text(sighting, element);
  }
  return finding;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
