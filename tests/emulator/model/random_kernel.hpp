// SPDX-License-Identifier: MIT
// Random kernels without races, by construction: in each phase between two barriers an array is either read by
// anybody, or each element used by one thread only, or changed by atomic functions whose order does not matter.
#pragma once

#include <cstdint>

#include "emulator/model/kernel_model.hpp"

namespace mylos_test::model {

/// What a kernel may have; the emulator runs each of them in another way.
enum class Parts : std::uint8_t { arithmetic, atomics, barriers };

/// The same kernel for the same seed, everywhere. It suits every shape.
Kernel random_kernel(std::uint64_t seed, Parts parts);

}  // namespace mylos_test::model
