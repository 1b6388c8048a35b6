// SPDX-License-Identifier: MIT
#include "emulator/model/mutants.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "emulator/model/kernel_builder.hpp"

namespace mylos_test::model {
namespace {

/// What stands in the statement's place; nothing where there is no such mistake to make.
using Replacement = std::optional<std::vector<Statement>>;
using Change = std::function<Replacement(const Kernel& kernel, const Statement& statement)>;

const Replacement removed = std::vector<Statement>{};

bool touches_memory(const Statement& statement) {
  return statement.does == Does::load || statement.does == Does::store || statement.does == Does::atomic;
}

Replacement remove_barrier(const Kernel&, const Statement& statement) {
  return statement.does == Does::barrier ? removed : std::nullopt;
}

Replacement weaken_barrier(const Kernel&, const Statement& statement) {
  if (statement.does != Does::barrier || statement.function != Function::none) return std::nullopt;
  return std::vector<Statement>{{.does = Does::syncwarp, .mask = ~0U}};
}

Replacement remove_syncwarp(const Kernel&, const Statement& statement) {
  return statement.does == Does::syncwarp ? removed : std::nullopt;
}

Replacement remove_initialisation(const Kernel& kernel, const Statement& statement) {
  const bool first = statement.does == Does::store && kernel.arrays[statement.array].content == Content::unwritten;
  return first ? removed : std::nullopt;
}

Change shift_index(std::uint32_t by) {
  return [by](const Kernel&, const Statement& statement) -> Replacement {
    if (!touches_memory(statement)) return std::nullopt;
    Statement shifted = statement;
    // Plus zero, which no compiler knows: no linker can write down the address of `s[-1u]`.
    shifted.index = shifted.index + (Expression(by) + argument / ~0U);
    return std::vector{shifted};
  };
}

/// As whoever forgets the function would write it.
Expression plain_update(const Statement& atomic, const Expression& old) {
  switch (atomic.function) {
    case Function::atomic_add: return old + atomic.value;
    case Function::atomic_sub: return old - atomic.value;
    case Function::atomic_min: return minimum(old, atomic.value);
    case Function::atomic_max: return {Op::maximum, old.type(), {old, atomic.value}};
    case Function::atomic_and: return old & atomic.value;
    case Function::atomic_or: return {Op::bit_or, old.type(), {old, atomic.value}};
    case Function::atomic_xor: return {Op::bit_xor, old.type(), {old, atomic.value}};
    case Function::atomic_exch: return atomic.value;
    default: return {};
  }
}

Replacement make_plain(const Kernel& kernel, const Statement& atomic) {
  if (atomic.does != Does::atomic) return std::nullopt;
  const Type type = kernel.arrays[atomic.array].type;
  const Expression value = plain_update(atomic, {Op::local, type, {}, atomic.local});
  if (!value.given() || type == Type::i32) return std::nullopt;
  return std::vector<Statement>{
      {.does = Does::load, .local = atomic.local, .array = atomic.array, .index = atomic.index},
      {.does = Does::store, .array = atomic.array, .index = atomic.index, .value = value}};
}

/// `a < b` becomes `a < b + 1` where it is the condition, or the first one of several.
std::optional<Expression> with_looser_bound(const Expression& condition) {
  const Node& node = condition.node();
  if (node.op == Op::less && node.of[0].type() == Type::u32) return node.of[0] < node.of[1] + 1U;
  if (node.op != Op::bit_and) return std::nullopt;
  const auto first = with_looser_bound(node.of[0]);
  return first ? std::optional(*first & node.of[1]) : std::nullopt;
}

Replacement loosen_bound(const Kernel&, const Statement& statement) {
  if (statement.does != Does::branch && statement.does != Does::repeat) return std::nullopt;
  const auto looser = with_looser_bound(statement.value);
  if (!looser) return std::nullopt;
  Statement changed = statement;
  changed.value = *looser;
  return std::vector{changed};
}

/// Applies the change to the statement number `site` of those that it fits, in the order of the text.
bool apply(const Change& change, const Kernel& kernel, std::vector<Statement>& statements, std::size_t& site) {
  for (auto place = statements.begin(); place != statements.end(); ++place) {
    if (const Replacement replacement = change(kernel, *place)) {
      if (site-- == 0) {
        place = statements.erase(place);
        statements.insert(place, replacement->begin(), replacement->end());
        return true;
      }
    }
    if (apply(change, kernel, place->then, site) || apply(change, kernel, place->otherwise, site)) return true;
  }
  return false;
}

}  // namespace

std::vector<Kernel> mutants_of(const Kernel& kernel) {
  const std::pair<const char*, Change> changes[] = {
      {"no barrier", remove_barrier},
      {"__syncwarp() for a barrier", weaken_barrier},
      {"no __syncwarp()", remove_syncwarp},
      {"no initialisation", remove_initialisation},
      {"an index one too large", shift_index(1)},
      {"an index one too small", shift_index(~0U)},
      {"a plain update", make_plain},
      {"a bound one too large", loosen_bound},
  };
  std::vector<Kernel> mutants;
  for (const auto& [what, change] : changes) {
    for (std::size_t number = 0;; ++number) {
      Kernel mutant = kernel;
      std::size_t site = number;
      if (!apply(change, kernel, mutant.body, site)) break;
      mutant.name += ", " + std::string(what) + " (" + std::to_string(number + 1) + ')';
      mutants.push_back(std::move(mutant));
    }
  }
  return mutants;
}

}  // namespace mylos_test::model
