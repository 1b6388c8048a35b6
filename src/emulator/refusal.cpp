// SPDX-License-Identifier: MIT
// Accesses that cannot be let happen: the launch ends before them.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "emulator/argument_arrays.hpp"
#include "emulator/block_runner.hpp"
#include "emulator/checker.hpp"
#include "emulator/job.hpp"
#include "emulator/leaving.hpp"
#include "emulator/registry.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

std::string plural(std::int64_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

// Of an address next to something: "16 bytes after the end of View 'x' (512 bytes): ..."
std::string explain_beside(std::int64_t from_begin, std::size_t bytes, const std::string& name) {
  const auto size = static_cast<std::int64_t>(bytes);
  if (from_begin < 0) {
    return fmt::format("{} before the beginning of {} ({}): there is no such element: check for a negative index",
                       plural(-from_begin), name, plural(size));
  }
  return fmt::format(
      "{} after the end of {} ({}): there is no such element: check the index, and the guard for threads "
      "that have none",
      plural(from_begin - size), name, plural(size));
}

std::string explain_dynamic(const Memory& at) {
  const auto size = static_cast<std::int64_t>(at.bytes);
  return fmt::format(
      "{} {} the {} of dynamic shared memory that the launch asked for: it belongs to nobody: ask for more with "
      "Launch::shared_bytes, or check the index",
      plural(at.offset < 0 ? -at.offset : at.offset - size), at.offset < 0 ? "before" : "after the end of",
      plural(size));
}

std::string explain(const Surroundings& at) {
  using Where = Surroundings::Where;
  const auto distance = static_cast<std::int64_t>(at.distance);
  const auto size = static_cast<std::int64_t>(at.bytes);
  const std::string view = fmt::format("View '{}'", at.label);
  switch (at.where) {
    case Where::freed:
      return fmt::format(
          "at byte {} of {} ({}), which is freed: its memory may be another's by now: keep the View until its last "
          "kernel is done",
          distance, view, plural(size));
    case Where::behind: return explain_beside(size + distance, at.bytes, view);
    case Where::before: return explain_beside(-distance, at.bytes, view);
    default:
      return "at an address of no allocation: the pointer is none of the device's: check what the kernel was given";
  }
}

std::string explain_wild(std::uintptr_t address, bool on_a_stack) {
  if (address < 4096) return "through a null pointer: it points to nothing: check what the kernel was given";
  if (on_a_stack) {
    return "on another thread's stack: local variables belong to their thread: hand values over in shared memory";
  }
  return fmt::format(
      "at address {:#x}, which is no memory of the device: the pointer is the host's, or the index far too large: pass "
      "memory of mylos::DeviceSpace, and check the index",
      address);
}

// The element that an access meant, counting in accesses of its size.
std::int64_t element_of(std::int64_t offset, std::size_t bytes) {
  const auto size = static_cast<std::int64_t>(std::max<std::size_t>(bytes, 1));
  return (offset < 0 ? offset - size + 1 : offset) / size;
}

}  // namespace

Finding Checker::refusal_of_device_memory(const Attempt& attempt, std::uintptr_t first_foreign) const {
  const Surroundings at = Registry::instance().surroundings(first_foreign);
  Finding finding{.kind = Kind::memory, .label = at.label};
  if (at.where != Surroundings::Where::nowhere) {
    finding.index =
        multi_index_beside(arrays_of(job_.module(), job_.launch()), attempt.address, at.base, at.bytes)
            .value_or(std::vector{element_of(static_cast<std::int64_t>(attempt.address - at.base), attempt.bytes)});
  }
  finding.text = fmt::format("{} {}", access_text(attempt.writes, attempt.bytes), explain(at));
  return finding;
}

Finding Checker::refusal_of_shared_memory(const Attempt& attempt, std::uintptr_t first_foreign) const {
  const Memory at = shared_memory_at(first_foreign);
  if (at.of != Memory::Of::shared || !at.name.empty()) return refusal_beside(attempt, first_foreign, at);
  return {.kind = Kind::memory,
          .text = access_text(attempt.writes, attempt.bytes) +
                  " of shared memory that belongs to nobody: the pointer is wrong: check the index"};
}

// Of an access next to something that has a name.
Finding Checker::refusal_beside(const Attempt& attempt, std::uintptr_t first_foreign, const Memory& at) const {
  const auto since = static_cast<std::int64_t>(first_foreign - attempt.address);
  const bool is_dynamic = at.of == Memory::Of::dynamic_shared;
  return {.kind = Kind::memory,
          .label = at.name,
          .index = {element_of(at.offset - since, attempt.bytes)},
          .text = fmt::format("{} {}", access_text(attempt.writes, attempt.bytes),
                              is_dynamic ? explain_dynamic(at) : explain_beside(at.offset, at.bytes, name_of(at)))};
}

// Arrays that others' memory lies next to are missed by a little.
bool Checker::is_near_shared(std::uintptr_t address) const noexcept {
  constexpr std::size_t near_bytes = 4096;
  return shared_.bytes != 0 && address - (shared_.begin - near_bytes) < shared_.bytes + 2 * near_bytes;
}

void Checker::record(const Attempt& attempt, std::uintptr_t first_foreign) {
  Finding finding{.kind = Kind::memory};
  const std::string what = access_text(attempt.writes, attempt.bytes);
  if (attempt.fault == Attempt::Fault::misaligned) {
    finding.kind = Kind::alignment;
    finding.text = misaligned_text(what, std::min<std::size_t>(attempt.bytes, 8));
  } else if (device_.holds(attempt.address)) {
    finding = refusal_of_device_memory(attempt, first_foreign);
  } else if (is_near_shared(attempt.address)) {
    finding = refusal_of_shared_memory(attempt, first_foreign);
  } else if (job_.module().holds(attempt.address)) {
    finding = refusal_beside(attempt, first_foreign, variable_at(first_foreign));
  } else {
    finding.text = fmt::format("{} {}", what,
                               explain_wild(attempt.address, BlockRunner::running()->is_on_any_stack(attempt.address)));
  }
  BlockRunner::running()->record(std::move(finding), {CodePath{instruction_before(attempt.code)}});
}

// Fibers are left for good: nothing here may have to be destroyed.
MYLOS_LEAVES_FIBER void Checker::end_launch(const Attempt& attempt, std::uintptr_t first_foreign) {
  record(attempt, first_foreign);
  BlockRunner::running()->abandon();
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
