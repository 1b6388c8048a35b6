// SPDX-License-Identifier: MIT
// The host's side of emulator_perf: functors in plain loops, compiled with the options that kernels have.
#pragma once

namespace mylos_perf {

/// y += a x, of n elements.
void host_axpy(long n, double a, const double* x, double* y);
/// One step of n particles: a kick by the field at the particle, a drift, back into the box.
void host_push(long n, double dt, double box, double* position, double* velocity);

}  // namespace mylos_perf
