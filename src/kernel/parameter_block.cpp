// SPDX-License-Identifier: MIT
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "kernel/argument_plan.hpp"
#include "kernel/argument_table.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

/// Whether the elements fill the memory with the first (left) or the last index fastest.
bool is_compact(const Argument& view, bool left) {
  const int rank = view.type->rank;
  std::int64_t expected = 1;
  for (int n = 0; n < rank; ++n) {
    const auto axis = static_cast<std::size_t>(left ? n : rank - 1 - n);
    if (view.extents[axis] == 0) return true;
    if (view.extents[axis] != 1 && view.strides[axis] != expected) return false;
    expected *= view.extents[axis];
  }
  return true;
}

bool has_order(const Argument& view, Step::Order order) {
  switch (order) {
    case Step::Order::any: return true;
    case Step::Order::left: return is_compact(view, true);
    case Step::Order::right: return is_compact(view, false);
    case Step::Order::left_or_right: break;
  }
  return is_compact(view, true) || (view.type->rank > 1 && is_compact(view, false));
}

[[noreturn]] void fail_order(const Call& call, std::size_t i, Step::Order order) {
  const char* const needed = order == Step::Order::left ? "contiguous with the first index fastest (flat_layout left)"
                             : order == Step::Order::right
                                 ? "contiguous with the last index fastest (flat_layout right)"
                                 : "contiguous";
  throw ShapeError(fmt::format(
      "kernel '{}': argument {}, {}, has strides ({}): parameter '{}' takes Views that are {}: "
      "declare the parameter mylos::Array, which takes any strides, or pass "
      "mylos::as_contiguous of the View, a copy{}",
      call.kernel, i + 1, describe(call.arguments[i]),
      to_string(call.arguments[i].strides, call.arguments[i].type->rank), call.signature->parameters[i].declaration,
      needed, side_by_side(*call.signature, call.arguments, {{i}})));
}

[[noreturn]] void fail_range(const Call& call, std::size_t i, const std::string& value, const char* why) {
  const Parameter& parameter = call.signature->parameters[i];
  throw RangeError(
      fmt::format("kernel '{}': argument {}, the value {} of type {}, does not fit parameter '{}': {}: pass a "
                  "value of type {}, or declare a wider parameter{}",
                  call.kernel, i + 1, value, value_name(*call.arguments[i].type), parameter.declaration, why,
                  parameter.type, side_by_side(*call.signature, call.arguments, {{i}})));
}

template <class T>
T read(const void* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

/// Calls f with the argument's value in a C++ type of its kind.
template <class F>
void visit_value(const Argument& argument, F&& f) {
  switch (argument.type->kind) {
    case ValueKind::boolean: return f(read<bool>(argument.data));
    case ValueKind::int8: return f(read<std::int8_t>(argument.data));
    case ValueKind::int16: return f(read<std::int16_t>(argument.data));
    case ValueKind::int32: return f(read<std::int32_t>(argument.data));
    case ValueKind::int64: return f(read<std::int64_t>(argument.data));
    case ValueKind::uint8: return f(read<std::uint8_t>(argument.data));
    case ValueKind::uint16: return f(read<std::uint16_t>(argument.data));
    case ValueKind::uint32: return f(read<std::uint32_t>(argument.data));
    case ValueKind::uint64: return f(read<std::uint64_t>(argument.data));
    case ValueKind::float32: return f(read<float>(argument.data));
    case ValueKind::float64: return f(read<double>(argument.data));
    case ValueKind::complex64: return f(read<std::complex<float>>(argument.data));
    case ValueKind::complex128: return f(read<std::complex<double>>(argument.data));
    case ValueKind::float16:
    case ValueKind::other: return;
  }
}

template <class T>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<std::complex<T>> = true;

/// Why a value does not fit To, or null. Infinities and NaN fit every floating type.
template <class To, class From>
const char* why_not(From value) {
  if constexpr (std::is_same_v<To, bool> || std::is_same_v<From, bool>) {
    return nullptr;
  } else if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    return std::in_range<To>(value) ? nullptr : "it is outside of that type's range";
  } else if constexpr (std::is_integral_v<To>) {
    return "a floating-point number is not rounded to an integer silently";
  } else if constexpr (std::is_floating_point_v<From>) {
    const To converted = static_cast<To>(value);
    if (std::isfinite(value) && std::isinf(converted)) return "it is larger than that type's largest number";
    if (value != 0 && converted == 0) return "it is smaller than that type's smallest number, and would become 0";
    return nullptr;
  } else {
    return nullptr;  // an integer into a floating type: rounded at most
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
    const To converted = static_cast<To>(value);
    std::memcpy(out, &converted, sizeof(To));
  }
}

void put_value(const Call& call, std::size_t i, ValueKind to, void* out) {
  const auto put = [&]<class To>(std::type_identity<To>) {
    visit_value(call.arguments[i], [&](auto value) { put_number<To>(call, i, out, value); });
  };
  switch (to) {
    case ValueKind::boolean: return put(std::type_identity<bool>());
    case ValueKind::int8: return put(std::type_identity<std::int8_t>());
    case ValueKind::int16: return put(std::type_identity<std::int16_t>());
    case ValueKind::int32: return put(std::type_identity<std::int32_t>());
    case ValueKind::int64: return put(std::type_identity<std::int64_t>());
    case ValueKind::uint8: return put(std::type_identity<std::uint8_t>());
    case ValueKind::uint16: return put(std::type_identity<std::uint16_t>());
    case ValueKind::uint32: return put(std::type_identity<std::uint32_t>());
    case ValueKind::uint64: return put(std::type_identity<std::uint64_t>());
    case ValueKind::float32: return put(std::type_identity<float>());
    case ValueKind::float64: return put(std::type_identity<double>());
    case ValueKind::complex64: return put(std::type_identity<std::complex<float>>());
    case ValueKind::complex128: return put(std::type_identity<std::complex<double>>());
    case ValueKind::float16:
    case ValueKind::other: return;
  }
}

/// Pointer, extents, strides: the layout of mylos::Array and mylos::ContiguousArray.
void put_array(const Argument& view, std::byte* out) {
  const std::size_t axes = static_cast<std::size_t>(view.type->rank) * sizeof(std::int64_t);
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

ParameterBlock::ParameterBlock(const Call& call, const ArgumentPlan& plan) {
  std::byte* block = small_.data();
  if (plan.block_size() > small_.size()) {
    large_ = std::make_unique<std::byte[]>(plan.block_size());
    block = large_.get();
  }
  pointers_ = reinterpret_cast<void**>(block);
  const std::span<const Step> steps = plan.steps();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (call.arguments[i].type->is_view && !has_order(call.arguments[i], steps[i].order)) {
      fail_order(call, i, steps[i].order);
    }
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    pointers_[i] = block + steps[i].offset;
    put(call, i, steps[i], block + steps[i].offset);
  }
}

}  // namespace mylos::inline MYLOS_ABI::detail
