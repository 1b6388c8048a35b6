// SPDX-License-Identifier: MIT
// Elements and arrays as plain values: what the sources that call HDF5 see of a View.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>
#include <mylos/core/detail/strided.hpp>
#include <mylos/core/detail/view_types.hpp>
#include <mylos/core/value_kind.hpp>
#include <mylos/core/view_traits.hpp>

namespace mylos::inline MYLOS_ABI::hdf5::detail {

/// What can be an element: bool, integers, float, double and complex numbers of these.
template <class T>
concept Storable = !std::is_enum_v<T> && mylos::detail::value_kind<T>() != ValueKind::other &&
                   mylos::detail::value_kind<T>() != ValueKind::float16;

template <class T>
consteval ValueKind element() {
  static_assert(Storable<T>,
                "mylos::hdf5: elements are bool, integers up to 64 bits, float, double and complex numbers of these; "
                "write the members of a struct as Views of their own");
  return mylos::detail::value_kind<T>();
}

/// An array in host memory. `block.data` is written to by reads only.
struct Array {
  mylos::detail::StridedBlock block = {};
  ValueKind element = ValueKind::int8;
  std::size_t element_bytes = 1;
  std::string label = {};  ///< for messages
};

/// One value.
template <Storable T>
Array array_of(const T& value) {
  Array array{.element = element<T>(), .element_bytes = sizeof(T)};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): written to by reads only, whose callers pass what they own
  array.block.data = reinterpret_cast<std::byte*>(const_cast<T*>(&value));
  return array;
}

/// A View that the host can reach.
template <AnyView V>
Array array_of(const V& view) {
  static_assert(is_host_reachable_v<V>);
  using T = typename V::non_const_value_type;
  return {.block = mylos::detail::block_of(view),
          .element = element<T>(),
          .element_bytes = sizeof(T),
          .label = view.label()};
}

template <class T, int R>
using HostView = Kokkos::View<typename mylos::detail::Pointers<T, R>::type, Kokkos::LayoutRight, HostSpace>;

/// A new row-major View on the host, not initialised.
template <class T, int R>
HostView<T, R> make_host_view(const std::string& label, const std::vector<std::int64_t>& extents) {
  Kokkos::LayoutRight layout;
  for (std::size_t d = 0; d < extents.size(); ++d) layout.dimension[d] = static_cast<std::size_t>(extents[d]);
  return HostView<T, R>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), layout);
}

}  // namespace mylos::inline MYLOS_ABI::hdf5::detail
