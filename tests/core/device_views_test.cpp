// SPDX-License-Identifier: MIT
// What a user of Kokkos does with Views of a device, beyond what holds for every rank (device_ranks.hpp).
#include <complex>
#include <cstdint>
#include <vector>

#include <mylos/base/error.hpp>
#include <mylos/core/conversions.hpp>

#include "core/support.hpp"
#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

template <class T, class Layout = Kokkos::LayoutLeft>
using OnDevice = Kokkos::View<T, Layout, DeviceSpace>;
template <class T, class Layout = Kokkos::LayoutLeft>
using OnHost = Kokkos::View<T, Layout, HostSpace>;

/// A 4 x 3 matrix on the device with random elements, and the same on the host.
class DeviceMatrix : public ::testing::Test {
 protected:
  DeviceMatrix() {
    randomize(host, random);
    Kokkos::deep_copy(device, host);
  }

  Random random;
  OnDevice<double**> device{"device", 4, 3};
  OnHost<double**> host{"host", 4, 3};
};

TEST_F(DeviceMatrix, FillsARowOnly) {
  Kokkos::deep_copy(Kokkos::subview(device, 1, Kokkos::ALL), 7.0);
  for (int j = 0; j < 3; ++j) host(1, j) = 7.0;
  expect_equal(on_host(device), host);
}

TEST_F(DeviceMatrix, CopiesAContiguousPart) {
  const auto column = Kokkos::subview(device, Kokkos::ALL, 1);
  const OnHost<double*> three("three", 4);
  randomize(three, random);
  Kokkos::deep_copy(column, three);
  for (int i = 0; i < 4; ++i) host(i, 1) = three(i);
  expect_equal(on_host(device), host);
}

TEST_F(DeviceMatrix, CopiesStridedPartsWithinTheDevice) {
  const OnDevice<double**, Kokkos::LayoutRight> target("target", 2, 3);
  Kokkos::deep_copy(target, Kokkos::subview(device, std::pair(1, 3), Kokkos::ALL));
  expect_equal(on_host(target), Kokkos::subview(host, std::pair(1, 3), Kokkos::ALL));
}

TEST_F(DeviceMatrix, ConvertsElementsWithinTheDevice) {
  const OnDevice<float**> single("single", 4, 3);
  Kokkos::deep_copy(single, device);
  expect_equal(on_host(single), host);
  const OnDevice<int**, Kokkos::LayoutRight> whole("whole", 4, 3);
  Kokkos::deep_copy(whole, device);
  expect_equal(on_host(whole), host);
}

TEST_F(DeviceMatrix, CopiesOnAStream) {
  const Device stream;
  const OnDevice<double**> target("target", 4, 3);
  Kokkos::deep_copy(stream, target, host);
  const OnHost<double**> back("back", 4, 3);
  Kokkos::deep_copy(stream, back, target);
  stream.fence();
  expect_equal(back, host);
  Kokkos::deep_copy(stream, target, 8.0);
  Kokkos::deep_copy(Kokkos::DefaultHostExecutionSpace(), back, target);
  expect_all(back, 8.0);
}

TEST_F(DeviceMatrix, ReadsAndWritesOneElement) {
  double element = 0;
  Kokkos::deep_copy(element, Kokkos::subview(device, 2, 1));
  EXPECT_EQ(element, host(2, 1));
  const OnDevice<double> scalar("scalar");
  Kokkos::deep_copy(Device(), scalar, 4.0);
  Kokkos::deep_copy(Device(), element, scalar);
  Device().fence();
  EXPECT_EQ(element, 4.0);
}

TEST_F(DeviceMatrix, IsResizedWithItsElements) {
  Kokkos::resize(device, 6, 5);
  const auto grown = on_host(device);
  expect_equal(Kokkos::subview(grown, std::pair(0, 4), std::pair(0, 3)), host);
  expect_all(Kokkos::subview(grown, std::pair(4, 6), Kokkos::ALL), 0.0);
  expect_all(Kokkos::subview(grown, Kokkos::ALL, std::pair(3, 5)), 0.0);
  Kokkos::resize(Device(), device, 2, 2);
  expect_equal(on_host(device), Kokkos::subview(host, std::pair(0, 2), std::pair(0, 2)));
  Kokkos::resize(Kokkos::WithoutInitializing, device, 8, 8);
  EXPECT_EQ(device.extent(0), 8U);
  Kokkos::realloc(device, 9, 1);
  expect_all(on_host(device), 0.0);
  Kokkos::realloc(Kokkos::WithoutInitializing, device, 5, 1);
  EXPECT_EQ(device.extent(0), 5U);
}

TEST_F(DeviceMatrix, HasMirrorsOfEveryKind) {
  const auto mirror = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, device);
  static_assert(std::is_same_v<decltype(mirror)::memory_space, HostSpace>);
  EXPECT_EQ(Kokkos::create_mirror_view(DeviceSpace(), device).data(), device.data());
  const auto copy = Kokkos::create_mirror_view_and_copy(DeviceSpace(), host);
  static_assert(std::is_same_v<decltype(copy)::memory_space, DeviceSpace>);
  expect_equal(on_host(copy), host);
  const auto by_stream = Kokkos::create_mirror_view_and_copy(Device(), host);
  static_assert(std::is_same_v<decltype(by_stream)::memory_space, DeviceSpace>);
  expect_equal(on_host(by_stream), host);
}

TEST_F(DeviceMatrix, IsReadThroughViewsOfConst) {
  const OnDevice<const double**> constant = device;
  expect_equal(on_host(constant), host);
}

TEST_F(DeviceMatrix, WorksThroughAtomicAndUnmanagedViews) {
  const Kokkos::View<double**, Kokkos::LayoutLeft, DeviceSpace, Kokkos::MemoryTraits<Kokkos::Atomic>> atomic = device;
  Kokkos::deep_copy(atomic, 3.0);
  expect_all(on_host(device), 3.0);
  const OnDevice<double*> part(device.data() + 4, 4);
  Kokkos::deep_copy(part, 5.0);
  expect_all(on_host(Kokkos::subview(device, Kokkos::ALL, 1)), 5.0);
  expect_all(on_host(Kokkos::subview(device, Kokkos::ALL, 2)), 3.0);
}

TEST(DeviceViews, AHostPointerIsNotTakenForOneOfTheDevice) {
  std::vector<double> memory(12, 4.0);
  const Kokkos::View<double**, DeviceSpace, Kokkos::MemoryUnmanaged> lie(memory.data(), 4, 3);
  const Kokkos::View<double**, DeviceSpace> device("device", 4, 3);
  const auto mirror = Kokkos::create_mirror_view(device);
  const auto row = [](const auto& view) { return Kokkos::subview(view, 1, Kokkos::ALL); };
  const auto is_refused = [](const auto& use) {
    return contains(thrown<mylos::SpaceError>(use), {"cannot be used by the ", "its address", "mylos::DeviceSpace"});
  };
  EXPECT_TRUE(is_refused([&] { Kokkos::deep_copy(lie, mirror); }));
  EXPECT_TRUE(is_refused([&] { Kokkos::deep_copy(mirror, lie); }));
  EXPECT_TRUE(is_refused([&] { Kokkos::deep_copy(device, lie); }));
  EXPECT_TRUE(is_refused([&] { mylos::copy_view(row(lie), row(device)); }));
  EXPECT_TRUE(is_refused([&] { Kokkos::deep_copy(lie, 1.0); }));
  EXPECT_TRUE(is_refused([&] { static_cast<void>(mylos::to_host(lie)); }));
  EXPECT_EQ(memory, std::vector<double>(12, 4.0)) << "and nothing was written";
}

TEST(DeviceViews, LayoutStrideIsManagedAndCopied) {
  const Kokkos::LayoutStride layout(4, 1, 3, 4);
  const OnDevice<double**, Kokkos::LayoutStride> device("device", layout);
  const auto host = Kokkos::create_mirror_view(device);
  Random random;
  randomize(host, random);
  Kokkos::deep_copy(device, host);
  expect_equal(on_host(device), host);
}

TEST(DeviceViews, StaticExtentsAreCopied) {
  const OnDevice<double* [3]> device("device", 5);
  const auto host = Kokkos::create_mirror_view(device);
  Random random;
  randomize(host, random);
  Kokkos::deep_copy(device, host);
  expect_equal(on_host(device), host);
}

// A host View of two indices and the device's default differ in layout: each copy keeps its source's.
TEST(DeviceViews, LayoutRightComesBackThroughTheDevice) {
  const OnHost<double**, Kokkos::LayoutRight> host("host", 4, 3);
  Random random;
  randomize(host, random);
  const auto right = Kokkos::create_mirror_view_and_copy(DeviceSpace(), host);
  static_assert(std::is_same_v<decltype(right)::array_layout, Kokkos::LayoutRight>);
  const Kokkos::View<double**, DeviceSpace> left("left", 4, 3);
  static_assert(std::is_same_v<decltype(left)::array_layout, Kokkos::LayoutLeft>);
  Kokkos::deep_copy(left, right);
  expect_equal(on_host(left), host);
}

TEST(DeviceViews, NothingIsCopiedWhereThereIsNothing) {
  OnDevice<double*> none("none", 0);
  const OnDevice<double**> no_rows("no_rows", 0, 3);
  const OnDevice<double**> no_columns("no_columns", 3, 0);
  Kokkos::deep_copy(none, 1.0);
  Kokkos::deep_copy(no_rows, 1.0);
  Kokkos::deep_copy(no_columns, 1.0);
  EXPECT_EQ(on_host(no_rows).extent(1), 3U);
  const OnHost<double*> host("host", 0);
  Kokkos::deep_copy(none, host);
  Kokkos::deep_copy(host, none);
  const OnDevice<double*> unallocated;
  const OnHost<double*> unallocated_host;
  Kokkos::deep_copy(unallocated, unallocated_host);
  Kokkos::deep_copy(unallocated_host, unallocated);
  Kokkos::resize(none, 4);
  expect_all(on_host(none), 0.0);
  Kokkos::resize(none, 0);
  EXPECT_EQ(none.size(), 0U);
}

TEST(DeviceViews, AllocationsTakeEveryProperty) {
  const OnDevice<double*> labelled(Kokkos::view_alloc("labelled", Kokkos::WithoutInitializing), 4);
  EXPECT_EQ(labelled.label(), "labelled");
  const OnDevice<double*> on_stream(Kokkos::view_alloc("on_stream", Device()), 4);
  expect_all(on_host(on_stream), 0.0);
  const OnDevice<double*> in_space(Kokkos::view_alloc("in_space", DeviceSpace()), 4);
  expect_all(on_host(in_space), 0.0);
  const OnDevice<double**> padded(
      Kokkos::view_alloc("padded", DeviceSpace(), Device(), Kokkos::WithoutInitializing, Kokkos::AllowPadding), 3, 3);
  Kokkos::deep_copy(padded, 2.0);
  expect_all(on_host(padded), 2.0);
}

TEST(DeviceViews, RawAllocationsAreKokkosOwn) {
  void* raw = Kokkos::kokkos_malloc<DeviceSpace>("raw", 100);
  Kokkos::deep_copy(OnDevice<char*>(static_cast<char*>(raw), 100), 'x');
  raw = Kokkos::kokkos_realloc<DeviceSpace>(raw, 300);
  expect_all(on_host(OnDevice<char*>(static_cast<char*>(raw), 100)), 'x');
  Kokkos::kokkos_free<DeviceSpace>(raw);
  void* const by_device = Kokkos::kokkos_malloc<Device>("raw", 8);
  EXPECT_NE(by_device, nullptr);
  Kokkos::kokkos_free<Device>(by_device);
}

struct Particle {
  double x;
  float y;
  int cell;
  friend bool operator==(const Particle&, const Particle&) = default;
};

struct Started {
  double x = 4;
  int count = 7;
  friend bool operator==(const Started&, const Started&) = default;
};

template <class T>
class DeviceElements : public ::testing::Test {};
struct BoolCase {
  using type = bool;
  static constexpr type value = true;
};
struct ByteCase {
  using type = std::int8_t;
  static constexpr type value = -1;
};
struct ComplexCase {
  using type = Kokkos::complex<double>;
  static inline const type value{1, 2};
};
struct StdComplexCase {
  using type = std::complex<float>;
  static inline const type value{1, 2};
};
struct HalfCase {
  using type = Kokkos::Experimental::half_t;
  static inline const type value{1.5F};
};
struct ParticleCase {
  using type = Particle;
  static constexpr type value{1, 2, 3};
};
struct StartedCase {
  using type = Started;
  static constexpr type value{5, 6};
};
using ElementCases =
    ::testing::Types<BoolCase, ByteCase, ComplexCase, StdComplexCase, HalfCase, ParticleCase, StartedCase>;
TYPED_TEST_SUITE(DeviceElements, ElementCases);

TYPED_TEST(DeviceElements, AreMadeFilledAndCopied) {
  using T = typename TypeParam::type;
  const OnDevice<T**> device("device", 3, 2);
  expect_all(on_host(device), T());
  Kokkos::deep_copy(device, TypeParam::value);
  expect_all(on_host(device), TypeParam::value);
  Kokkos::deep_copy(Kokkos::subview(device, 1, Kokkos::ALL), T());
  const auto host = on_host(device);
  EXPECT_EQ(host(1, 1), T());
  EXPECT_EQ(host(2, 1), TypeParam::value);
  const OnDevice<T**, Kokkos::LayoutRight> other("other", 3, 2);
  Kokkos::deep_copy(other, device);
  expect_equal(on_host(other), host);
}

TEST(DeviceStreams, PartitionsAreStreamsOfTheirOwn) {
  const auto streams = Kokkos::Experimental::partition_space(Device(), 1, 1);
  EXPECT_NE(streams[0], streams[1]);
  EXPECT_NE(streams[0], Device());
  EXPECT_NE(streams[0].impl_instance_id(), streams[1].impl_instance_id());
  const auto weighted = Kokkos::Experimental::partition_space(Device(), std::vector<double>{0.5, 0.5, 1.0});
  ASSERT_EQ(weighted.size(), 3U);
  EXPECT_NE(weighted[0], weighted[2]);
  const OnDevice<double*> device("device", 3);
  Kokkos::deep_copy(weighted[1], device, 2.0);
  weighted[1].fence();
  expect_all(on_host(device), 2.0);
}

TEST(DeviceStreams, CopiesOfOneAreEqual) {
  const auto streams = Kokkos::Experimental::partition_space(Device(), 1);
  const Device same = streams[0];  // NOLINT(performance-unnecessary-copy-initialization): what is tested
  EXPECT_EQ(same, streams[0]);
  EXPECT_EQ(Device(), Device());
}

}  // namespace
}  // namespace mylos_test
