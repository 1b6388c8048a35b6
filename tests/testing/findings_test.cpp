// SPDX-License-Identifier: MIT
#include <mylos/testing/findings.hpp>

#include <string>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <mylos/core/backend.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/kernel/cuda_kernel.hpp>

#include "support/contains.hpp"

namespace mylos_test {
namespace {

const mylos::CudaKernel& shift() {
  static const mylos::CudaKernel kernel(R"(
extern "C" __global__ void shift(const double* x, double* y, int by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i + by];
})",
                                        "shift");
  return kernel;
}

class Findings : public ::testing::Test {
 protected:
  using View = Kokkos::View<double*, mylos::DeviceSpace>;
  static View bare(const std::string& label) {
    return View(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), 20);
  }
  static void copy(const View& from, const View& to) { shift()({.threads = 20}, from, to, 0, 20); }
  // What is found in it.
  static std::string checked_copy(const View& from, const View& to) {
    return mylos::testing::findings_of([&] { copy(from, to); });
  }

  mylos::ScopedBackend emulated{mylos::Backend::emulated};
};

TEST_F(Findings, AreExpectedNotToBe) {
  const View x("x", 20), y("y", 20);
  MYLOS_EXPECT_NO_FINDINGS(shift()({.threads = 20}, x, y, 0, 20));
  EXPECT_NONFATAL_FAILURE(MYLOS_EXPECT_NO_FINDINGS(shift()({.threads = 20}, x, y, 1, 20)),
                          "0 bytes after the end of View 'x' (160 bytes)");
  EXPECT_NONFATAL_FAILURE(MYLOS_EXPECT_NO_FINDINGS(shift()({.threads = 20}, x, y, -1, 20)),
                          "8 bytes before the beginning of View 'x' (160 bytes)");
}

// A test that checks nothing must not look like one that found nothing.
TEST_F(Findings, AreNotLookedForOnTheHost) {
  int calls = 0;
  MYLOS_EXPECT_NO_FINDINGS(++calls);  // of no work, as a kernel of no threads
  {
    const mylos::ScopedBackend host(mylos::Backend::host);
    EXPECT_NONFATAL_FAILURE(MYLOS_EXPECT_NO_FINDINGS(++calls), "++calls launches nothing on the emulated device");
    EXPECT_EQ(mylos::testing::findings_of([&] { ++calls; }), "");
    const View x("x", 20), y("y", 20);
    MYLOS_EXPECT_NO_FINDINGS(shift()({.threads = 20}, x, y, 0, 20));
  }
  EXPECT_EQ(calls, 3);
}

TEST_F(Findings, TellTheIndicesOfViews) {
  const mylos::CudaKernel kernel(R"(
#include <mylos/device/array.hpp>
extern "C" __global__ void last(mylos::Array<double, 2> a) { a(1, 2) = threadIdx.x; })",
                                 "last");
  const auto report_on = [&](const auto& view) {
    return mylos::testing::findings_of([&] { kernel({.threads = 4}, view); });
  };
  const Kokkos::View<double**, Kokkos::LayoutLeft, mylos::DeviceSpace> left("left", 3, 5);
  const Kokkos::View<double**, Kokkos::LayoutRight, mylos::DeviceSpace> right("right", 3, 5);
  EXPECT_TRUE(contains(report_on(left), {"race on View 'left'", "= element: left(1, 2)"}));
  EXPECT_TRUE(contains(report_on(right), {"race on View 'right'", "= element: right(1, 2)"}));
  const auto part = Kokkos::subview(right, Kokkos::pair(1, 3), Kokkos::pair(0, 4));
  EXPECT_TRUE(contains(report_on(part), {"= element: right(1, 2)"})) << "of the part that the kernel was given";
}

// The state of memory follows what Kokkos does with Views.
TEST_F(Findings, FollowFillsAndCopies) {
  const auto scope = mylos::emulator::with({.checks = {mylos::emulator::Check::initialisation}});
  const View y("y", 20);
  EXPECT_TRUE(
      contains(checked_copy(bare("bare"), y), {"View 'bare' is read before it was written", "WithoutInitializing"}));
  EXPECT_EQ(checked_copy(View("zero", 20), y), "");
  const View filled = bare("filled"), copied = bare("copied"), from_host = bare("from host"), half = bare("half");
  Kokkos::deep_copy(filled, 1.0);
  EXPECT_EQ(checked_copy(filled, y), "");
  Kokkos::deep_copy(copied, bare("source"));
  EXPECT_TRUE(contains(checked_copy(copied, y), {"View 'copied'"}));
  Kokkos::deep_copy(from_host, Kokkos::View<double*, Kokkos::HostSpace>("host", 20));
  EXPECT_EQ(checked_copy(from_host, y), "");
  Kokkos::deep_copy(Kokkos::subview(half, Kokkos::pair(0, 10)), 1.0);
  EXPECT_TRUE(contains(checked_copy(half, y), {"element 10 of View 'half'"}));
  View grown("grown", 10);
  Kokkos::resize(Kokkos::WithoutInitializing, grown, 20);
  EXPECT_TRUE(contains(checked_copy(grown, y), {"element 10 of View 'grown'"}));
}

// Nobody has asked for checks before: in ctest each case has a process of its own.
TEST_F(Findings, AreOfViewsThatAreOlderThanChecks) {
  const View never = bare("never"), filled = bare("filled"), copied = bare("copied"), of_never = bare("of never"),
             half = bare("half"), y("y", 20);
  Kokkos::deep_copy(filled, 1.0);
  Kokkos::deep_copy(copied, filled);
  Kokkos::deep_copy(of_never, never);
  Kokkos::deep_copy(Kokkos::subview(half, Kokkos::pair(0, 10)), 1.0);
  EXPECT_NONFATAL_FAILURE(MYLOS_EXPECT_NO_FINDINGS(copy(never, y)), "View 'never' is read before it was written");
  EXPECT_TRUE(contains(checked_copy(of_never, y), {"View 'of never' is read before it was written"}));
  for (const View& view : {filled, copied, half}) EXPECT_EQ(checked_copy(view, y), "") << view.label();
}

// It may have written to all that there was.
TEST_F(Findings, AreNotOfViewsThatAreOlderThanAnUncheckedLaunch) {
  const View older = bare("older"), other = bare("other"), y("y", 20);
  const auto launch_unchecked = [&] { copy(other, older); };
  launch_unchecked();
  const View newer = bare("newer");
  EXPECT_EQ(checked_copy(older, y), "");
  EXPECT_TRUE(contains(checked_copy(newer, y), {"View 'newer' is read before it was written"}));
  const View between = bare("between");
  launch_unchecked();
  const View last = bare("last");
  Kokkos::deep_copy(last, between);
  EXPECT_EQ(checked_copy(last, y), "");
}

}  // namespace
}  // namespace mylos_test
