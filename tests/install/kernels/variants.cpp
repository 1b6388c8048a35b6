// SPDX-License-Identifier: MIT
// Several kernels compiled at a time for a GPU.
#include <cstdio>
#include <string>

#include <mylos/mylos.hpp>

int main(int argc, char** argv) {
  const mylos::Session session(argc, argv);
  const mylos::CudaVariants power([](int degree) {
    return mylos::CudaKernel("template <int N> __global__ void set(int* x) { *x = N; }", "set",
                             {.instantiate = "set<" + std::to_string(degree) + ">"});
  });
  std::printf("%d variants\n", power.compile_all({1, 2, 3, 4}, {.arch = "sm_90", .jobs = 2}));
  return 0;
}
