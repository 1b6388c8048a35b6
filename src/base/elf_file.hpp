// SPDX-License-Identifier: MIT
// A reader of 64-bit ELF files: what compilers make for this machine, and for GPUs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// Nothing outside of the bytes is read, whatever they say. Refers to them.
class MYLOS_EXPORT ElfFile {
 public:
  struct Section {
    std::uint32_t type = 0;  // SHT_*
    std::uint32_t info = 0;
    std::uint32_t link = 0;
    std::uint64_t address = 0;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::string name = {};  // empty where the file has no names
  };
  struct Symbol {
    std::string name;
    std::uint64_t value = 0;
    std::uint64_t size = 0;
    std::uint16_t section = 0;  // 0: undefined here
    unsigned char type = 0;     // STT_*
  };

  /// Throws Error, which calls the file `what`, for anything but a 64-bit ELF file of this machine's byte order, and
  /// for one that ends early or contradicts itself.
  ElfFile(std::string_view bytes, std::string_view what);

  /// Whether bytes begin as such a file does.
  [[nodiscard]] static bool is_elf(std::string_view bytes);

  [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
  /// Of the symbol table, in its order.
  [[nodiscard]] const std::vector<Symbol>& symbols() const { return symbols_; }
  /// The bytes of a section: none for one that only says how many zeros it has. Throws Error.
  [[nodiscard]] std::string_view content(const Section& section) const;
  /// A variable's bytes as the file defines it. Throws Error.
  [[nodiscard]] std::string content(const Symbol& symbol) const;

 private:
  [[nodiscard]] std::string_view part(std::uint64_t offset, std::uint64_t size) const;
  void read_sections();
  void read_symbols(const Section& table);
  [[noreturn]] void fail(std::string_view why) const;

  std::string_view bytes_;
  std::string what_;
  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;
};

}  // namespace mylos::inline MYLOS_ABI::detail
