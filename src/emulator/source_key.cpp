// SPDX-License-Identifier: MIT
#include "emulator/source_key.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <mylos/base/environment.hpp>
#include <mylos/jit/headers.hpp>
#include <mylos/jit/source.hpp>

#include "base/process.hpp"
#include "emulator/command_line.hpp"
#include "emulator/host_cpu.hpp"
#include "emulator/host_headers.hpp"
#include "emulator/shim_texts.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

namespace fs = std::filesystem;

// Variables that change what g++ and clang++ do.
constexpr std::array compiler_variables{"CPATH",        "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX",     "COMPILER_PATH",
                                        "LIBRARY_PATH", "SOURCE_DATE_EPOCH",  "CCC_OVERRIDE_OPTIONS"};

void add_all(Hasher& hasher, const std::vector<std::string>& words) {
  hasher.add(std::to_string(words.size()));
  for (const std::string& word : words) hasher.add(word);
}

// Folders of CPATH and its like, which come after those of the command.
std::vector<fs::path> folders_of_variables() {
  std::vector<fs::path> folders;
  for (const char* variable : {"CPATH", "CPLUS_INCLUDE_PATH"}) {
    const auto list = environment::text(variable);
    for (std::string_view rest = list ? std::string_view(*list) : std::string_view(); !rest.empty();) {
      const auto colon = rest.find(':');
      const std::string_view folder = rest.substr(0, colon);
      folders.emplace_back(folder.empty() ? "." : folder);
      rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
    }
  }
  return folders;
}

jit::Dependencies dependencies_of(const Source& source) {
  const std::vector<fs::path> further = folders_of_variables();
  return jit::dependencies({.text = source.text,
                            .file = source.file,
                            .options = source.options,
                            .include_dirs = source.include_dirs,
                            .further_dirs = further,
                            .embedded = source.embedded});
}

// Who compiles, and for what.
void add_compiler(Hasher& hasher) {
  const std::vector<std::string> command = compiler_command();
  add_all(hasher, command);
  add_all(hasher, code_options(command));
  add_all(hasher, checked_code_options(command));
  // Of the compilers themselves the file says it all, below; to start one only for this would take most of a load's
  // time.
  hasher.add(kind_by_file(command) == CompilerKind::unknown ? compiler_version(command) : "");
  for (const std::string& word : command) {
    if (const std::string program = mylos::detail::program_file(word); !program.empty())
      hasher.add(jit::detail::identity_of(program));
  }
  for (const char* variable : compiler_variables) hasher.add(environment::text(variable).value_or(""));
  hasher.add(host_cpu()).add(portable_switch_asked() ? "portable" : "in place");
}

// For every kernel, whatever the compiler's own folders hold.
bool is_always_there(const std::string& name) {
  const auto has = [](std::span<const NamedText> texts, const std::string& wanted) {
    return std::ranges::find(texts, wanted, &NamedText::name) != texts.end();
  };
  return has(jit::device_headers(), name) || has(shim_texts, name) ||
         has(shim_texts, fmt::format("{}/{}", host_header_folder, name));
}

bool is_below(const fs::path& folder, const fs::path& file) {
  const fs::path whole = fs::absolute(folder).lexically_normal() / "";
  return file.native().starts_with(whole.native());
}

}  // namespace

Hasher begin_compiler_key() {
  Hasher hasher = jit::detail::begin_key(MYLOS_EMULATOR_RECIPE);
  add_compiler(hasher);
  for (const NamedText& header : shim_texts) hasher.add(header.name).add(header.text);
  return hasher;
}

SourceKey key_of(const Source& source) {
  Hasher hasher = begin_compiler_key();
  hasher.add(source.text).add(source.name).add(source.file).add(source.instantiate);
  add_all(hasher, source.options);
  for (const fs::path& folder : source.include_dirs) hasher.add(folder.native());
  for (const NamedText& header : jit::device_headers()) hasher.add(header.text);
  SourceKey result{.key = {}, .dependencies = dependencies_of(source)};
  result.dependencies.add_to(hasher);
  result.key = {hasher.hex(), result.dependencies.obstacles};
  for (const std::string& name : result.dependencies.not_found) {
    if (is_always_there(name)) continue;
    result.key.obstacles.push_back(
        fmt::format("__has_include asks for {}, which may come to be in the compiler's own folders", name));
  }
  return result;
}

bool is_in_folders_of(const Source& source, const fs::path& file) {
  const jit::IncludeFolders folders = jit::include_folders(source.file, source.options, source.include_dirs);
  if (!folders.own.empty() && is_below(folders.own, file)) return true;
  return std::ranges::any_of(folders.further, [&](const fs::path& folder) { return is_below(folder, file); });
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
