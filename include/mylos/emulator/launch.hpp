// SPDX-License-Identifier: MIT
// Running a compiled kernel on the emulated device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/compiler.hpp>

namespace mylos::inline MYLOS_ABI::emulator {

/// Blocks of a grid along x, y, z; threads of a block along x, y, z, and in all: CUDA's own limits, the same for every
/// architecture since compute capability 3.0.
inline constexpr std::array<std::uint32_t, 3> max_grid = {2147483647, 65535, 65535};
inline constexpr std::array<std::uint32_t, 3> max_block = {1024, 1024, 64};
inline constexpr std::uint32_t max_block_threads = 1024;
/// Static and dynamic shared memory of a block together, as every GPU has it without opting in.
inline constexpr std::size_t max_shared_bytes = 48UL * 1024;
/// Blocks of a grid that may meet at its barriers (cooperative groups): each has an OS thread meanwhile.
inline constexpr std::uint32_t max_blocks_that_meet = 1024;

/// Blocks of the grid and threads of a block along x, y, z; dynamic shared memory of a block in bytes.
struct LaunchShape {
  std::array<std::uint32_t, 3> grid = {1, 1, 1};
  std::array<std::uint32_t, 3> block = {1, 1, 1};
  std::size_t shared_bytes = 0;
};

/// Runs all blocks and returns when they are finished. `arguments` holds, for each parameter, the address of its value.
///
/// Blocks run on Options::threads OS threads, in no order to rely on, or, where the kernel has barriers of the grid, on
/// one each, up to max_blocks_that_meet; the threads of a block in increasing order (x fastest) from barrier to
/// barrier, or as Options::order_seed says. Threads that cannot meet are found and not waited for: at a barrier when
/// some have left the kernel (unless MYLOS_EMULATOR_EXITED=arrive) or wait at another one, and in a warp operation when
/// a lane of its mask does not come, or one is read that takes no part. Device memory is open to this process
/// meanwhile. Launches may be made from several threads at once. Cost: no memory that grows with the grid, unless the
/// launch is checked: eight bytes for each block; stacks for barriers are kept for the next launch. Determinism: with
/// one OS thread, the same bits every time. Throws LaunchError for a shape beyond the device's limits, before anything
/// runs; EmulationError for a failed assertion, a trap, an exception, a crash, threads that cannot meet or wait for
/// each other forever: the rest of the launch is then abandoned, and what it wrote stays. Throws what compile() throws
/// when it is the first launch of a kind that needs another image.
///
/// With Options::checks it is a checked launch, of another image of the kernel: blocks one after another on the calling
/// thread, or one at a time between barriers of the grid, and no other checked launch meanwhile, every access watched,
/// which takes far longer. EmulationError is then also thrown for what the checks find: at once for an access that
/// cannot be let happen, behind the last block for races, reads of unwritten memory and results that depend on the
/// order of threads. Check::thread_order runs it up to Options::orders times more, each time from the same device
/// memory and variables, stops at the first order with a finding, runs once more to confirm what differs, and leaves
/// what the first run left. docs/emulator.md tells what is found, and what is not.
MYLOS_EXPORT void launch(const Program& program, const LaunchShape& shape, void* const* arguments);

/// Checked launches that this thread has begun: whether there were any tells whether anything was checked.
[[nodiscard]] MYLOS_EXPORT std::uint64_t checked_launches() noexcept;

}  // namespace mylos::inline MYLOS_ABI::emulator
