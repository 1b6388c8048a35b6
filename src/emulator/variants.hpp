// SPDX-License-Identifier: MIT
// What a Program is made of.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/compiler.hpp>

#include "emulator/loader.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// How the built-in indices are typed: see shim/mylos_index.hpp.
enum class Indices { typed, plain };

/// Compiles and loads. Throws as compile() does.
std::unique_ptr<Module> build(const Source& source, Indices indices, bool portable_switch);

/// The module for ordinary launches, and the one with plain indices that launches of 2^31 threads along an axis need:
/// made when the first of them comes. The two have variables of their own.
class Variants {
 public:
  explicit Variants(Source source);

  [[nodiscard]] const std::string& name() const noexcept { return source_.name; }
  [[nodiscard]] const Module& usual() const noexcept { return *usual_; }
  [[nodiscard]] const Module& with_plain_indices() const;

 private:
  Source source_;
  bool portable_switch_;
  std::unique_ptr<Module> usual_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<Module> plain_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
