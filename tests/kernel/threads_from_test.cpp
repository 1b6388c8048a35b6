// SPDX-License-Identifier: MIT
#include <mylos/kernel/threads_from.hpp>

#include <string>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::Extents3;
using mylos::ThreadsFrom;

// Arguments of the calls below: a number, a View of rank 0, components of particles, a grid.
class Threads : public ::testing::Test {
 protected:
  [[nodiscard]] Extents3 find(const ThreadsFrom& from, int rank, const Extents3& given = {}) const {
    return mylos::detail::threads_of_call("push", given, from, rank, pack_);
  }
  [[nodiscard]] std::string refusal(const ThreadsFrom& from, int rank) const {
    const std::string text = thrown<mylos::LaunchError>([&] { static_cast<void>(find(from, rank)); });
    EXPECT_TRUE(contains(text, {"kernel 'push'", "number of threads", ".threads = n", "'components'"}));
    return text;
  }

 private:
  double dt_ = 0.1;
  Kokkos::View<double, Kokkos::HostSpace> scalar_{"scalar"};
  Kokkos::View<double**, Kokkos::HostSpace> components_{"components", 3, 100};
  Kokkos::View<double***, Kokkos::HostSpace> grid_{"grid", 7, 8, 9};
  mylos::ArgumentPack<double, decltype(scalar_), decltype(components_), decltype(grid_)> pack_{dt_, scalar_,
                                                                                               components_, grid_};
};

TEST_F(Threads, AutomaticTakesTheLeadingExtentsOfTheFirstView) {
  EXPECT_EQ(find(ThreadsFrom::automatic, 1), Extents3(3));
  EXPECT_EQ(find({}, 2), Extents3(3, 100));
  EXPECT_TRUE(contains(refusal({}, 3), {"3 axes are needed", "extents (3, 100)", "has 2"}));
}

TEST_F(Threads, LastExtentIsForComponentsFirst) { EXPECT_EQ(find(ThreadsFrom::last_extent, 1), Extents3(100)); }

TEST_F(Threads, FirstViewMustBeTheFirstArgument) {
  EXPECT_TRUE(contains(refusal(ThreadsFrom::first_view, 1), {"the first argument is no View"}));
}

TEST_F(Threads, ExplicitOnlyInfersNothing) {
  EXPECT_TRUE(contains(refusal(ThreadsFrom::explicit_only, 1), {"given with each call"}));
  EXPECT_EQ(find(ThreadsFrom::explicit_only, 1, Extents3(4)), Extents3(4));
}

TEST_F(Threads, ACallableSeesTheArguments) {
  const ThreadsFrom rule = [](const mylos::Arguments& a) { return Extents3(a[3].extent(1), a[2].extent(1)); };
  EXPECT_EQ(find(rule, 2), Extents3(8, 100));
  EXPECT_TRUE(contains(refusal([](const mylos::Arguments&) { return Extents3(); }, 1), {"threads_from gave none"}));
}

TEST_F(Threads, WhatIsGivenWins) { EXPECT_EQ(find(ThreadsFrom::last_extent, 1, {5, 6}), Extents3(5, 6)); }

TEST_F(Threads, NegativeNumbersAreRefused) {
  const std::string text = thrown<mylos::ValueError>([&] { static_cast<void>(find({}, 1, Extents3(-1))); });
  EXPECT_TRUE(contains(text, {"kernel 'push'", "(-1)", "negative"}));
}

}  // namespace
}  // namespace mylos_test
