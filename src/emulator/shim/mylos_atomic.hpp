// SPDX-License-Identifier: MIT
// Atomic functions; all return the old value.
#pragma once

extern "C" {
// Whether anybody else works on the memory meanwhile: other workers of this launch, or other launches. Where nobody
// does, an atomic is a plain read and write, several times cheaper. Also how the loader sees that a kernel has atomics.
MYLOS_HIDDEN int mylos_concurrent = 1;
}
#ifdef MYLOS_CHECKED
// In mylos_instrumentation.hpp: tells the checks of one atomic access, and works without telling them of another.
template <class Bits>
Bits mylos_begin_atomic(const Bits* word, int kind);
template <class Bits>
void mylos_end_atomic(volatile Bits* word, Bits old, Bits now);
#endif

// Lets the other threads run: this one may be waiting for what they will write.
MYLOS_UNCHECKED __attribute__((noinline, cold)) static void mylos_give_turn(mylos_reason reason = mylos_spinning) {
  mylos_worker* const worker = mylos_worker_at(mylos_turns);
  worker->idle_atomics = 0;
  mylos_ask_scheduler(worker, reason);
}
// Counts one; whether it is time for others.
MYLOS_OWN_ACCESSES bool mylos_count_up_to_turn() {
  return ++mylos_worker_at(mylos_seat)->idle_atomics >= mylos_atomics_before_turn;
}
// A thread that waits by atomics leaves the memory as it is, again and again; nobody waits with floating-point numbers.
template <class T>
MYLOS_INLINE void mylos_count_idle(T old, T now) {
  if constexpr (!mylos_is_floating<T>::value) {
    if (__builtin_expect(old == now && mylos_count_up_to_turn(), 0)) mylos_give_turn();
  }
}
// A thread that only reads, again and again.
MYLOS_INLINE void mylos_count_wait() {
  if (__builtin_expect(mylos_count_up_to_turn(), 0)) mylos_give_turn();
}
MYLOS_INLINE void __nanosleep(unsigned) { mylos_give_turn(); }

// *address = update(*address) in one step. Bits are compared, not values: a NaN is not equal to itself. `kind` is what
// the checks have to know: mylos_writes and the like.
template <int kind = mylos_updates, class T, class Update>
MYLOS_INLINE T mylos_atomic(T* address, Update update) {
  using Bits = typename mylos_unsigned<sizeof(T)>::type;
  Bits* const word = reinterpret_cast<Bits*>(address);
#ifdef MYLOS_CHECKED
  const Bits old = mylos_begin_atomic(word, kind);
  const Bits now = mylos_bits<Bits>(static_cast<T>(update(mylos_bits<T>(old))));
  mylos_end_atomic(word, old, now);
#else
  if (__builtin_expect(mylos_concurrent == 0, 1)) {
    const T old = *address;
    const T now = update(old);
    *address = now;
    __asm__ volatile("" : : : "memory");  // the next thread's access stays behind this one
    mylos_count_idle(old, now);
    return old;
  }
  Bits old = __atomic_load_n(word, __ATOMIC_RELAXED);
  Bits now = 0;
  do {
    now = mylos_bits<Bits>(static_cast<T>(update(mylos_bits<T>(old))));
  } while (!__atomic_compare_exchange_n(word, &old, now, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
#endif
  mylos_count_idle(mylos_bits<T>(old), mylos_bits<T>(now));
  return mylos_bits<T>(old);
}

// name(T*, T) for the types that CUDA has and `long`, as which std::int64_t appears here. `expression` gives the new
// value from `old` and `value`.
#define MYLOS_ATOMIC_OF(T, name, kind, expression)                                   \
  MYLOS_IF_USED T name(T* address, T value) {                                         \
    return mylos_atomic<kind>(address, [value](T old) -> T { return expression; });  \
  }                                                                                  \
  MYLOS_IF_USED T name##_block(T* address, T value) { return name(address, value); }  \
  MYLOS_IF_USED T name##_system(T* address, T value) { return name(address, value); }
#define MYLOS_ATOMIC_INTEGERS(name, kind, expression)         \
  MYLOS_ATOMIC_OF(int, name, kind, expression)                \
  MYLOS_ATOMIC_OF(unsigned, name, kind, expression)           \
  MYLOS_ATOMIC_OF(long, name, kind, expression)               \
  MYLOS_ATOMIC_OF(unsigned long, name, kind, expression)      \
  MYLOS_ATOMIC_OF(long long, name, kind, expression)          \
  MYLOS_ATOMIC_OF(unsigned long long, name, kind, expression)

#define MYLOS_ATOMIC_ADDITION(T, U)                                                                     \
  MYLOS_ATOMIC_OF(T, atomicAdd, mylos_updates, static_cast<T>(static_cast<U>(old) + static_cast<U>(value))) \
  MYLOS_ATOMIC_OF(T, atomicSub, mylos_updates, static_cast<T>(static_cast<U>(old) - static_cast<U>(value)))
MYLOS_ATOMIC_ADDITION(int, unsigned)
MYLOS_ATOMIC_ADDITION(unsigned, unsigned)
MYLOS_ATOMIC_ADDITION(long, unsigned long)
MYLOS_ATOMIC_ADDITION(unsigned long, unsigned long)
MYLOS_ATOMIC_ADDITION(long long, unsigned long long)
MYLOS_ATOMIC_ADDITION(unsigned long long, unsigned long long)
#undef MYLOS_ATOMIC_ADDITION
MYLOS_ATOMIC_OF(float, atomicAdd, mylos_updates, old + value)
MYLOS_ATOMIC_OF(double, atomicAdd, mylos_updates, old + value)
MYLOS_ATOMIC_INTEGERS(atomicMin, mylos_guarded, old < value ? old : value)
MYLOS_ATOMIC_INTEGERS(atomicMax, mylos_guarded, value < old ? old : value)
MYLOS_ATOMIC_INTEGERS(atomicAnd, mylos_guarded, old & value)
MYLOS_ATOMIC_INTEGERS(atomicOr, mylos_guarded, old | value)
MYLOS_ATOMIC_INTEGERS(atomicXor, mylos_updates, old ^ value)
MYLOS_ATOMIC_INTEGERS(atomicExch, mylos_writes, value)
MYLOS_ATOMIC_OF(float, atomicExch, mylos_writes, value)
MYLOS_ATOMIC_OF(double, atomicExch, mylos_writes, value)
MYLOS_ATOMIC_OF(unsigned, atomicInc, mylos_updates, old >= value ? 0u : old + 1u)
MYLOS_ATOMIC_OF(unsigned, atomicDec, mylos_updates, old == 0u || old > value ? value : old - 1u)
#undef MYLOS_ATOMIC_INTEGERS
#undef MYLOS_ATOMIC_OF

#define MYLOS_ATOMIC_CAS(T)                                                                                      \
  MYLOS_IF_USED T atomicCAS(T* address, T compare, T value) {                                                     \
    return mylos_atomic<mylos_guarded>(address,                                                                  \
                                       [compare, value](T old) -> T { return old == compare ? value : old; });   \
  }                                                                                                              \
  MYLOS_IF_USED T atomicCAS_block(T* address, T compare, T value) { return atomicCAS(address, compare, value); }  \
  MYLOS_IF_USED T atomicCAS_system(T* address, T compare, T value) { return atomicCAS(address, compare, value); }
MYLOS_ATOMIC_CAS(int) MYLOS_ATOMIC_CAS(unsigned) MYLOS_ATOMIC_CAS(long) MYLOS_ATOMIC_CAS(unsigned long)
MYLOS_ATOMIC_CAS(long long) MYLOS_ATOMIC_CAS(unsigned long long) MYLOS_ATOMIC_CAS(unsigned short)
#undef MYLOS_ATOMIC_CAS

// Of vectors each element in one step.
#define MYLOS_ATOMIC_VECTOR(T, ...)                                                         \
  MYLOS_IF_USED T atomicAdd(T* address, T value) { return {__VA_ARGS__}; }                   \
  MYLOS_IF_USED T atomicAdd_block(T* address, T value) { return atomicAdd(address, value); } \
  MYLOS_IF_USED T atomicAdd_system(T* address, T value) { return atomicAdd(address, value); }
#define MYLOS_ATOMIC_ELEMENT(e) atomicAdd(&address->e, value.e)
MYLOS_ATOMIC_VECTOR(float2, MYLOS_ATOMIC_ELEMENT(x), MYLOS_ATOMIC_ELEMENT(y))
MYLOS_ATOMIC_VECTOR(float4, MYLOS_ATOMIC_ELEMENT(x), MYLOS_ATOMIC_ELEMENT(y), MYLOS_ATOMIC_ELEMENT(z),
                    MYLOS_ATOMIC_ELEMENT(w))
#undef MYLOS_ATOMIC_ELEMENT
#undef MYLOS_ATOMIC_VECTOR
