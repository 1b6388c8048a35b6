// SPDX-License-Identifier: MIT
// HDF5's driver for local files, for disks that get full.
//
// HDF5 does not survive a write that fails: it keeps identifiers of files that it has freed, and memory, and stumbles
// over both at the end of the program. So it is told that all writes were done: a file of this driver remembers the
// first one that was not, and writes nothing from then on. On disk it stays as it was.
#pragma once

#include <string>

#include <hdf5.h>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::hdf5 {

/// Access properties that open and create files with this driver.
void set_driver(hid_t access_properties);

/// Why a write to this open file failed, in HDF5's words; empty when none did. To be asked after all that may write.
[[nodiscard]] const std::string& write_failure(hid_t file);

/// From now on nothing is written to this open file.
void discard_writes(hid_t file);

/// Takes the room on disk that the file needs for all that HDF5 still has in memory. Returns 0, or the value of errno
/// when there is no room; 0 as well where the file system cannot tell. Cheap when there is nothing new.
[[nodiscard]] int reserve_room(hid_t file);

}  // namespace mylos::inline MYLOS_ABI::hdf5
