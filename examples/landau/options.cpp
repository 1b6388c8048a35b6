// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "kernels/columns.hpp"

namespace landau {
namespace {

constexpr std::int64_t most_markers = std::int64_t{1} << 53;  // beyond, a double no longer counts them
constexpr std::int64_t most_cells = 1 << 16;                  // along an axis: Fourier sums are quadratic in it
constexpr std::int64_t most_steps = 100'000'000;

template <class T>
void require_range(std::string_view option, T value, T lowest, T highest, std::string_view why) {
  if (value >= lowest && value <= highest) return;  // NaN fails
  throw mylos::ValueError(
      fmt::format("--{} is {}: {}: give a number from {} to {}", option, value, why, lowest, highest));
}

void validate_grid(const Options& options) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t lowest = axis >= options.dimension ? 1 : (axis == 0 ? 4 : 2);
    const std::int64_t highest = axis >= options.dimension ? 1 : most_cells;
    require_range("cells", options.cells[static_cast<std::size_t>(axis)], lowest, highest,
                  axis == 0 ? "the wave needs some cells along x, and sums over an axis must stay short"
                            : "the run has so many dimensions");
  }
}

void validate_physics(const Options& options) {
  if (options.mode == Mode::landau) {
    require_range("k", options.k, 0.25, 0.7, "waves outside are damped too little or too fast to be measured");
  } else {
    require_range("k", options.k, 1e-3, 1e3, "it is the wave number in units of the Debye length");
  }
  require_range("epsilon", options.epsilon, 1e-12, 0.5, "it is the relative size of a small perturbation");
  require_range("dt", options.dt, 1e-6, 0.5, "leapfrog needs a fraction of a plasma period");
  require_range("beam-velocity", options.beam_velocity, 0.0, 100.0, "it is in units of the thermal speed");
}

double available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  double kibibytes = 0.0;
  while (file >> name >> kibibytes) {
    if (name == "MemAvailable:") return 1024.0 * kibibytes;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::numeric_limits<double>::infinity();  // not told: let the allocation decide
}

void require_bytes(const Options& options, std::string_view place, double need, double available) {
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  if (need <= available) return;
  throw mylos::ValueError(
      fmt::format("{} particles on {} cells need {:.2f} GiB of {} memory: {:.2f} GiB are free: take fewer particles",
                  options.markers, options.nodes(), need / gibibyte, place, available / gibibyte));
}

}  // namespace

std::string_view to_string(Mode mode) {
  switch (mode) {
    case Mode::landau: return "landau";
    case Mode::two_stream: return "two_stream";
    case Mode::cold_plasma: return "cold_plasma";
  }
  return "?";
}

std::string_view to_string(FieldOperator field_operator) {
  return field_operator == FieldOperator::spectral ? "spectral" : "fd";
}

double Options::cell_size() const { return 2.0 * std::numbers::pi / k / static_cast<double>(cells[0]); }

double Options::volume() const { return std::pow(cell_size(), dimension) * static_cast<double>(nodes()); }

std::int64_t Options::field_interval() const {
  constexpr std::int64_t most_fields = 1024;
  constexpr std::int64_t most_values = std::int64_t{1} << 24;  // 128 MiB
  const std::int64_t fields = std::clamp<std::int64_t>(most_values / (nodes() * (dimension + 1)), 1, most_fields);
  return (steps + fields - 1) / fields;
}

std::int64_t Options::marker_interval() const {
  constexpr std::int64_t most_kept_markers = 200'000;
  return (markers + most_kept_markers - 1) / most_kept_markers | 1;
}

Options options_for(Mode mode, int dimension, bool full_f) {
  Options options;
  options.mode = mode;
  options.dimension = dimension;
  options.full_f = full_f || mode != Mode::landau;
  options.cells = dimension == 3 ? std::array<std::int64_t, 3>{32, 8, 8} : std::array<std::int64_t, 3>{64, 1, 1};
  switch (mode) {
    case Mode::landau:
      options.markers = full_f ? 500'000 : 100'000;
      options.steps = dimension == 3 ? 146 : 151;
      if (full_f && dimension == 3) options.epsilon = 0.02;
      break;
    case Mode::two_stream:
      options.markers = 40'000;
      options.steps = 451;
      options.epsilon = 1e-5;
      options.beam_velocity = std::sqrt(0.375) / options.k;  // the fastest growing wave
      break;
    case Mode::cold_plasma:
      options.markers = 40'000;
      options.steps = 629;  // ten periods
      options.epsilon = 1e-3;
      break;
  }
  return options;
}

void validate(const Options& options) {
  if (options.dimension != 1 && options.dimension != 3) {
    throw mylos::ValueError(
        fmt::format("--dimension is {}: runs are in one or in three dimensions: give 1 or 3", options.dimension));
  }
  if (options.dimension == 3 && options.mode != Mode::landau) {
    throw mylos::ValueError(
        fmt::format("--mode {} in three dimensions: beams are loaded in one dimension only: give "
                    "--dimension 1",
                    to_string(options.mode)));
  }
  require_range<std::int64_t>("particles", options.markers, 1, most_markers, "a run needs markers, and counts them");
  require_range<std::int64_t>("steps", options.steps, 1, most_steps, "a run needs steps, and keeps a row for each");
  if (options.mode == Mode::two_stream && options.markers % 2 != 0) {
    throw mylos::ValueError(
        fmt::format("--particles is {}: the two beams have as many each: give an even number", options.markers));
  }
  validate_grid(options);
  validate_physics(options);
}

MemoryNeed memory_need(const Options& options) {
  constexpr double word = sizeof(double);
  const auto markers = static_cast<double>(options.markers);
  const auto nodes = static_cast<double>(options.nodes());
  const double per_marker = 2.0 * options.dimension + (options.controlled() ? 2.0 : 0.0);
  const double history = static_cast<double>(options.steps * History::columns);
  const double series = static_cast<double>(options.kept_fields()) * nodes * (options.dimension + 1.0);
  const double grid = nodes * (4.0 + 5.0 * options.dimension);
  const double sample = static_cast<double>(options.kept_markers()) * per_marker;
  return {word * (markers * per_marker + history + series + grid), word * (history + series + sample)};
}

void require_memory(const Options& options) {
  const MemoryNeed need = memory_need(options);
  if (mylos::backend() == mylos::Backend::cuda) {
    require_bytes(options, "device", need.backend, static_cast<double>(mylos::memory_info().free));
    require_bytes(options, "host", need.host, available_memory());
  } else {
    require_bytes(options, "host", need.backend + need.host, available_memory());
  }
}

}  // namespace landau
