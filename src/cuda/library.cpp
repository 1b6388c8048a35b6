// SPDX-License-Identifier: MIT
#include <mylos/cuda/library.hpp>

#include <dlfcn.h>
#include <link.h>

#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::cuda {
namespace {

std::string loaded_path(void* handle, const std::string& fallback) {
  link_map* map = nullptr;
  if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map->l_name == nullptr || *map->l_name == '\0') return fallback;
  return map->l_name;
}

}  // namespace

Library::Library(std::span<const std::string> candidates) {
  std::string failures;
  for (const std::string& candidate : candidates) {
    handle_ = ::dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) {
      path_ = loaded_path(handle_, candidate);
      return;
    }
    const char* reason = ::dlerror();  // NOLINT(concurrency-mt-unsafe): glibc keeps it per thread
    failures += fmt::format("{}{}", failures.empty() ? "" : "; ", reason != nullptr ? reason : candidate);
  }
  throw BackendError(failures.empty() ? "no library to load was named" : failures);
}

Library::~Library() {
  if (handle_ != nullptr) ::dlclose(handle_);
}

Library::Library(Library&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), path_(std::move(other.path_)) {}

Library& Library::operator=(Library&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(path_, other.path_);
  return *this;
}

void* Library::symbol(const char* name) const {
  void* address = ::dlsym(handle_, name);
  if (address == nullptr) {
    throw BackendError(
        fmt::format("{} has no function {}: it is too old for Mylos: install CUDA 12.0 or newer", path_, name));
  }
  return address;
}

}  // namespace mylos::inline MYLOS_ABI::cuda
