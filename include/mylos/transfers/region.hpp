// SPDX-License-Identifier: MIT
// A name for a part of the program.
#pragma once

#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// While it lives, copies of its thread are reported as of this region; regions nest. It is a region of Kokkos Tools
/// too, so that an application's own profiler shows it. Must end on the thread that made it, the inner one first.
///
///     const mylos::Region region("output");
class MYLOS_EXPORT Region {
 public:
  explicit Region(std::string_view name);
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
};

namespace detail {
/// Names of this thread's Regions, "outer/inner"; empty outside of all.
[[nodiscard]] MYLOS_EXPORT std::string region_path();
}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
