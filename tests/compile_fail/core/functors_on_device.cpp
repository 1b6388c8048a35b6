// SPDX-License-Identifier: MIT
// Where Kokkos has no CUDA, a functor on the device is refused with a sentence that says what to do.
#include <string>
#include <vector>

#include <Kokkos_Core.hpp>
#include <Kokkos_ScatterView.hpp>
#include <Kokkos_Sort.hpp>
#include <Kokkos_StdAlgorithms.hpp>
#include <Kokkos_UnorderedMap.hpp>

#include <mylos/core.hpp>

using mylos::Device;
using mylos::DeviceSpace;
using Vector = Kokkos::View<double*, DeviceSpace>;

[[maybe_unused]] static void use(const Vector& v) {
#if defined(CASE_parallel_for)
  Kokkos::parallel_for(Kokkos::RangePolicy<Device>(0, 4), KOKKOS_LAMBDA(int i) { v(i) = i; });
#elif defined(CASE_parallel_for_md)
  Kokkos::parallel_for(
      Kokkos::MDRangePolicy<Device, Kokkos::Rank<2>>({0, 0}, {3, 3}), KOKKOS_LAMBDA(int i, int) { v(i) = i; });
#elif defined(CASE_parallel_for_team)
  using Team = Kokkos::TeamPolicy<Device>;
  Kokkos::parallel_for(Team(4, 1), KOKKOS_LAMBDA(const Team::member_type&){});
#elif defined(CASE_parallel_reduce)
  double sum = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Device>(0, 4), KOKKOS_LAMBDA(int i, double& s) { s += v(i); }, sum);
#elif defined(CASE_parallel_scan)
  Kokkos::parallel_scan(Kokkos::RangePolicy<Device>(0, 4), KOKKOS_LAMBDA(int i, double& s, bool) { s += v(i); });
#elif defined(CASE_parallel_scan_total)
  double total = 0;
  Kokkos::parallel_scan(Kokkos::RangePolicy<Device>(0, 4), KOKKOS_LAMBDA(int i, double& s, bool) { s += v(i); }, total);
#elif defined(CASE_scatter_view)
  Kokkos::Experimental::ScatterView<double*, Kokkos::LayoutLeft, Device> scatter("scatter", 4);
#elif defined(CASE_create_scatter_view)
  [[maybe_unused]] auto scatter = Kokkos::Experimental::create_scatter_view(v);
#elif defined(CASE_sort)
  Kokkos::sort(v);
#elif defined(CASE_std_fill)
  Kokkos::Experimental::fill(Device(), v, 1.0);
#elif defined(CASE_std_equal)
  [[maybe_unused]] const bool same = Kokkos::Experimental::equal(Device(), v, v);
#elif defined(CASE_map_rehash)
  Kokkos::UnorderedMap<int, double, Device> map(100);
  map.rehash(200);
#elif defined(CASE_host_objects)
  Kokkos::View<std::vector<int>*, DeviceSpace> vectors("vectors", 3);
#elif defined(CASE_views_of_views)
  Kokkos::View<Kokkos::View<double*>*, DeviceSpace> views("views", 3);
#else
  Kokkos::deep_copy(v, 1.0);  // what the others differ from compiles
#endif
}
