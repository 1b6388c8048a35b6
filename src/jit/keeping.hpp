// SPDX-License-Identifier: MIT
// One compilation and the cache of the process.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/base/hash.hpp>
#include <mylos/jit/cache.hpp>
#include <mylos/jit/dependencies.hpp>

namespace mylos::inline MYLOS_ABI::jit::detail {

/// Under which key what is compiled is kept.
struct CacheKey {
  std::string hex;
  std::vector<std::string> obstacles = {};  ///< why it must not be kept; mostly none
};

/// This version of Mylos, its ABI with it.
[[nodiscard]] MYLOS_EXPORT std::string own_version();
/// What every key begins with: who compiles, and which Mylos. Versions that share a folder do not share entries.
[[nodiscard]] MYLOS_EXPORT Hasher begin_key(std::string_view compiler, std::string_view mylos = own_version());
/// Which file, such as a compiler's, that is now: where it really lies, its size and its time; empty for none.
[[nodiscard]] MYLOS_EXPORT std::string identity_of(const std::string& file);

/// Looks in the cache before a compilation, keeps its result after, and says so in the log.
class MYLOS_EXPORT Keeping {
 public:
  /// `what` is for the log and for those who list the cache: "kernel 'push' (push.cu) for sm_90".
  Keeping(std::string what, CacheKey key);

  /// What is kept, as `unpack` reads it from bytes; that gives nothing when they do not hold any more.
  template <class Unpack>
  [[nodiscard]] auto load(Unpack&& unpack) const -> decltype(unpack(std::string())) {
    const auto bytes = fetch();
    if (!bytes) return std::nullopt;
    auto result = unpack(*bytes);
    tell_load(result.has_value());
    return result;
  }

  /// `now` is the key computed again: while something was compiled, the files that it consists of may have changed.
  void store(const CacheKey& now, std::string_view bytes) const;
  /// Instead of store(): says why.
  void leave(std::string_view why) const;

 private:
  [[nodiscard]] std::optional<std::string> fetch() const;
  void tell_load(bool holds) const;
  [[nodiscard]] double milliseconds() const;

  std::string what_;
  CacheKey key_;
  Cache* cache_ = nullptr;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace mylos::inline MYLOS_ABI::jit::detail
