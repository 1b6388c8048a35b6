// SPDX-License-Identifier: MIT
// Private to kernel/kernel.hpp: what a Kernel is and decides without its functor's type. Its public members are
// Kernel's.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/kernel/arguments.hpp>
#include <mylos/kernel/cuda_kernel.hpp>
#include <mylos/kernel/detail/functor_parameters.hpp>
#include <mylos/kernel/launch.hpp>

namespace mylos::inline MYLOS_ABI {

/// What a call on device Views does when the kernel has no port and Kokkos cannot run the functor there.
enum class MissingCuda {
  raise,    ///< LookupError that names the file to write
  fallback  ///< the host functor on copies, which are counted; one warning per kernel
};

struct KernelOptions {
  MissingCuda missing_cuda = MissingCuda::raise;
  std::filesystem::path port_file = {};  ///< where the port would be, for messages; "<name>.cu" when empty
};

namespace detail {

class MYLOS_EXPORT KernelBase {
 public:
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool has_cuda() const { return cuda_.has_value(); }
  /// The port; null when there is none.
  [[nodiscard]] const CudaKernel* cuda() const { return cuda_ ? &*cuda_ : nullptr; }
  /// All that this kernel has in this build, host names first: {"kokkos", "serial", "port_on_host", "cuda", ...}.
  [[nodiscard]] std::vector<std::string> implementations() const;
  /// The one that a call on Views of that backend runs now. Throws what the call would: LookupError, ValueError.
  [[nodiscard]] std::string selected(Backend backend) const;

  /// Compares what the functor takes with the port's parameters: count, order, type and const, number by number. A View
  /// of T is T* (of rank 0 or 1, or with flat_layout) or an array of its rank, const where the View's elements are; a
  /// value has exactly the parameter's type. Names of a functor's parameters are not known to C++: two of one type are
  /// one to this check. Classes are compared as far as the text tells: CUDA's vector types by their size, others by
  /// their names where the port has that name at another place. Of a functor whose operator() is a template or
  /// overloaded nothing is known: each call checks. Further implementations are not compared.
  /// Nothing is compiled. Throws SignatureError that prints both lists side by side with the places marked;
  /// LookupError, SignatureError as CudaKernel::signature() does. Passes without a port, and with
  /// CudaOptions::check_signature off.
  void check_signature() const;
  /// Both lists, and what check_signature() finds.
  [[nodiscard]] std::string signature_table() const;

 protected:
  enum class DeviceChoice { port, functor, fallback };

  KernelBase(std::string name, std::optional<CudaKernel> cuda, KernelOptions options, std::vector<int> host_ids,
             bool functor_on_device, std::optional<FunctorParameters> functor_parameters);
  ~KernelBase() = default;
  KernelBase(const KernelBase&) = default;  // moves copy: every Kernel can be called
  KernelBase& operator=(const KernelBase&) = default;

  [[nodiscard]] Extents3 host_threads(int rank, const Launch& settings, const Arguments& arguments) const;
  [[nodiscard]] DeviceChoice choose_on_device() const;
  /// `functor_axes`: indices of the functor, 0 where it has none or cannot be called with the arguments.
  void run_port(const Launch& settings, const Arguments& arguments, int functor_axes) const;
  void run_port_on_host(const Launch& settings, const Arguments& arguments, int functor_axes) const;

  [[noreturn]] void throw_mixed(const Arguments& arguments) const;
  [[noreturn]] void throw_absent(int host_id) const;
  [[noreturn]] void throw_no_serial() const;
  [[noreturn]] void throw_no_form(const Arguments& arguments) const;

 private:
  /// Compares the arguments of a call of the functor with the port's parameters. Throws SignatureError, RangeError.
  void compare_with_port(const Arguments& arguments) const;
  [[nodiscard]] bool has_host(int id) const;
  /// The names of its host implementations, the default first.
  [[nodiscard]] std::vector<std::string> host_implementations() const;
  [[nodiscard]] DeviceChoice choose(Backend backend) const;
  [[nodiscard]] std::string port_file() const;
  void warn_of_fallback() const;

  std::string name_;
  std::optional<CudaKernel> cuda_;
  KernelOptions options_;
  std::vector<int> host_ids_;
  bool functor_on_device_;
  std::optional<FunctorParameters> functor_parameters_;  // unless only a call tells
  std::shared_ptr<std::atomic_flag> warned_;
};

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
