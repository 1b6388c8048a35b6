// SPDX-License-Identifier: MIT
// How a kernel is launched: the settings of one call.
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>

#include <mylos/base/abi.hpp>
#include <mylos/base/extents.hpp>
#include <mylos/core/spaces.hpp>

namespace mylos::inline MYLOS_ABI {

/// Settings of one call, given first: `kernel({.threads = n}, x, v, dt)`. All are optional.
///
/// threads: how many threads work, x first; 0 along any axis is empty work. Not given: from the Views (ThreadsFrom).
/// grid, block: of the CUDA port; a grid alone decides the number of blocks. A host functor does the work of the
/// threads that such a grid has, if it is less than all: see Kernel. shared_bytes: dynamic shared memory of a block of
/// the port. stream: the Device whose stream the work is queued on; the default one otherwise. A host functor ignores
/// it.
struct Launch {
  Extents3 threads = {};
  Extents3 grid = {};
  Extents3 block = {};
  std::size_t shared_bytes = 0;
  std::optional<Device> stream = {};
};

/// What a launch comes to: blocks, threads of a block, dynamic shared memory of a block. All extents are given.
struct LaunchShape {
  Extents3 grid = {};
  Extents3 block = {};
  std::size_t shared_bytes = 0;
  friend bool operator==(const LaunchShape&, const LaunchShape&) = default;
};

namespace detail {

/// Whether a pack begins with a Launch: such a call must not be taken by the overload without one.
template <class... A>
inline constexpr bool no_launch_first_v = true;
template <class First, class... Rest>
inline constexpr bool no_launch_first_v<First, Rest...> = !std::is_same_v<std::remove_cvref_t<First>, Launch>;

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
