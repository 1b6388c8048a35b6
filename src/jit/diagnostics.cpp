// SPDX-License-Identifier: MIT
#include <mylos/jit/diagnostics.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/texts.hpp"

namespace mylos::inline MYLOS_ABI::jit {
namespace {

// A number at the front, taken off; 0 when there is none.
int take_number(std::string_view& text) {
  int number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc()) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// "error: ..." , "catastrophic error: ...", "warning #177-D: ...".
bool take_severity(std::string_view rest, Diagnostic& diagnostic) {
  const bool is_error =
      rest.starts_with("error") || rest.starts_with("fatal error") || rest.starts_with("catastrophic error");
  if (!is_error && !rest.starts_with("warning")) return false;
  const std::size_t colon = rest.find(": ");
  if (colon == std::string_view::npos) return false;
  diagnostic.is_error = is_error;
  diagnostic.message = rest.substr(colon + 2);
  return true;
}

// "k.cu(3): error: text"
std::optional<Diagnostic> nvrtc_diagnostic(std::string_view line) {
  for (std::size_t open = line.find('('); open != std::string_view::npos; open = line.find('(', open + 1)) {
    std::string_view rest = line.substr(open + 1);
    Diagnostic diagnostic{.file = std::string(line.substr(0, open)), .line = take_number(rest), .message = {}};
    if (diagnostic.line > 0 && take(rest, "): ") && take_severity(rest, diagnostic)) return diagnostic;
  }
  return std::nullopt;
}

// "k.cu:3:5: error: text"
std::optional<Diagnostic> gcc_diagnostic(std::string_view line) {
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
    std::string_view rest = line.substr(colon + 1);
    Diagnostic diagnostic{.file = std::string(line.substr(0, colon)), .line = take_number(rest), .message = {}};
    if (diagnostic.line == 0 || !take(rest, ":")) continue;
    diagnostic.column = take_number(rest);
    if (diagnostic.column > 0 && !take(rest, ":")) continue;
    if (take(rest, " ") && take_severity(rest, diagnostic)) return diagnostic;
  }
  return std::nullopt;
}

// NVRTC echoes the line, two blanks before it, and puts a ^ below the place.
int column_of_caret(const std::vector<std::string_view>& lines, std::size_t after) {
  constexpr std::size_t echo_indent = 2;
  for (std::size_t i = after + 1; i < std::min(after + 4, lines.size()); ++i) {
    const std::size_t caret = lines[i].find_first_not_of(" \t");
    if (caret != std::string_view::npos && lines[i].substr(caret) == "^" && caret >= echo_indent) {
      return static_cast<int>(caret - echo_indent) + 1;
    }
  }
  return 0;
}

}  // namespace

std::vector<Diagnostic> parse_diagnostics(std::string_view log) {
  const auto lines = mylos::detail::lines_of(log);
  std::vector<Diagnostic> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (auto nvrtc = nvrtc_diagnostic(lines[i])) {
      nvrtc->column = column_of_caret(lines, i);
      found.push_back(*std::move(nvrtc));
    } else if (auto gcc = gcc_diagnostic(lines[i])) {
      found.push_back(*std::move(gcc));
    }
  }
  return found;
}

std::string without_consequences(std::string_view log, const std::function<bool(std::string_view)>& is_ours) {
  const auto error_in = [](std::string_view line) {
    auto diagnostic = nvrtc_diagnostic(line);
    if (!diagnostic) diagnostic = gcc_diagnostic(line);
    return diagnostic && diagnostic->is_error ? diagnostic : std::nullopt;
  };
  std::string rest;
  bool has_others = false, is_left_out = false;
  for (const std::string_view line : mylos::detail::lines_of(log)) {
    if (const auto error = error_in(line)) {
      is_left_out = is_ours(error->file);
      has_others |= !is_left_out;
    }
    if (!is_left_out) rest += fmt::format("{}\n", line);  // what explains an error goes with it
  }
  return has_others ? rest : std::string(log);
}

std::string source_excerpt(std::string_view text, int line, int column, int lines_around) {
  const auto lines = mylos::detail::lines_of(text);
  if (line < 1 || static_cast<std::size_t>(line) > lines.size()) return {};
  const int first = std::max(1, line - lines_around);
  const int last = std::min(static_cast<int>(lines.size()), line + lines_around);
  const std::size_t width = std::to_string(last).size();
  std::string excerpt;
  for (int number = first; number <= last; ++number) {
    const std::string_view content = lines[static_cast<std::size_t>(number) - 1];
    excerpt += fmt::format("{} {:>{}} | {}\n", number == line ? '>' : ' ', number, width, content);
    if (number != line || column < 1) continue;
    // Tabs stay tabs, so that the caret stands below its character however wide they are shown.
    std::string blanks(content.substr(0, static_cast<std::size_t>(column) - 1));
    std::ranges::replace_if(blanks, [](char c) { return c != '\t'; }, ' ');
    excerpt += fmt::format("  {:>{}} | {}^\n", "", width, blanks);
  }
  return excerpt;
}

std::string errors_with_excerpts(std::string_view log, const TextOfFile& text_of, const LinesToFile& lines_to,
                                 std::size_t limit) {
  auto diagnostics = parse_diagnostics(log);
  std::erase_if(diagnostics, [](const Diagnostic& diagnostic) { return !diagnostic.is_error; });
  if (diagnostics.empty()) return std::string(log);
  std::string text;
  for (const Diagnostic& error : diagnostics) {
    if (limit-- == 0) {
      text += fmt::format("... {} errors in all\n", diagnostics.size());
      break;
    }
    text += fmt::format("{}:{}{}: error: {}\n", error.file, error.line,
                        error.column > 0 ? fmt::format(":{}", error.column) : "", error.message);
    for (const auto& [file, line] : lines_to(error.file)) text += fmt::format("  included from {}:{}\n", file, line);
    if (const auto source = text_of(error.file)) text += source_excerpt(*source, error.line, error.column);
  }
  return text;
}

std::string advice_on_includes(std::string_view log, const IncludeFolders& folders) {
  const auto says = [log](std::string_view words) { return log.find(words) != std::string_view::npos; };
  const bool is_missing = says("could not open source file") || says("cannot open source file") ||  // NVRTC's words
                          says(": No such file or directory") || says("' file not found");          // GCC's, Clang's
  if (!is_missing) return {};
  std::string searched;
  if (!folders.own.empty()) searched += fmt::format("\n  {}", folders.own.string());
  for (const std::filesystem::path& folder : folders.further) searched += fmt::format("\n  {}", folder.string());
  if (searched.empty()) searched = " none of yours";
  return fmt::format("folders searched for included files:{}\ngive the missing one's to CudaOptions::include_dirs\n",
                     searched);
}

}  // namespace mylos::inline MYLOS_ABI::jit
