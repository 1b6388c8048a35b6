// SPDX-License-Identifier: MIT
#include <mylos/device/array.hpp>
#include <mylos/device/atomic.hpp>

#include "../columns.hpp"
#include "../marker.hpp"

using landau::MarkerSums;
using mylos::device::atomic_add;

// A block takes blockDim.x * per_thread markers in a row, each thread every blockDim.x-th of them: reads are coalesced,
// and a sum meets global memory once per thread instead of once per marker.
extern "C" __global__ void deposit_1d(double* charge, mylos::Array<double, 2> sums, const double* x, const double* v,
                                      const double* weight, const double* start_squared, bool controlled,
                                      std::int64_t cells, std::int64_t markers, std::int64_t per_thread) {
  const std::int64_t stride = blockDim.x;
  std::int64_t p = stride * per_thread * blockIdx.x + threadIdx.x;
  double total = 0.0;
  for (std::int64_t step = 0; step < per_thread && p < markers; ++step, p += stride) {
    const double w = controlled ? landau::delta_weight(weight[p], start_squared[p], v[p] * v[p]) : 1.0;
    const landau::Cloud cloud = landau::cloud_at(x[p], cells);
    atomic_add(&charge[cloud.node[0]], w * cloud.share[0]);
    atomic_add(&charge[cloud.node[1]], w * cloud.share[1]);
    total += w;
  }
  atomic_add(&sums(threadIdx.x % sums.extent(0), MarkerSums::charge), total);
}
