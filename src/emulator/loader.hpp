// SPDX-License-Identifier: MIT
// A compiled kernel in this process.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/compiler.hpp>

#include "emulator/shim/mylos_abi.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

class ObjectFile;

/// What the object file proves about a kernel.
struct KernelFacts {
  Execution execution = Execution::fibers;
  bool has_atomics = false;
  std::size_t static_shared_bytes = 0;
};
KernelFacts examine(const ObjectFile& object);

/// Assembler text that defines the named dynamic shared arrays, all at one address; empty for no names.
std::string dynamic_shared_memory(const std::vector<std::string>& names);

/// A loaded shared object with one kernel. Never unloaded before it is destroyed; the file may go at once.
class Module {
 public:
  /// Throws BackendError when the system cannot load it.
  Module(const std::filesystem::path& shared_object, KernelFacts facts, bool portable_switch);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  using VectorEntry = void(const mylos_launch*, long first, long last);
  using ThreadsEntry = void(mylos_worker*);

  [[nodiscard]] const KernelFacts& facts() const noexcept { return facts_; }
  [[nodiscard]] bool portable_switch() const noexcept { return portable_switch_; }
  [[nodiscard]] VectorEntry* vector_entry() const noexcept { return vector_; }
  [[nodiscard]] ThreadsEntry* threads_entry() const noexcept { return threads_; }
  /// Whether atomics must be indivisible. Changed only while no launch of the module runs.
  void set_concurrent(bool concurrent) const noexcept {
    if ((*concurrent_ != 0) != concurrent) *concurrent_ = concurrent ? 1 : 0;
  }
  /// Whether a code address belongs to the kernel.
  [[nodiscard]] bool holds_code(const void* address) const noexcept;
  /// Null address: no such variable.
  [[nodiscard]] Symbol variable(std::string_view name) const;

 private:
  void* entry(const char* name) const;
  void read_variables(const std::filesystem::path& shared_object);

  void* handle_ = nullptr;
  KernelFacts facts_;
  bool portable_switch_;
  VectorEntry* vector_ = nullptr;
  ThreadsEntry* threads_ = nullptr;
  int* concurrent_ = nullptr;
  std::map<std::string, Symbol, std::less<>> variables_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
