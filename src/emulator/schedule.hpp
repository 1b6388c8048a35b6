// SPDX-License-Identifier: MIT
// Which thread of a block goes on next.
#pragma once

#include <array>
#include <chrono>
#include <optional>

#include <mylos/base/abi.hpp>

#include "emulator/divergence.hpp"
#include "emulator/repetition.hpp"
#include "emulator/run_order.hpp"
#include "emulator/shim/mylos_abi.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

class HappensBefore;

/// What a launch says about how threads wait for each other.
struct WaitingRules {
  bool left_counts_as_arrived = false;      ///< at barriers, for threads that have left the kernel
  std::chrono::seconds patience = {};       ///< with threads that wait through atomics, none getting on
  HappensBefore* happens_before = nullptr;  ///< of a checked launch: is told of barriers
  const Stacks* stacks = nullptr;           ///< of a checked launch: of the threads
  ThreadOrder threads = ThreadOrder();      ///< the one that is tried
};

/// Looks after the threads of one block while it runs, on the data that the kernel shares (mylos_worker).
///
/// As long as threads come to barriers in the order of their numbers, and to warp operations in the order of their
/// lanes, they hand over to each other, and this is asked at the last one only (come_to_barrier, complete_meeting). A
/// thread that does not fit in comes back to the scheduler, which from then on lets one thread after another go on,
/// until the order is restored. Warp operations stay quick meanwhile, where the lanes that they name can go on.
///
/// Where another order than the increasing one is tried, the scheduler chooses each thread: all others of its warp are
/// held while it runs, so that none hands over to another.
class Schedule {
 public:
  static constexpr int nobody = -1;

  explicit Schedule(mylos_worker& worker) : worker_(worker) {}

  /// A new block, none of whose threads has started.
  void begin(const WaitingRules& rules);

  /// Takes note of why the thread that ran came back to the scheduler.
  void note_return();
  /// The thread that goes on, or starts; nobody when all have left, or there is a problem.
  int next();
  /// Whether others get a turn before an atomic access of the thread that runs.
  [[nodiscard]] bool gives_turn() noexcept { return rules_.threads.gives_turn(); }

  /// The thread that runs comes to a barrier, in another way than most do. Returns who goes on: where it comes in
  /// order, the next one, or the first, when all are there; mylos_scheduler_slot otherwise. Anyone when there is a
  /// problem.
  int come_to_barrier(const mylos_where& where);
  /// The next thread behind one that has not left the kernel, or mylos_scheduler_slot.
  [[nodiscard]] int next_live(int thread) const noexcept;

  /// All lanes that the meeting is for have come: the operation is done, and they may go on, or there is a problem.
  void complete_meeting();

  /// Why the block cannot go on, if so.
  [[nodiscard]] const std::optional<Problem>& problem() const noexcept { return problem_; }

 private:
  using Masks = std::array<unsigned, mylos_max_warps>;

  // Whether threads start in another order than that of their numbers.
  [[nodiscard]] bool chooses_who_starts() const noexcept { return !rules_.threads.is_increasing(); }
  // Who comes to the barrier next, as long as threads come in order: see mylos_worker::front.
  [[nodiscard]] bool is_in_order() const noexcept { return worker_.front != nullptr; }
  [[nodiscard]] int front() const noexcept { return mylos_number(&worker_, worker_.front); }
  void set_front(int thread) noexcept { worker_.front = worker_.fibers + thread; }

  /// Threads of a warp that exist in this block.
  [[nodiscard]] unsigned lanes_of(int warp) const noexcept;

  [[nodiscard]] int warps() const noexcept { return (worker_.threads + mylos_lanes - 1) / mylos_lanes; }
  [[nodiscard]] unsigned started_of(int warp) const noexcept;
  [[nodiscard]] bool any(const unsigned* masks) const noexcept;
  [[nodiscard]] int first_of(const unsigned* masks) const noexcept;

  [[nodiscard]] bool comes_in_order(const mylos_where& where) noexcept;
  void leave_order();
  void arrive(int thread);
  void hold(Masks& reason, int thread);
  void hold_others_again(int thread);
  int next_by_choice();
  int let_go(int thread);
  int restore_order();
  int ready_thread() const;
  void dissolve_meeting();
  bool complete(int operation, int warp, unsigned lanes);
  bool complete_those_named(int thread);
  bool complete_operations();
  bool complete_active_masks();
  int spinning_thread();
  void let_others_work();
  bool repeats_forever();
  int meet_or_explain();
  int meet();

  mylos_worker& worker_;
  WaitingRules rules_;
  Masks at_barrier_{}, spinning_{};  // together: mylos_worker::held
  bool barriers_differ_ = false;     // of those at one
  bool getting_on_ = true;           // somebody has, since the last turn of those that spin
  int last_turn_ = nobody;           // of those that spin
  Masks started_{};                  // where they do not start in order
  std::chrono::steady_clock::time_point stuck_since_;
  Repetition repetition_;
  std::optional<Problem> problem_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
