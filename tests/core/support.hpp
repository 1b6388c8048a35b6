// SPDX-License-Identifier: MIT
// What the tests of the device space share.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <mylos/core/spaces.hpp>

#include "support/random_seed.hpp"

namespace mylos_test {

using mylos::Device;
using mylos::DeviceSpace;
using mylos::HostSpace;

/// Small whole numbers, which every element type of the tests holds exactly.
class Random {
 public:
  int number() { return static_cast<int>(engine_() % 100) + 1; }

 private:
  std::mt19937_64 engine_{random_seed()};
};

/// Extents 2, 3, 4, 2, 3, ... as arguments of a View's constructor.
template <class V>
V make_view(const std::string& label) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return V(label, (I % 3 + 2)...);
  }(std::make_index_sequence<V::rank>());
}

/// Calls visit(indices...) for every index of the View.
template <class V, class Visit, class... Index>
void for_each_index(const V& view, const Visit& visit, Index... index) {
  if constexpr (sizeof...(Index) == V::rank) {
    visit(index...);
  } else {
    for (std::size_t i = 0; i < view.extent(sizeof...(Index)); ++i) for_each_index(view, visit, index..., i);
  }
}

/// Fills a host View with random numbers.
template <class V>
void randomize(const V& host, Random& random) {
  for_each_index(host, [&](auto... i) { host(i...) = static_cast<typename V::value_type>(random.number()); });
}

/// Equal element by element, index by index; layouts may differ.
template <class A, class B>
void expect_equal(const A& a, const B& b) {
  ASSERT_EQ(A::rank, B::rank);
  for (std::size_t axis = 0; axis < A::rank; ++axis) ASSERT_EQ(a.extent(axis), b.extent(axis)) << "axis " << axis;
  std::int64_t different = 0;
  for_each_index(a, [&](auto... i) { different += a(i...) == b(i...) ? 0 : 1; });
  EXPECT_EQ(different, 0) << "elements that differ";
}

template <class V, class T>
void expect_all(const V& host, const T& value) {
  std::int64_t different = 0;
  for_each_index(host, [&](auto... i) { different += host(i...) == value ? 0 : 1; });
  EXPECT_EQ(different, 0) << "elements that differ";
}

/// The device View's elements on the host, by Kokkos' own means.
template <class V>
auto on_host(const V& device) {
  return Kokkos::create_mirror_view_and_copy(HostSpace(), device);
}

}  // namespace mylos_test
