// SPDX-License-Identifier: MIT
// Calls of a Kernel that its host functor cannot take, refused with the reason.
#include <cstdint>

#include <Kokkos_Core.hpp>

#include <mylos/kernel.hpp>

using View = Kokkos::View<double*, mylos::HostSpace>;

struct Push {
  void operator()(std::int64_t i, const View& x, const View& v, double dt) const { x(i) += dt * v(i); }
};
struct NotConst {
  void operator()(std::int64_t i, const View& x) { x(i) = 0; }
};

[[maybe_unused]] static void use(const View& x,
                                 [[maybe_unused]] const Kokkos::View<const double*, mylos::HostSpace>& c) {
  const mylos::Kernel push("push", Push{});
#if defined(CASE_missing_argument)
  push(x, x);
#elif defined(CASE_const_view)
  push(c, x, 0.1);
#elif defined(CASE_other_type)
  push(x, 0.1, x);
#elif defined(CASE_not_const)
  mylos::Kernel("zero", NotConst{})(x);
#elif defined(CASE_wrong_form)
  mylos::Kernel("push", mylos::whole(Push{}))(x, x, 0.1);
#elif defined(CASE_wrong_rank)
  mylos::Kernel("push", mylos::per_element<2>(Push{}))(x, x, 0.1);
#elif defined(CASE_four_indices)
  [[maybe_unused]] const auto four = mylos::per_element<4>(Push{});
#else
  push(x, c.extent(0) > 1 ? x : View(), 0.1);
  mylos::Kernel("push", mylos::per_element<1>(Push{}))(x, x, 0.1);
#endif
}
