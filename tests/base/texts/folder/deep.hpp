// SPDX-License-Identifier: MIT
#include "../folder/beside.hpp"
