// SPDX-License-Identifier: MIT
#include "base/elf_file.hpp"

#include <elf.h>

#include <bit>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::detail {
namespace {

// `bytes` has as many.
template <class T>
T read(std::string_view bytes) {
  T value;
  bytes.copy(reinterpret_cast<char*>(&value), sizeof(T));
  return value;
}

// Of a table of names that end with a zero.
std::string name_at(std::string_view names, std::size_t at) {
  const std::string_view name = at < names.size() ? names.substr(at) : std::string_view();
  return std::string(name.substr(0, name.find('\0')));
}

}  // namespace

void ElfFile::fail(std::string_view why) const {
  throw Error(fmt::format("{} cannot be read: {}: compile it again, and check that the disk is not full", what_, why));
}

bool ElfFile::is_elf(std::string_view bytes) { return bytes.starts_with(std::string_view(ELFMAG, SELFMAG)); }

ElfFile::ElfFile(std::string_view bytes, std::string_view what) : bytes_(bytes), what_(what) {
  constexpr char byte_order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  const bool readable = bytes.size() >= sizeof(Elf64_Ehdr) && is_elf(bytes) && bytes[EI_CLASS] == ELFCLASS64 &&
                        bytes[EI_DATA] == byte_order;
  if (!readable) fail("it is no 64-bit ELF file");
  read_sections();
  for (const Section& section : sections_) {
    if (section.type == SHT_SYMTAB) read_symbols(section);
  }
}

void ElfFile::read_sections() {
  const auto header = read<Elf64_Ehdr>(bytes_);
  if (header.e_shnum == 0 && header.e_shoff != 0) fail("it has more sections than its header counts");
  std::vector<std::size_t> names;
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const std::uint64_t at = header.e_shoff + i * header.e_shentsize;
    const auto section = read<Elf64_Shdr>(part(at, sizeof(Elf64_Shdr)));
    names.push_back(section.sh_name);
    sections_.push_back(
        {section.sh_type, section.sh_info, section.sh_link, section.sh_addr, section.sh_offset, section.sh_size});
  }
  if (header.e_shstrndx == SHN_UNDEF || header.e_shstrndx >= sections_.size()) return;
  const std::string_view all = content(sections_[header.e_shstrndx]);
  for (std::size_t i = 0; i < names.size(); ++i) sections_[i].name = name_at(all, names[i]);
}

std::string_view ElfFile::part(std::uint64_t offset, std::uint64_t size) const {
  if (offset > bytes_.size() || size > bytes_.size() - offset) fail("it ends early");
  return bytes_.substr(offset, size);
}

std::string_view ElfFile::content(const Section& section) const {
  return section.type == SHT_NOBITS ? std::string_view() : part(section.offset, section.size);
}

void ElfFile::read_symbols(const Section& table) {
  if (table.link >= sections_.size()) fail("its symbols have no names");
  const std::string_view names = content(sections_[table.link]);
  const std::string_view rows = content(table);
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= rows.size(); at += sizeof(Elf64_Sym)) {
    const auto symbol = read<Elf64_Sym>(rows.substr(at));
    symbols_.push_back({name_at(names, symbol.st_name), symbol.st_value, symbol.st_size, symbol.st_shndx,
                        static_cast<unsigned char>(ELF64_ST_TYPE(symbol.st_info))});
  }
}

std::string ElfFile::content(const Symbol& symbol) const {
  if (symbol.section == SHN_UNDEF || symbol.section >= sections_.size()) fail(symbol.name + " is not in it");
  const Section& section = sections_[symbol.section];
  const std::uint64_t begin = symbol.value - section.address;  // huge where the value is smaller
  if (begin > section.size || symbol.size > section.size - begin) fail(symbol.name + " is outside of its section");
  if (section.type != SHT_NOBITS) return std::string(content(section).substr(begin, symbol.size));
  if (symbol.size > bytes_.size()) fail(symbol.name + " has more zeros than the file has bytes");
  std::string zeros(symbol.size, '\0');
  return zeros;
}

}  // namespace mylos::inline MYLOS_ABI::detail
