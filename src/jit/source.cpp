// SPDX-License-Identifier: MIT
#include <mylos/jit/source.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/base/log.hpp>
#include <mylos/jit/headers.hpp>

#include "jit/options.hpp"
#include "jit/tokens.hpp"

namespace mylos::inline MYLOS_ABI::jit {
namespace {

namespace fs = std::filesystem;

// Where #include lines lead to. Texts of `library` are found by their names, where no folder has such a file.
class Resolver {
 public:
  Resolver(const IncludeFolders& folders, std::span<const NamedText> embedded, std::span<const NamedText> library = {})
      : folders_(folders), embedded_(embedded), library_(library) {}

  struct Found {
    fs::path path;
    fs::path as_named;          // by compilers: behind the folder as it was given
    const NamedText* embedded;  // null: on the disk
  };

  [[nodiscard]] std::optional<Found> find(const detail::Include& include, const fs::path& directory) const {
    if (fs::path(include.name).is_absolute()) return existing(include.name);
    if (include.is_quoted) {
      for (const fs::path& folder : {directory, folders_.own}) {
        if (folder.empty()) continue;
        if (auto found = existing(folder / include.name)) return found;
      }
    }
    for (const fs::path& folder : folders_.further) {
      if (auto found = existing(folder / include.name)) return found;
    }
    const auto text = std::ranges::find(library_, include.name, &NamedText::name);
    return text != library_.end() ? std::optional(Found{include.name, include.name, &*text}) : std::nullopt;
  }

 private:
  [[nodiscard]] std::optional<Found> existing(const fs::path& file) const {
    fs::path path = fs::absolute(file).lexically_normal();
    const auto embedded = std::ranges::find(embedded_, path.native(), &NamedText::name);
    if (embedded != embedded_.end()) return Found{path, path, &*embedded};
    std::error_code code;
    if (!fs::is_regular_file(file, code)) return std::nullopt;
    return Found{std::move(path), file, nullptr};
  }

  const IncludeFolders& folders_;
  std::span<const NamedText> embedded_, library_;
};

// One name for each file, whatever links and ".." lead to it.
fs::path one_name(const fs::path& file) {
  std::error_code code;
  const fs::path path = fs::weakly_canonical(file, code);
  return code ? file.lexically_normal() : path;
}

class IncludeWalk {
 public:
  explicit IncludeWalk(const Resolver& resolver) : resolver_(resolver) {}

  void visit(std::string_view text, const fs::path& directory) { visit(text, directory, the_text); }

  std::vector<IncludedFile> take() { return std::move(found_); }

  // The first way to a file. `label`: what the text itself is called.
  [[nodiscard]] std::vector<IncludeLine> lines_to(const fs::path& file, const std::string& label) const {
    const auto is_wanted = [wanted = one_name(file)](const Way& way) { return one_name(way.file) == wanted; };
    const auto last = std::ranges::find_if(ways_, is_wanted);
    std::vector<IncludeLine> lines;
    if (last == ways_.end()) return lines;
    for (const Way* way = &*last; way != nullptr;) {
      const Way* const outer = way->includer == the_text ? nullptr : &ways_[way->includer];
      lines.push_back({outer == nullptr ? label : outer->file.string(), way->line});
      way = outer;
    }
    return lines;
  }

 private:
  static constexpr std::size_t the_text = std::numeric_limits<std::size_t>::max();

  struct Way {
    fs::path file;         // as compilers name it
    std::size_t includer;  // which of the files found, or the_text
    int line;              // of the includer
  };

  void visit(std::string_view text, const fs::path& directory, std::size_t includer) {
    for (const detail::Include& include : detail::read_directives(text).includes) {
      const auto file = resolver_.find(include, directory);
      if (!file || std::ranges::find(found_, file->path, &IncludedFile::path) != found_.end()) continue;
      const std::string content =
          file->embedded != nullptr ? std::string(file->embedded->text) : read_file(file->as_named);
      const std::size_t place = found_.size();
      found_.push_back({file->path, content});
      ways_.push_back({file->as_named, includer, include.line});
      visit(content, file->as_named.parent_path(), place);
    }
  }

  const Resolver& resolver_;
  std::vector<IncludedFile> found_;
  std::vector<Way> ways_;  // as many
};

class Bundler {
 public:
  explicit Bundler(const Resolver& resolver) : resolver_(resolver) {}

  std::string rewritten(std::string_view text, const fs::path& directory) {
    std::string result;
    std::size_t copied = 0;
    for (const detail::Include& include : detail::read_directives(text).includes) {
      const std::string written = include.is_quoted ? '"' + include.name + '"' : '<' + include.name + '>';
      // A name that goes on on the next line is not as it was read: it stays.
      if (text.substr(include.begin, written.size()) != written) continue;
      const auto file = resolver_.find(include, directory);
      if (!file || file->embedded == nullptr) continue;
      result += text.substr(copied, include.begin - copied);
      result += '"' + add(*file) + '"';
      copied = include.begin + written.size();
    }
    return result += text.substr(copied);
  }

  std::vector<Bundle::Header> take() { return std::move(headers_); }

 private:
  std::string add(const Resolver::Found& file) {
    const std::string name = "mylos_embedded" + file.path.string();
    if (std::ranges::find(headers_, name, &Bundle::Header::name) != headers_.end()) return name;
    const std::size_t place = headers_.size();
    headers_.push_back({name, {}});  // first: headers may include each other in a circle
    std::string text = line_directive(file.path.native());
    text += rewritten(file.embedded->text, file.path.parent_path());
    headers_[place].text = std::move(text);
    return name;
  }

  const Resolver& resolver_;
  std::vector<Bundle::Header> headers_;
};

}  // namespace

IncludeFolders include_folders(const fs::path& file, std::span<const std::string> options,
                               std::span<const fs::path> include_dirs) {
  IncludeFolders folders;
  if (!file.empty()) folders.own = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (const std::string& folder : detail::values_of_option(options, {"-I", "--include-path"})) {
    folders.further.emplace_back(folder);
  }
  folders.further.insert(folders.further.end(), include_dirs.begin(), include_dirs.end());
  return folders;
}

std::string line_directive(std::string_view file) {
  std::string line = "#line 1 \"";
  for (const char c : file) {
    if (c == '"' || c == '\\') line += '\\';
    line += c;
  }
  return line + "\"\n";
}

std::vector<IncludedFile> included_files(std::string_view text, const IncludeFolders& folders,
                                         std::span<const NamedText> embedded) {
  const Resolver resolver(folders, embedded);
  IncludeWalk walk(resolver);
  walk.visit(text, folders.own);
  return walk.take();
}

std::vector<IncludeLine> include_chain(std::string_view text, const std::string& label, const IncludeFolders& folders,
                                       std::span<const NamedText> embedded, const std::string& file) {
  if (file == label) return {};
  const Resolver resolver(folders, embedded, nvrtc_headers());
  IncludeWalk walk(resolver);
  try {
    walk.visit(text, folders.own);
  } catch (const Error& error) {  // what was reached before it counts all the same
    log::debug(error.what());
  }
  return walk.lines_to(file, label);
}

Bundle bundle(std::string_view text, const IncludeFolders& folders, std::span<const NamedText> embedded) {
  if (embedded.empty()) return {.text = std::string(text), .headers = {}};
  const Resolver resolver(folders, embedded);
  Bundler bundler(resolver);
  std::string rewritten = bundler.rewritten(text, folders.own);
  return {.text = std::move(rewritten), .headers = bundler.take()};
}

}  // namespace mylos::inline MYLOS_ABI::jit
