// SPDX-License-Identifier: MIT
// A whole run on the backend in force, and what comes back from it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <Kokkos_Core.hpp>

#include <mylos/transfers/counts.hpp>

#include "options.hpp"

namespace landau {

/// What a run leaves on the host.
struct RunData {
  template <class T>
  using HostView = Kokkos::View<T, Kokkos::LayoutRight, Kokkos::HostSpace>;
  using HostColumns = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>;

  std::string backend, implementation;
  double seconds = 0.0;                   ///< of the steps
  mylos::TransferCounts copies;           ///< of everything
  mylos::TransferCounts copies_in_steps;  ///< of the steps alone
  HostView<double**> history;             ///< (steps, History::columns)
  HostView<double***> field;              ///< (kept fields, nodes, components)
  HostView<double**> charge_density;      ///< (kept fields, nodes); the mean, which the ions cancel, is left out
  HostColumns position;                   ///< (kept markers, axes) at the end, in Debye lengths
  HostColumns velocity;                   ///< likewise, half a step behind
  HostView<double*> weight;               ///< of the kept markers: of the difference to the equilibrium, or 1
};

/// Called with the number of steps done, now and then.
using Progress = std::function<void(std::int64_t steps_done)>;

/// Runs `options`, which must be valid, on mylos::backend(). Between the first step and the last nothing is copied
/// between host and device, and at the end no more comes back than RunData holds; the run watches both itself.
/// Throws mylos::BackendError, mylos::CompileError, mylos::TransferError.
[[nodiscard]] RunData simulate(const Options& options, const Progress& progress = {});

}  // namespace landau
