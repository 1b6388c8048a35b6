// SPDX-License-Identifier: MIT
#include <mylos/device/array.hpp>
#include <mylos/device/atomic.hpp>

#include "../columns.hpp"
#include "../marker.hpp"

using landau::MarkerSums;
using mylos::device::atomic_add;

// Markers are dealt to threads as in deposit_1d.
extern "C" __global__ void push_1d(double* x, double* v, const double* field, const double* weight,
                                   mylos::Array<double, 2> sums, bool weighted, double kick, double drift,
                                   std::int64_t cells, std::int64_t markers, std::int64_t per_thread) {
  const std::int64_t stride = blockDim.x;
  std::int64_t p = stride * per_thread * blockIdx.x + threadIdx.x;
  double kinetic = 0.0;
  double momentum = 0.0;
  for (std::int64_t step = 0; step < per_thread && p < markers; ++step, p += stride) {
    const landau::Cloud cloud = landau::cloud_at(x[p], cells);
    const double force = -(cloud.share[0] * field[cloud.node[0]] + cloud.share[1] * field[cloud.node[1]]);
    const double before = v[p];
    const double after = before + kick * force;
    const double mean = 0.5 * (before + after);
    const double w = weighted ? weight[p] : 1.0;
    kinetic += w * mean * mean;
    momentum += w * mean;
    v[p] = after;
    x[p] = landau::wrapped(x[p] + drift * after, cells);
  }
  const std::int64_t slot = threadIdx.x % sums.extent(0);
  atomic_add(&sums(slot, MarkerSums::kinetic), kinetic);
  atomic_add(&sums(slot, MarkerSums::momentum_x), momentum);
}
