// SPDX-License-Identifier: MIT
#include "hdf5/types.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include <mylos/base/contract.hpp>

namespace mylos::inline MYLOS_ABI::hdf5 {

namespace {

// How the two parts of a complex number are named: h5py's way, which is ours, and two others that are met.
struct PartNames { const char *real, *imaginary; };
constexpr std::array part_names{PartNames{"r", "i"}, PartNames{"real", "imag"}, PartNames{"re", "im"}};

Handle type(hid_t id) { return {checked(id, "make a type", "check the installation of HDF5"), &H5Tclose}; }

hid_t number(ValueKind element) {
  switch (element) {
    case ValueKind::int8: return H5T_NATIVE_INT8;
    case ValueKind::int16: return H5T_NATIVE_INT16;
    case ValueKind::int32: return H5T_NATIVE_INT32;
    case ValueKind::int64: return H5T_NATIVE_INT64;
    case ValueKind::uint8: return H5T_NATIVE_UINT8;
    case ValueKind::uint16: return H5T_NATIVE_UINT16;
    case ValueKind::uint32: return H5T_NATIVE_UINT32;
    case ValueKind::uint64: return H5T_NATIVE_UINT64;
    case ValueKind::float32: return H5T_NATIVE_FLOAT;
    case ValueKind::float64: return H5T_NATIVE_DOUBLE;
    default: internal_error("an element that is neither complex nor bool is a number");
  }
}

Handle complex_type(ValueKind part, const PartNames& parts) {
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

Handle type_with_parts(ValueKind element, const PartNames& parts) {
  switch (element) {
    case ValueKind::complex64: return complex_type(ValueKind::float32, parts);
    case ValueKind::complex128: return complex_type(ValueKind::float64, parts);
    case ValueKind::boolean: return boolean_type();
    default: return type(H5Tcopy(number(element)));
  }
}

std::string member_name(hid_t type, unsigned member) {
  char* name = H5Tget_member_name(type, member);
  std::string copy = name != nullptr ? name : "";
  H5free_memory(name);
  return copy;
}

std::optional<ValueKind> integer_of(hid_t type) {
  const std::size_t size = H5Tget_size(type);
  if (H5Tget_precision(type) != 8 * size) return std::nullopt;
  const ValueKind found = mylos::detail::integer_kind(size, H5Tget_sign(type) == H5T_SGN_2);
  return found != ValueKind::other ? std::optional(found) : std::nullopt;
}

std::optional<ValueKind> real_of(hid_t type) {
  if (H5Tequal(type, H5T_IEEE_F32LE) > 0 || H5Tequal(type, H5T_IEEE_F32BE) > 0) return ValueKind::float32;
  if (H5Tequal(type, H5T_IEEE_F64LE) > 0 || H5Tequal(type, H5T_IEEE_F64BE) > 0) return ValueKind::float64;
  return std::nullopt;
}

const PartNames* part_names_of(hid_t type) {
  if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != 2) return nullptr;
  for (const PartNames& parts : part_names) {
    if (member_name(type, 0) == parts.real && member_name(type, 1) == parts.imaginary) return &parts;
  }
  return nullptr;
}

std::optional<ValueKind> complex_of(hid_t stored) {
  if (part_names_of(stored) == nullptr) return std::nullopt;
  const auto real = element_of(type(H5Tget_member_type(stored, 0)).id());
  const auto imaginary = element_of(type(H5Tget_member_type(stored, 1)).id());
  if (!real || real != imaginary) return std::nullopt;
  const ValueKind found = mylos::detail::complex_kind(*real);
  return found != ValueKind::other ? std::optional(found) : std::nullopt;
}

std::optional<ValueKind> boolean_of(hid_t stored) {
  const bool fits = H5Tget_nmembers(stored) == 2 && H5Tget_size(stored) == 1 && member_name(stored, 0) == "FALSE" &&
                    member_name(stored, 1) == "TRUE";
  return fits ? std::optional(ValueKind::boolean) : std::nullopt;
}

}  // namespace

Handle type_of(ValueKind element) { return type_with_parts(element, part_names.front()); }

Handle memory_type(ValueKind element, hid_t stored) {
  const PartNames* parts = part_names_of(stored);
  return type_with_parts(element, parts != nullptr ? *parts : part_names.front());
}

std::optional<ValueKind> element_of(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: return integer_of(type);
    case H5T_FLOAT: return real_of(type);
    case H5T_COMPOUND: return complex_of(type);
    case H5T_ENUM: return boolean_of(type);
    default: return std::nullopt;
  }
}

std::string describe(hid_t type) {
  if (const auto element = element_of(type)) return std::string(to_string(*element));
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
