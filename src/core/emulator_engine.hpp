// SPDX-License-Identifier: MIT
// The emulated device as an engine: its memory is the emulator's, its streams run at once.
#pragma once

#include <cstddef>
#include <memory>

#include <mylos/core/detail/engine.hpp>
#include <mylos/emulator/launch.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// What every GPU gives a block without being asked.
inline constexpr std::size_t emulated_shared_memory_bytes = emulator::max_shared_bytes;

std::unique_ptr<Engine> make_emulator_engine();

}  // namespace mylos::inline MYLOS_ABI::detail
