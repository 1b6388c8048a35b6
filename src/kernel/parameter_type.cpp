// SPDX-License-Identifier: MIT
#include "kernel/parameter_type.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace mylos::inline MYLOS_ABI::detail {
namespace {

using Named = std::pair<std::string_view, ValueKind>;

constexpr std::array known_types = {
    Named{"bool", ValueKind::boolean},
    Named{"char", ValueKind::int8},
    Named{"signed char", ValueKind::int8},
    Named{"unsigned char", ValueKind::uint8},
    Named{"short", ValueKind::int16},
    Named{"unsigned short", ValueKind::uint16},
    Named{"int", ValueKind::int32},
    Named{"unsigned int", ValueKind::uint32},
    Named{"long long", ValueKind::int64},
    Named{"unsigned long long", ValueKind::uint64},
    Named{"float", ValueKind::float32},
    Named{"double", ValueKind::float64},
    Named{"half", ValueKind::float16},
    Named{"__half", ValueKind::float16},
    Named{"complex<float>", ValueKind::complex64},
    Named{"complex<double>", ValueKind::complex128},
    Named{"cuFloatComplex", ValueKind::complex64},
    Named{"cuDoubleComplex", ValueKind::complex128},
};

constexpr std::array vector_components = {
    Named{"char", ValueKind::int8},        Named{"uchar", ValueKind::uint8},   Named{"short", ValueKind::int16},
    Named{"ushort", ValueKind::uint16},    Named{"int", ValueKind::int32},     Named{"uint", ValueKind::uint32},
    Named{"long", ValueKind::int64},       Named{"ulong", ValueKind::uint64},  Named{"longlong", ValueKind::int64},
    Named{"ulonglong", ValueKind::uint64}, Named{"float", ValueKind::float32}, Named{"double", ValueKind::float64},
};

/// "float4": CUDA aligns 2 and 4 components to their size, 16 bytes at most, and 1 and 3 to one component.
ElementType vector_type(std::string_view name) {
  if (name.empty() || name.back() < '1' || name.back() > '4') return {};
  const auto count = static_cast<std::uint32_t>(name.back() - '0');
  const auto* const component = std::ranges::find(vector_components, name.substr(0, name.size() - 1), &Named::first);
  if (component == vector_components.end()) return {};
  const auto bytes = static_cast<std::uint32_t>(size_of(component->second));
  const std::uint32_t size = count * bytes;
  return {.size = size, .alignment = count % 2 == 0 ? std::min(size, 16U) : bytes, .component = component->second};
}

}  // namespace

std::string_view without_namespaces(std::string_view name) {
  const auto colons = name.substr(0, name.find('<')).rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

ElementType element_type(std::string_view canonical_name) {
  const std::string_view name = without_namespaces(canonical_name);
  if (name == "void") return {.is_void = true};
  const auto* const known = std::ranges::find(known_types, name, &Named::first);
  if (known == known_types.end()) return vector_type(name);
  const auto bytes = static_cast<std::uint32_t>(size_of(known->second));
  return {known->second, bytes, bytes};
}

bool same_element(const ArgumentType& argument, const ElementType& element) {
  if (element.is_void) return true;
  if (element.kind != ValueKind::other) return argument.kind == element.kind;
  if (!argument.is_trivially_copyable) return false;
  if (!element.is_known()) return true;
  return argument.size == element.size && argument.alignment % element.alignment == 0;
}

}  // namespace mylos::inline MYLOS_ABI::detail
