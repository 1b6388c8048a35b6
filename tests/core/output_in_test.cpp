// SPDX-License-Identifier: MIT
#include <mylos/core/output_in.hpp>

#include <stdexcept>

#include "core/support.hpp"

namespace mylos_test {
namespace {

using mylos::CopyCounter;

class OutputIn : public ::testing::Test {
 protected:
  OutputIn() { Kokkos::deep_copy(device, 1.0); }
  Kokkos::View<double*, DeviceSpace> device{"device", 4};
  Kokkos::View<double*, HostSpace> host{"host", 4};
};

TEST_F(OutputIn, IsTheViewItselfWherePossible) {
  const CopyCounter counter;
  {
    const auto out = mylos::output_in<HostSpace>(host);
    EXPECT_FALSE(out.is_copy());
    out.view()(1) = 3;
  }
  EXPECT_EQ(host(1), 3.0);
  EXPECT_EQ(counter.counts(), mylos::CopyCounts{});
}

TEST_F(OutputIn, IsCopiedBackAtTheEndOfTheScope) {
  const CopyCounter counter;
  {
    const auto out = mylos::output_in<HostSpace, float>(device);
    static_assert(std::is_same_v<typename std::remove_cvref_t<decltype(out.view())>::value_type, float>);
    EXPECT_TRUE(out.is_copy());
    out.view()(1) = 3;
    EXPECT_EQ(on_host(device)(1), 1.0);
  }
  EXPECT_EQ(on_host(device)(1), 3.0);
  EXPECT_EQ(on_host(device)(2), 1.0) << "what is not written stays";
  EXPECT_EQ(counter.counts().to_device, 1);
}

TEST_F(OutputIn, StridedViewsAreMadeContiguousAndWrittenBack) {
  const Kokkos::View<double**, Kokkos::LayoutLeft, HostSpace> matrix("matrix", 3, 2);
  {
    const auto out = mylos::output_in<HostSpace>(Kokkos::subview(matrix, 1, Kokkos::ALL));
    EXPECT_TRUE(out.view().span_is_contiguous());
    Kokkos::deep_copy(out.view(), 4.0);
  }
  EXPECT_EQ(matrix(1, 1), 4.0);
  EXPECT_EQ(matrix(0, 1), 0.0);
}

TEST_F(OutputIn, AnExceptionLeavesTheViewAsItWas) {
  const auto fails = [&] {
    const auto out = mylos::output_in<HostSpace>(device);
    out.view()(1) = 3;
    throw std::logic_error("failed");
  };
  EXPECT_THROW(fails(), std::logic_error);
  expect_all(on_host(device), 1.0);
}

// A guard that is made and ends while another exception is on its way has seen none of its own.
TEST_F(OutputIn, WorksInsideADestructorDuringUnwinding) {
  struct AtEnd {
    const Kokkos::View<double*, DeviceSpace>& target;
    ~AtEnd() {
      const auto out = mylos::output_in<HostSpace>(target);
      out.view()(0) = 8;
    }
  };
  try {
    const AtEnd at_end{device};
    throw std::logic_error("failed");
  } catch (const std::logic_error&) {
  }
  EXPECT_EQ(on_host(device)(0), 8.0);
}

TEST_F(OutputIn, FinishCopiesOnce) {
  const CopyCounter counter;
  {
    auto out = mylos::output_in<HostSpace>(device);
    out.view()(3) = 2;
    out.finish();
    EXPECT_EQ(on_host(device)(3), 2.0);
  }
  EXPECT_EQ(counter.counts().to_device, 1);
}

}  // namespace
}  // namespace mylos_test
