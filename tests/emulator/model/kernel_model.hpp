// SPDX-License-Identifier: MIT
// Kernels as values: small programs of threads that can be written as CUDA text, interpreted, and changed.
//
// A statement touches memory at most once, so that whoever interleaves threads does so between statements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mylos_test::model {

enum class Type : std::uint8_t { u32, i32, u64, f32, f64 };

/// A value of any type; those of 32 bits lie in the lower half, the upper one is zero.
using Bits = std::uint64_t;

enum class Op : std::uint8_t {
  constant,  // Node::value
  local,     // Node::value is its number
  thread,    // of the block, x fastest
  block,     // of the grid, x fastest
  threads,   // of a block
  blocks,    // of the grid
  argument,  // the launch's number
  add,
  subtract,
  multiply,
  divide,
  remainder,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,   // by the operand's lower bits
  shift_right,  // by the operand's lower bits
  minimum,
  maximum,
  less,   // u32 0 or 1
  equal,  // u32 0 or 1
  count_bits,
  leading_zeros,
  reverse_bits,
  select,
  fused_multiply_add,
  convert
};

struct Node;

/// An expression without effects. Operands have one type, that of the result unless Op says otherwise.
class Expression {
 public:
  Expression() = default;
  Expression(std::uint32_t value);  // a constant, as in `t + 1U`
  Expression(Op op, Type type, std::vector<Expression> of = {}, Bits value = 0);

  [[nodiscard]] const Node& node() const { return *node_; }
  [[nodiscard]] Type type() const;
  [[nodiscard]] bool given() const { return node_ != nullptr; }

 private:
  std::shared_ptr<const Node> node_;
};

struct Node {
  Op op;
  Type type;
  std::vector<Expression> of;
  Bits value;
};

inline Expression::Expression(Op op, Type type, std::vector<Expression> of, Bits value)
    : node_(std::make_shared<const Node>(Node{op, type, std::move(of), value})) {}
inline Expression::Expression(std::uint32_t value) : Expression(Op::constant, Type::u32, {}, value) {}
inline Type Expression::type() const { return node_->type; }

inline Expression operator+(Expression a, Expression b) { return {Op::add, a.type(), {a, b}}; }
inline Expression operator-(Expression a, Expression b) { return {Op::subtract, a.type(), {a, b}}; }
inline Expression operator*(Expression a, Expression b) { return {Op::multiply, a.type(), {a, b}}; }
inline Expression operator/(Expression a, Expression b) { return {Op::divide, a.type(), {a, b}}; }
inline Expression operator%(Expression a, Expression b) { return {Op::remainder, a.type(), {a, b}}; }
inline Expression operator&(Expression a, Expression b) { return {Op::bit_and, a.type(), {a, b}}; }
inline Expression operator<<(Expression a, Expression b) { return {Op::shift_left, a.type(), {a, b}}; }
inline Expression operator<(Expression a, Expression b) { return {Op::less, Type::u32, {a, b}}; }
inline Expression operator==(Expression a, Expression b) { return {Op::equal, Type::u32, {a, b}}; }
inline Expression minimum(Expression a, Expression b) { return {Op::minimum, a.type(), {a, b}}; }
inline Expression select(Expression condition, Expression a, Expression b) {
  return {Op::select, a.type(), {condition, a, b}};
}
inline Expression converted(Type type, Expression a) {
  return a.type() == type ? a : Expression(Op::convert, type, {a});
}

inline const Expression thread_index(Op::thread, Type::u32);
inline const Expression block_index(Op::block, Type::u32);
inline const Expression threads(Op::threads, Type::u32);
inline const Expression blocks(Op::blocks, Type::u32);
inline const Expression argument(Op::argument, Type::u32);

enum class Does : std::uint8_t {
  assign,    // local = value
  load,      // local = array[index]
  store,     // array[index] = value
  atomic,    // local = function(&array[index], value), or with `other`, what compare and swap expects
  barrier,   // __syncthreads; with a function, local = __syncthreads_count(value) and the like
  syncwarp,  // of the lanes of `mask`
  fence,     // __threadfence
  warp,      // local = function(mask, value), or with `other`, the lane or distance, and `width`
  branch,    // if (value) then else otherwise
  repeat,    // while (value) then
  leave      // return
};

enum class Function : std::uint8_t {
  none,
  atomic_add,
  atomic_sub,
  atomic_min,
  atomic_max,
  atomic_and,
  atomic_or,
  atomic_xor,
  atomic_exch,
  atomic_cas,
  atomic_inc,
  atomic_dec,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  any,
  all,
  ballot,
  match_any,
  reduce_add,
  reduce_min,
  reduce_max,
  reduce_and,
  reduce_or,
  reduce_xor,
  count_threads,
  and_threads,
  or_threads
};

constexpr bool is_shuffle(Function function) {
  return function >= Function::shuffle && function <= Function::shuffle_xor;
}

constexpr unsigned no_local = ~0U;

struct Statement {
  Does does;
  Function function = Function::none;
  unsigned local = no_local;
  unsigned array = 0;
  unsigned width = 32;
  Expression index = {}, value = {}, other = {}, mask = {};
  std::vector<Statement> then = {}, otherwise = {};
};

/// Threads and blocks of a launch, and the number that kernels get as `argument`.
struct Shape {
  std::uint32_t blocks = 1;
  std::uint32_t threads = 32;
  std::uint32_t argument = 0;
};

enum class Content : std::uint8_t { numbers, zeros, unwritten };

struct Array {
  std::string name;
  Type type = Type::u32;
  bool shared = false;
  Content content = Content::unwritten;
  std::size_t per_thread = 0, per_block = 0, constant = 0;  // elements
  /// Any order of the elements is the same outcome.
  bool unordered = false;

  [[nodiscard]] std::size_t size(const Shape& shape) const {
    return per_thread * shape.blocks * shape.threads + per_block * shape.blocks + constant;
  }
};

struct Kernel {
  std::string name;
  std::vector<Array> arrays;
  std::vector<Type> locals;
  std::vector<Statement> body;
};

/// The elements that an array of the given content begins with, the same for everybody. Small numbers, exact in sums.
std::vector<Bits> initial_elements(const Array& array, const Shape& shape);

/// The number as a value of the type.
Bits bits_of(Type type, std::uint32_t number);

}  // namespace mylos_test::model
