// SPDX-License-Identifier: MIT
// CUDA text made into a program for this machine, by the host's C++ compiler.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/base/named_text.hpp>
#include <mylos/jit/signature.hpp>

namespace mylos::inline MYLOS_ABI::emulator {

namespace detail {
class Variants;
}

/// One kernel's text and how to compile it.
struct Source {
  std::string text;
  std::string name;  ///< of the kernel; a qualified one if it is in a namespace
  /// What messages call the text, "<name>.cu" if empty; #include "..." looks beside it.
  std::string file = {};
  /// As for NVRTC. -D, -U, -I, -include and -std pass on, what only a GPU's compiler understands is dropped.
  std::vector<std::string> options = {};
  std::vector<std::filesystem::path> include_dirs = {};
  std::string instantiate = {};  ///< which instance of a template: "axpy<double, 3>"
  /// Files of the program by absolute path; see jit::included_files(). Must live as long as what is compiled.
  std::span<const NamedText> embedded = {};
};

/// How the threads of a block are run, told from what the compiled kernel refers to.
enum class Execution {
  vector_loop,  ///< no barriers, warp operations or atomics: a loop over the threads that the compiler may vectorise
  thread_loop,  ///< atomics: a plain loop, that another thread takes over where one waits for others
  fibers        ///< barriers or warp operations: each thread that waits has a stack of its own
};

/// A compiled kernel with variables (__device__, __constant__) of its own, which launches may change. Shared; launches
/// of it may run at the same time.
class MYLOS_EXPORT Program {
 public:
  explicit Program(std::unique_ptr<detail::Variants> variants);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] const std::string& name() const noexcept;
  [[nodiscard]] Execution execution() const noexcept;
  [[nodiscard]] bool has_atomics() const noexcept;
  /// Of a block, without what a launch adds.
  [[nodiscard]] std::size_t static_shared_bytes() const noexcept;

  /// The bytes of a variable at namespace scope (__device__, __constant__, __managed__) by its name, "scale" or
  /// "physics::scale", for the host to read and write while no launch of the program runs. They live as long as the
  /// program. A checked launch, or one of 2^31 threads along an axis, works on a copy and writes it back at its end; of
  /// those before the first call for a name, the last one decides what is found. Throws LookupError, with the names
  /// there are. A variable that is const, that the text never mentions, or only in what the compiler can compute
  /// without it, is not there.
  [[nodiscard]] std::span<std::byte> variable(std::string_view name) const;

  /// Of the kernel's parameters, in order.
  [[nodiscard]] std::vector<ParameterLayout> parameters() const;
  /// Of each parameter's class, the fields that were found; as CompiledKernel has them.
  [[nodiscard]] std::vector<std::vector<FieldLayout>> fields() const;

  [[nodiscard]] const detail::Variants& variants() const noexcept { return *variants_; }

 private:
  std::unique_ptr<detail::Variants> variants_;
};

/// Compiles, or loads anew what this process has compiled an equal source to (its included files too): programs never
/// share variables.
///
/// The compiler is what MYLOS_CXX names, else CXX, else c++; it is called without a shell. Macros that options define
/// hold for the text, as with NVRTC, and change nothing of the emulator.
/// Cost: tenths of a second the first time; afterwards a hash of the text and of the files it includes, and loading a
/// small file. Thread-safe.
/// Throws CompileError with the compiler's messages and numbered lines of the text; BackendError when there is no
/// compiler; ValueError for a source without text or name.
[[nodiscard]] MYLOS_EXPORT std::shared_ptr<const Program> compile(const Source& source);

/// What can be said about the compiler, for reports.
struct CompilerInfo {
  std::string command;          ///< what MYLOS_CXX names, else CXX, else c++
  std::string version;          ///< the first line of its answer to --version
  std::string unusable_reason;  ///< empty when it runs
};

/// Runs the compiler once, for its version. Throws nothing of its own: what fails is the reason.
[[nodiscard]] MYLOS_EXPORT CompilerInfo compiler_info();

}  // namespace mylos::inline MYLOS_ABI::emulator
