// SPDX-License-Identifier: MIT
#include "hdf5/slabs.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

using mylos::hdf5::Index;
using mylos::hdf5::Slab;

// Row-major number of an index.
std::int64_t number(int rank, const Index& extents, const Index& index) {
  std::int64_t sum = 0;
  for (std::size_t d = 0; d < static_cast<std::size_t>(rank); ++d) sum = sum * extents[d] + index[d];
  return sum;
}

std::int64_t product(int rank, const Index& extents) {
  std::int64_t all = 1;
  for (std::size_t d = 0; d < static_cast<std::size_t>(rank); ++d) all *= extents[d];
  return all;
}

TEST(Hdf5Slabs, CoverEveryElementOnceInOrder) {
  std::mt19937_64 random(random_seed());
  for (int repeat = 0; repeat < 500; ++repeat) {
    const int rank = static_cast<int>(random() % 6);
    const auto limit = static_cast<std::int64_t>(1 + random() % 40);
    Index extents{};
    for (std::size_t d = 0; d < static_cast<std::size_t>(rank); ++d) extents[d] = static_cast<int>(1 + random() % 6);
    std::int64_t next = 0;
    mylos::hdf5::for_each_slab(rank, extents, limit, [&](const Slab& slab) {
      // In row-major order a slab is a run of elements: the next ones.
      EXPECT_EQ(number(rank, extents, slab.start), next);
      EXPECT_LE(product(rank, slab.count), limit);
      EXPECT_GE(product(rank, slab.count), 1);
      next += product(rank, slab.count);
    });
    EXPECT_EQ(next, product(rank, extents));
  }
}

TEST(Hdf5Slabs, AreAsLargeAsTheLimitAllows) {
  std::vector<std::int64_t> sizes;
  mylos::hdf5::for_each_slab(2, Index{5, 3}, 7, [&](const Slab& slab) { sizes.push_back(slab.count[0] * 3); });
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{6, 6, 3}));
}

}  // namespace
}  // namespace mylos_test
