// SPDX-License-Identifier: MIT
// Which parts of the arena are allocated, resting in quarantine, or free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/memory.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

class Arena;

/// All offsets are relative to the arena's start. A block is guard zone, payload, guard zone.
class Registry {
 public:
  static Registry& instance();

  void* allocate(std::size_t bytes, std::string_view label);
  void deallocate(void* base);
  [[nodiscard]] std::optional<Allocation> find(std::uintptr_t address);
  [[nodiscard]] MemoryUsage usage();
  std::size_t release_all();

  /// "'x' (80 bytes), byte 8", for a fault's message. Called from a signal handler: allocates nothing and gives up
  /// ("an address ...") when another thread holds the registry.
  std::size_t describe(std::uintptr_t address, char* text, std::size_t capacity) noexcept;

 private:
  struct Block {
    std::size_t begin = 0;  // of the leading guard zone
    std::size_t size = 0;   // with both guard zones
  };
  struct Live {
    Block block;
    std::size_t bytes = 0;
    std::string label;
  };
  using LiveMap = std::map<std::size_t, Live>;

  explicit Registry(Arena& arena);
  std::optional<Block> take(std::size_t size);
  std::optional<Block> take_free(std::size_t size);
  void retire(const Live& live);
  void give_back(Block block);
  void erase_free(std::map<std::size_t, std::size_t>::iterator free);
  LiveMap::const_iterator holder(std::size_t offset) const;

  Arena& arena_;
  std::mutex mutex_;
  LiveMap live_;                                        // by the payload's offset
  std::deque<Block> quarantine_;                        // oldest first
  std::size_t quarantined_ = 0;                         // bytes in it
  std::map<std::size_t, std::size_t> free_;             // offset -> size, neighbours merged
  std::set<std::pair<std::size_t, std::size_t>> fits_;  // (size, offset) of the same
  std::size_t top_ = 0;                                 // everything behind was never used
  MemoryUsage usage_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
