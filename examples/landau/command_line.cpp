// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "options.hpp"

namespace landau {
namespace {

// What the user gave; everything else keeps the default of the mode.
struct Given {
  std::string mode = "landau", field_operator = "fd";
  int dimension = 1;
  bool full_f = false;
  std::optional<std::string> particles, steps, seed, backend, output, json;
  std::vector<std::string> cells;
  std::optional<double> dt, k, epsilon, beam_velocity;
};

// "100000" and "1e5", exactly: never a rounded or wrapped number.
std::int64_t whole_number(std::string_view option, const std::string& text) {
  std::size_t used = 0;
  double value = std::numeric_limits<double>::quiet_NaN();
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (text.empty() || used != text.size() || value != std::floor(value)) {
    throw mylos::ValueError(
        fmt::format("--{} is {}: it counts something: give a whole number, as 100000 or 1e5", option, text));
  }
  if (std::abs(value) > 0x1p53) {
    throw mylos::ValueError(fmt::format("--{} is {}: it is counted in doubles, exact to 2^53 = {}: give less", option,
                                        text, std::int64_t{1} << 53));
  }
  return static_cast<std::int64_t>(value);
}

std::uint64_t seed_of(const std::string& text) {
  const std::int64_t seed = whole_number("seed", text);
  if (seed < 0) throw mylos::ValueError(fmt::format("--seed is {}: seeds have no sign: give 0 or more", text));
  return static_cast<std::uint64_t>(seed);
}

// A path that is given says where to: a script's empty variable is not taken for "nowhere".
std::filesystem::path path_of(std::string_view option, const std::optional<std::string>& text) {
  if (text && text->empty()) {
    throw mylos::ValueError(
        fmt::format("--{} is empty: it names where results go: give a path, or leave --{} out", option, option));
  }
  return text.value_or("");
}

// The value whose name the user gave.
template <class Value>
Value named(std::string_view option, const std::string& text, std::initializer_list<Value> values) {
  std::string names;
  for (const Value value : values) {
    const std::string_view name = to_string(value);
    if (name == text) return value;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw mylos::ValueError(fmt::format("--{} is {}: there is no such {}: give one of {}", option, text, option, names));
}

void declare(CLI::App& app, Given& given, Options& files) {
  app.add_option("--mode", given.mode, "landau (default), two_stream or cold_plasma");
  app.add_option("--dimension", given.dimension, "1 (1D-1V) or 3 (3D-3V); default 1");
  app.add_flag("--full-f", given.full_f, "markers carry all of the plasma instead of a control variate");
  app.add_option("--particles", given.particles, "markers; default 1e5, full-f 5e5, beams 4e4");
  app.add_option("--cells", given.cells, "along x, or nx,ny,nz; default 64, in 3D 32,8,8")->delimiter(',');
  app.add_option("--steps", given.steps, "field solves; default 151, in 3D 146, two_stream 451, cold_plasma 629");
  app.add_option("--dt", given.dt, "time step in plasma periods / 2 pi; default 0.1");
  app.add_option("--k", given.k, "wave number in 1 / Debye length, one wave in the box; default 0.5");
  app.add_option("--epsilon", given.epsilon, "relative perturbation; default 0.01, two_stream 1e-5, cold_plasma 1e-3");
  app.add_option("--beam-velocity", given.beam_velocity, "of two_stream; default the fastest growing");
  app.add_option("--operator", given.field_operator, "fd (default) or spectral");
  app.add_option("--seed", given.seed, "shifts the quiet start; default 1");
  app.add_option("--backend", given.backend, "host, emulated or cuda; default MYLOS_BACKEND, else host");
  app.add_option("--output", given.output, "folder for landau.h5 and history.csv; made if need be");
  app.add_option("--json", given.json, "file for the results, its folder made if need be; - is the standard output");
  app.add_flag("--quiet", files.quiet, "errors only");
  app.add_flag("!--no-check", files.check, "report results out of tolerance without failing");
}

std::array<std::int64_t, 3> cells_of(const std::vector<std::string>& given, int dimension) {
  std::array<std::int64_t, 3> cells = {1, 1, 1};
  if (given.size() != 1 && static_cast<int>(given.size()) != dimension) {
    throw mylos::ValueError(
        fmt::format("--cells has {} numbers: the run has {} dimension{}: give one number per "
                    "dimension, or the one along x",
                    given.size(), dimension, dimension == 1 ? "" : "s"));
  }
  for (std::size_t axis = 0; axis < given.size(); ++axis) cells[axis] = whole_number("cells", given[axis]);
  if (dimension == 3 && given.size() == 1) cells[1] = cells[2] = std::max<std::int64_t>(2, cells[0] / 4);
  return cells;
}

Options combined(const Given& given, const Options& files) {
  using enum mylos::Backend;
  const Mode mode = named("mode", given.mode, {Mode::landau, Mode::two_stream, Mode::cold_plasma});
  Options options = options_for(mode, given.dimension, given.full_f);
  options.output = path_of("output", given.output);
  options.json = path_of("json", given.json);
  options.quiet = files.quiet;
  options.check = files.check;
  options.field_operator =
      named("operator", given.field_operator, {FieldOperator::finite_difference, FieldOperator::spectral});
  options.dt = given.dt.value_or(options.dt);
  if (given.k && mode == Mode::two_stream) options.beam_velocity *= options.k / *given.k;
  options.k = given.k.value_or(options.k);
  options.epsilon = given.epsilon.value_or(options.epsilon);
  options.beam_velocity = given.beam_velocity.value_or(options.beam_velocity);
  if (given.particles) options.markers = whole_number("particles", *given.particles);
  if (given.steps) options.steps = whole_number("steps", *given.steps);
  if (given.seed) options.seed = seed_of(*given.seed);
  if (!given.cells.empty()) options.cells = cells_of(given.cells, given.dimension);
  if (given.backend) options.backend = named("backend", *given.backend, {host, emulated, cuda});
  return options;
}

}  // namespace

bool asks_for_help(int argc, const char* const* argv) {
  return std::any_of(argv + 1, argv + argc, [](std::string_view word) { return word == "--help" || word == "-h"; });
}

std::optional<Options> parse_options(int argc, const char* const* argv, int& exit_code) {
  CLI::App app{
      "A plasma wave by particles: damps at Landau's rate (or grows, or oscillates), is measured, and is compared "
      "with theory. The same program runs on the host, on an emulated CUDA device and on a real one. Options of "
      "Kokkos are taken as well: see --kokkos-help."};
  Given given;
  Options files;
  declare(app, given, files);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    exit_code = app.exit(error) == 0 ? 0 : 2;
    return std::nullopt;
  }
  Options options = combined(given, files);
  validate(options);
  return options;
}

}  // namespace landau
