// SPDX-License-Identifier: MIT
#include <mylos/device/array.hpp>
#include <mylos/device/atomic.hpp>

#include "../columns.hpp"
#include "../marker.hpp"

using landau::MarkerSums;
using mylos::device::atomic_add;

// A block takes blockDim.x * per_thread markers in a row, each thread every blockDim.x-th of them: reads are coalesced,
// and a sum meets global memory once per thread instead of once per marker.
extern "C" __global__ void deposit_1d(std::int64_t* units, mylos::Array<double, 2> sums, const double* x,
                                      const double* v, const double* weight, const double* start_squared,
                                      bool controlled, double units_per_marker, std::int64_t cells,
                                      std::int64_t markers, std::int64_t per_thread) {
  const std::int64_t stride = blockDim.x;
  std::int64_t p = stride * per_thread * blockIdx.x + threadIdx.x;
  double total = 0.0;
  double magnitude = 0.0;
  for (std::int64_t step = 0; step < per_thread && p < markers; ++step, p += stride) {
    const double w = controlled ? landau::delta_weight(weight[p], start_squared[p], v[p] * v[p]) : 1.0;
    const landau::Cloud cloud = landau::cloud_at(x[p], cells);
    const landau::Parts parts = landau::divided(landau::in_units(w, units_per_marker), cloud);
    atomic_add(&units[cloud.node[0]], parts.part[0]);
    atomic_add(&units[cloud.node[1]], parts.part[1]);
    total += w;
    magnitude += fabs(w);
  }
  const std::int64_t slot = threadIdx.x % sums.extent(0);
  atomic_add(&sums(slot, MarkerSums::charge), total);
  atomic_add(&sums(slot, MarkerSums::magnitude), magnitude);
}
