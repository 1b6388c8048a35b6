// SPDX-License-Identifier: MIT
#include "emulator/model/trials.hpp"

namespace mylos_test::model {

Trials trials() {
  return {.batches = 1,
          .random_mutated = 0,
          .every_nth_mutant = 13,
          .fewest_mutants = 30,
          .fewest_wrong = 10,
          .least_reported = 0.9};
}

}  // namespace mylos_test::model
