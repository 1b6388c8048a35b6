// SPDX-License-Identifier: MIT
// A compiled kernel in this process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>

#include "emulator/kernel_facts.hpp"
#include "emulator/kernel_variables.hpp"
#include "emulator/shim/mylos_abi.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// From `begin` to before `end`.
struct AddressRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

/// A compiled kernel: what every module of it is loaded from.
struct Image {
  std::string shared_object;  // the file's bytes
  KernelFacts facts;
  bool portable_switch = false;
  std::string label;  // what messages call the text
};

/// An image in memory, with variables of its own.
class Module {
 public:
  /// Throws BackendError when the system cannot load it, Error when it cannot be written to the temporary folder.
  explicit Module(std::shared_ptr<const Image> image);
  ~Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  /// The last argument is told which block runs.
  using VectorEntry = void(const mylos_launch*, long first, long last, long* now);
  using ThreadsEntry = void(mylos_worker*);

  [[nodiscard]] const Image& image() const noexcept { return *image_; }
  [[nodiscard]] const KernelFacts& facts() const noexcept { return image_->facts; }
  [[nodiscard]] bool portable_switch() const noexcept { return image_->portable_switch; }
  [[nodiscard]] std::span<const mylos_parameter> parameters() const noexcept {
    return {module_.parameters, module_.parameter_count};
  }
  [[nodiscard]] std::span<const mylos_field> fields() const noexcept { return {module_.fields, module_.field_count}; }
  [[nodiscard]] const char* field_names() const noexcept { return module_.field_names; }
  /// One of the two, by the kernel's execution: the loop of a vector loop, the threads of all others; else null.
  [[nodiscard]] VectorEntry* vector_entry() const noexcept { return vector_; }
  [[nodiscard]] ThreadsEntry* threads_entry() const noexcept { return threads_; }
  /// Whether atomics must be indivisible. Changed only while no launch of the module runs.
  void set_concurrent(bool concurrent) const noexcept {
    if ((*module_.concurrent != 0) != concurrent) *module_.concurrent = concurrent ? 1 : 0;
  }
  /// Whether an instruction is the kernel's own. Safe in a signal handler.
  [[nodiscard]] bool holds_code(std::uintptr_t address) const noexcept {
    return address >= code_.begin && address < code_.end;
  }
  /// The calling thread's dynamic shared memory with the zone behind it; empty where the kernel declares none.
  [[nodiscard]] std::span<std::byte> dynamic_shared() const;
  /// Its variables, read from the symbol table at the first call. Throws Error.
  [[nodiscard]] const KernelVariables& variables() const;
  /// Of a checked kernel: mylos_anchor of the calling thread.
  [[nodiscard]] void* anchor() const { return entry(anchor_symbol); }
  /// Its variables that all threads share.
  [[nodiscard]] AddressRange writable() const noexcept { return writable_; }
  [[nodiscard]] bool may_write(std::span<const std::byte> bytes) const noexcept {
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
    return begin >= writable_.begin && begin < writable_.end;
  }
  /// Whether an address is in what was loaded of the file.
  [[nodiscard]] bool holds(std::uintptr_t address) const noexcept {
    return address >= all_.begin && address < all_.end;
  }
  /// A variable of the text at namespace scope that can be written, by its qualified name. Throws LookupError.
  [[nodiscard]] std::span<std::byte> variable(std::string_view name) const;
  /// Where it was loaded: what to subtract from an address for one in the file.
  [[nodiscard]] std::uintptr_t base() const noexcept { return base_; }

 private:
  /// An object that the system has loaded.
  class Library {
   public:
    explicit Library(const Image& image);
    ~Library();
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    [[nodiscard]] void* handle() const noexcept { return handle_; }

   private:
    bool load_from_memory(const Image& image);
    void load_from_file(const Image& image);

    int descriptor_ = -1;
    void* handle_ = nullptr;
  };
  void* entry(const char* name) const;

  std::shared_ptr<const Image> image_;
  Library library_;
  VectorEntry* vector_ = nullptr;
  ThreadsEntry* threads_ = nullptr;
  mylos_module module_{};
  std::uintptr_t base_ = 0;
  AddressRange code_, writable_, all_;
  mutable std::once_flag once_;
  mutable KernelVariables variables_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
