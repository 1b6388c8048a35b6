// SPDX-License-Identifier: MIT
// Which compiler, and with which arguments.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// The words of MYLOS_CXX, else CXX, else "c++". Blanks separate words, so "ccache g++" works.
std::vector<std::string> compiler_command();

/// The compiler's answer to --version, empty for one that does not run. Asked once in a process.
std::string compiler_version(const std::vector<std::string>& compiler);

/// What the program's file tells of a command, without running it. `unknown`: a script, a wrapper such as ccache, or
/// something with a name of its own; whatever it does may change while its file stays.
enum class CompilerKind { unknown, gcc, clang };
MYLOS_EXPORT CompilerKind kind_by_file(const std::vector<std::string>& compiler);

struct TranslatedOptions {
  std::vector<std::string> words;    // of the language, and of the code to make
  std::vector<std::string> folders;  // where headers are looked for: -I, -isystem
  std::string prelude;               // lines of text: what -D, -U and -include say
};

/// NVRTC options in the words of a host compiler: what it understands, what has a counterpart, nothing else. The
/// language is C++17 or newer, which the shim needs. Macros become text, to stand behind the shim, which they must not
/// change: they may have any names.
TranslatedOptions translated_options(const std::vector<std::string>& options);

/// For every kernel: fast code for this machine, and what the shim's tricks rest on, in the words of `compiler`. Asks
/// it once for its name.
std::vector<std::string> code_options(const std::vector<std::string>& compiler);

/// For kernels whose accesses are checked: the compiler calls a function at each, and leaves them where they are.
std::vector<std::string> checked_code_options(const std::vector<std::string>& compiler);

/// Fibers switch in the kernel's own code where the machine allows, by Boost.Context otherwise and with
/// MYLOS_EMULATOR_SWITCH=portable. Throws ValueError for another value than in_place or portable.
bool portable_switch_asked();

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
