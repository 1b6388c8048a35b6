// SPDX-License-Identifier: MIT
#include "jit/keeping.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/log.hpp>
#include <mylos/base/version.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {
namespace {

#define MYLOS_TEXT_OF(word) #word
#define MYLOS_TEXT_OF_VALUE(macro) MYLOS_TEXT_OF(macro)
constexpr std::string_view abi = MYLOS_TEXT_OF_VALUE(MYLOS_ABI);
#undef MYLOS_TEXT_OF_VALUE
#undef MYLOS_TEXT_OF

}  // namespace

std::string own_version() { return fmt::format("{} {}", abi, version()); }

Hasher begin_key(std::string_view compiler, std::string_view mylos) {
  Hasher hasher;
  hasher.add(compiler).add(mylos);
  return hasher;
}

std::string identity_of(const std::string& file) {
  std::error_code code;
  const std::filesystem::path path = std::filesystem::canonical(file, code);
  struct stat status = {};
  if (code || ::stat(path.c_str(), &status) != 0) return {};
  return fmt::format("{} {} {}.{:09}", path.string(), status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

Keeping::Keeping(std::string what, CacheKey key)
    : what_(std::move(what)), key_(std::move(key)), cache_(Cache::of_process()) {
  if (cache_ == nullptr || key_.obstacles.empty()) return;
  leave(fmt::format("{}", fmt::join(key_.obstacles, "; ")));
  cache_ = nullptr;
}

double Keeping::milliseconds() const {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
}

std::optional<std::string> Keeping::fetch() const { return cache_ == nullptr ? std::nullopt : cache_->load(key_.hex); }

void Keeping::tell_load(bool holds) const {
  log::info(holds ? fmt::format("{}: from the cache, {} ({:.2f} ms)", what_, key_.hex, milliseconds())
                  : fmt::format("{}: what the cache has of it holds no more, a file that it includes is another: {}",
                                what_, key_.hex));
}

void Keeping::store(const CacheKey& now, std::string_view bytes) const {
  if (cache_ == nullptr) {
    log::info(fmt::format("{}: compiled ({:.0f} ms)", what_, milliseconds()));
  } else if (now.hex != key_.hex || !now.obstacles.empty()) {
    leave("a file that it includes was changed meanwhile");
  } else {
    log::info(fmt::format("{}: not in the cache, compiled ({:.0f} ms), {}", what_, milliseconds(), key_.hex));
    cache_->store(key_.hex, what_, bytes);
  }
}

void Keeping::leave(std::string_view why) const {
  log::info(
      fmt::format("{}: compiled anew by each process, the cache cannot tell when it is outdated: {}", what_, why));
}

}  // namespace mylos::inline MYLOS_ABI::jit::detail
