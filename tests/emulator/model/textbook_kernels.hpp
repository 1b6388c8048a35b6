// SPDX-License-Identifier: MIT
// What every textbook on CUDA has, as kernels of the model.
#pragma once

#include <vector>

#include "emulator/model/kernel_model.hpp"

namespace mylos_test::model {

/// A kernel, and a launch that it is written for.
struct TextbookKernel {
  Kernel kernel;
  Shape shape;
};

/// Some twice: once in blocks of more than a warp, once with so few threads that all their orders can be tried.
std::vector<TextbookKernel> textbook_kernels();

}  // namespace mylos_test::model
