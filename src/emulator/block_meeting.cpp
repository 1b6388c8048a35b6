// SPDX-License-Identifier: MIT
#include "emulator/block_meeting.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

bool BlockMeeting::begin(long position) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_over_ || is_turn_of(position); });
  return !is_over_;
}

BlockMeeting::Outcome BlockMeeting::meet(long position) {
  std::unique_lock lock(mutex_);
  const long next_round = round_ + 1;
  ++waiting_;
  pass_on(position);
  changed_.wait(lock, [&] { return is_over_ || cannot_meet_ || (round_ == next_round && is_turn_of(position)); });
  if (is_over_) return Outcome::over;
  if (!cannot_meet_) return Outcome::met;
  is_over_ = true;
  return Outcome::cannot_meet;
}

void BlockMeeting::end(long position) {
  const std::lock_guard lock(mutex_);
  ++ended_;
  pass_on(position);
}

// The block has come to a barrier, or to its end.
void BlockMeeting::pass_on(long position) {
  turn_ = position + 1;
  if (waiting_ + ended_ == blocks_) {
    cannot_meet_ = waiting_ > 0 && ended_ > 0;
    waiting_ = 0;
    turn_ = 0;
    ++round_;
  }
  changed_.notify_all();
}

void BlockMeeting::stop() {
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  changed_.notify_all();
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
