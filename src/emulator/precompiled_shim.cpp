// SPDX-License-Identifier: MIT
#include "emulator/precompiled_shim.hpp"

#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/base/log.hpp>
#include <mylos/jit/cache.hpp>

#include "emulator/command_line.hpp"
#include "emulator/shim_texts.hpp"
#include "emulator/source_key.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

using mylos::detail::TemporaryFolder;

// Commands that did not make any, or none that could be kept or used: they are not tried again.
class Failures {
 public:
  bool have(const std::string& key) {
    const std::lock_guard lock(mutex_);
    return keys_.contains(key);
  }
  void add(const std::string& key) {
    const std::lock_guard lock(mutex_);
    keys_.insert(key);
  }

 private:
  std::mutex mutex_;
  std::set<std::string> keys_;
};
Failures& failures() {
  static auto* const instance = new Failures;  // never destroyed: destructors of statics may compile
  return *instance;
}

// Made anew each time: constructors and destructors of statics may compile.
std::filesystem::path name_in_folder() { return std::filesystem::path(shim_folder) / fmt::format("{}.gch", shim_file); }

std::string key_of_command(const std::vector<std::string>& command) {
  Hasher hasher = begin_compiler_key();
  hasher.add("precompiled");
  for (const std::string& word : command) hasher.add(word);
  return hasher.hex();
}

// Where it is kept; nullptr where it is not made.
jit::Cache* cache_of_shim() {
  jit::Cache* const cache = jit::Cache::of_process();
  return cache != nullptr && kind_by_file(compiler_command()) == CompilerKind::gcc ? cache : nullptr;
}

}  // namespace

void give_up_precompiled_shim(const std::vector<std::string>& command) {
  log::debug(fmt::format("{} cannot use the emulator's headers as it has precompiled them", command.front()));
  failures().add(key_of_command(command));
}

void remove_precompiled_shim(const TemporaryFolder& folder) {
  std::error_code code;
  std::filesystem::remove(folder.path() / name_in_folder(), code);
}

bool load_precompiled_shim(const TemporaryFolder& folder, const std::vector<std::string>& command) {
  jit::Cache* const cache = cache_of_shim();
  if (cache == nullptr) return false;
  const std::string key = key_of_command(command);
  const auto kept = failures().have(key) ? std::nullopt : cache->load(key);
  if (!kept) return false;
  try {
    folder.write(name_in_folder(), *kept);
  } catch (const Error& error) {  // it is large: there may be room for the text, and the kernel
    log::debug(error.what());
    remove_precompiled_shim(folder);
    return false;
  }
  return true;
}

bool make_precompiled_shim(const TemporaryFolder& folder, const std::vector<std::string>& command) {
  jit::Cache* const cache = cache_of_shim();
  if (cache == nullptr) return false;
  const std::string key = key_of_command(command);
  if (failures().have(key)) return false;
  const std::filesystem::path shim = folder.path() / shim_folder, output = folder.path() / name_in_folder();
  std::vector<std::string> words = command;
  words.insert(words.end(),
               {"-I", shim.string(), "-x", "c++-header", (shim / shim_file).string(), "-o", output.string()});
  const mylos::detail::ProcessResult result = mylos::detail::run_process(words);
  if (!result.started || result.exit_code != 0) {
    log::debug(fmt::format("the emulator's headers are not precompiled: {}: {}", command.front(), result.output));
    failures().add(key);
    remove_precompiled_shim(folder);
    return false;
  }
  log::debug(fmt::format("the emulator's headers are precompiled by {}", command.front()));
  cache->store(key, fmt::format("the emulator's headers, read by {}", command.front()), read_file(output));
  // To make it for one kernel alone takes longer than to do without.
  if (!cache->load(key)) failures().add(key);
  return true;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
