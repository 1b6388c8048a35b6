// SPDX-License-Identifier: MIT
#include "kernel/argument_plan.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/core/detail/engine.hpp>

#include "kernel/argument_table.hpp"
#include "kernel/parameter_type.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

template <class E>
[[noreturn]] void fail(const Call& call, std::size_t i, const std::string& why_and_fix) {
  throw E(fmt::format("kernel '{}': argument {}, {}, does not fit parameter '{}': {}{}", call.kernel, i + 1,
                      describe(call.arguments[i]), call.signature->parameters[i].declaration, why_and_fix,
                      side_by_side(*call.signature, call.arguments, {{i}})));
}

void check_count(const Call& call) {
  const std::size_t given = call.arguments.size(), wanted = call.signature->parameters.size();
  if (given == wanted) return;
  const std::size_t first_without_partner = std::min(given, wanted);
  throw SignatureError(
      fmt::format("kernel '{}': {} argument{} given, {} parameter{} declared: every parameter takes one "
                  "argument: compare the lists{}",
                  call.kernel, given, given == 1 ? "" : "s", wanted, wanted == 1 ? "" : "s",
                  side_by_side(*call.signature, call.arguments, {{first_without_partner}})));
}

void check_elements(const Call& call, std::size_t i) {
  const Parameter& parameter = call.signature->parameters[i];
  const ArgumentType& argument = *call.arguments[i].type;
  if (!argument.is_view) {
    fail<SignatureError>(call, i,
                         "the parameter takes a View: pass a Kokkos::View; a raw device pointer p is passed as "
                         "Kokkos::View<T*, mylos::DeviceSpace>(p, n)");
  }
  if (!same_element(argument, element_type(parameter.type))) {
    fail<SignatureError>(call, i,
                         fmt::format("its elements are {}, the kernel's are {}: elements are never converted: pass "
                                     "a View of {}, or change the kernel",
                                     value_name(argument), parameter.type, parameter.type));
  }
  if (argument.is_const && !parameter.is_const) {
    fail<SignatureError>(call, i,
                         "its elements are const, and the kernel may write them: pass a View of non-const elements, "
                         "or declare the parameter const");
  }
}

void check_pointer_rank(const Call& call, std::size_t i, std::optional<FlatLayout> flat_layout) {
  const int rank = call.arguments[i].type->rank;
  if (rank <= 1 || flat_layout) return;
  fail<SignatureError>(
      call, i,
      fmt::format("a View of rank {} has another order in memory on the host than on the device, and a pointer does "
                  "not say which: declare the parameter mylos::Array<{}{}, {}>, or set CudaOptions::flat_layout",
                  rank, call.signature->parameters[i].is_const ? "const " : "", call.signature->parameters[i].type,
                  rank));
}

void check_array_rank(const Call& call, std::size_t i) {
  const int rank = call.arguments[i].type->rank, wanted = call.signature->parameters[i].rank;
  if (rank == wanted) return;
  if (wanted < 1 || wanted > 8) {
    fail<SignatureError>(
        call, i,
        fmt::format("an array of rank {} takes no View: Kokkos' Views have 1 to 8 axes here, and one of "
                    "rank 0 is passed as a pointer: declare another rank",
                    wanted));
  }
  fail<SignatureError>(call, i,
                       fmt::format("it has rank {}, the array has rank {}: ranks must be equal: pass a View of rank {}",
                                   rank, wanted, wanted));
}

bool is_complex(ValueKind kind) { return kind == ValueKind::complex64 || kind == ValueKind::complex128; }

bool converts(ValueKind from, ValueKind to) {
  if (from == to) return from != ValueKind::other;
  if (from == ValueKind::other || to == ValueKind::other) return false;
  if (from == ValueKind::float16 || to == ValueKind::float16) return false;  // no arithmetic on the host
  return !is_complex(from) || is_complex(to);
}

void check_value(const Call& call, std::size_t i, const ElementType& element) {
  const ArgumentType& argument = *call.arguments[i].type;
  const std::string& wanted = call.signature->parameters[i].type;
  if (argument.is_view) {
    fail<SignatureError>(
        call, i,
        fmt::format("the parameter takes a value: pass one of type {}; a View of rank 0 is read with a copy to "
                    "the host{}",
                    wanted,
                    element.is_known()
                        ? ""
                        : fmt::format("; if an included file makes '{}' a pointer or an array, write that "
                                      "type out, or the alias into the kernel's text",
                                      wanted)));
  }
  if (element.kind != ValueKind::other) {
    if (converts(argument.kind, element.kind)) return;
    fail<SignatureError>(
        call, i,
        fmt::format("{} does not convert to {}: pass a value of type {}", value_name(argument), wanted, wanted));
  }
  const bool is_number = argument.kind != ValueKind::other;
  if ((is_number && element.is_known()) || !argument.is_trivially_copyable) {
    fail<SignatureError>(call, i,
                         fmt::format("the parameter takes the class {} as it is in memory: pass one; it must be "
                                     "trivially copyable",
                                     wanted));
  }
  if (element.size > 0 && element.size != argument.size) {
    fail<SignatureError>(call, i,
                         fmt::format("it has {} bytes, {} has {}: both are to be the same type: include one header on "
                                     "both sides",
                                     argument.size, wanted, element.size));
  }
}

[[noreturn]] void fail_space(const Call& call, std::size_t i, const std::string& why_and_fix) {
  if (call.signature != nullptr) fail<SpaceError>(call, i, why_and_fix);
  throw SpaceError(
      fmt::format("kernel '{}': argument {}, {}: {}", call.kernel, i + 1, describe(call.arguments[i]), why_and_fix));
}

void check_reach(const Call& call) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const ArgumentType& type = *call.arguments[i].type;
    if (call.reach == Reach::device ? type.on_device : type.on_host) continue;
    const char* const why =
        call.reach == Reach::device
            ? "the device does not reach its memory, and a kernel copies nothing: pass a View in "
              "mylos::DeviceSpace, for example of mylos::to_device"
            : "the host does not reach its memory, and the port runs on host Views here: pass a View "
              "of mylos::to_host";
    fail_space(call, i, why);
  }
}

Step pointer_step(const Call& call, std::size_t i, std::optional<FlatLayout> flat_layout) {
  const bool flat = call.arguments[i].type->rank > 1 && flat_layout.has_value();
  const auto order = !flat                              ? Step::Order::left_or_right
                     : *flat_layout == FlatLayout::left ? Step::Order::left
                                                        : Step::Order::right;
  return {Step::Action::pointer, order, ValueKind::other, 0, sizeof(void*), alignof(void*)};
}

Step value_step(const Call& call, std::size_t i) {
  const ArgumentType& argument = *call.arguments[i].type;
  const ElementType element = element_type(call.signature->parameters[i].type);
  check_value(call, i, element);
  if (element.kind != ValueKind::other) {
    return {Step::Action::number, {}, element.kind, 0, element.size, element.alignment};
  }
  return {Step::Action::bytes, {},
          element.kind,        0,
          argument.size,       element.alignment > 0 ? element.alignment : argument.alignment};
}

Step checked_step(const Call& call, std::size_t i, std::optional<FlatLayout> flat_layout) {
  const Parameter& parameter = call.signature->parameters[i];
  const ArgumentType& argument = *call.arguments[i].type;
  switch (parameter.kind) {
    case ParameterKind::pointer:
      check_elements(call, i);
      check_pointer_rank(call, i, flat_layout);
      return pointer_step(call, i, flat_layout);
    case ParameterKind::array:
    case ParameterKind::contiguous_array: {
      check_elements(call, i);
      check_array_rank(call, i);
      const bool any = parameter.kind == ParameterKind::array;
      return {Step::Action::array,
              any ? Step::Order::any : Step::Order::left_or_right,
              ValueKind::other,
              0,
              static_cast<std::uint32_t>(8 * (1 + 2 * argument.rank)),
              alignof(void*)};
    }
    case ParameterKind::value: return value_step(call, i);
    case ParameterKind::other: break;
  }
  fail<SignatureError>(call, i, "no argument can be passed to such a parameter: use pointers, mylos::Array and values");
}

Step unchecked_step(const ArgumentType& argument) {
  if (argument.is_view) {
    return {Step::Action::pointer, Step::Order::any, ValueKind::other, 0, sizeof(void*), alignof(void*)};
  }
  const auto alignment = static_cast<std::uint32_t>(size_of(argument.kind));  // on the device
  return {Step::Action::bytes, {}, argument.kind, 0, argument.size, alignment > 0 ? alignment : argument.alignment};
}

// Nothing is passed: what a functor does with an argument that no port can take is its own affair.
Step compared_step(const Call& call, std::size_t i) {
  const ParameterKind kind = call.signature->parameters[i].kind;
  if (kind == ParameterKind::value) return value_step(call, i);
  if (kind != ParameterKind::other) check_elements(call, i);
  return unchecked_step(*call.arguments[i].type);
}

}  // namespace

void check_addresses(const Call& call) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& argument = call.arguments[i];
    if (!argument.type->is_view || argument.type->owns(argument.object)) continue;
    if (std::ranges::count(argument.shape(), 0) > 0) continue;
    if (const std::string why = why_unreachable(argument.data); !why.empty()) fail_space(call, i, why);
  }
}

ArgumentPlan::ArgumentPlan(const Call& call, std::optional<FlatLayout> flat_layout)
    : types_(call.arguments.types()), reach_(call.reach) {
  const bool is_checked = call.signature != nullptr;
  if (is_checked) check_count(call);
  for (std::size_t i = 0; i < types_.size(); ++i) {
    add(!is_checked                ? unchecked_step(*types_[i])
        : call.reach == Reach::any ? compared_step(call, i)
                                   : checked_step(call, i, flat_layout));
  }
  if (reach_ != Reach::any) check_reach(call);
}

void ArgumentPlan::add(Step step) {
  value_bytes_ = (value_bytes_ + step.alignment - 1) / step.alignment * step.alignment;
  step.offset = static_cast<std::uint32_t>(value_bytes_);
  value_bytes_ += step.size;
  value_alignment_ = std::max<std::size_t>(value_alignment_, step.alignment);
  steps_.push_back(step);
}

}  // namespace mylos::inline MYLOS_ABI::detail
