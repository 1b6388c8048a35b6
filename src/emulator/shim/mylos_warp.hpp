// SPDX-License-Identifier: MIT
// Warp operations. This version refuses them where they are used.
#pragma once

constexpr int warpSize = 32;

#define MYLOS_NO_WARP                                                                                               \
  __attribute__((noinline, error("warp operations are not in this version of the emulator: use __syncthreads() and " \
                                 "shared memory, or another form of the code under #ifdef MYLOS_EMULATOR")))

#define MYLOS_SHUFFLE(name, source) \
  template <class T>                \
  MYLOS_NO_WARP T name(unsigned mask, T value, source from, int width = 32);
MYLOS_SHUFFLE(__shfl_sync, int)
MYLOS_SHUFFLE(__shfl_up_sync, unsigned)
MYLOS_SHUFFLE(__shfl_down_sync, unsigned)
MYLOS_SHUFFLE(__shfl_xor_sync, int)
#undef MYLOS_SHUFFLE
#define MYLOS_REDUCTION(name) \
  template <class T>          \
  MYLOS_NO_WARP T name(unsigned mask, T value);
MYLOS_REDUCTION(__reduce_add_sync) MYLOS_REDUCTION(__reduce_min_sync) MYLOS_REDUCTION(__reduce_max_sync)
MYLOS_REDUCTION(__reduce_and_sync) MYLOS_REDUCTION(__reduce_or_sync) MYLOS_REDUCTION(__reduce_xor_sync)
#undef MYLOS_REDUCTION
template <class T>
MYLOS_NO_WARP unsigned __match_any_sync(unsigned mask, T value);
template <class T>
MYLOS_NO_WARP unsigned __match_all_sync(unsigned mask, T value, int* same);
MYLOS_NO_WARP unsigned __ballot_sync(unsigned mask, int condition);
MYLOS_NO_WARP int __all_sync(unsigned mask, int condition);
MYLOS_NO_WARP int __any_sync(unsigned mask, int condition);
MYLOS_NO_WARP unsigned __activemask();
MYLOS_NO_WARP void __syncwarp(unsigned mask = 0xffffffffu);
#undef MYLOS_NO_WARP
