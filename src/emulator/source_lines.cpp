// SPDX-License-Identifier: MIT
#include "emulator/source_lines.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/base/log.hpp>

#include "emulator/kept_image.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

// A file that cannot be read is no reason to lose a finding.
std::vector<std::string> lines_of_file(const Source& source, const std::string& file) {
  try {
    return lines_in(text_of(source, file).value_or(""));
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
  std::map<std::string, std::vector<std::string>> files;
  for (Finding& finding : findings) {
    for (Site& site : finding.sites) {
      if (site.file.empty() || site.line < 1) continue;
      const auto [file, is_new] = files.try_emplace(site.file);
      if (is_new) file->second = lines_of_file(source, site.file);
      const auto line = static_cast<std::size_t>(site.line);
      if (line <= file->second.size()) site.source = file->second[line - 1];
    }
  }
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
