// SPDX-License-Identifier: MIT
// A program with a Kokkos of its own beside that of Mylos, as far as mylos::Session can see. Prints what it throws.
#include <cstdio>
#include <exception>

#include <mylos/core/session.hpp>

// Hidden: else the dynamic linker would make this and Mylos' one function.
[[gnu::visibility("hidden")]] bool Kokkos::is_initialized() noexcept { return false; }

int main(int argc, char** argv) {
  try {
    const mylos::Session session(argc, argv);
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
}
