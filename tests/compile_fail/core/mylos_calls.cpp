// SPDX-License-Identifier: MIT
// Calls of Mylos' functions that cannot work, refused with the reason.
#include <Kokkos_Core.hpp>

#include <mylos/core.hpp>

using mylos::DeviceSpace;
using mylos::HostSpace;

[[maybe_unused]] static void use(const Kokkos::View<double*, DeviceSpace>& v) {
#if defined(CASE_with_backend_two_types)
  mylos::with_backend([]<class Space>(Space) { return Kokkos::View<double*, Space>("view", 3); });
#elif defined(CASE_copy_view_ranks)
  mylos::copy_view(v, Kokkos::View<double**, HostSpace>("matrix", 3, 3));
#elif defined(CASE_copy_view_const)
  mylos::copy_view(Kokkos::View<const double*, HostSpace>(), v);
#elif defined(CASE_output_in_const)
  [[maybe_unused]] auto out = mylos::output_in<HostSpace>(Kokkos::View<const double*, DeviceSpace>(v));
#elif defined(CASE_assign_across)
  [[maybe_unused]] Kokkos::View<double*, HostSpace> host = v;
#else
  mylos::copy_view(Kokkos::View<double*, HostSpace>("host", 3), v);
#endif
}
