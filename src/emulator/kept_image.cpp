// SPDX-License-Identifier: MIT
#include "emulator/kept_image.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/base/hash.hpp>

#include "jit/record.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

namespace fs = std::filesystem;

jit::detail::CacheKey of_variant(const jit::detail::CacheKey& key, std::string_view variant) {
  return {Hasher().add(key.hex).add(variant).hex(), key.obstacles};
}

// All kernels include the same of the compiler's own headers: they are read once in a process, unless they change.
std::string contents_of(const fs::path& file) {
  struct Known {
    struct stat status;
    std::string contents;
  };
  static std::mutex mutex;
  static std::map<std::string, Known> known;
  struct stat now = {};
  if (::stat(file.c_str(), &now) != 0) return {};
  const auto is_as_now = [&now](const struct stat& then) {
    return then.st_dev == now.st_dev && then.st_ino == now.st_ino && then.st_size == now.st_size &&
           then.st_mtim.tv_sec == now.st_mtim.tv_sec && then.st_mtim.tv_nsec == now.st_mtim.tv_nsec;
  };
  const std::lock_guard lock(mutex);
  const auto entry = known.find(file.native());
  if (entry != known.end() && is_as_now(entry->second.status)) return entry->second.contents;
  const std::string contents = Hasher().add(read_file(file)).hex();
  known[file.native()] = {now, contents};
  return contents;
}

// What changes with any change of a file, also where somebody sets its times: it then says on one machine that the
// contents are as they were. On others it differs, and the contents are read.
std::string stamp_of(const fs::path& file) {
  struct stat now = {};
  if (::stat(file.c_str(), &now) != 0) return {};
  return fmt::format("{} {} {} {}.{} {}.{}", now.st_dev, now.st_ino, now.st_size, now.st_mtim.tv_sec,
                     now.st_mtim.tv_nsec, now.st_ctim.tv_sec, now.st_ctim.tv_nsec);
}

// The compiler's own headers are none that the key knows: their contents are kept with the image.
std::string packed(const Image& image, const std::vector<fs::path>& own_headers) {
  const KernelFacts& facts = image.facts;
  jit::detail::RecordWriter record;
  record.add(static_cast<std::uint64_t>(image.portable_switch))
      .add(static_cast<std::uint64_t>(facts.execution))
      .add(static_cast<std::uint64_t>(facts.has_atomics))
      .add(static_cast<std::uint64_t>(facts.blocks_meet))
      .add(static_cast<std::uint64_t>(facts.static_shared_bytes))
      .add(static_cast<std::uint64_t>(facts.has_dynamic_shared))
      .add(image.shared_object);
  for (const fs::path& header : own_headers) {
    record.add(header.native()).add(stamp_of(header)).add(contents_of(header));
  }
  return record.bytes();
}

// Nothing when one of the compiler's own headers is another now.
std::optional<Image> unpacked(const std::string& bytes, const std::string& label) {
  jit::detail::RecordReader record(bytes);
  Image image;
  image.label = label;
  image.portable_switch = record.number() != 0;
  image.facts.execution = static_cast<Execution>(record.number());
  image.facts.has_atomics = record.number() != 0;
  image.facts.blocks_meet = record.number() != 0;
  image.facts.static_shared_bytes = record.number();
  image.facts.has_dynamic_shared = record.number() != 0;
  image.shared_object = record.text();
  try {
    while (!record.at_end()) {
      const fs::path header = record.text();
      const std::string stamp = record.text(), contents = record.text();
      if (stamp != stamp_of(header) && contents != contents_of(header)) return std::nullopt;
    }
  } catch (const Error&) {
    return std::nullopt;  // it is there no more
  }
  return record.is_whole() ? std::optional(std::move(image)) : std::nullopt;
}

}  // namespace

std::string label_of(const Source& source) { return source.file.empty() ? source.name + ".cu" : source.file; }

std::vector<fs::path> files_in_rule(std::string_view rule) {
  std::vector<fs::path> files;
  rule.remove_prefix(std::min(rule.size(), rule.find(": ") + 2));
  std::string file;
  const auto end_file = [&] {
    if (!file.empty()) files.push_back(fs::absolute(file).lexically_normal());
    file.clear();
  };
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (rule[i] == '\\' && next == '\n') {
      ++i;
      end_file();
    } else if ((rule[i] == '\\' && (next == ' ' || next == '#' || next == '\\')) || (rule[i] == '$' && next == '$')) {
      file += rule[++i];
    } else if (rule[i] == ' ' || rule[i] == '\n') {
      end_file();
    } else {
      file += rule[i];
    }
  }
  end_file();
  return files;
}

std::shared_ptr<const Image> kept_or_built(const Source& source, const SourceKey& key, std::string_view variant,
                                           const std::function<Built()>& build) {
  const std::string label = label_of(source);
  const jit::detail::Keeping keeping(fmt::format("kernel '{}' ({}) for the emulator", source.name, label),
                                     of_variant(key.key, variant));
  if (auto kept = keeping.load([&](const std::string& bytes) { return unpacked(bytes, label); })) {
    return std::make_shared<const Image>(std::move(*kept));
  }
  const Built built = build();
  const SourceKey now = key_of(source);
  std::vector<fs::path> own_headers;
  for (const fs::path& file : built.files_read) {
    if (now.dependencies.has(file)) continue;
    if (is_in_folders_of(source, file)) {
      keeping.leave(fmt::format("the compiler read {}, which no line that can be followed includes", file.string()));
      return built.image;
    }
    own_headers.push_back(file);
  }
  keeping.store(of_variant(now.key, variant), packed(*built.image, own_headers));
  return built.image;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
