// SPDX-License-Identifier: MIT
#include "theory.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <mylos/base/error.hpp>

namespace landau {
namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;
constexpr Complex imaginary{0.0, 1.0};

// Weideman's rational expansion of the Faddeeva function (SIAM J. Numer. Anal. 31, 1994, 1497-1518): a polynomial in
// (L + iz) / (L - iz), whose coefficients are Fourier coefficients of exp(-t^2) (L^2 + t^2) on t = L tan(theta / 2).
class FaddeevaExpansion {
 public:
  FaddeevaExpansion() {
    constexpr int samples = 4 * terms;
    for (int n = 0; n < terms; ++n) {
      for (int j = 1 - samples / 2; j < samples / 2; ++j) {
        const double theta = 2.0 * pi * j / samples;
        const double t = scale_ * std::tan(0.5 * theta);
        coefficients_[n] += std::exp(-t * t) * (scale_ * scale_ + t * t) * std::cos((n + 1) * theta) / samples;
      }
    }
  }

  // Im z >= 0.
  [[nodiscard]] Complex operator()(Complex z) const {
    const Complex denominator = scale_ - imaginary * z;
    const Complex ratio = (scale_ + imaginary * z) / denominator;
    Complex polynomial = 0.0;
    for (int n = terms - 1; n >= 0; --n) polynomial = polynomial * ratio + coefficients_[n];
    return 2.0 * polynomial / (denominator * denominator) + 1.0 / (std::sqrt(pi) * denominator);
  }

 private:
  static constexpr int terms = 48;
  double scale_ = std::sqrt(terms / std::numbers::sqrt2);
  std::array<double, terms> coefficients_{};
};

Complex faddeeva(Complex z) {
  static const FaddeevaExpansion upper_half;
  if (z.imag() >= 0.0) return upper_half(z);
  return 2.0 * std::exp(-z * z) - upper_half(-z);
}

// Value and derivative by the frequency of 1 + coupling * ((1 + z Z(z)) / k^2 - shift), z = frequency / (sqrt(2) k).
// source / derivative is amplitude exp(i phase): from the Laplace transform of the field, (epsilon / 2k) (-source / 2)
// / value, whose poles at +-frequency make up the wave.
struct Dispersion {
  Complex value, derivative, source;

  Dispersion(Complex frequency, double k, const Scheme& scheme) {
    const double dz = 1.0 / (std::numbers::sqrt2 * k);
    const Complex z = frequency * dz;
    const Complex function = plasma_dispersion(z);
    const Complex slope = -2.0 * (1.0 + z * function);
    value = 1.0 + scheme.coupling * ((1.0 + z * function) / (k * k) - scheme.shift);
    derivative = scheme.coupling * (function + z * slope) * dz / (k * k);
    source = -2.0 * function * dz;
  }
};

}  // namespace

Complex plasma_dispersion(Complex z) { return imaginary * std::sqrt(pi) * faddeeva(z); }

Scheme Scheme::of_grid(double k, double cell_size, double dt, FieldOperator field_operator) {
  const double half_angle = 0.5 * k * cell_size;
  const double shape = std::pow(std::sin(half_angle) / half_angle, 2);
  double gradient = k;
  double laplacian = k * k;
  if (field_operator == FieldOperator::finite_difference) {
    gradient = std::sin(k * cell_size) / cell_size;
    laplacian = std::pow(2.0 * std::sin(half_angle) / cell_size, 2);
  }
  return {.coupling = shape * shape * k * gradient / laplacian, .shift = dt * dt / 12.0};
}

Wave landau_wave(double k, const Scheme& scheme) {
  if (!(k >= 0.2 && k <= 1.0)) {
    throw mylos::ValueError("no Landau root for k = " + std::to_string(k) +
                            ": waves much longer than the Debye length are hardly damped and shorter ones die at once: "
                            "take k between 0.2 and 1");
  }
  // The Bohm-Gross frequency, and a rate fitted by eye to the known roots: Newton needs no better start here.
  Complex frequency{std::sqrt(1.0 + 3.0 * k * k), k < 0.45 ? -0.05 : -0.2};
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Dispersion dispersion(frequency, k, scheme);
    const Complex correction = dispersion.value / dispersion.derivative;
    frequency -= correction;
    if (std::abs(correction) < 1e-15) break;
  }
  const Dispersion dispersion(frequency, k, scheme);
  const Complex residue = dispersion.source / dispersion.derivative;
  return {frequency.real(), frequency.imag(), std::abs(residue), std::arg(residue)};
}

std::vector<double> energy_maxima(const Wave& wave, double after, double before) {
  std::vector<double> times;
  const double first = wave.phase + std::atan(wave.rate / wave.frequency);
  for (int n = 0;; ++n) {
    const double time = (first + n * pi) / wave.frequency;
    if (!(time < before)) return times;
    if (time > after) times.push_back(time);
  }
}

double two_stream_growth(double k, double beam_velocity) {
  const double x = std::pow(k * beam_velocity, 2);
  const double square = x + 0.5 - std::sqrt(0.25 + 2.0 * x);
  return square < 0.0 ? std::sqrt(-square) : 0.0;
}

double cold_frequency(const Scheme& scheme, double dt) {
  const double frequency = std::sqrt(scheme.coupling);
  return dt > 0.0 ? 2.0 / dt * std::asin(0.5 * dt * frequency) : frequency;
}

}  // namespace landau
