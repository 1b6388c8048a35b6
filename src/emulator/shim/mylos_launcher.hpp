// SPDX-License-Identifier: MIT
// How the scheduler runs a kernel: the compiler takes the kernel's parameters from its type, so that nothing here parses
// C++. Stands before the kernel's text, like all of the shim: macros of the text, and those that its options define,
// change nothing here. What is expanded behind them (threadIdx, MYLOS_KERNEL) uses reserved names only.
#pragma once

template <class T> struct mylos_value_of { using type = T; };
template <class T> struct mylos_value_of<const T> { using type = T; };
template <class T> struct mylos_value_of<T&> { static_assert(sizeof(T) == 0, "a kernel's parameters are values or pointers, not references"); };
template <class I, I...> struct mylos_sequence {};
#if __has_builtin(__make_integer_seq)
template <int n> using mylos_count_up = __make_integer_seq<mylos_sequence, int, n>;
#else
template <int n> using mylos_count_up = mylos_sequence<int, __integer_pack(n)...>;
#endif

MYLOS_INLINE void mylos_set_block(const mylos_launch& launch, const int (&block)[3]) {
  mylos_here.mylos_block = mylos_triple_of<mylos_block_id>(block);
  mylos_here.mylos_block_extents = mylos_triple_of<mylos_extent>(launch.block);
  mylos_here.mylos_grid_extents = mylos_triple_of<mylos_extent>(launch.grid);
}
// The first thread of a block along an axis, as a place in the grid.
MYLOS_INLINE long mylos_start(const mylos_launch& launch, const int (&block)[3], int axis) {
  return static_cast<long>(block[axis]) * launch.block[axis];
}

// The next thread of the block that has not started.
MYLOS_OWN_ACCESSES void mylos_begin_thread(mylos_worker* worker) {
  worker->running = &worker->fibers[worker->next_thread++];
  worker->idle_atomics = 0;
}

template <auto kernel> struct mylos_entry;

template <class... A, void (*kernel)(A...)>
struct mylos_entry<kernel> {
  static constexpr mylos_table<void (*)(A...)> mylos_parameters{};

  // All threads of the blocks [first, last), one after another. Valid for kernels whose threads do not meet: then the
  // iterations are independent, which is what the pragma says.
  // `now` is told the block that runs: one store for each.
  static MYLOS_MEMBER void mylos_run_loop(const mylos_launch* shape, long first, long last, long* now) {
    vector_arguments(*shape, first, last, now, mylos_count_up<sizeof...(A)>());
  }
  template <int... i>
  static MYLOS_MEMBER void vector_arguments(const mylos_launch& shape, long first, long last, long* now,
                                            mylos_sequence<int, i...>) {
    vector_loop(shape, first, last, now, *static_cast<const typename mylos_value_of<A>::type*>(shape.arguments[i])...);
  }
  static MYLOS_MEMBER void vector_loop(mylos_launch launch, long first, long last, long* now, A... arguments) {
    int block[3] = {static_cast<int>(first % launch.grid[0]), static_cast<int>(first / launch.grid[0] % launch.grid[1]),
                    static_cast<int>(first / launch.grid[0] / launch.grid[1])};
    mylos_in_loop = true;
    for (long b = first; b < last; ++b) {
      __atomic_store_n(now, b, __ATOMIC_RELAXED);
      for (int tz = 0; tz < launch.block[2]; ++tz) {
        for (int ty = 0; ty < launch.block[1]; ++ty) {
          long wide_place = mylos_start(launch, block, 0);
          int place = static_cast<int>(wide_place);
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
          for (int tx = 0; tx < launch.block[0]; ++tx, ++place, ++wide_place) {
            mylos_set_block(launch, block);
            mylos_here.mylos_thread = {mylos_thread_index<mylos_thread_id<0>>(tx, place, wide_place),
                                       mylos_thread_index<mylos_thread_id<1>>(ty, mylos_start(launch, block, 1)),
                                       mylos_thread_index<mylos_thread_id<2>>(tz, mylos_start(launch, block, 2))};
            kernel(arguments...);
          }
        }
      }
      if (++block[0] < launch.grid[0]) continue;
      block[0] = 0;
      if (++block[1] < launch.grid[1]) continue;
      block[1] = 0;
      ++block[2];
    }
  }

  // Threads of the worker's block, one after another, as long as none waits. One that waits leaves those behind it to
  // another call of this function on another stack. Nothing is kept here meanwhile: each line of a stack that is used
  // costs more than reading it anew.
  static MYLOS_UNCHECKED MYLOS_MEMBER void mylos_run_threads(mylos_worker* worker) {
    do {
      mylos_begin_thread(worker);
      with_arguments(worker->launch->arguments, mylos_count_up<sizeof...(A)>());
      worker = mylos_worker_at(mylos_seat);
    } while (mylos_leave(worker));
  }
  template <int... i>
  static MYLOS_UNCHECKED MYLOS_MEMBER void with_arguments(void* const* arguments, mylos_sequence<int, i...>) {
    kernel(*static_cast<const typename mylos_value_of<A>::type*>(arguments[i])...);
  }
};

MYLOS_INLINE void mylos_meet_library(mylos_module* module) {
  mylos_library = module->services;
  mylos_ring = mylos_turns = mylos_grid = mylos_seat = mylos_library->worker;
}
template <auto kernel>
MYLOS_INLINE void mylos_describe(mylos_module* module) {
  module->parameters = mylos_entry<kernel>::mylos_parameters.parameters;
  module->parameter_count = mylos_entry<kernel>::mylos_parameters.count;
}

#ifdef MYLOS_CHECKED
// The entries' own accesses are not checked, and what is inlined into them would not be.
#define MYLOS_ENTRY extern "C" MYLOS_UNCHECKED __attribute__((__visibility__("default")))
#else
#define MYLOS_ENTRY extern "C" __attribute__((__visibility__("default"), __flatten__))
#endif

// `kernel` in parentheses, because the name of an instance holds commas; named once, where no parameter hides it.
#define MYLOS_KERNEL(mylos_name)                                                           \
  static constexpr auto mylos_kernel = mylos_name;                                         \
  MYLOS_ENTRY void mylos_initialise(mylos_module* mylos_it) {                              \
    mylos_meet_library(mylos_it);                                                          \
    mylos_it->concurrent = &mylos_concurrent;                                              \
    mylos_describe<mylos_kernel>(mylos_it);                                                \
    mylos_it->fields = mylos_fields.fields;                                                \
    mylos_it->field_count = mylos_fields.count;                                            \
    mylos_it->field_names = mylos_field_names;                                             \
  }
// Behind it, one or both.
#define MYLOS_LOOP_ENTRY                                                                   \
  MYLOS_ENTRY void mylos_vector(const mylos_launch* mylos_all, long mylos_first,           \
                                long mylos_last, long* mylos_now) {                        \
    mylos_entry<mylos_kernel>::mylos_run_loop(mylos_all, mylos_first, mylos_last, mylos_now);  \
  }
#define MYLOS_THREADS_ENTRY                                                                \
  MYLOS_ENTRY void mylos_threads(mylos_worker* mylos_block_of) {                           \
    mylos_entry<mylos_kernel>::mylos_run_threads(mylos_block_of);                          \
  }
