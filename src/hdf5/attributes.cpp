// SPDX-License-Identifier: MIT
#include "hdf5/attributes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "base/texts.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/types.hpp"

namespace mylos::inline MYLOS_ABI::hdf5 {
namespace {

Handle open_object(const Location& location) {
  require_groups_above(location);
  return {checked(H5Oopen(location.file, location.name.c_str(), H5P_DEFAULT), "open object " + location.text(),
                  "File::list tells what there is"),
          &H5Oclose};
}

Handle open_attribute(const AttributeLocation& location) {
  const Handle object = open_object(location.object);
  return {checked(H5Aopen(object.id(), location.name.c_str(), H5P_DEFAULT), "open attribute " + location.text(),
                  "File::has_attribute tells whether there is one"),
          &H5Aclose};
}

// Deletes one of that name, creates the attribute, hands it to `write`.
template <class Write>
void replace(const AttributeLocation& location, const Handle& type, const Handle& space, Write&& write) {
  constexpr std::string_view hint = "check its name, and its size, which HDF5 limits to 64 KiB";
  const Handle object = open_object(location.object);
  if (H5Aexists(object.id(), location.name.c_str()) > 0) {
    checked(H5Adelete(object.id(), location.name.c_str()), "replace attribute " + location.text(), hint);
  }
  const Handle attribute(
      checked(H5Acreate2(object.id(), location.name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
              "create attribute " + location.text(), hint),
      &H5Aclose);
  // HDF5 refuses to write nothing.
  if (H5Sget_simple_extent_npoints(space.id()) > 0) {
    checked(write(attribute.id()), "write attribute " + location.text(), hint);
  }
}

std::vector<std::int64_t> extents_of_attribute(const AttributeLocation& location, hid_t attribute) {
  const Handle space(H5Aget_space(attribute), &H5Sclose);
  return extents_of(space.id(), "attribute " + location.text());
}

[[noreturn]] void refuse_type(const AttributeLocation& location, hid_t stored, std::string_view wanted) {
  throw Hdf5Error(fmt::format("attribute {} is {}, not {}: types are not converted: ask for its own type",
                              location.text(), describe(stored), wanted));
}

// Fixed-length text, without what fills it up.
std::string read_fixed_text(const AttributeLocation& location, hid_t attribute, hid_t stored) {
  std::string text(H5Tget_size(stored), '\0');
  checked(H5Aread(attribute, stored, text.data()), "read attribute " + location.text(),
          "check that the file is complete");
  if (H5Tget_strpad(stored) == H5T_STR_SPACEPAD) {
    text.erase(text.find_last_not_of(' ') + 1);
  } else {
    text.erase(std::min(text.find('\0'), text.size()));
  }
  return text;
}

}  // namespace

bool attribute_exists(const AttributeLocation& location) {
  const Handle object = open_object(location.object);
  return H5Aexists(object.id(), location.name.c_str()) > 0;
}

void write_attribute(const AttributeLocation& location, const detail::Array& array) {
  const Handle type = type_of(array.element);
  const auto count = static_cast<hsize_t>(array.block.extents[0]);
  const Handle space(array.block.rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr), &H5Sclose);
  replace(location, type, space, [&](hid_t attribute) { return H5Awrite(attribute, type.id(), array.block.data); });
}

void write_attribute(const AttributeLocation& location, std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    throw Hdf5Error(fmt::format("the text for attribute {} has a zero byte: in a file it would end there: leave it out",
                                location.text()));
  }
  const Handle space(H5Screate(H5S_SCALAR), &H5Sclose);
  const Handle type = text_type();
  const std::string copy(text);
  const char* pointer = copy.c_str();
  replace(location, type, space, [&](hid_t attribute) { return H5Awrite(attribute, type.id(), &pointer); });
}

void read_attribute(const AttributeLocation& location, const detail::Array& array) {
  const Handle attribute = open_attribute(location);
  const Handle stored(H5Aget_type(attribute.id()), &H5Tclose);
  if (element_of(stored.id()) != array.element) refuse_type(location, stored.id(), to_string(array.element));
  const std::vector<std::int64_t> found = extents_of_attribute(location, attribute.id());
  if (static_cast<int>(found.size()) != array.block.rank) {
    throw Hdf5Error(fmt::format("attribute {} has extents {}: one value has none, a list has one: ask for {}",
                                location.text(), mylos::detail::tuple_text(found),
                                found.empty() ? "the value" : "a std::vector"));
  }
  if (array.block.size() == 0) return;
  checked(H5Aread(attribute.id(), memory_type(array.element, stored.id()).id(), array.block.data),
          "read attribute " + location.text(), "check that the file is complete");
}

std::string read_text_attribute(const AttributeLocation& location) {
  const Handle attribute = open_attribute(location);
  const Handle stored(H5Aget_type(attribute.id()), &H5Tclose);
  if (H5Tget_class(stored.id()) != H5T_STRING || !extents_of_attribute(location, attribute.id()).empty()) {
    refuse_type(location, stored.id(), "one string");
  }
  if (H5Tis_variable_str(stored.id()) <= 0) return read_fixed_text(location, attribute.id(), stored.id());
  char* pointer = nullptr;
  checked(H5Aread(attribute.id(), stored.id(), &pointer), "read attribute " + location.text(),
          "check that the file is complete");
  std::string text = pointer != nullptr ? pointer : "";
  H5free_memory(pointer);
  return text;
}

std::vector<std::int64_t> attribute_extents(const AttributeLocation& location) {
  return extents_of_attribute(location, open_attribute(location).id());
}

}  // namespace mylos::inline MYLOS_ABI::hdf5
