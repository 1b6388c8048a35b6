// SPDX-License-Identifier: MIT
// A 128-bit content hash (XXH3 of the xxHash library) for cache keys and checksums. Not cryptographic.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// Accumulates pieces; each piece's length goes into the hash, so ("ab", "c") and ("a", "bc") differ.
/// The same pieces give the same hash on every machine of the same byte order. A moved-from Hasher may only be
/// assigned to or destroyed.
class MYLOS_EXPORT Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(Hasher&&) noexcept;
  Hasher& operator=(Hasher&&) noexcept;

  Hasher& add(std::string_view piece);
  Hasher& add(std::span<const std::byte> piece);
  /// 32 lower-case hexadecimal digits; may be asked for at any time.
  [[nodiscard]] std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mylos::inline MYLOS_ABI
