// SPDX-License-Identifier: MIT
#include "emulator/services.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <mylos/emulator/launch.hpp>
#include <mylos/emulator/memory.hpp>

#include "emulator/block_runner.hpp"
#include "emulator/check_services.hpp"
#include "emulator/divergence.hpp"
#include "emulator/leaving.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

std::string explanation(int failure, std::string_view text) {
  switch (failure) {
    case mylos_failed_assertion:
      return fmt::format(
          "assertion '{}' failed: what the kernel takes for granted does not hold: check its arguments and "
          "the values it reads",
          text);
    case mylos_trapped:
      return fmt::format("{} was reached: the kernel stops itself there: check the condition before it", text);
    default:  // mylos_grid_too_large
      return fmt::format(
          "a barrier of the whole grid cannot be passed: its blocks would have to run at the same time, and the "
          "emulated device runs at most {} at a time: launch fewer blocks, each with more of the work",
          max_blocks_that_meet);
  }
}

__attribute__((noinline)) void record(int failure, std::string_view text, const char* file, int line,
                                      const mylos_place& place, std::uintptr_t code) {
  Finding finding;
  finding.kind = failure == mylos_grid_too_large ? Kind::barrier : Kind::assertion;
  finding.text = explanation(failure, text);
  Site& site = finding.sites.emplace_back(site_of(BlockRunner::running()->job().launch(), place));
  site.file = file;
  site.line = line;
  BlockRunner::running()->record(std::move(finding), {{code}});
}

MYLOS_LEAVES_FIBER void fail(int failure, const char* text, const char* file, int line, mylos_place place) noexcept {
  record(failure, text, file, line, place, instruction_before(__builtin_return_address(0)));
  BlockRunner::running()->abandon();
}

// "View 'x' (argument 2)", as far as it is known: no function of the kernel tells whose pointer it has.
std::string array_name(const Job& job, const void* data, const std::string& label) {
  const auto parameters = job.module().parameters();
  std::string name = label.empty() ? "the array" : fmt::format("View '{}'", label);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].size < sizeof data || std::memcmp(job.launch().arguments[i], &data, sizeof data) != 0) continue;
    return fmt::format("{} (argument {})", name, i + 1);
  }
  return name;
}

__attribute__((noinline)) void record_bad_index(const void* data, long long index, int axis, long long extent,
                                                const mylos_place& place, std::uintptr_t code) {
  Finding finding;
  finding.kind = Kind::memory;
  if (const auto allocation = find(data)) finding.label = allocation->label;
  finding.index = {index};
  const std::string where = axis < 0 ? "" : fmt::format(" on axis {}", axis);
  finding.text = fmt::format("index {}{} is outside of the extent {} of {}: there is no such element: check the index",
                             index, where, extent, array_name(BlockRunner::running()->job(), data, finding.label));
  finding.sites.push_back(site_of(BlockRunner::running()->job().launch(), place));
  BlockRunner::running()->record(std::move(finding), {{code}});
}

MYLOS_LEAVES_FIBER void bad_index(const void* data, long long index, int axis, long long extent,
                                  mylos_place place) noexcept {
  record_bad_index(data, index, axis, extent, place, instruction_before(__builtin_return_address(0)));
  BlockRunner::running()->abandon();
}

MYLOS_LEAVES_FIBER mylos_fiber* come_to_barrier(const char* file, unsigned line, unsigned column,
                                                const void* call) noexcept {
  mylos_fiber* const next = BlockRunner::running()->come_to_barrier({file, line, column, call});
  if (next == nullptr) BlockRunner::running()->abandon();
  return next;
}

mylos_fiber* next_live(const mylos_fiber* fiber) noexcept { return BlockRunner::running()->next_live(fiber); }

MYLOS_LEAVES_FIBER void complete() noexcept {
  if (!BlockRunner::running()->complete()) BlockRunner::running()->abandon();
}

MYLOS_LEAVES_FIBER void meet_blocks(const char* file, int line) noexcept {
  if (!BlockRunner::running()->meet_blocks(file, line)) BlockRunner::running()->abandon();
}

MYLOS_LEAVES_FIBER void misuse(int misuse, int value) noexcept {
  BlockRunner::running()->misuse(misuse, value);
  BlockRunner::running()->abandon();
}

MYLOS_LEAVES_FIBER void threw() noexcept {
  BlockRunner::running()->record_throw();
  BlockRunner::running()->abandon();
}

void switch_fiber(mylos_fiber* from, mylos_fiber* to) noexcept { BlockRunner::running()->switch_portably(from, to); }

}  // namespace

const mylos_services& services() noexcept {
  static const mylos_services instance{fail,
                                       bad_index,
                                       switch_fiber,
                                       come_to_barrier,
                                       next_live,
                                       complete,
                                       meet_blocks,
                                       misuse,
                                       threw,
                                       &check_services(),
                                       BlockRunner::place_of_worker()};
  return instance;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
