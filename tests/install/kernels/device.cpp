// SPDX-License-Identifier: MIT
// What the port of the catalog is on the GPU of this machine.
#include <cstdio>

#include <outside_kernels.hpp>

#include <mylos/mylos.hpp>

int main(int argc, char** argv) {
  const mylos::Session session(argc, argv);
  mylos::set_backend(mylos::Backend::cuda);
  try {
    std::printf("scale for %s\n", outside::catalog()["scale"].cuda().compile().architecture.c_str());
  } catch (const mylos::Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  return 0;
}
