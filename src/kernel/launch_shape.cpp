// SPDX-License-Identifier: MIT
#include "kernel/launch_shape.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/emulator/launch.hpp>

#include "kernel/argument_table.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

using emulator::max_block;
using emulator::max_block_threads;
using emulator::max_grid;
constexpr std::string_view axis_names = "xyz";

Extents3 with_three_axes(const Extents3& extents) { return {extents.x, extents.y, extents.z}; }

// Given by the call or the options, axis by axis.
Extents3 given_block(const ShapeRules& rules, const Launch& settings) {
  return settings.block.given() ? settings.block : rules.options.block3;
}

// The long side along x, where neighbours in memory are: 128 threads are 128, 32 x 4, 16 x 4 x 2.
Extents3 spread(std::int64_t threads, int axes) {
  const std::int64_t z = axes > 2 ? std::gcd(threads, std::int64_t{2}) : 1;
  const std::int64_t y = axes > 1 ? std::gcd(threads / z, std::int64_t{4}) : 1;
  if (axes == 1) return {threads};
  return axes == 2 ? Extents3(threads / y, y) : Extents3(threads / y / z, y, z);
}

int default_axes(const ShapeRules& rules) {
  return rules.text_axes > 0 ? rules.text_axes : std::max(rules.functor_axes, 1);
}

// A text without MYLOS_THREAD_* may work on fewer axes than its functor; the threads of the call say it then.
Extents3 default_block(const ShapeRules& rules, const Extents3& threads) {
  const int axes = default_axes(rules);
  const bool threads_decide = rules.text_axes == 0 && threads.given();
  return spread(rules.options.block, threads_decide ? std::min(axes, threads.rank) : axes);
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

/// Of numbers that are not negative.
std::int64_t bounded_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

Extents3 blocks_for(const Extents3& threads, const Extents3& block) {
  const auto blocks = [](std::int64_t n, std::int64_t size) { return n / size + (n % size != 0 ? 1 : 0); };
  return {blocks(threads.x, block.x), blocks(threads.y, block.y), blocks(threads.z, block.z)};
}

}  // namespace

LaunchShape shape_of_launch(const ShapeRules& rules, const Launch& settings, const Arguments& arguments) {
  const std::string_view kernel = rules.kernel;
  Extents3 block = given_block(rules, settings);
  Extents3 grid = settings.grid;
  check_not_negative(kernel, grid);
  Extents3 threads;
  if (!grid.given() || settings.threads.given()) {
    const int axes = block.given() ? block.rank : default_axes(rules);
    threads = threads_of_call(kernel, settings.threads, rules.options.threads_from, axes, arguments);
  }
  if (!grid.given()) require_axes(kernel, "its text", rules.text_axes, threads, arguments);
  if (!block.given()) block = default_block(rules, threads);
  check_block(kernel, block);
  const bool is_empty = std::ranges::min(threads.array()) == 0;
  if (!grid.given() || is_empty) grid = blocks_for(threads, block);
  check_grid(kernel, grid, block);
  check_shared(kernel, settings.shared_bytes);
  return {with_three_axes(grid), with_three_axes(block), settings.shared_bytes};
}

void require_axes(std::string_view kernel, std::string_view what, int axes, const Extents3& threads,
                  const Arguments& arguments) {
  if (threads.rank >= axes) return;
  for (const Argument& argument : arguments) {
    if (!argument.type->is_view || argument.type->rank < axes) continue;
    if (argument.extent(threads.rank) <= 1 && argument.extent(axes - 1) <= 1) continue;
    throw LaunchError(fmt::format(
        "kernel '{}': threads {} have {} of the {} axes that {} works on: elements of {} would be left "
        "out silently: give {}, or a block of {} axes like {{.block = {}}}",
        kernel, to_string(threads), threads.rank, axes, what, describe(argument),
        axes == 2 ? "{.threads = {nx, ny}}" : "{.threads = {nx, ny, nz}}", axes, axes == 2 ? "{32, 4}" : "{16, 4, 2}"));
  }
}

Extents3 covered_by_grid(const ShapeRules& rules, bool may_read_grid, const Launch& settings, const Extents3& threads) {
  const bool all_axes = threads.rank == std::max(rules.text_axes, 1);
  if (!settings.grid.given() || may_read_grid || !all_axes) return threads;
  check_not_negative(rules.kernel, settings.grid);
  Extents3 block = given_block(rules, settings);
  if (!block.given()) block = default_block(rules, settings.threads);
  const Extents3& grid = settings.grid;
  check_block(rules.kernel, block);
  check_grid(rules.kernel, grid, block);
  std::array<std::int64_t, 3> n = {grid.x * block.x, grid.y * block.y, grid.z * block.z};
  if (rules.text_axes == 0)
    n = {bounded_product(bounded_product(n[0], n[1]), n[2]), 1, 1};  // it may number all threads
  Extents3 covered = threads;
  covered.x = std::min(threads.x, n[0]);
  covered.y = std::min(threads.y, n[1]);
  covered.z = std::min(threads.z, n[2]);
  return covered;
}

}  // namespace mylos::inline MYLOS_ABI::detail
