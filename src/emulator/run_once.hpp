// SPDX-License-Identifier: MIT
// A launch that has been looked at and is ready to run, once or several times.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/options.hpp>

#include "emulator/loader.hpp"
#include "emulator/shim/mylos_abi.hpp"
#include "emulator/variants.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

class Checker;
class Journal;

struct Task {
  const Variants& variants;
  const Module& module;
  const std::string& kernel;
  mylos_launch launch;
  std::size_t shared_bytes = 0;
  Options options;
};

/// Of a checked run, if it is to be run again (thread_order.hpp).
struct Rerunning {
  Journal& journal;
  std::function<void(Checker&)> at_end;  ///< before other checked launches may begin
};

/// Runs all blocks and returns what was found; the options' order_seed gives the order.
std::vector<Finding> run_once(const Task& task, const Rerunning* rerunning = nullptr);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
