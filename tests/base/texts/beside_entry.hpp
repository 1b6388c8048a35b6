// SPDX-License-Identifier: MIT
#include "entry.hpp"
