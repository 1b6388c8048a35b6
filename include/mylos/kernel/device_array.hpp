// SPDX-License-Identifier: MIT
// Views as members of structs that go to kernels.
#pragma once

#include <type_traits>

#include <mylos/base/abi.hpp>
#include <mylos/core/view_traits.hpp>
#include <mylos/device/array.hpp>

namespace mylos::inline MYLOS_ABI {

/// The elements of `view`, a View of rank R of T (or of non-const T where T is const) in memory that the device
/// reaches, as what a struct holds that a kernel takes by value: pointer, extents, strides. Any layout and strides; no
/// ownership, no copy. Anything else does not compile, and the message says why.
///
/// It is as old as the View: one that is resized or assigned later has other memory. So make the struct at each launch:
///
///     struct Grid { mylos::Array<double, 2> field; double spacing; };    // in a header that host and kernel share
///     auto grid = mylos::arguments([&] { return Grid{mylos::device_array<double, 2>(field), dx}; });
///     push(grid, x, v);                                                  // of the View that `field` is now
template <class T, int R, class V>
[[nodiscard]] Array<T, R> device_array(const V& view) {
  if constexpr (!AnyView<V>) {
    static_assert(AnyView<V>, "mylos::device_array<T, R>(view): the argument is no Kokkos::View: pass one");
  } else {
    using Element = typename V::value_type;
    constexpr bool same_rank = static_cast<int>(V::rank()) == R;
    constexpr bool same_element = std::is_same_v<std::remove_const_t<T>, std::remove_const_t<Element>>;
    constexpr bool keeps_const = std::is_const_v<T> || !std::is_const_v<Element>;
    static_assert(same_rank, "mylos::device_array<T, R>(view): the View has another rank than R: give its own rank");
    static_assert(same_element,
                  "mylos::device_array<T, R>(view): the View's elements are of another type than T: elements are never "
                  "converted: give their own type");
    static_assert(keeps_const,
                  "mylos::device_array<T, R>(view): the View's elements are const and T is not: the kernel could write "
                  "them: give const T");
    static_assert(
        is_device_reachable_v<V>,
        "mylos::device_array<T, R>(view): the device does not reach the View's memory, and nothing is copied: "
        "pass a View in mylos::DeviceSpace, for example of mylos::to_device");
    if constexpr (same_rank && same_element && keeps_const) {
      return view;
    } else {
      return {};
    }
  }
}

}  // namespace mylos::inline MYLOS_ABI
