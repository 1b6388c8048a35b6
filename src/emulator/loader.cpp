// SPDX-License-Identifier: MIT
#include "emulator/loader.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/emulator/launch.hpp>

#include "base/process.hpp"
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

// A file that is nowhere but in memory; -1 where the system has none to give.
int memory_file(std::string_view bytes) {
  const int descriptor = ::memfd_create("kernel.so", MFD_CLOEXEC);
  while (descriptor >= 0 && !bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      ::close(descriptor);
      return -1;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return descriptor;
}

}  // namespace

// From a file of its own: the loader gives the same variables to all who load the same file.
Module::Library::Library(const Image& image) {
  if (!load_from_memory(image)) load_from_file(image);
}

// The loader knows files by their names. This one is the descriptor's, so it stays open as long as the name is known.
// Programs of others need descriptors as well, and some systems load nothing from memory: there are files on disk too.
bool Module::Library::load_from_memory(const Image& image) {
  constexpr int most = 256;
  descriptor_ = memory_file(image.shared_object);
  const std::string name = fmt::format("/proc/self/fd/{}", descriptor_);
  if (descriptor_ >= 0 && descriptor_ < most) {
    // One that could not be unloaded (its variables have destructors) keeps the name of a descriptor that is closed.
    void* const earlier = ::dlopen(name.c_str(), RTLD_NOLOAD | RTLD_LAZY);
    if (earlier == nullptr) handle_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (earlier != nullptr) ::dlclose(earlier);
  }
  if (handle_ == nullptr && descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  return handle_ != nullptr;
}

void Module::Library::load_from_file(const Image& image) {
  const mylos::detail::TemporaryFolder folder;
  handle_ = ::dlopen(folder.write("kernel.so", image.shared_object).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ != nullptr) return;
  throw BackendError(
      fmt::format("cannot load the compiled kernel: {}: the temporary folder may forbid programs "
                  "(noexec): set TMPDIR to one that allows them",
                  ::dlerror()));
}

Module::Library::~Library() {
  ::dlclose(handle_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

Module::Module(std::shared_ptr<const Image> image) : image_(std::move(image)), library_(*image_) {
  vector_ = reinterpret_cast<VectorEntry*>(entry("mylos_vector"));
  threads_ = reinterpret_cast<ThreadsEntry*>(entry("mylos_threads"));
  using Initialise = void(mylos_module*);
  module_.services = &services();
  reinterpret_cast<Initialise*>(entry("mylos_initialise"))(&module_);
  link_map* map = nullptr;
  if (::dlinfo(library_.handle(), RTLD_DI_LINKMAP, &map) == 0) code_ = code_of(base_ = map->l_addr);
}

std::span<std::byte> Module::dynamic_shared() const {
  if (!facts().has_dynamic_shared) return {};
  return {static_cast<std::byte*>(entry(dynamic_shared_symbol)), max_shared_bytes + shared_zone_bytes};
}

void* Module::entry(const char* name) const {
  void* const address = ::dlsym(library_.handle(), name);
  if (address == nullptr) {
    throw BackendError(
        fmt::format("the compiled kernel has no entry '{}': the compiler dropped it: use g++ or clang++ "
                    "(MYLOS_CXX)",
                    name));
  }
  return address;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
