// SPDX-License-Identifier: MIT
// Whether a struct that goes to kernels by value, or in Views, is the same there: found out by the kernels' compilers,
// without a GPU.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/device/struct.hpp>

namespace mylos::inline MYLOS_ABI {

/// A field as the host's compiler places it, in bytes.
struct FieldLayout {
  std::string name;
  std::size_t offset, size;
};

/// A struct as the host's compiler lays it out, in bytes.
struct StructLayout {
  std::string name;  ///< in the kernel's language: "app::Particle"
  std::size_t size, alignment;
  std::vector<FieldLayout> fields = {};
};

/// The layout of S on the host: of the fields that MYLOS_STRUCT lists, or of none.
template <class S>
[[nodiscard]] StructLayout struct_layout(std::string name) {
  StructLayout layout{std::move(name), sizeof(S), alignof(S)};
  if constexpr (device::has_struct_fields_v<S>) {
    const auto add = [&](const auto&... field) {
      (layout.fields.push_back({field.name, field.offset, sizeof(typename std::decay_t<decltype(field)>::type)}), ...);
    };
    std::apply(add, device::struct_fields<S>());
  }
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

/// The same for S, which kernels know by `name`: size, alignment, and the fields that MYLOS_STRUCT lists.
template <class S>
void verify_layout(std::string_view name, const std::filesystem::path& header,
                   const std::vector<std::filesystem::path>& include_dirs = {}) {
  verify_layout(struct_layout<S>(std::string(name)), header, include_dirs);
}

}  // namespace mylos::inline MYLOS_ABI
