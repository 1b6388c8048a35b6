// SPDX-License-Identifier: MIT
// What a kernel of the model computes when its threads run one after another, phase by phase.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emulator/model/kernel_machine.hpp"

namespace mylos_test::model {

struct SerialResult {
  /// Of each array in device memory; nothing stands for an element that nobody wrote.
  std::vector<std::vector<std::optional<Bits>>> arrays;
  std::optional<std::string> trouble;
};

/// Block after block; in a block each thread runs until it waits for others, then the next one.
SerialResult interpret(const Program& program, const Shape& shape);

}  // namespace mylos_test::model
