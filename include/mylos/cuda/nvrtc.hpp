// SPDX-License-Identifier: MIT
// NVIDIA's run-time compiler, loaded when first needed. It needs no GPU and no driver.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/base/named_text.hpp>

namespace mylos::inline MYLOS_ABI::cuda {

struct NvrtcRequest {
  std::string text;
  std::string file_name;                      ///< as messages shall name it
  std::vector<std::string> options;           ///< as given to nvrtcCompileProgram; -arch=sm_* or -arch=compute_*
  std::span<const NamedText> headers = {};    ///< by what stands in their #include; before any folder is searched
  std::vector<std::string> name_expressions;  ///< e.g. "n::axpy<double, 3>": instantiated, and their symbols told
};

struct NvrtcResult {
  bool compiled = false;
  std::string log;    ///< the compiler's own words; may hold warnings when it compiled
  std::string image;  ///< cubin for a real architecture (sm_*), else PTX text
  bool is_ptx = false;
  std::vector<std::pair<std::string, std::string>> lowered_names;  ///< name expression, symbol in the image
};

/// One loaded NVRTC library. Calls are safe from any thread; they run one after another, as NVRTC does anyway.
class MYLOS_EXPORT Nvrtc {
 public:
  /// The process' own NVRTC: the file MYLOS_NVRTC names, else libnvrtc.so.13 or .12 where the loader finds it or in
  /// CUDA_HOME, CUDA_PATH, /usr/local/cuda, else default_file(). Loaded once; nullptr when there is none, see
  /// `unavailable_reason`.
  static const Nvrtc* find() noexcept;
  /// Why `find` gives nullptr; empty when it does not.
  static const std::string& unavailable_reason() noexcept;
  /// As `find`, but throws BackendError with the reason.
  static const Nvrtc& require();
  /// The files and names that `find` tries, in this order; `last`, if any, is the last of them.
  [[nodiscard]] static std::vector<std::string> candidates(std::string_view last = default_file());
  /// What was there when this library was built, MYLOS_NVRTC_DEFAULT of CMake: NVIDIA's wheel, which bootstrap fetches
  /// where there is no toolkit. Need not be there any more. Empty for none.
  [[nodiscard]] static std::string_view default_file() noexcept;
  /// The first of these library files or names that loads, independent of `find`.
  /// Throws BackendError when none does, or the one that does is older than NVRTC 12.0.
  explicit Nvrtc(std::span<const std::string> candidates);
  ~Nvrtc();
  Nvrtc(const Nvrtc&) = delete;
  Nvrtc& operator=(const Nvrtc&) = delete;

  [[nodiscard]] int major() const noexcept;
  [[nodiscard]] int minor() const noexcept;
  [[nodiscard]] std::string version() const;  ///< "13.0"
  [[nodiscard]] const std::string& path() const noexcept;
  /// Compute capabilities that it compiles for, ascending: 75, 80, ..., 120.
  [[nodiscard]] const std::vector<int>& supported_architectures() const noexcept;

  /// Compiles; a text with errors gives `compiled == false` and the log. Throws CompileError for a bad option,
  /// an unknown architecture or a bad name expression, Error for failures inside NVRTC.
  /// Cost: about 0.1 to 1 s; 0.8 s is usual for a small kernel.
  [[nodiscard]] NvrtcResult compile(const NvrtcRequest& request) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mylos::inline MYLOS_ABI::cuda
