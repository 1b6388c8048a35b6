// SPDX-License-Identifier: MIT
// A host that touches device memory: Kokkos aborts with the View's label. Some accesses Kokkos cannot see (DynRankView,
// data()): there the system ends the process, as with CudaSpace. With several threads the signal may differ, so texts
// are matched, not signals.
#include <string>

#include <Kokkos_DynRankView.hpp>

#include "core/support.hpp"
#include "support/scoped_variable.hpp"

namespace mylos_test {
namespace {

// What Kokkos says, then the label.
constexpr const char* names_the_view = "attempt to access inaccessible memory space.*secret";

/// A read that the compiler cannot leave out.
template <class T>
void read(const T& element) {
  [[maybe_unused]] const volatile T seen = element;
}

class HostTouches : public ::testing::Test {
 protected:
  // Each case in a process of its own: Kokkos' threads do not survive a fork.
  HostTouches() { ::testing::GTEST_FLAG(death_test_style) = "threadsafe"; }
  Kokkos::View<double**, DeviceSpace> matrix{"secret", 4, 4};
  Kokkos::View<double*, DeviceSpace> vector{"secret", 4};
};
using HostTouchesDeathTest = HostTouches;

TEST_F(HostTouchesDeathTest, AnElement) {
  EXPECT_DEATH(matrix(1, 1) = 3, names_the_view);
  EXPECT_DEATH(vector(1) = 3, names_the_view);
  EXPECT_DEATH(vector[1] = 3, names_the_view);
}

TEST_F(HostTouchesDeathTest, AScalar) {
  const Kokkos::View<double, DeviceSpace> scalar("secret");
  EXPECT_DEATH(scalar() = 2, names_the_view);
}

TEST_F(HostTouchesDeathTest, ThroughASubview) {
  const auto row = Kokkos::subview(matrix, 1, Kokkos::ALL);
  EXPECT_DEATH(read(row(1)), names_the_view);
}

TEST_F(HostTouchesDeathTest, ThroughAViewOfConst) {
  const Kokkos::View<const double*, DeviceSpace> constant = vector;
  EXPECT_DEATH(read(constant(1)), names_the_view);
}

TEST_F(HostTouchesDeathTest, ThroughAnAtomicView) {
  const Kokkos::View<double*, DeviceSpace, Kokkos::MemoryTraits<Kokkos::Atomic>> atomic = vector;
  EXPECT_DEATH(atomic(1) += 1, "attempt to access inaccessible memory space");
}

TEST_F(HostTouchesDeathTest, ThroughAnUnmanagedView) {
  const Kokkos::View<double*, DeviceSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> unmanaged = vector;
  EXPECT_DEATH(unmanaged(1) = 2, "attempt to access inaccessible memory space.*UNMANAGED");
}

TEST_F(HostTouchesDeathTest, InALoopOnTheHost) {
  const auto view = vector;
  const auto loop = [view] {
    Kokkos::parallel_for(
        Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 4), KOKKOS_LAMBDA(int i) { view(i) = i; });
    Kokkos::fence();
  };
  EXPECT_DEATH(loop(), names_the_view);
}

TEST_F(HostTouchesDeathTest, ThroughADynRankView) {
  const Kokkos::DynRankView<double, DeviceSpace> dynamic("secret", 4);
  EXPECT_DEATH(dynamic(1) = 2, "");
}

TEST_F(HostTouchesDeathTest, ARawPointer) {
  double* const raw = vector.data();
  EXPECT_DEATH(raw[1] = 2, "");
}

TEST_F(HostTouchesDeathTest, ARawPointerIsNamedInStrictMode) {
  double* const raw = vector.data();
  const ScopedVariable strict("MYLOS_EMULATOR_STRICT", "1");
  EXPECT_DEATH(raw[1] = 2, "secret");
}

}  // namespace
}  // namespace mylos_test
