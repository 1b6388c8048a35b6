// SPDX-License-Identifier: MIT
// The memory of the emulated device: one reserved range of addresses that the host cannot touch by accident.
//
// Its pages are inaccessible (PROT_NONE) except while a HostAccess exists, so a host loop over a device View faults at
// the first element instead of working on this machine only. Allocations are 256-byte aligned with guard zones between
// them, carry a label, and freed addresses rest in quarantine before they are handed out again.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::emulator {

/// The emulated device has no room for an allocation; the message says what was asked for and what is in use.
struct MYLOS_EXPORT OutOfMemory : Error {
  explicit OutOfMemory(const std::string& message, Where where = Where::current()) : Error(message, where) {}
};

/// One live allocation.
struct Allocation {
  void* base = nullptr;
  std::size_t bytes = 0;
  std::string label;
};

/// What the emulated device holds. `capacity` is the memory of this machine.
struct MemoryUsage {
  std::size_t in_use = 0;      ///< bytes of live allocations
  std::size_t high_water = 0;  ///< the most that was in use at once
  std::size_t count = 0;       ///< live allocations
  std::size_t capacity = 0;
};

/// Memory of the emulated device, aligned to 256 bytes; its content is unspecified, and checked launches report who
/// reads it before it was written.
///
/// Zero bytes give a valid address of an empty allocation. Cost: no page is touched before it is used.
/// Thread-safe. Throws OutOfMemory, and BackendError where the system refuses to reserve addresses.
MYLOS_EXPORT void* allocate(std::size_t bytes, std::string_view label);

/// The first bytes of a new allocation are not the kernels': what a container keeps in front of its elements. To
/// checks, the allocation begins behind them. Throws ValueError for an address that is not the start of a live
/// allocation.
MYLOS_EXPORT void set_header(void* base, std::size_t bytes);

/// Ends an allocation; large ones return their pages to the system at once. A null pointer does nothing.
/// Throws ValueError for an address that is not the start of a live allocation (freed twice, an inner address).
MYLOS_EXPORT void deallocate(void* base);

/// Whether the address belongs to the emulated device, allocated or not. Cost: two comparisons.
[[nodiscard]] MYLOS_EXPORT bool owns(const void* address) noexcept;

/// The live allocation that holds the address. An empty allocation holds its own start.
[[nodiscard]] MYLOS_EXPORT std::optional<Allocation> find(const void* address);

[[nodiscard]] MYLOS_EXPORT MemoryUsage memory_usage();

/// All live allocations, by address.
[[nodiscard]] MYLOS_EXPORT std::vector<Allocation> live_allocations();

/// For the end of a device, when all of its memory should be free: what is alive is a warning in the log, with labels
/// and bytes, and a finding each in the file of MYLOS_EMULATOR_REPORT. Returns how many there are.
MYLOS_EXPORT std::size_t report_leaks();

/// Ends all allocations and returns their pages; how many were still alive. Addresses given out before are invalid.
MYLOS_EXPORT std::size_t release_all();

/// Whether notes are kept byte by byte, because somebody in this process has asked for checks. Until then a write to
/// any byte is one to its whole allocation, so that one note for each is enough.
[[nodiscard]] MYLOS_EXPORT bool notes_are_exact() noexcept;

/// Tells the checks of kernels what a library, or host code that has a HostAccess, did with device memory: what was
/// written counts as initialised. Memory that is not the device's is none of their business.
///
/// Cost: as long as nobody has asked for checks, a look-up of the allocation for writes, which is little beside the
/// HostAccess that they need; then a pass over a quarter of the bytes.
/// Throws EmulationError, where Check::memory holds in this thread, when the bytes are not all in one live allocation.
MYLOS_EXPORT void note_read(const void* pointer, std::size_t bytes);
MYLOS_EXPORT void note_write(const void* pointer, std::size_t bytes);
/// A copy between two places of the device's memory: the destination is initialised where the source is.
MYLOS_EXPORT void note_copy(void* destination, const void* source, std::size_t bytes);

/// While one of these exists, this process may read and write device memory.
///
/// Nests, and may be held by several threads at once. Cost: the first one makes the used range accessible with one
/// system call, further ones count. Throws BackendError when the system refuses.
class MYLOS_EXPORT HostAccess {
 public:
  HostAccess();
  ~HostAccess();
  HostAccess(const HostAccess&) = delete;
  HostAccess& operator=(const HostAccess&) = delete;
};

}  // namespace mylos::inline MYLOS_ABI::emulator
