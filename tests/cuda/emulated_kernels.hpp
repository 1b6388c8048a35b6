// SPDX-License-Identifier: MIT
// Kernels of the stand-in driver that really run: their texts, compiled and run by the emulator.
#pragma once

#include <string>

#include "cuda/stand_in.hpp"

namespace mylos_test {

/// Launches of `symbol` run the kernel `name` of this text from now on, whose variables are those of its modules;
/// `instantiate` as for CudaOptions.
void run_on_emulator(const StandIn& stand_in, const std::string& symbol, const std::string& text,
                     const std::string& name, const std::string& instantiate = {});

/// Launches of the library's own kernels run their own texts. Done at the start of a program that is linked with this,
/// where MYLOS_CUDA_DRIVER names a stand-in. Under the emulator's checks they work on copies of exactly the memory that
/// they are to visit, and findings fail the launch.
void run_library_kernels(const StandIn& stand_in);

}  // namespace mylos_test
