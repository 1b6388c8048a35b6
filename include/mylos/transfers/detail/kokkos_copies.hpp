// SPDX-License-Identifier: MIT
// Kokkos' callbacks for copies, chained: what they tell is published through the hook of core/copy_events.hpp.
#pragma once

#include <cstdint>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// While one lives, copies that Kokkos alone knows of are published. Any number, on any thread, ending in any order.
class MYLOS_EXPORT KokkosCopies {
 public:
  KokkosCopies();
  ~KokkosCopies();
  KokkosCopies(const KokkosCopies&) = delete;
  KokkosCopies& operator=(const KokkosCopies&) = delete;

  /// Whether the callbacks are ours, and were whenever somebody looked. A tool that came and put ours back in the
  /// meantime is not seen. Before and after Kokkos' own life, where nothing is copied, nobody looks.
  [[nodiscard]] bool heard_all() const noexcept;

 private:
  std::int64_t losses_before_ = 0;
};

}  // namespace mylos::inline MYLOS_ABI::detail
