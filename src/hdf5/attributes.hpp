// SPDX-License-Identifier: MIT
// Attributes of datasets and groups.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/hdf5/detail/element.hpp>

#include "hdf5/calls.hpp"

namespace mylos::inline MYLOS_ABI::hdf5 {

/// An attribute of the object at a location.
struct AttributeLocation {
  Location object;
  std::string name;

  [[nodiscard]] std::string text() const { return "'" + name + "' of " + object.text(); }
};

bool attribute_exists(const AttributeLocation& location);
/// Rank 0 or 1, contiguous; replaces an attribute of that name.
void write_attribute(const AttributeLocation& location, const detail::Array& array);
void write_attribute(const AttributeLocation& location, std::string_view text);
void read_attribute(const AttributeLocation& location, const detail::Array& array);
std::string read_text_attribute(const AttributeLocation& location);
std::vector<std::int64_t> attribute_extents(const AttributeLocation& location);

}  // namespace mylos::inline MYLOS_ABI::hdf5
