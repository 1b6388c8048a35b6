// SPDX-License-Identifier: MIT
#include "kernel/launch_shape.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/emulator/launch.hpp>

namespace mylos::inline MYLOS_ABI::detail {
namespace {

using emulator::max_block;
using emulator::max_block_threads;
using emulator::max_grid;
constexpr std::string_view axis_names = "xyz";

Extents3 with_three_axes(const Extents3& extents) { return {extents.x, extents.y, extents.z}; }

Extents3 block_of(const CudaOptions& options, const Launch& settings) {
  if (settings.block.given()) return settings.block;
  return options.block3.given() ? options.block3 : Extents3(options.block);
}

void check_block(std::string_view kernel, const Extents3& block) {
  const std::array<std::int64_t, 3> extents = block.array();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (extents[axis] >= 1 && extents[axis] <= max_block[axis]) continue;
    throw LaunchError(
        fmt::format("kernel '{}': block {} has {} threads along {}: CUDA allows 1 to {}: choose another block", kernel,
                    to_string(block), extents[axis], axis_names[axis], max_block[axis]));
  }
  const std::int64_t threads = block.x * block.y * block.z;
  if (threads > max_block_threads) {
    throw LaunchError(fmt::format("kernel '{}': block {} has {} threads: CUDA allows {}: choose a smaller block",
                                  kernel, to_string(block), threads, max_block_threads));
  }
}

void check_not_negative(std::string_view kernel, const Extents3& grid) {
  if (std::ranges::min(grid.array()) >= 0) return;
  throw ValueError(
      fmt::format("kernel '{}': grid {} is negative: a number of blocks is 0 or more: check the number that "
                  "was passed",
                  kernel, to_string(grid)));
}

void check_grid(std::string_view kernel, const Extents3& grid, const Extents3& block) {
  const std::array<std::int64_t, 3> extents = grid.array();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (extents[axis] <= max_grid[axis]) continue;
    throw LaunchError(
        fmt::format("kernel '{}': grid {} has {} blocks along {}: CUDA allows {}: choose a larger block than {}, "
                    "put the long axis first, or let each thread work on several elements "
                    "(MYLOS_GRID_STRIDE_1D)",
                    kernel, to_string(grid), extents[axis], axis_names[axis], max_grid[axis], to_string(block)));
  }
}

void check_shared(std::string_view kernel, std::size_t bytes) {
  if (bytes == 0) return;  // asks no device
  const std::size_t most = max_shared_memory_per_block();
  if (bytes <= most) return;
  throw LaunchError(
      fmt::format("kernel '{}': {} bytes of dynamic shared memory: the device has {} for a block: use a smaller "
                  "block or less memory per thread",
                  kernel, bytes, most));
}

Extents3 blocks_for(const Extents3& threads, const Extents3& block) {
  const auto blocks = [](std::int64_t n, std::int64_t size) { return n / size + (n % size != 0 ? 1 : 0); };
  return {blocks(threads.x, block.x), blocks(threads.y, block.y), blocks(threads.z, block.z)};
}

}  // namespace

LaunchShape shape_of_launch(std::string_view kernel, const CudaOptions& options, const Launch& settings,
                            const Arguments& arguments) {
  const Extents3 block = block_of(options, settings);
  Extents3 grid = settings.grid;
  check_not_negative(kernel, grid);
  Extents3 threads;
  if (!grid.given() || settings.threads.given()) {
    threads = threads_of_call(kernel, settings.threads, options.threads_from, block.rank, arguments);
  }
  check_block(kernel, block);
  const bool is_empty = std::ranges::min(threads.array()) == 0;
  if (!grid.given() || is_empty) grid = blocks_for(threads, block);
  check_grid(kernel, grid, block);
  check_shared(kernel, settings.shared_bytes);
  return {with_three_axes(grid), with_three_axes(block), settings.shared_bytes};
}

}  // namespace mylos::inline MYLOS_ABI::detail
