// SPDX-License-Identifier: MIT
// What the emulator asks the compiler's object file: what does a kernel refer to, which dynamic shared memory does it
// declare, and does it need libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

#include "base/elf_file.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Whether a symbol is the shim's: `mylos_concurrent`, as a static variable `_ZL10mylos_here`; a guard of another.
bool is_of_the_shim(std::string_view name);

class ObjectFile {
 public:
  struct References {
    std::set<std::string> names;         // of all symbols that are referred to
    std::size_t thread_local_bytes = 0;  // of thread-local variables among them, the shim's own left out
  };

  /// Throws Error for anything but a 64-bit ELF file of this machine's byte order.
  explicit ObjectFile(std::string bytes);
  ~ObjectFile() = default;
  ObjectFile(const ObjectFile&) = delete;
  ObjectFile& operator=(const ObjectFile&) = delete;

  /// Names of thread-local variables that are declared and not defined: `extern __shared__`.
  [[nodiscard]] std::vector<std::string> undefined_thread_locals() const;
  /// Whether functions or variables are used that it does not define: those of the C library and of libm.
  [[nodiscard]] bool needs_libraries() const;
  /// What a function refers to, directly or through functions and data it refers to. Complete for code compiled with
  /// -ffunction-sections: every address that code uses stands in the relocations of its section.
  [[nodiscard]] References references_of(std::string_view function) const;

 private:
  std::string bytes_;
  mylos::detail::ElfFile file_;
  std::vector<std::vector<std::uint32_t>> relocations_;  // by section: indices of the symbols referred to
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
