// SPDX-License-Identifier: MIT
// How fast examples/landau steps: its kernels on the host, the same on the emulated device, and a hand-written Kokkos
// loop, in turns, on one thread each. Prints Markdown. See perf/README.md.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <Kokkos_Core.hpp>
#include <fmt/format.h>

#include <mylos/core/backend.hpp>
#include <mylos/core/session.hpp>

#include "hand_written_plasma.hpp"
#include "plasma.hpp"
#include "support/interleaved.hpp"

namespace {

using landau::Mode;
using landau::Options;
using mylos_perf::Rival;
using mylos_perf::Row;

// One step a call: short enough for some calls to pass without another process in between.
constexpr int rounds = 60;

// Steps a plasma on and on: row 0 of the history is written each time.
template <class Space>
Rival rival(std::string name, const Options& options) {
  auto plasma = std::make_shared<landau::Plasma<Space>>(options);
  plasma->load();
  return {std::move(name), [plasma] { plasma->advance(0); }};
}

Rival hand_written(const Options& options) {
  landau::Plasma<Kokkos::HostSpace> loaded(options);
  loaded.load();
  const auto column = [](const auto& columns) { return Kokkos::subview(columns, Kokkos::ALL, 0); };
  auto plasma = std::make_shared<mylos_perf::HandWrittenPlasma>(column(loaded.position()), column(loaded.velocity()),
                                                                options.cells[0], options.cell_size(), options.dt);
  return {"hand-written Kokkos loop", [plasma] { plasma->advance(); }};
}

Row row(std::string name, const Options& options, bool with_hand_written) {
  Row row{std::move(name), static_cast<double>(options.markers), "particle-step", {}};
  if (with_hand_written) row.rivals.push_back(hand_written(options));
  row.rivals.push_back(rival<mylos::HostSpace>("host", options));
  row.rivals.push_back(rival<mylos::DeviceSpace>("emulated device", options));
  return row;
}

void print(const Row& row) {
  const std::vector<double> seconds = mylos_perf::smallest_seconds(row, rounds);
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    fmt::print("| {} | {} | {:.2f} | {:.2f} |\n", row.name, row.rivals[i].name, 1e9 * seconds[i] / row.units,
               seconds[0] / seconds[i]);
  }
  std::fflush(stdout);
}

Options full_f(std::int64_t markers) {
  Options options = landau::options_for(Mode::landau, 1, true);
  options.markers = markers;
  return options;
}

// The hand-written loop does the work that the example does, or the comparison means nothing.
void require_same_physics() {
  const Options options = full_f(20'000);
  landau::Plasma<Kokkos::HostSpace> plasma(options);
  plasma.load();
  const auto column = [](const auto& columns) { return Kokkos::subview(columns, Kokkos::ALL, 0); };
  mylos_perf::HandWrittenPlasma hand(column(plasma.position()), column(plasma.velocity()), options.cells[0],
                                     options.cell_size(), options.dt);
  for (int step = 0; step < 20; ++step) {
    plasma.advance(step);
    hand.advance();
  }
  const auto& history = plasma.history();
  const double kinetic = history(19, landau::History::kinetic);
  const double energy = history(19, landau::History::field_energy);
  if (std::abs(hand.kinetic() / kinetic - 1.0) > 1e-12 || std::abs(hand.field_energy() / energy - 1.0) > 1e-9) {
    fmt::print(stderr, "landau_perf: the hand-written loop computes something else\n");
    std::exit(1);
  }
}

template <class Space>
double seconds_of_a_run(const Options& options) {
  landau::Plasma<Space> plasma(options);
  plasma.load();
  Kokkos::fence();
  const double start = mylos_perf::cpu_seconds();
  for (std::int64_t step = 0; step < options.steps; ++step) plasma.advance(step);
  Kokkos::fence();
  return mylos_perf::cpu_seconds() - start;
}

}  // namespace

int main(int argc, char** argv) {
  ::setenv("MYLOS_EMULATOR_THREADS", "1", 0);
  const mylos::Session session(argc, argv);
  mylos::set_backend(mylos::Backend::emulated);
  require_same_physics();
  fmt::print("## landau\n\n| run | rival | ns per particle-step | speed relative to the first |\n|---|---|---|---|\n");
  print(row("1D full-f, 10^6 particles", full_f(1'000'000), true));
  print(row("1D control variate, 10^5 particles", landau::options_for(Mode::landau), false));
  print(row("3D control variate, 10^5 particles", landau::options_for(Mode::landau, 3), false));
  fmt::print("\n10^6 full-f particles, 151 steps: host {:.2f} s, emulated device {:.2f} s\n",
             seconds_of_a_run<mylos::HostSpace>(full_f(1'000'000)),
             seconds_of_a_run<mylos::DeviceSpace>(full_f(1'000'000)));
}
