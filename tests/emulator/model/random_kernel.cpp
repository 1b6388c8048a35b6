// SPDX-License-Identifier: MIT
#include "emulator/model/random_kernel.hpp"

#include <string>
#include <utility>
#include <vector>

#include "emulator/model/kernel_builder.hpp"
#include "emulator/model/random_expression.hpp"

namespace mylos_test::model {
namespace {

constexpr std::uint32_t results = 3;  // of each thread

const Expression lane = thread_index % 32U;
const Expression warp_begin = thread_index - lane;
const Expression lanes = minimum(threads - warp_begin, 32U);  // of this warp

/// The lowest `count` bits.
Expression low_bits(const Expression& count) { return select(count == 32U, ~0U, (Expression(1U) << count) - 1U); }

class Generator {
 public:
  Generator(std::uint64_t seed, Parts parts)
      : dice_(seed * 4 + static_cast<std::uint64_t>(parts)),
        parts_(parts),
        expressions_(dice_),
        k_("seed " + std::to_string(seed)) {}

  Kernel kernel() {
    declare();
    if (parts_ != Parts::barriers && dice_.one_in(3)) leave_early();
    read_some();
    if (parts_ == Parts::barriers) {
      phases(1);
      k_.barrier();
      for (const Phased& array : phased_) read_anywhere(array);
    } else {
      statements(5, 2, [] {});
    }
    write_results();
    return k_.finished();
  }

 private:
  enum class Use : std::uint8_t { own, read, atomic, warp };

  /// An array that belongs to a block, shared or its part of one in device memory.
  struct Phased {
    unsigned array;
    Type type;
    Expression begin, size;
    Use use = Use::own;
    std::uint32_t shift = 0;  // of the elements that threads own
    Function function = Function::none;
  };

  void declare() {
    input_ = k_.array({.name = "input", .type = expressions_.type(), .content = Content::numbers, .per_thread = 1});
    numbers_ = k_.array({.name = "numbers", .content = Content::numbers, .per_thread = 1, .constant = 3});
    result_type_ = expressions_.type();
    output_ = k_.array({.name = "output", .type = result_type_, .per_thread = results});
    if (parts_ == Parts::arithmetic) return;
    sum_type_ = expressions_.type();
    sum_function_ = commuting(sum_type_);
    sums_ = k_.array({.name = "sums", .type = sum_type_, .content = Content::numbers, .constant = 1 + dice_.below(7)});
    if (parts_ == Parts::atomics) return;
    const Type type = expressions_.type();
    const unsigned part = k_.array({.name = "part", .type = type, .content = Content::numbers, .per_thread = 1});
    phased_.push_back({.array = part, .type = type, .begin = block_index * threads, .size = threads});
    for (unsigned i = 0, count = 1 + dice_.below(2); i < count; ++i) declare_shared("shared" + std::to_string(i));
  }

  void declare_shared(const std::string& name) {
    const Type type = expressions_.type();
    const std::uint32_t size = dice_.one_of({1U, 7U, 33U, 64U, 97U});
    const Phased array{.array = k_.shared(name, size, type), .type = type, .begin = 0U, .size = size};
    k_.count(thread_index, size, threads,
             [&](const Expression& i) { k_.store(array.array, i, expressions_.any(type, 2)); });
    phased_.push_back(array);
  }

  void leave_early() {
    k_.when(threads * blocks < block_index * threads + thread_index + 1U + argument % 4U, [&] { k_.leave(); });
  }

  /// Variables that are set under a condition are zero otherwise, and may be used anywhere.
  void keep(const Expression& variable) {
    expressions_.add_variable(variable);
    variables_.push_back(variable);
  }

  void read_some() {
    keep(k_.load(input_, block_index * threads + thread_index));
    keep(k_.load(numbers_, expressions_.index(threads * blocks + 3U)));
    for (const Type type : {Type::u32, Type::i32, Type::u64, Type::f32, Type::f64}) {
      keep(k_.variable(expressions_.any(type, 1)));
    }
  }

  void write_results() {
    for (std::uint32_t i = 0; i < results; ++i) {
      const Expression place = (block_index * threads + thread_index) * results + i;
      k_.store(output_, place, expressions_.any(result_type_, 2));
    }
  }

  /// An atomic function whose calls may come in any order, for values that `brought` makes.
  Function commuting(Type type) {
    using enum Function;
    if (type == Type::f32 || type == Type::f64) return atomic_add;
    if (type == Type::i32) return dice_.one_of({atomic_add, atomic_min, atomic_max});
    if (type == Type::u64) return dice_.one_of({atomic_add, atomic_min, atomic_max, atomic_and, atomic_or, atomic_xor});
    return dice_.one_of(
        {atomic_add, atomic_sub, atomic_min, atomic_max, atomic_and, atomic_or, atomic_xor, atomic_inc, atomic_dec});
  }

  /// Any function, for an element that nobody else uses.
  Function any_atomic(Type type) {
    using enum Function;
    if (type == Type::f64) return atomic_add;
    if (type == Type::f32) return dice_.one_of({atomic_add, atomic_exch});
    return dice_.one_in(2) ? dice_.one_of({atomic_exch, atomic_cas}) : commuting(type);
  }

  Expression brought(Function function, Type type) {
    if (type == Type::f32 || type == Type::f64) return expressions_.small(type);
    // Of these the last value depends on the order, unless all threads have the same limit.
    if (function == Function::atomic_inc || function == Function::atomic_dec) return 5U;
    return expressions_.any(type);
  }

  void add_to_sums() {
    const auto size = static_cast<std::uint32_t>(k_.arrays()[sums_].constant);
    const Expression place = expressions_.index(size);
    k_.atomic(sum_function_, sums_, place, brought(sum_function_, sum_type_));
  }

  void update_own(const Phased& array, const Expression& place) {
    const std::uint32_t choice = dice_.below(3);
    if (choice == 0) return keep(k_.load(array.array, place));
    if (choice == 1) return k_.store(array.array, place, expressions_.any(array.type));
    const Function function = any_atomic(array.type);
    const Expression value = brought(function, array.type);
    const bool compares = function == Function::atomic_cas;
    keep(k_.atomic(function, array.array, place, value, compares ? expressions_.any(array.type, 1) : Expression()));
  }

  void read_anywhere(const Phased& array) { keep(k_.load(array.array, array.begin + expressions_.index(array.size))); }

  /// As the array is used in this phase.
  void use(const Phased& array) {
    if (array.use == Use::read) {
      read_anywhere(array);
    } else if (array.use == Use::own) {
      const Expression place = array.size - 1U - (thread_index + array.shift) % array.size;
      k_.when(thread_index < array.size, [&] { update_own(array, array.begin + place); });
    } else if (array.use == Use::atomic) {
      const Expression place = array.begin + expressions_.index(array.size);
      k_.atomic(array.function, array.array, place, brought(array.function, array.type));
    }
  }

  void choose_use(Phased& array) {
    const bool exact = array.type != Type::f32 && array.type != Type::f64;
    array.use = exact ? dice_.one_of({Use::own, Use::read, Use::warp, Use::atomic})
                      : dice_.one_of({Use::own, Use::read, Use::warp});
    array.shift = dice_.below(5);
    array.function = commuting(array.type);
  }

  /// What each thread does by itself; `more` adds what only all threads of a warp together may do.
  template <class More>
  void statements(unsigned count, int depth, More&& more) {
    for (unsigned i = 0; i < count; ++i) {
      const std::uint32_t choice = dice_.below(10);
      if (choice < 2) {
        const Expression variable = dice_.one_of(variables_);
        k_.assign(variable, expressions_.any(variable.type()));
      } else if (choice == 2) {
        keep(k_.load(numbers_, expressions_.index(threads * blocks + 3U)));
      } else if (choice == 3 && parts_ != Parts::arithmetic) {
        add_to_sums();
      } else if (choice < 6 && depth > 0) {
        under_condition(depth);
      } else if (!phased_.empty()) {
        use(dice_.one_of(phased_));
      }
      more();
    }
  }

  void under_condition(int depth) {
    const auto body = [&] { statements(1 + dice_.below(2), depth - 1, [] {}); };
    if (dice_.one_in(3)) {
      const Expression times = expressions_.any(Type::u32, 1) % 4U;
      k_.count(0U, times, 1U, [&](const Expression& i) {
        expressions_.add_variable(i);
        body();
      });
    } else if (dice_.one_in(2)) {
      k_.when(expressions_.condition(), body);
    } else {
      k_.when(expressions_.condition(), body, body);
    }
  }

  /// Each lane its own element, then any of the warp's.
  void exchange_in_warp(const Phased& array) {
    const auto meet = [&] {
      if (dice_.one_in(2))
        k_.syncwarp();
      else
        k_.syncwarp(low_bits(lanes));
    };
    meet();
    k_.when(thread_index < array.size, [&] { update_own(array, array.begin + thread_index); });
    meet();
    k_.when(warp_begin < array.size, [&] {
      const Expression there = minimum(lanes, array.size - warp_begin);
      keep(k_.load(array.array, array.begin + warp_begin + expressions_.index(there)));
    });
    meet();
  }

  /// A shuffle, vote, match or reduction by some lanes of each warp, in segments that are complete.
  void operate_in_warp() {
    const unsigned width = 1U << dice_.below(6);
    const Expression segments_end = lanes / width * width;
    const bool halves = width > 1 && dice_.one_in(3);  // even or odd lanes only
    const bool one_segment = !halves && dice_.one_in(3);
    const std::uint32_t odd = halves ? dice_.below(2) : 0;
    Expression mask = one_segment ? low_bits(width) << (lane / width * width) : low_bits(segments_end);
    if (halves) mask = mask & (0x55555555U << odd);
    Expression condition = lane < segments_end;
    if (halves) condition = condition & (lane % 2U == odd);
    const Expression used_mask = k_.variable(mask);
    k_.when(condition, [&] {
      if (dice_.one_in(3)) return vote(used_mask);
      shuffle(used_mask, width, halves, one_segment, odd);
    });
  }

  void shuffle(const Expression& mask, unsigned width, bool halves, bool one_segment, std::uint32_t odd) {
    using enum Function;
    const Function function = dice_.one_of({Function::shuffle, shuffle_up, shuffle_down, shuffle_xor});
    Expression operand = expressions_.any(Type::u32, 1);
    if (function != Function::shuffle) operand = operand % (one_segment || function == shuffle_xor ? width : 32U);
    if (halves) operand = operand / 2U * 2U + (function == Function::shuffle ? odd : 0U);
    const Expression value = expressions_.any(expressions_.type());
    keep(k_.warp(function, mask, value, operand, width));
  }

  void vote(const Expression& mask) {
    using enum Function;
    const std::uint32_t choice = dice_.below(3);
    if (choice == 0) {
      const Function function = dice_.one_of({any, all, ballot});
      return keep(k_.warp(function, mask, expressions_.condition()));
    }
    if (choice == 1) {
      const Expression value = expressions_.any(dice_.one_of({Type::u32, Type::u64}), 1);
      return keep(k_.warp(match_any, mask, value & Expression(Op::constant, value.type(), {}, 3)));
    }
    const Function function = dice_.one_of({reduce_add, reduce_min, reduce_max, reduce_and, reduce_or, reduce_xor});
    keep(k_.warp(function, mask, expressions_.any(Type::u32)));
  }

  void together() {
    const Phased& array = dice_.one_of(phased_);
    if (array.use == Use::warp && dice_.one_in(2)) {
      exchange_in_warp(array);
    } else if (dice_.one_in(3)) {
      operate_in_warp();
    } else if (dice_.one_in(8)) {
      k_.fence();
    }
  }

  void meet_block() {
    using enum Function;
    if (!dice_.one_in(3)) return k_.barrier();
    const Function function = dice_.one_of({count_threads, and_threads, or_threads});
    keep(k_.barrier(function, expressions_.condition()));
  }

  void phase() {
    meet_block();
    for (Phased& array : phased_) choose_use(array);
    statements(2 + dice_.below(2), 1, [&] { together(); });
  }

  /// The same for all threads of a block.
  Expression uniform_condition() {
    if (dice_.one_in(3)) return k_.barrier(Function::or_threads, expressions_.condition());
    if (dice_.one_in(2)) return (block_index + argument) % 2U == 0U;
    return threads < dice_.one_of({32U, 40U, 64U});
  }

  void phases(int depth) {
    for (std::uint32_t i = 0, count = (depth > 0 ? 2 : 1) + dice_.below(2); i < count; ++i) {
      const std::uint32_t choice = depth > 0 ? dice_.below(4) : 3;
      const auto body = [&] { phases(depth - 1); };
      if (choice == 0) {
        k_.count(0U, 1U + (block_index + argument) % 3U, 1U, [&](const Expression& round) {
          expressions_.add_variable(round);
          phases(0);
        });
      } else if (choice == 1) {
        k_.when(uniform_condition(), body, body);
      } else {
        phase();
      }
    }
  }

  Dice dice_;
  Parts parts_;
  RandomExpressions expressions_;
  Builder k_;
  std::vector<Expression> variables_;  // that may be assigned to
  std::vector<Phased> phased_;
  unsigned input_ = 0, numbers_ = 0, output_ = 0, sums_ = 0;
  Type result_type_ = Type::u32, sum_type_ = Type::u32;
  Function sum_function_ = Function::none;
};

}  // namespace

Kernel random_kernel(std::uint64_t seed, Parts parts) { return Generator(seed, parts).kernel(); }

}  // namespace mylos_test::model
