// SPDX-License-Identifier: MIT
#include <mylos/transfers/budget.hpp>

#include <memory>
#include <optional>
#include <random>
#include <thread>

#include <nlohmann/json.hpp>

#include <mylos/base/error.hpp>
#include <mylos/core/conversions.hpp>

#include "core/support.hpp"
#include "support/contains.hpp"
#include "support/random_seed.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using OnDevice = Kokkos::View<double*, DeviceSpace>;
using OnHost = Kokkos::View<double*, HostSpace>;
using mylos::PhaseCounts;
using mylos::TransferBudget;
using mylos::TransferError;
using mylos::TransferLimit;

class Budget : public ::testing::Test {
 protected:
  void to_host() const { Kokkos::deep_copy(host, device); }
  void to_device() const { Kokkos::deep_copy(device, host); }

  OnDevice device{"device", 4};
  OnHost host{"host", 4};
  TransferBudget budget;
};

TEST_F(Budget, EachPhaseHasItsNumbers) {
  to_host();  // outside of all phases
  for (int step = 0; step < 3; ++step) {
    const auto phase = budget.phase("step");
    to_device();
  }
  EXPECT_EQ(budget.count("output", [&] { return to_host(), to_host(), 7; }), 7);
  const auto phases = budget.phases();
  ASSERT_EQ(phases.size(), 2U);
  const PhaseCounts& step = phases.at("step");
  EXPECT_EQ(step.calls, 3);
  EXPECT_EQ(step.transfers.to_device, 3);
  EXPECT_EQ(step.transfers.bytes_to_device, 96);
  EXPECT_EQ(step.transfers.to_host, 0);
  EXPECT_EQ(step.largest_to_device, 32);
  const PhaseCounts& output = phases.at("output");
  EXPECT_EQ(output.calls, 1);
  EXPECT_EQ(output.transfers.to_host, 2);
  EXPECT_EQ(output.largest_to_host, 32);
  budget.require("step", {.to_device = {.max_bytes = 32}, .calls = 3});
  budget.require("output", {.to_host = {.max_count = 2, .max_bytes = 32, .max_total_bytes = 64}});
  budget.check();
  EXPECT_TRUE(budget.violations().empty());
}

TEST_F(Budget, TheInnerPhaseGetsWhatIsCopied) {
  const auto outer = budget.phase("outer");
  to_host();
  {
    const auto inner = budget.phase("inner");
    to_host();
    const auto again = budget.phase("outer");
    to_host();
  }
  to_host();
  const auto phases = budget.phases();
  EXPECT_EQ(phases.at("outer").transfers.to_host, 3);
  EXPECT_EQ(phases.at("outer").calls, 1);
  EXPECT_EQ(phases.at("inner").transfers.to_host, 1);
}

TEST_F(Budget, BudgetsDoNotMix) {
  TransferBudget other;
  const auto phase = budget.phase("a");
  const auto of_other = other.phase("b");
  to_host();
  EXPECT_EQ(budget.phases().at("a").transfers.to_host, 1);
  EXPECT_EQ(other.phases().at("b").transfers.to_host, 1);
}

TEST_F(Budget, PhasesMayEndInAnyOrder) {
  std::optional<TransferBudget> own(std::in_place);
  struct Open {
    explicit Open(TransferBudget& budget, const char* name) : phase(budget.phase(name)) {}
    TransferBudget::Phase phase;
  };
  auto first = std::make_unique<Open>(*own, "first");
  auto second = std::make_unique<Open>(*own, "second");
  first.reset();
  to_host();
  const auto phases = own->phases();
  EXPECT_EQ(phases.at("second").transfers.to_host, 1);
  EXPECT_EQ(phases.at("first").transfers.to_host, 0);
  own.reset();  // a phase may outlive its budget
  to_host();
}

TEST_F(Budget, NothingIsAllowedUnlessNamed) {
  budget.count("step", [&] { to_host(); });
  budget.require("step", {});
  EXPECT_TRUE(contains(thrown<TransferError>([&] { budget.check(); }),
                       {"phase 'step'", "1 transfers to host (32 bytes)", "to_host allows none", "device -> host"}));
  budget.require("step", {.to_host = {.max_count = mylos::unlimited}});
  budget.check();
  budget.count("step", [&] { to_device(); });
  EXPECT_TRUE(contains(thrown<TransferError>([&] { budget.check(); }), {"to device", "to_device allows none"}));
}

TEST_F(Budget, EveryLimitIsLookedAt) {
  const OnHost large("large", 100);
  const OnDevice large_on_device("large on device", 100);
  const OnHost other("other", 4);
  budget.count("output", [&] {
    to_host();
    Kokkos::deep_copy(large, large_on_device);
    Kokkos::deep_copy(other, host);
    mylos::copy_view(OnDevice("fresh", 4), device);
    Device().fence("mine");
  });
  const auto violation = [&](const mylos::Limits& limits) {
    budget.require("output", limits);
    const auto found = budget.violations();
    EXPECT_EQ(found.size(), 1U);
    return found.empty() ? std::string() : found.front();
  };
  const TransferLimit any{.max_count = mylos::unlimited};
  EXPECT_TRUE(
      contains(violation({.to_host = {.max_count = 1}}), {"2 transfers to host", "to_host.max_count allows 1"}));
  EXPECT_TRUE(contains(violation({.to_host = {.max_bytes = 799}}),
                       {"800 bytes at once to host", "to_host.max_bytes allows 799", "large on device -> large"}));
  EXPECT_TRUE(contains(violation({.to_host = {.max_total_bytes = 831}}),
                       {"832 bytes in all to host", "to_host.max_total_bytes allows 831"}));
  EXPECT_TRUE(
      contains(violation({.to_host = any, .device_copy = 0}), {"copies on the device", "device_copy allows 0"}));
  EXPECT_TRUE(contains(violation({.to_host = any, .host_copy = 0}), {"copies on the host", "host_copy allows 0"}));
  EXPECT_TRUE(contains(violation({.to_host = any, .sync = 0}), {"waits for the device", "sync allows 0"}));
  EXPECT_TRUE(contains(violation({.to_host = any, .calls = 2}), {"ran 1 times", "asks for 2"}));
}

TEST_F(Budget, APhaseThatNeverRanIsAViolation) {
  budget.require("outptu", {});
  EXPECT_TRUE(contains(thrown<TransferError>([&] { budget.check(); }), {"phase 'outptu' never ran"}));
  budget.require("outptu", {.calls = 0});
  budget.check();
  budget.count("outptu", [] {});
  EXPECT_TRUE(contains(thrown<TransferError>([&] { budget.check(); }), {"'outptu' ran 1 times", "asks for 0"}));
}

TEST_F(Budget, NegativeLimitsAreRefused) {
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { budget.require("step", {.to_device = {.max_bytes = -1}}); }),
                       {"phase 'step'", "to_device.max_bytes is -1"}));
  EXPECT_TRUE(
      contains(thrown<mylos::ValueError>([&] { budget.require("step", {.fallback = -2}); }), {"fallback is -2"}));
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { budget.require("step", {.calls = -3}); }), {"calls is -3"}));
}

TEST_F(Budget, PhasesOfThreadsAddUp) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const OnHost own("own", 4);
      const OnDevice own_on_device("own on device", 4);
      for (int i = 0; i < 50; ++i) {
        const auto phase = budget.phase("step");
        Kokkos::deep_copy(Device(), own_on_device, own);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(budget.phases().at("step").calls, 200);
  EXPECT_EQ(budget.phases().at("step").transfers.to_device, 200);
}

// As over ranks: the sum of what budgets counted is what one would have counted.
TEST_F(Budget, SumsAreAsOfOne) {
  std::mt19937_64 random(random_seed());
  TransferBudget all, total;
  for (int rank = 0; rank < 3; ++rank) {
    TransferBudget own;
    for (int i = 0; i < 20; ++i) {
      const std::string name = "phase " + std::to_string(random() % 3);
      const auto in_all = all.phase(name);
      const auto in_own = own.phase(name);
      if (random() % 2 == 0) to_host();
      if (random() % 2 == 0) to_device();
    }
    for (const auto& [phase, counts] : own.phases()) total.add(phase, counts);
  }
  EXPECT_EQ(total.report(), all.report());
  EXPECT_EQ(total.to_json(), all.to_json());
}

TEST_F(Budget, ReportIsATable) {
  budget.count("step", [&] { to_device(); });
  budget.count("a phase whose name is longer than its column", [&] { to_host(); });
  budget.require("step", {});
  const std::string report = budget.report();
  EXPECT_TRUE(contains(report, {"phase  ", "step  ", "...", "to_device allows none"}));
  const auto json = nlohmann::json::parse(budget.to_json());
  EXPECT_EQ(json["phases"]["step"]["calls"], 1);
  EXPECT_EQ(json["phases"]["step"]["transfers"]["bytes_to_device"], 32);
  EXPECT_EQ(json["violations"].size(), 1U);
  EXPECT_TRUE(contains(TransferBudget().report(), {"no phase ran"}));
}

}  // namespace
}  // namespace mylos_test
