// SPDX-License-Identifier: MIT
// What a copy is that Kokkos tells its tools of. Knows nothing of Kokkos: the connector for Kokkos Tools is made with
// it, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <mylos/core/copy_events.hpp>

#include "base/short_text.hpp"

namespace mylos::inline MYLOS_ABI::detail {

/// One side of it, as the callback has it: name of the memory space, label, address.
struct ToldSide {
  const char* space = nullptr;
  const char* label = nullptr;
  const void* address = nullptr;
};

/// Whether the host cannot reach this memory space of Kokkos, or of Mylos. Spaces that are not known count as the
/// host's.
[[nodiscard]] bool is_device_space(std::string_view name) noexcept;

/// Whether this kind of device in Kokkos' event of a fence is not the host: its number is that of
/// Kokkos::Tools::Experimental::DeviceType.
[[nodiscard]] bool is_device_type(std::uint32_t fence_device) noexcept;

/// Nothing for what is no copy: the fill with a value, no bytes, a View on itself.
[[nodiscard]] std::optional<CopyKind> kind_of(const ToldSide& destination, const ToldSide& source, std::uint64_t bytes);

/// A copy of a thread between Kokkos' two events. The one for the end says nothing of which copy it is, and after an
/// exception it does not come: the next begin drops what was open. Without a destructor: static objects copy when those
/// of the thread have ended. Of longer labels the beginning is kept.
class PendingCopy {
 public:
  /// Keeps it, unless it is no copy.
  void begin(const ToldSide& destination, const ToldSide& source, std::uint64_t bytes);
  void drop() noexcept { is_open_ = false; }
  /// The copy that began last, once.
  [[nodiscard]] std::optional<CopyEvent> end() noexcept;

 private:
  bool is_open_ = false;
  CopyKind kind_ = CopyKind::host_copy;
  std::uint64_t bytes_ = 0;
  ShortText destination_, source_;
  const void* destination_address_ = nullptr;
  const void* source_address_ = nullptr;
};

}  // namespace mylos::inline MYLOS_ABI::detail
