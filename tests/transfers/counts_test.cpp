// SPDX-License-Identifier: MIT
#include <mylos/transfers/counts.hpp>

#include <random>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <mylos/transfers/region.hpp>

#include "support/contains.hpp"
#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

using mylos::CopyKind;
using mylos::TransferCounts;

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0, columns = 0;
  for (const char byte : text) {
    if (byte == '\n')
      columns = 0;
    else if ((static_cast<unsigned char>(byte) & 0xc0U) != 0x80U)
      widest = std::max(widest, ++columns);
  }
  return widest;
}

mylos::CopyEvent copy(CopyKind kind, std::size_t bytes, std::string_view to, std::string_view from) {
  return {.kind = kind, .bytes = bytes, .destination = to, .source = from};
}

TEST(TransferCounts, EachKindHasItsNumber) {
  TransferCounts counts;
  counts.add(copy(CopyKind::to_host, 3, "a", "b"));
  counts.add(copy(CopyKind::to_device, 5, "b", "a"));
  counts.add(copy(CopyKind::device_copy, 7, "b", "c"));
  counts.add(copy(CopyKind::host_copy, 11, "a", "d"));
  counts.add({.kind = CopyKind::wait, .source = "fence"});
  counts.add({.kind = CopyKind::fallback, .source = "push"});
  EXPECT_EQ(counts.to_host, 1);
  EXPECT_EQ(counts.to_device, 1);
  EXPECT_EQ(counts.device_copy, 1);
  EXPECT_EQ(counts.host_copy, 1);
  EXPECT_EQ(counts.sync, 1);
  EXPECT_EQ(counts.fallback, 1);
  EXPECT_EQ(counts.bytes_to_host, 3);
  EXPECT_EQ(counts.bytes_to_device, 5);
  ASSERT_EQ(counts.events.size(), 6U);
  EXPECT_EQ(counts.events[2].kind, CopyKind::device_copy);
  EXPECT_EQ(counts.events[2].destination, "b");
  EXPECT_EQ(counts.events[2].source, "c");
  EXPECT_EQ(counts.events[2].bytes, 7U);
}

TEST(TransferCounts, PlaceAndRegionAreKept) {
  TransferCounts counts;
  mylos::CopyEvent event = copy(CopyKind::to_host, 8, "host", "device");
  event.place = std::source_location::current();
  const std::uint_least32_t line = event.place.line();
  {
    const mylos::Region outer("step"), inner("push");
    counts.add(event);
  }
  EXPECT_EQ(counts.events[0].place, "counts_test.cpp:" + std::to_string(line));
  EXPECT_EQ(counts.events[0].region, "step/push");
}

TEST(TransferCounts, ReportGroupsAndSorts) {
  TransferCounts counts;
  for (int i = 0; i < 3; ++i) counts.add(copy(CopyKind::to_host, 100, "host", "field"));
  counts.add(copy(CopyKind::to_device, 1000, "field", "host"));
  counts.add({.kind = CopyKind::wait, .source = "output"});
  EXPECT_EQ(counts.report(),
            "transfers         times           bytes\n"
            "to host               3             300\n"
            "to device             1            1000\n"
            "wait                  1\n"
            "of which          times           bytes  from -> to              where\n"
            "to device             1            1000  host -> field\n"
            "to host               3             300  field -> host\n"
            "wait                  1                  output\n");
  EXPECT_EQ(TransferCounts().report(), "transfers         times           bytes\nnone\n");
}

TEST(TransferCounts, LongLabelsKeepTheirEndAndLongWaitsTheirBeginning) {
  TransferCounts counts;
  counts.add(copy(CopyKind::to_host, 8, "history of the run", "density of the électrons"));
  counts.add({.kind = CopyKind::wait, .source = "mylos: a copy between host and device is complete"});
  EXPECT_TRUE(contains(counts.report(), {"... history of the run", "mylos: a copy betwe..."}));
}

TEST(TransferCounts, ReportFitsATerminal) {
  std::mt19937_64 random(random_seed());
  const std::string pieces[] = {"density", "ö", "→", "_", " ", "\n", "\t", "\x1b[31m", "very_long_name_of_a_view", ""};
  for (int round = 0; round < 200; ++round) {
    const auto name = [&] {
      std::string text;
      for (std::size_t n = random() % 12; n > 0; --n) text += pieces[random() % std::size(pieces)];
      return text;
    };
    TransferCounts counts;
    for (int i = 0; i < 5; ++i) {
      const std::string to = name(), from = name();
      counts.add(copy(static_cast<CopyKind>(random() % 6), random() % 1'000'000'000'000ULL, to, from));
      counts.events.back().place = name();
    }
    const std::string report = counts.report();
    EXPECT_LE(widest_line(report), 80U) << report;
    EXPECT_EQ(report.find('\x1b'), std::string::npos);
    EXPECT_EQ(report.find('\t'), std::string::npos);
  }
}

TEST(TransferCounts, AMillionEventsNeedNoMoreMemoryThanAThousand) {
  TransferCounts counts;
  for (int i = 0; i < 1'000'000; ++i) counts.add(copy(CopyKind::to_host, 8, "host", "device"));
  EXPECT_EQ(counts.to_host, 1'000'000);
  EXPECT_EQ(counts.bytes_to_host, 8'000'000);
  EXPECT_EQ(counts.events.size(), TransferCounts::most_events);
  EXPECT_TRUE(contains(counts.report(), {"1000000", "and 999000 later events"}));
}

TEST(TransferCounts, SumsAreOfNumbersAndEvents) {
  TransferCounts a, b;
  a.add(copy(CopyKind::to_host, 1, "a", "b"));
  b.add(copy(CopyKind::to_device, 2, "c", "d"));
  b.complete = false;
  a += b;
  EXPECT_EQ(a.to_host, 1);
  EXPECT_EQ(a.bytes_to_device, 2);
  EXPECT_FALSE(a.complete);
  EXPECT_TRUE(contains(a.report(), {"not complete"}));
  ASSERT_EQ(a.events.size(), 2U);
  EXPECT_EQ(a.events[1].source, "d");
  a += a;
  EXPECT_EQ(a.to_host, 2);
  EXPECT_EQ(a.events.size(), 4U);
  for (int i = 0; i < 12; ++i) a += a;
  EXPECT_EQ(a.to_host, 2 << 12);
  EXPECT_EQ(a.events.size(), TransferCounts::most_events);
}

TEST(TransferCounts, JsonHasAll) {
  TransferCounts counts;
  counts.add(copy(CopyKind::to_host, 24, "host \"quoted\"", "device"));
  const auto json = nlohmann::json::parse(counts.to_json());
  EXPECT_EQ(json["to_host"], 1);
  EXPECT_EQ(json["bytes_to_host"], 24);
  EXPECT_EQ(json["to_device"], 0);
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["events"][0]["destination"], "host \"quoted\"");
  EXPECT_EQ(json["events"][0]["kind"], "to host");
  counts.add(copy(CopyKind::to_host, 24, "no UTF-8: \xff", "device"));
  EXPECT_TRUE(nlohmann::json::accept(counts.to_json()));
}

}  // namespace
}  // namespace mylos_test
