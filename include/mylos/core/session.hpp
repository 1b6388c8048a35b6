// SPDX-License-Identifier: MIT
// The start and the end of a program that uses Mylos.
#pragma once

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// Starts Kokkos if nobody has, and ends it if this Session started it and nobody else ended it. Make it first in
/// main(); Views and whatever holds them must end before it. Further Sessions, a Kokkos::ScopeGuard around it or
/// Kokkos::initialize before it do no harm.
///
/// Kokkos takes its own options out of the command line. Everything of Mylos' that lives on the device ends with
/// Kokkos, whoever ends it. Throws BackendError after Kokkos::finalize: Kokkos cannot be started twice in a process.
struct MYLOS_EXPORT Session {
  Session(int& argc, char**& argv);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  bool started_kokkos_ = false;
};

}  // namespace mylos::inline MYLOS_ABI
