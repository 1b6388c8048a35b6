// SPDX-License-Identifier: MIT
// How much each phase of a program may copy.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/core/copy_events.hpp>
#include <mylos/transfers/counts.hpp>
#include <mylos/transfers/detail/kokkos_copies.hpp>

namespace mylos::inline MYLOS_ABI {

inline constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// Of the transfers in one direction. With nothing named, none is allowed; with something named, the rest is free.
struct TransferLimit {
  std::optional<std::int64_t> max_count = {};
  std::optional<std::int64_t> max_bytes = {};  ///< of each
  std::optional<std::int64_t> max_total_bytes = {};
};

/// What a phase may do, over all its calls. Transfers and fallbacks: nothing unless named. The rest is free unless
/// named.
struct Limits {
  TransferLimit to_host = {}, to_device = {};
  std::int64_t fallback = 0;                                                ///< most
  std::optional<std::int64_t> device_copy = {}, host_copy = {}, sync = {};  ///< most
  std::optional<std::int64_t> calls = {};                                   ///< exactly; 0: the phase must never run
};

/// What a phase did. Plain numbers and kept events, that can be summed.
struct PhaseCounts {
  std::int64_t calls = 0;
  TransferCounts transfers;
  std::int64_t largest_to_host = 0, largest_to_device = 0;  ///< bytes

  MYLOS_EXPORT PhaseCounts& operator+=(const PhaseCounts& other);
};

/// Counts what its phases copy, and compares with what they may. Phases run on any thread, at once too.
///
///     mylos::TransferBudget budget;
///     for (...) {
///       { const auto phase = budget.phase("step"); step(); }
///       { const auto phase = budget.phase("output"); write(); }
///     }
///     budget.require("step", {});
///     budget.require("output", {.to_host = {.max_bytes = 4096}});
///     budget.check();
class MYLOS_EXPORT TransferBudget {
  struct State;

 public:
  /// From construction to destruction, on its thread. Of phases of one budget that are open on a thread, the inner one
  /// gets what is copied; entered again within itself, a phase counts one call.
  class MYLOS_EXPORT Phase final : public CopyListener {
   public:
    ~Phase() override;

   private:
    friend TransferBudget;
    Phase(std::shared_ptr<State> state, std::string name);
    void on_event(const CopyEvent& event) override;

    detail::KokkosCopies kokkos_;
    std::shared_ptr<State> state_;
    std::string name_;
    Phase** head_;  // the innermost one of the thread that made it
    Phase* outer_;
  };

  TransferBudget();
  ~TransferBudget();
  TransferBudget(TransferBudget&&) noexcept;
  TransferBudget& operator=(TransferBudget&&) noexcept;

  [[nodiscard]] Phase phase(std::string name);
  /// Runs f in a phase and returns what it returns.
  template <class F>
  decltype(auto) count(std::string name, F&& f) {
    const Phase open = phase(std::move(name));
    return std::forward<F>(f)();
  }

  /// Replaces what was required of the phase. Throws ValueError for negative limits.
  void require(std::string phase, Limits limits);
  /// What is not as required, a sentence each: a phase that never ran, without `calls = 0`, too.
  [[nodiscard]] std::vector<std::string> violations() const;
  /// Throws TransferError with the report if there is one.
  void check() const;
  /// A table of at most 80 columns, and the violations.
  [[nodiscard]] std::string report() const;
  [[nodiscard]] std::string to_json() const;

  [[nodiscard]] std::map<std::string, PhaseCounts> phases() const;
  /// Adds what a phase did elsewhere: on another rank.
  void add(const std::string& phase, const PhaseCounts& counts);

 private:
  std::shared_ptr<State> state_;
};

}  // namespace mylos::inline MYLOS_ABI
