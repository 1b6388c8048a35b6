// SPDX-License-Identifier: MIT
#include "emulator/object_file.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

using mylos::detail::ElfFile;

}  // namespace

bool is_of_the_shim(std::string_view name) {
  if (name.starts_with("_ZL")) {
    name.remove_prefix(3);
    name.remove_prefix(std::min(name.find_first_not_of("0123456789"), name.size()));
  }
  return name.starts_with("mylos_") || name.starts_with("_ZGV");
}

ObjectFile::ObjectFile(std::string bytes)
    : bytes_(std::move(bytes)), file_(bytes_, "the object file that the C++ compiler made of a kernel") {
  relocations_.resize(file_.sections().size());
  for (const ElfFile::Section& section : file_.sections()) {
    if (section.type != SHT_RELA || section.info >= relocations_.size()) continue;
    const std::string_view rows = file_.content(section);
    for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= rows.size(); at += sizeof(Elf64_Rela)) {
      Elf64_Rela relocation;
      std::memcpy(&relocation, rows.data() + at, sizeof relocation);
      relocations_[section.info].push_back(static_cast<std::uint32_t>(ELF64_R_SYM(relocation.r_info)));
    }
  }
}

std::vector<std::string> ObjectFile::undefined_thread_locals() const {
  std::vector<std::string> names;
  for (const ElfFile::Symbol& symbol : file_.symbols()) {
    if (symbol.type == STT_TLS && symbol.section == SHN_UNDEF) names.push_back(symbol.name);
  }
  return names;
}

bool ObjectFile::needs_libraries() const {
  return std::ranges::any_of(file_.symbols(), [](const ElfFile::Symbol& symbol) {
    return symbol.section == SHN_UNDEF && symbol.type != STT_TLS && !symbol.name.empty() &&
           symbol.name != "_GLOBAL_OFFSET_TABLE_";  // the linker's own
  });
}

ObjectFile::References ObjectFile::references_of(std::string_view function) const {
  References found;
  std::set<std::uint32_t> seen_symbols;
  std::set<std::uint16_t> seen_sections;
  std::vector<std::uint16_t> open;
  const auto visit = [&](std::uint16_t section) {
    if (section != SHN_UNDEF && section < relocations_.size() && seen_sections.insert(section).second) {
      open.push_back(section);
    }
  };
  for (const ElfFile::Symbol& symbol : file_.symbols()) {
    if (symbol.name == function) visit(symbol.section);
  }
  while (!open.empty()) {
    const std::uint16_t section = open.back();
    open.pop_back();
    for (const std::uint32_t index : relocations_.at(section)) {
      if (!seen_symbols.insert(index).second) continue;
      const ElfFile::Symbol& symbol = file_.symbols().at(index);
      found.names.insert(symbol.name);
      if (symbol.type == STT_TLS && !is_of_the_shim(symbol.name)) found.thread_local_bytes += symbol.size;
      visit(symbol.section);
    }
  }
  return found;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
