// SPDX-License-Identifier: MIT
// What a Program is made of.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/compiler.hpp>

#include "emulator/loader.hpp"
#include "emulator/source_key.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// How the built-in indices are typed: see shim/mylos_index.hpp.
enum class Indices { typed, plain };

/// What a source is compiled to: the image for ordinary launches, and the one with plain indices that launches of 2^31
/// threads along an axis need, made when the first of them comes. Both may be known from an earlier process.
class Images {
 public:
  /// Compiles, if need be. Throws as compile() does.
  Images(Source source, SourceKey key);

  [[nodiscard]] const Source& source() const noexcept { return source_; }
  [[nodiscard]] const std::shared_ptr<const Image>& usual() const noexcept { return usual_; }
  [[nodiscard]] const std::shared_ptr<const Image>& with_plain_indices() const;

 private:
  Source source_;
  SourceKey key_;
  bool portable_switch_;
  std::shared_ptr<const Image> usual_;
  mutable std::once_flag once_;
  mutable std::shared_ptr<const Image> plain_;
};

/// The images as one program has them loaded. The two have variables of their own.
class Variants {
 public:
  explicit Variants(std::shared_ptr<const Images> images) : images_(std::move(images)), usual_(images_->usual()) {}

  [[nodiscard]] const Source& source() const noexcept { return images_->source(); }
  [[nodiscard]] const Module& usual() const noexcept { return usual_; }
  [[nodiscard]] const Module& with_plain_indices() const;

 private:
  std::shared_ptr<const Images> images_;
  Module usual_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<Module> plain_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
