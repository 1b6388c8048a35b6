// SPDX-License-Identifier: MIT
// The rival of examples/landau: the same full-f plasma in one dimension, written as plain Kokkos loops for the host,
// with the same arithmetic per marker and per node, and no Mylos.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include <Kokkos_Core.hpp>

namespace mylos_perf {

class HandWrittenPlasma {
 public:
  using Vector = Kokkos::View<double*, Kokkos::HostSpace>;

  /// Takes copies of positions (in cells) and velocities.
  HandWrittenPlasma(const Vector& x, const Vector& v, std::int64_t cells, double cell_size, double dt)
      : markers_(static_cast<std::int64_t>(x.extent(0))),
        cells_(cells),
        cell_size_(cell_size),
        dt_(dt),
        units_per_marker_(std::ldexp(1.0, 60 - std::bit_width(x.extent(0) - 1))),
        x_("x", x.extent(0)),
        v_("v", v.extent(0)),
        units_("units", static_cast<std::size_t>(cells)),
        charge_("charge", static_cast<std::size_t>(cells)),
        field_("field", static_cast<std::size_t>(cells)),
        real_("real", static_cast<std::size_t>(cells)),
        imaginary_("imaginary", static_cast<std::size_t>(cells)),
        cosine_("cosine", static_cast<std::size_t>(cells)),
        sine_("sine", static_cast<std::size_t>(cells)) {
    Kokkos::deep_copy(x_, x);
    Kokkos::deep_copy(v_, v);
    for (std::int64_t m = 0; m < cells; ++m) {
      cosine_(m) = std::cos(2.0 * M_PI * static_cast<double>(m) / static_cast<double>(cells));
      sine_(m) = std::sin(2.0 * M_PI * static_cast<double>(m) / static_cast<double>(cells));
    }
  }

  void advance() {
    deposit();
    solve();
    push();
  }

  [[nodiscard]] double kinetic() const { return kinetic_; }
  [[nodiscard]] double field_energy() const { return field_energy_; }

 private:
  using Range = Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::IndexType<std::int64_t>>;

  void deposit() {
    const auto x = x_;
    const auto units = units_;
    const auto charge = charge_;
    const std::int64_t cells = cells_;
    const double whole = units_per_marker_;
    Kokkos::parallel_for("deposit", Range(0, markers_), [=](std::int64_t p) {
      const auto lower = static_cast<std::int64_t>(x(p));
      const std::int64_t upper = lower + 1 == cells ? 0 : lower + 1;
      const double share = x(p) - static_cast<double>(lower);
      const auto part = static_cast<std::int64_t>(whole * share);
      Kokkos::atomic_add(&units(lower), static_cast<std::int64_t>(whole) - part);
      Kokkos::atomic_add(&units(upper), part);
    });
    Kokkos::parallel_for("collect", Range(0, cells), [=](std::int64_t node) {
      charge(node) = static_cast<double>(units(node)) / whole;
      units(node) = 0;
    });
  }

  // E = -i kappa rho / K^2 with finite differences; Fourier sums.
  void solve() {
    const auto charge = charge_, field = field_, real = real_, imaginary = imaginary_, cosine = cosine_, sine = sine_;
    const std::int64_t cells = cells_;
    const double h = cell_size_;
    const double scale = -1.0 / static_cast<double>(markers_);
    double energy = 0.0;
    Kokkos::parallel_reduce(
        "spectrum", Range(0, cells),
        [=](std::int64_t mode, double& sum) {
          double a = 0.0;
          double b = 0.0;
          for (std::int64_t j = 0, angle = 0; j < cells; ++j) {
            a += charge(j) * cosine(angle);
            b -= charge(j) * sine(angle);
            angle += mode;
            if (angle >= cells) angle -= cells;
          }
          const double squared = (2.0 - 2.0 * cosine(mode)) / (h * h);
          const bool flat = mode == 0 || 2 * mode == cells;
          const double factor = flat ? 0.0 : scale * sine(mode) / (h * squared);
          real(mode) = factor * b;
          imaginary(mode) = -factor * a;
          sum += real(mode) * real(mode) + imaginary(mode) * imaginary(mode);
        },
        energy);
    field_energy_ = 0.5 * h * static_cast<double>(cells) * energy;
    Kokkos::parallel_for("field", Range(0, cells), [=](std::int64_t node) {
      double sum = 0.0;
      for (std::int64_t m = 0, angle = 0; m < cells; ++m) {
        sum += real(m) * cosine(angle) - imaginary(m) * sine(angle);
        angle += node;
        if (angle >= cells) angle -= cells;
      }
      field(node) = sum;
    });
  }

  void push() {
    const auto x = x_, v = v_, field = field_;
    const std::int64_t cells = cells_;
    const double length = static_cast<double>(cells_);
    const double dt = dt_;
    const double drift = dt_ / cell_size_;
    double kinetic = 0.0;
    double momentum = 0.0;
    Kokkos::parallel_reduce(
        "push", Range(0, markers_),
        [=](std::int64_t p, double& energy_sum, double& momentum_sum) {
          const auto lower = static_cast<std::int64_t>(x(p));
          const std::int64_t upper = lower + 1 == cells ? 0 : lower + 1;
          const double share = x(p) - static_cast<double>(lower);
          const double before = v(p);
          const double after = before - dt * ((1.0 - share) * field(lower) + share * field(upper));
          const double mean = 0.5 * (before + after);
          energy_sum += mean * mean;
          momentum_sum += mean;
          v(p) = after;
          double position = x(p) + drift * after;
          if (!(position >= 0.0 && position < length)) {
            position -= length * std::floor(position / length);
            if (!(position < length)) position = 0.0;
          }
          x(p) = position;
        },
        kinetic, momentum);
    kinetic_ = kinetic;
    momentum_ = momentum;
  }

  std::int64_t markers_, cells_;
  double cell_size_, dt_, units_per_marker_;
  Vector x_, v_;
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> units_;
  Vector charge_, field_, real_, imaginary_, cosine_, sine_;
  double kinetic_ = 0.0, momentum_ = 0.0, field_energy_ = 0.0;
};

}  // namespace mylos_perf
