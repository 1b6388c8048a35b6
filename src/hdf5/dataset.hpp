// SPDX-License-Identifier: MIT
// Datasets: created, checked, written and read by slabs, extended.
#pragma once

#include <cstdint>
#include <vector>

#include <mylos/hdf5/file.hpp>

#include "hdf5/calls.hpp"

namespace mylos::inline MYLOS_ABI::hdf5 {

/// Creates the dataset, or checks that the one that is there fits. Throws before anything is changed.
Handle prepare_dataset(const Location& location, const detail::Array& array, const WriteOptions& options);
/// Writes all of the array into it.
void write_dataset(const Location& location, hid_t dataset, const detail::Array& array, std::size_t slab_bytes);

void read_dataset(const Location& location, const detail::Array& array, std::size_t slab_bytes);

/// As prepare_dataset, for rows of this kind.
Handle prepare_rows(const Location& location, const detail::Array& row);
/// Extends the dataset by one and writes the row there.
void append_row(const Location& location, hid_t dataset, const detail::Array& row);

Handle open_dataset(const Location& location);
/// Throws Hdf5Error where there is not even an empty array; `what` names it there.
std::vector<std::int64_t> extents_of(hid_t space, std::string_view what);
std::vector<std::int64_t> dataset_extents(const Location& location, hid_t dataset);

}  // namespace mylos::inline MYLOS_ABI::hdf5
