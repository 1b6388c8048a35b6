// SPDX-License-Identifier: MIT
// What compilers say about a text, and how it is shown: each error beside the lines it speaks of.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/jit/source.hpp>

namespace mylos::inline MYLOS_ABI::jit {

struct Diagnostic {
  std::string file;
  int line = 0;    ///< counted from 1
  int column = 0;  ///< counted from 1; 0 when the compiler did not tell
  bool is_error = false;
  std::string message;
};

/// The errors and warnings of a log of NVRTC ("k.cu(3): error: ...", column from the ^ below the echoed line) or of
/// GCC and Clang ("k.cu:3:5: error: ..."). Lines of any other form are passed over.
[[nodiscard]] MYLOS_EXPORT std::vector<Diagnostic> parse_diagnostics(std::string_view log);

/// The lines of `text` around `line`, numbered, that one marked by ">", with a ^ below `column` (if positive).
/// Empty when the text has no such line.
[[nodiscard]] MYLOS_EXPORT std::string source_excerpt(std::string_view text, int line, int column = 0,
                                                      int lines_around = 2);

/// Gives the text of a file that a diagnostic names, if it is known.
using TextOfFile = std::function<std::optional<std::string>(const std::string& file)>;

/// Gives the lines by which such a file is included: see include_chain().
using LinesToFile = std::function<std::vector<IncludeLine>(const std::string& file)>;

/// The first `limit` errors of a log, each with the lines that include its file, innermost first, and its excerpt; the
/// log itself where no error can be told apart.
[[nodiscard]] MYLOS_EXPORT std::string errors_with_excerpts(std::string_view log, const TextOfFile& text_of,
                                                            const LinesToFile& lines_to, std::size_t limit = 10);

/// The log without the errors in texts that Mylos adds to the user's (`is_ours` tells, by the file that is named),
/// which follow from errors in the user's own; all of it where there are no others.
[[nodiscard]] MYLOS_EXPORT std::string without_consequences(std::string_view log,
                                                            const std::function<bool(std::string_view)>& is_ours);

/// For a log that complains of an included file that is not there: where it was looked for, and what to do. Else empty.
[[nodiscard]] MYLOS_EXPORT std::string advice_on_includes(std::string_view log, const IncludeFolders& folders);

}  // namespace mylos::inline MYLOS_ABI::jit
