// SPDX-License-Identifier: MIT
// Kernels of the model as CUDA text.
#pragma once

#include <span>
#include <string>

#include "emulator/model/kernel_model.hpp"

namespace mylos_test::model {

/// How many arrays in device memory a kernel may have: parameters of every text.
constexpr unsigned most_arrays = 6;

/// The kernel as a function of the device, called `function`.
std::string text_of(const Kernel& kernel, const std::string& function);

/// One text for many kernels, which are compiled at once: `batch(which, p, a0, ..., a5)` runs one of them.
std::string text_of(std::span<const Kernel> kernels);

}  // namespace mylos_test::model
