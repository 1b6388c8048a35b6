// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <Kokkos_Core.hpp>

namespace test_kernels::host {

/// A kernel without a port: counts(bin(i)) += 1
struct tally {
  template <class B, class C>
  void operator()(std::int64_t i, const B& bins, const C& counts) const {
    Kokkos::atomic_add(&counts(bins(i)), typename C::value_type(1));
  }
};

}  // namespace test_kernels::host
