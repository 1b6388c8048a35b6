// SPDX-License-Identifier: MIT
#include "emulator/loader.hpp"

#include <dlfcn.h>
#include <link.h>

#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/emulator/launch.hpp>

#include "emulator/process.hpp"
#include "emulator/services.hpp"
#include "emulator/shared_guard.hpp"

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

// From a file of its own: the loader gives the same variables to all who load the same file.
void* load(const Image& image) {
  const TemporaryFolder folder;
  void* const handle = ::dlopen(folder.write("kernel.so", image.shared_object).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return handle;
  throw BackendError(
      fmt::format("cannot load the compiled kernel: {}: the temporary folder may forbid programs "
                  "(noexec): set TMPDIR to one that allows them",
                  ::dlerror()));
}

}  // namespace

Module::Module(std::shared_ptr<const Image> image) : image_(std::move(image)), handle_(load(*image_), &::dlclose) {
  vector_ = reinterpret_cast<VectorEntry*>(entry("mylos_vector"));
  threads_ = reinterpret_cast<ThreadsEntry*>(entry("mylos_threads"));
  using Initialise = void(mylos_module*);
  module_.services = &services();
  reinterpret_cast<Initialise*>(entry("mylos_initialise"))(&module_);
  link_map* map = nullptr;
  if (::dlinfo(handle_.get(), RTLD_DI_LINKMAP, &map) == 0) code_ = code_of(base_ = map->l_addr);
}

std::span<std::byte> Module::dynamic_shared() const {
  if (!facts().has_dynamic_shared) return {};
  return {static_cast<std::byte*>(entry(dynamic_shared_symbol)), max_shared_bytes + shared_zone_bytes};
}

void* Module::entry(const char* name) const {
  void* const address = ::dlsym(handle_.get(), name);
  if (address == nullptr) {
    throw BackendError(
        fmt::format("the compiled kernel has no entry '{}': the compiler dropped it: use g++ or clang++ "
                    "(MYLOS_CXX)",
                    name));
  }
  return address;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
