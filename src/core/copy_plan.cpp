// SPDX-License-Identifier: MIT
#include <mylos/core/detail/copy_plan.hpp>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "base/texts.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

// Strides of `block`, which is compact, for elements of another size.
StridedBlock rescaled(StridedBlock block, std::size_t from_bytes, std::size_t to_bytes) {
  for (auto& stride : block.strides) {
    stride = stride / static_cast<std::int64_t>(from_bytes) * static_cast<std::int64_t>(to_bytes);
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
  return packed(destination.data, destination.shape(), element_bytes, Order::right);
}

void throw_different_extents(const char* caller, const NamedBlock& destination, const NamedBlock& source) {
  const auto described = [](const NamedBlock& view) {
    return fmt::format("'{}' in {} has extents {}{}", view.label, view.space, tuple_text(view.block.shape()),
                       view.block.data == nullptr ? " and no memory" : "");
  };
  throw ShapeError(fmt::format("{}: {} and {}: elements are copied index by index: give both the same extents", caller,
                               described(destination), described(source)));
}

}  // namespace mylos::inline MYLOS_ABI::detail
