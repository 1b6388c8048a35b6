// SPDX-License-Identifier: MIT
#include <mylos/emulator/compiler.hpp>

#include <mutex>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "emulator/source_key.hpp"
#include "emulator/variants.hpp"
#include "jit/parameter_table.hpp"

namespace mylos::inline MYLOS_ABI::emulator {
namespace {

// What this process has compiled or found in the cache, by key; every program loads it anew.
class ProgramCache {
 public:
  static ProgramCache& instance() {
    static auto* const cache = new ProgramCache;  // never destroyed: kernels of static storage duration use it
    return *cache;
  }

  std::shared_ptr<const Program> get(const Source& source) {
    detail::SourceKey key = detail::key_of(source);
    if (!key.key.obstacles.empty()) return program(std::make_shared<detail::Images>(source, std::move(key)));
    const std::shared_ptr<Entry> entry = entry_of(key.key.hex);
    // Threads that want the same kernel wait for the first; after a failure the next tries again.
    const std::lock_guard lock(entry->mutex);
    if (!entry->images) entry->images = std::make_shared<detail::Images>(source, std::move(key));
    return program(entry->images);
  }

 private:
  struct Entry {
    std::mutex mutex;
    std::shared_ptr<const detail::Images> images;
  };

  static std::shared_ptr<const Program> program(std::shared_ptr<const detail::Images> images) {
    return std::make_shared<Program>(std::make_unique<detail::Variants>(std::move(images)));
  }

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
std::span<std::byte> Program::variable(std::string_view name) const { return variants_->variable(name); }
std::vector<ParameterLayout> Program::parameters() const {
  return jit::detail::layouts_of(variants_->usual().parameters());
}
std::vector<std::vector<FieldLayout>> Program::fields() const {
  return jit::detail::fields_of(variants_->usual().fields(), variants_->usual().field_names());
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
