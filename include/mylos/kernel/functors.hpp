// SPDX-License-Identifier: MIT
// Host functors: their two forms, and words for what a type alone does not tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <mylos/base/abi.hpp>
#include <mylos/kernel/implementations.hpp>

namespace mylos::inline MYLOS_ABI {

namespace detail {

template <int Rank, class F>
struct PerElement {
  F functor;
};
template <class F>
struct Whole {
  F functor;
};
template <class F>
struct HostOnly {
  F functor;
};
template <class F>
struct Named {
  int id;
  F functor;
};
template <class Default, class... Others>
struct Implementations {
  Default functor;
  std::tuple<Named<Others>...> others;
};

}  // namespace detail

/// Says that a functor is called per element: `f(i, args...)`, with Rank indices, or with the first of 1, 2 and 3
/// that fits when Rank is 0. For generic functors whose bodies must not be tried with an execution space.
template <int Rank = 0, class F>
[[nodiscard]] auto per_element(F functor) {
  static_assert(Rank >= 0 && Rank <= 3, "mylos::per_element<Rank>: a functor has 1 to 3 indices");
  return detail::PerElement<Rank, F>{std::move(functor)};
}

/// Says that a functor is called once, `f(execution_space, args...)`. For functors whose first parameter is any type.
template <class F>
[[nodiscard]] auto whole(F functor) {
  return detail::Whole<F>{std::move(functor)};
}

/// Says that a functor works on the host only: it is never instantiated for the device, in no build.
template <class F>
[[nodiscard]] auto host_only(F functor) {
  return detail::HostOnly<F>{std::move(functor)};
}

/// A further host implementation under a name of its own. Throws ValueError for a name that Mylos itself uses.
template <class F>
[[nodiscard]] auto named(const std::string& name, F functor) {
  return detail::Named<F>{detail::register_host_implementation(name), std::move(functor)};
}

/// Several host implementations of one kernel: the default, and others that set_host_implementation(name) selects.
/// `mylos::Kernel push("push", mylos::implementations(push_functor{}, mylos::named("simd", push_simd{})));`
template <class Default, class... Others>
[[nodiscard]] auto implementations(Default functor, detail::Named<Others>... others) {
  return detail::Implementations<Default, Others...>{std::move(functor), {std::move(others)...}};
}

namespace detail {

/// How a functor is called with some arguments.
enum class Form { none, element1, element2, element3, whole };

constexpr int index_count(Form form) {
  switch (form) {
    case Form::element1: return 1;
    case Form::element2: return 2;
    case Form::element3: return 3;
    default: return 0;
  }
}

/// The functor inside the words above.
template <class F>
struct Functor {
  using type = F;
  static constexpr bool device_allowed = true;
  static constexpr std::size_t leading = 0;  ///< parameters before the arguments, where a word says how many
  static const F& get(const F& functor) { return functor; }

  // In this order, stopping at the first hit: a generic functor's body is never instantiated with more indices, or
  // with another first argument, than it is written for.
  template <class Execution, class... A>
  static consteval Form form() {
    using Index = std::int64_t;
    if constexpr (std::is_invocable_v<const F&, Index, A...>)
      return Form::element1;
    else if constexpr (std::is_invocable_v<const F&, const Execution&, A...>)
      return Form::whole;
    else if constexpr (std::is_invocable_v<const F&, Index, Index, A...>)
      return Form::element2;
    else if constexpr (std::is_invocable_v<const F&, Index, Index, Index, A...>)
      return Form::element3;
    else
      return Form::none;
  }
};

template <int Rank, class F>
struct Functor<PerElement<Rank, F>> : Functor<F> {
  static constexpr std::size_t leading = Rank;
  static const auto& get(const PerElement<Rank, F>& wrapped) { return Functor<F>::get(wrapped.functor); }

  template <class Execution, class... A>
  static consteval Form form() {
    using G = typename Functor<F>::type;
    using Index = std::int64_t;
    if constexpr (Rank == 1)
      return std::is_invocable_v<const G&, Index, A...> ? Form::element1 : Form::none;
    else if constexpr (Rank == 2)
      return std::is_invocable_v<const G&, Index, Index, A...> ? Form::element2 : Form::none;
    else if constexpr (Rank == 3)
      return std::is_invocable_v<const G&, Index, Index, Index, A...> ? Form::element3 : Form::none;
    else if constexpr (std::is_invocable_v<const G&, Index, A...>)
      return Form::element1;
    else if constexpr (std::is_invocable_v<const G&, Index, Index, A...>)
      return Form::element2;
    else if constexpr (std::is_invocable_v<const G&, Index, Index, Index, A...>)
      return Form::element3;
    else
      return Form::none;
  }
};

template <class F>
struct Functor<Whole<F>> : Functor<F> {
  static constexpr std::size_t leading = 1;
  static const auto& get(const Whole<F>& wrapped) { return Functor<F>::get(wrapped.functor); }

  template <class Execution, class... A>
  static consteval Form form() {
    using G = typename Functor<F>::type;
    return std::is_invocable_v<const G&, const Execution&, A...> ? Form::whole : Form::none;
  }
};

template <class F>
struct Functor<HostOnly<F>> : Functor<F> {
  static constexpr bool device_allowed = false;
  static const auto& get(const HostOnly<F>& wrapped) { return Functor<F>::get(wrapped.functor); }
};

template <class Default, class... Others>
struct Functor<Implementations<Default, Others...>> : Functor<Default> {
  static const auto& get(const Implementations<Default, Others...>& several) {
    return Functor<Default>::get(several.functor);
  }
};

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
