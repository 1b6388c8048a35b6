// SPDX-License-Identifier: MIT
// nv_bfloat16 and nv_bfloat162.
#pragma once

#include "cuda_fp16.h"

#define MYLOS_SMALL __nv_bfloat16
#define MYLOS_SMALL_FORMAT mylos_bfloat16
#define MYLOS_SMALL_WORD bfloat16
#include "mylos_two_bytes_functions.hpp"
#undef MYLOS_SMALL_WORD
#undef MYLOS_SMALL_FORMAT
#undef MYLOS_SMALL

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f80u))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7fffu))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001u))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f7fu))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000u))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000u))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3f80u))
