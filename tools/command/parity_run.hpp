// SPDX-License-Identifier: MIT
// `mylos check --run`: do functor and port of the kernels agree on the inputs of their parity files?
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "check.hpp"

namespace mylos_command {

/// The user ends the command while it waits for another program.
struct Interrupted : std::exception {
  explicit Interrupted(int signal) noexcept : by(signal) {}
  int by;
};

/// Adds an outcome "parity" to every kernel. Those in folders that mylos_add_kernels() takes are built, with the Mylos
/// that this program belongs to, in a temporary folder; their parity tests run on the emulated device under all checks.
/// A kernel without functor or inputs is skipped. What stops a build is the fault of each kernel in it, as is a step of
/// it (configuring, building, comparing) that takes longer than `time_limit`. CMake may use any generator. Throws
/// Interrupted, with all that was started ended and the folder removed.
void run_parity(const CheckOptions& options, std::vector<CheckedKernel>& kernels,
                const std::function<void(const std::string&)>& progress);

}  // namespace mylos_command
