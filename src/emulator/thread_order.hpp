// SPDX-License-Identifier: MIT
// Check::thread_order: a launch in several orders of its threads.
#pragma once

#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/finding.hpp>

#include "emulator/run_once.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Runs all blocks in several orders, each time from the same memory, and leaves what the first run left, whatever is
/// thrown. Ends at the first order with a finding. A kernel that uses the device's heap is not compared: what it
/// allocates in another order than the first is freed again, what it frees stays freed, and a warning says so.
/// Cost: Options::orders + 1 runs, and one more when results differ; three times the device memory that they write to.
std::vector<Finding> run_in_several_orders(const Task& task);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
