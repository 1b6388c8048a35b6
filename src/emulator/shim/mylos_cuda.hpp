// SPDX-License-Identifier: MIT
// The CUDA language for the host's compiler. Uses no standard header: they take longer to compile than most kernels,
// and glibc's <math.h> declares names that are CUDA's.
#pragma once

#include "mylos_abi.hpp"
#include "mylos_switch.hpp"
#include "mylos_language.hpp"
#include "mylos_worker.hpp"
#include "mylos_index.hpp"
#include "mylos_vector_types.hpp"
#include "mylos_rounding.hpp"
#include "mylos_math.hpp"
#include "mylos_special.hpp"
#include "mylos_intrinsics.hpp"
#include "mylos_lanes.hpp"
#include "mylos_barrier.hpp"
#include "mylos_warp.hpp"
#include "mylos_atomic.hpp"
#ifdef MYLOS_CHECKED
#include "mylos_instrumentation.hpp"
#endif
#include "mylos_refused.hpp"
#include "mylos_launcher.hpp"
