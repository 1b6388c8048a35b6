// SPDX-License-Identifier: MIT
#include "emulator/services.hpp"

#include <fmt/format.h>

#include "emulator/block_runner.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

Extents3 extents(const int (&index)[3]) { return {index[0], index[1], index[2]}; }

std::string explanation(int failure, std::string_view text) {
  switch (failure) {
    case mylos_failed_assertion:
      return fmt::format(
          "assertion '{}' failed: what the kernel takes for granted does not hold: check its arguments and "
          "the values it reads",
          text);
    case mylos_trapped:
      return fmt::format("{} was reached: the kernel stops itself there: check the condition before it", text);
    default: return "an exception left the kernel: device code has no exceptions: return a value or a status instead";
  }
}

__attribute__((noinline)) void record(int failure, std::string_view text, const char* file, int line,
                                      const mylos_place& place) {
  Finding finding;
  finding.kind = failure == mylos_threw ? Kind::crash : Kind::assertion;
  finding.text = explanation(failure, text);
  finding.sites.push_back({extents(place.block), extents(place.thread), file, line});
  BlockRunner::running()->record(std::move(finding));
}

__attribute__((no_sanitize("address", "thread", "undefined"))) void fail(int failure, const char* text,
                                                                         const char* file, int line,
                                                                         mylos_place place) {
  record(failure, text, file, line, place);
  BlockRunner::running()->abandon();
}

void switch_fiber(mylos_worker* /*worker*/, int from, int to) { BlockRunner::running()->switch_portably(from, to); }

}  // namespace

const mylos_services& services() noexcept {
  static const mylos_services instance{fail, switch_fiber};
  return instance;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
