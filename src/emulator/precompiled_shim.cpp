// SPDX-License-Identifier: MIT
#include "emulator/precompiled_shim.hpp"

#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include <mylos/base/files.hpp>
#include <mylos/base/log.hpp>
#include <mylos/jit/cache.hpp>

#include "emulator/command_line.hpp"
#include "emulator/source_key.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

using mylos::detail::TemporaryFolder;

// Commands that did not make any: they are not tried again.
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

const std::filesystem::path name = std::filesystem::path(shim_folder) / fmt::format("{}.gch", shim_file);

std::string key_of_command(const std::vector<std::string>& command) {
  Hasher hasher = begin_compiler_key();
  hasher.add("precompiled");
  for (const std::string& word : command) hasher.add(word);
  return hasher.hex();
}

bool make(const TemporaryFolder& folder, std::vector<std::string> command) {
  const std::filesystem::path shim = folder.path() / shim_folder;
  command.insert(command.end(), {"-I", shim.string(), "-x", "c++-header", (shim / shim_file).string(), "-o",
                                 (folder.path() / name).string()});
  const mylos::detail::ProcessResult result = mylos::detail::run_process(command);
  if (result.started && result.exit_code == 0) return true;
  log::debug(fmt::format("the emulator's headers are not precompiled: {}: {}", command.front(), result.output));
  remove_precompiled_shim(folder);
  return false;
}

}  // namespace

void remove_precompiled_shim(const TemporaryFolder& folder) {
  std::error_code code;
  std::filesystem::remove(folder.path() / name, code);
}

bool add_precompiled_shim(const TemporaryFolder& folder, const std::vector<std::string>& command) {
  jit::Cache* const cache = jit::Cache::of_process();
  if (cache == nullptr || kind_by_file(compiler_command()) != CompilerKind::gcc) return false;
  const std::string key = key_of_command(command);
  if (const auto kept = cache->load(key)) {
    folder.write(name, *kept);
    return true;
  }
  if (failures().have(key)) return false;
  if (!make(folder, command)) {
    failures().add(key);
    return false;
  }
  cache->store(key, fmt::format("the emulator's headers, read by {}", command.front()),
               read_file(folder.path() / name));
  return true;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
