// SPDX-License-Identifier: MIT
// What a run is asked to do: command line, defaults per mode, and the checks of both.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <mylos/core/backend.hpp>

#include "theory.hpp"

namespace landau {

/// landau: a wave in a Maxwellian plasma; two_stream: two cold beams; cold_plasma: electrons at rest.
enum class Mode { landau, two_stream, cold_plasma };
[[nodiscard]] std::string_view to_string(Mode mode);
[[nodiscard]] std::string_view to_string(FieldOperator field_operator);

/// Everything a run depends on. options_for(mode, dimension) gives the verified settings; change some, then validate.
struct Options {
  Mode mode = Mode::landau;
  int dimension = 1;
  bool full_f = false;  ///< markers make the wave themselves: no control variate
  FieldOperator field_operator = FieldOperator::finite_difference;
  std::int64_t markers = 0;
  std::array<std::int64_t, 3> cells = {1, 1, 1};
  std::int64_t steps = 0;  ///< field solves: the run ends at (steps - 1) dt
  double dt = 0.1;
  double k = 0.5;
  double epsilon = 0.01;
  double beam_velocity = 0.0;
  std::uint64_t seed = 1;

  std::optional<mylos::Backend> backend;  ///< not given: MYLOS_BACKEND decides
  std::filesystem::path output;           ///< folder; empty: no files
  std::filesystem::path json;             ///< file; empty: none; "-": the standard output
  bool quiet = false;
  bool check = true;  ///< a result out of tolerance is a failure

  [[nodiscard]] bool json_on_stdout() const { return json == "-"; }
  [[nodiscard]] double cell_size() const;
  [[nodiscard]] std::int64_t nodes() const { return cells[0] * cells[1] * cells[2]; }
  [[nodiscard]] double volume() const;
  /// Whether markers carry the difference to the equilibrium only.
  [[nodiscard]] bool controlled() const { return mode == Mode::landau && !full_f; }
  /// Fields are kept every so many steps, from the first on: every step of a usual run, fewer of a long or large one.
  [[nodiscard]] std::int64_t field_interval() const;
  [[nodiscard]] std::int64_t kept_fields() const { return (steps - 1) / field_interval() + 1; }
  /// Every so many markers are kept at the end: an odd number, because even ones would follow the quiet start's bits.
  [[nodiscard]] std::int64_t marker_interval() const;
  [[nodiscard]] std::int64_t kept_markers() const { return (markers - 1) / marker_interval() + 1; }
};

/// The settings that the tolerances were measured with.
[[nodiscard]] Options options_for(Mode mode, int dimension = 1, bool full_f = false);

/// Throws mylos::ValueError that names the option, its value and what is possible.
void validate(const Options& options);

/// Bytes that a run holds where it works, and on the host for its results.
struct MemoryNeed { double backend = 0.0, host = 0.0; };
[[nodiscard]] MemoryNeed memory_need(const Options& options);
/// Throws mylos::ValueError with both numbers when the machine, or the device, has not got the memory.
void require_memory(const Options& options);

/// Whether parse_options will print the help.
[[nodiscard]] bool asks_for_help(int argc, const char* const* argv);

/// From main's arguments; validated. Nothing when the program is to end with `exit_code`: after --help, or after a
/// command line that cannot be read, of which the user has been told.
[[nodiscard]] std::optional<Options> parse_options(int argc, const char* const* argv, int& exit_code);

}  // namespace landau
