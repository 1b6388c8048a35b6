// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/core/detail/strided.hpp>

#include "base/texts.hpp"
#include "core/visit_value.hpp"
#include "kernel/argument_plan.hpp"
#include "kernel/argument_table.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

bool has_order(const Argument& view, Step::Order order) {
  const auto lies = [&view](Order in) { return is_packed(view.shape(), view.strides, 1, in); };
  switch (order) {
    case Step::Order::any: return true;
    case Step::Order::left: return lies(Order::left);
    case Step::Order::right: return lies(Order::right);
    case Step::Order::left_or_right: break;
  }
  return lies(Order::left) || (view.type->rank > 1 && lies(Order::right));
}

[[noreturn]] void fail_order(const Call& call, std::size_t i, Step::Order order) {
  const char* const needed = order == Step::Order::left ? "contiguous with the first index fastest (flat_layout left)"
                             : order == Step::Order::right
                                 ? "contiguous with the last index fastest (flat_layout right)"
                                 : "contiguous";
  throw ShapeError(fmt::format(
      "kernel '{}': argument {}, {}, has strides {}: parameter '{}' takes Views that are {}: "
      "declare the parameter mylos::Array, which takes any strides, or pass "
      "mylos::as_contiguous of the View, a copy{}",
      call.kernel, i + 1, describe(call.arguments[i]),
      tuple_text(std::span(call.arguments[i].strides).first(call.arguments[i].shape().size())),
      call.signature->parameters[i].declaration, needed, side_by_side(*call.signature, call.arguments, {{i}})));
}

[[noreturn]] void fail_range(const Call& call, std::size_t i, const std::string& value, const char* why) {
  const Parameter& parameter = call.signature->parameters[i];
  throw RangeError(
      fmt::format("kernel '{}': argument {}, the value {} of type {}, does not fit parameter '{}': {}: pass a "
                  "value of type {}, or declare a wider parameter{}",
                  call.kernel, i + 1, value, value_name(*call.arguments[i].type), parameter.declaration, why,
                  parameter.type, side_by_side(*call.signature, call.arguments, {{i}})));
}

/// Why a value does not fit To, or null. Infinities and NaN fit every floating type.
template <class To, class From>
const char* why_not(From value) {
  constexpr bool any_fits = std::is_same_v<From, bool>;
  if constexpr (any_fits || (std::is_integral_v<From> && std::is_floating_point_v<To>)) {
    return nullptr;  // an integer into a floating type: rounded at most
  } else if constexpr (std::is_same_v<To, bool> && std::is_integral_v<From>) {
    return value == 0 || value == 1 ? nullptr : "a bool is true (1) or false (0)";
  } else if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    return std::in_range<To>(value) ? nullptr : "it is outside of that type's range";
  } else if constexpr (std::is_integral_v<To>) {
    return "a floating-point number is not rounded to an integer silently";
  } else {
    const To converted = static_cast<To>(value);
    if (std::isfinite(value) && std::isinf(converted)) return "it is larger than that type's largest number";
    if (value != 0 && converted == 0) return "it is smaller than that type's smallest number, and would become 0";
    return nullptr;
  }
}

template <class To, class From>
void put_number(const Call& call, std::size_t i, void* out, From value) {
  if constexpr (is_complex_v<To>) {
    using Part = typename To::value_type;
    To converted;
    if constexpr (is_complex_v<From>) {
      for (const auto part : {value.real(), value.imag()}) {
        if (const char* why = why_not<Part>(part)) fail_range(call, i, fmt::format("{}", part), why);
      }
      converted = To(static_cast<Part>(value.real()), static_cast<Part>(value.imag()));
    } else {
      if (const char* why = why_not<Part>(value)) fail_range(call, i, fmt::format("{}", value), why);
      converted = To(static_cast<Part>(value));
    }
    std::memcpy(out, &converted, sizeof(To));
  } else if constexpr (!is_complex_v<From>) {  // complex into real was refused by type
    if (const char* why = why_not<To>(value)) fail_range(call, i, fmt::format("{}", value), why);
    const To converted = static_cast<To>(value);  // NOLINT(bugprone-signed-char-misuse): int8 is a number here
    std::memcpy(out, &converted, sizeof(To));
  }
}

void put_value(const Call& call, std::size_t i, ValueKind to, void* out) {
  const Argument& argument = call.arguments[i];
  visit_type(to, [&]<class To>(std::type_identity<To>) {
    visit_type(argument.type->kind, [&]<class From>(std::type_identity<From>) {
      put_number<To>(call, i, out, value_at<From>(argument.data));
    });
  });
}

/// As take_array() reads it.
void put_array(const Argument& view, std::byte* out) {
  const std::size_t axes = view.shape().size_bytes();
  std::memcpy(out, &view.data, sizeof(void*));
  std::memcpy(out + sizeof(void*), view.extents.data(), axes);
  std::memcpy(out + sizeof(void*) + axes, view.strides.data(), axes);
}

void put(const Call& call, std::size_t i, const Step& step, std::byte* out) {
  const Argument& argument = call.arguments[i];
  switch (step.action) {
    case Step::Action::pointer: std::memcpy(out, &argument.data, sizeof(void*)); break;
    case Step::Action::array: put_array(argument, out); break;
    case Step::Action::bytes: std::memcpy(out, argument.data, step.size); break;
    case Step::Action::number:
      if (step.kind == argument.type->kind)
        std::memcpy(out, argument.data, step.size);
      else
        put_value(call, i, step.kind, out);
      break;
  }
}

}  // namespace

void take_array(const std::byte* from, Argument& view) {
  const std::size_t axes = view.shape().size_bytes();
  std::memcpy(&view.data, from, sizeof(void*));
  std::memcpy(view.extents.data(), from + sizeof(void*), axes);
  std::memcpy(view.strides.data(), from + sizeof(void*) + axes, axes);
}

std::byte* ParameterBlock::make_room(std::size_t count, std::size_t bytes, std::size_t alignment) {
  const std::size_t pointer_bytes = count * sizeof(void*);
  std::size_t room = bytes + alignment;
  std::byte* block = small_.data();
  if (pointer_bytes + room > small_.size()) {
    large_ = std::make_unique<std::byte[]>(pointer_bytes + room);
    block = large_.get();
  }
  count_ = count;
  alignment_ = alignment;
  pointers_ = reinterpret_cast<void**>(block);
  void* aligned = block + pointer_bytes;
  std::align(alignment, bytes, aligned, room);
  auto* const values = static_cast<std::byte*>(aligned);
  bytes_ = {values, bytes};
  return values;
}

ParameterBlock::ParameterBlock(const ParameterBlock& other) {
  std::byte* const values = make_room(other.count_, other.bytes_.size(), other.alignment_);
  std::ranges::copy(other.bytes_, values);
  for (std::size_t i = 0; i < count_; ++i) {
    pointers_[i] = values + (static_cast<const std::byte*>(other.pointers_[i]) - other.bytes_.data());
  }
}

ParameterBlock::ParameterBlock(const Call& call, const ArgumentPlan& plan) {
  const std::span<const Step> steps = plan.steps();
  std::byte* const values = make_room(steps.size(), plan.value_bytes(), plan.value_alignment());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (call.arguments[i].type->is_view && !has_order(call.arguments[i], steps[i].order)) {
      fail_order(call, i, steps[i].order);
    }
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    pointers_[i] = values + steps[i].offset;
    put(call, i, steps[i], values + steps[i].offset);
  }
}

}  // namespace mylos::inline MYLOS_ABI::detail
