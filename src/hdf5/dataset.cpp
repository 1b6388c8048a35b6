// SPDX-License-Identifier: MIT
#include "hdf5/dataset.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "base/texts.hpp"
#include "hdf5/chunks.hpp"
#include "hdf5/driver.hpp"
#include "hdf5/slabs.hpp"
#include "hdf5/types.hpp"

namespace mylos::inline MYLOS_ABI::hdf5 {

using detail::Array;
using mylos::detail::StridedBlock;
using mylos::detail::tuple_text;

namespace {

constexpr double compressed_chunk_bytes = 1 << 20;
constexpr double row_chunk_bytes = 1 << 16;
constexpr std::int64_t most_rows_in_a_chunk = 1024;

constexpr std::string_view write_hint = "check that the disk has space and the file is still there";
constexpr std::string_view rows_hint = "append only to datasets that File::append created";
constexpr std::string_view read_hint = "check that the file is complete";

// Dimensions as HDF5 takes them; a dataset of rows has one axis more than a View can have.
using Dims = std::array<hsize_t, mylos::detail::max_rank + 1>;

std::vector<std::int64_t> extents_of(const Array& array) {
  const auto shape = array.block.shape();
  return {shape.begin(), shape.end()};
}

Handle make_space(std::span<const std::int64_t> extents, bool grows = false) {
  Dims dims{}, limits{};
  std::ranges::copy(extents, dims.begin());
  std::ranges::copy(extents, limits.begin());
  if (grows) limits[0] = H5S_UNLIMITED;
  const hid_t id = extents.empty() ? H5Screate(H5S_SCALAR)
                                   : H5Screate_simple(static_cast<int>(extents.size()), dims.data(), limits.data());
  return {checked(id, "describe the extents " + tuple_text(extents), "use a View with fewer elements, or several"),
          &H5Sclose};
}

// HDF5's own order.
constexpr auto row_major = mylos::detail::Order::right;

StridedBlock part_of(const StridedBlock& block, const Slab& slab) {
  StridedBlock part = block;
  part.extents = slab.count;
  for (std::size_t d = 0; d < static_cast<std::size_t>(block.rank); ++d) {
    part.data += slab.start[d] * block.strides[d];
  }
  return part;
}

// Moves an array between memory and a dataset, or between memory and one row of it.
class Transfer {
 public:
  enum class Direction { write, read };

  Transfer(Direction direction, const Location& location, hid_t dataset, std::optional<std::int64_t> row = {})
      : direction_(direction), location_(location), dataset_(dataset), row_(row) {
    stored_type_ = Handle(H5Dget_type(dataset), &H5Tclose);
    space_ = Handle(H5Dget_space(dataset), &H5Sclose);
  }

  void run(const Array& array, std::size_t slab_bytes) {
    if (array.block.size() == 0) return;
    type_ = memory_type(array.element, stored_type_.id());
    const Slab all{.count = array.block.extents};
    if (is_packed(array.block.shape(), array.block.strides, static_cast<std::int64_t>(array.element_bytes),
                  row_major)) {
      return move(array.block.rank, all, array.block.data);
    }
    const auto limit = static_cast<std::int64_t>(std::max<std::size_t>(1, slab_bytes / array.element_bytes));
    const auto elements = static_cast<std::size_t>(std::min(limit, array.block.size()));
    const auto buffer = std::make_unique_for_overwrite<std::byte[]>(elements * array.element_bytes);
    const mylos::detail::ElementConversion same{array.element_bytes, array.element_bytes};
    for_each_slab(array.block.rank, array.block.extents, limit, [&](const Slab& slab) {
      const StridedBlock there = part_of(array.block, slab);
      const StridedBlock here =
          packed(buffer.get(), std::span(slab.count).first(array.block.shape().size()), array.element_bytes, row_major);
      if (direction_ == Direction::write) mylos::detail::copy_on_host(here, there, same);
      move(array.block.rank, slab, buffer.get());
      if (direction_ == Direction::read) mylos::detail::copy_on_host(there, here, same);
    });
  }

 private:
  // One call of HDF5, for a slab that is packed in memory.
  void move(int rank, const Slab& slab, std::byte* data) const {
    Dims start{}, count{};
    const std::size_t first = row_ ? 1 : 0;
    if (row_) {
      start[0] = static_cast<hsize_t>(*row_);
      count[0] = 1;
    }
    std::copy_n(slab.start.begin(), rank, start.begin() + first);
    std::copy_n(slab.count.begin(), rank, count.begin() + first);
    const int file_rank = rank + static_cast<int>(first);
    const Handle memory(file_rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(file_rank, count.data(), nullptr),
                        &H5Sclose);
    if (file_rank > 0) {
      checked(H5Sselect_hyperslab(space_.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
              "select a part of dataset " + location_.text(), read_hint);
    }
    if (direction_ == Direction::write) {
      checked(H5Dwrite(dataset_, type_.id(), memory.id(), space_.id(), H5P_DEFAULT, data),
              "write dataset " + location_.text(), write_hint);
      if (const std::string& why = write_failure(location_.file); !why.empty()) {
        throw Hdf5Error(fmt::format("cannot write dataset {}: {}: {}", location_.text(), why, write_hint));
      }
    } else {
      checked(H5Dread(dataset_, type_.id(), memory.id(), space_.id(), H5P_DEFAULT, data),
              "read dataset " + location_.text(), read_hint);
    }
  }

  Direction direction_;
  const Location& location_;
  hid_t dataset_;
  std::optional<std::int64_t> row_;
  Handle stored_type_, space_, type_;
};

// "float64 of extents (3)", "one float64".
std::string kind_text(std::string_view type, std::span<const std::int64_t> extents) {
  return extents.empty() ? fmt::format("one {}", type) : fmt::format("{} of extents {}", type, tuple_text(extents));
}

std::string name_of(const Array& array) {
  if (!array.label.empty()) return fmt::format("the View '{}'", array.label);
  return array.block.rank == 0 ? "the value" : "the View without a label";
}

// Throws unless the array has the type of the dataset and these extents, which are those of the `part` of it.
void check_fits(const Location& location, hid_t dataset, std::string_view part, const Array& array,
                std::span<const std::int64_t> found, std::string_view hint) {
  const Handle type(H5Dget_type(dataset), &H5Tclose);
  if (element_of(type.id()) == array.element && std::ranges::equal(found, array.block.shape())) return;
  throw Hdf5Error(fmt::format("{} {} is {}, {} is {}: types are not converted and extents have to be the same: {}",
                              part, location.text(), kind_text(describe(type.id()), found), name_of(array),
                              kind_text(to_string(array.element), array.block.shape()), hint));
}

void check_chunks(const Location& location, const Array& array, const std::vector<std::int64_t>& chunks) {
  const std::vector<std::int64_t> extents = extents_of(array);
  bool fits = chunks.size() == extents.size() && block_bytes(chunks, array.element_bytes) <= largest_chunk;
  for (std::size_t d = 0; fits && d < chunks.size(); ++d) {
    fits = chunks[d] >= 1 && chunks[d] <= std::max<std::int64_t>(1, extents[d]);
  }
  if (fits) return;
  throw Hdf5Error(
      fmt::format("chunks of {} do not fit dataset {} of extents {}: HDF5 wants as many axes, each from 1 "
                  "to the extent, and less than 4 GiB: correct WriteOptions::chunks or leave it empty",
                  tuple_text(chunks), location.text(), tuple_text(extents)));
}

void set_chunks(hid_t properties, const std::vector<std::int64_t>& chunks) {
  Dims dims{};
  std::ranges::copy(chunks, dims.begin());
  checked(H5Pset_chunk(properties, static_cast<int>(chunks.size()), dims.data()), "use chunks of " + tuple_text(chunks),
          "correct WriteOptions::chunks or leave it empty");
}

Handle creation_properties() {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose);
  H5Pset_obj_track_times(properties.id(), false);  // equal contents give equal files
  return properties;
}

Handle properties_for(const Location& location, const Array& array, const WriteOptions& options) {
  Handle properties = creation_properties();
  if (options.deflate < 0 || options.deflate > 9) {
    throw Hdf5Error(
        fmt::format("dataset {} was to be compressed with level {}: there are 0 (none) to 9: correct "
                    "WriteOptions::deflate",
                    location.text(), options.deflate));
  }
  if (!options.chunks.empty()) {
    check_chunks(location, array, options.chunks);
    set_chunks(properties.id(), options.chunks);
  } else if (options.deflate > 0 && array.block.rank > 0) {
    set_chunks(properties.id(), choose_chunks(extents_of(array), array.element_bytes, compressed_chunk_bytes));
  }
  if (options.deflate > 0 && array.block.rank > 0) {
    checked(H5Pset_deflate(properties.id(), static_cast<unsigned>(options.deflate)),
            "compress dataset " + location.text(),
            "use an HDF5 that was built with zlib, or WriteOptions::deflate = 0");
  }
  return properties;
}

// Chunks are written when they are handed over and not when the dataset is closed, where a full disk would be noticed
// by nobody, and a row would cost its whole chunk.
Handle dataset_access() {
  Handle properties(H5Pcreate(H5P_DATASET_ACCESS), &H5Pclose);
  H5Pset_chunk_cache(properties.id(), 0, 0, 0);
  return properties;
}

Handle create_dataset(const Location& location, const Array& array, const Handle& space, const Handle& properties) {
  require_groups_above(location);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), &H5Pclose);
  H5Pset_create_intermediate_group(links.id(), 1);
  H5Pset_char_encoding(links.id(), H5T_CSET_UTF8);
  const Handle type = type_of(array.element);
  return {checked(H5Dcreate2(location.file, location.name.c_str(), type.id(), space.id(), links.id(), properties.id(),
                             dataset_access().id()),
                  "create dataset " + location.text(), "check its name and the names of the groups on the way"),
          &H5Dclose};
}

}  // namespace

std::vector<std::int64_t> extents_of(hid_t space, std::string_view what) {
  if (H5Sget_simple_extent_type(space) == H5S_NULL) {
    throw Hdf5Error(
        fmt::format("{} has a null dataspace, as h5py.Empty makes it, and holds no value: write a value, or "
                    "an array of extent 0",
                    what));
  }
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> dims(static_cast<std::size_t>(std::max(rank, 0)));
  H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  return {dims.begin(), dims.end()};
}

std::vector<std::int64_t> dataset_extents(const Location& location, hid_t dataset) {
  const Handle space(H5Dget_space(dataset), &H5Sclose);
  return extents_of(space.id(), "dataset " + location.text());
}

Handle open_dataset(const Location& location) {
  require_groups_above(location);
  return {checked(H5Dopen2(location.file, location.name.c_str(), dataset_access().id()),
                  "open dataset " + location.text(), "File::list tells what there is"),
          &H5Dclose};
}

Handle prepare_dataset(const Location& location, const Array& array, const WriteOptions& options) {
  if (!link_exists(location)) {
    const Handle properties = properties_for(location, array, options);
    return create_dataset(location, array, make_space(extents_of(array)), properties);
  }
  Handle dataset = open_dataset(location);
  check_fits(location, dataset.id(), "dataset", array, dataset_extents(location, dataset.id()),
             "write it under another name, or into a new file");
  return dataset;
}

void write_dataset(const Location& location, hid_t dataset, const Array& array, std::size_t slab_bytes) {
  Transfer(Transfer::Direction::write, location, dataset).run(array, slab_bytes);
}

void read_dataset(const Location& location, const Array& array, std::size_t slab_bytes) {
  const Handle dataset = open_dataset(location);
  check_fits(location, dataset.id(), "dataset", array, dataset_extents(location, dataset.id()),
             "read it into a View of its type and extents (File::extents), and convert there");
  Transfer(Transfer::Direction::read, location, dataset.id()).run(array, slab_bytes);
}

Handle prepare_rows(const Location& location, const Array& row) {
  std::vector<std::int64_t> extents = extents_of(row);
  extents.insert(extents.begin(), most_rows_in_a_chunk);
  if (!link_exists(location)) {
    const Handle properties = creation_properties();
    set_chunks(properties.id(), choose_chunks(extents, row.element_bytes, row_chunk_bytes));
    extents[0] = 0;
    return create_dataset(location, row, make_space(extents, true), properties);
  }
  Handle dataset = open_dataset(location);
  const std::vector<std::int64_t> found = dataset_extents(location, dataset.id());
  if (found.empty()) {
    throw Hdf5Error(fmt::format("dataset {} has no extents: it is one value, to which no row can be added: {}",
                                location.text(), rows_hint));
  }
  check_fits(location, dataset.id(), "a row of dataset", row, std::span(found).subspan(1),
             "append rows of the type and extents of the first one");
  return dataset;
}

void append_row(const Location& location, hid_t dataset, const Array& row) {
  const std::vector<std::int64_t> extents = dataset_extents(location, dataset);
  Dims dims{};
  std::ranges::copy(extents, dims.begin());
  ++dims[0];
  checked(H5Dset_extent(dataset, dims.data()), "extend dataset " + location.text(), rows_hint);
  try {
    Transfer(Transfer::Direction::write, location, dataset, extents[0]).run(row, WriteOptions{}.slab_bytes);
  } catch (...) {
    --dims[0];
    H5Dset_extent(dataset, dims.data());  // a row that is not whole is not there
    throw;
  }
}

}  // namespace mylos::inline MYLOS_ABI::hdf5
