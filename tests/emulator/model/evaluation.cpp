// SPDX-License-Identifier: MIT
#include "emulator/model/evaluation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

namespace mylos_test::model {
namespace {

template <class T>
T from_bits(Bits bits) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<T>(bits);
  else
    return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
}

template <class T>
Bits to_bits(T value) {
  if constexpr (sizeof(T) == 8)
    return std::bit_cast<Bits>(value);
  else
    return std::bit_cast<std::uint32_t>(value);
}

/// Calls `action` with a value of the C++ type: each result is rounded where it is made, and never fused with the next.
template <class Action>
Bits with_type(Type type, Action&& action) {
  switch (type) {
    case Type::u32: return action(std::uint32_t());
    case Type::i32: return action(std::int32_t());
    case Type::u64: return action(std::uint64_t());
    case Type::f32: return action(float());
    case Type::f64: return action(double());
  }
  throw std::logic_error("a type without a C++ type");
}

[[noreturn]] void refuse() { throw std::logic_error("an operation that its type does not have"); }

template <class T>
T arithmetic(Op op, T a, T b) {
  switch (op) {
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    default: refuse();
  }
}

template <class T>
T of_integers(Op op, T a, T b) {
  constexpr T bits = sizeof(T) * 8 - 1;
  switch (op) {
    case Op::divide: return a / b;
    case Op::remainder: return a % b;
    case Op::bit_and: return a & b;
    case Op::bit_or: return a | b;
    case Op::bit_xor: return a ^ b;
    case Op::shift_left: return a << (b & bits);
    case Op::shift_right: return a >> (b & bits);
    default: return arithmetic(op, a, b);
  }
}

template <class T>
Bits binary(Op op, T a, T b) {
  if (op == Op::less) return a < b ? 1 : 0;
  if (op == Op::equal) return a == b ? 1 : 0;
  if (op == Op::minimum) return to_bits(std::min(a, b));
  if (op == Op::maximum) return to_bits(std::max(a, b));
  if constexpr (std::is_unsigned_v<T>)
    return to_bits(of_integers(op, a, b));
  else if constexpr (std::is_floating_point_v<T>)
    return to_bits(arithmetic(op, a, b));
  else
    refuse();
}

template <class T>
Bits reversed(T value) {
  T result = 0;
  for (std::size_t i = 0; i < 8 * sizeof(T); ++i) {
    result = static_cast<T>(result << 1 | (value & 1));
    value >>= 1;
  }
  return result;
}

template <class T>
Bits of_bits(Op op, T value) {
  if constexpr (std::is_unsigned_v<T>) {
    if (op == Op::count_bits) return static_cast<Bits>(std::popcount(value));
    if (op == Op::leading_zeros) return static_cast<Bits>(std::countl_zero(value));
    return reversed(value);
  } else {
    refuse();
  }
}

Bits convert(Type to, Type from, Bits bits) {
  return with_type(from, [&]<class From>(From) {
    return with_type(to, [&]<class To>(To) { return to_bits(static_cast<To>(from_bits<From>(bits))); });
  });
}

Bits fused(Type type, Bits a, Bits b, Bits c) {
  if (type == Type::f32) return to_bits(std::fma(from_bits<float>(a), from_bits<float>(b), from_bits<float>(c)));
  return to_bits(std::fma(from_bits<double>(a), from_bits<double>(b), from_bits<double>(c)));
}

template <class T>
T atomic_of(Function function, T old, T value, T expected) {
  switch (function) {
    case Function::atomic_add: return old + value;
    case Function::atomic_sub: return old - value;
    case Function::atomic_min: return std::min(old, value);
    case Function::atomic_max: return std::max(old, value);
    case Function::atomic_exch: return value;
    case Function::atomic_cas: return old == expected ? value : old;
    default: break;
  }
  if constexpr (std::is_unsigned_v<T>) {
    switch (function) {
      case Function::atomic_and: return old & value;
      case Function::atomic_or: return old | value;
      case Function::atomic_xor: return old ^ value;
      case Function::atomic_inc: return old >= value ? T(0) : old + 1;
      case Function::atomic_dec: return old == 0 || old > value ? value : old - 1;
      default: break;
    }
  }
  refuse();
}

Bits reduced(Function function, std::uint32_t a, std::uint32_t b) {
  switch (function) {
    case Function::reduce_add: return a + b;
    case Function::reduce_min: return std::min(a, b);
    case Function::reduce_max: return std::max(a, b);
    case Function::reduce_and: return a & b;
    case Function::reduce_or: return a | b;
    case Function::reduce_xor: return a ^ b;
    default: refuse();
  }
}

}  // namespace

Bits evaluate(const Expression& expression, const Scope& scope) {
  const Node& node = expression.node();
  const auto of = [&](std::size_t i) { return evaluate(node.of[i], scope); };
  switch (node.op) {
    case Op::constant: return node.value;
    case Op::local: return scope.locals[node.value];
    case Op::thread: return scope.thread;
    case Op::block: return scope.block;
    case Op::threads: return scope.shape->threads;
    case Op::blocks: return scope.shape->blocks;
    case Op::argument: return scope.shape->argument;
    case Op::select: return of(0) != 0 ? of(1) : of(2);
    case Op::fused_multiply_add: return fused(node.type, of(0), of(1), of(2));
    case Op::convert: return convert(node.type, node.of[0].type(), of(0));
    case Op::count_bits:
    case Op::leading_zeros:
    case Op::reverse_bits:
      return with_type(node.of[0].type(), [&]<class T>(T) { return of_bits(node.op, from_bits<T>(of(0))); });
    default:
      return with_type(node.of[0].type(),
                       [&]<class T>(T) { return binary(node.op, from_bits<T>(of(0)), from_bits<T>(of(1))); });
  }
}

Bits atomic_result(Function function, Type type, Bits old, Bits value, Bits expected) {
  // The sum wraps, as CUDA's does.
  if (type == Type::i32 && function == Function::atomic_add) type = Type::u32;
  return with_type(type, [&]<class T>(T) {
    return to_bits(atomic_of(function, from_bits<T>(old), from_bits<T>(value), from_bits<T>(expected)));
  });
}

std::uint32_t source_lane(Function function, std::uint32_t lane, std::uint32_t operand, std::uint32_t width) {
  const std::uint32_t first = lane & ~(width - 1);
  const std::uint32_t end = first + width;
  switch (function) {
    case Function::shuffle: return first + (operand & (width - 1));
    case Function::shuffle_up: return lane < first + operand ? lane : lane - operand;
    case Function::shuffle_down: return lane + operand >= end ? lane : lane + operand;
    case Function::shuffle_xor: return (lane ^ operand) >= end ? lane : lane ^ operand;
    default: refuse();
  }
}

Bits combined(Function function, std::span<const Brought> brought, Bits own) {
  const auto yes = [](const Brought& one) { return one.value != 0; };
  std::uint32_t lanes = 0;
  switch (function) {
    case Function::any:
    case Function::or_threads: return std::ranges::any_of(brought, yes) ? 1 : 0;
    case Function::all:
    case Function::and_threads: return std::ranges::all_of(brought, yes) ? 1 : 0;
    case Function::count_threads: return static_cast<Bits>(std::ranges::count_if(brought, yes));
    case Function::ballot:
      for (const Brought& one : brought) lanes |= yes(one) ? 1U << one.lane : 0;
      return lanes;
    case Function::match_any:
      for (const Brought& one : brought) lanes |= one.value == own ? 1U << one.lane : 0;
      return lanes;
    default: break;
  }
  Bits result = brought.front().value;
  for (const Brought& one : brought.subspan(1)) {
    result = reduced(function, static_cast<std::uint32_t>(result), static_cast<std::uint32_t>(one.value));
  }
  return result;
}

}  // namespace mylos_test::model
