// SPDX-License-Identifier: MIT
// Several arguments as one value: what a function that makes them returns, and what a kernel takes apart again.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// Arguments by value, in order; Views as usual share their memory.
template <class... A>
struct Bundle {
  std::tuple<A...> values;
};

/// `kernel(mylos::arguments(x, v), dt)` is `kernel(x, v, dt)`. Bundles may hold bundles.
template <class... A>
[[nodiscard]] Bundle<A...> arguments(A... values) {
  return {{std::move(values)...}};
}

namespace detail {

template <class T>
inline constexpr bool is_bundle_v = false;
template <class... A>
inline constexpr bool is_bundle_v<Bundle<A...>> = true;

template <class T>
auto flat_references(const T& value) {
  if constexpr (is_bundle_v<T>) {
    return std::apply([](const auto&... inner) { return std::tuple_cat(flat_references(inner)...); }, value.values);
  } else {
    return std::tuple<const T&>(value);
  }
}

/// Calls f with the arguments, bundles taken apart.
template <class F, class... A>
decltype(auto) call_flat(F&& f, const A&... arguments) {
  if constexpr ((is_bundle_v<A> || ...)) {
    return std::apply(std::forward<F>(f), std::tuple_cat(flat_references(arguments)...));
  } else {
    return std::forward<F>(f)(arguments...);
  }
}

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
