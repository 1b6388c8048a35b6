// SPDX-License-Identifier: MIT
#include "jit/nvrtc_facts.hpp"

#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/environment.hpp>
#include <mylos/base/hash.hpp>
#include <mylos/jit/cache.hpp>

#include "jit/keeping.hpp"
#include "jit/record.hpp"

namespace mylos::inline MYLOS_ABI::jit::detail {
namespace {

// All that decides which library is found: what is asked for, and where the loader looks.
std::string key_of_search() {
  Hasher hasher = begin_key("which NVRTC");
  const std::string loader_path = environment::text("LD_LIBRARY_PATH").value_or("");
  hasher.add(loader_path);
  for (const char* file : {"/etc/ld.so.cache", "/proc/self/exe"}) hasher.add(identity_of(file));
  for (const std::string& candidate : cuda::Nvrtc::candidates()) {
    hasher.add(candidate).add(identity_of(candidate));
    if (candidate.find('/') != std::string::npos) continue;
    std::istringstream folders(loader_path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      hasher.add(identity_of(fmt::format("{}/{}", folder, candidate)));
    }
  }
  return hasher.hex();
}

std::string packed(const NvrtcFacts& facts) {
  RecordWriter record;
  record.add(facts.path).add(facts.file).add(facts.version);
  for (const int architecture : facts.architectures) record.add(static_cast<std::uint64_t>(architecture));
  return record.bytes();
}

std::optional<NvrtcFacts> kept_facts() {
  Cache* const cache = Cache::of_process();
  const auto bytes = cache == nullptr ? std::nullopt : cache->load(key_of_search());
  if (!bytes) return std::nullopt;
  RecordReader record(*bytes);
  NvrtcFacts facts;
  for (std::string* text : {&facts.path, &facts.file, &facts.version}) *text = record.text();
  while (!record.at_end()) facts.architectures.push_back(static_cast<int>(record.number()));
  const bool holds = record.is_whole() && !facts.file.empty() && facts.file == identity_of(facts.path);
  return holds ? std::optional(std::move(facts)) : std::nullopt;
}

}  // namespace

NvrtcFacts facts_of(const cuda::Nvrtc& nvrtc) {
  return {.path = nvrtc.path(),
          .file = identity_of(nvrtc.path()),
          .version = nvrtc.version(),
          .architectures = nvrtc.supported_architectures()};
}

const NvrtcFacts& facts_of_own_nvrtc() {
  static const NvrtcFacts facts = [] {
    if (auto kept = kept_facts()) return *std::move(kept);
    NvrtcFacts found = facts_of(cuda::Nvrtc::require());
    keep_facts_of_own_nvrtc(found);
    return found;
  }();
  return facts;
}

void keep_facts_of_own_nvrtc(const NvrtcFacts& facts) {
  if (Cache* const cache = Cache::of_process()) {
    cache->store(key_of_search(), fmt::format("where NVRTC {} was found: {}", facts.version, facts.path),
                 packed(facts));
  }
}

}  // namespace mylos::inline MYLOS_ABI::jit::detail
