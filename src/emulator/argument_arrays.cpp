// SPDX-License-Identifier: MIT
#include "emulator/argument_arrays.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

bool is_array(const mylos_parameter& parameter) {
  return parameter.type == mylos_array || parameter.type == mylos_contiguous_array;
}

// Rounded down, also below zero.
std::int64_t floor_of(std::int64_t value, std::int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

// Of the layout that mylos/device/array.hpp promises: a pointer, the extents, the strides.
std::vector<ArgumentArray::Axis> axes_of(const std::byte* argument, std::size_t rank) {
  std::vector<ArgumentArray::Axis> axes(rank);
  const auto word = [argument](std::size_t number) {
    std::int64_t value = 0;
    std::memcpy(&value, argument + number * sizeof value, sizeof value);
    return value;
  };
  for (std::size_t axis = 0; axis < rank; ++axis) axes[axis] = {word(1 + axis), word(1 + rank + axis)};
  return axes;
}

// From the axis with the largest stride on: what is left of the distance is the others'. `beyond`: on that axis there
// may be more elements, in front as well.
std::optional<std::vector<std::int64_t>> index_at(const ArgumentArray& array, std::uintptr_t address, bool beyond) {
  if (array.element_bytes == 0 || (address < array.data && !beyond)) return std::nullopt;
  std::vector<std::size_t> order(array.axes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t axis) {
    return std::pair(array.axes[axis].stride, array.axes[axis].extent);
  });
  std::vector<std::int64_t> index(array.axes.size());
  std::int64_t left =
      floor_of(static_cast<std::int64_t>(address - array.data), static_cast<std::int64_t>(array.element_bytes));
  for (const std::size_t axis : order) {
    const auto [extent, stride] = array.axes[axis];
    if (extent <= 0 || stride < 0) return std::nullopt;
    index[axis] = stride == 0 ? 0 : floor_of(left, stride);
    if (!beyond || axis != order.front()) index[axis] = std::min(index[axis], extent - 1);
    left -= index[axis] * stride;
  }
  return left == 0 ? std::optional(index) : std::nullopt;
}

}  // namespace

std::vector<ArgumentArray> arrays_of(const Module& module, const mylos_launch& launch) {
  std::vector<ArgumentArray> arrays;
  const auto parameters = module.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const mylos_parameter& parameter = parameters[i];
    if (parameter.type != mylos_pointer && !is_array(parameter)) continue;
    const auto* const argument = static_cast<const std::byte*>(launch.arguments[i]);
    ArgumentArray array{.element_type = parameter.element_type, .element_bytes = parameter.element_size, .axes = {}};
    std::memcpy(&array.data, argument, sizeof array.data);
    if (is_array(parameter)) array.axes = axes_of(argument, parameter.rank);
    arrays.push_back(std::move(array));
  }
  return arrays;
}

std::optional<std::vector<std::int64_t>> multi_index(const std::vector<ArgumentArray>& arrays, std::uintptr_t address) {
  for (const ArgumentArray& array : arrays) {
    if (array.axes.size() < 2) continue;
    if (auto index = index_at(array, address, false)) return index;
  }
  return std::nullopt;
}

std::optional<std::vector<std::int64_t>> multi_index_beside(const std::vector<ArgumentArray>& arrays,
                                                            std::uintptr_t address, std::uintptr_t memory,
                                                            std::size_t bytes) {
  for (const ArgumentArray& array : arrays) {
    if (array.axes.size() < 2 || array.data - memory >= bytes) continue;
    if (auto index = index_at(array, address, true)) return index;
  }
  return std::nullopt;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
