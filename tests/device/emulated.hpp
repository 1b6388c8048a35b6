// SPDX-License-Identifier: MIT
// Kernel texts run on the emulated device, on arrays that the test gives and gets back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <mylos/emulator/compiler.hpp>
#include <mylos/emulator/launch.hpp>
#include <mylos/emulator/memory.hpp>

namespace mylos_test {

/// Elements in emulated device memory.
template <class T>
class DeviceVector {
 public:
  explicit DeviceVector(const std::vector<T>& values)
      : size_(values.size()),
        memory_(mylos::emulator::allocate(size_ * sizeof(T), "test"), &mylos::emulator::deallocate) {
    const mylos::emulator::HostAccess access;
    mylos::emulator::note_write(memory_.get(), size_ * sizeof(T));
    std::memcpy(memory_.get(), values.data(), size_ * sizeof(T));
  }
  [[nodiscard]] T* data() const { return static_cast<T*>(memory_.get()); }
  [[nodiscard]] std::vector<T> values() const {
    const mylos::emulator::HostAccess access;
    return std::vector<T>(data(), data() + size_);
  }

 private:
  std::size_t size_;
  std::unique_ptr<void, void (*)(void*)> memory_;
};

/// Compiles `text` and runs kernel `name`; `arguments` have exactly the types of its parameters.
template <class... A>
void run_emulated(const std::string& text, const std::string& name, const mylos::emulator::LaunchShape& shape,
                  A... arguments) {
  const auto program = mylos::emulator::compile({.text = text, .name = name});
  void* const addresses[] = {&arguments...};
  mylos::emulator::launch(*program, shape, addresses);
}

}  // namespace mylos_test
