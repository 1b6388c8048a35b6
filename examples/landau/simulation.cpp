// SPDX-License-Identifier: MIT
#include "simulation.hpp"

#include <chrono>

#include <mylos/core/backend.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/transfers/budget.hpp>
#include <mylos/transfers/scope.hpp>

#include "kernels/marker.hpp"
#include "plasma.hpp"

namespace landau {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

template <class Space>
void run_steps(Plasma<Space>& plasma, const Options& options, const Progress& progress, RunData& data) {
  const mylos::TransferScope all_steps;
  const Clock::time_point start = Clock::now();
  for (std::int64_t step = 0; step < options.steps; ++step) {
    mylos::assert_no_transfers([&] { plasma.advance(step); });
    if (progress) progress(step + 1);
  }
  Kokkos::fence("landau: all steps done");
  data.seconds = seconds_since(start);
  data.copies_in_steps = all_steps.counts();
}

// Every interval-th element of a contiguous View, as a View.
template <class View>
auto every(const View& view, std::int64_t count, std::int64_t interval) {
  using Strided = Kokkos::View<typename View::value_type*, Kokkos::LayoutStride, typename View::memory_space>;
  return Strided(view.data(), Kokkos::LayoutStride(count, interval));
}

template <class Space>
void fetch_markers(const Plasma<Space>& plasma, const Options& options, RunData& data) {
  const std::int64_t count = options.kept_markers();
  const std::int64_t interval = options.marker_interval();
  data.position = RunData::HostColumns("position", count, options.dimension);
  data.velocity = RunData::HostColumns("velocity", count, options.dimension);
  data.weight = RunData::HostView<double*>("weight", count);
  Kokkos::deep_copy(data.weight, 1.0);
  const auto fetch = [&](const auto& to, const auto& from) { mylos::copy_view(to, every(from, count, interval)); };
  for (int axis = 0; axis < options.dimension; ++axis) {
    const auto column = [axis](const auto& columns) { return Kokkos::subview(columns, Kokkos::ALL, axis); };
    fetch(column(data.position), column(plasma.position()));
    fetch(column(data.velocity), column(plasma.velocity()));
  }
  const double cell_size = options.cell_size();
  for (int axis = 0; axis < options.dimension; ++axis) {
    for (std::int64_t i = 0; i < count; ++i) data.position(i, axis) *= cell_size;
  }
  if (!options.controlled()) return;
  const RunData::HostView<double*> start_squared("start_squared", count);
  fetch(data.weight, plasma.weight());
  fetch(start_squared, plasma.start_squared());
  for (std::int64_t i = 0; i < count; ++i) {
    double squared = 0.0;
    for (int axis = 0; axis < options.dimension; ++axis) squared += data.velocity(i, axis) * data.velocity(i, axis);
    data.weight(i) = delta_weight(data.weight(i), start_squared(i), squared);
  }
}

// Deposited weights become a density of charge: electrons are -1, ions make the mean 0.
void make_charge_density(const RunData::HostView<double**>& charge, const Options& options) {
  const double scale = -static_cast<double>(options.nodes()) / static_cast<double>(options.markers);
  for (std::size_t row = 0; row < charge.extent(0); ++row) {
    double mean = 0.0;
    for (std::size_t node = 0; node < charge.extent(1); ++node) mean += charge(row, node);
    mean /= static_cast<double>(charge.extent(1));
    for (std::size_t node = 0; node < charge.extent(1); ++node) charge(row, node) = scale * (charge(row, node) - mean);
  }
}

// What fetch() needs from the device, and all that it may take.
template <class Space>
std::int64_t bytes_of_output(const Plasma<Space>& plasma, const Options& options) {
  const std::size_t series = plasma.history().size() + plasma.kept_field().size() + plasma.kept_charge().size();
  const std::int64_t columns = 2 * options.dimension + (options.controlled() ? 2 : 0);
  return static_cast<std::int64_t>(sizeof(double)) *
         (static_cast<std::int64_t>(series) + columns * options.kept_markers());
}

template <class Space>
void fetch(const Plasma<Space>& plasma, const Options& options, RunData& data) {
  data.history = mylos::to_host(plasma.history());
  data.field = mylos::to_host(plasma.kept_field());
  data.charge_density = mylos::to_host(plasma.kept_charge());
  make_charge_density(data.charge_density, options);
  fetch_markers(plasma, options, data);
}

template <class Space>
RunData run(const Options& options, const Progress& progress) {
  RunData data;
  const mylos::TransferScope everything;
  mylos::TransferBudget budget;
  Plasma<Space> plasma(options);
  plasma.load();
  run_steps(plasma, options, progress, data);
  budget.count("output", [&] { fetch(plasma, options, data); });
  budget.require("output", {.to_host = {.max_total_bytes = bytes_of_output(plasma, options)}, .calls = 1});
  budget.check();
  data.copies = everything.counts();
  data.backend = mylos::to_string(mylos::backend());
  data.implementation = kernels::push_1d.selected(mylos::backend());
  return data;
}

}  // namespace

std::array<double, 6> quiet_start_shifts(std::uint64_t seed) {
  std::array<double, 6> shifts{};
  std::uint64_t state = seed;
  for (double& shift : shifts) {  // Steele, Lea and Flood's SplitMix64
    state += 0x9E3779B97F4A7C15;
    std::uint64_t mixed = state;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    mixed ^= mixed >> 31;
    shift = (static_cast<double>(mixed >> 11) + 0.5) * 0x1p-53;
  }
  return shifts;
}

RunData simulate(const Options& options, const Progress& progress) {
  return mylos::with_backend([&]<class Space>(Space) { return run<Space>(options, progress); });
}

}  // namespace landau
