// SPDX-License-Identifier: MIT
#include "emulator/loader.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <memory>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/emulator/launch.hpp>

#include "base/texts.hpp"
#include "emulator/object_file.hpp"
#include "emulator/services.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// "c" alone would be taken for a type.
std::string symbol_text(const std::string& name) {
  return name.starts_with("_Z") ? mylos::detail::demangled(name.c_str()) : name;
}

// The shim's variables, by the names that the compiler gives to static ones.
constexpr const char* marks_barriers = "_ZL10mylos_ring";
constexpr const char* marks_waiting = "_ZL11mylos_turns";
constexpr const char* marks_atomics = "mylos_concurrent";

}  // namespace

KernelFacts examine(const ObjectFile& object) {
  const ObjectFile::References in_loop = object.references_of("mylos_vector");
  const ObjectFile::References in_threads = object.references_of("mylos_threads");
  KernelFacts facts;
  facts.has_atomics = in_loop.names.contains(marks_atomics);
  facts.static_shared_bytes = in_threads.thread_local_bytes;
  if (in_loop.names.contains(marks_barriers)) {
    facts.execution = Execution::fibers;
  } else if (facts.has_atomics || in_loop.names.contains(marks_waiting)) {
    facts.execution = Execution::thread_loop;
  } else {
    facts.execution = Execution::vector_loop;
  }
  return facts;
}

std::string dynamic_shared_memory(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string text = ".section .tbss,\"awT\",%nobits\n.balign 256\n";
  for (const std::string& name : names) {
    text += fmt::format(".globl {0}\n.hidden {0}\n.type {0}, %tls_object\n{0}:\n", name);
  }
  text += fmt::format(".zero {}\n", max_shared_bytes);
  for (const std::string& name : names) text += fmt::format(".size {}, {}\n", name, max_shared_bytes);
  return text + ".section .note.GNU-stack,\"\",%progbits\n";
}

Module::Module(const std::filesystem::path& shared_object, KernelFacts facts, bool portable_switch)
    : handle_(::dlopen(shared_object.c_str(), RTLD_NOW | RTLD_LOCAL)),
      facts_(facts),
      portable_switch_(portable_switch) {
  if (handle_ == nullptr) {
    throw BackendError(
        fmt::format("cannot load the compiled kernel: {}: the temporary folder may forbid programs "
                    "(noexec): set TMPDIR to one that allows them",
                    ::dlerror()));
  }
  vector_ = reinterpret_cast<VectorEntry*>(entry("mylos_vector"));
  threads_ = reinterpret_cast<ThreadsEntry*>(entry("mylos_threads"));
  using Initialise = int*(const mylos_services*);
  concurrent_ = reinterpret_cast<Initialise*>(entry("mylos_initialise"))(&services());
  read_variables(shared_object);
}

Module::~Module() { ::dlclose(handle_); }

void* Module::entry(const char* name) const {
  void* const address = ::dlsym(handle_, name);
  if (address == nullptr) {
    throw BackendError(
        fmt::format("the compiled kernel has no entry '{}': the compiler dropped it: use g++ or clang++ "
                    "(MYLOS_CXX)",
                    name));
  }
  return address;
}

bool Module::holds_code(const void* address) const noexcept {
  Dl_info here{};
  Dl_info there{};
  return ::dladdr(reinterpret_cast<const void*>(threads_), &here) != 0 && ::dladdr(address, &there) != 0 &&
         here.dli_fbase == there.dli_fbase;
}

void Module::read_variables(const std::filesystem::path& shared_object) {
  link_map* map = nullptr;
  if (::dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0) return;
  const ObjectFile object(read_file(shared_object));  // lives as long as its symbols are looked at
  for (const ObjectFile::Symbol& symbol : object.symbols()) {
    if (symbol.type != STT_OBJECT || symbol.section == SHN_UNDEF) continue;
    variables_.emplace(symbol_text(symbol.name), Symbol{reinterpret_cast<void*>(map->l_addr + symbol.value),
                                                        static_cast<std::size_t>(symbol.size)});
  }
}

Symbol Module::variable(std::string_view name) const {
  const auto variable = variables_.find(name);
  return variable == variables_.end() ? Symbol{} : variable->second;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
