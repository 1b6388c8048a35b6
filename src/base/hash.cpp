// SPDX-License-Identifier: MIT
#include <mylos/base/hash.hpp>

#include <cstdint>

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace mylos::inline MYLOS_ABI {

struct Hasher::State { XXH3_state_t xxh; };

Hasher::Hasher() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh); }
Hasher::~Hasher() = default;
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;

Hasher& Hasher::add(std::string_view piece) { return add(std::as_bytes(std::span(piece))); }

Hasher& Hasher::add(std::span<const std::byte> piece) {
  const std::uint64_t size = piece.size();
  XXH3_128bits_update(&state_->xxh, &size, sizeof size);
  XXH3_128bits_update(&state_->xxh, piece.data(), piece.size());
  return *this;
}

std::string Hasher::hex() const {
  const XXH128_hash_t digest = XXH3_128bits_digest(&state_->xxh);
  return fmt::format("{:016x}{:016x}", digest.high64, digest.low64);
}

}  // namespace mylos::inline MYLOS_ABI
