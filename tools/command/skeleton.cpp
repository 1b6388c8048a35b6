// SPDX-License-Identifier: MIT
#include "skeleton.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "embedded_texts.hpp"

namespace mylos_command {

std::string filled_skeleton(std::string_view file, const SkeletonWords& words) {
  const std::array values = {std::pair{std::string_view("@NAME@"), words.name},
                             std::pair{std::string_view("@NAMESPACE@"), words.name_space},
                             std::pair{std::string_view("@PROJECT@"), words.project},
                             std::pair{std::string_view("@DIRECTORY@"), words.directory}};
  std::string text(std::ranges::find(skeleton_texts, file, &mylos::NamedText::name)->text);
  for (const auto& [word, value] : values) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + value.size())) {
      text.replace(at, word.size(), value);
    }
  }
  return text;
}

}  // namespace mylos_command
