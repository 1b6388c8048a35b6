// SPDX-License-Identifier: MIT
#include "emulator/object_file.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// `mylos_ring`, or as a static variable `_ZL10mylos_here`.
bool is_of_the_shim(std::string_view name) {
  if (name.starts_with("_ZL")) {
    name.remove_prefix(3);
    name.remove_prefix(std::min(name.find_first_not_of("0123456789"), name.size()));
  }
  return name.starts_with("mylos_") || name.starts_with("_ZGV");
}

}  // namespace

template <class T>
T ObjectFile::read(std::uint64_t offset) const {
  if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset) {
    throw Error("the compiler's object file ends early: it cannot be read: compile again, and check the free space");
  }
  T value;
  std::memcpy(&value, bytes_.data() + offset, sizeof(T));
  return value;
}

std::string ObjectFile::text_at(std::uint64_t offset) const {
  if (offset >= bytes_.size()) return {};
  return bytes_.substr(offset, bytes_.find('\0', offset) - offset);
}

ObjectFile::ObjectFile(std::string bytes) : bytes_(std::move(bytes)) {
  const bool elf = bytes_.size() >= sizeof(Elf64_Ehdr) && bytes_.compare(0, SELFMAG, ELFMAG) == 0;
  if (!elf || bytes_[EI_CLASS] != ELFCLASS64) {
    throw Error(
        "the compiler made no 64-bit ELF file: the emulator cannot tell how to run the kernel: use a compiler "
        "for this machine (MYLOS_CXX)");
  }
  read_sections();
}

void ObjectFile::read_sections() {
  const auto header = read<Elf64_Ehdr>(0);
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto section = read<Elf64_Shdr>(header.e_shoff + std::uint64_t{i} * header.e_shentsize);
    sections_.push_back({section.sh_type, section.sh_info, section.sh_link, section.sh_offset, section.sh_size});
  }
  relocations_.resize(sections_.size());
  for (const Section& section : sections_) {
    if (section.type == SHT_SYMTAB) read_symbols(section);
    if (section.type != SHT_RELA || section.info >= sections_.size()) continue;
    for (std::uint64_t at = 0; at < section.size; at += sizeof(Elf64_Rela)) {
      const auto relocation = read<Elf64_Rela>(section.offset + at);
      relocations_[section.info].push_back(static_cast<std::uint32_t>(ELF64_R_SYM(relocation.r_info)));
    }
  }
}

void ObjectFile::read_symbols(const Section& table) {
  const std::uint64_t names = sections_.at(table.link).offset;
  for (std::uint64_t at = 0; at < table.size; at += sizeof(Elf64_Sym)) {
    const auto symbol = read<Elf64_Sym>(table.offset + at);
    symbols_.push_back({text_at(names + symbol.st_name), symbol.st_value, symbol.st_size, symbol.st_shndx,
                        static_cast<unsigned char>(ELF64_ST_TYPE(symbol.st_info))});
  }
}

std::vector<std::string> ObjectFile::undefined_thread_locals() const {
  std::vector<std::string> names;
  for (const Symbol& symbol : symbols_) {
    if (symbol.type == STT_TLS && symbol.section == SHN_UNDEF) names.push_back(symbol.name);
  }
  return names;
}

ObjectFile::References ObjectFile::references_of(std::string_view function) const {
  References found;
  std::set<std::uint32_t> seen_symbols;
  std::set<std::uint16_t> seen_sections;
  std::vector<std::uint16_t> open;
  const auto visit = [&](std::uint16_t section) {
    if (section != SHN_UNDEF && section < sections_.size() && seen_sections.insert(section).second) {
      open.push_back(section);
    }
  };
  for (const Symbol& symbol : symbols_) {
    if (symbol.name == function) visit(symbol.section);
  }
  while (!open.empty()) {
    const std::uint16_t section = open.back();
    open.pop_back();
    for (const std::uint32_t index : relocations_.at(section)) {
      if (!seen_symbols.insert(index).second) continue;
      const Symbol& symbol = symbols_.at(index);
      found.names.insert(symbol.name);
      if (symbol.type == STT_TLS && !is_of_the_shim(symbol.name)) found.thread_local_bytes += symbol.size;
      visit(symbol.section);
    }
  }
  return found;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
