// SPDX-License-Identifier: MIT
#include "emulator/loader.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/emulator/launch.hpp>

#include "base/elf_file.hpp"
#include "base/process.hpp"
#include "base/variable_names.hpp"
#include "emulator/services.hpp"
#include "emulator/shared_guard.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

struct Segments { AddressRange code, writable, all; };

// Of the loaded object with this base address.
Segments segments_of(std::uintptr_t base) {
  struct Search {
    std::uintptr_t base;
    Segments segments;
  } search{base, {}};
  const auto look = [](dl_phdr_info* object, std::size_t, void* data) {
    auto& wanted = *static_cast<Search*>(data);
    if (object->dlpi_addr != wanted.base) return 0;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& segment = object->dlpi_phdr[i];
      if (segment.p_type != PT_LOAD) continue;
      const AddressRange range{wanted.base + segment.p_vaddr, wanted.base + segment.p_vaddr + segment.p_memsz};
      if ((segment.p_flags & PF_X) != 0) wanted.segments.code = range;
      if ((segment.p_flags & PF_W) != 0) wanted.segments.writable = range;
      AddressRange& all = wanted.segments.all;
      all.begin = all.end == 0 ? range.begin : std::min(all.begin, range.begin);
      all.end = std::max(all.end, range.end);
    }
    return 1;
  };
  ::dl_iterate_phdr(look, &search);
  return search.segments;
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
  const char* const reason = ::dlerror();  // NOLINT(concurrency-mt-unsafe): glibc keeps it per thread
  throw BackendError(
      fmt::format("cannot load the compiled kernel: {}: the temporary folder may forbid programs "
                  "(noexec): set TMPDIR to one that allows them",
                  reason));
}

Module::Library::~Library() {
  ::dlclose(handle_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

Module::Module(std::shared_ptr<const Image> image) : image_(std::move(image)), library_(*image_) {
  if (facts().execution == Execution::vector_loop) {
    vector_ = reinterpret_cast<VectorEntry*>(entry("mylos_vector"));
  } else {
    threads_ = reinterpret_cast<ThreadsEntry*>(entry("mylos_threads"));
  }
  using Initialise = void(mylos_module*);
  module_.services = &services();
  reinterpret_cast<Initialise*>(entry("mylos_initialise"))(&module_);
  link_map* map = nullptr;
  if (::dlinfo(library_.handle(), RTLD_DI_LINKMAP, &map) != 0) return;
  base_ = map->l_addr;
  const Segments segments = segments_of(base_);
  code_ = segments.code;
  writable_ = segments.writable;
  all_ = segments.all;
}

const KernelVariables& Module::variables() const {
  std::call_once(once_, [this] { variables_ = variables_of(image_->shared_object); });
  return variables_;
}

std::span<std::byte> Module::dynamic_shared() const {
  if (!facts().has_dynamic_shared) return {};
  return {static_cast<std::byte*>(entry(dynamic_shared_symbol)), max_shared_bytes + shared_zone_bytes};
}

std::span<std::byte> Module::variable(std::string_view name) const {
  const mylos::detail::ElfFile file(image_->shared_object, "a compiled kernel");
  std::vector<std::string> names;
  for (const mylos::detail::ElfFile::Symbol& symbol : file.symbols()) {
    if (symbol.type != STT_OBJECT || symbol.section == SHN_UNDEF || symbol.size == 0) continue;
    std::string known = mylos::detail::qualified_name(symbol.name);
    const std::span<std::byte> bytes(reinterpret_cast<std::byte*>(base_ + symbol.value), symbol.size);
    if (known.empty() || !may_write(bytes)) continue;
    if (known == name) return bytes;
    names.push_back(std::move(known));
  }
  mylos::detail::throw_no_variable(image_->label, name, names);
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
