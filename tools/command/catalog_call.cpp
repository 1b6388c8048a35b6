// SPDX-License-Identifier: MIT
#include "catalog_call.hpp"

#include <algorithm>
#include <iterator>
#include <regex>
#include <vector>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

namespace mylos_command {
namespace {

std::string without_comments(std::string_view text) {
  static const std::regex comment(R"(#\[(=*)\[[\s\S]*?\]\1\]|#[^\n]*)");
  return std::regex_replace(std::string(text), comment, "");
}

// Of one call: quoted or not, all the same.
std::vector<std::string> words_of(const std::string& arguments) {
  static const std::regex word(R"re("([^"]*)"|([^\s"]+))re");
  std::vector<std::string> words;
  for (std::sregex_iterator at(arguments.begin(), arguments.end(), word), end; at != end; ++at) {
    words.push_back((*at)[1].matched ? (*at)[1] : (*at)[2]);
  }
  return words;
}

std::string value_of(const std::vector<std::string>& words, std::string_view keyword) {
  const auto found = std::ranges::find(words, keyword);
  if (found == words.end() || std::next(found) == words.end()) return {};
  static const std::regex project_folder(
      R"(\$\{(CMAKE_CURRENT_SOURCE_DIR|CMAKE_CURRENT_LIST_DIR|PROJECT_SOURCE_DIR|CMAKE_SOURCE_DIR)\}/)");
  std::string value = std::regex_replace(*std::next(found), project_folder, "");
  if (value.find('$') == std::string::npos) return value;
  throw mylos::ValueError(fmt::format(
      "CMakeLists.txt has mylos_add_kernels(... {} {}): only CMake knows what this is: give --directory and "
      "--namespace",
      keyword, value));
}

}  // namespace

std::optional<CatalogCall> catalog_call(std::string_view cmake_text) {
  static const std::regex call(R"(\bmylos_add_kernels\s*\(([^)]*)\))", std::regex::icase);
  const std::string text = without_comments(cmake_text);
  const std::sregex_iterator first(text.begin(), text.end(), call), end;
  if (first == end || std::next(first) != end) return std::nullopt;
  const std::vector<std::string> words = words_of((*first)[1]);
  return CatalogCall{.directory = value_of(words, "DIRECTORY"), .name_space = value_of(words, "NAMESPACE")};
}

}  // namespace mylos_command
