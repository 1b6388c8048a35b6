// SPDX-License-Identifier: MIT
#include "kernel/check_finite.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <Kokkos_Core.hpp>
#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/core/detail/engine.hpp>

#include "base/texts.hpp"
#include "core/visit_value.hpp"
#include "kernel/argument_table.hpp"
#include "kernel/parameter_type.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

/// The first part of the number that is not finite; 0 when all are, or when it has no such parts.
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

std::vector<ElementPart> floating(std::vector<ElementPart> parts) {
  std::erase_if(parts, [](const ElementPart& part) { return !has_floating_parts(part.type->kind); });
  return parts;
}

std::vector<ElementPart> components(const ElementType& vector_type) {
  std::vector<ElementPart> parts;
  visit_type(vector_type.component, [&]<class T>(std::type_identity<T>) {
    for (std::size_t offset = 0; offset < vector_type.size; offset += sizeof(T)) {
      parts.push_back({std::string(1, "xyzw"[offset / sizeof(T)]), offset, &argument_type<T>});
    }
  });
  return parts;
}

/// The numbers that an element of a View has. What a class of the host does not tell, the kernel's parameter may: that
/// it stands for a vector type.
std::vector<ElementPart> numbers_of(const Call& call, std::size_t i) {
  const ArgumentType& type = *call.arguments[i].type;
  const bool told = type.kind != ValueKind::other || type.described != nullptr || call.signature == nullptr;
  return floating(told ? parts_of(type) : components(element_type(call.signature->parameters[i].type)));
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

std::string in_field(const std::string& member, const std::string& part) {
  if (member.empty() && part.empty()) return {};
  return fmt::format(" in field '{}{}{}'", member, member.empty() || part.empty() ? "" : ".", part);
}

/// `elements`: those of the argument, a View, or of the mylos::Array `member` of its class.
void require_finite(const Call& call, std::size_t i, const Argument& elements, std::span<const ElementPart> numbers,
                    const std::string& member = {}) {
  if (numbers.empty()) return;
  const Readable readable(elements);
  const Argument& view = readable.argument();
  for_each_index(view, [&](const ElementIndex& index) {
    for (const ElementPart& number : numbers) {
      const double found = not_finite(number.type->kind, element_address(view, index) + number.offset);
      if (found == 0) continue;
      throw ValueError(fmt::format(
          "kernel '{}': after the launch argument {}, {}, holds {}{} at {}: check_finite asks for finite numbers: look "
          "at the kernel's arithmetic and at what the View held before",
          call.kernel, i + 1, describe(call.arguments[i]), found, in_field(member, number.name),
          tuple_text(std::span(index).first(view.shape().size()))));
    }
  });
}

/// `value`: as the kernel was given it.
void require_finite_members(const Call& call, std::size_t i, const std::byte* value) {
  for (const ElementPart& part : parts_of(*call.arguments[i].type)) {
    if (part.elements == nullptr) continue;
    ArgumentType type = *part.elements;  // as a View of them has it
    type.rank = static_cast<std::int8_t>(part.rank);
    type.on_host = call.reach == Reach::host;
    Argument array{&type, nullptr, nullptr, {}, {}};
    take_array(value + part.offset, array);
    require_finite(call, i, array, floating(parts_of(*part.elements)), part.name);
  }
}

}  // namespace

void require_finite(const Call& call, const ParameterBlock& parameters) {
  Kokkos::fence("mylos: check_finite waits for the launch");
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& argument = call.arguments[i];
    if (argument.type->is_view) {
      require_finite(call, i, argument, numbers_of(call, i));
    } else {
      require_finite_members(call, i, static_cast<const std::byte*>(parameters.pointers()[i]));
    }
  }
}

}  // namespace mylos::inline MYLOS_ABI::detail
