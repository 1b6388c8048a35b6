// SPDX-License-Identifier: MIT
// What is known of whom: compared with plain maps.
#include "emulator/knowledge.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

using mylos::emulator::detail::Knowledge;
using Map = std::map<std::uint64_t, Knowledge::Moment>;

void learn(Map& map, std::uint64_t what, Knowledge::Moment moment) { map[what] = std::max(map[what], moment); }

TEST(Knowledge, IsWhatAMapHolds) {
  std::mt19937_64 random(random_seed());
  std::array<std::pair<Knowledge, Map>, 5> all;
  const auto any = [&](std::uint64_t below) { return random() % below; };
  for (int round = 0; round < 4000; ++round) {
    auto& [knowledge, map] = all.at(any(all.size()));
    const auto& [other, other_map] = all.at(any(all.size()));
    switch (any(8)) {
      case 0:
        knowledge.learn(other);
        for (const auto& [what, moment] : Map(other_map)) learn(map, what, moment);
        break;
      case 1:
        knowledge = other;
        map = other_map;
        break;
      case 2:
        if (any(20) != 0) break;
        knowledge.clear();
        map.clear();
        break;
      default: {
        const std::uint64_t what = any(300) << (any(10) == 0 ? 40 : 0);
        const Knowledge::Moment moment = 1 + any(1000);
        knowledge.learn(what, moment);
        learn(map, what, moment);
      }
    }
    const auto of_map = [&](std::uint64_t what) { return map.contains(what) ? map.at(what) : 0; };
    for (const auto& [what, moment] : map) ASSERT_EQ(knowledge.of(what), moment) << what << " in round " << round;
    const std::uint64_t unknown = any(400);
    ASSERT_EQ(knowledge.of(unknown), of_map(unknown)) << unknown << " in round " << round;
  }
}

TEST(Knowledge, OfTheGreatestNumberIsKept) {
  Knowledge knowledge;
  knowledge.learn(~std::uint64_t{0}, 3);
  knowledge.learn(0, 4);
  EXPECT_EQ(knowledge.of(~std::uint64_t{0}), 3U);
  EXPECT_EQ(knowledge.of(0), 4U);
  EXPECT_EQ(knowledge.of(1), 0U);
}

}  // namespace
}  // namespace mylos_test
