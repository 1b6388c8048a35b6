// SPDX-License-Identifier: MIT
#include <mylos/emulator/compiler.hpp>

#include <mutex>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/hash.hpp>
#include <mylos/jit/headers.hpp>
#include <mylos/jit/source.hpp>

#include "emulator/command_line.hpp"
#include "emulator/shim_texts.hpp"
#include "emulator/variants.hpp"

namespace mylos::inline MYLOS_ABI::emulator {
namespace {

// Everything that the compiled kernel depends on, the contents of the files that it includes among it.
std::string key_of(const Source& source) {
  Hasher hasher;
  hasher.add(source.text).add(source.name).add(source.file).add(source.instantiate);
  const auto add_all = [&hasher](const std::vector<std::string>& words) {
    hasher.add(std::to_string(words.size()));
    for (const std::string& word : words) hasher.add(word);
  };
  add_all(source.options);
  add_all(detail::compiler_command());
  add_all(detail::code_options(detail::compiler_command()));
  for (const std::filesystem::path& folder : source.include_dirs) hasher.add(folder.string());
  const jit::IncludeFolders folders = jit::include_folders(source.file, source.options, source.include_dirs);
  for (const jit::IncludedFile& file : jit::included_files(source.text, folders, source.embedded)) {
    hasher.add(file.path.native()).add(file.text);
  }
  hasher.add(detail::portable_switch_asked() ? "portable" : "in place");
  for (const NamedText& header : detail::shim_texts) hasher.add(header.text);
  for (const NamedText& header : jit::device_headers()) hasher.add(header.text);
  return hasher.hex();
}

// What this process has compiled, by key; every program loads it anew. A cache on disk belongs here too, between the
// lookup and the build.
class ProgramCache {
 public:
  static ProgramCache& instance() {
    static auto* const cache = new ProgramCache;  // never destroyed: kernels of static storage duration use it
    return *cache;
  }

  std::shared_ptr<const Program> get(const Source& source) {
    const std::shared_ptr<Entry> entry = entry_of(key_of(source));
    // Threads that want the same kernel wait for the first; after a failure the next tries again.
    const std::lock_guard lock(entry->mutex);
    if (!entry->images) entry->images = std::make_shared<detail::Images>(source);
    return std::make_shared<Program>(std::make_unique<detail::Variants>(entry->images));
  }

 private:
  struct Entry {
    std::mutex mutex;
    std::shared_ptr<const detail::Images> images;
  };

  std::shared_ptr<Entry> entry_of(const std::string& key) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Entry>& entry = entries_[key];
    if (!entry) entry = std::make_shared<Entry>();
    return entry;
  }

  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<Entry>> entries_;
};

}  // namespace

Program::Program(std::unique_ptr<detail::Variants> variants) : variants_(std::move(variants)) {}
Program::~Program() = default;

const std::string& Program::name() const noexcept { return variants_->source().name; }
Execution Program::execution() const noexcept { return variants_->usual().facts().execution; }
bool Program::has_atomics() const noexcept { return variants_->usual().facts().has_atomics; }
std::vector<ParameterLayout> Program::parameters() const {
  std::vector<ParameterLayout> layouts;
  for (const mylos_parameter& parameter : variants_->usual().parameters()) {
    layouts.push_back({parameter.size, parameter.alignment, parameter.element_size, parameter.element_alignment});
  }
  return layouts;
}
std::size_t Program::static_shared_bytes() const noexcept { return variants_->usual().facts().static_shared_bytes; }

std::shared_ptr<const Program> compile(const Source& source) {
  if (source.name.empty() || source.text.empty()) {
    throw ValueError(fmt::format("cannot compile kernel '{}': its {} is empty: give both a text and the kernel's name",
                                 source.name, source.name.empty() ? "name" : "text"));
  }
  return ProgramCache::instance().get(source);
}

}  // namespace mylos::inline MYLOS_ABI::emulator
