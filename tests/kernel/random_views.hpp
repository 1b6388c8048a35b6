// SPDX-License-Identifier: MIT
// Views with random elements, and their elements as plain vectors for references.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <Kokkos_Core.hpp>

#include <mylos/core/conversions.hpp>

namespace mylos_test {

/// Rank 1 in Space, uniform in [-1, 1).
template <class Space>
Kokkos::View<double*, Space> random_view(const std::string& label, std::size_t n, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Kokkos::View<double*, mylos::HostSpace> host(label, n);
  for (std::size_t i = 0; i < n; ++i) host(i) = uniform(random);
  return mylos::copy_to<Space>(host);
}

template <class V>
std::vector<double> elements(const V& view) {
  const auto host = mylos::to_host(view);
  std::vector<double> values(host.extent(0));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = host(i);
  return values;
}

}  // namespace mylos_test
