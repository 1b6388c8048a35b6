// SPDX-License-Identifier: MIT
#include "transfers/transfer_table.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <mylos/transfers/counts.hpp>

namespace mylos::inline MYLOS_ABI {

std::string_view to_string(CopyKind kind) {
  switch (kind) {
    case CopyKind::to_host: return "to host";
    case CopyKind::to_device: return "to device";
    case CopyKind::device_copy: return "on the device";
    case CopyKind::host_copy: return "on the host";
    case CopyKind::wait: return "wait";
    case CopyKind::fallback: return "fallback";
  }
  return "unknown";
}

namespace detail {
namespace {

// Widths of the columns: together, with two spaces between them, report_width.
constexpr std::size_t kind_width = 13, count_width = 8, bytes_width = 14, between_width = 22, where_width = 15;
static_assert(kind_width + count_width + bytes_width + between_width + where_width + 8 == report_width);

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; }

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) { return !is_continuation(byte); }));
}

// fmt counts a column for each character of UTF-8 that it knows; control characters would break the table.
std::string printable(std::string_view text) {
  std::string clean(text);
  std::ranges::replace_if(
      clean, [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f; }, '?');
  return clean;
}

void add_line(std::string& table, std::string_view kind, std::int64_t count, const std::string& bytes,
              const std::string& what, const std::string& where) {
  std::string line = fmt::format("{:<{}}  {:>{}}  {:>{}}  {:<{}}  {}", kind, kind_width, count, count_width, bytes,
                                 bytes_width, what, between_width, shortened(where, where_width));
  line.erase(line.find_last_not_of(' ') + 1);
  table += line + '\n';
}

std::string total_line(CopyKind kind, std::int64_t count, std::int64_t bytes) {
  if (count == 0) return {};
  std::string line;
  const bool has_bytes = kind == CopyKind::to_host || kind == CopyKind::to_device;
  add_line(line, to_string(kind), count, has_bytes ? std::to_string(bytes) : std::string(), {}, {});
  return line;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t width, Kept kept) {
  std::string clean = printable(text);
  const std::size_t columns = columns_of(clean);
  if (columns <= width) return clean;
  // Where the character begins that `before` others are in front of.
  const auto position = [&clean](std::size_t before) {
    std::size_t at = 0;
    for (; is_continuation(clean[at]) || before > 0; ++at) before -= is_continuation(clean[at]) ? 0 : 1;
    return at;
  };
  const std::size_t room = width - 3;
  return kept == Kept::end ? "..." + clean.substr(position(columns - room)) : clean.substr(0, position(room)) + "...";
}

std::string between(const TransferRow& row) {
  if (row.kind == CopyKind::wait || row.kind == CopyKind::fallback) return row.source;
  const auto named = [](const std::string& label) { return label.empty() ? std::string("(unnamed)") : label; };
  if (row.source.empty() && row.destination.empty()) return "(unnamed)";
  return named(row.source) + " -> " + named(row.destination);
}

std::string table_of(const CopyCounts& counts, std::vector<TransferRow> rows) {
  std::string table =
      fmt::format("{:<{}}  {:>{}}  {:>{}}\n", "transfers", kind_width, "times", count_width, "bytes", bytes_width);
  table += total_line(CopyKind::to_host, counts.to_host, counts.bytes_to_host);
  table += total_line(CopyKind::to_device, counts.to_device, counts.bytes_to_device);
  table += total_line(CopyKind::device_copy, counts.device_copy, 0);
  table += total_line(CopyKind::host_copy, counts.host_copy, 0);
  table += total_line(CopyKind::fallback, counts.fallback, 0);
  table += total_line(CopyKind::wait, counts.sync, 0);
  if (CopyCounts none; counts == none) table += "none\n";
  if (rows.empty()) return table;
  std::ranges::stable_sort(rows, [](const TransferRow& a, const TransferRow& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.count > b.count;
  });
  table += fmt::format("{:<{}}  {:>{}}  {:>{}}  {:<{}}  {}\n", "of which", kind_width, "times", count_width, "bytes",
                       bytes_width, "from -> to", between_width, "where");
  for (const TransferRow& row : rows) {
    const bool has_bytes = row.kind != CopyKind::wait && row.kind != CopyKind::fallback;
    // Of labels the end tells more, of a sentence the beginning.
    const std::string what = shortened(between(row), between_width, has_bytes ? Kept::end : Kept::beginning);
    add_line(table, to_string(row.kind), row.count, has_bytes ? std::to_string(row.bytes) : std::string(), what,
             row.where);
  }
  return table;
}

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
