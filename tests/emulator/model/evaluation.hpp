// SPDX-License-Identifier: MIT
// The values of expressions, and what atomic functions, shuffles and votes give.
#pragma once

#include <cstdint>
#include <span>

#include "emulator/model/kernel_model.hpp"

namespace mylos_test::model {

/// What the expressions of one thread may read.
struct Scope {
  const Bits* locals;
  std::uint32_t thread, block;
  const Shape* shape;
};

Bits evaluate(const Expression& expression, const Scope& scope);

/// What an atomic function leaves where it found `old`.
Bits atomic_result(Function function, Type type, Bits old, Bits value, Bits expected);

/// The lane of the warp that a shuffle reads from.
std::uint32_t source_lane(Function function, std::uint32_t lane, std::uint32_t operand, std::uint32_t width);

/// What lanes or threads bring to a vote, a match, a reduction or a barrier that counts.
struct Brought {
  std::uint32_t lane;
  Bits value;
};

/// What it gives to one who brought `own`.
Bits combined(Function function, std::span<const Brought> brought, Bits own);

}  // namespace mylos_test::model
