// SPDX-License-Identifier: MIT
#include "emulator/line_lookup.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>

#include "base/process.hpp"
#include "emulator/line_columns.hpp"
#include "emulator/loader.hpp"
#include "emulator/shim_texts.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// "file:12" or "file:12 (discriminator 3)"; unknown ones are "??:0".
std::optional<Line> parse(std::string_view text) {
  const auto colon = text.rfind(':', text.find(" ("));
  if (colon == std::string_view::npos) return std::nullopt;
  Line line{std::string(text.substr(0, colon)), 0, 0};
  const std::string_view number = text.substr(colon + 1);
  std::from_chars(number.data(), number.data() + number.size(), line.number);
  if (line.number == 0 || is_own_file(line.file)) return std::nullopt;
  return line;
}

void add_columns(const Module& module, std::span<const std::uintptr_t> addresses,
                 std::vector<std::optional<Line>>& lines) {
  std::vector<AddressInLine> places;
  places.reserve(addresses.size());
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const std::optional<Line>& line = lines[i];
    places.push_back({addresses[i] - module.base(), line ? line->number : 0});
  }
  const std::vector<int> columns = columns_of(module.image().shared_object, places);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::optional<Line>& line = lines[i];
    if (line) line->column = columns[i];
  }
}

}  // namespace

bool is_own_file(const std::string& file) {
  if (file.ends_with(launcher_file) || file.ends_with(options_file)) return true;
  if (file.find(in_shim_folder) == std::string::npos) return false;
  const std::string name = shown_file(file);
  return name.starts_with("mylos") || std::ranges::find(shim_texts, name, &NamedText::name) != shim_texts.end();
}

std::string shown_file(std::string file) {
  const auto at = file.find(in_shim_folder);
  if (at != std::string::npos) file.erase(0, at + in_shim_folder.size());
  return file;
}

std::optional<Line> line_of(const Module& module, std::uintptr_t address) {
  return lines_of(module, std::span(&address, 1)).front();
}

// With -a, addr2line prints each address before the chain of lines that were inlined there.
std::vector<std::optional<Line>> lines_of(const Module& module, std::span<const std::uintptr_t> addresses) {
  std::vector<std::optional<Line>> found(addresses.size());
  try {
    const mylos::detail::TemporaryFolder folder;
    const std::string object = folder.write("kernel.so", module.image().shared_object).string();
    std::vector<std::string> command = {"addr2line", "-a", "-i", "-e", object};
    for (const std::uintptr_t address : addresses) {
      command.push_back(fmt::format("{:#x}", module.holds_code(address) ? address - module.base() : 0));
    }
    const auto result = mylos::detail::run_process(command);
    std::istringstream lines(result.output);
    const std::string& label = module.image().label;
    std::size_t at = 0;
    for (std::string text; result.exit_code == 0 && std::getline(lines, text);) {
      if (text.starts_with("0x")) ++at;
      if (at == 0 || at > found.size() || found[at - 1]) continue;
      std::optional<Line> line = parse(text);
      // Names that are no whole paths were completed by the folder that the compiler ran in.
      if (line && line->file.ends_with("/" + label)) line->file = label;
      found[at - 1] = std::move(line);
    }
    add_columns(module, addresses, found);
  } catch (const Error& error) {
    log::debug(fmt::format("cannot tell the line of a fault: {}", error.what()));
  }
  return found;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
