// SPDX-License-Identifier: MIT
// Whether a struct that goes to kernels by value, or in Views, is the same there: found out by the kernels' compilers,
// without a GPU.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/device/array.hpp>
#include <mylos/device/struct.hpp>
#include <mylos/jit/signature.hpp>

namespace mylos::inline MYLOS_ABI {

/// A struct as the host's compiler lays it out, in bytes.
struct StructLayout {
  std::string name;  ///< in the kernel's language: "app::Particle"
  std::size_t size, alignment;
  std::vector<FieldLayout> fields = {};
};

namespace detail {

template <class T, class... Others>
inline constexpr bool is_one_of_v = (std::is_same_v<T, Others> || ...);

/// What a kernel's compiler says of T, and of what T has elements of.
template <class T>
struct KernelType {
  using element = void;
  static constexpr TypeClass value =
      std::is_same_v<T, bool>                                          ? TypeClass::boolean
      : is_one_of_v<T, char, signed char, short, int, long, long long> ? TypeClass::signed_integer
      : is_one_of_v<T, unsigned char, unsigned short, unsigned, unsigned long, unsigned long long>
          ? TypeClass::unsigned_integer
      : is_one_of_v<T, float, double> ? TypeClass::floating
                                      : TypeClass::other;
};
template <class T>
struct KernelType<T*> {
  using element = std::remove_cv_t<T>;
  static constexpr TypeClass value = TypeClass::pointer;
};
template <class T, int R>
struct KernelType<device::Array<T, R>> {
  using element = std::remove_cv_t<T>;
  static constexpr TypeClass value = TypeClass::array;
};
template <class T, int R>
struct KernelType<device::ContiguousArray<T, R>> {
  using element = std::remove_cv_t<T>;
  static constexpr TypeClass value = TypeClass::contiguous_array;
};

/// 0 for what has no size, or is not complete here.
template <class T>
consteval std::size_t size_or_none() {
  if constexpr (!std::is_void_v<T> && !std::is_function_v<T> && requires { sizeof(T); }) return sizeof(T);
  return 0;
}

template <class T>
FieldLayout field_layout(const device::Field<T>& field) {
  using Single = std::remove_cv_t<std::remove_all_extents_t<T>>;
  using Element = typename KernelType<Single>::element;
  return {.name = field.name,
          .offset = field.offset,
          .size = sizeof(T),
          .type = KernelType<Single>::value,
          .type_size = sizeof(Single),
          .element_type = KernelType<Element>::value,
          .element_size = size_or_none<Element>()};
}

/// Those that MYLOS_STRUCT lists.
template <class S>
std::vector<FieldLayout> described_fields() {
  return std::apply([](const auto&... field) { return std::vector<FieldLayout>{field_layout(field)...}; },
                    device::struct_fields<S>());
}

}  // namespace detail

/// The layout of S on the host: of the fields that MYLOS_STRUCT lists, or of none.
template <class S>
[[nodiscard]] StructLayout struct_layout(std::string name) {
  StructLayout layout{std::move(name), sizeof(S), alignof(S)};
  if constexpr (device::has_struct_fields_v<S>) layout.fields = detail::described_fields<S>();
  return layout;
}

/// Compiles `header` as kernel text, with the host's numbers as static assertions about `layout.name`: by the emulator
/// where there is a C++ compiler, and by NVRTC where it can be loaded. A relative path begins at the current folder.
/// `include_dirs`: what the header includes is looked for beside it, then there.
/// Cost: a compilation each, tenths of a second; for a test, or once at the start of a program.
/// Throws SignatureError that lists the differences (a field that the kernel's struct lacks is one), LookupError when
/// there is no such file, or no such type in it, CompileError when the header is no kernel text, BackendError when
/// there is neither compiler.
MYLOS_EXPORT void verify_layout(const StructLayout& layout, const std::filesystem::path& header,
                                const std::vector<std::filesystem::path>& include_dirs = {});

/// The same for S, which kernels know by `name`: size, alignment, and place, size and type of the fields that
/// MYLOS_STRUCT lists. (Without it, the first launch of a kernel that takes S compares the fields as well, with what
/// the kernel's text has; this tells it without a launch.)
template <class S>
void verify_layout(std::string_view name, const std::filesystem::path& header,
                   const std::vector<std::filesystem::path>& include_dirs = {}) {
  verify_layout(struct_layout<S>(std::string(name)), header, include_dirs);
}

}  // namespace mylos::inline MYLOS_ABI
