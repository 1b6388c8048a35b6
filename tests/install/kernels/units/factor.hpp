// SPDX-License-Identifier: MIT
// Outside of the catalog, and reached through another header.
#pragma once

namespace outside::units {

inline constexpr double unit = 1.0;

}  // namespace outside::units
