// SPDX-License-Identifier: MIT
// The one order of precedence of settings. What a call is given as an argument wins over all of it, and is never asked
// of it.
#pragma once

#include <atomic>
#include <optional>
#include <utility>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// A setting of the process: what the innermost scope of this thread says, else what the process-wide call said, else
/// the environment variable, else the default.
///
/// `Definition` names it and tells its two last sources: a type `Value`, and `static Value initial()`, called at the
/// first get() that reaches it and not before. What initial() throws is thrown by each such get(). Values of more than
/// half a word have scopes, and no process-wide call.
template <class Definition>
class Setting {
 public:
  using Value = typename Definition::Value;

  /// What holds in this thread now.
  static Value get() {
    if (const std::optional<Value> said = scope()) return *said;
    if constexpr (has_process_wide) {
      if (const std::optional<Value> said = process_wide().load(std::memory_order_relaxed)) return *said;
    }
    static const Value initial = Definition::initial();
    return initial;
  }

  /// The process-wide call; an empty value is as if it had never been made.
  static void set(std::optional<Value> value)
    requires(std::atomic<std::optional<Value>>::is_always_lock_free)
  {
    process_wide().store(value, std::memory_order_relaxed);
  }

  /// What the innermost scope of this thread says, if there is one that says anything.
  static std::optional<Value> scoped() { return scope(); }
  /// Begins a scope of this thread; returns what its end has to hand to leave(): what the scope around it says.
  static std::optional<Value> enter(std::optional<Value> value) { return std::exchange(scope(), value); }
  static void leave(std::optional<Value> outer) { scope() = outer; }

 private:
  // A launch asks: it must not wait for others.
  static constexpr bool has_process_wide = std::atomic<std::optional<Value>>::is_always_lock_free;

  static std::atomic<std::optional<Value>>& process_wide() {
    static std::atomic<std::optional<Value>> value{std::nullopt};  // no constinit: g++ 14 clears padding at run time
    return value;
  }
  static std::optional<Value>& scope() {
    static constinit thread_local std::optional<Value> value;
    return value;
  }
};

}  // namespace mylos::inline MYLOS_ABI::detail
