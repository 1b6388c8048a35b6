// SPDX-License-Identifier: MIT
#include <mylos/transfers/scope.hpp>

#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include <mylos/base/error.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/core/host_call.hpp>
#include <mylos/transfers/region.hpp>

#include "core/support.hpp"
#include "support/contains.hpp"
#include "support/log_lines.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using OnDevice = Kokkos::View<double*, DeviceSpace>;
using OnHost = Kokkos::View<double*, HostSpace>;
using mylos::CopyCounts;
using mylos::CopyKind;
using mylos::TransferCounts;
using mylos::TransferScope;

// Copies without waits, which are Kokkos' own business in most of these tests.
CopyCounts copies(const TransferCounts& counts) {
  CopyCounts all = counts;
  all.sync = 0;
  return all;
}

class Scope : public ::testing::Test {
 protected:
  OnDevice device{"device", 5};
  OnHost host{"host", 5}, other{"other", 5};
};

TEST_F(Scope, TheApplicationsOwnCopiesAreCountedOnce) {
  EXPECT_EQ(copies(mylos::count_transfers([&] { Kokkos::deep_copy(device, host); })),
            (CopyCounts{.to_device = 1, .bytes_to_device = 40}));
  EXPECT_EQ(copies(mylos::count_transfers([&] { Kokkos::deep_copy(host, device); })),
            (CopyCounts{.to_host = 1, .bytes_to_host = 40}));
  EXPECT_EQ(copies(mylos::count_transfers([&] { Kokkos::deep_copy(other, host); })), (CopyCounts{.host_copy = 1}));
  const OnDevice more("more", 5);
  EXPECT_EQ(copies(mylos::count_transfers([&] { Kokkos::deep_copy(more, device); })), (CopyCounts{.device_copy = 1}));
}

TEST_F(Scope, CopiesOfMylosAreCountedOnce) {
  EXPECT_EQ(copies(mylos::count_transfers([&] { (void)mylos::to_host(device); })),
            (CopyCounts{.to_host = 1, .bytes_to_host = 40}));
  EXPECT_EQ(copies(mylos::count_transfers([&] { mylos::copy_view(other, host); })), (CopyCounts{.host_copy = 1}));
  EXPECT_EQ(copies(mylos::count_transfers([&] { mylos::host_call([](const OnHost&) {}, device); })),
            (CopyCounts{.to_host = 1, .to_device = 1, .bytes_to_host = 40, .bytes_to_device = 40}));
}

TEST_F(Scope, WhatIsNoCopyIsNotCounted) {
  const OnHost empty("empty", 0);
  const Kokkos::View<double, HostSpace> scalar("scalar");
  const TransferCounts counts = mylos::count_transfers([&] {
    Kokkos::deep_copy(device, 2.0);
    Kokkos::deep_copy(host, 2.0);
    Kokkos::deep_copy(scalar, 1.0);
    Kokkos::deep_copy(Kokkos::DefaultHostExecutionSpace(), host, 3.0);
    Kokkos::deep_copy(host, host);
    Kokkos::deep_copy(empty, OnHost("also empty", 0));
    const OnDevice made("made", 3);
    const OnHost made_on_host("made on host", 3);
    const auto mirror = Kokkos::create_mirror_view(host);
  });
  EXPECT_EQ(copies(counts), CopyCounts{}) << counts.report();
}

TEST_F(Scope, EventsNameBothViewsAndThePlace) {
  TransferScope scope;
  {
    const mylos::Region region("output");
    Kokkos::deep_copy(host, device);
    Kokkos::deep_copy(other, host);
  }
  const auto line = std::source_location::current().line() + 1;
  const auto fresh = mylos::to_host(device);
  std::vector<mylos::TransferEvent> events;
  for (const mylos::TransferEvent& event : scope.counts().events) {
    if (event.kind != CopyKind::wait) events.push_back(event);
  }
  ASSERT_EQ(events.size(), 3U) << scope.counts().report();
  EXPECT_EQ(events[0].destination, "host");
  EXPECT_EQ(events[0].source, "device");
  EXPECT_EQ(events[0].place, "");
  EXPECT_EQ(events[0].region, "output");
  EXPECT_EQ(events[1].destination, "other");
  EXPECT_EQ(events[1].source, "host");
  EXPECT_EQ(events[1].bytes, 40U);
  EXPECT_EQ(events[1].region, "output");
  EXPECT_EQ(events[2].destination, "device");
  EXPECT_EQ(events[2].source, "device");
  EXPECT_EQ(events[2].place, "scope_test.cpp:" + std::to_string(line));
  EXPECT_EQ(events[2].region, "");
  scope.reset();
  EXPECT_TRUE(scope.counts().events.empty());
}

TEST_F(Scope, ViewsWithoutALabelHaveThatOfTheirAllocation) {
  const Kokkos::View<double*, DeviceSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> unmanaged(device.data(), 5);
  const TransferScope scope;
  Kokkos::deep_copy(host, unmanaged);
  mylos::copy_view(host, unmanaged);
  int seen = 0;
  for (const mylos::TransferEvent& event : scope.counts().events) {
    if (event.kind != CopyKind::to_host) continue;
    ++seen;
    EXPECT_EQ(event.source, "device");
    EXPECT_EQ(event.destination, "host");
  }
  EXPECT_EQ(seen, 2);
}

TEST_F(Scope, ScopesNestAndMayEndInAnyOrder) {
  auto first = std::make_unique<TransferScope>();
  Kokkos::deep_copy(other, host);
  auto second = std::make_unique<TransferScope>();
  Kokkos::deep_copy(other, host);
  EXPECT_EQ(first->counts().host_copy, 2);
  EXPECT_EQ(second->counts().host_copy, 1);
  first.reset();
  Kokkos::deep_copy(other, host);
  EXPECT_EQ(second->counts().host_copy, 2);
}

// The begin of a copy that throws has no end (kokkos#2522 and others); it is no copy, and the next one is right.
TEST_F(Scope, ACopyThatThrowsIsNotCounted) {
  const OnHost longer("longer", 6);
  const OnDevice longer_on_device("longer on device", 6);
  const TransferScope scope;
  EXPECT_ANY_THROW(Kokkos::deep_copy(longer, host));
  EXPECT_ANY_THROW(Kokkos::deep_copy(longer_on_device, host));
  EXPECT_EQ(copies(scope.counts()), CopyCounts{});
  Kokkos::deep_copy(other, host);
  Kokkos::deep_copy(device, host);
  EXPECT_EQ(copies(scope.counts()), (CopyCounts{.to_device = 1, .host_copy = 1, .bytes_to_device = 40}));
}

TEST_F(Scope, ThreadsDoNotMix) {
  constexpr int threads = 4, rounds = 200;
  std::vector<TransferCounts> counts(threads);
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([t, &counts] {
      const OnHost a("a of " + std::to_string(t), 8), b("b", 8);
      const OnDevice d("d", 8);
      const TransferScope scope;
      for (int i = 0; i < rounds; ++i) {
        Kokkos::deep_copy(Kokkos::DefaultHostExecutionSpace(), b, a);
        if (i % (t + 1) == 0) Kokkos::deep_copy(Device(), d, a);
      }
      counts[static_cast<std::size_t>(t)] = scope.counts();
    });
  }
  for (std::thread& thread : running) thread.join();
  for (int t = 0; t < threads; ++t) {
    const TransferCounts& own = counts[static_cast<std::size_t>(t)];
    EXPECT_EQ(own.host_copy, rounds);
    EXPECT_EQ(own.to_device, (rounds + t) / (t + 1));
    for (const mylos::TransferEvent& event : own.events) {
      if (event.kind == CopyKind::wait) continue;
      EXPECT_EQ(event.source, "a of " + std::to_string(t));
      EXPECT_EQ(event.thread, own.events.front().thread);
    }
  }
  EXPECT_NE(counts[0].events.front().thread, counts[1].events.front().thread);
}

TEST_F(Scope, NoTransfersIsAnErrorWithTheReport) {
  mylos::assert_no_transfers([&] {
    Kokkos::deep_copy(other, host);
    Kokkos::deep_copy(device, 1.0);
    mylos::copy_view(OnDevice("copy", 5), device);
  });
  const std::string text =
      thrown<mylos::TransferError>([&] { mylos::assert_no_transfers([&] { Kokkos::deep_copy(device, host); }); });
  EXPECT_TRUE(contains(text, {"mylos::assert_no_transfers", "to device", "40", "host -> device"}));
}

TEST_F(Scope, WaitsAreAnErrorWhereAsked) {
  mylos::assert_no_transfers([] { Device().fence("allowed"); });
  const std::string text = thrown<mylos::TransferError>(
      [] { mylos::assert_no_transfers([] { Device().fence("my fence"); }, {.syncs = true}); });
  EXPECT_TRUE(contains(text, {"waited", "my fence"}));
}

TEST_F(Scope, TheExceptionOfTheFunctionWins) {
  EXPECT_EQ(thrown<std::runtime_error>([&] {
              mylos::assert_no_transfers([&] {
                Kokkos::deep_copy(device, host);
                throw std::runtime_error("of the function");
              });
            }),
            "of the function");
  const TransferScope scope;
  EXPECT_THROW(mylos::count_transfers([] { throw std::runtime_error("out"); }), std::runtime_error);
  Kokkos::deep_copy(other, host);
  EXPECT_EQ(scope.counts().host_copy, 1);
}

TEST_F(Scope, AMillionCopiesAreCountedExactly) {
  const Kokkos::View<double, HostSpace> a("a"), b("b");
  const TransferScope scope;
  for (int i = 0; i < 1'000'000; ++i) Kokkos::deep_copy(b, a);
  EXPECT_EQ(scope.counts().host_copy, 1'000'000);
  EXPECT_EQ(scope.counts().events.size(), TransferCounts::most_events / 2);
  Kokkos::deep_copy(device, host);
  EXPECT_EQ(scope.counts().events.back().destination, "device") << "there is room for transfers";
}

}  // namespace
}  // namespace mylos_test
