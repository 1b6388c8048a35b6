// SPDX-License-Identifier: MIT
// What a Program is made of.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/compiler.hpp>

#include "emulator/build.hpp"
#include "emulator/loader.hpp"
#include "emulator/source_key.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// The images of a source: the one for ordinary launches; the one with plain indices that launches of 2^31 threads
/// along an axis need, and the one whose accesses are checked, each made when the first launch needs it. All may be
/// known from an earlier process.
class Images {
 public:
  /// Compiles, if need be. Throws as compile() does.
  Images(Source source, SourceKey key);

  [[nodiscard]] const Source& source() const noexcept { return source_; }
  [[nodiscard]] const std::shared_ptr<const Image>& usual() const noexcept { return usual_; }
  [[nodiscard]] const std::shared_ptr<const Image>& with_plain_indices() const;
  [[nodiscard]] const std::shared_ptr<const Image>& checked() const;

 private:
  class Later {
   public:
    const std::shared_ptr<const Image>& get(const Images& images, Form form, const char* name);

   private:
    std::once_flag once_;
    std::shared_ptr<const Image> image_;
  };

  Source source_;
  SourceKey key_;
  bool portable_switch_;
  std::shared_ptr<const Image> usual_;
  mutable Later plain_, checked_;
};

/// The images as one program has them loaded. Each has variables of its own; those that the host was given are the
/// usual one's, and lent to the others for a launch.
class Variants {
 public:
  explicit Variants(std::shared_ptr<const Images> images) : images_(std::move(images)), usual_(images_->usual()) {}

  [[nodiscard]] const Source& source() const noexcept { return images_->source(); }
  [[nodiscard]] const Module& usual() const noexcept { return usual_; }
  [[nodiscard]] const Module& with_plain_indices() const;
  [[nodiscard]] const Module& checked() const;

  /// As Module::variable of the usual image, for the host. The first time it has what the last launch left, of whatever
  /// image that was.
  [[nodiscard]] std::span<std::byte> variable(std::string_view name) const;
  /// While this exists, a module of the program has the values that are in the host's variables, and changes them. One
  /// of a program at a time, where there are any.
  class Loan {
   public:
    Loan(const Variants& variants, const Module& module);
    ~Loan();
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

   private:
    struct Variable { std::span<std::byte> of_host, of_module; };
    std::unique_lock<std::mutex> alone_;
    std::vector<Variable> variables_;
  };

 private:
  std::shared_ptr<const Images> images_;
  Module usual_;
  mutable std::once_flag plain_once_, checked_once_;
  mutable std::unique_ptr<Module> plain_, checked_;
  mutable std::mutex given_mutex_, lending_mutex_;
  mutable std::map<std::string, std::span<std::byte>, std::less<>> given_;  // to the host
  mutable std::atomic<const Module*> last_ = nullptr;                       // that was launched
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
