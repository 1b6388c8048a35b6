// SPDX-License-Identifier: MIT
#include "emulator/model/trials.hpp"

namespace mylos_test::model {

Trials trials() {
  return {.batches = 20,
          .random_mutated = 6,
          .every_nth_mutant = 1,
          .fewest_mutants = 300,
          .fewest_wrong = 100,
          .least_reported = 0.95};
}

}  // namespace mylos_test::model
