// SPDX-License-Identifier: MIT
// What the emulator finds wrong in a kernel, and the error that carries it.
#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/base/error.hpp>
#include <mylos/base/extents.hpp>

namespace mylos::inline MYLOS_ABI::emulator {

enum class Kind {
  memory,          ///< out of bounds, use after free
  race,            ///< unordered accesses to the same memory
  barrier,         ///< threads that do not meet at a barrier, or in a warp operation
  initialisation,  ///< memory read before it was written
  thread_order,    ///< results that depend on the order of threads
  alignment,       ///< a misaligned access
  arithmetic,      ///< an integer division by zero
  assertion,       ///< assert() or __trap()
  deadlock,        ///< threads that wait for each other
  crash            ///< an invalid access, a stack overflow, an exception that left the kernel
};

/// "memory", "race", ...
[[nodiscard]] MYLOS_EXPORT std::string_view to_string(Kind kind) noexcept;

/// Where one of the threads involved was. What is not known is not given: extents without rank, an empty file, line 0.
struct Site {
  Extents3 block = {}, thread = {};
  std::string file = {};
  int line = 0;
};

struct Finding {
  Kind kind = Kind::crash;
  std::string kernel = {};
  std::vector<Site> sites = {};
  std::string label = {};                ///< of the View concerned, if one is
  std::vector<std::int64_t> index = {};  ///< in that View
  std::string text = {};                 ///< what happened, why it is a problem, what to try
};

}  // namespace mylos::inline MYLOS_ABI::emulator

namespace mylos::inline MYLOS_ABI {

/// A kernel did something wrong on the emulated device. The message tells all findings; the first comes first.
class MYLOS_EXPORT EmulationError : public Error {
 public:
  explicit EmulationError(std::vector<emulator::Finding> findings,
                          std::source_location where = std::source_location::current());
  [[nodiscard]] const std::vector<emulator::Finding>& findings() const noexcept { return findings_; }

 private:
  std::vector<emulator::Finding> findings_;
};

}  // namespace mylos::inline MYLOS_ABI
