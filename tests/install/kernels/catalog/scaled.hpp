// SPDX-License-Identifier: MIT
// What functor and port do to an element.
#pragma once

#include <mylos/device/platform.hpp>

#include "../units/factor.hpp"

namespace outside {

MYLOS_FUNCTION constexpr double scaled(double x, double factor) { return x * factor * units::unit; }

}  // namespace outside
