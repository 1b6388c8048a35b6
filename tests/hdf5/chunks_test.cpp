// SPDX-License-Identifier: MIT
#include "hdf5/chunks.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

using mylos::hdf5::block_bytes;
using mylos::hdf5::choose_chunks;
using Extents = std::vector<std::int64_t>;

void expect_allowed(const Extents& extents, const Extents& chunks, std::size_t element_bytes) {
  ASSERT_EQ(chunks.size(), extents.size());
  for (std::size_t d = 0; d < extents.size(); ++d) {
    EXPECT_GE(chunks[d], 1);
    EXPECT_LE(chunks[d], std::max<std::int64_t>(1, extents[d]));
  }
  EXPECT_LE(block_bytes(chunks, element_bytes), mylos::hdf5::largest_chunk);
}

TEST(Hdf5Chunks, ExtentsThatBrokeOthers) {
  const std::vector<std::pair<Extents, std::size_t>> cases = {
      {{32768, 16384}, 8}, {{std::int64_t{1} << 33}, 1}, {{10, 10}, 8}, {{0, 10}, 4}, {{1}, 16}, {{0}, 8}};
  for (const auto& [extents, bytes] : cases) expect_allowed(extents, choose_chunks(extents, bytes, 1 << 20), bytes);
}

TEST(Hdf5Chunks, SmallArraysAreOneChunkAndRowsStayWhole) {
  EXPECT_EQ(choose_chunks(Extents{10, 10}, 8, 1 << 20), (Extents{10, 10}));
  EXPECT_EQ(choose_chunks(Extents{1000000, 128}, 8, 1 << 20), (Extents{1024, 128}));
  EXPECT_EQ(choose_chunks(Extents{10, 1 << 20}, 8, 1 << 20), (Extents{1, 1 << 17}));
}

TEST(Hdf5Chunks, AnyExtents) {
  std::mt19937_64 random(random_seed());
  for (int i = 0; i < 2000; ++i) {
    Extents extents(1 + random() % 9);
    for (auto& extent : extents) extent = static_cast<std::int64_t>(random() % (std::uint64_t{1} << (random() % 40)));
    const std::size_t bytes = std::size_t{1} << (random() % 5);
    const Extents chunks = choose_chunks(extents, bytes, 1 << 16);
    expect_allowed(extents, chunks, bytes);
    EXPECT_LE(block_bytes(chunks, bytes), 1 << 16);
  }
}

}  // namespace
}  // namespace mylos_test
