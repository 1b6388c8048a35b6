// SPDX-License-Identifier: MIT
#include "folder/beside.hpp"
  #  include "../texts/beside_entry.hpp"  // again, by another way
#include <cstdint>
#include "nowhere.hpp"
