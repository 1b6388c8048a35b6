// SPDX-License-Identifier: MIT
// What the copies of a CudaKernel share.
#pragma once

#include <array>
#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include <mylos/kernel/cuda_kernel.hpp>

#include "kernel/argument_plan.hpp"
#include "kernel/device_program.hpp"

namespace mylos::inline MYLOS_ABI {

struct CudaKernel::State {
  State(std::string text, std::string kernel, std::filesystem::path from, CudaOptions settings,
        std::span<const NamedText> embedded = {});
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// Parsed at the first call.
  const Signature& signature();
  /// Made at the first call with these types; lives as long as the kernel.
  const detail::ArgumentPlan& plan(const detail::Call& call, detail::Reach reach);
  /// Likewise parsed at the first call.
  const jit::ThreadUse& thread_use();
  [[nodiscard]] bool debugged() const;
  /// For the device in use, or for host Views by the emulator. Compiled at the first call, and again after recompile().
  std::shared_ptr<const detail::DeviceProgram> program(detail::Reach reach);
  [[nodiscard]] bool has_program(detail::Reach reach);
  void forget_programs();
  /// Throws SignatureError where the compiler has found other parameters than were read.
  void confirm_types(const CompiledKernel& compiled);
  /// What a compiler for GPUs is asked for.
  [[nodiscard]] jit::CompileRequest request(std::string architecture, bool debug) const;

  const std::string source, name;
  const std::filesystem::path file;
  const CudaOptions options;
  /// Headers of the text that are part of the program: see embedded_port().
  const std::span<const NamedText> embedded_headers;

 private:
  struct Plan;
  using Program = std::shared_ptr<const detail::DeviceProgram>;

  [[nodiscard]] emulator::Source emulator_source(bool debug) const;
  /// Null until compiled. `compiling_` is locked.
  [[nodiscard]] Program& slot(detail::Reach reach, bool debug);

  std::mutex compiling_;
  std::array<std::array<Program, 2>, 2> programs_;  // by reach, without and with debugging

  std::once_flag parsed_;
  Signature signature_;
  std::once_flag threads_read_;
  jit::ThreadUse thread_use_;
  std::mutex planning_;
  std::atomic<const Plan*> plans_{nullptr};  // a list that only grows: readers take no lock
};

}  // namespace mylos::inline MYLOS_ABI
