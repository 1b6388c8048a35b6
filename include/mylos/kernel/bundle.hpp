// SPDX-License-Identifier: MIT
// Several arguments as one value: what a function that makes them returns, and what a kernel takes apart again.
#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include <mylos/base/abi.hpp>
#include <mylos/core/view_traits.hpp>

namespace mylos::inline MYLOS_ABI {

/// Arguments by value, in order; Views as usual share their memory.
template <class... A>
struct Bundle {
  std::tuple<A...> values;
};

/// `kernel(mylos::arguments(x, v), dt)` is `kernel(x, v, dt)`. Bundles may hold bundles, and callables without
/// arguments: such a one is called at each launch, and what it returns (a bundle, too) takes its place. So a struct
/// that holds addresses of Views is never stale: `arguments([&] { return Grid{field.data(), n}; }, x)`.
template <class... A>
[[nodiscard]] Bundle<A...> arguments(A... values) {
  return {{std::move(values)...}};
}

namespace detail {

template <class T>
inline constexpr bool is_bundle_v = false;
template <class... A>
inline constexpr bool is_bundle_v<Bundle<A...>> = true;

/// A View of rank 0 can be called without arguments as well; it is an argument.
template <class T>
concept MadeAtLaunch = std::invocable<const T&> && !AnyView<T>;

/// The arguments that a value in a bundle stands for, in a tuple: references to those that exist, and by value what a
/// callable returns.
template <bool by_value, class T>
auto flattened(const T& value) {
  if constexpr (is_bundle_v<T>) {
    const auto each = [](const auto&... inner) { return std::tuple_cat(flattened<by_value>(inner)...); };
    return std::apply(each, value.values);
  } else if constexpr (MadeAtLaunch<T>) {
    return flattened<true>(value());
  } else {
    return std::tuple<std::conditional_t<by_value, T, const T&>>(value);
  }
}

/// Calls f with the arguments, bundles taken apart. A callable that is an argument of its own is passed as it is.
template <class F, class... A>
decltype(auto) call_flat(F&& f, const A&... arguments) {
  if constexpr ((is_bundle_v<A> || ...)) {
    const auto flat = [](const auto& argument) {
      if constexpr (is_bundle_v<std::remove_cvref_t<decltype(argument)>>) {
        return flattened<false>(argument);
      } else {
        return std::tie(argument);
      }
    };
    return std::apply(std::forward<F>(f), std::tuple_cat(flat(arguments)...));
  } else {
    return std::forward<F>(f)(arguments...);
  }
}

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
