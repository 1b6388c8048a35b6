// SPDX-License-Identifier: MIT
// Where the environment wants the cache to be.
#include <unistd.h>

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include <pwd.h>

#include <mylos/base/environment.hpp>
#include <mylos/base/log.hpp>
#include <mylos/jit/cache.hpp>

namespace mylos::inline MYLOS_ABI::jit {
namespace {

namespace fs = std::filesystem;

// Of a process without HOME, as jobs and services are: what the list of users says.
std::optional<fs::path> home() {
  if (const auto home = environment::text("HOME")) return *home;
  std::array<char, 4096> texts{};
  passwd user{};
  passwd* found = nullptr;
  if (::getpwuid_r(::geteuid(), &user, texts.data(), texts.size(), &found) != 0 || found == nullptr) {
    return std::nullopt;
  }
  return user.pw_dir;
}

std::optional<fs::path> folder_asked() {
  if (const auto folder = environment::text("MYLOS_CACHE_DIR")) return *folder;
  const auto xdg = environment::text("XDG_CACHE_HOME");
  if (xdg && fs::path(*xdg).is_absolute()) return fs::path(*xdg) / "mylos";  // relative ones do not count, it is said
  auto folder = home();
  if (folder && folder->is_absolute()) return *folder / ".cache" / "mylos";
  static std::once_flag once;
  std::call_once(once, [] {
    log::warning(
        "there is no place for the kernel cache: neither HOME nor the list of users names a home: compiled kernels are "
        "not kept: name a folder in MYLOS_CACHE_DIR, or do without by MYLOS_CACHE=0");
  });
  return std::nullopt;
}

CacheOptions options_asked() {
  constexpr std::int64_t most = 1'000'000'000;
  CacheOptions options;
  options.shared = environment::boolean("MYLOS_CACHE_SHARED").value_or(false);
  if (const auto mebibytes = environment::integer("MYLOS_CACHE_SIZE", 1, most)) {
    options.most_bytes = static_cast<std::uintmax_t>(*mebibytes) << 20;
  }
  return options;
}

}  // namespace

Cache* Cache::of_process() {
  if (!environment::boolean("MYLOS_CACHE").value_or(true)) return nullptr;
  const auto folder = folder_asked();
  if (!folder) return nullptr;
  const CacheOptions options = options_asked();
  using Caches = std::map<std::tuple<std::string, bool, std::uintmax_t>, std::unique_ptr<Cache>>;
  static std::mutex mutex;
  static auto* const caches = new Caches;  // never destroyed: kernels of static storage duration use it
  const std::lock_guard lock(mutex);
  std::unique_ptr<Cache>& cache = (*caches)[{fs::absolute(*folder).native(), options.shared, options.most_bytes}];
  if (!cache) cache = std::make_unique<Cache>(*folder, options);
  return cache.get();
}

}  // namespace mylos::inline MYLOS_ABI::jit
