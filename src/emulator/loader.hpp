// SPDX-License-Identifier: MIT
// A compiled kernel in this process.
#pragma once

#include <cstdint>
#include <filesystem>

#include <mylos/base/abi.hpp>

#include "emulator/kernel_facts.hpp"
#include "emulator/shim/mylos_abi.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// From `begin` to before `end`.
struct AddressRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

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
  /// Whether an instruction is the kernel's own. Safe in a signal handler.
  [[nodiscard]] bool holds_code(std::uintptr_t address) const noexcept {
    return address >= code_.begin && address < code_.end;
  }

 private:
  void* entry(const char* name) const;

  void* handle_ = nullptr;
  KernelFacts facts_;
  bool portable_switch_;
  VectorEntry* vector_ = nullptr;
  ThreadsEntry* threads_ = nullptr;
  int* concurrent_ = nullptr;
  AddressRange code_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
