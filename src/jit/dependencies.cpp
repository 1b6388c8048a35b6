// SPDX-License-Identifier: MIT
#include <mylos/jit/dependencies.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>

#include "jit/options.hpp"
#include "jit/tokens.hpp"

namespace mylos::inline MYLOS_ABI::jit {
namespace {

namespace fs = std::filesystem;

// Visits every candidate: which one a compiler takes need not be known then.
class DependencyWalk {
 public:
  explicit DependencyWalk(const TextToCompile& what) : what_(what) {
    IncludeFolders folders = include_folders(what.file, what.options, what.include_dirs);
    own_ = std::move(folders.own);
    folders_ = std::move(folders.further);
    for (const std::string& folder : detail::values_of_option(what.options, {"-isystem"}))
      folders_.emplace_back(folder);
    folders_.insert(folders_.end(), what.further_dirs.begin(), what.further_dirs.end());
  }

  Dependencies run() {
    std::size_t known = 0;
    do {  // again, where a file was read before another one told what its words mean
      known = asking_macros_.size();
      found_ = {};
      seen_.clear();
      walk();
    } while (asking_macros_.size() != known);
    return std::move(found_);
  }

 private:
  void walk() {
    for (const std::string& name : detail::values_of_option(what_.options, {"--pre-include", "-include"})) {
      static_cast<void>(follow({.name = name, .is_quoted = true}, own_));
    }
    visit(what_.text, what_.file.empty() ? "the text" : what_.file.string(), own_);
  }

  void visit(std::string_view text, const std::string& name, const fs::path& directory) {
    detail::TokenizedText tokenized = detail::read_directives(text, asking_macros_);
    asking_macros_.merge(tokenized.asking_macros);
    for (const std::string& obstacle : tokenized.obstacles) {
      found_.obstacles.push_back(fmt::format("{} {}", name, obstacle));
    }
    for (const detail::Include& include : tokenized.includes) static_cast<void>(follow(include, directory));
    for (const detail::Include& question : tokenized.questions) {
      if (!follow(question, directory)) found_.not_found.push_back(question.name);
    }
  }

  // Whether there is such a file.
  bool follow(const detail::Include& include, const fs::path& directory) {
    bool is_there = false;
    if (fs::path(include.name).is_absolute()) return take(include.name);
    const auto look_in = [&](const fs::path& folder) { is_there |= take(folder / include.name); };
    if (include.is_quoted) {
      for (const fs::path& folder : {directory, own_, fs::path(".")}) {
        if (!folder.empty()) look_in(folder);
      }
    }
    std::ranges::for_each(folders_, look_in);
    return is_there;
  }

  bool take(const fs::path& file) {
    const fs::path path = fs::absolute(file).lexically_normal();
    const auto embedded = std::ranges::find(what_.embedded, path.native(), &NamedText::name);
    const bool is_on_disk = embedded == what_.embedded.end();
    // Where a folder on the way is a link, one path may be two files.
    struct stat status = {};
    if (is_on_disk && (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode))) return false;
    if (!seen_.insert({path.native(), status.st_dev, status.st_ino}).second) return true;
    std::string text;
    try {
      text = is_on_disk ? read_file(file) : std::string(embedded->text);
    } catch (const Error& error) {
      found_.obstacles.emplace_back(error.what());
    }
    found_.files.push_back({path, text});
    visit(text, path.string(), file.parent_path());
    return true;
  }

  const TextToCompile& what_;
  fs::path own_;
  std::vector<fs::path> folders_;
  std::set<std::tuple<std::string, dev_t, ino_t>> seen_;
  detail::MacroNames asking_macros_;
  Dependencies found_;
};

}  // namespace

bool Dependencies::has(const fs::path& path) const {
  return std::ranges::find(files, path, &IncludedFile::path) != files.end();
}

void Dependencies::add_to(Hasher& hasher) const {
  hasher.add(std::to_string(files.size()));
  for (const IncludedFile& file : files) hasher.add(file.path.native()).add(file.text);
}

Dependencies dependencies(const TextToCompile& what) { return DependencyWalk(what).run(); }

}  // namespace mylos::inline MYLOS_ABI::jit
