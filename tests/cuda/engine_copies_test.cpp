// SPDX-License-Identifier: MIT
// Copies and fills of the CUDA engine, on the stand-in driver.
#include <array>
#include <complex>
#include <csignal>
#include <cstdint>
#include <limits>
#include <string>

#include <mylos/base/error.hpp>

#include "cuda/engine.hpp"
#include "kernel/own_process.hpp"
#include "support/child.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

class EngineCopies : public EngineTest {
 protected:
  Random random;
};

TEST_F(EngineCopies, BytesGoBothWaysInOneCallEach) {
  const OnDevice<double***> device("device", 5, 3, 4);
  auto host = Kokkos::create_mirror_view(device);
  auto back = Kokkos::create_mirror(device);
  randomize(host, random);
  stand_in.forget();
  Kokkos::deep_copy(device, host);
  Kokkos::deep_copy(back, device);
  EXPECT_EQ(stand_in.count("cuMemcpyHtoDAsync_v2 480"), 1);
  EXPECT_EQ(stand_in.count("cuMemcpyDtoHAsync_v2 480"), 1);
  EXPECT_EQ(stand_in.count("cuMemcpy"), 2);
  expect_equal(back, host);
}

TEST_F(EngineCopies, TheHostCannotTouchTheMemory) {
  const OnDevice<double*> device("device", 3);
  volatile double* const address = device.data();
  Child child([&] { ::_exit(*address > 0 ? 1 : 2); });
  EXPECT_EQ(child.wait(), -SIGSEGV);
}

struct Twelve {
  std::array<std::int32_t, 3> part{};
  bool operator==(const Twelve&) const = default;
};
struct Large {
  std::array<std::int16_t, 301> part{};
  bool operator==(const Large&) const = default;
};

template <class T>
T numbered() {
  if constexpr (requires(T value) { value.part; }) {
    T value;
    for (std::size_t i = 0; i < value.part.size(); ++i) value.part[i] = static_cast<std::int16_t>(1000 + i);
    return value;
  } else {
    return static_cast<T>(3);
  }
}

template <class T>
class EngineFills : public EngineTest {};
using Elements = ::testing::Types<char, std::int16_t, float, double, Kokkos::complex<double>, Twelve, Large>;
TYPED_TEST_SUITE(EngineFills, Elements);

TYPED_TEST(EngineFills, ReachEveryElementAndNoOther) {
  const auto value = numbered<TypeParam>();
  const OnDevice<TypeParam***> whole("whole", 6, 5, 4);
  Kokkos::deep_copy(whole, value);
  expect_all(on_host(whole), value);
  Kokkos::deep_copy(whole, TypeParam{});
  expect_all(on_host(whole), TypeParam{});
  const OnDevice<TypeParam> one("one");
  Kokkos::deep_copy(one, value);
  EXPECT_EQ(on_host(one)(), value);

  const auto part = Kokkos::subview(whole, std::pair(1, 5), 2, std::pair(0, 3));
  Kokkos::deep_copy(part, value);
  auto expected = Kokkos::create_mirror(whole);
  Kokkos::deep_copy(expected, TypeParam{});
  for (int i = 1; i < 5; ++i) {
    for (int k = 0; k < 3; ++k) expected(i, 2, k) = value;
  }
  expect_equal(on_host(whole), expected);
}

TEST_F(EngineCopies, FillsUseTheDriversOwnWhereTheyServe) {
  const OnDevice<std::int32_t**> view("view", 100, 7);
  stand_in.forget();
  Kokkos::deep_copy(OnDevice<bool>("flag"), true);
  EXPECT_EQ(stand_in.count("cuMemsetD8Async 1"), 2) << "it begins as 0";
  Kokkos::deep_copy(view, 5);
  EXPECT_EQ(stand_in.count("cuMemsetD32Async 700"), 1);
  Kokkos::deep_copy(view, 0x01010101);
  EXPECT_EQ(stand_in.count("cuMemsetD8Async 2800"), 1);
  Kokkos::deep_copy(Kokkos::subview(view, std::pair(0, 50), Kokkos::ALL), 6);
  EXPECT_EQ(stand_in.count("cuMemsetD2D32Async 350"), 1);
  Kokkos::deep_copy(OnDevice<std::int16_t*>("short", 9), std::int16_t{300});
  EXPECT_EQ(stand_in.count("cuMemsetD16Async 9"), 1);
  EXPECT_EQ(stand_in.count("cuLaunchKernel"), 0);
  Kokkos::deep_copy(OnDevice<double*>("double", 9), 1.0);
  EXPECT_EQ(stand_in.count("cuLaunchKernel mylos_fill_8"), 1);
}

TEST_F(EngineCopies, StridesOfAnyKindAreCopiedOnTheDevice) {
  using Left = Kokkos::View<double***, Kokkos::LayoutLeft, DeviceSpace>;
  using Right = Kokkos::View<double***, Kokkos::LayoutRight, DeviceSpace>;
  const Left source("source", 5, 6, 7);
  auto host = Kokkos::create_mirror_view(source);
  randomize(host, random);
  Kokkos::deep_copy(source, host);
  const Right target("target", 5, 6, 7);
  mylos::copy_view(target, source);
  expect_equal(on_host(target), host);

  const Left other("other", 5, 6, 7);
  const auto from = Kokkos::subview(target, std::pair(1, 4), Kokkos::ALL, 3);
  const auto to = Kokkos::subview(other, std::pair(2, 5), Kokkos::ALL, 6);
  mylos::copy_view(to, from);
  expect_equal(mylos::to_host(to), mylos::to_host(from));
  const auto untouched = on_host(other);
  EXPECT_EQ(untouched(1, 0, 6), 0.0);
  EXPECT_EQ(untouched(2, 0, 5), 0.0);
}

TEST_F(EngineCopies, RowsAreCopiedByTheDriver) {
  const Kokkos::View<double**, Kokkos::LayoutLeft, DeviceSpace> a("a", 100, 9), b("b", 120, 9);
  auto host = Kokkos::create_mirror_view(a);
  randomize(host, random);
  Kokkos::deep_copy(a, host);
  const auto rows = Kokkos::subview(b, std::pair(20, 120), Kokkos::ALL);
  stand_in.forget();
  mylos::copy_view(rows, a);
  EXPECT_EQ(stand_in.count("cuMemcpy2DAsync_v2 7200"), 1);
  EXPECT_EQ(stand_in.count("cuLaunchKernel"), 0);
  expect_equal(mylos::to_host(rows), host);
}

TEST_F(EngineCopies, OneElementIsCopiedByTheDriver) {
  const OnDevice<char**> from("from", 3, 4), to("to", 3, 5);
  Kokkos::deep_copy(from, 'x');
  const std::pair one(1, 2), other(2, 3);
  stand_in.forget();
  mylos::copy_view(Kokkos::subview(to, other, one), Kokkos::subview(from, one, other));
  EXPECT_EQ(stand_in.count("cuMemcpyDtoDAsync_v2 1"), 1);
  EXPECT_EQ(stand_in.count("cuLaunchKernel"), 0);
  EXPECT_EQ(on_host(to)(2, 1), 'x');
}

TEST_F(EngineCopies, StridedViewsCrossInOneTransfer) {
  const OnDevice<float**> device("device", 8, 6);
  const OnHost<float**> host("host", 9, 6);
  randomize(host, random);
  const auto device_part = Kokkos::subview(device, std::pair(0, 5), std::pair(1, 4));
  const auto host_part = Kokkos::subview(host, std::pair(4, 9), std::pair(0, 3));
  stand_in.forget();
  mylos::copy_view(device_part, host_part);
  EXPECT_EQ(stand_in.count("cuMemcpyHtoDAsync_v2 60"), 1) << "beside the header of Kokkos' own";
  expect_equal(mylos::to_host(device_part), host_part);
}

// ---- conversions

template <class To, class From>
void expect_converted(const std::vector<From>& values) {
  const OnHost<From*> host("host", values.size());
  for (std::size_t i = 0; i < values.size(); ++i) host(i) = values[i];
  const OnDevice<From*> source("source", values.size());
  const OnDevice<To*> target("target", values.size());
  Kokkos::deep_copy(source, host);
  mylos::copy_view(target, source);
  const auto got = on_host(target);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(got(i), static_cast<To>(values[i])) << i;
}

TEST_F(EngineCopies, NumbersAreConvertedAsByStaticCast) {
  constexpr auto large = std::numeric_limits<std::int64_t>::max();
  const std::vector<std::int64_t> integers = {0, 1, -1, 7, (1LL << 53) + 1, (1LL << 24) + 1, -((1LL << 60) + 3), large};
  expect_converted<float>(integers);
  expect_converted<double>(integers);
  expect_converted<std::int8_t>(integers);
  expect_converted<std::uint64_t>(integers);
  expect_converted<bool>(integers);
  expect_converted<float>(std::vector<std::uint64_t>{0, ~0ULL, (1ULL << 63) + 1, 1ULL << 63});
  const std::vector<double> reals = {0.0, -0.0, 1.5, -2.75, 1e-300, 123456.789};
  expect_converted<float>(reals);
  expect_converted<int>(reals);
  expect_converted<std::int16_t>(reals);
  expect_converted<bool>(reals);
  expect_converted<double>(std::vector<float>{0.1F, -1e30F, 3.0F});
  expect_converted<std::uint8_t>(std::vector<int>{0, 255, 256, -1});
  expect_converted<int>(std::vector<std::uint16_t>{0, 65535});
  expect_converted<long>(std::vector<long long>{1, -1, large});
}

TEST_F(EngineCopies, ComplexNumbersAreConverted) {
  using Single = Kokkos::complex<float>;
  using Double = Kokkos::complex<double>;
  expect_converted<Double>(std::vector<Single>{{1.5F, -2.5F}, {0.1F, 0.2F}});
  expect_converted<Double>(std::vector<double>{1.5, -3.0});
}

struct Kelvin {
  double value = 0;
  Kelvin() = default;
  KOKKOS_FUNCTION explicit Kelvin(double v) : value(v) {}
};

TEST_F(EngineCopies, AClassIsNotConvertedOnTheDevice) {
  const OnDevice<double*> numbers("numbers", 3);
  const OnDevice<Kelvin*> temperatures(Kokkos::view_alloc("temperatures", Kokkos::WithoutInitializing), 3);
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { mylos::copy_view(temperatures, numbers); }),
                       {"no number that CUDA kernels know", "convert on the host"}));
}

// ---- when the host's memory may be used again

template <class Source>
void expect_source_is_free(const Source& source) {
  const OnDevice<int*> device("device", 4);
  // Written to directly: a fill by Kokkos would wait for the device.
  const auto write = [&](int value) {
    for (std::size_t i = 0; i < source.extent(0); ++i) source(i) = value;
  };
  write(7);
  Kokkos::deep_copy(Device(), device, source);
  write(8);
  Device().fence();
  expect_all(on_host(device), 7);
}

TEST_F(EngineCopies, APageableSourceMayBeUsedAtOnce) {
  stand_in.forget();
  expect_source_is_free(OnHost<int*>("host", 4));
}

TEST_F(EngineCopies, APinnedSourceMayBeUsedAtOnce) {
  OtherLibrary other(stand_in);
  expect_source_is_free(
      Kokkos::View<int*, HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(other.allocate_pinned<int>(4), 4));
}

TEST_F(EngineCopies, DISABLED_ASourceThatIsReadInPlace) {
  expect_source_is_free(OnHost<int*>("host", 4));
  end_alone();
}

TEST_F(EngineCopies, AnyOtherSourceMayBeUsedAtOnceWhereTheDeviceReadsIt) {
  EXPECT_EQ(run_alone("EngineCopies.DISABLED_ASourceThatIsReadInPlace", "STAND_IN_READS_HOST", "1"), passed_alone);
}

TEST_F(EngineCopies, ACopyToTheHostIsCompleteAfterItsWait) {
  const OnDevice<int*> device("device", 4);
  const OnHost<int*> host("host", 4);
  Kokkos::deep_copy(device, 5);
  Kokkos::deep_copy(Device(), host, device);
  Device().fence();
  expect_all(host, 5);
  Kokkos::deep_copy(device, 6);
  Kokkos::deep_copy(host, device);
  expect_all(host, 6);
}

}  // namespace
}  // namespace mylos_test
