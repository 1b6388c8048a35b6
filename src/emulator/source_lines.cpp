// SPDX-License-Identifier: MIT
#include "emulator/source_lines.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>
#include <vector>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/base/log.hpp>

#include "base/texts.hpp"
#include "emulator/kept_image.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

struct File {
  std::string text;
  std::vector<std::string_view> lines;  // of the text
};

// A file that cannot be read is no reason to lose a finding.
std::string text_or_nothing(const Source& source, const std::string& file) {
  try {
    return text_of(source, file).value_or("");
  } catch (const Error& error) {
    log::debug(error.what());
    return {};
  }
}

}  // namespace

std::optional<std::string> text_of(const Source& source, const std::string& file) {
  if (file == label_of(source)) return source.text;
  const auto header = std::ranges::find(source.embedded, file, &NamedText::name);
  if (header != source.embedded.end()) return std::string(header->text);
  std::error_code code;
  return std::filesystem::is_regular_file(file, code) ? std::optional(read_file(file)) : std::nullopt;
}

void quote_lines(std::vector<Finding>& findings, const Source& source) {
  std::map<std::string, File> files;
  for (Finding& finding : findings) {
    for (Site& site : finding.sites) {
      if (site.file.empty() || site.line < 1) continue;
      const auto [entry, is_new] = files.try_emplace(site.file);
      auto& [text, lines] = entry->second;
      if (is_new) {
        text = text_or_nothing(source, site.file);
        lines = mylos::detail::lines_of(text);
      }
      const auto line = static_cast<std::size_t>(site.line);
      if (line <= lines.size()) site.source = lines[line - 1];
    }
  }
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
