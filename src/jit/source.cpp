// SPDX-License-Identifier: MIT
#include <mylos/jit/source.hpp>

#include <algorithm>
#include <optional>
#include <system_error>

#include <mylos/base/files.hpp>

#include "jit/tokens.hpp"

namespace mylos::inline MYLOS_ABI::jit {
namespace {

namespace fs = std::filesystem;

class IncludeWalk {
 public:
  explicit IncludeWalk(std::span<const fs::path> include_dirs) : include_dirs_(include_dirs) {}

  void visit(std::string_view text, const fs::path& directory) {
    for (const detail::Include& include : detail::tokenize(text).includes) {
      const auto file = resolve(include, directory);
      if (!file || std::ranges::find(found_, *file) != found_.end()) continue;
      found_.push_back(*file);
      visit(read_file(*file), file->parent_path());
    }
  }

  std::vector<fs::path> take() { return std::move(found_); }

 private:
  static std::optional<fs::path> existing(const fs::path& file) {
    std::error_code code;
    if (!fs::is_regular_file(file, code)) return std::nullopt;
    return fs::absolute(file).lexically_normal();
  }

  [[nodiscard]] std::optional<fs::path> resolve(const detail::Include& include, const fs::path& directory) const {
    if (include.is_quoted && !directory.empty()) {
      if (auto file = existing(directory / include.name)) return file;
    }
    for (const fs::path& folder : include_dirs_) {
      if (auto file = existing(folder / include.name)) return file;
    }
    return std::nullopt;
  }

  std::span<const fs::path> include_dirs_;
  std::vector<fs::path> found_;
};

}  // namespace

IncludeFolders include_folders(const fs::path& file, std::span<const std::string> options,
                               std::span<const fs::path> include_dirs) {
  IncludeFolders folders;
  if (!file.empty()) folders.own = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string_view option = options[i];
    for (const std::string_view name : {std::string_view("--include-path"), std::string_view("-I")}) {
      if (!option.starts_with(name)) continue;
      std::string_view value = option.substr(name.size());
      if (value.empty() && i + 1 < options.size()) value = options[++i];
      if (value.starts_with('=')) value.remove_prefix(1);
      folders.further.emplace_back(value);
      break;
    }
  }
  folders.further.insert(folders.further.end(), include_dirs.begin(), include_dirs.end());
  return folders;
}

std::vector<fs::path> included_files(std::string_view text, const IncludeFolders& folders) {
  IncludeWalk walk(folders.further);
  walk.visit(text, folders.own);
  return walk.take();
}

}  // namespace mylos::inline MYLOS_ABI::jit
