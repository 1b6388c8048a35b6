// SPDX-License-Identifier: MIT
// The module emulator: CUDA kernels on this machine's processor.
#pragma once

#include <mylos/emulator/compiler.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/launch.hpp>
#include <mylos/emulator/memory.hpp>
#include <mylos/emulator/options.hpp>
