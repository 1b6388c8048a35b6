// SPDX-License-Identifier: MIT
// The CUDA language for the host's compiler. Uses no standard header: they take longer to compile than most kernels,
// and glibc's <math.h> declares names that are CUDA's.
#pragma once

#include "mylos_abi.hpp"
#include "mylos_switch.hpp"
#include "mylos_language.hpp"
#include "mylos_index.hpp"
#include "mylos_vector_types.hpp"
#include "mylos_math.hpp"
#include "mylos_intrinsics.hpp"
#include "mylos_barrier.hpp"
#include "mylos_warp.hpp"
#include "mylos_atomic.hpp"
#include "mylos_launcher.hpp"
