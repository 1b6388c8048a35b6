// SPDX-License-Identifier: MIT
// Element types in HDF5's terms.
#pragma once

#include <optional>
#include <string>

#include <mylos/core/value_kind.hpp>

#include "hdf5/calls.hpp"

namespace mylos::inline MYLOS_ABI::hdf5 {

/// What new datasets get, and how elements lie in memory: native numbers, {r, i}, h5py's {FALSE, TRUE}.
Handle type_of(ValueKind element);
/// Memory type for a dataset whose file type is `stored`: its own names of the parts of a complex number.
Handle memory_type(ValueKind element, hid_t stored);

/// The element that a file's type is, in either byte order; nothing for any other type.
std::optional<ValueKind> element_of(hid_t type);

/// "float64", "complex128", ... (to_string of its kind), or what else a file's type is.
std::string describe(hid_t type);

/// Variable-length UTF-8, which h5py reads as str.
Handle text_type();

}  // namespace mylos::inline MYLOS_ABI::hdf5
