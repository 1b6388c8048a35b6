// SPDX-License-Identifier: MIT
// Views that device_array() cannot take, refused with the reason.
#include <Kokkos_Core.hpp>

#include <mylos/kernel.hpp>

using mylos::device_array;
using View = Kokkos::View<double**, mylos::DeviceSpace>;

[[maybe_unused]] static void use(const View& x,
                                 [[maybe_unused]] const Kokkos::View<const double**, mylos::DeviceSpace>& c,
                                 [[maybe_unused]] const Kokkos::View<double**, mylos::HostSpace>& h) {
#if defined(CASE_other_rank)
  [[maybe_unused]] const auto array = device_array<double, 1>(x);
#elif defined(CASE_other_type)
  [[maybe_unused]] const auto array = device_array<float, 2>(x);
#elif defined(CASE_const_view)
  [[maybe_unused]] const auto array = device_array<double, 2>(c);
#elif defined(CASE_host_view)
  [[maybe_unused]] const auto array = device_array<double, 2>(h);
#elif defined(CASE_no_view)
  [[maybe_unused]] const auto array = device_array<double, 2>(x.data());
#else
  [[maybe_unused]] const mylos::Array<double, 2> array = device_array<double, 2>(x);
  [[maybe_unused]] const mylos::Array<const double, 2> read = device_array<const double, 2>(x);
  [[maybe_unused]] const auto read_only = device_array<const double, 2>(c);
#endif
}
