// SPDX-License-Identifier: MIT
// The state of a run in one memory space, and one step of it: markers, grid and history stay where they are.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <Kokkos_Core.hpp>
#include <landau_kernels.hpp>

#include <mylos/kernel.hpp>

#include "kernels/columns.hpp"
#include "options.hpp"

namespace landau {

/// Six numbers in (0, 1) that shift the sequences of the quiet start.
[[nodiscard]] std::array<double, 6> quiet_start_shifts(std::uint64_t seed);

/// Units that a marker of weight 1 is counted in: as many as leave room for eight times all markers at one node.
[[nodiscard]] inline double units_per_marker(std::int64_t markers) {
  return std::ldexp(1.0, 60 - std::bit_width(static_cast<std::uint64_t>(markers - 1)));
}

/// Writes one axis of the table that the field solve reads: symbols(m, Symbol::Column) for an axis of `length` cells.
template <class Table>
void fill_symbols(const Table& symbols, std::int64_t length, double cell_size, FieldOperator field_operator) {
  for (std::int64_t m = 0; m < length; ++m) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(m) / static_cast<double>(length);
    const double signed_mode = static_cast<double>(2 * m > length ? m - length : m);
    double gradient = 2.0 * std::numbers::pi * signed_mode / (static_cast<double>(length) * cell_size);
    double laplacian = gradient * gradient;
    if (field_operator == FieldOperator::finite_difference) {
      gradient = std::sin(angle) / cell_size;
      laplacian = std::pow(2.0 * std::sin(0.5 * angle) / cell_size, 2);
    }
    const bool alternating = 2 * m == length;  // +1, -1, ...: a real field has no gradient of it
    symbols(m, Symbol::gradient) = alternating ? 0.0 : gradient;
    symbols(m, Symbol::laplacian) = laplacian;
    symbols(m, Symbol::cosine) = std::cos(angle);
    symbols(m, Symbol::sine) = std::sin(angle);
  }
}

/// Markers, grid and history of a run in `Space`. The same text for both sides: it only calls kernels and fills.
template <class Space>
class Plasma {
 public:
  using Columns = Kokkos::View<double**, Kokkos::LayoutLeft, Space>;  ///< (markers, axes), each axis contiguous
  using Vector = Kokkos::View<double*, Kokkos::LayoutLeft, Space>;
  using Rows = Kokkos::View<double**, Kokkos::LayoutRight, Space>;
  using Grid = Kokkos::View<double***, Kokkos::LayoutRight, Space>;  ///< (nodes, components, 1: real, 2: complex)

  explicit Plasma(const Options& options);

  /// Places the markers, and sets their velocities back by half a step.
  void load();
  /// Field at the time of `step`, then the markers to the next one, then the row `step` of the history.
  void advance(std::int64_t step);

  [[nodiscard]] const Columns& position() const { return position_; }  ///< in units of the cell size
  [[nodiscard]] const Columns& velocity() const { return velocity_; }
  [[nodiscard]] const Vector& weight() const { return weight_; }                ///< empty without control variate
  [[nodiscard]] const Vector& start_squared() const { return start_squared_; }  ///< likewise
  [[nodiscard]] const Rows& history() const { return history_; }                ///< (steps, History::columns)
  [[nodiscard]] const Grid& kept_field() const { return kept_field_; }          ///< (kept_fields, nodes, components)
  [[nodiscard]] const Rows& kept_charge() const { return kept_charge_; }  ///< (kept_fields, nodes), deposited weights

 private:
  // Markers that one thread works on in a row: what it sums up meets memory once.
  static constexpr std::int64_t per_thread = 16;
  static constexpr std::int64_t slots = 64;  // see MarkerSums

  void upload_symbols();
  void deposit();
  void solve_field();
  void transform(const Grid& out, const Grid& in, const std::array<Grid, 2>& buffers, double sign);
  void push(double kick, double drift);
  void keep_field(std::int64_t step);
  void diagnose(std::int64_t step);

  Options options_;
  int dimension_;
  std::int64_t markers_, nodes_;
  double units_per_marker_;
  typename Space::execution_space stream_{};

  Columns position_, velocity_;
  Vector x_, v_;  // the first columns of the two
  Vector weight_, start_squared_;
  Kokkos::View<std::int64_t*, Space> units_;
  Vector charge_;
  Rows field_;  // (nodes, components)
  Rows sums_, history_, kept_charge_;
  Grid charge_values_, field_values_;  // the same memory as charge_ and field_, as the transforms see it
  Grid density_spectrum_, field_spectrum_;
  std::array<Grid, 2> density_buffers_, field_buffers_;
  Grid kept_field_;
  Grid symbols_;  // (axis, mode, Symbol)
};

template <class Space>
Plasma<Space>::Plasma(const Options& options)
    : options_(options),
      dimension_(options.dimension),
      markers_(options.markers),
      nodes_(options.nodes()),
      units_per_marker_(units_per_marker(options.markers)),
      position_("position", markers_, dimension_),
      velocity_("velocity", markers_, dimension_),
      x_(Kokkos::subview(position_, Kokkos::ALL, 0)),
      v_(Kokkos::subview(velocity_, Kokkos::ALL, 0)),
      weight_("weight", options.controlled() ? markers_ : 0),
      start_squared_("start_squared", options.controlled() ? markers_ : 0),
      units_("units", nodes_),
      charge_("charge", nodes_),
      field_("field", nodes_, dimension_),
      sums_("sums", slots, 8),  // a slot fills a cache line
      history_("history", options.steps, History::columns),
      kept_charge_("kept_charge", options.kept_fields(), nodes_),
      charge_values_(charge_.data(), nodes_, 1, 1),
      field_values_(field_.data(), nodes_, dimension_, 1),
      density_spectrum_("density_spectrum", nodes_, 1, 2),
      field_spectrum_("field_spectrum", nodes_, dimension_, 2),
      kept_field_("kept_field", options.kept_fields(), nodes_, dimension_),
      symbols_("symbols", 3, std::max({options.cells[0], options.cells[1], options.cells[2]}), Symbol::columns) {
  for (int i = 0; dimension_ > 1 && i < 2; ++i) {
    density_buffers_[i] = Grid("density_buffer", nodes_, 1, 2);
    field_buffers_[i] = Grid("field_buffer", nodes_, dimension_, 2);
  }
  upload_symbols();
}

template <class Space>
void Plasma<Space>::upload_symbols() {
  const auto host = Kokkos::create_mirror_view(symbols_);
  for (int axis = 0; axis < 3; ++axis) {
    fill_symbols(Kokkos::subview(host, axis, Kokkos::ALL, Kokkos::ALL), options_.cells[axis], options_.cell_size(),
                 options_.field_operator);
  }
  Kokkos::deep_copy(symbols_, host);
}

template <class Space>
void Plasma<Space>::load() {
  const std::array<double, 6> shifts = quiet_start_shifts(options_.seed);
  const auto& cells = options_.cells;
  const mylos::Launch launch{.threads = markers_};
  if (options_.mode != Mode::landau) {
    const int beams = options_.mode == Mode::two_stream ? 2 : 1;
    kernels::load_beams(launch, x_, v_, beams, options_.beam_velocity, options_.epsilon, cells[0], markers_, shifts[1]);
  } else if (dimension_ == 1) {
    kernels::load_1d(launch, x_, v_, weight_, start_squared_, options_.controlled(), options_.epsilon, cells[0],
                     markers_, shifts[1], shifts[0]);
  } else {
    const Kokkos::View<const double*, Kokkos::HostSpace> values(shifts.data(), shifts.size());
    kernels::load_3d(launch, position_, velocity_, weight_, start_squared_, mylos::copy_to<Space>(values),
                     options_.controlled(), options_.epsilon, cells[0], cells[1], cells[2], markers_);
  }
  deposit();
  solve_field();
  push(-0.5 * options_.dt, 0.0);
  diagnose(0);  // a rehearsal: no kernel of a step is compiled while the clock runs
  Kokkos::deep_copy(stream_, history_, 0.0);
}

template <class Space>
void Plasma<Space>::advance(std::int64_t step) {
  deposit();
  solve_field();
  if (step % options_.field_interval() == 0) keep_field(step);
  push(options_.dt, options_.dt / options_.cell_size());
  diagnose(step);
}

template <class Space>
void Plasma<Space>::diagnose(std::int64_t step) {
  const auto first_mode = options_.cells[1] * options_.cells[2];
  kernels::diagnostics({.threads = std::max(nodes_, slots)}, history_, sums_, charge_, field_spectrum_, step,
                       first_mode, 0.5 * options_.volume());
}

template <class Space>
void Plasma<Space>::deposit() {
  const auto& cells = options_.cells;
  const mylos::Launch launch{.threads = (markers_ + per_thread - 1) / per_thread};
  if (dimension_ == 1) {
    kernels::deposit_1d(launch, units_, sums_, x_, v_, weight_, start_squared_, options_.controlled(),
                        units_per_marker_, cells[0], markers_, per_thread);
  } else {
    kernels::deposit_3d(launch, units_, sums_, position_, velocity_, weight_, start_squared_, options_.controlled(),
                        units_per_marker_, cells[0], cells[1], cells[2], markers_, per_thread);
  }
  kernels::collect({.threads = nodes_}, charge_, units_, units_per_marker_);
}

template <class Space>
void Plasma<Space>::solve_field() {
  transform(density_spectrum_, charge_values_, density_buffers_, -1.0);
  // A marker is 1 / markers of all electrons, whose mean density is 1 and whose charge is -1.
  kernels::poisson({.threads = nodes_}, field_spectrum_, density_spectrum_, symbols_, options_.cells[1],
                   options_.cells[2], -1.0 / static_cast<double>(markers_));
  transform(field_values_, field_spectrum_, field_buffers_, 1.0);
}

template <class Space>
void Plasma<Space>::transform(const Grid& out, const Grid& in, const std::array<Grid, 2>& buffers, double sign) {
  const auto components = static_cast<std::int64_t>(in.extent(1));
  std::int64_t stride = nodes_;
  Grid from = in;
  for (int axis = 0; axis < dimension_; ++axis) {
    const Grid to = axis + 1 == dimension_ ? out : buffers[axis];
    stride /= options_.cells[axis];
    kernels::fourier({.threads = nodes_ * components}, to, from, symbols_, axis, options_.cells[axis], stride, sign);
    from = to;
  }
}

template <class Space>
void Plasma<Space>::push(double kick, double drift) {
  const auto& cells = options_.cells;
  const mylos::Launch launch{.threads = (markers_ + per_thread - 1) / per_thread};
  if (dimension_ == 1) {
    const Vector field(field_.data(), nodes_);
    kernels::push_1d(launch, x_, v_, field, weight_, sums_, options_.controlled(), kick, drift, cells[0], markers_,
                     per_thread);
  } else {
    kernels::push_3d(launch, position_, velocity_, field_, weight_, sums_, options_.controlled(), kick, drift, cells[0],
                     cells[1], cells[2], markers_, per_thread);
  }
}

template <class Space>
void Plasma<Space>::keep_field(std::int64_t step) {
  const std::int64_t place = step / options_.field_interval();
  Kokkos::deep_copy(stream_, Kokkos::subview(kept_field_, place, Kokkos::ALL, Kokkos::ALL), field_);
  Kokkos::deep_copy(stream_, Kokkos::subview(kept_charge_, place, Kokkos::ALL), charge_);
}

}  // namespace landau
