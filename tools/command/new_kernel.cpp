// SPDX-License-Identifier: MIT
#include "new_kernel.hpp"

#include <algorithm>
#include <optional>
#include <regex>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>

#include "catalog_call.hpp"
#include "embedded_texts.hpp"
#include "skeleton.hpp"

namespace mylos_command {
namespace {

namespace fs = std::filesystem;

// A line of one of the word lists.
bool is_word_of(std::string_view list, std::string_view word) {
  const std::string_view words = std::ranges::find(word_lists, list, &mylos::NamedText::name)->text;
  return ('\n' + std::string(words)).find(fmt::format("\n{}\n", word)) != std::string::npos;
}

[[noreturn]] void refuse_name(const std::string& name, std::string_view why) {
  throw mylos::ValueError(fmt::format("'{}' is no name for a kernel: {}", name, why));
}

void require_name(const std::string& name) {
  if (!std::regex_match(name, std::regex("[A-Za-z_][A-Za-z0-9_]*"))) {
    refuse_name(name, "it becomes a function and a class: use letters, digits and _");
  }
  if (is_word_of("cxx", name)) refuse_name(name, "it is a word of C++: choose another one");
  if (is_word_of("catalog", name)) {
    refuse_name(name, "the catalog itself has something of this name in its namespace: choose another one");
  }
}

void require_namespace(const std::string& name_space) {
  if (!std::regex_match(name_space, std::regex("[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*"))) {
    throw mylos::ValueError(fmt::format("'{}' is no C++ namespace: write a::b", name_space));
  }
  static const std::regex part("[^:]+");
  for (std::sregex_iterator at(name_space.begin(), name_space.end(), part), end; at != end; ++at) {
    if (!is_word_of("cxx", at->str())) continue;
    throw mylos::ValueError(
        fmt::format("'{}' is no C++ namespace: '{}' is a word of C++: choose another name", name_space, at->str()));
  }
}

void refuse_existing(const fs::path& folder) {
  std::error_code code;
  if (!fs::exists(folder, code)) return;
  throw mylos::ValueError(
      fmt::format("'{}' exists: nothing is overwritten: choose another name, or remove it", folder.string()));
}

}  // namespace

NewKernel completed(NewKernel kernel) {
  if (!kernel.directory.empty() && !kernel.name_space.empty()) return kernel;
  const fs::path file = kernel.project / "CMakeLists.txt";
  std::error_code code;
  const auto call = fs::is_regular_file(file, code) ? catalog_call(mylos::read_file(file)) : std::nullopt;
  const auto filled_in = [](auto& value, const auto& of_call, const char* otherwise) {
    if (value.empty()) value = of_call;
    if (value.empty()) value = otherwise;
  };
  const CatalogCall found = call.value_or(CatalogCall{});
  filled_in(kernel.directory, found.directory, "kernels");
  filled_in(kernel.name_space, found.name_space, "app::kernels");
  return kernel;
}

std::vector<fs::path> make_kernel(const NewKernel& given) {
  const NewKernel kernel = completed(given);
  require_name(kernel.name);
  require_namespace(kernel.name_space);
  const fs::path folder = kernel.project / kernel.directory / kernel.name;
  refuse_existing(folder);
  const std::string project = kernel.name_space.substr(0, kernel.name_space.find(':'));
  const std::string directory = kernel.directory.generic_string();
  const SkeletonWords words{
      .name = kernel.name, .name_space = kernel.name_space, .project = project, .directory = directory};
  std::vector<fs::path> written;
  const auto write = [&](const fs::path& path, std::string_view skeleton) {
    mylos::write_file_atomically(path, filled_skeleton(skeleton, words));
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
