// SPDX-License-Identifier: MIT
#include <mylos/core/detail/strided.hpp>

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/core/detail/view_types.hpp>

namespace mylos_test {
namespace {

using mylos::detail::Order;
using mylos::detail::StridedBlock;
using Numbers = std::vector<std::int64_t>;

// What Kokkos itself makes of these extents is the reference.
template <class Layout>
void expect_as_kokkos(Order order) {
  const Kokkos::View<float***, Layout, Kokkos::HostSpace> view("view", 3, 1, 4);
  const StridedBlock wanted = mylos::detail::block_of(view);
  const StridedBlock made = mylos::detail::packed(wanted.data, wanted.shape(), sizeof(float), order);
  EXPECT_EQ(made.data, wanted.data);
  EXPECT_EQ(made.rank, 3);
  EXPECT_EQ(made.extents, wanted.extents);
  EXPECT_EQ(made.strides, wanted.strides);
  EXPECT_TRUE(mylos::detail::is_contiguous(wanted, sizeof(float), order));
  EXPECT_TRUE(mylos::detail::is_packed(wanted.shape(), wanted.strides, sizeof(float), order));
}

TEST(Strided, PackedBlocksLieAsKokkosLaysThem) {
  expect_as_kokkos<Kokkos::LayoutLeft>(Order::left);
  expect_as_kokkos<Kokkos::LayoutRight>(Order::right);
}

TEST(Strided, AxesOfOneElementHaveNoSayInPackedAndHaveOneInContiguous) {
  StridedBlock block = mylos::detail::packed(nullptr, Numbers{3, 1, 4}, 4, Order::right);
  block.strides[1] = 1000;
  EXPECT_TRUE(mylos::detail::is_packed(block.shape(), block.strides, 4, Order::right));
  EXPECT_FALSE(mylos::detail::is_contiguous(block, 4, Order::right));
}

TEST(Strided, GapsAndTheOtherOrderAreNotPacked) {
  using mylos::detail::is_packed;
  EXPECT_FALSE(is_packed(Numbers{3, 4}, Numbers{5, 1}, 1, Order::right)) << "padded rows";
  EXPECT_FALSE(is_packed(Numbers{3, 4}, Numbers{4, 1}, 1, Order::left));
  EXPECT_FALSE(is_packed(Numbers{3}, Numbers{2}, 1, Order::left));
  EXPECT_TRUE(is_packed(Numbers{3, 4}, Numbers{1, 3}, 1, Order::left));
  EXPECT_TRUE(is_packed(Numbers{}, Numbers{}, 1, Order::left)) << "rank 0 is one element";
  EXPECT_TRUE(is_packed(Numbers{3, 0}, Numbers{7, 7}, 1, Order::right)) << "no element is out of order";
}

TEST(Strided, TheShapeIsWhatTheRankCounts) {
  StridedBlock block{.rank = 2, .extents = {5, 6, 7}};
  EXPECT_EQ(Numbers(block.shape().begin(), block.shape().end()), (Numbers{5, 6}));
}

}  // namespace
}  // namespace mylos_test
