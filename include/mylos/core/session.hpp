// SPDX-License-Identifier: MIT
// The start and the end of a program that uses Mylos.
#pragma once

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// Starts Kokkos if nobody has, and ends it if this Session started it and nobody else ended it. Make it first in
/// main(); Views and whatever holds them must end before it. Further Sessions, a Kokkos::ScopeGuard around it or
/// Kokkos::initialize before it do no harm.
///
/// Kokkos takes its own options out of the command line. Everything of Mylos' that lives on the device ends with
/// Kokkos, whoever ends it. Throws BackendError after Kokkos::finalize: Kokkos cannot be started twice in a process;
/// and when the caller and Mylos have a Kokkos each, so that what one starts, the other does not know.
struct MYLOS_EXPORT Session {
  // Compiled where it is called, and hidden there, so that it names the caller's Kokkos.
  [[gnu::visibility("hidden")]] Session(int& argc, char**& argv) : Session(argc, argv, &Kokkos::is_initialized) {}
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  Session(int& argc, char**& argv, bool (*is_initialized_of_caller)() noexcept);

  bool started_kokkos_ = false;
};

}  // namespace mylos::inline MYLOS_ABI
