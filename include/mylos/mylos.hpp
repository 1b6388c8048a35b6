// SPDX-License-Identifier: MIT
// Everything of Mylos::mylos (layers 0 to 10). Optional libraries have their own: <mylos/hdf5.hpp>,
// <mylos/testing.hpp>.
#pragma once

#include <mylos/base.hpp>
#include <mylos/core.hpp>
#include <mylos/cuda.hpp>
#include <mylos/device.hpp>
#include <mylos/emulator.hpp>
#include <mylos/jit.hpp>
#include <mylos/kernel.hpp>
#include <mylos/transfers.hpp>
