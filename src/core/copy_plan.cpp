// SPDX-License-Identifier: MIT
#include <mylos/core/detail/copy_plan.hpp>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::detail {
namespace {

// Strides of `block`, which is compact, for elements of another size.
StridedBlock rescaled(StridedBlock block, std::size_t from_bytes, std::size_t to_bytes) {
  for (auto& stride : block.strides) {
    stride = stride / static_cast<std::int64_t>(from_bytes) * static_cast<std::int64_t>(to_bytes);
  }
  return block;
}

StridedBlock right_order(StridedBlock block, std::size_t element_bytes) {
  auto stride = static_cast<std::int64_t>(element_bytes);
  for (int axis = block.rank - 1; axis >= 0; --axis) {
    const auto i = static_cast<std::size_t>(axis);
    block.strides[i] = stride;
    stride *= block.extents[i];
  }
  return block;
}

}  // namespace

StridedBlock travel_order(const StridedBlock& destination, std::size_t destination_bytes, const StridedBlock& source,
                          std::size_t source_bytes, std::size_t element_bytes, bool source_on_device) {
  const bool compact_destination = is_compact(destination, destination_bytes);
  const bool compact_source = is_compact(source, source_bytes);
  if (compact_destination && (source_on_device || !compact_source)) {
    return rescaled(destination, destination_bytes, element_bytes);
  }
  if (compact_source) return rescaled(source, source_bytes, element_bytes);
  return right_order(destination, element_bytes);
}

std::string extents_text(const StridedBlock& block) {
  std::string text = "(";
  for (int axis = 0; axis < block.rank; ++axis) {
    text += fmt::format("{}{}", axis > 0 ? ", " : "", block.extents[static_cast<std::size_t>(axis)]);
  }
  return text + ")";
}

void throw_different_extents(const char* caller, const std::string& destination_label, const StridedBlock& destination,
                             const std::string& source_label, const StridedBlock& source) {
  const auto described = [](const StridedBlock& block) {
    return extents_text(block) + (block.data == nullptr ? " and no memory" : "");
  };
  throw ShapeError(
      fmt::format("{}: '{}' has extents {} and '{}' has {}: elements are copied index by index: give both "
                  "the same extents",
                  caller, destination_label, described(destination), source_label, described(source)));
}

}  // namespace mylos::inline MYLOS_ABI::detail
