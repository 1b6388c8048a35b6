// SPDX-License-Identifier: MIT
// A stream of the driver, and what was launched on it last: what an error that comes later is about.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>

#include "cuda/driver_types.hpp"

namespace mylos::inline MYLOS_ABI::cuda {

/// Blocks of the grid, threads of a block, dynamic shared memory of a block.
struct LaunchConfig {
  std::array<std::uint32_t, 3> grid = {1, 1, 1};
  std::array<std::uint32_t, 3> block = {1, 1, 1};
  std::size_t shared_bytes = 0;
};

/// The launch that was noted last. Noting allocates nothing. Safe from any thread.
class LastLaunch {
 public:
  void note(std::string_view kernel, const LaunchConfig& config) {
    const std::lock_guard lock(mutex_);
    length_ = std::min(kernel.size(), name_.size());
    kernel.copy(name_.data(), length_);
    config_ = config;
  }
  /// "'push' (grid 8 x 1 x 1, block 128 x 1 x 1)"; empty when none was noted.
  [[nodiscard]] std::string text() const;

 private:
  mutable std::mutex mutex_;
  std::array<char, 128> name_{};  // longer names are cut
  std::size_t length_ = 0;
  LaunchConfig config_;
};

class Stream {
 public:
  explicit Stream(StreamHandle handle) : handle_(handle) {}
  [[nodiscard]] StreamHandle handle() const noexcept { return handle_; }

  LastLaunch last_launch;

 private:
  StreamHandle handle_;
};

}  // namespace mylos::inline MYLOS_ABI::cuda
