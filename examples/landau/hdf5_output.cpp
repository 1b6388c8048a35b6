// SPDX-License-Identifier: MIT
#include <array>
#include <string>
#include <utility>

#include <Kokkos_Core.hpp>

#include <mylos/base/version.hpp>
#include <mylos/hdf5/file.hpp>

#include "kernels/columns.hpp"
#include "output.hpp"

namespace landau {
namespace {

using mylos::hdf5::File;

void write_attributes(File& file, const Options& options, const RunData& data, const Report& report) {
  const auto number = [&](const char* name, double value) { file.attribute("/", name, value); };
  const auto measured = [&](const std::string& name, const std::optional<double>& value) {
    if (value) file.attribute("/", name, *value);
  };
  file.attribute("/", "software", std::string("mylos landau ") + std::string(mylos::version()));
  file.attribute("/", "backend", data.backend);
  file.attribute("/", "mode", to_string(options.mode));
  file.attribute("/", "operator", to_string(options.field_operator));
  file.attribute("/", "dimension", options.dimension);
  file.attribute("/", "control_variate", options.controlled());
  file.attribute("/", "particles", options.markers);
  file.attribute("/", "steps", options.steps);
  file.attribute("/", "seed", options.seed);
  number("dt", options.dt);
  number("k", options.k);
  number("epsilon", options.epsilon);
  number("cell_size", options.cell_size());
  number("volume", options.volume());
  measured("rate", report.rate);
  measured("rate_theory", report.rate_theory);
  measured("frequency", report.frequency);
  measured("frequency_theory", report.frequency_theory);
  measured("amplitude_theory", report.amplitude_theory);
}

void write_history(File& file, const Options& options, const RunData& data) {
  static constexpr std::array<std::pair<History::Column, const char*>, 8> columns = {{
      {History::field_energy, "field_energy"},
      {History::mode_real, "mode_real"},
      {History::mode_imaginary, "mode_imaginary"},
      {History::grid_charge, "grid_charge"},
      {History::kinetic, "kinetic"},
      {History::momentum_x, "momentum_x"},
      {History::momentum_y, "momentum_y"},
      {History::momentum_z, "momentum_z"},
  }};
  const RunData::HostView<double*> time("time", static_cast<std::size_t>(options.steps));
  for (std::int64_t step = 0; step < options.steps; ++step) time(step) = static_cast<double>(step) * options.dt;
  file.write("history/time", time);
  for (const auto& [column, name] : columns) {
    file.write(std::string("history/") + name, Kokkos::subview(data.history, Kokkos::ALL, static_cast<int>(column)));
  }
}

// Grids as h5py shows them best: (fields, nx) in one dimension, (fields, nx, ny, nz[, components]) in three.
void write_fields(File& file, const Options& options, const RunData& data) {
  const auto fields = static_cast<std::size_t>(options.kept_fields());
  const auto [nx, ny, nz] = options.cells;
  if (options.dimension == 1) {
    file.write("fields/E", Kokkos::subview(data.field, Kokkos::ALL, Kokkos::ALL, 0));
    file.write("fields/charge_density", data.charge_density);
  } else {
    file.write("fields/E", RunData::HostView<double*****>(data.field.data(), fields, nx, ny, nz, 3));
    file.write("fields/charge_density", RunData::HostView<double****>(data.charge_density.data(), fields, nx, ny, nz));
  }
  const double interval = static_cast<double>(options.field_interval()) * options.dt;
  const RunData::HostView<double*> time("time", fields);
  for (std::size_t i = 0; i < fields; ++i) time(i) = static_cast<double>(i) * interval;
  file.write("fields/time", time);
}

// (n, 2): time and logarithm of the energy, as measured; the plot marks them.
void write_maxima(File& file, const Report& report) {
  if (!report.damping) return;
  const auto count = report.damping->maxima.size();
  const RunData::HostView<double**> maxima("maxima", count, 2);
  for (std::size_t i = 0; i < count; ++i) {
    maxima(i, 0) = report.damping->maxima[i].time;
    maxima(i, 1) = report.damping->maxima[i].log_value;
  }
  file.write("maxima", maxima);
}

}  // namespace

void write_hdf5(const Options& options, const RunData& data, const Report& report) {
  File file(options.output / "landau.h5", mylos::hdf5::Mode::replace);
  write_attributes(file, options, data, report);
  write_history(file, options, data);
  write_fields(file, options, data);
  write_maxima(file, report);
  file.write("markers/position", data.position);
  file.write("markers/velocity", data.velocity);
  file.write("markers/weight", data.weight);
  file.close();
}

}  // namespace landau
