// SPDX-License-Identifier: MIT
// The kernels of an application by their names: what mylos_add_kernels() generates.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/kernel/compile_all.hpp>
#include <mylos/kernel/cuda_kernel.hpp>
#include <mylos/kernel/detail/kernel_base.hpp>

namespace mylos::inline MYLOS_ABI {

/// Compares a kernel's functor with its port on the inputs of its parity file; returns the differences, or nothing.
using ParityCase = std::function<std::string(std::uint64_t seed)>;

/// One kernel of a catalog. Not callable: call the Kernel object itself, NAMESPACE::name.
class MYLOS_EXPORT KernelInfo {
 public:
  KernelInfo(const detail::KernelBase* kernel, std::filesystem::path folder);

  [[nodiscard]] const std::string& name() const { return kernel_->name(); }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] bool has_cuda() const { return kernel_->has_cuda(); }
  /// Throws LookupError when there is no port.
  [[nodiscard]] const CudaKernel& cuda() const;
  /// Of the port. Throws LookupError when there is none.
  [[nodiscard]] const Signature& signature() const { return cuda().signature(); }
  [[nodiscard]] std::vector<std::string> implementations() const { return kernel_->implementations(); }
  /// Empty when the kernel has no parity file, or its tests are not linked into the program.
  [[nodiscard]] const ParityCase& parity() const { return parity_; }

 private:
  friend class KernelCatalog;
  const detail::KernelBase* kernel_;
  std::filesystem::path folder_;
  ParityCase parity_;
};

class MYLOS_EXPORT KernelCatalog {
 public:
  /// Throws ValueError when two kernels have one name. The kernels must outlive the catalog.
  explicit KernelCatalog(std::vector<KernelInfo> kernels);

  /// Throws LookupError that lists the names.
  [[nodiscard]] const KernelInfo& operator[](std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names() const;  ///< in alphabetical order, as in all lists here
  [[nodiscard]] std::vector<std::string> with_cuda() const;
  [[nodiscard]] std::vector<std::string> without_cuda() const;
  /// "CUDA ports: 3 of 5 kernels (missing: deposit, load)"; at most ten names.
  [[nodiscard]] std::string summary() const;

  /// Compiles every port with the settings of the calling thread, and afterwards throws CompileError with all that
  /// failed. Returns how many there are. Throws BackendError, before anything is compiled, for a device or compiler
  /// that cannot be used.
  int compile_all(const CompileAll& options = {}) const;
  /// Compares functor and port of every kernel that has one, as Kernel::check_signature() does: count, order, type and
  /// const of the parameters. Nothing is compiled. Throws SignatureError with all kernels that fail: both lists side by
  /// side, the places marked; or why the port's text has none. With MYLOS_LOG=info, prints signature_table().
  void check_signatures() const;
  /// The table of all kernels: functor and port side by side, and what check_signatures() finds.
  [[nodiscard]] std::string signature_table() const;

  /// The kernels that have a parity case, and where the generated test adds them.
  [[nodiscard]] std::vector<std::string> parity_cases() const;
  void set_parity(std::string_view name, ParityCase parity);

 private:
  std::map<std::string, KernelInfo, std::less<>> kernels_;
};

}  // namespace mylos::inline MYLOS_ABI
