// SPDX-License-Identifier: MIT
// Blocks and threads of a launch, and the limits that CUDA sets.
#pragma once

#include <string_view>

#include <mylos/base/abi.hpp>
#include <mylos/kernel/arguments.hpp>
#include <mylos/kernel/cuda_kernel.hpp>
#include <mylos/kernel/launch.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// What a launch's shape depends on beside the call.
struct ShapeRules {
  std::string_view kernel;
  const CudaOptions& options;
  int text_axes;     ///< of MYLOS_THREAD_* in the text; 0: none
  int functor_axes;  ///< indices of the host functor; 0: none, or not known
};

/// Throws ValueError (negative numbers), LaunchError (limits, unknown number of threads, threads along too few axes). A
/// grid with a 0 is empty work.
[[nodiscard]] LaunchShape shape_of_launch(const ShapeRules& rules, const Launch& settings, const Arguments& arguments);

/// Throws LaunchError where `threads` leave out elements of a View that something which works on `axes` indices
/// ("its text", "the host functor") would reach.
void require_axes(std::string_view kernel, std::string_view what, int axes, const Extents3& threads,
                  const Arguments& arguments);

/// The part of a host functor's `threads` that a grid given for the port covers: both sides do the same work. All of
/// them where that is not known: the port may share the work out among any number of threads.
[[nodiscard]] Extents3 covered_by_grid(const ShapeRules& rules, bool may_read_grid, const Launch& settings,
                                       const Extents3& threads);

}  // namespace mylos::inline MYLOS_ABI::detail
