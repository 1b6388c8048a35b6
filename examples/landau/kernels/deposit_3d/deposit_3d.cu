// SPDX-License-Identifier: MIT
#include <mylos/device/array.hpp>
#include <mylos/device/atomic.hpp>

#include "../columns.hpp"
#include "../marker.hpp"

using landau::Cloud;
using landau::divided;
using landau::MarkerSums;
using landau::Parts;
using mylos::device::atomic_add;

// Markers are dealt to threads as in deposit_1d.
extern "C" __global__ void deposit_3d(std::int64_t* units, mylos::Array<double, 2> sums,
                                      mylos::Array<const double, 2> x, mylos::Array<const double, 2> v,
                                      const double* weight, const double* start_squared, bool controlled,
                                      double units_per_marker, std::int64_t nx, std::int64_t ny, std::int64_t nz,
                                      std::int64_t markers, std::int64_t per_thread) {
  const std::int64_t stride = blockDim.x;
  std::int64_t p = stride * per_thread * blockIdx.x + threadIdx.x;
  double total = 0.0;
  double magnitude = 0.0;
  for (std::int64_t step = 0; step < per_thread && p < markers; ++step, p += stride) {
    const double squared = v(p, 0) * v(p, 0) + v(p, 1) * v(p, 1) + v(p, 2) * v(p, 2);
    const double w = controlled ? landau::delta_weight(weight[p], start_squared[p], squared) : 1.0;
    const Cloud cx = landau::cloud_at(x(p, 0), nx);
    const Cloud cy = landau::cloud_at(x(p, 1), ny);
    const Cloud cz = landau::cloud_at(x(p, 2), nz);
    const Parts in_x = divided(landau::in_units(w, units_per_marker), cx);
    for (int a = 0; a < 2; ++a) {
      const Parts in_y = divided(in_x.part[a], cy);
      for (int b = 0; b < 2; ++b) {
        const Parts in_z = divided(in_y.part[b], cz);
        std::int64_t* line = units + (cx.node[a] * ny + cy.node[b]) * nz;
        atomic_add(&line[cz.node[0]], in_z.part[0]);
        atomic_add(&line[cz.node[1]], in_z.part[1]);
      }
    }
    total += w;
    magnitude += fabs(w);
  }
  const std::int64_t slot = threadIdx.x % sums.extent(0);
  atomic_add(&sums(slot, MarkerSums::charge), total);
  atomic_add(&sums(slot, MarkerSums::magnitude), magnitude);
}
