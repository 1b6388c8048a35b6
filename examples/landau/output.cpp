// SPDX-License-Identifier: MIT
#include "output.hpp"

#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/base/version.hpp>

#include "kernels/columns.hpp"

namespace landau {
namespace {

using Json = nlohmann::ordered_json;

void require_writable(std::string_view option, const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) {
    throw mylos::Error(fmt::format("--{}: cannot make the folder {}: {}: name a folder that may be written", option,
                                   folder.string(), code.message()));
  }
  const std::filesystem::path probe = folder / ".landau_probe";
  try {
    mylos::write_file_atomically(probe, "");
  } catch (const mylos::Error& error) {
    throw mylos::Error(fmt::format("--{}: the folder {} takes no files: {}", option, folder.string(), error.what()));
  }
  std::filesystem::remove(probe, code);
}

Json value_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

double marker_steps_per_second(const Options& options, const RunData& data) {
  return static_cast<double>(options.markers) * static_cast<double>(options.steps) / data.seconds;
}

void add_settings(Json& json, const Options& options) {
  json["mode"] = to_string(options.mode);
  json["dimension"] = options.dimension;
  json["control_variate"] = options.controlled();
  json["operator"] = to_string(options.field_operator);
  json["particles"] = options.markers;
  json["cells"] = std::vector<std::int64_t>(options.cells.begin(), options.cells.begin() + options.dimension);
  json["steps"] = options.steps;
  json["dt"] = options.dt;
  json["k"] = options.k;
  json["epsilon"] = options.epsilon;
  json["seed"] = options.seed;
  if (options.mode == Mode::two_stream) json["beam_velocity"] = options.beam_velocity;
}

void add_rate(Json& json, const std::string& name, const Report& report) {
  json[name] = value_or_null(report.rate);
  json[name + "_theory"] = value_or_null(report.rate_theory);
  json[name + "_error"] = value_or_null(report.rate_error);
  json["discrete_" + name] = value_or_null(report.rate_discrete);
  json["discrete_" + name + "_error"] = value_or_null(report.rate_discrete_error);
}

void add_measurements(Json& json, const Options& options, const Report& report) {
  const bool grows = options.mode == Mode::two_stream;
  add_rate(json, "damping_rate", grows ? Report() : report);  // every run has these keys
  if (grows) add_rate(json, "growth_rate", report);
  json["frequency"] = value_or_null(report.frequency);
  json["frequency_theory"] = value_or_null(report.frequency_theory);
  json["frequency_error"] = value_or_null(report.frequency_error);
  json["discrete_frequency"] = value_or_null(report.frequency_discrete);
  json["discrete_frequency_error"] = value_or_null(report.frequency_discrete_error);
  json["amplitude"] = value_or_null(report.amplitude);
  json["amplitude_theory"] = value_or_null(report.amplitude_theory);
  json["amplitude_error"] = value_or_null(report.amplitude_error);
  json["phase"] = value_or_null(report.phase);
  json["phase_theory"] = value_or_null(report.phase_theory);
  json["phase_error"] = value_or_null(report.phase_error);
  json["symmetry_error"] = value_or_null(report.symmetry_error);
  json["energy_error"] = report.energy_error;
  json["momentum_error"] = report.momentum_error;
  json["charge_error"] = report.charge_error;
}

void add_maxima(Json& json, const Report& report) {
  json["maxima"] = Json::array();
  if (!report.damping) return;
  for (const Maximum& maximum : report.damping->maxima) json["maxima"].push_back({maximum.time, maximum.log_value});
}

void add_checks(Json& json, const Report& report) {
  json["checks"] = Json::array();
  for (const Check& check : report.checks) {
    json["checks"].push_back(
        {{"name", check.name}, {"value", check.value}, {"tolerance", check.tolerance}, {"passed", check.passed()}});
  }
  json["passed"] = report.passed();
}

std::string percent(const std::optional<double>& fraction) {
  return fraction ? fmt::format("{:.2f} %", 100.0 * *fraction) : std::string("not measured");
}

std::string compared(std::string_view name, const std::optional<double>& value, const std::optional<double>& theory,
                     const std::optional<double>& error) {
  if (!theory) return "";
  const std::string measured = value ? fmt::format("{:.5f}", *value) : std::string("?");
  return fmt::format("{:<16} {:>9}  theory {:>9.5f}  error {}\n", name, measured, *theory, percent(error));
}

}  // namespace

void prepare_output(const Options& options) {
  if (!options.output.empty()) require_writable("output", options.output);
  if (!options.json.empty() && !options.json_on_stdout()) {
    if (std::filesystem::is_directory(options.json)) {
      throw mylos::Error(
          fmt::format("--json is {}: that is a folder: name the file to be written", options.json.string()));
    }
    const std::filesystem::path folder = options.json.parent_path();
    require_writable("json", folder.empty() ? std::filesystem::path(".") : folder);
  }
}

std::string to_json(const Options& options, const RunData& data, const Report& report) {
  Json json;
  json["program"] = "landau";
  json["mylos_version"] = mylos::version();
  json["backend"] = data.backend;
  json["implementation"] = data.implementation;
  add_settings(json, options);
  add_measurements(json, options, report);
  add_maxima(json, report);
  json["seconds"] = data.seconds;
  json["marker_steps_per_second"] = marker_steps_per_second(options, data);
  json["transfers_to_host"] = data.copies.to_host;
  json["transfers_to_device"] = data.copies.to_device;
  json["bytes_to_host"] = data.copies.bytes_to_host;
  json["bytes_to_device"] = data.copies.bytes_to_device;
  json["transfers_in_steps"] = data.copies_in_steps.to_host + data.copies_in_steps.to_device;
  json["waits"] = data.copies.sync;
  add_checks(json, report);
  return json.dump(2) + "\n";
}

std::string to_csv(const Options& options, const RunData& data) {
  const double per_marker = options.volume() / static_cast<double>(options.markers);
  std::string text = "step,t,W,K,Px,Re E1,Im E1,sum rho\n";
  const auto end = std::back_inserter(text);
  for (std::int64_t step = 0; step < options.steps; ++step) {
    const auto value = [&](History::Column column) { return data.history(step, column); };
    fmt::format_to(end, "{},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g},{:.17g}\n", step,
                   static_cast<double>(step) * options.dt, value(History::field_energy),
                   0.5 * per_marker * value(History::kinetic), per_marker * value(History::momentum_x),
                   value(History::mode_real), value(History::mode_imaginary),
                   -per_marker * value(History::grid_charge));
  }
  return text;
}

std::string to_text(const Options& options, const RunData& data, const Report& report) {
  const std::string_view rate = options.mode == Mode::two_stream ? "growth rate" : "damping rate";
  std::string text = compared(rate, report.rate, report.rate_theory, report.rate_error);
  text += compared("frequency", report.frequency, report.frequency_theory, report.frequency_error);
  fmt::format_to(std::back_inserter(text), "conserved within energy {:.1e}, momentum {:.1e}, charge {:.1e}\n",
                 report.energy_error, report.momentum_error, report.charge_error);
  fmt::format_to(std::back_inserter(text),
                 "{:.3f} s for {} steps ({:.1f} ns per particle and step), "
                 "copies during the steps: {}, after: {} to host, waits in all: {}\n",
                 data.seconds, options.steps, 1e9 / marker_steps_per_second(options, data),
                 data.copies_in_steps.to_host + data.copies_in_steps.to_device, data.copies.to_host, data.copies.sync);
  return text;
}

void write_output(const Options& options, const RunData& data, const Report& report) {
  if (!options.output.empty()) {
    mylos::write_file_atomically(options.output / "history.csv", to_csv(options, data));
    write_hdf5(options, data, report);
  }
  if (options.json.empty()) return;
  const std::string json = to_json(options, data, report);
  if (!options.json_on_stdout()) return mylos::write_file_atomically(options.json, json);
  if (std::fputs(json.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
    throw mylos::Error("--json -: the standard output takes no more: check where it goes");
  }
}

}  // namespace landau
