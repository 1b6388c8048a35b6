// SPDX-License-Identifier: MIT
// Everything of the testing module. Needs GoogleTest: link Mylos::testing.
#pragma once

#include <mylos/testing/agree.hpp>
#include <mylos/testing/device_function.hpp>
#include <mylos/testing/findings.hpp>
#include <mylos/testing/parity.hpp>
#include <mylos/testing/spaces.hpp>
#include <mylos/testing/tolerance.hpp>
