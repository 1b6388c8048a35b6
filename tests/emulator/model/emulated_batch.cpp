// SPDX-License-Identifier: MIT
#include "emulator/model/emulated_batch.hpp"

#include <cstring>
#include <utility>

#include <mylos/emulator/launch.hpp>
#include <mylos/emulator/memory.hpp>

#include "emulator/model/kernel_text.hpp"

namespace mylos_test::model {
namespace {

namespace emulator = mylos::emulator;

std::size_t bytes_of(Type type) { return type == Type::u64 || type == Type::f64 ? 8 : 4; }

/// An array in the emulated device's memory.
class Memory {
 public:
  Memory(const Array& array, const Shape& shape) : width_(bytes_of(array.type)), size_(array.size(shape)) {
    data_ = static_cast<char*>(emulator::allocate(size_ * width_, array.name));
    if (array.content == Content::unwritten) return;
    const emulator::HostAccess access;
    emulator::note_write(data_, size_ * width_);
    const std::vector<Bits> elements = initial_elements(array, shape);
    // The lower half of an element comes first in memory.
    for (std::size_t i = 0; i < size_; ++i) std::memcpy(data_ + i * width_, &elements[i], width_);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { emulator::deallocate(data_); }

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::vector<Bits> read() const {
    const emulator::HostAccess access;
    std::vector<Bits> elements(size_);
    for (std::size_t i = 0; i < size_; ++i) std::memcpy(&elements[i], data_ + i * width_, width_);
    return elements;
  }

 private:
  std::size_t width_, size_;
  char* data_;
};

/// Some of all ways to lay out `count` along three axes.
std::array<std::uint32_t, 3> extents(std::uint32_t count, std::size_t variant) {
  if (variant % 3 == 1 && count % 2 == 0) return {count / 2, 2, 1};
  if (variant % 3 == 2 && count % 4 == 0) return {count / 4, 2, 2};
  return {count, 1, 1};
}

}  // namespace

EmulatedBatch::EmulatedBatch(std::vector<Kernel> kernels)
    : kernels_(std::move(kernels)),
      text_(text_of(kernels_)),
      program_(emulator::compile({.text = text_, .name = "batch"})) {}

EmulatedBatch::Result EmulatedBatch::run(std::size_t kernel, const Shape& shape) const {
  std::vector<std::unique_ptr<Memory>> memory;
  for (const Array& array : kernels_.at(kernel).arrays) {
    if (!array.shared) memory.push_back(std::make_unique<Memory>(array, shape));
  }
  auto which = static_cast<std::uint32_t>(kernel);
  std::uint32_t number = shape.argument;
  std::array<void*, most_arrays> pointers = {};
  for (std::size_t i = 0; i < memory.size(); ++i) pointers.at(i) = memory[i]->data();
  std::vector<void*> addresses = {&which, &number};
  for (void*& pointer : pointers) addresses.push_back(&pointer);
  Result result;
  try {
    emulator::launch(*program_, {.grid = extents(shape.blocks, kernel / 3), .block = extents(shape.threads, kernel)},
                     addresses.data());
  } catch (const mylos::EmulationError& error) {
    result.findings = error.findings();
  }
  for (const auto& array : memory) result.arrays.push_back(array->read());
  return result;
}

}  // namespace mylos_test::model
