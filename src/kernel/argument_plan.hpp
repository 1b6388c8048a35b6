// SPDX-License-Identifier: MIT
// How the arguments of one list of C++ types become the parameters of a kernel. Types are compared when a plan is
// made; a call only follows it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/jit/signature.hpp>
#include <mylos/kernel/arguments.hpp>
#include <mylos/kernel/cuda_kernel.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// Which memory a kernel's Views must be in. `any`: nothing is passed to the port, because the functor runs; asked is
/// whether the port would take arguments of such types, wherever and in whatever order their memory is.
enum class Reach : std::uint8_t { device, host, any };

/// What all checks of one call share. `signature` is null when the kernel's types are not checked.
struct Call {
  std::string_view kernel;
  const Signature* signature;
  const Arguments& arguments;
  Reach reach = Reach::device;
};

/// What is done for one parameter.
struct Step {
  enum class Action : std::uint8_t {
    pointer,  ///< of a View
    array,    ///< a View's pointer, extents and strides, as mylos::Array
    number,   ///< converted to `kind`
    bytes     ///< copied
  };
  enum class Order : std::uint8_t { any, left, right, left_or_right };  ///< that the View's memory must have

  Action action;
  Order order;
  ValueKind kind;
  std::uint32_t offset;  ///< of the value among all values
  std::uint32_t size, alignment;
};

/// Throws SpaceError for a View whose address the device does not reach: one made from a pointer to the host's memory,
/// or to some that is freed. Views that keep their memory alive are not looked up.
void check_addresses(const Call& call);

class ArgumentPlan {
 public:
  /// Throws SignatureError, then SpaceError.
  ArgumentPlan(const Call& call, std::optional<FlatLayout> flat_layout);

  [[nodiscard]] bool serves(std::span<const ArgumentType* const> types, Reach reach) const {
    return types_.data() == types.data() && reach_ == reach;
  }
  [[nodiscard]] std::span<const Step> steps() const { return steps_; }
  /// Of all values, to the last byte of the last one, as CUDA lays out a kernel's parameters.
  [[nodiscard]] std::size_t value_bytes() const { return value_bytes_; }
  /// Of the first value: the largest that one of them needs.
  [[nodiscard]] std::size_t value_alignment() const { return value_alignment_; }
  /// The serial number of the program whose sizes were compared last.
  [[nodiscard]] std::atomic<std::uint64_t>& compared() const { return compared_; }

 private:
  void add(Step step);

  std::span<const ArgumentType* const> types_;
  Reach reach_;
  std::vector<Step> steps_;
  std::size_t value_bytes_ = 0, value_alignment_ = alignof(void*);
  mutable std::atomic<std::uint64_t> compared_ = 0;
};

/// Fills in where the elements of `view`, whose type tells the rank, are: from the bytes of a mylos::Array or
/// mylos::ContiguousArray, which are its pointer, extents and strides.
void take_array(const std::byte* from, Argument& view);

/// The parameters of one launch, as cuLaunchKernel takes them. On the caller's stack: only where the values and their
/// addresses together exceed 4096 bytes, CUDA's limit for the values on most devices, is memory allocated for them.
class ParameterBlock {
 public:
  /// Throws ShapeError, then RangeError.
  ParameterBlock(const Call& call, const ArgumentPlan& plan);
  /// The same values.
  ParameterBlock(const ParameterBlock& other);
  ~ParameterBlock() = default;
  ParameterBlock& operator=(const ParameterBlock&) = delete;

  /// The address of each value.
  [[nodiscard]] void* const* pointers() const { return pointers_; }
  /// All values, as the kernel lays them out.
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  /// Gives room for as many values of so many bytes in all; returns where the first is to lie.
  std::byte* make_room(std::size_t count, std::size_t bytes, std::size_t alignment);

  alignas(void*) std::array<std::byte, 4096> small_;
  std::unique_ptr<std::byte[]> large_;
  std::size_t count_ = 0, alignment_ = 1;
  void** pointers_ = nullptr;
  std::span<const std::byte> bytes_;
};

}  // namespace mylos::inline MYLOS_ABI::detail
