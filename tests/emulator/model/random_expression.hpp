// SPDX-License-Identifier: MIT
// Random numbers, and random expressions of what a thread knows.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

#include "emulator/model/kernel_builder.hpp"

namespace mylos_test::model {

/// The same numbers with every standard library.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() >> 11) % end; }
  bool one_in(std::uint32_t count) { return below(count) == 0; }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(static_cast<std::uint32_t>(choices.size()))];
  }
  template <class T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(static_cast<std::uint32_t>(choices.size()))];
  }

 private:
  std::mt19937_64 random_;
};

/// Expressions of the thread's numbers and the variables that it has so far. All are defined for all values: unsigned
/// numbers wrap, signed ones are compared only, divisors are not zero, floating-point numbers stay what they are.
class RandomExpressions {
 public:
  explicit RandomExpressions(Dice& dice) : dice_(dice) {}

  /// From now on expressions may use it.
  void add_variable(const Expression& variable) { variables_.push_back(variable); }
  [[nodiscard]] const std::vector<Expression>& variables() const { return variables_; }

  Type type();
  Expression any(Type type, int depth);
  Expression any(Type type) { return any(type, 1 + static_cast<int>(dice_.below(2))); }
  Expression index(Expression size) { return any(Type::u32, 1) % std::move(size); }
  /// 0 or 1, by thread.
  Expression condition(int depth = 1);
  /// A small whole number, exact in sums of many.
  Expression small(Type type) { return converted(type, any(Type::u32, 1) % 16U); }

 private:
  Expression leaf(Type type);
  Expression unsigned_number(Type type, int depth);
  Expression signed_number(int depth);
  Expression floating_number(Type type, int depth);

  Dice& dice_;
  std::vector<Expression> variables_;
};

}  // namespace mylos_test::model
