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
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/memory.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

class Arena;

/// What is at or next to an address of the device, for messages.
struct Surroundings {
  enum class Where { inside, freed, behind, before, nowhere };
  Where where = Where::nowhere;
  std::string label;
  std::size_t bytes = 0;  // of the allocation
  std::uintptr_t base = 0;
  /// From the start of the allocation for `inside` and `freed`, else to its nearest end.
  std::size_t distance = 0;
};

/// All offsets are relative to the arena's start. A block is guard zone, payload, guard zone.
class Registry {
 public:
  static Registry& instance();

  void* allocate(std::size_t bytes, std::string_view label);
  void set_header(void* base, std::size_t bytes);
  void deallocate(void* base);
  [[nodiscard]] std::optional<Allocation> find(std::uintptr_t address);
  [[nodiscard]] Surroundings surroundings(std::uintptr_t address);
  [[nodiscard]] std::vector<Allocation> live();
  [[nodiscard]] MemoryUsage usage();
  std::size_t release_all();

  /// From here on the shadow memory follows what is allocated and freed; of what is there already, catch_up() tells
  /// what counts as written.
  void start_checks();
  /// These bytes are written, and there is no shadow memory to note which: their whole allocation counts as written.
  void note_early_write(std::uintptr_t address, std::size_t bytes);
  /// Device memory may have been written by code that nobody watched: all that is there now counts as written.
  void note_unwatched_writes();
  /// Whether memory at an address counts as written by one of the two, and the shadow memory does not have it yet.
  [[nodiscard]] bool has_unnoted_writes(std::uintptr_t address);
  /// To be called before anybody looks at what the shadow memory says of written memory.
  void catch_up();

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
    std::size_t header = 0;       // bytes at its start that are not the kernels'
    std::uint64_t unwatched = 0;  // unwatched writes before it came, or that the shadow memory has
  };
  // In place of that number: it has been written before there was shadow memory.
  static constexpr std::uint64_t written_early = ~std::uint64_t{0};
  struct Retired {
    Live live;
    std::size_t payload = 0;
  };
  using LiveMap = std::map<std::size_t, Live>;

  explicit Registry(Arena& arena);
  std::optional<Block> take(std::size_t size);
  std::optional<Block> take_free(std::size_t size);
  void retire(Live live, std::size_t payload);
  void release_oldest();
  void give_back(Block block);
  [[nodiscard]] Allocation told(const LiveMap::value_type& live) const;
  [[nodiscard]] Surroundings told(Surroundings::Where where, const Live& live, std::size_t payload,
                                  std::size_t distance) const;
  [[nodiscard]] Surroundings around(const Live& live, std::size_t payload, std::size_t offset, bool freed) const;
  void erase_free(std::map<std::size_t, std::size_t>::iterator free);
  LiveMap::const_iterator holder(std::size_t offset) const;

  Arena& arena_;
  std::mutex mutex_;
  LiveMap live_;                                        // by the payload's offset
  std::deque<Retired> quarantine_;                      // oldest first
  std::size_t quarantined_ = 0;                         // bytes in it
  std::map<std::size_t, std::size_t> free_;             // offset -> size, neighbours merged
  std::set<std::pair<std::size_t, std::size_t>> fits_;  // (size, offset) of the same
  std::size_t top_ = 0;                                 // everything behind was never used
  MemoryUsage usage_;
  std::uint64_t unwatched_ = 0;  // how often there were unwatched writes
  bool is_behind_ = false;       // the shadow memory may be, of some allocation
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
