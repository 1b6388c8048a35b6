// SPDX-License-Identifier: MIT
// Which files this process writes, so that no File throws away what another one has written.
#pragma once

#include <filesystem>
#include <list>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::hdf5 {

/// How a File writes: into the file itself, or aside, to take its place at the end.
enum class Writing { in_place, aside };

/// Held by a File that writes. Throws Hdf5Error that names the path when another one of this process writes it and
/// either of them writes aside: whichever is closed last would take away what the other has written. Files that write
/// in place share what HDF5 has in memory. Readers need no claim: a file that is replaced stays whole for them.
class Claim {
 public:
  Claim(const std::filesystem::path& path, Writing writing);
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;
  ~Claim();

 private:
  struct Entry;
  static std::list<Entry>& entries();

  std::list<Entry>::iterator entry_;
};

}  // namespace mylos::inline MYLOS_ABI::hdf5
