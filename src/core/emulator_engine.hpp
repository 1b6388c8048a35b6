// SPDX-License-Identifier: MIT
// The emulated device as an engine: its memory is the emulator's, its streams run at once.
#pragma once

#include <memory>

#include <mylos/core/detail/engine.hpp>

namespace mylos::inline MYLOS_ABI::detail {

std::unique_ptr<Engine> make_emulator_engine();

}  // namespace mylos::inline MYLOS_ABI::detail
