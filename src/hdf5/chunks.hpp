// SPDX-License-Identifier: MIT
// The shape of chunks, within HDF5's limits: at least 1, at most the extent, less than 4 GiB.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::hdf5 {

inline constexpr double largest_chunk = 4294967295.0;  // bytes: 2^32 - 1

/// Bytes of a block; a double, because extents of a file may well multiply beyond 64 bits.
inline double block_bytes(std::span<const std::int64_t> extents, std::size_t element_bytes) {
  double bytes = static_cast<double>(element_bytes);
  for (const std::int64_t extent : extents) bytes *= static_cast<double>(extent);
  return bytes;
}

/// The largest chunk of about `target_bytes` that keeps rows together: the first axes are cut first. Not for rank 0.
inline std::vector<std::int64_t> choose_chunks(std::span<const std::int64_t> extents, std::size_t element_bytes,
                                               double target_bytes) {
  std::vector<std::int64_t> chunks(extents.begin(), extents.end());
  for (std::int64_t& chunk : chunks) chunk = std::max<std::int64_t>(chunk, 1);
  for (std::int64_t& chunk : chunks) {
    const double excess = block_bytes(chunks, element_bytes) / target_bytes;
    if (excess <= 1) break;
    chunk = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(chunk) / excess));
  }
  return chunks;
}

}  // namespace mylos::inline MYLOS_ABI::hdf5
