// SPDX-License-Identifier: MIT
#include "emulator_host_loops.hpp"

#include <cmath>

namespace mylos_perf {
namespace {

struct Axpy {
  void operator()(long i, double a, const double* x, double* y) const { y[i] += a * x[i]; }
};

struct Push {
  void operator()(long i, double dt, double box, double* position, double* velocity) const {
    const double x = position[i];
    const double v = velocity[i] + dt * x * (1.0 - x * x);
    const double moved = x + dt * v;
    velocity[i] = v;
    position[i] = moved - box * std::floor(moved / box);
  }
};

// Each element is a thread's, as the pragma says.
template <class F, class... A>
void for_each_element(long n, F functor, A... arguments) {
#ifdef __clang__
#  pragma clang loop vectorize(assume_safety)
#else
#  pragma GCC ivdep
#endif
  for (long i = 0; i < n; ++i) functor(i, arguments...);
}

}  // namespace

void host_axpy(long n, double a, const double* x, double* y) { for_each_element(n, Axpy{}, a, x, y); }

void host_push(long n, double dt, double box, double* position, double* velocity) {
  for_each_element(n, Push{}, dt, box, position, velocity);
}

}  // namespace mylos_perf
