// SPDX-License-Identifier: MIT
// Everything of the module cuda: NVIDIA's driver and run-time compiler, loaded where they exist.
#pragma once

#include <mylos/cuda/driver.hpp>
#include <mylos/cuda/library.hpp>
#include <mylos/cuda/nvrtc.hpp>
