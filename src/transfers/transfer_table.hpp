// SPDX-License-Identifier: MIT
// The report: what was copied, grouped. Knows nothing of Kokkos: the connector for Kokkos Tools is made with it, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/core/copy_events.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// Events of one kind between the same Views at the same place.
struct TransferRow {
  CopyKind kind = CopyKind::wait;
  std::string destination = {}, source = {}, where = {};
  std::int64_t count = 0, bytes = 0;
};

/// Columns of a terminal, and what stands in them.
inline constexpr std::size_t report_width = 80;

/// `text` in at most `width` columns: of a longer one its end behind "...", or its beginning before it. Bytes of UTF-8
/// are not torn apart.
enum class Kept { end, beginning };
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width, Kept kept = Kept::end);

/// "density -> (host)": what a row is about.
[[nodiscard]] std::string between(const TransferRow& row);

/// A line of numbers for each kind that occurred, then the rows, most bytes first.
[[nodiscard]] std::string table_of(const CopyCounts& counts, std::vector<TransferRow> rows);

}  // namespace mylos::inline MYLOS_ABI::detail
