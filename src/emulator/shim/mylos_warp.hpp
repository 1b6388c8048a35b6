// SPDX-License-Identifier: MIT
// Warp operations. A lane leaves what it brings in its place and hands over to the next lane of the mask; the last one
// has the library do the operation for all of them, and the first goes on. What does not fit goes to the scheduler: a
// lane out of its turn, or that comes to something else.
#pragma once

constexpr int warpSize = 32;

MYLOS_UNCHECKED __attribute__((noinline, cold)) static void mylos_misused(int misuse, int value, const mylos_stop& stop) {
  mylos_worker* const worker = mylos_worker_at(mylos_ring);
  worker->stops[mylos_running_number(worker)] = stop;
  mylos_library->misuse(misuse, value);
  __builtin_unreachable();
}

// The first lane of an operation, and those that do not fit in: returns whether others may follow this one in their
// order. If not, the operation is done when this comes back.
MYLOS_UNCHECKED __attribute__((noinline)) static bool mylos_opens_meeting(mylos_worker* worker,
                                                                          const mylos_stop& stop, unsigned lanes) {
  const int thread = mylos_running_number(worker);
  const unsigned lane = 1u << static_cast<unsigned>(thread) % mylos_lanes;
  const unsigned warp = static_cast<unsigned>(thread) / mylos_lanes;
  if ((stop.mask & lane) == 0) mylos_misused(mylos_not_in_mask, 0, stop);
  const bool is_first = (lanes & (lane - 1)) == 0;
  const bool can_come = ((worker->in_operation[warp] | worker->held[warp]) & lanes) == 0;
  if (is_first && can_come && worker->meeting.waiting == 0) {
    worker->meeting = {stop, lanes, 0, thread - thread % mylos_lanes};
    return true;
  }
  worker->stops[thread] = stop;
  worker->in_operation[warp] |= lane;
  mylos_ask_scheduler(worker, mylos_at_operation);
  return false;
}

// Where the next lane is not of the operation: the one behind it, those between start first; behind the last one the
// first, when the operation is done.
MYLOS_UNCHECKED __attribute__((noinline)) static mylos_fiber* mylos_next_at_meeting(mylos_worker* worker, int thread,
                                                                                    unsigned behind) {
  if (behind == 0) {
    const int first = worker->meeting.first_thread + __builtin_ctz(worker->meeting.lanes);
    mylos_library->complete();
    return &worker->fibers[first];
  }
  const int next = thread + 1 + __builtin_ctz(behind);
  return &worker->fibers[next < worker->next_thread ? next : worker->next_thread];
}

// Whether the lanes before this one wait in the meeting, and it comes to the same operation.
MYLOS_UNCHECKED MYLOS_INLINE bool mylos_comes_to(const mylos_meeting& meeting, const mylos_stop& stop, unsigned lanes,
                                                 unsigned before) {
  return meeting.waiting == before && before != 0 && meeting.lanes == lanes && meeting.stop.mask == stop.mask &&
         meeting.stop.operation == stop.operation && mylos_is_surely_same(meeting.stop.where, stop.where);
}

MYLOS_OWN_ACCESSES unsigned long long mylos_in_warp(mylos_operation operation, unsigned mask,
                                                    unsigned long long value, int source, mylos_where where) {
  mylos_worker* const worker = mylos_worker_at(mylos_ring);
  mylos_fiber* const fiber = worker->running;
  const int thread = mylos_number(worker, fiber);
  const unsigned lane = static_cast<unsigned>(thread) % mylos_lanes;
  const unsigned lanes = mask & worker->live[static_cast<unsigned>(thread) / mylos_lanes];
  const unsigned before = lanes & ((1u << lane) - 1u);
  worker->values[thread] = value;
  worker->sources[thread] = static_cast<unsigned char>(source);
  const mylos_stop stop = {where, mask, operation};
  const bool takes_part = (lanes >> lane & 1u) != 0;
  if (__builtin_expect(!takes_part || !mylos_comes_to(worker->meeting, stop, lanes, before), 0)) {
    if (!mylos_opens_meeting(worker, stop, lanes)) return worker->values[thread];
  }
  worker->meeting.waiting = before | 1u << lane;
  const unsigned behind = lanes >> lane >> 1;
  mylos_fiber* next = fiber + 1;
  if (__builtin_expect((behind & 1u) == 0, 0)) {
    next = mylos_next_at_meeting(worker, thread, behind);
    if (next == fiber) return worker->values[thread];
  }
  mylos_hand_over(worker, fiber, next);
  const mylos_worker* const same_worker = mylos_worker_at(mylos_ring);
  return same_worker->values[mylos_running_number(same_worker)];
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
    mylos_misused(mylos_bad_width, width, {where, mask, operation});
  }
  const mylos_worker* const worker = mylos_worker_at(mylos_ring);
  const int lane = mylos_running_number(worker) % mylos_lanes;
  const int source = mylos_source_lane(operation, lane, operand, width);
  return mylos_from_word<T>(mylos_in_warp(operation, mask, mylos_word(value), source, where));
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
  mylos_in_warp(mylos_sync_warp, mask, 0, 0, where);
}
MYLOS_INLINE unsigned mylos_vote(mylos_operation operation, unsigned mask, int condition, mylos_where where) {
  return static_cast<unsigned>(mylos_in_warp(operation, mask, condition != 0 ? 1ull : 0ull, 0, where));
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
MYLOS_OWN_ACCESSES unsigned __activemask(mylos_where where = mylos_called_at()) {
  mylos_worker* const worker = mylos_worker_at(mylos_ring);
  const int thread = mylos_running_number(worker);
  const unsigned lane = 1u << static_cast<unsigned>(thread) % mylos_lanes;
  worker->stops[thread] = {where, lane, mylos_active_mask};
  worker->in_operation[thread / mylos_lanes] |= lane;
  mylos_ask_scheduler(worker, mylos_at_operation);
  return static_cast<unsigned>(worker->values[thread]);
}

// Equal are values of the same bits.
template <class T>
MYLOS_INLINE unsigned __match_any_sync(unsigned mask, T value, mylos_where where = mylos_called_at()) {
  return static_cast<unsigned>(mylos_in_warp(mylos_match_any, mask, mylos_word(+value), 0, where));
}
template <class T>
MYLOS_INLINE unsigned __match_all_sync(unsigned mask, T value, int* same, mylos_where where = mylos_called_at()) {
  const auto lanes = static_cast<unsigned>(mylos_in_warp(mylos_match_all, mask, mylos_word(+value), 0, where));
  *same = lanes != 0 ? 1 : 0;
  return lanes;
}

#define MYLOS_REDUCTION(name, T, operation)                                                           \
  MYLOS_INLINE T name(unsigned mask, T value, mylos_where where = mylos_called_at()) {                \
    return mylos_from_word<T>(mylos_in_warp(operation, mask, mylos_word(value), 0, where));         \
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
