// SPDX-License-Identifier: MIT
// One text of a kernel, and all that is made from it. A kernel has another one only where it is read again: see
// CudaKernel::recompile().
#pragma once

#include <array>
#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include <mylos/base/abi.hpp>
#include <mylos/base/named_text.hpp>
#include <mylos/emulator/compiler.hpp>
#include <mylos/jit/compiler.hpp>
#include <mylos/jit/signature.hpp>
#include <mylos/kernel/cuda_kernel.hpp>
#include <mylos/kernel/launch.hpp>

#include "kernel/argument_plan.hpp"
#include "kernel/device_program.hpp"

namespace mylos::inline MYLOS_ABI::detail {

/// Where a text is from, and what of the program belongs to it: see embedded_port().
struct KernelOrigin {
  std::string source;
  std::filesystem::path file;  ///< empty: of no file
  std::span<const NamedText> headers = {}, images = {};
};

class KernelText {
 public:
  /// `name` and `options` must outlive it.
  KernelText(const std::string& name, const CudaOptions& options, KernelOrigin origin);
  ~KernelText();
  KernelText(const KernelText&) = delete;
  KernelText& operator=(const KernelText&) = delete;

  [[nodiscard]] const KernelOrigin& origin() const { return origin_; }
  /// Parsed at the first call.
  const Signature& signature();
  /// Null where signature() throws, of which the first call warns: for calls that need no port.
  const Signature* signature_if_readable();
  /// Made at the first call with these types and this reach; lives as long as the text. Throws SignatureError, for
  /// Reach::any only warns.
  const ArgumentPlan& plan(const Call& call);
  /// Likewise parsed at the first call.
  const jit::ThreadUse& thread_use();
  /// Warns, once, of a launch with so many threads that an index which the text computes in 32 bits is wrong.
  void check_index(const LaunchShape& shape);
  [[nodiscard]] bool debugged() const;
  /// For the device in use, or for host Views by the emulator. Compiled at the first call, and again after
  /// forget_programs().
  std::shared_ptr<const DeviceProgram> program(Reach reach);
  [[nodiscard]] bool has_program(Reach reach);
  void forget_programs();
  /// Throws SignatureError where the compiler has found other parameters than were read.
  void confirm_types(const CompiledKernel& compiled);
  /// What a compiler for GPUs is asked for.
  [[nodiscard]] jit::CompileRequest request(std::string architecture, bool debug) const;

 private:
  struct Plan;
  using Program = std::shared_ptr<const DeviceProgram>;

  [[nodiscard]] emulator::Source emulator_source(bool debug) const;
  /// Null until compiled. `compiling_` is locked.
  [[nodiscard]] Program& slot(Reach reach, bool debug);

  const std::string& name_;
  const CudaOptions& options_;
  const KernelOrigin origin_;

  std::mutex compiling_;
  std::array<std::array<Program, 2>, 2> programs_;  // by reach, without and with debugging

  std::mutex parsing_;
  Signature signature_;
  std::atomic<const Signature*> parsed_{nullptr};  // signature_, once it is there
  std::atomic<bool> unreadable_ = false;
  std::once_flag threads_read_;
  jit::ThreadUse thread_use_;
  std::atomic<bool> index_told_ = false;
  std::mutex planning_;
  std::atomic<const Plan*> plans_{nullptr};  // a list that only grows: readers take no lock
};

}  // namespace mylos::inline MYLOS_ABI::detail
