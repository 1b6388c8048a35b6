// SPDX-License-Identifier: MIT
// Everything of the module device: code that runs on the device, in Kokkos functors, NVRTC text and the emulator alike.
#pragma once

#include <mylos/device/array.hpp>
#include <mylos/device/atomic.hpp>
#include <mylos/device/complex.hpp>
#include <mylos/device/index.hpp>
#include <mylos/device/integers.hpp>
#include <mylos/device/math.hpp>
#include <mylos/device/platform.hpp>
#include <mylos/device/reduce.hpp>
#include <mylos/device/scan.hpp>
#include <mylos/device/struct.hpp>
#include <mylos/device/warp.hpp>
