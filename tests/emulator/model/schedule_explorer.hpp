// SPDX-License-Identifier: MIT
// Runs a kernel of the model in many orders of its threads' accesses, to see whether any order shows a fault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "emulator/model/kernel_machine.hpp"

namespace mylos_test::model {

struct Exploration {
  /// Why the kernel is wrong: two orders with different outcomes, or one that ends in trouble.
  std::optional<std::string> wrong;
  /// Nothing orders two accesses of which one writes, in one of the orders that were watched for that.
  bool race = false;
  /// Whether all orders were seen, by the states that they go through.
  bool complete = false;
  std::size_t schedules = 0;
  /// The trouble is a loop that does not end.
  bool endless = false;
};

struct Effort {
  std::size_t schedules = 60;    // random ones
  std::size_t states = 4000;     // of all orders; when there are more, random ones are taken
  unsigned threads_for_all = 6;  // grids with more threads are not tried in all orders
};

/// Ends with the first order that shows the kernel wrong.
Exploration explore(const Program& program, const Shape& shape, const Effort& effort, std::uint64_t seed);

}  // namespace mylos_test::model
