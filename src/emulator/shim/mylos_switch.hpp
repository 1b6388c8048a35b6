// SPDX-License-Identifier: MIT
// One stack's code goes on on another, without a call. Included by the library and by kernels, like mylos_abi.hpp; each
// side declares the registers that its own code may use.
#pragma once

#include "mylos_abi.hpp"

#if defined(__x86_64__) && !defined(MYLOS_PORTABLE_SWITCH)
#define MYLOS_IN_PLACE_SWITCH 1

namespace mylos_in_place {

#ifdef __AVX512F__
#define MYLOS_AVX512_REGISTERS                                                                                     \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27",    \
      "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define MYLOS_AVX512_REGISTERS
#endif

// Where a function has both a frame of unknown size and locals of large alignment, clang addresses them by rbx, and takes
// no notice when that is said to change: there it is kept on the stack, below which clang then must not keep anything
// (-mno-red-zone).
#ifdef __clang__
#define MYLOS_SAVE_BASE "pushq %%rbx\n\t"
#define MYLOS_RESTORE_BASE "\n\tpopq %%rbx"
#define MYLOS_BASE_REGISTER
#else
#define MYLOS_SAVE_BASE
#define MYLOS_RESTORE_BASE
#define MYLOS_BASE_REGISTER "rbx",
#endif

// All registers are declared as changed, so that the compiler keeps what is alive on the fiber's own stack, of which
// nothing is touched here; a jump instead of call and return keeps the processor's return prediction intact. A fiber that
// is alone in its block goes on on its own stack: where it goes on is read after it was saved.
static inline __attribute__((always_inline)) void mylos_switch(mylos_fiber* from, const mylos_fiber* to) {
  __asm__ volatile(
      MYLOS_SAVE_BASE
      "leaq 1f(%%rip), %%rdx\n\t"
      "movq %%rsp, (%0)\n\t"
      "movq %%rbp, 8(%0)\n\t"
      "movq %%rdx, 16(%0)\n\t"
      "movq (%1), %%rsp\n\t"
      "movq 8(%1), %%rbp\n\t"
      "jmp *16(%1)\n"
      "1:" MYLOS_RESTORE_BASE
      : "+a"(from), "+c"(to)
      :
      : "rdx", MYLOS_BASE_REGISTER "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0",
        "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
        "xmm14", "xmm15" MYLOS_AVX512_REGISTERS);
}

}  // namespace mylos_in_place

#endif
