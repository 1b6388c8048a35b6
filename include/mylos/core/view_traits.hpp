// SPDX-License-Identifier: MIT
// Questions about Views: where their memory is, and whether several are in the same place.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>
#include <mylos/core/spaces.hpp>

namespace mylos::inline MYLOS_ABI {

/// A Kokkos::View of any element, rank, layout, space and traits; references and const are looked through.
template <class V>
concept AnyView = Kokkos::is_view_v<std::remove_cvref_t<V>>;

/// Whether the host may read and write V's elements.
template <class V>
inline constexpr bool is_host_reachable_v =
    Kokkos::SpaceAccessibility<HostSpace, typename std::remove_cvref_t<V>::memory_space>::accessible;

/// Whether a kernel on Device may. Memory that both sides reach (pinned, managed) is both.
template <class V>
inline constexpr bool is_device_reachable_v =
    Kokkos::SpaceAccessibility<Device, typename std::remove_cvref_t<V>::memory_space>::accessible;

/// Whether V's memory is not reachable from the host. False for what is no View.
template <class V>
inline constexpr bool is_device_view_v = false;
template <AnyView V>
inline constexpr bool is_device_view_v<V> = !is_host_reachable_v<V>;

namespace detail {

/// What a message needs to know of a View.
struct Place {
  std::string label;
  std::string_view space;
};

[[noreturn]] MYLOS_EXPORT void throw_different_spaces(std::span<const Place> places);

template <class... V>
inline constexpr bool one_space_v = true;
template <class First, class... Rest>
inline constexpr bool one_space_v<First, Rest...> =
    (std::is_same_v<typename First::memory_space, typename Rest::memory_space> && ...);

}  // namespace detail

/// Whether all Views have the same memory space; true for none or one. No cost at run time.
template <AnyView... V>
constexpr bool same_space(const V&... /*views*/) {
  return detail::one_space_v<V...>;
}

/// Throws SpaceError that names each View's label and space unless same_space().
template <AnyView... V>
void assert_same_space(const V&... views) {
  if constexpr (!detail::one_space_v<V...>) {
    const std::array<detail::Place, sizeof...(V)> places{detail::Place{views.label(), V::memory_space::name()}...};
    detail::throw_different_spaces(places);
  }
}

}  // namespace mylos::inline MYLOS_ABI
