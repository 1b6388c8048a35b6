// SPDX-License-Identifier: MIT
// The files that a kernel's text consists of.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/base/named_text.hpp>

namespace mylos::inline MYLOS_ABI::jit {

/// Where the #include lines of a text are resolved, the same for every compiler.
struct IncludeFolders {
  std::filesystem::path own;  ///< for quoted names, first: the file's folder; empty where the text is of no file
  std::vector<std::filesystem::path> further;  ///< for all names, in this order
};

/// `file` may be empty (a text of no file) or relative; `further` is what -I and --include-path in `options` say, then
/// `include_dirs`.
[[nodiscard]] MYLOS_EXPORT IncludeFolders include_folders(const std::filesystem::path& file,
                                                          std::span<const std::string> options,
                                                          std::span<const std::filesystem::path> include_dirs);

/// The line that makes messages about what follows it name `file`, from line 1 on.
[[nodiscard]] MYLOS_EXPORT std::string line_directive(std::string_view file);

/// A file that a text includes.
struct IncludedFile {
  std::filesystem::path path;  ///< absolute
  std::string text;
};

/// The files that the #include lines of `text` reach, transitively, in the order of their first appearance.
///
/// `#include "name"` is looked for beside the including file (`folders.own` for the text itself), then in
/// `folders.own`, then in `folders.further`; `#include <name>` in `folders.further` only; an absolute name is a file
/// wherever it stands. A file of `embedded` (named
/// by its absolute path) is found where its name says, and wins over what lies there on the disk. Names that are found
/// nowhere (Mylos' embedded headers, missing files) are left out; lines in comments and under "#if 0" do not count,
/// those of other conditionals do. Throws Error when a file that exists cannot be read.
[[nodiscard]] MYLOS_EXPORT std::vector<IncludedFile> included_files(std::string_view text,
                                                                    const IncludeFolders& folders,
                                                                    std::span<const NamedText> embedded = {});

/// A line of a text that includes a file.
struct IncludeLine {
  std::string file;  ///< that the line stands in, as compilers name it
  int line = 0;      ///< counted from 1

  friend bool operator==(const IncludeLine&, const IncludeLine&) = default;
};

/// The #include lines by which `text`, which messages call `label`, reaches `file`: the one that names it first, the
/// one in `text` itself last; nothing for `label`, and for what is not reached.
///
/// `file` is named as compilers do: by any path to it, one of Mylos' embedded headers by the name that includes it. Of
/// several ways the first counts, as with files that are included once; which lines count and where they lead is as for
/// included_files(). Throws nothing: what stands behind a file that cannot be read is not reached.
[[nodiscard]] MYLOS_EXPORT std::vector<IncludeLine> include_chain(std::string_view text, const std::string& label,
                                                                  const IncludeFolders& folders,
                                                                  std::span<const NamedText> embedded,
                                                                  const std::string& file);

/// A text that needs no folder for the embedded files among those that it includes.
struct Bundle {
  struct Header {
    std::string name;  ///< as the #include lines say it: relative, without ".."
    std::string text;  ///< begins with a #line, so that messages name the file that it was
  };
  std::string text;
  std::vector<Header> headers;
};

/// The text with the #include lines that reach a file of `embedded` rewritten to names of headers of the bundle, line
/// for line; so are the headers. All others stay. Which file a line means: as for included_files().
[[nodiscard]] MYLOS_EXPORT Bundle bundle(std::string_view text, const IncludeFolders& folders,
                                         std::span<const NamedText> embedded);

}  // namespace mylos::inline MYLOS_ABI::jit
