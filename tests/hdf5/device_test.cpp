// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <utility>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <mylos/base/files.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/core/copy_events.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/hdf5/file.hpp>

#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

using mylos::hdf5::File;
using mylos::hdf5::Mode;

template <class Layout, class Space>
using Matrix = Kokkos::View<double**, Layout, Space>;

// 10 i + j on the host.
template <class Layout>
Matrix<Layout, mylos::HostSpace> numbers() {
  const Matrix<Layout, mylos::HostSpace> view("numbers", 4, 7);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 7; ++j) view(i, j) = 10 * i + j;
  }
  return view;
}

template <class Layout>
class Hdf5Device : public ::testing::Test {
 protected:
  const TemporaryFolder folder_;
  const Matrix<Layout, mylos::HostSpace> host_ = numbers<Layout>();
  const Matrix<Layout, mylos::DeviceSpace> device_ = mylos::copy_to<mylos::DeviceSpace>(host_);
};
using Layouts = ::testing::Types<Kokkos::LayoutLeft, Kokkos::LayoutRight>;
TYPED_TEST_SUITE(Hdf5Device, Layouts);

TYPED_TEST(Hdf5Device, WritesTheFileThatTheHostWrites) {
  File(this->folder_ / "host.h5", Mode::create).write("a", this->host_);
  File file(this->folder_ / "device.h5", Mode::create);
  mylos::CopyCounter counter;
  file.write("a", this->device_);
  EXPECT_EQ(counter.counts().to_host, 1);
  EXPECT_EQ(counter.counts().to_device, 0);
  file.close();
  EXPECT_EQ(mylos::read_file(this->folder_ / "device.h5"), mylos::read_file(this->folder_ / "host.h5"));
}

TYPED_TEST(Hdf5Device, ReadsWithOneTransfer) {
  File(this->folder_ / "a.h5", Mode::create).write("a", this->host_);
  const Matrix<TypeParam, mylos::DeviceSpace> there("there", 4, 7);
  const File file(this->folder_ / "a.h5", Mode::read);
  mylos::CopyCounter counter;
  file.read("a", there);
  EXPECT_EQ(counter.counts().to_device, 1);
  EXPECT_EQ(counter.counts().to_host, 0);
  const auto back = mylos::to_host(there);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 7; ++j) EXPECT_EQ(back(i, j), 10 * i + j);
  }
}

TYPED_TEST(Hdf5Device, StridedPartsOfDeviceViews) {
  const auto part = [](const auto& view) { return Kokkos::subview(view, std::pair(1, 3), std::pair(2, 6)); };
  File file(this->folder_ / "a.h5", Mode::create);
  file.write("a", part(this->device_));
  file.append("column", Kokkos::subview(this->device_, Kokkos::ALL, 3));
  const Matrix<TypeParam, mylos::DeviceSpace> there("there", 4, 7);
  file.read("a", part(there));
  const auto back = mylos::to_host(there);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ((file.read<double, 2>("column")(0, i)), 10 * i + 3);
    for (int j = 0; j < 7; ++j) {
      const bool inside = i >= 1 && i < 3 && j >= 2 && j < 6;
      EXPECT_EQ(back(i, j), inside ? 10 * i + j : 0);
    }
  }
}

}  // namespace
}  // namespace mylos_test
