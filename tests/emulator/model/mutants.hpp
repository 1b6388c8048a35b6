// SPDX-License-Identifier: MIT
// Kernels with one small mistake, as people make them.
#pragma once

#include <vector>

#include "emulator/model/kernel_model.hpp"

namespace mylos_test::model {

/// Every kernel that differs in one place from the given one, and says so in its name: a barrier is missing or is
/// __syncwarp(), a __syncwarp() or the store of an unwritten array is missing, an index is one too large or too small,
/// an atomic function is a load and a store, a bound is one too large.
std::vector<Kernel> mutants_of(const Kernel& kernel);

}  // namespace mylos_test::model
