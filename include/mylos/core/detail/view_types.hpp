// SPDX-License-Identifier: MIT
// Types of Views derived from others, and Views as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>
#include <mylos/core/detail/strided.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// double*[3] with another element: float*[3].
template <class Data, class Element>
struct WithElement {
  using type = Element;
};
template <class Data, class Element>
struct WithElement<Data*, Element> {
  using type = typename WithElement<Data, Element>::type*;
};
template <class Data, class Element, std::size_t Extent>
struct WithElement<Data[Extent], Element> {
  using type = typename WithElement<Data, Element>::type[Extent];
};

/// Element with `Rank` stars.
template <class Element, std::size_t Rank>
struct Pointers {
  using type = typename Pointers<Element, Rank - 1>::type*;
};
template <class Element>
struct Pointers<Element, 0> {
  using type = Element;
};

/// The layout of a fresh copy: left and right stay; strides cannot be kept, and become right.
template <class Layout>
struct FreshLayout {
  static_assert(std::is_same_v<Layout, Kokkos::LayoutStride>,
                "mylos: only Views of LayoutLeft, LayoutRight and LayoutStride can be copied");
  using type = Kokkos::LayoutRight;
};
template <>
struct FreshLayout<Kokkos::LayoutLeft> {
  using type = Kokkos::LayoutLeft;
};
template <>
struct FreshLayout<Kokkos::LayoutRight> {
  using type = Kokkos::LayoutRight;
};

/// The managed, contiguous View in `Space` that a copy of V with elements of `Element` lands in.
template <class V, class Space, class Element = typename V::non_const_value_type>
using FreshView = Kokkos::View<typename WithElement<typename V::non_const_data_type, Element>::type,
                               typename FreshLayout<typename V::array_layout>::type, Space>;

/// A View's elements as numbers, const dropped: for addresses and for engines.
template <class V>
StridedBlock block_of(const V& view) {
  using Element = typename V::non_const_value_type;
  StridedBlock block;
  block.data = reinterpret_cast<std::byte*>(const_cast<Element*>(view.data()));
  block.rank = static_cast<int>(V::rank);
  for (std::size_t axis = 0; axis < V::rank; ++axis) {
    block.extents[axis] = static_cast<std::int64_t>(view.extent(axis));
    block.strides[axis] = static_cast<std::int64_t>(view.stride(axis) * sizeof(Element));
  }
  return block;
}

template <class Layout, class V>
Layout extents_as(const V& view) {
  Layout layout;
  for (std::size_t axis = 0; axis < V::rank; ++axis) layout.dimension[axis] = view.extent(axis);
  return layout;
}

/// Allocates, does not initialise; the label is the source's.
template <class Fresh, class V>
Fresh allocate_like(const V& view) {
  return Fresh(Kokkos::view_alloc(view.label(), Kokkos::WithoutInitializing),
               extents_as<typename Fresh::array_layout>(view));
}

/// What a message tells of a View.
struct NamedBlock {
  std::string label;
  std::string_view space;
  StridedBlock block;
};
template <class V>
NamedBlock named_block_of(const V& view) {
  return {view.label(), V::memory_space::name(), block_of(view)};
}

/// ShapeError that names both Views.
[[noreturn]] MYLOS_EXPORT void throw_different_extents(const char* caller, const NamedBlock& destination,
                                                       const NamedBlock& source);

}  // namespace mylos::inline MYLOS_ABI::detail
