// SPDX-License-Identifier: MIT
#include "kernel/check_finite.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

#include <Kokkos_Core.hpp>
#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/core/detail/engine.hpp>

#include "base/texts.hpp"
#include "core/visit_value.hpp"
#include "kernel/argument_table.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

/// The first part of the element that is not finite; 0 when all are, or when it has no such parts.
double not_finite(ValueKind kind, const std::byte* data) {
  double found = 0;
  const auto look = [&found](auto part) {
    if (found == 0 && !std::isfinite(part)) found = static_cast<double>(part);
  };
  visit_type(kind, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_floating_point_v<T>) {
      look(value_at<T>(data));
    } else if constexpr (is_complex_v<T>) {
      look(value_at<T>(data).real());
      look(value_at<T>(data).imag());
    }
  });
  return found;
}

bool has_floating_parts(ValueKind kind) {
  return kind == ValueKind::float32 || kind == ValueKind::float64 || kind == ValueKind::complex64 ||
         kind == ValueKind::complex128;
}

StridedBlock block_of(const Argument& view) {
  StridedBlock block;
  // Only read, but a block is what an engine may also write to.
  block.data = static_cast<std::byte*>(const_cast<void*>(view.data));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  block.rank = static_cast<int>(view.shape().size());
  std::ranges::copy(view.shape(), block.extents.begin());
  for (std::size_t axis = 0; axis < view.shape().size(); ++axis) {
    block.strides[axis] = view.strides[axis] * static_cast<std::int64_t>(view.type->size);
  }
  return block;
}

/// An argument whose elements the host reaches: the caller's own View, or a copy that lives as long as this.
class Readable {
 public:
  explicit Readable(const Argument& argument) : argument_(argument) {
    const StridedBlock block = block_of(argument);
    if (argument.type->on_host || block.size() == 0) return;
    const std::size_t element = argument.type->size;
    const std::size_t bytes = static_cast<std::size_t>(block.size()) * element;
    if (is_compact(block, element)) {
      copy_ = to_host(Bytes(block.data, bytes));
    } else {
      const Bytes row(Kokkos::view_alloc("mylos::check_finite", Kokkos::WithoutInitializing), bytes);
      const StridedBlock order = packed(row.data(), argument.shape(), element, Order::right);
      copy_block(nullptr, order, block, {.destination_bytes = element, .source_bytes = element});
      copy_ = to_host(row);
      for (std::size_t axis = 0; axis < argument.shape().size(); ++axis) {
        argument_.strides[axis] = order.strides[axis] / static_cast<std::int64_t>(element);
      }
    }
    argument_.data = copy_.data();
  }

  [[nodiscard]] const Argument& argument() const { return argument_; }

 private:
  using Bytes = Kokkos::View<std::byte*, DeviceSpace>;

  Argument argument_;
  Kokkos::View<std::byte*, HostSpace> copy_;
};

void require_finite(const Call& call, std::size_t i) {
  const Readable readable(call.arguments[i]);
  const Argument& view = readable.argument();
  for_each_index(view, [&](const ElementIndex& index) {
    const double found = not_finite(view.type->kind, element_address(view, index));
    if (found == 0) return;
    throw ValueError(fmt::format(
        "kernel '{}': after the launch argument {}, {}, holds {} at {}: check_finite asks for finite numbers: look at "
        "the kernel's arithmetic and at what the View held before",
        call.kernel, i + 1, describe(view), found, tuple_text(std::span(index).first(view.shape().size()))));
  });
}

}  // namespace

void require_finite(const Call& call) {
  Kokkos::fence("mylos: check_finite waits for the launch");
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const ArgumentType& type = *call.arguments[i].type;
    if (type.is_view && has_floating_parts(type.kind)) require_finite(call, i);
  }
}

}  // namespace mylos::inline MYLOS_ABI::detail
