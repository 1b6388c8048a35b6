// SPDX-License-Identifier: MIT
#include <mylos/core/session.hpp>

#include <stdlib.h>

#include <string>

#include <Kokkos_Core.hpp>

#include <mylos/base/error.hpp>

#include "core/engine.hpp"

namespace mylos::inline MYLOS_ABI {
namespace {

// Kokkos chooses its CUDA device when it starts, and can be told in the environment; what is said there already, or
// on the command line, wins.
void tell_kokkos_the_device() {
#ifdef KOKKOS_ENABLE_CUDA
  const int device = detail::selected_device();
  if (device != 0) setenv("KOKKOS_DEVICE_ID", std::to_string(device).c_str(), /*overwrite=*/0);
#endif
}

}  // namespace

Session::Session(int& argc, char**& argv, bool (*is_initialized_of_caller)() noexcept) {
  // One function has one address in a process, in programs and shared libraries alike.
  if (is_initialized_of_caller != &Kokkos::is_initialized) {
    throw BackendError(
        "mylos::Session: Kokkos is linked twice, into Mylos and into what made this Session: each would have Views and "
        "streams that the other does not know: link both with the same shared Kokkos, or Mylos as a static library "
        "(BUILD_SHARED_LIBS=OFF)");
  }
  if (Kokkos::is_finalized()) {
    throw BackendError(
        "mylos::Session: Kokkos was ended already: it can be started once in a process: make one Session that outlives "
        "all others, first in main()");
  }
  if (Kokkos::is_initialized()) return;
  tell_kokkos_the_device();
  Kokkos::initialize(argc, argv);
  started_kokkos_ = true;
}

Session::~Session() {
  if (started_kokkos_ && detail::kokkos_is_running()) Kokkos::finalize();
}

}  // namespace mylos::inline MYLOS_ABI
