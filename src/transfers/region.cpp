// SPDX-License-Identifier: MIT
#include <mylos/transfers/region.hpp>

#include <vector>

#include <Kokkos_Core.hpp>

namespace mylos::inline MYLOS_ABI {
namespace {

struct RegionStack {
  std::string path;
  std::vector<std::size_t> starts;  // lengths of the path outside of each
};

RegionStack& regions() {
  thread_local RegionStack stack;
  return stack;
}

}  // namespace

Region::Region(std::string_view name) {
  RegionStack& stack = regions();
  stack.starts.push_back(stack.path.size());
  if (!stack.path.empty()) stack.path += '/';
  stack.path += name;
  Kokkos::Profiling::pushRegion(std::string(name));
}

Region::~Region() {
  Kokkos::Profiling::popRegion();
  RegionStack& stack = regions();
  stack.path.resize(stack.starts.back());
  stack.starts.pop_back();
}

const std::string& detail::region_path() noexcept { return regions().path; }

}  // namespace mylos::inline MYLOS_ABI
