// SPDX-License-Identifier: MIT
// Random inputs of the kernels' parity tests: the same numbers in every space.
#pragma once

#include <cstdint>
#include <random>

#include <Kokkos_Core.hpp>

namespace landau::parity {

template <class Space>
using Vector = Kokkos::View<double*, Kokkos::LayoutLeft, Space>;
template <class Space>
using Columns = Kokkos::View<double**, Kokkos::LayoutLeft, Space>;
template <class Space>
using Rows = Kokkos::View<double**, Kokkos::LayoutRight, Space>;
template <class Space>
using Grid = Kokkos::View<double***, Kokkos::LayoutRight, Space>;
template <class Space>
using Units = Kokkos::View<std::int64_t*, Kokkos::LayoutRight, Space>;

inline constexpr std::int64_t markers = 1003;  // does not fill its last thread, nor its last block
inline constexpr std::int64_t per_thread = 16;
inline constexpr std::int64_t threads = (markers + per_thread - 1) / per_thread;
inline constexpr double units_per_marker = 0x1p20;  // so few that the last bit of another exp() does not change a count

/// Makes Views of uniform numbers, one after another.
class Inputs {
 public:
  explicit Inputs(std::uint64_t seed) : random_(seed) {}

  template <class View, class... Extents>
  View make(double lowest, double highest, Extents... extents) {
    const View view("input", static_cast<std::size_t>(extents)...);
    const auto host = Kokkos::create_mirror_view(view);
    std::uniform_real_distribution<double> uniform(lowest, highest);
    using Value = typename View::value_type;
    for (std::size_t i = 0; i < host.span(); ++i) host.data()[i] = static_cast<Value>(uniform(random_));
    Kokkos::deep_copy(view, host);
    return view;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace landau::parity
