// SPDX-License-Identifier: MIT
// Which accesses of a run nothing orders: vector clocks of all threads, kept in full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mylos_test::model {

/// Barriers order their threads, __syncwarp() the lanes of its mask. A fence publishes what its thread knows, by the
/// thread's next atomic accesses, to those who access the same element atomically after it, once they have passed a
/// fence or a barrier of their own. Nothing else orders anything.
class HappensBefore {
 public:
  HappensBefore(std::size_t thread_count, std::size_t cells);

  void read(unsigned thread, std::size_t cell);
  void write(unsigned thread, std::size_t cell);
  void atomic(unsigned thread, std::size_t cell);
  void meet(std::span<const unsigned> those);
  void fence(unsigned thread);

  [[nodiscard]] bool race() const { return race_; }

 private:
  using Clock = std::vector<std::uint32_t>;
  struct Access {
    unsigned thread;
    std::uint32_t time;
  };
  struct Cell {
    std::vector<Access> reads, writes, atomics;  // the last one of each thread that is not older than a write
    Clock published;
  };

  static void join(Clock& clock, const Clock& other);
  void learn(unsigned thread);
  void check(unsigned thread, const std::vector<Access>& accesses);
  void note(unsigned thread, std::vector<Access>& accesses) const;

  std::vector<Clock> clocks_;
  std::vector<Clock> published_;  // by each thread's last fence
  std::vector<Clock> heard_;      // by each thread's atomic accesses since its last fence or barrier
  std::vector<Cell> cells_;
  bool race_ = false;
};

}  // namespace mylos_test::model
