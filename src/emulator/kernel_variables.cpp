// SPDX-License-Identifier: MIT
#include "emulator/kernel_variables.hpp"

#include <elf.h>

#include <algorithm>

#include "base/elf_file.hpp"
#include "base/variable_names.hpp"
#include "emulator/kernel_facts.hpp"
#include "emulator/object_file.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// "tile" of "void reduce<float>(float*)::tile".
std::string variable_name(const std::string& symbol) {
  std::string name = mylos::detail::readable_name(symbol);
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 1;) {
    if (name[i] == ')' || name[i] == '>' || name[i] == ']') ++depth;
    if (name[i] == '(' || name[i] == '<' || name[i] == '[') --depth;
    if (depth == 0 && name[i] == ':' && name[i - 1] == ':') return name.substr(i + 1);
  }
  return name;
}

}  // namespace

KernelVariables variables_of(const std::string& shared_object) {
  const mylos::detail::ElfFile file(shared_object, "the shared object that the C++ compiler made of a kernel");
  KernelVariables result;
  for (const auto& symbol : file.symbols()) {
    if (symbol.section == SHN_UNDEF || symbol.size == 0) continue;
    if (symbol.type == STT_OBJECT) {
      auto& list = is_of_the_shim(symbol.name) ? result.own_globals : result.globals;
      list.push_back({variable_name(symbol.name), symbol.value, symbol.size});
    }
    if (symbol.type != STT_TLS) continue;
    result.thread_local_bytes = std::max<std::size_t>(result.thread_local_bytes, symbol.value + symbol.size);
    if (symbol.name == dynamic_shared_symbol) {
      result.dynamic_shared = symbol.value;
    } else if (is_of_the_shim(symbol.name)) {
      result.own.push_back({symbol.name, symbol.value, symbol.size});
      if (symbol.name == anchor_symbol) result.anchor = symbol.value;
    } else {
      result.shared.push_back({variable_name(symbol.name), symbol.value, symbol.size});
    }
  }
  // Dynamic shared arrays all begin in one place, and are as long as the launch says.
  std::erase_if(result.shared, [&](const KernelVariable& v) { return v.begin == result.dynamic_shared; });
  return result;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
