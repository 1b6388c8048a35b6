// SPDX-License-Identifier: MIT
#include "jit/image_variables.hpp"

#include <elf.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/elf_file.hpp"
#include "base/variable_names.hpp"

namespace mylos::inline MYLOS_ABI::jit::detail {
namespace {

using mylos::detail::ElfFile;

std::vector<std::string> symbols_in_cubin(std::string_view image) {
  const ElfFile file(image, "the compiled kernel");
  std::vector<std::string> symbols;
  for (const ElfFile::Symbol& symbol : file.symbols()) {
    if (symbol.type == STT_OBJECT && symbol.section != SHN_UNDEF) symbols.push_back(symbol.name);
  }
  return symbols;
}

// ".const .align 4 .b8 c[16];", ".visible .global .align 4 .u32 _ZN7physics8launchesE = 10;": a line begins with each.
std::vector<std::string> symbols_in_ptx(std::string_view text) {
  constexpr std::string_view visible = ".visible ";
  std::vector<std::string> symbols;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.starts_with(visible)) line.remove_prefix(visible.size());
    if (!line.starts_with(".global ") && !line.starts_with(".const ")) continue;
    line = line.substr(0, line.find_first_of("[=;"));
    line = line.substr(0, line.find_last_not_of(' ') + 1);
    symbols.emplace_back(line.substr(line.rfind(' ') + 1));
  }
  return symbols;
}

}  // namespace

std::map<std::string, std::string, std::less<>> variables_in(std::string_view image) {
  std::map<std::string, std::string, std::less<>> variables;
  for (std::string& symbol : ElfFile::is_elf(image) ? symbols_in_cubin(image) : symbols_in_ptx(image)) {
    std::string name = mylos::detail::qualified_name(symbol);
    if (!name.empty()) variables.emplace(std::move(name), std::move(symbol));
  }
  return variables;
}

}  // namespace mylos::inline MYLOS_ABI::jit::detail
