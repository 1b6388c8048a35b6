// SPDX-License-Identifier: MIT
// A reader of ELF files, for the two questions the emulator asks them: what does a kernel refer to, and which dynamic
// shared memory does it declare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

class ObjectFile {
 public:
  struct Symbol {
    std::string name;
    std::uint64_t value = 0;
    std::uint64_t size = 0;
    std::uint16_t section = 0;  // 0: undefined here
    unsigned char type = 0;     // STT_*
  };
  struct References {
    std::set<std::string> names;         // of all symbols that are referred to
    std::size_t thread_local_bytes = 0;  // of thread-local variables among them, the shim's own left out
  };

  /// Throws Error for anything but a 64-bit ELF file of this machine's byte order.
  explicit ObjectFile(std::string bytes);

  /// Names of thread-local variables that are declared and not defined: `extern __shared__`.
  [[nodiscard]] std::vector<std::string> undefined_thread_locals() const;
  /// What a function refers to, directly or through functions and data it refers to. Complete for code compiled with
  /// -ffunction-sections: every address that code uses stands in the relocations of its section.
  [[nodiscard]] References references_of(std::string_view function) const;

 private:
  struct Section {
    std::uint32_t type = 0;
    std::uint32_t info = 0;
    std::uint32_t link = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };
  template <class T>
  [[nodiscard]] T read(std::uint64_t offset) const;
  [[nodiscard]] std::string text_at(std::uint64_t offset) const;
  void read_sections();
  void read_symbols(const Section& table);

  std::string bytes_;
  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;                          // of the symbol table, in its order
  std::vector<std::vector<std::uint32_t>> relocations_;  // by section: indices of the symbols referred to
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
