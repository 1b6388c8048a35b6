// SPDX-License-Identifier: MIT
#include "emulator/variants.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>

#include "emulator/build.hpp"
#include "emulator/command_line.hpp"
#include "emulator/kept_image.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// "sizeof(threadIdx.x)": the fields' own types are larger than unsigned, which nothing else of them tells.
bool asks_for_size_of_index(std::string_view text) {
  constexpr std::string_view question = "sizeof";
  for (std::size_t at = text.find(question); at != std::string_view::npos; at = text.find(question, at)) {
    at = std::min(text.find_first_not_of(" (\t\n", at + question.size()), text.size());
    for (const std::string_view name : {"threadIdx", "blockIdx", "blockDim", "gridDim"}) {
      if (text.substr(at).starts_with(name)) return true;
    }
  }
  return false;
}

}  // namespace

// Text that depends on the exact type of a built-in index (a template deduced from it, a switch) compiles with plain
// ones only; if it has another error, that is the clearer message.
Images::Images(Source source, SourceKey key)
    : source_(std::move(source)), key_(std::move(key)), portable_switch_(portable_switch_asked()) {
  usual_ = kept_or_built(source_, key_, "usual", [this] {
    try {
      const Form form = asks_for_size_of_index(source_.text) ? Form::plain_indices : Form::usual;
      return build(source_, form, portable_switch_);
    } catch (const CompileError&) {
      Built built = build(source_, Form::plain_indices, portable_switch_);
      log::debug(fmt::format("kernel '{}' needs the built-in indices as plain integers: its loop may be slower",
                             source_.name));
      return built;
    }
  });
}

const std::shared_ptr<const Image>& Images::Later::get(const Images& images, Form form, const char* name) {
  std::call_once(once_, [&] {
    image_ = kept_or_built(images.source_, images.key_, name,
                           [&] { return build(images.source_, form, images.portable_switch_); });
  });
  return image_;
}

const std::shared_ptr<const Image>& Images::with_plain_indices() const {
  return plain_.get(*this, Form::plain_indices, "plain indices");
}
const std::shared_ptr<const Image>& Images::checked() const { return checked_.get(*this, Form::checked, "checked"); }

const Module& Variants::with_plain_indices() const {
  std::call_once(plain_once_, [this] { plain_ = std::make_unique<Module>(images_->with_plain_indices()); });
  return *plain_;
}
const Module& Variants::checked() const {
  std::call_once(checked_once_, [this] { checked_ = std::make_unique<Module>(images_->checked()); });
  return *checked_;
}

namespace {

// Empty where the compiler has found that the image does not need it.
std::span<std::byte> variable_of(const Module& module, std::string_view name) {
  try {
    return module.variable(name);
  } catch (const LookupError&) {
    return {};
  }
}

}  // namespace

std::span<std::byte> Variants::variable(std::string_view name) const {
  const std::span<std::byte> bytes = usual_.variable(name);
  const std::lock_guard lock(given_mutex_);
  const bool is_new = given_.try_emplace(std::string(name), bytes).second;
  const Module* const last = last_;
  if (is_new && last != nullptr && last != &usual_) std::ranges::copy(variable_of(*last, name), bytes.begin());
  return bytes;
}

Variants::Loan::Loan(const Variants& variants, const Module& module) {
  variants.last_ = &module;
  if (&module == &variants.usual_) return;
  const auto given = [&variants] {
    const std::lock_guard lock(variants.given_mutex_);
    return variants.given_;
  }();
  if (!given.empty()) alone_ = std::unique_lock(variants.lending_mutex_);
  for (const auto& [name, bytes] : given) {
    const std::span<std::byte> own = variable_of(module, name);
    if (own.empty()) continue;
    std::ranges::copy(bytes, own.begin());
    variables_.push_back({bytes, own});
  }
}

Variants::Loan::~Loan() {
  for (const Variable& variable : variables_) std::ranges::copy(variable.of_module, variable.of_host.begin());
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
