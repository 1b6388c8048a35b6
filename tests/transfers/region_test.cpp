// SPDX-License-Identifier: MIT
#include <mylos/transfers/region.hpp>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

namespace mylos_test {
namespace {

using mylos::Region;
using mylos::detail::region_path;

TEST(Region, PathsNest) {
  EXPECT_EQ(region_path(), "");
  {
    const Region outer("step");
    EXPECT_EQ(region_path(), "step");
    {
      const Region inner("push");
      EXPECT_EQ(region_path(), "step/push");
    }
    const Region next("");
    EXPECT_EQ(region_path(), "step/");
  }
  EXPECT_EQ(region_path(), "");
}

TEST(Region, EndsWithAnException) {
  try {
    const Region region("lost");
    throw std::runtime_error("out");
  } catch (const std::runtime_error&) {
    EXPECT_EQ(region_path(), "");
  }
}

TEST(Region, IsOfItsThread) {
  const Region here("here");
  std::thread([] {
    EXPECT_EQ(region_path(), "");
    const Region there("there");
    EXPECT_EQ(region_path(), "there");
  }).join();
  EXPECT_EQ(region_path(), "here");
}

std::vector<std::string> told;

TEST(Region, IsARegionOfKokkosTools) {
  namespace tools = Kokkos::Tools::Experimental;
  const tools::EventSet before = tools::get_callbacks();
  tools::set_push_region_callback([](const char* name) { told.emplace_back(name); });
  tools::set_pop_region_callback([] { told.emplace_back("end"); });
  {
    const Region outer("step"), inner("push");
  }
  tools::set_push_region_callback(before.push_region);
  tools::set_pop_region_callback(before.pop_region);
  EXPECT_EQ(told, (std::vector<std::string>{"step", "push", "end", "end"}));
}

}  // namespace
}  // namespace mylos_test
