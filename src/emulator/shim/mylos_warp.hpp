// SPDX-License-Identifier: MIT
// Warp operations. A lane leaves what it brings in its place and hands over to the next lane of the mask; the last one
// has the library do the operation for all of them, and the first goes on. What does not fit goes to the scheduler: a
// lane that is not waiting for its turn, or that waits for something else.
#pragma once

constexpr int warpSize = 32;

__attribute__((noinline, cold)) static void mylos_misused(int misuse, int value, const mylos_stop& stop) {
  mylos_ring->stops[mylos_ring->thread] = stop;
  mylos_library->misuse(misuse, value);
  __builtin_unreachable();
}

// The lane that goes on when this one waits, in its warp or the scheduler. `lanes`: of the operation, that are left.
MYLOS_INLINE int mylos_next_lane(mylos_worker* worker, int thread, unsigned lanes) {
  const unsigned lane = static_cast<unsigned>(thread) % mylos_lanes;
  const unsigned warp = static_cast<unsigned>(thread) / mylos_lanes;
  const unsigned waiting = worker->in_operation[warp] |= 1u << lane;
  const unsigned behind = lanes >> lane >> 1;
  if (behind != 0) {
    const int next = thread + 1 + __builtin_ctz(behind);
    const bool is_stopped = ((waiting | worker->held[warp]) >> static_cast<unsigned>(next) % mylos_lanes & 1u) != 0;
    if (__builtin_expect(is_stopped, 0)) return mylos_scheduler_slot;
    return next < worker->next_thread ? next : worker->next_thread;  // those between it and this one start first
  }
  if (__builtin_expect((waiting & lanes) != lanes, 0)) return mylos_scheduler_slot;
  if (__builtin_expect(mylos_library->complete(static_cast<int>(warp), lanes) == 0, 0)) return mylos_scheduler_slot;
  return thread - static_cast<int>(lane) + __builtin_ctz(lanes);
}

MYLOS_INLINE unsigned long long mylos_in_warp(const mylos_stop& brings) {
  mylos_worker* const worker = mylos_ring;
  const int thread = worker->thread;
  const unsigned lane = static_cast<unsigned>(thread) % mylos_lanes;
  if (__builtin_expect((brings.mask >> lane & 1u) == 0, 0)) mylos_misused(mylos_not_in_mask, 0, brings);
  worker->stops[thread] = brings;
  const unsigned lanes = brings.mask & worker->live[static_cast<unsigned>(thread) / mylos_lanes];
  const int next = mylos_next_lane(worker, thread, lanes);
  worker->reason = mylos_at_operation;
  mylos_hand_over(worker, next);
  return worker->stops[thread].value;
}

// Values of at most 8 bytes as a word, and back.
template <class T>
MYLOS_INLINE unsigned long long mylos_word(T value) {
  static_assert(sizeof(T) <= 8, "warp operations take values of at most 8 bytes");
  unsigned long long word = 0;
  __builtin_memcpy(&word, &value, sizeof(T));
  return word;
}
template <class T>
MYLOS_INLINE T mylos_from_word(unsigned long long word) {
  T value;
  __builtin_memcpy(&value, &word, sizeof(T));
  return value;
}

// As shfl.sync computes it, from the lowest five bits of the operand: beyond its segment a lane reads itself, but with
// xor it reads from segments before its own.
MYLOS_INLINE int mylos_source_lane(int operation, int lane, unsigned operand, int width) {
  const int distance = static_cast<int>(operand & 31u);
  const int first = lane & -width, last = first | (width - 1);
  int source = first | (distance & (width - 1));
  if (operation == mylos_shuffle_up) source = lane - distance >= first ? lane - distance : lane;
  if (operation == mylos_shuffle_down) source = lane + distance <= last ? lane + distance : lane;
  if (operation == mylos_shuffle_xor) source = (lane ^ distance) <= last ? lane ^ distance : lane;
  return source;
}

// Any trivially copyable T of at most 8 bytes.
template <class T>
MYLOS_INLINE T mylos_shuffle(mylos_operation operation, unsigned mask, T value, unsigned operand, int width,
                             mylos_where where) {
  if (__builtin_expect(width < 1 || width > warpSize || (width & (width - 1)) != 0, 0)) {
    mylos_misused(mylos_bad_width, width, {where, mask, operation, 0, 0});
  }
  const int lane = mylos_ring->thread % mylos_lanes;
  const int source = mylos_source_lane(operation, lane, operand, width);
  return mylos_from_word<T>(mylos_in_warp({where, mask, operation, mylos_word(value), source}));
}

// Small types become int, as in CUDA, and the built-in indices unsigned.
#define MYLOS_SHUFFLE(name, operation, Operand)                                                                  \
  template <class T>                                                                                             \
  MYLOS_INLINE auto name(unsigned mask, T value, Operand operand, int width = warpSize,                          \
                         mylos_where where = mylos_called_at())->decltype(+value) {                              \
    return mylos_shuffle(operation, mask, +value, static_cast<unsigned>(operand), width, where);                 \
  }
MYLOS_SHUFFLE(__shfl_sync, mylos_shuffle_index, int)
MYLOS_SHUFFLE(__shfl_up_sync, mylos_shuffle_up, unsigned)
MYLOS_SHUFFLE(__shfl_down_sync, mylos_shuffle_down, unsigned)
MYLOS_SHUFFLE(__shfl_xor_sync, mylos_shuffle_xor, int)
#undef MYLOS_SHUFFLE

MYLOS_INLINE void __syncwarp(unsigned mask = 0xffffffffu, mylos_where where = mylos_called_at()) {
  mylos_in_warp({where, mask, mylos_sync_warp, 0, 0});
}
MYLOS_INLINE unsigned mylos_vote(mylos_operation operation, unsigned mask, int condition, mylos_where where) {
  return static_cast<unsigned>(mylos_in_warp({where, mask, operation, condition != 0 ? 1ull : 0ull, 0}));
}
MYLOS_INLINE unsigned __ballot_sync(unsigned mask, int condition, mylos_where where = mylos_called_at()) {
  return mylos_vote(mylos_ballot, mask, condition, where);
}
MYLOS_INLINE int __all_sync(unsigned mask, int condition, mylos_where where = mylos_called_at()) {
  return static_cast<int>(mylos_vote(mylos_all, mask, condition, where));
}
MYLOS_INLINE int __any_sync(unsigned mask, int condition, mylos_where where = mylos_called_at()) {
  return static_cast<int>(mylos_vote(mylos_any, mask, condition, where));
}

// The lanes that come to this call: the scheduler lets all others of the warp run until they wait or have left.
MYLOS_INLINE unsigned __activemask(mylos_where where = mylos_called_at()) {
  mylos_worker* const worker = mylos_ring;
  const int thread = worker->thread;
  const unsigned lane = 1u << static_cast<unsigned>(thread) % mylos_lanes;
  worker->stops[thread] = {where, lane, mylos_active_mask, 0, 0};
  worker->in_operation[thread / mylos_lanes] |= lane;
  mylos_ask_scheduler(worker, mylos_at_operation);
  return static_cast<unsigned>(worker->stops[thread].value);
}

// Equal are values of the same bits.
template <class T>
MYLOS_INLINE unsigned __match_any_sync(unsigned mask, T value, mylos_where where = mylos_called_at()) {
  return static_cast<unsigned>(mylos_in_warp({where, mask, mylos_match_any, mylos_word(+value), 0}));
}
template <class T>
MYLOS_INLINE unsigned __match_all_sync(unsigned mask, T value, int* same, mylos_where where = mylos_called_at()) {
  const auto lanes = static_cast<unsigned>(mylos_in_warp({where, mask, mylos_match_all, mylos_word(+value), 0}));
  *same = lanes != 0 ? 1 : 0;
  return lanes;
}

#define MYLOS_REDUCTION(name, T, operation)                                                           \
  MYLOS_INLINE T name(unsigned mask, T value, mylos_where where = mylos_called_at()) {                \
    return mylos_from_word<T>(mylos_in_warp({where, mask, operation, mylos_word(value), 0}));         \
  }
MYLOS_REDUCTION(__reduce_add_sync, unsigned, mylos_reduce_add)
MYLOS_REDUCTION(__reduce_add_sync, int, mylos_reduce_add)
MYLOS_REDUCTION(__reduce_min_sync, unsigned, mylos_reduce_min)
MYLOS_REDUCTION(__reduce_min_sync, int, mylos_reduce_min_signed)
MYLOS_REDUCTION(__reduce_max_sync, unsigned, mylos_reduce_max)
MYLOS_REDUCTION(__reduce_max_sync, int, mylos_reduce_max_signed)
MYLOS_REDUCTION(__reduce_and_sync, unsigned, mylos_reduce_and)
MYLOS_REDUCTION(__reduce_or_sync, unsigned, mylos_reduce_or)
MYLOS_REDUCTION(__reduce_xor_sync, unsigned, mylos_reduce_xor)
#undef MYLOS_REDUCTION

// The forms without a mask are gone from CUDA, too.
#define MYLOS_WITHOUT_MASK(name)                                                                                  \
  __attribute__((noinline, error("the form without _sync is gone from CUDA: say which lanes take part: " #name    \
                                 "_sync(mask, ...), with mask 0xffffffff for a whole warp")))
#define MYLOS_OLD_SHUFFLE(name) \
  template <class T, class D>   \
  MYLOS_WITHOUT_MASK(name) T name(T value, D operand, int width = warpSize);
MYLOS_OLD_SHUFFLE(__shfl) MYLOS_OLD_SHUFFLE(__shfl_up) MYLOS_OLD_SHUFFLE(__shfl_down) MYLOS_OLD_SHUFFLE(__shfl_xor)
#undef MYLOS_OLD_SHUFFLE
MYLOS_WITHOUT_MASK(__ballot) unsigned __ballot(int condition);
MYLOS_WITHOUT_MASK(__all) int __all(int condition);
MYLOS_WITHOUT_MASK(__any) int __any(int condition);
#undef MYLOS_WITHOUT_MASK
