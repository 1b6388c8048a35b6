// SPDX-License-Identifier: MIT
// Private to kernel/kernel.hpp and kernel/cuda_variants.hpp: what a functor takes, as far as its type alone tells.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>
#include <mylos/core/detail/view_types.hpp>
#include <mylos/device/array.hpp>
#include <mylos/kernel/arguments.hpp>
#include <mylos/kernel/functors.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// The parameters of a functor, with their types erased. The leading ones are no arguments of a call: the execution
/// space, or 1 to 3 indices; how many, the number of arguments decides, as it does in a call.
struct FunctorParameters {
  std::span<const ArgumentType* const> types;  ///< of all
  std::size_t fewest_leading, most_leading;

  /// Those that are arguments of a call with `count` of them, or as near to that as can be.
  [[nodiscard]] std::span<const ArgumentType* const> arguments(std::size_t count) const {
    const std::size_t rest = types.size() - std::min(count, types.size());
    return types.subspan(std::clamp(rest, fewest_leading, most_leading));
  }
};

template <class... T>
struct TypeList {};

// Declared only: what F's parameters are, without const and references. No F that is overloaded or a template fits.
template <class R, class... A>
TypeList<std::remove_cvref_t<A>...> parameters_of(R (*function)(A...));
template <class F, class R, class... A>
TypeList<std::remove_cvref_t<A>...> parameters_of(R (F::*call_operator)(A...) const);

/// Its value is the TypeList of F's parameters; nothing where only a call tells them.
template <class F>
constexpr auto parameter_list() {
  if constexpr (requires { parameters_of(&F::operator()); })
    return decltype(parameters_of(&F::operator()))();
  else if constexpr (requires(F function) { parameters_of(function); })
    return decltype(parameters_of(std::declval<F>()))();
}

template <class List>
struct OnlyType;
template <class T>
struct OnlyType<TypeList<T>> {
  using type = T;
};
/// What a callable takes that takes one thing, as far as its type tells.
template <class F>
using OnlyParameter = typename OnlyType<decltype(parameter_list<F>())>::type;

/// The type of the argument that a functor's parameter stands for: an Array is made from a View.
template <class P>
struct ArgumentFor {
  using type = P;
};
template <class T, int R>
struct ArgumentFor<Array<T, R>> {
  using type = Kokkos::View<typename Pointers<T, static_cast<std::size_t>(R)>::type, Kokkos::HostSpace>;
};
template <class T, int R>
struct ArgumentFor<ContiguousArray<T, R>> : ArgumentFor<Array<T, R>> {};

/// `said`: leading parameters, if mylos::whole or mylos::per_element<Rank> said how many, else 0.
template <class... P>
consteval std::optional<FunctorParameters> erased_parameters(std::size_t said, TypeList<P...> /*parameters*/) {
  std::size_t spaces = 0, integers = 0;
  static_cast<void>(((Kokkos::is_execution_space_v<P> && ++spaces > 0) && ...));
  static_cast<void>(((std::is_integral_v<P> && !std::is_same_v<P, bool> && ++integers > 0) && ...));
  const std::size_t most = said > 0 ? said : spaces > 0 ? 1 : std::min<std::size_t>(integers, 3);
  if (most == 0 || most > sizeof...(P)) return std::nullopt;
  return FunctorParameters{argument_types<typename ArgumentFor<P>::type...>, said > 0 ? said : 1, most};
}

/// Of the functor that a Kernel of Host runs by default; nothing where only a call tells: operator() is a template, or
/// overloaded.
template <class Host>
consteval std::optional<FunctorParameters> functor_parameters() {
  using F = typename Functor<Host>::type;
  if constexpr (std::is_void_v<decltype(parameter_list<F>())>)
    return std::nullopt;
  else
    return erased_parameters(Functor<Host>::leading, parameter_list<F>());
}

}  // namespace mylos::inline MYLOS_ABI::detail
