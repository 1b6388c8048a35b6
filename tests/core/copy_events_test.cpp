// SPDX-License-Identifier: MIT
#include <mylos/core/copy_events.hpp>

#include <memory>
#include <thread>
#include <vector>

#include <mylos/core/conversions.hpp>

#include "core/support.hpp"
#include "support/contains.hpp"

namespace mylos_test {
namespace {

using OnDevice = Kokkos::View<double*, DeviceSpace>;
using OnHost = Kokkos::View<double*, HostSpace>;
using mylos::CopyCounter;
using mylos::CopyCounts;

/// Waits are Kokkos' own business in these tests.
CopyCounts copies(const CopyCounter& counter) {
  CopyCounts counts = counter.counts();
  counts.sync = 0;
  return counts;
}

class CopyEvents : public ::testing::Test {
 protected:
  OnDevice device{"device", 5};
  OnHost host{"host", 5};
};

TEST_F(CopyEvents, DeepCopiesAreCountedByDirection) {
  const CopyCounter counter;
  Kokkos::deep_copy(device, host);
  EXPECT_EQ(copies(counter), (CopyCounts{.to_device = 1, .bytes_to_device = 40}));
  Kokkos::deep_copy(host, device);
  Kokkos::deep_copy(Device(), host, device);
  const OnDevice other("other", 5);
  Kokkos::deep_copy(other, device);
  EXPECT_EQ(copies(counter),
            (CopyCounts{.to_host = 2, .to_device = 1, .device_copy = 1, .bytes_to_host = 80, .bytes_to_device = 40}));
}

TEST_F(CopyEvents, ReadingOneElementIsATransfer) {
  const CopyCounter counter;
  double element = 0;
  Kokkos::deep_copy(element, Kokkos::subview(device, 2));
  EXPECT_EQ(copies(counter), (CopyCounts{.to_host = 1, .bytes_to_host = 8}));
}

TEST_F(CopyEvents, FillsInitialisationAndAllocationAreNoTransfers) {
  const Kokkos::View<double, DeviceSpace> scalar("scalar");
  const CopyCounter counter;
  const OnDevice made("made", 7);
  const OnDevice empty("empty", 0);
  const Kokkos::View<Kokkos::complex<double>**, DeviceSpace> elements("elements", 2, 2);
  Kokkos::deep_copy(device, 2.5);
  Kokkos::deep_copy(device, 0.0);
  Kokkos::deep_copy(scalar, 1.0);
  Kokkos::deep_copy(Device(), scalar, 1.0);
  Kokkos::deep_copy(Kokkos::subview(elements, 1, Kokkos::ALL), Kokkos::complex<double>(1, 1));
  EXPECT_EQ(copies(counter), CopyCounts{});
}

// As many bytes as the header that Kokkos writes, to the first address of an allocation that has none.
TEST_F(CopyEvents, ATransferThatLooksLikeAHeaderIsOne) {
  const std::size_t bytes = 128;
  void* const raw = DeviceSpace().allocate("raw", bytes);
  const Kokkos::View<char*, DeviceSpace> target(static_cast<char*>(raw), bytes);
  const Kokkos::View<char*, HostSpace> source("source", bytes);
  {
    const CopyCounter counter;
    Kokkos::deep_copy(target, source);
    EXPECT_EQ(counter.counts().to_device, 1);
  }
  DeviceSpace().deallocate("raw", raw, bytes);
}

TEST_F(CopyEvents, WaitsAreCounted) {
  const CopyCounter counter;
  Device().fence("a");
  EXPECT_EQ(counter.counts().sync, 1);
  Kokkos::fence("b");
  EXPECT_EQ(counter.counts().sync, 2);
}

TEST_F(CopyEvents, CountersNestAndEachHearsAll) {
  const CopyCounter outer;
  Kokkos::deep_copy(host, device);
  {
    const CopyCounter inner;
    Kokkos::deep_copy(host, device);
    EXPECT_EQ(inner.counts().to_host, 1);
  }
  Kokkos::deep_copy(host, device);
  EXPECT_EQ(outer.counts().to_host, 3);
}

TEST_F(CopyEvents, CountersMayEndInAnyOrder) {
  auto first = std::make_unique<CopyCounter>();
  auto second = std::make_unique<CopyCounter>();
  auto third = std::make_unique<CopyCounter>();
  second.reset();
  Kokkos::deep_copy(host, device);
  EXPECT_EQ(first->counts().to_host, 1);
  first.reset();
  Kokkos::deep_copy(host, device);
  EXPECT_EQ(third->counts().to_host, 2);
  third.reset();
  EXPECT_FALSE(mylos::detail::listening());
}

TEST_F(CopyEvents, AThreadHearsItsOwn) {
  CopyCounter counter;
  CopyCounts of_thread;
  std::thread([&] {
    const CopyCounter own;
    Kokkos::deep_copy(Device(), host, device);
    of_thread = own.counts();
  }).join();
  EXPECT_EQ(of_thread.to_host, 1);
  EXPECT_EQ(counter.counts(), CopyCounts{});
  counter.reset();
}

struct Recorder final : mylos::CopyListener {
  void on_event(const mylos::CopyEvent& event) override {
    if (event.kind == mylos::CopyKind::wait) return;
    texts.push_back(std::string(event.destination) + " <- " + std::string(event.source));
  }
  std::vector<std::string> texts;
};

TEST_F(CopyEvents, NameTheViews) {
  const Recorder recorder;
  Kokkos::deep_copy(device, host);  // Kokkos hands over addresses: the device's label is known by its allocation
  mylos::copy_view(device, host);
  const OnDevice other("other", 5);
  Kokkos::deep_copy(other, device);
  EXPECT_EQ(recorder.texts, (std::vector<std::string>{"device <- ", "device <- host", "other <- device"}));
}

TEST_F(CopyEvents, AListenerThatThrowsStopsNothing) {
  struct Thrower final : mylos::CopyListener {
    void on_event(const mylos::CopyEvent& /*event*/) override { throw std::runtime_error("refused"); }
  };
  const CopyCounter counter;
  const Thrower thrower;
  EXPECT_NO_THROW(Kokkos::deep_copy(host, device));
  EXPECT_EQ(counter.counts().to_host, 1);
}

TEST(CopyCounts, AreAddedAndPrinted) {
  CopyCounts sum{.to_host = 1, .sync = 2, .bytes_to_host = 8};
  sum += CopyCounts{.to_host = 2,
                    .to_device = 3,
                    .device_copy = 4,
                    .host_copy = 5,
                    .fallback = 6,
                    .bytes_to_host = 1,
                    .bytes_to_device = 9};
  EXPECT_EQ(to_string(sum),
            "3 to host (9 bytes), 3 to device (9 bytes), 4 on the device, 5 on the host, 2 waits, 6 fallbacks");
}

}  // namespace
}  // namespace mylos_test
