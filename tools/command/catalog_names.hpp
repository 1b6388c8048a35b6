// SPDX-License-Identifier: MIT
// How a project calls its catalog of kernels, read from its texts. In time that grows with their length, whatever they
// hold.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace mylos_command {

struct CatalogCall {
  std::filesystem::path directory = {};  ///< relative to the project's folder, or absolute
  std::string name_space = {};
};

/// What the text of a CMakeLists.txt calls mylos_add_kernels() with; nothing when it does not, or more than once: which
/// one is meant is not known then. Throws mylos::ValueError for values that only CMake knows: variables other than the
/// project's folder.
[[nodiscard]] std::optional<CatalogCall> catalog_call(std::string_view cmake_text);

/// "a::b" for the header of a functor in a::b::host, however that is written; empty where there is no such namespace.
[[nodiscard]] std::string catalog_namespace(std::string_view header);

}  // namespace mylos_command
