// SPDX-License-Identifier: MIT
#include "emulator/model/serial_interpreter.hpp"

#include <algorithm>

namespace mylos_test::model {

SerialResult interpret(const Program& program, const Shape& shape) {
  Machine machine(program, shape);
  const auto can_run = [&](unsigned thread) {
    return std::ranges::find(machine.ready(), thread) != machine.ready().end();
  };
  for (unsigned block = 0; block < shape.blocks; ++block) {
    for (bool went_on = true; went_on;) {
      went_on = false;
      for (unsigned thread = block * shape.threads; thread < (block + 1) * shape.threads; ++thread) {
        while (can_run(thread)) {
          machine.step(thread);
          went_on = true;
        }
      }
    }
  }
  return {machine.outcome(), machine.trouble()};
}

}  // namespace mylos_test::model
