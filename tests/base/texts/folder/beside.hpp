// SPDX-License-Identifier: MIT
#include "beside_entry.hpp"
#include "deep.hpp"
