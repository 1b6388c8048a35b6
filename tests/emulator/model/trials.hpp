// SPDX-License-Identifier: MIT
// How much the tests on kernels of the model try: a little in every run, much in the long one.
#pragma once

#include <cstddef>

namespace mylos_test::model {

struct Trials {
  std::size_t batches;           // of random kernels that are compared with the interpreter, for each of Parts
  std::size_t random_mutated;    // random kernels of which mutants are made, beside those of textbooks
  std::size_t every_nth_mutant;  // of a textbook's kernel is tried
  std::size_t fewest_mutants, fewest_wrong;
  double least_reported;  // of the wrong ones; where they are few, one that a compiler makes right counts much
};

/// few_trials.cpp or many_trials.cpp, whichever the executable has.
Trials trials();

}  // namespace mylos_test::model
