// SPDX-License-Identifier: MIT
// HDF5 files written from Views and read into them.
//
// On disk the dimensions are the View's extents in index order, whatever its layout, so element (i, j) is at [i, j] in
// h5py and a file written on a device equals one written on the host. bool is h5py's enumeration, complex numbers are
// compounds of r and i. Types are never converted: reading int32 into int64 is an Hdf5Error, as is any other extent.
//
// Nothing here prints HDF5's error stack or changes how a program's own HDF5 calls report. Calls of several threads,
// on any files, take turns: the HDF5 library is not made for more.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/core/view_traits.hpp>
#include <mylos/hdf5/detail/element.hpp>

namespace mylos::inline MYLOS_ABI::hdf5 {

enum class Mode {
  read,        ///< an existing file, not changed
  read_write,  ///< an existing file, changed in place
  create,      ///< a new file: refuses an existing one; appears under its name at close(), complete
  replace,     ///< as create, but takes the place of an existing file at close()
  append,      ///< an existing file, changed in place, or a new one that is visible while it grows; see flush()
};

/// For new datasets, but for slab_bytes.
struct WriteOptions {
  int deflate = 0;                        ///< compression, 0 (none) to 9
  std::vector<std::int64_t> chunks = {};  ///< shape of the chunks; chosen by Mylos when empty and needed
  std::size_t slab_bytes = 32 << 20;      ///< at most this much is packed at once (at least one element)
};

struct ReadOptions {
  std::size_t slab_bytes = 32 << 20;  ///< at most this much is unpacked at once (at least one element)
};

/// A View on the host, as read<T, R> returns it.
template <class T, int R>
using HostView = detail::HostView<T, R>;

/// An open file. Every member throws Hdf5Error that names file, object and cause; names are paths, as in "run/x".
///
/// With Mode::create and Mode::replace all is written to a hidden file beside the target. close() moves it to its
/// place; a run that is killed, or that leaves the scope by an exception, leaves the target as it was. Two Files of one
/// program write one path at the same time only if both write in place.
///
/// After a write to the disk has failed, after close(), and after it was moved from, a File throws whatever is called,
/// but for path(), mode() and close(), which only one that was moved from refuses.
class MYLOS_EXPORT File {
 public:
  /// Throws Hdf5Error: no such file, no HDF5 file, not permitted, exists already, a folder, written by another File;
  /// VersionError when the HDF5 library that runs is not the one that Mylos was built with.
  File(std::filesystem::path path, Mode mode);
  File(File&&) noexcept;
  /// Ends the work on the file that was held, as the destructor does.
  File& operator=(File&&) noexcept;
  /// close(), with errors logged; after an exception, or a failed write, a new file is discarded.
  ~File();

  [[nodiscard]] const std::filesystem::path& path() const;
  [[nodiscard]] Mode mode() const;

  /// Writes the View as dataset `name`, creating the groups on the way.
  ///
  /// An existing dataset is overwritten in place when type and extents are the same; anything else throws.
  /// **Space:** a device View is copied to the host first, by to_host (one counted transfer).
  /// **Cost:** row-major contiguous Views are written from where they are; others are packed through one buffer of at
  /// most options.slab_bytes.
  template <AnyView V>
  void write(std::string_view name, const V& view, const WriteOptions& options = {});

  /// Reads dataset `name` into the View, whose element type and extents must be those of the dataset.
  ///
  /// **Space:** a device View is filled by one counted transfer. **Cost:** as write().
  template <AnyView V>
  void read(std::string_view name, const V& view, const ReadOptions& options = {}) const;

  /// Reads dataset `name`, which must be of T and of rank R, into a new View of that label.
  template <class T, int R>
  [[nodiscard]] HostView<T, R> read(std::string_view name, const ReadOptions& options = {}) const;

  /// Adds a row (a View, or one number) behind the last one of dataset `name` of rank + 1; creates the dataset at the
  /// first call, chunked. For time series. Row k is at [k, ...]; type and extents of all rows must agree.
  template <class Row>
  void append(std::string_view name, const Row& row);

  /// Sets an attribute of a dataset or group ("/" is the file itself); replaces one of that name.
  template <detail::Storable T>
  void attribute(std::string_view object, std::string_view name, const T& value);
  template <detail::Storable T>
    requires(!std::same_as<T, bool>)
  void attribute(std::string_view object, std::string_view name, const std::vector<T>& values);
  void attribute(std::string_view object, std::string_view name, std::string_view text);

  /// The value of an attribute: T is the number's exact type, std::vector of it, or std::string.
  template <class T>
  [[nodiscard]] T attribute(std::string_view object, std::string_view name) const;

  /// Whether there is a dataset or group of this name.
  [[nodiscard]] bool exists(std::string_view name) const;
  [[nodiscard]] bool has_attribute(std::string_view object, std::string_view name) const;
  /// Names of what a group holds, sorted.
  [[nodiscard]] std::vector<std::string> list(std::string_view group = "/") const;
  [[nodiscard]] std::vector<std::int64_t> extents(std::string_view name) const;

  /// Hands everything written so far to the operating system. Where the disk is full later, a file that is changed in
  /// place loses what was added since the last flush() and stays whole (as long as the structure that is not flushed
  /// yet, not the data, fits into HDF5's cache of some MiB).
  void flush();
  /// Ends the work; a new file takes its name now. When it throws, the target is as it was before, or as flush() says.
  void close();

 private:
  struct State;

  [[nodiscard]] State& state() const;
  void write_array(std::string_view name, const detail::Array& array, const WriteOptions& options);
  void read_array(std::string_view name, const detail::Array& array, const ReadOptions& options) const;
  void append_array(std::string_view name, const detail::Array& row);
  void write_attribute(std::string_view object, std::string_view name, const detail::Array& array);
  void read_attribute(std::string_view object, std::string_view name, const detail::Array& array) const;
  [[nodiscard]] std::string read_text(std::string_view object, std::string_view name) const;
  [[nodiscard]] std::vector<std::int64_t> attribute_extents(std::string_view object, std::string_view name) const;
  [[nodiscard]] std::vector<std::int64_t> extents(std::string_view name, int rank) const;

  std::unique_ptr<State> state_;
};

template <AnyView V>
void File::write(std::string_view name, const V& view, const WriteOptions& options) {
  const auto host = to_host(view);  // the View itself where the host reaches it
  write_array(name, detail::array_of(host), options);
}

template <AnyView V>
void File::read(std::string_view name, const V& view, const ReadOptions& options) const {
  static_assert(!std::is_const_v<typename V::value_type>, "mylos::hdf5::File::read: the View's elements are const");
  if constexpr (is_host_reachable_v<V>) {
    read_array(name, detail::array_of(view), options);
  } else {
    std::vector<std::int64_t> wanted(V::rank());
    for (std::size_t d = 0; d < V::rank(); ++d) wanted[d] = static_cast<std::int64_t>(view.extent(d));
    const auto host = detail::make_host_view<typename V::value_type, static_cast<int>(V::rank())>(view.label(), wanted);
    read_array(name, detail::array_of(host), options);
    copy_view(view, host);
  }
}

template <class T, int R>
HostView<T, R> File::read(std::string_view name, const ReadOptions& options) const {
  static_assert(R >= 0 && R <= 8, "mylos::hdf5::File::read<T, R>: Views have a rank of 0 to 8");
  const auto view = detail::make_host_view<T, R>(std::string(name), extents(name, R));
  read(name, view, options);
  return view;
}

template <class Row>
void File::append(std::string_view name, const Row& row) {
  if constexpr (AnyView<Row>) {
    const auto host = to_host(row);
    append_array(name, detail::array_of(host));
  } else {
    append_array(name, detail::array_of(row));
  }
}

template <detail::Storable T>
void File::attribute(std::string_view object, std::string_view name, const T& value) {
  write_attribute(object, name, detail::array_of(value));
}

template <detail::Storable T>
  requires(!std::same_as<T, bool>)
void File::attribute(std::string_view object, std::string_view name, const std::vector<T>& values) {
  using Unmanaged = Kokkos::View<const T*, HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  write_attribute(object, name, detail::array_of(Unmanaged(values.data(), values.size())));
}

template <class T>
T File::attribute(std::string_view object, std::string_view name) const {
  if constexpr (std::is_same_v<T, std::string>) {
    return read_text(object, name);
  } else if constexpr (detail::Storable<T>) {
    T value{};
    read_attribute(object, name, detail::array_of(value));
    return value;
  } else {
    using E = typename T::value_type;
    using Unmanaged = Kokkos::View<E*, HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    const std::vector<std::int64_t> found = attribute_extents(object, name);
    T values(found.size() == 1 ? static_cast<std::size_t>(found[0]) : 0);
    read_attribute(object, name, detail::array_of(Unmanaged(values.data(), values.size())));
    return values;
  }
}

}  // namespace mylos::inline MYLOS_ABI::hdf5
