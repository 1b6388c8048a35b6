// SPDX-License-Identifier: MIT
// Moving Views between the host and the device. Every copy is in the name of the function, and every one is published
// (copy_events.hpp): the cost of each is at most one transfer, and one local copy on each side where elements do not
// lie in a row or change their type.
//
// A fresh copy is contiguous: LayoutLeft and LayoutRight stay, LayoutStride becomes LayoutRight; static extents and the
// label stay; const is dropped.
#pragma once

#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>
#include <mylos/core/detail/copy_plan.hpp>
#include <mylos/core/detail/view_types.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/core/view_traits.hpp>

namespace mylos::inline MYLOS_ABI {

/// Copies elements: any layouts, strides and spaces, and elements that static_cast converts.
///
/// Space and stream: within the device it is queued on `stream`; with the host on either side, work queued on `stream`
/// before it comes first, and it is complete at return. Other streams are not looked at.
/// Cost: one transfer between the sides. Elements in a row and in the same order are transferred as they are; else they
/// are packed before it, or unpacked after it, in a buffer of the copy's size.
/// Throws ShapeError for different extents, naming both Views.
template <AnyView D, AnyView S>
void copy_view(const D& destination, const S& source, Device stream = {},
               std::source_location place = std::source_location::current()) {
  static_assert(D::rank == S::rank, "mylos::copy_view: the Views must have the same rank");
  static_assert(!std::is_const_v<typename D::value_type>, "mylos::copy_view: the destination's elements are const");
  if (!detail::same_extents(detail::block_of(destination), detail::block_of(source))) {
    detail::throw_different_extents("mylos::copy_view", detail::named_block_of(destination),
                                    detail::named_block_of(source));
  }
  detail::copy_any(stream, destination, source, place);
}

namespace detail {

/// A fresh View with v's elements, after all work that is under way.
template <class Space, class Element, class V>
FreshView<V, Space, Element> fresh_copy(const char* caller, const V& view, std::source_location place) {
  using Fresh = FreshView<V, Space, Element>;
  if (view.data() == nullptr && V::rank == 0) return {};
  if constexpr (!is_host_reachable_v<V> || !is_host_reachable_v<Fresh>) Kokkos::fence(caller);
  const Fresh fresh = allocate_like<Fresh>(view);
  copy_any(Device{}, fresh, view, place);
  if constexpr (!is_host_reachable_v<V> && !is_host_reachable_v<Fresh>) Device{}.fence(caller);
  return fresh;
}

/// Whether a View of type To can share the memory of a `From`.
template <class To, class From>
inline constexpr bool can_share_v =
    std::is_same_v<typename To::memory_space, typename From::memory_space> &&
    (std::is_same_v<typename To::value_type, typename From::value_type> ||
     std::is_same_v<typename To::value_type, std::add_const_t<typename From::value_type>>);

}  // namespace detail

/// The same View (it may alias) when the host can reach it, else a copy on the host.
template <AnyView V>
auto to_host(const V& view, std::source_location place = std::source_location::current()) {
  if constexpr (is_host_reachable_v<V>) {
    return view;
  } else {
    return detail::fresh_copy<HostSpace, typename V::non_const_value_type>("mylos::to_host", view, place);
  }
}

/// The same View (it may alias) when a kernel on Device can reach it, else a copy in DeviceSpace.
template <AnyView V>
auto to_device(const V& view, std::source_location place = std::source_location::current()) {
  if constexpr (is_device_reachable_v<V>) {
    return view;
  } else {
    return detail::fresh_copy<DeviceSpace, typename V::non_const_value_type>("mylos::to_device", view, place);
  }
}

/// A copy in `Space`, always: it never aliases.
template <class Space, AnyView V>
auto copy_to(const V& view, std::source_location place = std::source_location::current()) {
  return detail::fresh_copy<Space, typename V::non_const_value_type>("mylos::copy_to", view, place);
}

/// A contiguous View in `Space` with elements of `T` (void: V's own, const included). It shares V's memory when that
/// is so already, else it is one copy.
template <class Space, class T = void, AnyView V>
auto as_contiguous(const V& view, std::source_location place = std::source_location::current()) {
  using Element = std::conditional_t<std::is_void_v<T>, typename V::value_type, T>;
  using Plain = std::remove_const_t<Element>;
  using Result = Kokkos::View<typename detail::WithElement<typename V::data_type, Element>::type,
                              typename detail::FreshLayout<typename V::array_layout>::type, Space>;
  if constexpr (detail::can_share_v<Result, V>) {
    constexpr auto order =
        std::is_same_v<typename Result::array_layout, Kokkos::LayoutLeft> ? detail::Order::left : detail::Order::right;
    if (detail::is_contiguous(detail::block_of(view), sizeof(Element), order)) return Result(view);
  }
  return Result(detail::fresh_copy<Space, Plain>("mylos::as_contiguous", view, place));
}

}  // namespace mylos::inline MYLOS_ABI
