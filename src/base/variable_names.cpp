// SPDX-License-Identifier: MIT
#include "base/variable_names.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::detail {

std::string readable_name(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(::abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return name ? name.get() : symbol;
}

std::string qualified_name(const std::string& symbol) {
  if (symbol.starts_with("_ZZ")) return {};  // in a function
  std::string name = readable_name(symbol);
  // NVIDIA's compilers put a namespace of their own around those of a static variable.
  const auto inner = name.find("::");
  if (name.starts_with("_INTERNAL_") && inner != std::string::npos) name.erase(0, inner + 2);
  // "f(int)", "(anonymous namespace)::a", "vtable for A", "completed.0", "$str", "__dso_handle".
  const bool is_of_others =
      name.starts_with("mylos_") || name.starts_with("__") || name.find_first_of(" (.$") != std::string::npos;
  return is_of_others ? std::string() : name;
}

void throw_no_variable(std::string_view text, std::string_view name, std::vector<std::string> others) {
  std::ranges::sort(others);
  throw LookupError(
      fmt::format("{} has no variable '{}' that the host could reach: {}{}, and a compiler leaves out what is const or "
                  "what no kernel uses: give the name with its namespaces",
                  text, name, others.empty() ? "it has none" : "it has ", fmt::join(others, ", ")));
}

}  // namespace mylos::inline MYLOS_ABI::detail
