// SPDX-License-Identifier: MIT
#include "kernel/check_finite.hpp"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/emulator/memory.hpp>

#include "kernel/argument_table.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

template <class T>
double part(const std::byte* data, std::size_t number) {
  T value;
  std::memcpy(&value, data + number * sizeof(T), sizeof(T));
  return static_cast<double>(value);
}

/// The first part of the element that is not finite; 0 when all are, or when it has no such parts.
double not_finite(ValueKind kind, const std::byte* data) {
  const bool is_single = kind == ValueKind::float32 || kind == ValueKind::complex64;
  const bool is_double = kind == ValueKind::float64 || kind == ValueKind::complex128;
  if (!is_single && !is_double) return 0;
  const std::size_t parts = kind == ValueKind::complex64 || kind == ValueKind::complex128 ? 2 : 1;
  for (std::size_t n = 0; n < parts; ++n) {
    const double value = is_single ? part<float>(data, n) : part<double>(data, n);
    if (!std::isfinite(value)) return value;
  }
  return 0;
}

}  // namespace

void require_finite(const Call& call) {
  const emulator::HostAccess access;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& argument = call.arguments[i];
    if (!argument.type->is_view) continue;
    for_each_index(argument, [&](const ElementIndex& index) {
      const double found = not_finite(argument.type->kind, element_address(argument, index));
      if (found == 0) return;
      throw ValueError(
          fmt::format("kernel '{}': after the launch argument {}, {}, holds {} at ({}): check_finite asks for "
                      "finite numbers: look at the kernel's arithmetic and at what the View held before",
                      call.kernel, i + 1, describe(argument), found, to_string(index, argument.type->rank)));
    });
  }
}

}  // namespace mylos::inline MYLOS_ABI::detail
