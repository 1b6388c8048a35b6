// SPDX-License-Identifier: MIT
#include <mylos/transfers/region.hpp>

#include <vector>

#include <Kokkos_Core.hpp>

#include <mylos/base/log.hpp>

namespace mylos::inline MYLOS_ABI {
namespace {

// They end with the thread, before static objects that may be Regions or copy.
thread_local constinit bool regions_ended = false;
struct RegionStack {
  std::string path;
  std::vector<std::size_t> starts;  // lengths of the path outside of each
  ~RegionStack() { regions_ended = true; }
};

RegionStack* regions() {
  thread_local RegionStack stack;
  return regions_ended ? nullptr : &stack;
}

}  // namespace

Region::Region(std::string_view name) {
  if (RegionStack* const stack = regions()) {
    stack->starts.push_back(stack->path.size());
    if (!stack->path.empty()) stack->path += '/';
    stack->path += name;
  }
  Kokkos::Profiling::pushRegion(std::string(name));
}

Region::~Region() {
  Kokkos::Profiling::popRegion();
  RegionStack* const stack = regions();
  if (stack == nullptr) return;
  if (stack->starts.empty()) {
    log::error("a mylos::Region ends on another thread than the one that made it: that one's copies are told as of it");
    return;
  }
  stack->path.resize(stack->starts.back());
  stack->starts.pop_back();
}

std::string detail::region_path() {
  const RegionStack* const stack = regions();
  return stack == nullptr ? std::string() : stack->path;
}

}  // namespace mylos::inline MYLOS_ABI
