// SPDX-License-Identifier: MIT
#include <mylos/kernel/debug.hpp>

#include <mylos/base/environment.hpp>

#include "base/setting.hpp"

namespace mylos::inline MYLOS_ABI {
namespace {

struct DebugDefinition {
  using Value = bool;
  static Value initial() { return environment::boolean("MYLOS_DEBUG").value_or(false); }
};
using Debug = detail::Setting<DebugDefinition>;

}  // namespace

void set_debug(bool on) { Debug::set(on); }

bool debug() { return Debug::get(); }

ScopedDebug::ScopedDebug(bool on) : outer_(Debug::enter(on)) {}

ScopedDebug::~ScopedDebug() { Debug::leave(outer_); }

}  // namespace mylos::inline MYLOS_ABI
