// SPDX-License-Identifier: MIT
// How a test controls the stand-in for NVIDIA's driver: functions of its library, found by dlsym.
//
// The environment tells it what it is, at each question: STAND_IN_DEVICES (2), STAND_IN_VERSION (12040),
// STAND_IN_CAPABILITY (of the first device: 90), STAND_IN_MAX_THREADS (of a block of any kernel: 1024),
// STAND_IN_READS_HOST (1: devices read pageable memory of the host in place; 0); and once, at the first call,
// STAND_IN_FAIL ("cuInit:1:100": the first cuInit gives error 100; several with commas).
#pragma once

#include <cstddef>
#include <cstdint>

namespace stand_in {

/// What a launch comes to. `arguments` has the address of each parameter's value.
struct Launched {
  const char* symbol;
  std::uint32_t grid[3], block[3];
  std::size_t shared_bytes;
  void* const* arguments;
};

/// The work of a kernel; device memory is open meanwhile. Nonzero: the kernel faults with this error of the driver.
using Body = int (*)(void* user, const Launched& launch);
/// Where a variable of the kernel's text is that has this symbol and size; null: it has none.
using FindVariable = void* (*)(void* user, const char* symbol, std::size_t bytes);

extern "C" {
/// The nth call of `function` from now on (1: the next) gives this error. One that no process recovers from stays.
using Fail = void(const char* function, int nth, int code);
/// What runs for this kernel, and has the variables of its module; null: for each that has no body of its own.
using SetBody = void(const char* symbol, Body body, FindVariable find, void* user);
/// The calls so far, one per line: "cuMemAlloc_v2 80"; valid until the next call of it.
using Calls = const char*();
/// What a program must not do, one per line: no context, handles and sizes that are wrong, double frees.
using Violations = const char*();
using Forget = void();
}

}  // namespace stand_in
