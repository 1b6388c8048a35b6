// SPDX-License-Identifier: MIT
#include <mylos/emulator/launch.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/options.hpp>

#include "emulator/report_file.hpp"
#include "emulator/run_once.hpp"
#include "emulator/source_lines.hpp"
#include "emulator/thread_order.hpp"
#include "emulator/variants.hpp"

namespace mylos::inline MYLOS_ABI::emulator {
namespace {

static_assert(max_block_threads == mylos_max_threads);

std::string shape_text(const std::array<std::uint32_t, 3>& extents) {
  return fmt::format("({}, {}, {})", extents[0], extents[1], extents[2]);
}

void check_axes(const std::string& kernel, const char* what, const std::array<std::uint32_t, 3>& extents,
                const std::array<std::uint32_t, 3>& most) {
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis] >= 1 && extents[axis] <= most[axis]) continue;
    throw LaunchError(
        fmt::format("cannot launch kernel '{}' with {} {}: the {} axis must be from 1 to {}: choose another "
                    "shape",
                    kernel, what, shape_text(extents), "xyz"[axis], most[axis]));
  }
}

void check(const Program& program, const LaunchShape& shape) {
  const std::string& kernel = program.name();
  check_axes(kernel, "a grid of", shape.grid, max_grid);
  check_axes(kernel, "blocks of", shape.block, max_block);
  const std::uint32_t threads = shape.block[0] * shape.block[1] * shape.block[2];
  if (threads > max_block_threads) {
    throw LaunchError(
        fmt::format("cannot launch kernel '{}' with blocks of {}: these are {} threads, a block has at most "
                    "{}: choose smaller blocks",
                    kernel, shape_text(shape.block), threads, max_block_threads));
  }
  const std::size_t fixed = program.static_shared_bytes();
  if (shape.shared_bytes > max_shared_bytes || fixed > max_shared_bytes - shape.shared_bytes) {
    throw LaunchError(
        fmt::format("cannot launch kernel '{}': a block needs {} bytes of shared memory ({} static, {} "
                    "dynamic), it has at most {}: use smaller blocks or arrays",
                    kernel, fixed + shape.shared_bytes, fixed, shape.shared_bytes, max_shared_bytes));
  }
}

// Whether indices in the grid fit into an int along every axis.
bool indices_fit(const LaunchShape& shape) {
  constexpr std::uint64_t most = std::numeric_limits<int>::max();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (std::uint64_t{shape.grid[axis]} * shape.block[axis] > most) return false;
  }
  return true;
}

thread_local std::uint64_t checked_launch_count = 0;

// Blocks that meet at barriers of the grid are all in the middle of their work at the same time.
unsigned workers_for(const LaunchShape& shape, const detail::KernelFacts& facts, const Options& options) {
  const std::uint64_t blocks = std::uint64_t{shape.grid[0]} * shape.grid[1] * shape.grid[2];
  if (facts.blocks_meet && blocks <= max_blocks_that_meet) return static_cast<unsigned>(blocks);
  return options.checks.empty() ? static_cast<unsigned>(std::min<std::uint64_t>(options.threads, blocks)) : 1;
}

}  // namespace

void launch(const Program& program, const LaunchShape& shape, void* const* arguments) {
  check(program, shape);
  const Options options = current_options();
  const detail::Variants& variants = program.variants();
  const bool checked = !options.checks.empty();
  if (checked) ++checked_launch_count;
  const detail::Module& module =
      checked ? variants.checked() : (indices_fit(shape) ? variants.usual() : variants.with_plain_indices());
  mylos_launch parameters{};
  std::ranges::copy(shape.grid, parameters.grid);
  std::ranges::copy(shape.block, parameters.block);
  parameters.arguments = arguments;
  parameters.workers = workers_for(shape, module.facts(), options);
  const detail::Task task{variants, module, program.name(), parameters, shape.shared_bytes, options};
  const bool in_several_orders = options.checks.contains(Check::thread_order);
  auto findings = in_several_orders ? detail::run_in_several_orders(task) : detail::run_once(task);
  if (findings.empty()) return;
  detail::quote_lines(findings, variants.source());
  detail::append_to_report(findings);
  throw EmulationError(std::move(findings));
}

std::uint64_t checked_launches() noexcept { return checked_launch_count; }

}  // namespace mylos::inline MYLOS_ABI::emulator
