// SPDX-License-Identifier: MIT
// `mylos check`: are the CUDA texts of these folders kernels that compile everywhere they shall run?
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace mylos_command {

struct CheckOptions {
  std::vector<std::filesystem::path> paths = {};         ///< files, or folders that are searched for .cu files
  std::vector<std::string> architectures = {};           ///< for NVRTC: "sm_90", "compute_90"
  std::vector<std::filesystem::path> include_dirs = {};  ///< for #include "..."
  std::vector<std::string> compiler_options = {};        ///< for both compilers
  bool emulator = true;                                  ///< compile for the emulated device, too
  bool run = false;                                      ///< run the parity inputs: see run_parity()
  std::vector<std::string> cmake_options = {};           ///< for that build: "-DKokkos_DIR=..."
  std::chrono::seconds time_limit{600};                  ///< of each step of it
};

/// One compilation of a kernel.
struct Outcome {
  std::string target;        ///< "sm_90", "emulator"
  std::string error = {};    ///< empty: it compiled
  std::string skipped = {};  ///< why it was not tried; empty: it was
  int registers = -1;        ///< of a thread; -1 where the compiler does not tell, as for PTX
  int shared_bytes = 0;      ///< of a block, static
  int spill_bytes = 0;       ///< stored and loaded, of a thread

  [[nodiscard]] bool good() const { return error.empty(); }
};

struct CheckedKernel {
  std::filesystem::path file;
  std::string name = {};       ///< empty: the file has no kernel
  std::string signature = {};  ///< in canonical types; empty where it cannot be read
  std::string error = {};      ///< of the text scan
  std::vector<Outcome> outcomes = {};

  [[nodiscard]] bool good() const;
};

/// The .cu files of the paths, sorted, each once. Throws mylos::LookupError for a path that does not exist, and when
/// there is no .cu file at all.
[[nodiscard]] std::vector<std::filesystem::path> cuda_files(const std::vector<std::filesystem::path>& paths);

/// Reads and compiles every kernel of the files; nothing is run but what `run` asks for. `progress` hears before each
/// step what it is.
/// Templates are read and not compiled: only their users know the arguments.
/// Throws as cuda_files(), and BackendError where a compiler that is asked for cannot be used; faults of a kernel stand
/// in its entry.
[[nodiscard]] std::vector<CheckedKernel> check(const CheckOptions& options,
                                               const std::function<void(const std::string&)>& progress);

/// A line for each kernel and a column for each compilation, then the errors in full.
[[nodiscard]] std::string table(const std::vector<CheckedKernel>& kernels);
/// The same as JSON.
[[nodiscard]] std::string json(const std::vector<CheckedKernel>& kernels);

}  // namespace mylos_command
