// SPDX-License-Identifier: MIT
// What a run leaves for people and for other programs.
#pragma once

#include <string>

#include "options.hpp"
#include "report.hpp"
#include "simulation.hpp"

namespace landau {

/// Makes the folders that the results go to and tries to write there, so that a long run does not end in an error.
/// Throws mylos::Error that names the folder and the system's reason.
void prepare_output(const Options& options);

/// The results as a JSON object; see README.md of this folder for the keys, which every run has. Rates, frequencies and
/// errors that a mode does not have are null.
[[nodiscard]] std::string to_json(const Options& options, const RunData& data, const Report& report);

/// A row per step: step,t,W,K,Px,Re E1,Im E1,sum rho.
[[nodiscard]] std::string to_csv(const Options& options, const RunData& data);

/// A few lines for the terminal.
[[nodiscard]] std::string to_text(const Options& options, const RunData& data, const Report& report);

/// landau.h5 in options.output: attributes, /history, /fields, /markers. Throws mylos::Hdf5Error.
void write_hdf5(const Options& options, const RunData& data, const Report& report);

/// All that the options ask for: options.output and options.json. Files are complete or absent.
void write_output(const Options& options, const RunData& data, const Report& report);

}  // namespace landau
