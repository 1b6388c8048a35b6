// SPDX-License-Identifier: MIT
// The memory of the stand-in's devices: addresses that the host cannot touch, except while the driver works on them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace stand_in {

class Memory {
 public:
  Memory();
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// Filled with noise. Each allocation has pages of its own and an inaccessible one behind it; addresses are never
  /// given out again. Null when the device's memory is taken.
  void* allocate(int device, std::size_t bytes);
  /// False when no allocation begins there.
  bool deallocate(const void* pointer);
  /// Of a kernel's variable, which the host may touch: the device's memory to copies all the same.
  void add_variable(int device, const void* pointer, std::size_t bytes);
  [[nodiscard]] std::size_t in_use(int device) const;
  [[nodiscard]] static std::size_t capacity(int device);
  /// The device whose live allocation, or variable, holds all these bytes; -1: none.
  [[nodiscard]] int device_of(const void* pointer, std::size_t bytes) const;
  /// Whether the address belongs to a device, allocated or not.
  [[nodiscard]] bool is_device_address(const void* pointer) const;
  [[nodiscard]] std::string leaks() const;

  void* allocate_pinned(std::size_t bytes);
  bool deallocate_pinned(void* pointer);
  [[nodiscard]] bool is_pinned(const void* pointer) const;

  void open();
  void close();

 private:
  struct Block {
    int device;
    std::size_t bytes, pages_bytes;
  };

  using Blocks = std::map<const char*, Block>;

  [[nodiscard]] static const Blocks::value_type* find(const Blocks& blocks, const void* pointer);

  char* base_;
  std::size_t used_ = 0;
  int opened_ = 0;
  Blocks blocks_, variables_;
  std::map<const char*, std::vector<char>> pinned_;
};

/// The host may touch device memory while one lives.
class Opened {
 public:
  explicit Opened(Memory& memory) : memory_(memory) { memory_.open(); }
  ~Opened() { memory_.close(); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

 private:
  Memory& memory_;
};

}  // namespace stand_in
