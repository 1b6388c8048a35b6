// SPDX-License-Identifier: MIT
#include "hdf5/types.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include <mylos/base/contract.hpp>

namespace mylos::inline MYLOS_ABI::hdf5 {

using detail::Element;

namespace {

constexpr std::array names{"int8",   "int16",   "int32",   "int64",     "uint8",      "uint16", "uint32",
                           "uint64", "float32", "float64", "complex64", "complex128", "bool"};

// How the two parts of a complex number are named: h5py's way, which is ours, and two others that are met.
struct PartNames { const char *real, *imaginary; };
constexpr std::array part_names{PartNames{"r", "i"}, PartNames{"real", "imag"}, PartNames{"re", "im"}};

Handle type(hid_t id) { return {checked(id, "make a type", "check the installation of HDF5"), &H5Tclose}; }

hid_t number(Element element) {
  switch (element) {
    case Element::int8: return H5T_NATIVE_INT8;
    case Element::int16: return H5T_NATIVE_INT16;
    case Element::int32: return H5T_NATIVE_INT32;
    case Element::int64: return H5T_NATIVE_INT64;
    case Element::uint8: return H5T_NATIVE_UINT8;
    case Element::uint16: return H5T_NATIVE_UINT16;
    case Element::uint32: return H5T_NATIVE_UINT32;
    case Element::uint64: return H5T_NATIVE_UINT64;
    case Element::float32: return H5T_NATIVE_FLOAT;
    case Element::float64: return H5T_NATIVE_DOUBLE;
    default: internal_error("an element that is neither complex nor bool is a number");
  }
}

Handle complex_type(Element part, const PartNames& parts) {
  const std::size_t size = H5Tget_size(number(part));
  Handle made = type(H5Tcreate(H5T_COMPOUND, 2 * size));
  H5Tinsert(made.id(), parts.real, 0, number(part));
  H5Tinsert(made.id(), parts.imaginary, size, number(part));
  return made;
}

Handle boolean_type() {
  Handle made = type(H5Tenum_create(H5T_NATIVE_INT8));
  const std::int8_t no = 0, yes = 1;
  H5Tenum_insert(made.id(), "FALSE", &no);
  H5Tenum_insert(made.id(), "TRUE", &yes);
  return made;
}

Handle type_with_parts(Element element, const PartNames& parts) {
  switch (element) {
    case Element::complex64: return complex_type(Element::float32, parts);
    case Element::complex128: return complex_type(Element::float64, parts);
    case Element::boolean: return boolean_type();
    default: return type(H5Tcopy(number(element)));
  }
}

std::string member_name(hid_t type, unsigned member) {
  char* name = H5Tget_member_name(type, member);
  std::string copy = name != nullptr ? name : "";
  H5free_memory(name);
  return copy;
}

std::optional<Element> integer_of(hid_t type) {
  const std::size_t size = H5Tget_size(type);
  if (H5Tget_precision(type) != 8 * size) return std::nullopt;
  const bool is_signed = H5Tget_sign(type) == H5T_SGN_2;
  for (int log2_size = 0; log2_size < 4; ++log2_size) {
    if (size == std::size_t{1} << log2_size) return static_cast<Element>(log2_size + (is_signed ? 0 : 4));
  }
  return std::nullopt;
}

std::optional<Element> real_of(hid_t type) {
  if (H5Tequal(type, H5T_IEEE_F32LE) > 0 || H5Tequal(type, H5T_IEEE_F32BE) > 0) return Element::float32;
  if (H5Tequal(type, H5T_IEEE_F64LE) > 0 || H5Tequal(type, H5T_IEEE_F64BE) > 0) return Element::float64;
  return std::nullopt;
}

const PartNames* part_names_of(hid_t type) {
  if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != 2) return nullptr;
  for (const PartNames& parts : part_names) {
    if (member_name(type, 0) == parts.real && member_name(type, 1) == parts.imaginary) return &parts;
  }
  return nullptr;
}

std::optional<Element> complex_of(hid_t stored) {
  if (part_names_of(stored) == nullptr) return std::nullopt;
  const auto real = element_of(type(H5Tget_member_type(stored, 0)).id());
  const auto imaginary = element_of(type(H5Tget_member_type(stored, 1)).id());
  if (real != imaginary) return std::nullopt;
  if (real == Element::float32) return Element::complex64;
  return real == Element::float64 ? std::optional(Element::complex128) : std::nullopt;
}

std::optional<Element> boolean_of(hid_t stored) {
  const bool fits = H5Tget_nmembers(stored) == 2 && H5Tget_size(stored) == 1 && member_name(stored, 0) == "FALSE" &&
                    member_name(stored, 1) == "TRUE";
  return fits ? std::optional(Element::boolean) : std::nullopt;
}

}  // namespace

Handle type_of(Element element) { return type_with_parts(element, part_names.front()); }

Handle memory_type(Element element, hid_t stored) {
  const PartNames* parts = part_names_of(stored);
  return type_with_parts(element, parts != nullptr ? *parts : part_names.front());
}

std::optional<Element> element_of(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: return integer_of(type);
    case H5T_FLOAT: return real_of(type);
    case H5T_COMPOUND: return complex_of(type);
    case H5T_ENUM: return boolean_of(type);
    default: return std::nullopt;
  }
}

std::string describe(Element element) { return names.at(static_cast<std::size_t>(element)); }

std::string describe(hid_t type) {
  if (const auto element = element_of(type)) return describe(*element);
  const std::size_t size = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: return fmt::format("an integer of {} bits in {} bytes", H5Tget_precision(type), size);
    case H5T_FLOAT: return fmt::format("a floating-point number of {} bytes", size);
    case H5T_STRING: return "a string";
    case H5T_COMPOUND: return fmt::format("a compound of {} members", H5Tget_nmembers(type));
    case H5T_ENUM: return fmt::format("an enumeration of {} members", H5Tget_nmembers(type));
    case H5T_ARRAY: return "an array";
    case H5T_VLEN: return "a list of variable length";
    default: return fmt::format("another type of {} bytes", size);
  }
}

Handle text_type() {
  Handle made = type(H5Tcopy(H5T_C_S1));
  H5Tset_size(made.id(), H5T_VARIABLE);
  H5Tset_cset(made.id(), H5T_CSET_UTF8);
  return made;
}

}  // namespace mylos::inline MYLOS_ABI::hdf5
