// SPDX-License-Identifier: MIT
// From a kernel's text to something a driver can load.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/base/named_text.hpp>
#include <mylos/cuda/nvrtc.hpp>
#include <mylos/jit/signature.hpp>

namespace mylos::inline MYLOS_ABI {

/// A kernel compiled for an architecture.
struct CompiledKernel {
  std::string name;          ///< the symbol in `image`
  std::string architecture;  ///< "sm_90": `image` is a cubin; "compute_80": it is PTX
  std::string image;
  std::string log;                               ///< what the compiler said, also when it succeeded
  std::vector<ParameterLayout> parameters = {};  ///< in order; empty where the image does not tell
  /// Of each parameter's class, the fields that were found; fewer lists where the last parameters have none.
  std::vector<std::vector<FieldLayout>> fields = {};
};

namespace jit {

namespace detail {
struct NvrtcFacts;
}

struct CompileRequest {
  std::string text;
  std::string name;          ///< of the kernel, as parse_signature takes it
  std::string file = {};     ///< as messages name it; its folder is searched first; empty: NAME.cu and no folder
  std::string architecture;  ///< "sm_90" or "compute_80"
  std::vector<std::string> options = {};  ///< a -std or -arch among them wins over ours
  std::vector<std::filesystem::path> include_dirs = {};
  std::string instantiate = {};              ///< of a template: "axpy<double, 3>"
  bool debug = false;                        ///< line information, and MYLOS_DEBUG defined
  std::span<const NamedText> embedded = {};  ///< files of the program by absolute path; see included_files()
};

/// What `debug` adds to the options, for every compiler of kernels.
[[nodiscard]] MYLOS_EXPORT std::vector<std::string> debug_options();

/// What turns texts into images; NVRTC in earnest, a stand-in where tests need one. Safe from any thread.
class MYLOS_EXPORT Compiler {
 public:
  Compiler() = default;
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;
  virtual ~Compiler();

  /// Throws CompileError (errors in the text, with its numbered lines; options that do not exist), LookupError and
  /// SignatureError (no such kernel, overloads, a kernel that is static, wrong template arguments).
  [[nodiscard]] virtual CompiledKernel compile(const CompileRequest& request) const = 0;
  /// Compute capabilities that it compiles for, ascending.
  [[nodiscard]] virtual std::span<const int> supported_architectures() const = 0;
  /// Whether "sm_90", "compute_90a" or the like has one of their numbers. Which of them there are with a letter is only
  /// told by a compilation.
  [[nodiscard]] bool has_architecture(std::string_view name) const;
  /// For messages and cache keys: "NVRTC 13.0 (/usr/local/cuda/lib64/libnvrtc.so.13)".
  [[nodiscard]] virtual std::string description() const = 0;
};

/// Kernels that an earlier process has compiled come from the cache (cache.hpp); MYLOS_LOG=info tells which.
class MYLOS_EXPORT NvrtcCompiler : public Compiler {
 public:
  /// By the process' own NVRTC, which is not loaded before there is something to compile, where the cache knows what it
  /// is. Throws BackendError when there is none, with the reason.
  NvrtcCompiler();
  /// `nvrtc` must outlive the compiler.
  explicit NvrtcCompiler(const cuda::Nvrtc& nvrtc);
  ~NvrtcCompiler() override;

  [[nodiscard]] CompiledKernel compile(const CompileRequest& request) const override;
  [[nodiscard]] std::span<const int> supported_architectures() const override;
  [[nodiscard]] std::string description() const override;
  /// What NVRTC is called with for `request`. The toolkit's own headers (cuda_fp16.h, ...), where there are any, come
  /// after all folders of the request.
  [[nodiscard]] std::vector<std::string> options_for(const CompileRequest& request) const;

 private:
  NvrtcCompiler(const cuda::Nvrtc* nvrtc, const detail::NvrtcFacts& facts);

  const cuda::Nvrtc* nvrtc_;  // null: the process' own
  std::unique_ptr<const detail::NvrtcFacts> facts_;
  std::vector<std::filesystem::path> toolkit_folders_;
};

/// The architecture to compile for on a device of compute capability `device` (90 for 9.0): "sm_90" when the compiler
/// has that one, else the newest older one as PTX, "compute_86", which the driver then translates.
/// Throws BackendError when every supported architecture is newer than the device, or there is none; `compiler` is
/// named in the message.
[[nodiscard]] MYLOS_EXPORT std::string choose_architecture(int device, std::span<const int> supported,
                                                           std::string_view compiler = "the compiler");

}  // namespace jit
}  // namespace mylos::inline MYLOS_ABI
