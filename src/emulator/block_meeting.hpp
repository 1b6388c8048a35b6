// SPDX-License-Identifier: MIT
// Barriers of the whole grid.
#pragma once

#include <condition_variable>
#include <mutex>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Where the blocks of a launch meet, each on an OS thread of its own, by their positions in the launch's order.
///
/// Those of a checked launch take turns: one runs at a time, in their order, up to a barrier of the grid or its end.
/// Between two such barriers all is then as in a launch whose blocks run one after another.
class BlockMeeting {
 public:
  BlockMeeting(long blocks, bool in_turns) : blocks_(blocks), in_turns_(in_turns) {}

  enum class Outcome {
    met,
    cannot_meet,  ///< others have ended: told to one of those that wait, and the launch is over for the rest
    over          ///< the launch has ended
  };
  /// The block is about to begin: waits for its turn. False: the launch has ended.
  [[nodiscard]] bool begin(long position);
  /// The block is at a barrier of the grid: waits for all others, and for its turn.
  [[nodiscard]] Outcome meet(long position);
  void end(long position);
  /// The launch is over: nobody waits any more.
  void stop();

 private:
  [[nodiscard]] bool is_turn_of(long position) const noexcept { return !in_turns_ || turn_ == position; }
  void pass_on(long position);

  const long blocks_;
  const bool in_turns_;
  std::mutex mutex_;
  std::condition_variable changed_;
  long waiting_ = 0, ended_ = 0;  // blocks
  long round_ = 0;                // how often all have met
  long turn_ = 0;
  bool cannot_meet_ = false, is_over_ = false;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
