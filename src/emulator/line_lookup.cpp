// SPDX-License-Identifier: MIT
#include "emulator/line_lookup.hpp"

#include <charconv>
#include <filesystem>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>

#include "base/process.hpp"
#include "emulator/loader.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// "file:12" or "file:12 (discriminator 3)"; unknown ones are "??:0".
std::optional<Line> parse(std::string_view text) {
  const auto colon = text.rfind(':', text.find(" ("));
  if (colon == std::string_view::npos) return std::nullopt;
  Line line{std::string(text.substr(0, colon)), 0};
  const std::string_view number = text.substr(colon + 1);
  std::from_chars(number.data(), number.data() + number.size(), line.number);
  if (line.number == 0 || is_own_file(line.file)) return std::nullopt;
  return line;
}

}  // namespace

bool is_own_file(const std::string& file) {
  const auto ends = [&file](std::string_view name) { return file.ends_with(name); };
  return file.find("/shim/mylos") != std::string::npos || ends(launcher_file) || ends(options_file);
}

std::optional<Line> line_of(const Module& module, std::uintptr_t address) {
  if (!module.holds_code(address)) return std::nullopt;
  try {
    const mylos::detail::TemporaryFolder folder;
    const std::string object = folder.write("kernel.so", module.image().shared_object).string();
    const auto result =
        mylos::detail::run_process({"addr2line", "-i", "-e", object, fmt::format("{:#x}", address - module.base())});
    std::istringstream lines(result.output);
    for (std::string text; result.exit_code == 0 && std::getline(lines, text);) {
      std::optional<Line> line = parse(text);
      if (!line) continue;
      // Names that are no whole paths were completed by the folder that the compiler ran in.
      const std::string& label = module.image().label;
      if (line->file.ends_with("/" + label)) line->file = label;
      return line;
    }
  } catch (const Error& error) {
    log::debug(fmt::format("cannot tell the line of a fault: {}", error.what()));
  }
  return std::nullopt;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
