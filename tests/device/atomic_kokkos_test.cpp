// SPDX-License-Identifier: MIT
// The atomic operations of a file that includes Kokkos.
#include <Kokkos_Core.hpp>

#define AtomicTypes KokkosAtomicTypes
#define Atomic KokkosAtomic
#include "device/atomic_cases.hpp"
