// SPDX-License-Identifier: MIT
#include <mylos/base/hash.hpp>

#include <array>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace mylos_test {
namespace {

std::string hash(std::initializer_list<std::string_view> pieces) {
  mylos::Hasher hasher;
  for (const auto piece : pieces) hasher.add(piece);
  return hasher.hex();
}

TEST(Hash, IsTheSameInEveryRun) {
  // xxh128sum of nothing: a change of algorithm or seed would silently lose every cache.
  EXPECT_EQ(hash({}), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(hash({"push", "sm_90"}), hash({"push", "sm_90"}));
}

TEST(Hash, WhereOnePieceEndsMatters) {
  const std::set<std::string> all = {hash({"ab", "c"}), hash({"a", "bc"}), hash({"abc"}), hash({"abc", ""}),
                                     hash({"", "abc"}), hash({"c", "ab"}), hash({})};
  EXPECT_EQ(all.size(), 7U);
}

TEST(Hash, EveryBitOfALongPieceCounts) {
  std::string text(1000, '\0');
  std::set<std::string> all = {hash({text})};
  for (std::size_t i = 0; i < text.size(); ++i) {
    text[i] = 1;
    all.insert(hash({text}));
    text[i] = 0;
  }
  EXPECT_EQ(all.size(), 1001U);
}

TEST(Hash, BytesAndTextAgreeAndAskingChangesNothing) {
  const std::array<std::byte, 2> bytes{std::byte{'h'}, std::byte{'i'}};
  mylos::Hasher hasher;
  hasher.add(bytes);
  EXPECT_EQ(hasher.hex(), hash({"hi"}));
  EXPECT_EQ(hasher.add("x").hex(), hash({"hi", "x"}));
  mylos::Hasher moved = std::move(hasher);
  EXPECT_EQ(moved.hex(), hash({"hi", "x"}));
}

}  // namespace
}  // namespace mylos_test
