// SPDX-License-Identifier: MIT
#include <mylos/core/value_kind.hpp>

#include <array>

namespace mylos::inline MYLOS_ABI {
namespace {

struct Row {
  std::string_view name;
  std::size_t bytes;
};

// In the order of ValueKind.
constexpr std::array<Row, 15> rows{{
    {"bool", 1},
    {"int8", 1},
    {"int16", 2},
    {"int32", 4},
    {"int64", 8},
    {"uint8", 1},
    {"uint16", 2},
    {"uint32", 4},
    {"uint64", 8},
    {"float16", 2},
    {"float32", 4},
    {"float64", 8},
    {"complex64", 8},
    {"complex128", 16},
    {"other", 0},
}};
static_assert(rows.size() == static_cast<std::size_t>(ValueKind::other) + 1);

const Row& row_of(ValueKind kind) { return rows[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string_view to_string(ValueKind kind) noexcept { return row_of(kind).name; }

std::size_t detail::size_of(ValueKind kind) noexcept { return row_of(kind).bytes; }

}  // namespace mylos::inline MYLOS_ABI
