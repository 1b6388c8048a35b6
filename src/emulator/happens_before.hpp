// SPDX-License-Identifier: MIT
// What happened before what in a checked launch: the only order that CUDA promises.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <mylos/base/abi.hpp>

#include "emulator/knowledge.hpp"
#include "emulator/shim/mylos_abi.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Moments are numbers that never come again in a process; each thread has one at a time, and gets a later one where
/// something orders its further accesses behind its earlier ones for others: at a barrier of its block or its warp, and
/// at a fence. So an access is told by its thread and its moment. Blocks run one after another; the moment also tells
/// the block.
///
/// What orders: a barrier all of its block, a barrier of lanes those lanes, and an atomic access by a thread that has
/// made a fence: what it knew at the fence is known to whoever accesses the same address atomically later. Shuffles
/// and votes order nothing. Knowledge is handed on at barriers.
class HappensBefore {
 public:
  using Moment = Knowledge::Moment;

  /// Also when all blocks have met: what came before is ordered before all that follows.
  void begin_launch(int threads_per_block);
  /// Also when a block goes on behind a barrier of the grid.
  void begin_block();

  [[nodiscard]] Moment launch_start() const noexcept { return launch_start_; }
  [[nodiscard]] Moment block_start() const noexcept { return block_start_; }
  [[nodiscard]] Moment interval_start() const noexcept { return interval_start_; }  // the last barrier
  [[nodiscard]] Moment now(int thread) const noexcept {
    const Moment own = now_[static_cast<std::size_t>(thread)];
    return own < interval_start_ ? interval_start_ : own;
  }

  /// All threads of the block are at a barrier, and go on.
  void barrier();
  /// The same of these lanes of a warp.
  void warp_barrier(int warp, unsigned lanes);
  /// What the thread did before this may be published: to its block, or to the whole device.
  void fence(int thread, bool of_device);
  [[nodiscard]] bool has_fenced(int thread) const noexcept {
    return block_fences_.last[static_cast<std::size_t>(thread)].moment >= block_start_;
  }
  /// An atomic access to an address. Costs nothing as long as the launch has made no fence. Returns whether it
  /// publishes what was not published before.
  bool synchronise(int thread, std::uintptr_t address, bool releases);

  /// Whether the access of `other` at `moment`, in this launch, is ordered before what `thread` does now.
  [[nodiscard]] bool is_before(int other, Moment moment, int thread) const noexcept;
  /// Whether anything but barriers may have ordered accesses.
  [[nodiscard]] bool has_acquired() const noexcept { return has_acquired_; }
  /// The number of the block that ran at a moment of this launch.
  [[nodiscard]] long block_of(Moment moment) const noexcept;

 private:
  static constexpr int all_threads = mylos_max_threads;
  static constexpr std::size_t threads = mylos_max_threads;

  struct Fence {
    Moment moment = 0;    // the thread's at the fence
    Moment interval = 0;  // the last barrier before it
    bool is_published = false;
  };
  // Those for the block, or for the device.
  struct Fences {
    std::array<Fence, threads> last{};  // of each thread
    Knowledge before_barrier;           // that all threads of the block made before the last barrier
  };
  struct Published {
    Knowledge for_device, for_block;
    long block = 0;
    std::uint64_t version = 0;
  };
  // A thread that waits repeats itself.
  struct Synchronised {
    std::uintptr_t address = 0;
    std::uint64_t version = 0;
    Moment moment = 0;
    bool released = false;
  };

  // Whose accesses something is known of: a thread's, or those of all threads of a block.
  static std::uint64_t key(long block, int thread) noexcept {
    return static_cast<std::uint64_t>(block) * (all_threads + 1) + static_cast<std::uint64_t>(thread);
  }
  [[nodiscard]] static bool knows(const Knowledge& knowledge, long block, int thread, Moment moment) noexcept;
  [[nodiscard]] long block() const noexcept { return static_cast<long>(block_starts_.size()) - 1; }
  void publish(Knowledge& to, int thread, const Fences& fences) const;

  Moment last_ = 0;
  Moment launch_start_ = 1, block_start_ = 1, interval_start_ = 1;
  int threads_per_block_ = 0;
  std::vector<Moment> block_starts_;  // of this launch
  std::array<Moment, threads> now_{};
  std::array<Moment, threads / mylos_lanes> warp_starts_{};  // the last barrier of all lanes of a warp
  std::array<std::array<Moment, mylos_lanes>, threads>
      seen_{};  // of each thread: up to when it knows the lanes of its warp
  Fences device_fences_, block_fences_;
  std::vector<int> fenced_;    // threads that have made a fence since the last barrier
  bool has_fenced_ = false;    // anybody in this launch
  bool has_acquired_ = false;  // the same
  std::unordered_map<std::uintptr_t, Published> published_;
  std::uint64_t versions_ = 0;
  std::array<Synchronised, threads> synchronised_{};
  std::array<Knowledge, threads> acquired_;
  Knowledge acquired_by_block_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
