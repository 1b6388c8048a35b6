// SPDX-License-Identifier: MIT
// Copies are counted in a scope of one thread: each Kokkos::deep_copy in the process, the application's own too, and
// everything that Mylos copies and waits for. docs/transfers.md is the table of what is seen.
#pragma once

#include <source_location>
#include <utility>

#include <mylos/base/abi.hpp>
#include <mylos/core/copy_events.hpp>
#include <mylos/transfers/counts.hpp>
#include <mylos/transfers/detail/kokkos_copies.hpp>

namespace mylos::inline MYLOS_ABI {

/// Counts what its thread copies, from construction to destruction. Scopes nest, each counts all; they may end in any
/// order, on the thread that made them.
///
/// Kokkos' callbacks for copies are chained while a scope lives: a tool that was there before hears all that it heard,
/// and is restored. No fence is added.
class MYLOS_EXPORT TransferScope final : public CopyListener {
 public:
  TransferScope() = default;
  /// Logs a warning if another tool took the callbacks in the meantime.
  ~TransferScope() override;
  /// Until now.
  [[nodiscard]] const TransferCounts& counts() const;
  void reset();

 private:
  void on_event(const CopyEvent& event) override;

  detail::KokkosCopies kokkos_;
  mutable TransferCounts counts_;
};

/// What f copies on this thread. What f returns is dropped, what it throws goes through.
///
///     const auto counts = mylos::count_transfers([&] { step(plasma); });
///     std::cout << counts.report();
template <class F>
TransferCounts count_transfers(F&& f) {
  const TransferScope scope;
  std::forward<F>(f)();
  return scope.counts();
}

/// What assert_no_transfers takes for an error.
struct NoTransfers {
  bool syncs = false;  ///< a wait of the host for the device is one too
};

namespace detail {
MYLOS_EXPORT void require_no_transfers(const TransferCounts& counts, const NoTransfers& options,
                                       std::source_location place);
}  // namespace detail

/// Runs f and throws TransferError with the report if it copied between the host and the device, if a Kernel fell back
/// to the host, or if that cannot be told because another tool took Kokkos' callbacks. Copies within one side are
/// allowed. What f throws goes through, whatever it copied.
template <class F>
void assert_no_transfers(F&& f, NoTransfers options = {},
                         std::source_location place = std::source_location::current()) {
  const TransferScope scope;
  std::forward<F>(f)();
  detail::require_no_transfers(scope.counts(), options, place);
}

}  // namespace mylos::inline MYLOS_ABI
