// SPDX-License-Identifier: MIT
// Device memory that nobody has freed by the end.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/log.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/memory.hpp>

#include "emulator/arena.hpp"
#include "emulator/device_heap.hpp"
#include "emulator/registry.hpp"
#include "emulator/report_file.hpp"

namespace mylos::inline MYLOS_ABI::emulator {
namespace {

std::string text_of(const Allocation& leak) {
  if (leak.label == detail::heap_label) {
    return fmt::format(
        "{} bytes that a kernel allocated by malloc or new were never freed: they are alive at the end "
        "of their device, whose heap is small on a GPU: free them in a kernel",
        leak.bytes);
  }
  return fmt::format(
      "View '{}' ({} bytes) was never freed: it is alive at the end of its device: let it, and all "
      "copies of it, end before Kokkos::finalize",
      leak.label, leak.bytes);
}

Finding finding_of(const Allocation& leak) {
  return {.kind = Kind::memory, .kernel = "(host)", .label = leak.label, .text = text_of(leak)};
}

void warn_of(const std::vector<Allocation>& leaks) {
  constexpr std::size_t most_names = 8;
  std::size_t bytes = 0;
  std::vector<std::string> names;
  for (const Allocation& leak : leaks) {
    bytes += leak.bytes;
    if (names.size() < most_names) names.push_back(fmt::format("'{}' ({} bytes)", leak.label, leak.bytes));
  }
  if (leaks.size() > names.size()) names.push_back(fmt::format("{} more", leaks.size() - names.size()));
  log::warning(fmt::format("{} allocation{} of the emulated device ({} bytes) {} never freed: {}", leaks.size(),
                           leaks.size() == 1 ? "" : "s", bytes, leaks.size() == 1 ? "was" : "were",
                           fmt::join(names, ", ")));
}

}  // namespace

std::vector<Allocation> live_allocations() {
  return detail::Arena::existing() == nullptr ? std::vector<Allocation>() : detail::Registry::instance().live();
}

std::size_t report_leaks() {
  const std::vector<Allocation> leaks = live_allocations();
  if (leaks.empty()) return 0;
  warn_of(leaks);
  std::vector<Finding> findings;
  std::ranges::transform(leaks, std::back_inserter(findings), finding_of);
  detail::append_to_report(findings);
  return leaks.size();
}

}  // namespace mylos::inline MYLOS_ABI::emulator
