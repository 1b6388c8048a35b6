// SPDX-License-Identifier: MIT
// The words that CUDA adds to C++.
#pragma once

#define MYLOS_EMULATOR 1
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDA_ARCH__ 800
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0

#define __global__ inline
#define __device__
#define __host__
// The host sets them: a compiler that sees no writer must not take them for constant.
#define __constant__ __attribute__((__used__))
#define __managed__ __attribute__((__used__))
#define __grid_constant__
// Each OS thread runs one block at a time, so what belongs to a block belongs to the thread. An array that nobody writes
// is read all the same: the checks are to see it.
#define __shared__ thread_local __attribute__((__used__))
#define __forceinline__ __attribute__((__always_inline__))
#define __inline__ inline
#define __noinline__ __attribute__((__noinline__))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __align__(bytes) __attribute__((__aligned__(bytes)))
#define __builtin_align__(bytes) __attribute__((__aligned__(bytes)))
#define __restrict__ __restrict
#define __nv_pure__ __attribute__((__pure__))

#define MYLOS_INLINE static inline __attribute__((always_inline))
// A template: what nobody calls costs no more than reading it.
#define MYLOS_IF_USED template <int = 0> MYLOS_INLINE
#define MYLOS_MEMBER inline __attribute__((always_inline))
#define MYLOS_HIDDEN __attribute__((visibility("hidden")))
// Functions of the emulator's own, whose accesses are not the kernel's. In checked kernels the compiler looks at no
// access of theirs: they are not inlined into the kernel, and what is inlined into them is marked as well. Such kernels
// are hardly optimised, so that each access stays; these functions are, as they stand between any two of them.
#ifdef MYLOS_CHECKED
#define MYLOS_UNCHECKED \
  __attribute__((__no_sanitize__("thread"), __no_sanitize__("bounds"), __no_sanitize__("alignment")))
#ifdef __clang__
#define MYLOS_OWN_ACCESSES static MYLOS_UNCHECKED __attribute__((noinline))
#else
#define MYLOS_OWN_ACCESSES static MYLOS_UNCHECKED __attribute__((noinline, optimize("O2")))
#endif
#else
#define MYLOS_UNCHECKED
#define MYLOS_OWN_ACCESSES MYLOS_INLINE
#endif

// Inline PTX is not C++: the assembler of this machine would take some of it for its own language.
#define MYLOS_NO_PTX \
  _Pragma("GCC error \"inline PTX cannot run on the emulator: write the C++ equivalent under #ifdef MYLOS_EMULATOR\"")
#define asm MYLOS_NO_PTX __asm__
#define __asm MYLOS_NO_PTX __asm__

using size_t = decltype(sizeof(0));

extern "C" {
int mylos_printf(const char*, ...) noexcept __asm__("printf");
void* malloc(size_t) noexcept;
void free(void*) noexcept;
void* memcpy(void*, const void*, size_t) noexcept;
void* memmove(void*, const void*, size_t) noexcept;
void* memset(void*, int, size_t) noexcept;
int memcmp(const void*, const void*, size_t) noexcept;
size_t strlen(const char*) noexcept;
int strcmp(const char*, const char*) noexcept;
}

// Sized, unsized, of arrays: what `new` and `delete` call for types of usual alignment. Those of the C++ library throw,
// and a kernel that needs nothing of it is linked sooner.
inline void* operator new(size_t bytes) { return malloc(bytes); }
inline void* operator new[](size_t bytes) { return malloc(bytes); }
inline void operator delete(void* memory) noexcept { free(memory); }
inline void operator delete[](void* memory) noexcept { free(memory); }
inline void operator delete(void* memory, size_t) noexcept { free(memory); }
inline void operator delete[](void* memory, size_t) noexcept { free(memory); }

// The built-in indices are classes here: they reach printf as the unsigned values that they stand for.
template <class... A>
MYLOS_INLINE int printf(const char* format, A... arguments) {
  return mylos_printf(format, +arguments...);
}

namespace std {
using ::free;
using ::malloc;
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::printf;
using ::size_t;
using ::strcmp;
using ::strlen;
}  // namespace std

#undef NULL
#define NULL __null

// Set once, when the kernel is loaded.
MYLOS_HIDDEN const mylos_services* mylos_library = nullptr;

// The little of <type_traits> that the shim needs; the real one takes longer to compile than the shim.
template <class T>
struct mylos_arithmetic {};
template <class T>
struct mylos_integral {};
#define MYLOS_TYPE(T, trait)   \
  template <>                  \
  struct trait<T> {            \
    using type = T;            \
  };
#define MYLOS_INTEGER(T) MYLOS_TYPE(T, mylos_arithmetic) MYLOS_TYPE(T, mylos_integral)
MYLOS_INTEGER(bool) MYLOS_INTEGER(char) MYLOS_INTEGER(signed char) MYLOS_INTEGER(unsigned char)
MYLOS_INTEGER(short) MYLOS_INTEGER(unsigned short) MYLOS_INTEGER(int) MYLOS_INTEGER(unsigned)
MYLOS_INTEGER(long) MYLOS_INTEGER(unsigned long) MYLOS_INTEGER(long long) MYLOS_INTEGER(unsigned long long)
MYLOS_TYPE(float, mylos_arithmetic) MYLOS_TYPE(double, mylos_arithmetic)
#undef MYLOS_INTEGER
#undef MYLOS_TYPE

template <int bytes> struct mylos_unsigned;
template <> struct mylos_unsigned<1> { using type = unsigned char; };
template <> struct mylos_unsigned<2> { using type = unsigned short; };
template <> struct mylos_unsigned<4> { using type = unsigned; };
template <> struct mylos_unsigned<8> { using type = unsigned long long; };

template <class To, class From>
MYLOS_INLINE To mylos_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "only values of one size share their bits");
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}
