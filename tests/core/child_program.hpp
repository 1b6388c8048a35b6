// SPDX-License-Identifier: MIT
// Runs child_program.cpp and takes what it prints.
#pragma once

#include <string>

#include "support/run_program.hpp"

namespace mylos_test {

inline Ended run_child(const std::string& program, const std::string& environment = "") {
  return run_program(MYLOS_CORE_CHILD " " + program, environment);
}

}  // namespace mylos_test
