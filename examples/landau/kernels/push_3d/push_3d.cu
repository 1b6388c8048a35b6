// SPDX-License-Identifier: MIT
#include <mylos/device/array.hpp>
#include <mylos/device/atomic.hpp>

#include "../columns.hpp"
#include "../marker.hpp"

using landau::Cloud;
using landau::MarkerSums;
using mylos::device::atomic_add;

// The field has three components at a node side by side: one 24-byte read of a thread serves all of them.
__device__ void gather(double (&force)[3], const double* field, double x, double y, double z, std::int64_t nx,
                       std::int64_t ny, std::int64_t nz) {
  const Cloud cx = landau::cloud_at(x, nx);
  const Cloud cy = landau::cloud_at(y, ny);
  const Cloud cz = landau::cloud_at(z, nz);
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      for (int c = 0; c < 2; ++c) {
        const double* node = field + 3 * ((cx.node[a] * ny + cy.node[b]) * nz + cz.node[c]);
        const double share = cx.share[a] * cy.share[b] * cz.share[c];
        for (int d = 0; d < 3; ++d) force[d] -= share * node[d];
      }
    }
  }
}

// Markers are dealt to threads as in deposit_1d.
extern "C" __global__ void push_3d(mylos::Array<double, 2> x, mylos::Array<double, 2> v,
                                   mylos::ContiguousArray<const double, 2> field, const double* weight,
                                   mylos::Array<double, 2> sums, bool weighted, double kick, double drift,
                                   std::int64_t nx, std::int64_t ny, std::int64_t nz, std::int64_t markers,
                                   std::int64_t per_thread) {
  const std::int64_t stride = blockDim.x;
  std::int64_t p = stride * per_thread * blockIdx.x + threadIdx.x;
  const double cells[3] = {double(nx), double(ny), double(nz)};
  double kinetic = 0.0;
  double momentum[3] = {};
  for (std::int64_t step = 0; step < per_thread && p < markers; ++step, p += stride) {
    double force[3] = {};
    gather(force, field.data(), x(p, 0), x(p, 1), x(p, 2), nx, ny, nz);
    const double w = weighted ? weight[p] : 1.0;
    for (int d = 0; d < 3; ++d) {
      const double before = v(p, d);
      const double after = before + kick * force[d];
      const double mean = 0.5 * (before + after);
      kinetic += w * mean * mean;
      momentum[d] += w * mean;
      v(p, d) = after;
      x(p, d) = landau::wrapped(x(p, d) + drift * after, cells[d]);
    }
  }
  const std::int64_t slot = threadIdx.x % sums.extent(0);
  atomic_add(&sums(slot, MarkerSums::kinetic), kinetic);
  for (int d = 0; d < 3; ++d) atomic_add(&sums(slot, MarkerSums::momentum_x + d), momentum[d]);
}
