// SPDX-License-Identifier: MIT
// What the emulator finds wrong in a kernel, and the error that carries it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
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
  crash            ///< an invalid access, a stack overflow, an exception
};

/// "memory", "race", ...
[[nodiscard]] MYLOS_EXPORT std::string_view to_string(Kind kind) noexcept;
/// What is wrong with faults of a kind, in a sentence; what usually mends them.
[[nodiscard]] MYLOS_EXPORT std::string_view explanation_of(Kind kind) noexcept;
[[nodiscard]] MYLOS_EXPORT std::string_view remedy_of(Kind kind) noexcept;

/// Where one of the threads involved was. What is not known is not given: extents without rank, an empty file, line 0.
struct Site {
  Extents3 block = {}, thread = {};
  std::string file = {};
  int line = 0;
  int column = 0;                                ///< counted from 1
  std::string source = {};                       ///< the text of the line
  std::string value = {};                        ///< of Kind::thread_order: what the element was in the end ...
  std::optional<std::uint64_t> order_seed = {};  ///< ... in the order that this Options::order_seed gives
};

struct Finding {
  Kind kind = Kind::crash;
  std::string kernel = {};
  std::vector<Site> sites = {};
  std::string label = {};                ///< of the View concerned, if one is
  std::vector<std::int64_t> index = {};  ///< in that View: along each axis, where it came as a mylos::Array of several
  std::string text = {};                 ///< what happened, why it is a problem, what to try
};

/// The findings for people: each one's message in one line, below it the lines of the text it is about, marked, and the
/// element by its indices; once for each kind what is wrong with it and what usually helps. A finding with no known
/// line of the text has its message alone. `in_colour`: with escape sequences of terminals. EmulationError's message is
/// the one without.
[[nodiscard]] MYLOS_EXPORT std::string report_of(const std::vector<Finding>& findings, bool in_colour = false);
/// Whether text for the stream may have colours: it is a terminal, and NO_COLOR is unset or empty.
[[nodiscard]] MYLOS_EXPORT bool takes_colour(std::FILE* stream) noexcept;

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
