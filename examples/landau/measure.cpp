// SPDX-License-Identifier: MIT
#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace landau {

Line fit_line(std::span<const double> x, std::span<const double> y) {
  const auto count = static_cast<double>(x.size());
  double mean_x = 0.0;
  double mean_y = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / count;
    mean_y += y[i] / count;
  }
  double covariance = 0.0;
  double variance = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    covariance += (x[i] - mean_x) * (y[i] - mean_y);
    variance += (x[i] - mean_x) * (x[i] - mean_x);
  }
  const double slope = covariance / variance;
  return {mean_y - slope * mean_x, slope};
}

std::vector<Maximum> find_maxima(std::span<const double> samples, double dt, Window window) {
  std::vector<Maximum> maxima;
  for (std::size_t n = 1; n + 1 < samples.size(); ++n) {
    const double time = static_cast<double>(n) * dt;
    if (!(time > window.after && time < window.before)) continue;
    if (!(samples[n - 1] < samples[n] && samples[n] >= samples[n + 1] && samples[n - 1] > 0.0 &&
          samples[n + 1] > 0.0)) {
      continue;
    }
    const double before = std::log(samples[n - 1]);
    const double here = std::log(samples[n]);
    const double after = std::log(samples[n + 1]);
    const double offset = 0.5 * (before - after) / (before - 2.0 * here + after);
    maxima.push_back({time + offset * dt, here - 0.25 * (before - after) * offset});
  }
  return maxima;
}

std::optional<Damping> measure_damping(std::span<const double> energy, double dt, Window window) {
  constexpr double pi = std::numbers::pi;
  Damping damping;
  damping.maxima = find_maxima(energy, dt, window);
  if (damping.maxima.size() < 3) return std::nullopt;
  std::vector<double> number;
  std::vector<double> time;
  std::vector<double> log_value;
  for (const Maximum& maximum : damping.maxima) {
    number.push_back(static_cast<double>(number.size()));
    time.push_back(maximum.time);
    log_value.push_back(maximum.log_value);
  }
  const Line decay = fit_line(time, log_value);
  const Line spacing = fit_line(number, time);
  damping.rate = 0.5 * decay.slope;
  damping.frequency = pi / spacing.slope;
  const double lag = std::atan(damping.rate / damping.frequency);  // a damped maximum comes before that of the cosine
  damping.peak_energy = std::exp(decay.intercept) / std::pow(std::cos(lag), 2);
  damping.phase = std::remainder(damping.frequency * spacing.intercept - lag, pi);
  return damping;
}

std::optional<double> measure_growth(std::span<const std::complex<double>> mode, double dt, double above,
                                     double below) {
  std::vector<double> square(mode.size());
  std::ranges::transform(mode, square.begin(), [](std::complex<double> z) { return std::norm(z); });
  if (square.empty()) return std::nullopt;
  const double lower = above * square.front();
  const double upper = below * std::ranges::max(square);
  std::vector<double> time;
  std::vector<double> log_square;
  for (std::size_t n = 0; n < square.size() && square[n] <= upper; ++n) {
    if (square[n] < lower || !(square[n] > 0.0)) continue;
    time.push_back(static_cast<double>(n) * dt);
    log_square.push_back(std::log(square[n]));
  }
  if (time.size() < 10) return std::nullopt;
  return 0.5 * fit_line(time, log_square).slope;
}

std::optional<double> measure_frequency(std::span<const std::complex<double>> mode, double dt) {
  double product = 0.0;
  double square = 0.0;
  for (std::size_t n = 1; n + 1 < mode.size(); ++n) {
    product += std::real(std::conj(mode[n]) * (mode[n + 1] + mode[n - 1]));
    square += std::norm(mode[n]);
  }
  const double cosine = 0.5 * product / square;
  if (!(std::abs(cosine) < 1.0)) return std::nullopt;
  return std::acos(cosine) / dt;
}

}  // namespace landau
