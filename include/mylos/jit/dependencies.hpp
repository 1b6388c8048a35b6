// SPDX-License-Identifier: MIT
// What a compiled kernel depends on: the question behind every key of the cache.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/base/hash.hpp>
#include <mylos/base/named_text.hpp>
#include <mylos/jit/source.hpp>

namespace mylos::inline MYLOS_ABI::jit {

/// A text as a compiler gets it.
struct TextToCompile {
  std::string_view text;
  std::filesystem::path file = {};  ///< of the text; empty: of no file, and quoted names are looked for where we are
  std::span<const std::string> options = {};  ///< -I, -isystem, -include and their long names count
  std::span<const std::filesystem::path> include_dirs = {};
  std::span<const std::filesystem::path> further_dirs = {};  ///< where the compiler looks of its own accord
  std::span<const NamedText> embedded = {};                  ///< as for included_files()
};

/// The files whose contents the outcome of a compilation depends on.
struct Dependencies {
  /// Every file that a compiler could take for a name after #include or __has_include, in all folders and not only in
  /// the first that has it, transitively: a file that comes or goes in any of these places is a difference here.
  std::vector<IncludedFile> files;
  /// Names that __has_include asks for and none of the folders has. A compiler with folders of its own may know better.
  std::vector<std::string> not_found;
  /// Why there may be more than is listed here, as "push.cu line 3: #include of a name that is made by the macro X":
  /// what is compiled from such a text cannot be kept. Empty for most.
  std::vector<std::string> obstacles;

  /// Whether `path` (absolute, normal) is among the files.
  [[nodiscard]] MYLOS_EXPORT bool has(const std::filesystem::path& path) const;
  /// Adds names and contents of all files.
  MYLOS_EXPORT void add_to(Hasher& hasher) const;
};

/// Cost: reads all files; for each name one question to the system per folder.
[[nodiscard]] MYLOS_EXPORT Dependencies dependencies(const TextToCompile& what);

}  // namespace mylos::inline MYLOS_ABI::jit
