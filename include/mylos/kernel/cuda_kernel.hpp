// SPDX-License-Identifier: MIT
// A kernel written in CUDA, called on Kokkos Views: compiled when it is first launched, checked before it runs.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/base/extents.hpp>
#include <mylos/base/named_text.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/jit/compiler.hpp>
#include <mylos/jit/signature.hpp>
#include <mylos/kernel/arguments.hpp>
#include <mylos/kernel/bundle.hpp>
#include <mylos/kernel/launch.hpp>
#include <mylos/kernel/threads_from.hpp>

namespace mylos::inline MYLOS_ABI {

namespace detail {
class KernelBase;
enum class Reach : std::uint8_t;

/// What a variable of a kernel can be copied from: bytes that are the whole value. A span or a string_view is not.
template <class T>
concept VariableValue = std::is_trivially_copyable_v<T> && !std::ranges::borrowed_range<T>;
}  // namespace detail

/// Order in memory of a View of rank >= 2 that a plain pointer parameter may take.
enum class FlatLayout { left, right };

/// How a kernel is compiled, checked and launched.
///
/// check_finite: after each launch, the first NaN or Inf is a ValueError that names the argument, the field and the
/// index. Looked at are `float` and `double`, by themselves, as parts of complex numbers, as components of CUDA's
/// vector types and as fields that MYLOS_STRUCT lists (in classes and arrays among them, too), in Views, and in the
/// mylos::Array members that MYLOS_STRUCT lists of a class by value. Not looked at are two-byte numbers, classes that
/// do not tell their fields, what a plain pointer in a class points to (nobody knows how far), and arrays in the
/// elements of a View. Cost: waits for the device; what the host does not reach is copied there, and that is counted.
struct CudaOptions {
  unsigned block = 128;                                  ///< threads of a block, in as many axes as the kernel works on
  Extents3 block3 = {};                                  ///< axis by axis; wins over `block`
  std::vector<std::string> options = {};                 ///< passed to the compiler; a -std or -arch wins over ours
  std::vector<std::filesystem::path> include_dirs = {};  ///< for #include "..."; Mylos' own headers need none
  std::string instantiate = {};                          ///< of a template: "axpy<double, 3>"
  ThreadsFrom threads_from = {};                         ///< when a call does not give `threads`
  std::optional<FlatLayout> flat_layout = {};            ///< lets T* take contiguous Views of rank >= 2 of this order
  bool check_signature = true;                           ///< false: arguments are passed as they are, unchecked
  bool check_finite = false;                             ///< NaN or Inf after a launch is an error: see above
  std::optional<bool> debug = {};                        ///< line information, bounds checks, wait after each launch
};

class CudaKernel;
namespace detail {
/// A port of mylos_add_kernels(), its text part of the program. `folder` is where it was read from: messages say so,
/// and its #include "..." are looked for there; those of `headers` (by absolute path) are taken from the program,
/// whatever lies on the disk meanwhile. `images` are kernels that were compiled when the program was built, as the
/// kernel compiler of ARCHITECTURES writes them, each under the name of its port: a launch on a GPU that one of them
/// fits compiles nothing, unless it is to be debugged.
[[nodiscard]] MYLOS_EXPORT CudaKernel embedded_port(const NamedText& port, std::span<const NamedText> headers,
                                                    const char* folder, std::span<const NamedText> images = {});
}  // namespace detail

/// A `__global__` function of a CUDA text. Copies are cheap and share what is compiled. Concurrent calls are allowed.
///
/// Called with one argument per parameter. `T*` takes a contiguous View of rank 0 or 1 of exactly T in DeviceSpace (of
/// const T for `const T*` only), `mylos::Array<T, R>` a View of rank R of any layout, `mylos::ContiguousArray<T, R>`
/// one without gaps; scalars are converted to the parameter's type when their value fits; classes are passed by value.
///
/// Cost of a call: no copy of data ever; no allocation after the first call with the same types, unless the values of
/// the parameters and 8 bytes for each exceed 4096 bytes; types are compared once per list of types. The first call
/// compiles.
///
/// Blocks: `CudaOptions::block` threads in as many axes as the kernel works on: those of the largest MYLOS_THREAD_1D,
/// _2D, _3D in its text, else the indices of the functor whose port it is, else one: 128 is 128, 32 x 4 or 16 x 4 x 2.
/// Threads that are not given are the leading extents of the first View, as many as the block has axes. One warning
/// where there are more than 2^31 - 1 along x and the kernel's body multiplies blockIdx.x by blockDim.x in 32 bits.
///
/// Throws, before anything runs, in this order: SignatureError (count, type, const, rank), SpaceError (a View that the
/// device does not reach), ShapeError (strides), RangeError (a scalar's value), ValueError (negative threads),
/// LaunchError (limits of the device, no threads to infer, threads along fewer axes than the text works on),
/// CompileError, BackendError, and SignatureError for a parameter that the kernel's compiler finds to be of another
/// type than was read of the text, and for a class of another size than it finds.
class MYLOS_EXPORT CudaKernel {
 public:
  /// The kernel `name` of `source`. Nothing is read or compiled yet: the first use throws LookupError, with the names
  /// that exist, when there is none of that name.
  CudaKernel(std::string source, std::string name, CudaOptions options = {});
  /// The kernel named like the file: push.cu holds `push`. Throws LookupError when there is no such file, Error when it
  /// cannot be read.
  [[nodiscard]] static CudaKernel from_file(const std::filesystem::path& file, CudaOptions options = {});
  [[nodiscard]] static CudaKernel from_file(const std::filesystem::path& file, std::string name,
                                            CudaOptions options = {});
  /// Every kernel of a file by its name. Throws LookupError when there is none.
  [[nodiscard]] static std::map<std::string, CudaKernel> all_from_file(const std::filesystem::path& file,
                                                                       const CudaOptions& options = {});

  /// Waits for nothing, one launch on the default stream. See the class for arguments and errors.
  template <class... A>
    requires detail::no_launch_first_v<A...>
  void operator()(A&&... arguments) const {
    (*this)(Launch{}, arguments...);
  }
  /// With settings: `cuda({.threads = n}, x, v, dt)`.
  template <class... A>
  void operator()(const Launch& settings, A&&... arguments) const {
    detail::call_flat([&]<class... F>(const F&... flat) { launch(settings, ArgumentPack<F...>(flat...)); },
                      arguments...);
  }
  /// What the call operators do once the types are erased.
  void launch(const Launch& settings, const Arguments& arguments) const;
  /// Blocks and threads that such a call launches. Checks limits, not the arguments.
  [[nodiscard]] LaunchShape launch_shape(const Launch& settings, const Arguments& arguments) const;

  /// Sets a variable of the text that is __constant__ or __device__ at namespace scope, as cudaMemcpyToSymbol does:
  /// "scale", "physics::scale". T is trivially copyable and of exactly its size; arrays of C and std::array are so.
  ///
  /// Space and stream: in order with the work of `stream`. Launches queued there before see the old value, later ones
  /// the new one; other streams are not looked at. `value` may be used again at return. Cost: one copy to the device,
  /// counted, with the variable's name as label; the first call for a name looks for it.
  /// Whose variable: that of the program which a launch on the device would use now; it is compiled if need be. All
  /// copies of this CudaKernel share it, and so do graphs that hold its launches. A program that is made anew has
  /// variables of its own, with the values of the text: after recompile(), where debugging goes on or off, for
  /// `port_on_host`, and in every other CudaKernel, of the same text too.
  /// Throws LaunchError in a capture of CudaGraph; what a launch throws that cannot be compiled; LookupError, with the
  /// names that there are, for one that is not there: compilers leave out what no kernel uses; ValueError for another
  /// size; CudaError. One that is const is missing as well, or set without effect: its value is part of the code.
  template <detail::VariableValue T>
  void set_variable(std::string_view name, const T& value, const Device& stream = {},
                    std::source_location place = std::source_location::current()) const {
    write_variable(name, {reinterpret_cast<const std::byte*>(&value), sizeof(T)}, stream, place);
  }
  /// The value of such a variable: `kernel.variable<int>("launches")`, as cudaMemcpyFromSymbol does. Waits for the work
  /// of `stream`, and for no other. Otherwise as set_variable.
  template <detail::VariableValue T>
    requires(!std::is_array_v<T>)
  [[nodiscard]] T variable(std::string_view name, const Device& stream = {},
                           std::source_location place = std::source_location::current()) const {
    std::array<std::byte, sizeof(T)> bytes{};
    read_variable(name, bytes, stream, place);
    return std::bit_cast<T>(bytes);
  }

  /// Nothing is moved: every CudaKernel can be called.
  CudaKernel(const CudaKernel&) = default;
  CudaKernel& operator=(const CudaKernel&) = default;
  ~CudaKernel() = default;

  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] const std::string& source() const;
  /// The file it was read from, as it was given, or as MYLOS_KERNEL_PATH gives it; empty for a text.
  [[nodiscard]] const std::filesystem::path& file() const;
  [[nodiscard]] const CudaOptions& options() const;
  /// Parameters as the text declares them. Throws LookupError, SignatureError (a type that cannot be passed).
  [[nodiscard]] const Signature& signature() const;

  /// Compiles by NVRTC for "sm_90" (a cubin) or "compute_80" (PTX), without a GPU; without an architecture, for the
  /// device in use, as a launch does. Throws as signature(), CompileError, BackendError (no NVRTC, no device),
  /// SignatureError (a parameter that the compiler finds to be of another type than was read).
  [[nodiscard]] CompiledKernel compile(std::string_view architecture = {}) const;
  /// Forgets what is compiled, so that the next launch sees edited headers; of a port of a catalog, also a file in
  /// MYLOS_KERNEL_PATH that was edited, came or went, with another signature if it has one. For all copies of the
  /// kernel. Throws what its first use would; all is then as before.
  void recompile() const;
  /// Whether the program for the device in use is there: a launch compiles and loads nothing.
  [[nodiscard]] bool is_compiled() const;
  /// The files that `#include "..."` reaches, transitively; Mylos' own are not among them. Of a port that is part of
  /// the program: as they were called when it was built.
  [[nodiscard]] std::vector<std::filesystem::path> included_headers() const;

 private:
  friend class detail::KernelBase;
  friend CudaKernel detail::embedded_port(const NamedText&, std::span<const NamedText>, const char*,
                                          std::span<const NamedText>);
  struct State;

  CudaKernel(std::string source, std::string name, std::filesystem::path file, CudaOptions options);
  explicit CudaKernel(std::shared_ptr<State> state);
  /// `reach` host: on Views that the host reaches, by the emulator. `functor_axes`: indices of the host functor whose
  /// port this is; 0: none, or not known.
  void run(const Launch& settings, const Arguments& arguments, detail::Reach reach, int functor_axes) const;
  /// What set_variable and variable do once the types are erased.
  void write_variable(std::string_view name, std::span<const std::byte> value, const Device& stream,
                      std::source_location place) const;
  void read_variable(std::string_view name, std::span<std::byte> value, const Device& stream,
                     std::source_location place) const;
  /// Throws LaunchError where a CudaGraph that is being captured cannot hold such a launch.
  void require_recordable(const Launch& settings, detail::Reach reach) const;

  std::shared_ptr<State> state_;
};

}  // namespace mylos::inline MYLOS_ABI
