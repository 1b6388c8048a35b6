// SPDX-License-Identifier: MIT
#include "emulator/diagnostics.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

constexpr int shown_errors = 5;
constexpr int lines_around = 2;

struct Message {
  std::string_view file;
  int line = 0;
  int column = 0;
  std::string_view text;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Reads "12:" from the front.
std::optional<int> number_before_colon(std::string_view& text) {
  int number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end == text.data() + text.size() || *end != ':') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return number;
}

// "push.cu:3:10: error: ...", as g++ and clang++ write it.
std::optional<Message> parse(std::string_view line) {
  for (const std::string_view severity : {": error: ", ": fatal error: "}) {
    const std::size_t at = line.find(severity);
    if (at == std::string_view::npos) continue;
    Message message;
    message.text = line.substr(at + severity.size());
    std::string_view place = line.substr(0, at + 1);
    const std::size_t file_end = place.find(':');
    message.file = place.substr(0, file_end);
    place.remove_prefix(file_end + 1);
    message.line = number_before_colon(place).value_or(0);
    message.column = number_before_colon(place).value_or(0);
    return message;
  }
  return std::nullopt;
}

// Why a launch in the kernel's own text cannot work is not in the compiler's words.
std::string_view hint(std::string_view line) {
  if (line.find("<<<") == std::string_view::npos) return {};
  return "  (a launch <<<...>>> is host code: the text of a kernel cannot hold it: launch from C++ by a CudaKernel, or "
         "leave it out under #ifndef MYLOS_EMULATOR)\n";
}

void append_excerpt(std::string& out, const Message& message, const std::vector<std::string_view>& lines) {
  const int count = static_cast<int>(lines.size());
  if (message.line < 1 || message.line > count) return;
  const int first = std::max(message.line - lines_around, 1);
  const int last = std::min(message.line + lines_around, count);
  for (int number = first; number <= last; ++number) {
    const std::string_view line = lines[static_cast<std::size_t>(number - 1)];
    fmt::format_to(std::back_inserter(out), "{}{:>5} | {}\n", number == message.line ? '>' : ' ', number, line);
    if (number != message.line || message.column < 1) continue;
    // The caret's line repeats the tabs, so that it stands right whatever a tab is.
    std::string blanks(line.substr(0, static_cast<std::size_t>(message.column - 1)));
    std::ranges::replace_if(blanks, [](char c) { return c != '\t'; }, ' ');
    fmt::format_to(std::back_inserter(out), "       | {}^\n", blanks);
  }
  out += hint(lines[static_cast<std::size_t>(message.line - 1)]);
}

}  // namespace

std::string explained_errors(std::string_view log, std::string_view file, std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  std::string out;
  int errors = 0;
  for (const std::string_view line : lines_of(log)) {
    const auto message = parse(line);
    if (!message || ++errors > shown_errors) continue;
    out.append(line).append("\n");
    if (message->file == file) append_excerpt(out, *message, lines);
  }
  if (errors == 0) return std::string(log);
  if (errors > shown_errors) fmt::format_to(std::back_inserter(out), "... and {} more\n", errors - shown_errors);
  while (out.ends_with('\n')) out.pop_back();
  return out;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
