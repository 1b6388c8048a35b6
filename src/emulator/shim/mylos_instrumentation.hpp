// SPDX-License-Identifier: MIT
// Checked kernels only: the functions that the compiler calls at every access because of -fsanitize=thread. The
// sanitizer's own library is not linked; these are hidden, so none of this process can stand in for them.
#pragma once

#define MYLOS_HOOK extern "C" MYLOS_UNCHECKED __attribute__((visibility("hidden"), noinline))
#define MYLOS_CODE __builtin_return_address(0)

// Where the loader finds the calling thread's shared arrays: their offsets from this one are in the symbol table.
extern "C" __attribute__((visibility("default"), used)) __thread char mylos_anchor[16] = {};

MYLOS_HOOK void __tsan_init() {}
MYLOS_HOOK void __tsan_func_entry(void*) {}
MYLOS_HOOK void __tsan_func_exit() {}

// After a thread has published something, others have their turn before it goes on to the next thing that it says to
// them: those who wait come to what they waited for, and not to what is there at the end. One that has
// changed nothing meanwhile is waiting itself.
MYLOS_HOOK void mylos_take_due_turn() {
  mylos_worker* const worker = mylos_worker_at(mylos_turns);
  if (worker->turn_due == 0) return;
  worker->turn_due = 0;
  mylos_give_turn(worker->idle_atomics != 0 ? mylos_spinning : mylos_published);
}

// A thread that reads a volatile variable again and again may wait for another to write it. The turn is given before the
// access is told, so that what is read is what the others left, and the order is theirs.
#define MYLOS_ACCESSES(bytes, slot)                                                                            \
  MYLOS_HOOK void __tsan_read##bytes(void* p) { mylos_library->checks->read[slot](p, MYLOS_CODE); }            \
  MYLOS_HOOK void __tsan_write##bytes(void* p) { mylos_library->checks->write[slot](p, MYLOS_CODE); }          \
  MYLOS_HOOK void __tsan_volatile_read##bytes(void* p) {                                                       \
    mylos_take_due_turn();                                                                                     \
    if (mylos_count_up_to_turn()) mylos_give_turn();                                                           \
    mylos_library->checks->access(p, bytes, mylos_volatile_access, MYLOS_CODE);                                \
  }                                                                                                            \
  MYLOS_HOOK void __tsan_volatile_write##bytes(void* p) {                                                      \
    mylos_take_due_turn();                                                                                     \
    mylos_library->checks->access(p, bytes, mylos_volatile_access | mylos_writes, MYLOS_CODE);                 \
  }
MYLOS_ACCESSES(1, 0) MYLOS_ACCESSES(2, 1) MYLOS_ACCESSES(4, 2) MYLOS_ACCESSES(8, 3) MYLOS_ACCESSES(16, 4)
#undef MYLOS_ACCESSES
#define MYLOS_UNALIGNED(bytes)                                                            \
  MYLOS_HOOK void __tsan_unaligned_read##bytes(void* p) {                                 \
    mylos_library->checks->access(p, bytes, mylos_parts, MYLOS_CODE);                     \
  }                                                                                       \
  MYLOS_HOOK void __tsan_unaligned_write##bytes(void* p) {                                \
    mylos_library->checks->access(p, bytes, mylos_parts | mylos_writes, MYLOS_CODE);      \
  }
MYLOS_UNALIGNED(2) MYLOS_UNALIGNED(4) MYLOS_UNALIGNED(8) MYLOS_UNALIGNED(16)
#undef MYLOS_UNALIGNED
MYLOS_HOOK void __tsan_read_range(void* p, unsigned long bytes) {
  mylos_library->checks->access(p, bytes, mylos_parts, MYLOS_CODE);
}
MYLOS_HOOK void __tsan_write_range(void* p, unsigned long bytes) {
  mylos_library->checks->access(p, bytes, mylos_parts | mylos_writes, MYLOS_CODE);
}
MYLOS_HOOK void __tsan_vptr_read(void** p) { mylos_library->checks->read[3](p, MYLOS_CODE); }
MYLOS_HOOK void __tsan_vptr_update(void** p, void*) { mylos_library->checks->write[3](p, MYLOS_CODE); }

// Checked launches run on one OS thread: their atomics are plain reads and writes, that order what the memory order
// says. CUDA's own functions are relaxed ones: in them, only fences order.
MYLOS_UNCHECKED __attribute__((noinline, cold)) static void mylos_let_others_go_first() {
  mylos_ask_scheduler(mylos_worker_at(mylos_turns), mylos_gave_turn);
}
MYLOS_HOOK void mylos_before_atomic(const volatile void* p, unsigned long bytes, int kind, int order, const void* code) {
  mylos_take_due_turn();
  if (mylos_library->checks->gives_turn() != 0) mylos_let_others_go_first();
  if (order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST) {
    mylos_library->checks->fence(1);
  }
  mylos_library->checks->synchronise(const_cast<const void*>(p), kind);
  mylos_library->checks->access(const_cast<const void*>(p), bytes, kind | mylos_atomic_access, code);
}
// What stays as it was is not written: another OS thread may have.
template <class Bits>
__attribute__((noinline, no_sanitize("thread"))) void mylos_end_atomic(volatile Bits* word, Bits old, Bits now) {
  if (old == now) return;
  mylos_note_change();
  *word = now;
}
#define MYLOS_RMW(T, bits, name, kind, expression)                                                    \
  MYLOS_HOOK T __tsan_atomic##bits##_##name(volatile T* p, T value, int order) {                  \
    mylos_before_atomic(p, sizeof(T), kind, order, MYLOS_CODE);                                   \
    const T old = *p;                                                                             \
    mylos_end_atomic(p, old, static_cast<T>(expression));                                         \
    return old;                                                                                   \
  }
#define MYLOS_COMPARE_EXCHANGE(T, bits, name)                                                               \
  MYLOS_HOOK bool __tsan_atomic##bits##_##name(volatile T* p, T* expected, T value, int order, int) {       \
    mylos_before_atomic(p, sizeof(T), mylos_updates, order, MYLOS_CODE);                                    \
    const T old = *p;                                                                                       \
    const bool equal = old == *expected;                                                                    \
    if (equal) mylos_end_atomic(p, old, value);                                                             \
    *expected = old;                                                                                        \
    return equal;                                                                                           \
  }
#define MYLOS_ATOMICS(T, bits)                                                                    \
  MYLOS_HOOK T __tsan_atomic##bits##_load(const volatile T* p, int order) {                       \
    mylos_before_atomic(p, sizeof(T), 0, order == __ATOMIC_SEQ_CST ? __ATOMIC_ACQUIRE : order, MYLOS_CODE); \
    return *p;                                                                                    \
  }                                                                                               \
  MYLOS_HOOK void __tsan_atomic##bits##_store(volatile T* p, T value, int order) {                \
    mylos_before_atomic(p, sizeof(T), mylos_writes, order, MYLOS_CODE);                           \
    mylos_end_atomic<T>(p, *p, value);                                                            \
  }                                                                                               \
  MYLOS_HOOK T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T value, int order, int) { \
    mylos_before_atomic(p, sizeof(T), mylos_updates, order, MYLOS_CODE);                          \
    const T old = *p;                                                                             \
    if (old == expected) mylos_end_atomic(p, old, value);                                         \
    return old;                                                                                   \
  }                                                                                               \
  MYLOS_RMW(T, bits, exchange, mylos_writes, value)                                                    \
  MYLOS_RMW(T, bits, fetch_add, mylos_updates, old + value)                                                      \
  MYLOS_RMW(T, bits, fetch_sub, mylos_updates, old - value)                                                      \
  MYLOS_RMW(T, bits, fetch_and, mylos_updates, old & value)                                                      \
  MYLOS_RMW(T, bits, fetch_or, mylos_updates, old | value)                                                       \
  MYLOS_RMW(T, bits, fetch_xor, mylos_updates, old ^ value)                                                      \
  MYLOS_RMW(T, bits, fetch_nand, mylos_updates, ~(old & value))                                                  \
  MYLOS_COMPARE_EXCHANGE(T, bits, compare_exchange_strong)                                        \
  MYLOS_COMPARE_EXCHANGE(T, bits, compare_exchange_weak)
MYLOS_ATOMICS(unsigned char, 8) MYLOS_ATOMICS(unsigned short, 16) MYLOS_ATOMICS(unsigned, 32)
MYLOS_ATOMICS(unsigned long, 64)
#undef MYLOS_ATOMICS
#undef MYLOS_COMPARE_EXCHANGE
#undef MYLOS_RMW

// CUDA's own atomic functions: one access each, whatever they compute.
template <class Bits>
__attribute__((noinline, no_sanitize("thread"))) Bits mylos_begin_atomic(const Bits* word, int kind) {
  mylos_before_atomic(word, sizeof(Bits), kind, __ATOMIC_RELAXED, MYLOS_CODE);
  return *word;
}

MYLOS_HOOK void __tsan_atomic_thread_fence(int) {
  mylos_take_due_turn();
  mylos_library->checks->fence(1);
}
MYLOS_HOOK void __tsan_atomic_signal_fence(int) {
  mylos_take_due_turn();
  mylos_library->checks->fence(0);
}

// The compiler copies structures by these; -fno-builtin makes all others come here as well.
MYLOS_HOOK void* memmove(void* to, const void* from, size_t bytes) noexcept {
  if (bytes == 0) return to;
  mylos_library->checks->access(from, bytes, mylos_parts, MYLOS_CODE);
  mylos_library->checks->access(to, bytes, mylos_parts | mylos_writes, MYLOS_CODE);
  char* const target = static_cast<char*>(to);
  const char* const source = static_cast<const char*>(from);
  for (size_t i = 0; i < bytes; ++i) {
    const size_t at = target < source ? i : bytes - 1 - i;
    target[at] = source[at];
    __asm__ volatile("");  // or this loop becomes a call of memmove
  }
  return to;
}
MYLOS_HOOK void* memcpy(void* to, const void* from, size_t bytes) noexcept {
  if (bytes == 0) return to;
  mylos_library->checks->access(from, bytes, mylos_parts, MYLOS_CODE);
  mylos_library->checks->access(to, bytes, mylos_parts | mylos_writes, MYLOS_CODE);
  for (size_t i = 0; i < bytes; ++i) {
    static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
    __asm__ volatile("");
  }
  return to;
}
MYLOS_HOOK void* memset(void* to, int value, size_t bytes) noexcept {
  if (bytes == 0) return to;
  mylos_library->checks->access(to, bytes, mylos_parts | mylos_writes, MYLOS_CODE);
  for (size_t i = 0; i < bytes; ++i) {
    static_cast<char*>(to)[i] = static_cast<char>(value);
    __asm__ volatile("");
  }
  return to;
}
#ifdef __clang__
// What newer versions call for copies of structures, and what was called by these names.
extern "C" {
MYLOS_HIDDEN void* __tsan_memmove(void*, const void*, size_t) noexcept __attribute__((alias("memmove")));
MYLOS_HIDDEN void* __tsan_memcpy(void*, const void*, size_t) noexcept __attribute__((alias("memcpy")));
MYLOS_HIDDEN void* __tsan_memset(void*, int, size_t) noexcept __attribute__((alias("memset")));
}
#endif

// Memory of the device's own heap is watched like all of the device's.
MYLOS_HOOK void* malloc(size_t bytes) noexcept { return mylos_library->checks->allocate(bytes); }
MYLOS_HOOK void free(void* memory) noexcept { mylos_library->checks->release(memory, MYLOS_CODE); }

// -fsanitize=bounds,alignment.
MYLOS_HOOK void __ubsan_handle_out_of_bounds(void* about, unsigned long index) {
  mylos_library->checks->bad_subscript(about, index, MYLOS_CODE);
}
MYLOS_HOOK void __ubsan_handle_type_mismatch_v1(void* about, unsigned long address) {
  mylos_library->checks->misaligned(about, address, MYLOS_CODE);
}
#undef MYLOS_CODE
#undef MYLOS_HOOK
