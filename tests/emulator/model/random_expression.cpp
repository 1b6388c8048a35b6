// SPDX-License-Identifier: MIT
#include "emulator/model/random_expression.hpp"

#include <bit>

namespace mylos_test::model {

Type RandomExpressions::type() {
  return dice_.one_of({Type::u32, Type::u32, Type::i32, Type::u64, Type::f32, Type::f64});
}

Expression RandomExpressions::leaf(Type type) {
  std::vector<Expression> fitting;
  for (const Expression& variable : variables_) {
    if (variable.type() == type) fitting.push_back(variable);
  }
  if (!fitting.empty() && !dice_.one_in(4)) return dice_.one_of(fitting);
  if (type == Type::u32 && !dice_.one_in(3))
    return dice_.one_of({thread_index, block_index, threads, blocks, argument});
  const std::uint32_t number = dice_.below(200);
  if (type == Type::f32) return {Op::constant, type, {}, std::bit_cast<std::uint32_t>(static_cast<float>(number) / 8)};
  if (type == Type::f64) return {Op::constant, type, {}, std::bit_cast<std::uint64_t>(static_cast<double>(number) / 8)};
  return {Op::constant, type, {}, bits_of(type, dice_.one_in(4) ? dice_.below(~0U) : number)};
}

Expression RandomExpressions::unsigned_number(Type type, int depth) {
  const auto operand = [&] { return any(type, depth - 1); };
  switch (dice_.below(9)) {
    case 0:
    case 1:
    case 2:
      return {dice_.one_of({Op::add, Op::subtract, Op::multiply, Op::bit_and, Op::bit_or, Op::bit_xor}),
              type,
              {operand(), operand()}};
    case 3: return {dice_.one_of({Op::shift_left, Op::shift_right}), type, {operand(), operand()}};
    case 4:
      return {dice_.one_of({Op::divide, Op::remainder}),
              type,
              {operand(), Expression(Op::bit_or, type, {operand(), Expression(Op::constant, type, {}, 1)})}};
    case 5: return {dice_.one_of({Op::minimum, Op::maximum}), type, {operand(), operand()}};
    case 6: return {Op::reverse_bits, type, {operand()}};
    case 7: return {Op::select, type, {condition(depth - 1), operand(), operand()}};
    default:
      if (type == Type::u64) return converted(type, any(dice_.one_of({Type::u32, Type::i32}), depth - 1));
      const Expression from = any(dice_.one_of({Type::u32, Type::u64}), depth - 1);
      if (dice_.one_in(2)) return {dice_.one_of({Op::count_bits, Op::leading_zeros}), Type::u32, {from}};
      return converted(Type::u32, from);
  }
}

Expression RandomExpressions::signed_number(int depth) {
  const auto operand = [&] { return any(Type::i32, depth - 1); };
  switch (dice_.below(3)) {
    case 0: return {dice_.one_of({Op::minimum, Op::maximum}), Type::i32, {operand(), operand()}};
    case 1: return {Op::select, Type::i32, {condition(depth - 1), operand(), operand()}};
    default: return converted(Type::i32, any(Type::u32, depth - 1));
  }
}

Expression RandomExpressions::floating_number(Type type, int depth) {
  const auto operand = [&] { return any(type, depth - 1); };
  switch (dice_.below(6)) {
    case 0:
    case 1:
    case 2: return {dice_.one_of({Op::add, Op::subtract, Op::multiply}), type, {operand(), operand()}};
    case 3: return {Op::fused_multiply_add, type, {operand(), operand(), operand()}};
    case 4: return {Op::select, type, {condition(depth - 1), operand(), operand()}};
    default:
      // Rounds from double to float, and from whole numbers of 64 bits.
      return converted(
          type,
          any(dice_.one_of({type == Type::f32 ? Type::f64 : Type::f32, Type::u32, Type::i32, Type::u64}), depth - 1));
  }
}

Expression RandomExpressions::any(Type type, int depth) {
  if (depth <= 0) return leaf(type);
  switch (type) {
    case Type::u32:
    case Type::u64: return unsigned_number(type, depth);
    case Type::i32: return signed_number(depth);
    default: return floating_number(type, depth);
  }
}

Expression RandomExpressions::condition(int depth) {
  const Type type = this->type();
  return {dice_.one_of({Op::less, Op::less, Op::equal}), Type::u32, {any(type, depth), any(type, depth)}};
}

}  // namespace mylos_test::model
