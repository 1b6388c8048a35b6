// SPDX-License-Identifier: MIT
// Which line of a kernel's text an instruction was compiled from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

class Module;

/// What the lines before and behind the kernel's text are said to be in.
inline constexpr std::string_view options_file = "(options)";
inline constexpr std::string_view launcher_file = "mylos_launcher";

struct Line {
  std::string file;
  int number = 0;
  int column = 0;  // counted from 1; 0: not known
};

/// Whether a file is one of Mylos' own, which the text of a kernel was compiled with.
bool is_own_file(const std::string& file);

/// A file's name for messages: of Mylos' own headers the name that texts include them by.
std::string shown_file(std::string file);

/// The innermost line that is the user's, at an address in the module's code; asks addr2line, which comes with the
/// linker that kernels need anyway. Nothing where that is absent or does not know. Throws nothing.
std::optional<Line> line_of(const Module& module, std::uintptr_t address);

/// The same for many addresses at the cost of one.
std::vector<std::optional<Line>> lines_of(const Module& module, std::span<const std::uintptr_t> addresses);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
