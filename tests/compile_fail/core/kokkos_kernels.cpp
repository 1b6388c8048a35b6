// SPDX-License-Identifier: MIT
// Kokkos Kernels on the device, where Kokkos has no CUDA: its containers hold device memory, its functions are refused.
#include <KokkosBlas1_axpby.hpp>
#include <KokkosBlas1_dot.hpp>
#include <KokkosSparse_CrsMatrix.hpp>
#include <Kokkos_Core.hpp>

#include <mylos/core.hpp>

using mylos::Device;
using Vector = Kokkos::View<double*, mylos::DeviceSpace>;

[[maybe_unused]] static void use(const Vector& x, const Vector& y) {
#if defined(CASE_axpy)
  KokkosBlas::axpy(2.0, x, y);
#elif defined(CASE_dot)
  [[maybe_unused]] const double product = KokkosBlas::dot(x, y);
#else
  using Matrix = KokkosSparse::CrsMatrix<double, int, Device>;
  const Matrix::row_map_type::non_const_type rows("rows", 4);
  const Matrix::index_type::non_const_type columns("columns", 3);
  [[maybe_unused]] const Matrix matrix("matrix", 3, 3, x.extent(0), x, rows, columns);
  static_cast<void>(y);
#endif
}
