// SPDX-License-Identifier: MIT
#pragma once

#include <mylos/device/integers.hpp>
