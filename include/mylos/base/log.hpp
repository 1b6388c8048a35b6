// SPDX-License-Identifier: MIT
// Messages to the user that are not errors. MYLOS_LOG=debug|info|warning|error|off, default warning, on stderr.
#pragma once

#include <functional>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::log {

enum class Level { debug, info, warning, error, off };

/// Where messages go. Called under a lock: it must not log. What it throws is dropped and the message goes to stderr.
using Sink = std::function<void(Level, std::string_view)>;

/// Replaces the sink and returns the one before; an empty sink restores stderr.
MYLOS_EXPORT Sink set_sink(Sink sink);
/// Process-wide threshold; overrides MYLOS_LOG.
MYLOS_EXPORT void set_level(Level level);
[[nodiscard]] MYLOS_EXPORT bool enabled(Level level) noexcept;

// These never throw: they are what destructors use instead.
MYLOS_EXPORT void debug(std::string_view message) noexcept;
MYLOS_EXPORT void info(std::string_view message) noexcept;
MYLOS_EXPORT void warning(std::string_view message) noexcept;
MYLOS_EXPORT void error(std::string_view message) noexcept;
/// In a `catch (...)` where nothing may be thrown on: an error "DURING: what the exception says".
MYLOS_EXPORT void caught(std::string_view during) noexcept;

}  // namespace mylos::inline MYLOS_ABI::log
