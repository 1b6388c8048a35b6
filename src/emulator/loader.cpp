// SPDX-License-Identifier: MIT
#include "emulator/loader.hpp"

#include <dlfcn.h>
#include <link.h>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "emulator/services.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// Where the loaded object with this base address has its instructions.
AddressRange code_of(std::uintptr_t base) {
  struct Search {
    std::uintptr_t base;
    AddressRange code;
  } search{base, {}};
  const auto look = [](dl_phdr_info* object, std::size_t, void* data) {
    auto& wanted = *static_cast<Search*>(data);
    if (object->dlpi_addr != wanted.base) return 0;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& segment = object->dlpi_phdr[i];
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
      wanted.code = {wanted.base + segment.p_vaddr, wanted.base + segment.p_vaddr + segment.p_memsz};
    }
    return 1;
  };
  ::dl_iterate_phdr(look, &search);
  return search.code;
}

}  // namespace

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
  link_map* map = nullptr;
  if (::dlinfo(handle_, RTLD_DI_LINKMAP, &map) == 0) code_ = code_of(map->l_addr);
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

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
