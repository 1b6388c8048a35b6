// SPDX-License-Identifier: MIT
#include <mylos/kernel/functors.hpp>

#include <cstdint>
#include <string>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::detail::Form;
using Execution = Kokkos::DefaultHostExecutionSpace;
using View = Kokkos::View<double*, Kokkos::HostSpace>;
using ConstView = Kokkos::View<const double*, Kokkos::HostSpace>;

template <class F, class... A>
constexpr Form form = mylos::detail::Functor<F>::template form<Execution, const A&...>();

struct Element1 {
  void operator()(std::int64_t /*i*/, const View& /*x*/, double /*a*/) const {}
};
struct Element2 {
  void operator()(std::int64_t /*i*/, std::int64_t /*j*/, const View& /*x*/) const {}
};
struct Element3 {
  template <class X>
  void operator()(std::int64_t /*i*/, std::int64_t /*j*/, std::int64_t /*k*/, const X& /*x*/) const {}
};
struct WholeTyped {
  void operator()(const Execution& /*execution*/, const View& /*x*/) const {}
};
struct WholeGeneric {
  template <class E, class X>
    requires Kokkos::is_execution_space_v<E>
  void operator()(const E& /*execution*/, const X& /*x*/) const {}
};
struct NotConst {
  void operator()(std::int64_t /*i*/, const View& /*x*/) {}
};

static_assert(form<Element1, View, double> == Form::element1);
static_assert(form<Element1, View, int> == Form::element1, "C++'s own conversions");
static_assert(form<Element1, View> == Form::none, "an argument is missing");
static_assert(form<Element1, ConstView, double> == Form::none, "the functor may write");
static_assert(form<Element2, View> == Form::element2);
static_assert(form<Element3, View> == Form::element3);
static_assert(form<WholeTyped, View> == Form::whole);
static_assert(form<WholeGeneric, View> == Form::whole);
static_assert(form<NotConst, View> == Form::none, "operator() must be const");

// Generic lambdas whose bodies compile for their own form only: the order of the trials protects them.
constexpr auto generic_element = [](auto i, auto x, double a) { x(i) += a; };
constexpr auto variadic_element = [](std::int64_t i, auto x, auto... rest) { x(i) = sizeof...(rest); };
constexpr auto generic_whole = [](const auto& execution, auto x) {
  Kokkos::RangePolicy<std::remove_cvref_t<decltype(execution)>> policy(execution, 0, x.extent(0));
  static_cast<void>(policy);
};
constexpr auto generic_pair = [](auto i, auto j, auto x) { x(i + j) = 0; };

static_assert(form<decltype(generic_element), View, double> == Form::element1);
static_assert(form<decltype(variadic_element), View, double, int> == Form::element1);
static_assert(form<decltype(mylos::whole(generic_whole)), View> == Form::whole);
static_assert(form<decltype(mylos::per_element<2>(generic_pair)), View> == Form::element2);
static_assert(form<decltype(mylos::per_element(Element2())), View> == Form::element2, "the first that fits");
static_assert(form<decltype(mylos::per_element(WholeTyped())), View> == Form::none);
static_assert(form<decltype(mylos::whole(Element1())), View, double> == Form::none);
static_assert(form<decltype(mylos::host_only(mylos::per_element<1>(generic_element))), View, double> == Form::element1);

static_assert(mylos::detail::Functor<Element1>::device_allowed);
static_assert(!mylos::detail::Functor<decltype(mylos::host_only(Element1()))>::device_allowed);
static_assert(!mylos::detail::Functor<decltype(mylos::implementations(mylos::host_only(Element1())))>::device_allowed);

TEST(Functors, TheWrappersKeepTheFunctor) {
  const auto wrapped = mylos::host_only(mylos::per_element<1>([](std::int64_t i) { return 2 * i; }));
  EXPECT_EQ(mylos::detail::Functor<std::remove_cv_t<decltype(wrapped)>>::get(wrapped)(21), 42);
}

TEST(Functors, ANameOfMylosItselfIsRefused) {
  for (const char* name : {"kokkos", "serial", "port_on_host", ""}) {
    const std::string text = thrown<mylos::ValueError>([&] { static_cast<void>(mylos::named(name, Element1())); });
    EXPECT_TRUE(contains(text, {std::string("named(\"") + name, "choose another name"}));
  }
}

}  // namespace
}  // namespace mylos_test
