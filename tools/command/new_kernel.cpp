// SPDX-License-Identifier: MIT
#include "new_kernel.hpp"

#include <algorithm>
#include <regex>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>

#include "skeleton_texts.hpp"

namespace mylos_command {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::pair<std::string, std::string>>;

std::string filled(std::string_view skeleton, const Words& words) {
  const auto text = std::ranges::find(skeleton_texts, skeleton, &mylos::NamedText::name);
  std::string result(text->text);
  for (const auto& [word, value] : words) {
    for (auto at = result.find(word); at != std::string::npos; at = result.find(word, at + value.size())) {
      result.replace(at, word.size(), value);
    }
  }
  return result;
}

void require_names(const NewKernel& kernel) {
  if (!std::regex_match(kernel.name, std::regex("[A-Za-z_][A-Za-z0-9_]*"))) {
    throw mylos::ValueError(fmt::format(
        "'{}' is no name for a kernel: it becomes a function and a class: use letters, digits and _", kernel.name));
  }
  if (!std::regex_match(kernel.name_space, std::regex("[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*"))) {
    throw mylos::ValueError(fmt::format("'{}' is no C++ namespace: write a::b", kernel.name_space));
  }
}

void refuse_existing(const fs::path& folder) {
  std::error_code code;
  if (!fs::exists(folder, code)) return;
  throw mylos::ValueError(
      fmt::format("'{}' exists: nothing is overwritten: choose another name, or remove it", folder.string()));
}

}  // namespace

std::vector<fs::path> make_kernel(const NewKernel& kernel) {
  require_names(kernel);
  const fs::path folder = kernel.project / kernel.directory / kernel.name;
  refuse_existing(folder);
  const std::string project = kernel.name_space.substr(0, kernel.name_space.find(':'));
  const Words words = {{"@NAME@", kernel.name},
                       {"@NAMESPACE@", kernel.name_space},
                       {"@PROJECT@", project},
                       {"@DIRECTORY@", kernel.directory.generic_string()}};
  std::vector<fs::path> written;
  const auto write = [&](const fs::path& path, std::string_view skeleton) {
    mylos::write_file_atomically(path, filled(skeleton, words));
    written.push_back(path);
  };
  fs::create_directories(folder);
  write(folder / (kernel.name + ".hpp"), "kernel.hpp");
  write(folder / (kernel.name + ".cu"), "kernel.cu");
  write(folder / (kernel.name + "_parity.hpp"), "kernel_parity.hpp");
  if (!fs::exists(kernel.project / "CMakeLists.txt")) write(kernel.project / "CMakeLists.txt", "CMakeLists.txt");
  return written;
}

}  // namespace mylos_command
