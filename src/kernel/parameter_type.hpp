// SPDX-License-Identifier: MIT
// What the kernel language's types are, by their canonical names (jit::canonical_type).
#pragma once

#include <cstdint>
#include <string_view>

#include <mylos/base/abi.hpp>
#include <mylos/kernel/arguments.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// Fundamental types, complex numbers and CUDA's vector types are known; for others size and alignment are 0: only the
/// kernel's compiler knows them (classes, enumerations, aliases of other files), and check_layouts() compares.
struct ElementType {
  ValueKind kind = ValueKind::other;
  std::uint32_t size = 0, alignment = 0;
  bool is_void = false;
  ValueKind component = ValueKind::other;  ///< of a vector type: of each of its one to four components

  [[nodiscard]] bool is_known() const { return kind != ValueKind::other || size > 0 || is_void; }
};

[[nodiscard]] ElementType element_type(std::string_view canonical_name);

/// Whether elements of the host's type are elements of the kernel's, as far as the name tells. A vector type is known
/// by its size only.
[[nodiscard]] bool same_element(const ArgumentType& argument, const ElementType& element);

/// "app::Pair<double>" is "Pair<double>".
[[nodiscard]] std::string_view without_namespaces(std::string_view name);

}  // namespace mylos::inline MYLOS_ABI::detail
