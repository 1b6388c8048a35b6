// SPDX-License-Identifier: MIT
// clang-format off: the blanks and the order are what is tested
#include "folder/beside.hpp"
  #  include "../texts/beside_entry.hpp"  // again, by another way
#include <cstdint>
#include "nowhere.hpp"
