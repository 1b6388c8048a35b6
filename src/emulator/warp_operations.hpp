// SPDX-License-Identifier: MIT
// What warp operations give, once all their lanes are there.
#pragma once

#include <span>

#include <mylos/base/abi.hpp>

#include "emulator/shim/mylos_abi.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Where the threads of one warp wait, by lane.
using WarpStops = std::span<const mylos_stop, mylos_lanes>;
/// What they bring, and the lanes whose values they ask for.
using WarpValues = std::span<unsigned long long, mylos_lanes>;
using WarpSources = std::span<const unsigned char, mylos_lanes>;

/// "__shfl_sync", "__syncthreads", ...
[[nodiscard]] const char* name_of(int operation) noexcept;
[[nodiscard]] bool is_shuffle(int operation) noexcept;

[[nodiscard]] bool is_same_place(const mylos_where& a, const mylos_where& b) noexcept;

/// Whether two lanes wait for each other: in the same operation, at the same place of the text and with the same mask.
/// A __syncwarp may be met by one elsewhere in the text.
[[nodiscard]] bool is_same_operation(const mylos_stop& a, const mylos_stop& b) noexcept;

/// Whether all of these lanes wait for each other.
[[nodiscard]] bool wait_for_each_other(WarpStops stops, unsigned lanes) noexcept;

/// The first of these lanes that shuffles from a lane that is not among them; -1: none does.
[[nodiscard]] int first_bad_reader(WarpSources sources, unsigned lanes) noexcept;

/// Does an operation for these lanes: the value of each becomes what the operation gives it.
void carry_out(int operation, WarpValues values, WarpSources sources, unsigned lanes) noexcept;

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
