// SPDX-License-Identifier: MIT
// Memory of the CUDA engine, its own and that of others, on the stand-in driver.
#include <cstddef>
#include <exception>
#include <string>

#include <mylos/base/error.hpp>

#include "cuda/engine.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

class EngineMemory : public EngineTest {};

TEST_F(EngineMemory, IsTheDriversAndGivenBack) {
  const auto before = mylos::memory_info();
  {
    const OnDevice<char*> view(Kokkos::view_alloc("view", Kokkos::WithoutInitializing), 8 << 20);
    EXPECT_EQ(stand_in.count("cuMemAlloc_v2 "), 1);
    const auto during = mylos::memory_info();
    EXPECT_GE(during.used, before.used + (8U << 20U));
    EXPECT_EQ(before.free - during.free, during.used - before.used);
    EXPECT_GE(during.high_water, during.used);
  }
  EXPECT_EQ(stand_in.count("cuMemFree_v2"), 1);
  const auto after = mylos::memory_info();
  EXPECT_EQ(after.used, before.used);
  EXPECT_EQ(after.free, before.free);
  EXPECT_EQ(after.total, std::size_t{80} << 30);
  EXPECT_GE(after.high_water, before.used + (8U << 20U));
  mylos::release_memory();
}

TEST_F(EngineMemory, AnEmptyViewHasAnAddress) {
  const OnDevice<double*> empty("empty", 0);
  Kokkos::deep_copy(empty, 1.0);
  EXPECT_EQ(mylos::to_host(empty).size(), 0U);
}

// Work that may still use the memory is done before it is given back; the stand-in says when it is not.
TEST_F(EngineMemory, IsGivenBackAfterTheWorkOnIt) {
  const OnHost<int*> host("host", 100);
  {
    const OnDevice<int*> view("view", 100);
    Kokkos::deep_copy(Device(), view, 4);
    Kokkos::deep_copy(Device(), host, view);
  }
  expect_all(host, 4);
}

TEST_F(EngineMemory, NoRoomIsTheErrorOfKokkosAndToldInTheLog) {
  const OnDevice<char*> small("the small one", 1000);
  const Logged logged;
  try {
    const OnDevice<char*> huge(Kokkos::view_alloc("huge", Kokkos::WithoutInitializing), std::size_t{1} << 50);
    ADD_FAILURE() << "there is no such memory";
  } catch (const std::exception& error) {
    EXPECT_TRUE(contains(error.what(), {DeviceSpace::name(), "huge"}));
  }
  EXPECT_TRUE(contains(logged.text(), {"no room on the device for 'huge'", "are free", "'the small one'"}));
}

TEST_F(EngineMemory, OfOthersIsUsedWhereItIs) {
  OtherLibrary other(stand_in);
  const Foreign<int*> foreign(other.allocate<int>(50), 50);
  Kokkos::deep_copy(foreign, 3);
  const OnDevice<int*> own("own", 50);
  Kokkos::deep_copy(own, foreign);
  expect_all(on_host(own), 3);
  expect_all(mylos::to_host(foreign), 3);
}

TEST_F(EngineMemory, OfAnotherDeviceIsRefused) {
  OtherLibrary other(stand_in, 1);
  const Foreign<int*> elsewhere(other.allocate<int>(50), 50);
  const OnDevice<int*> own("own", 50);
  const auto refused = {"device 1", "works on device 0", "set_device"};
  EXPECT_TRUE(
      contains(thrown<mylos::SpaceError>([&] { Kokkos::deep_copy(elsewhere, 3); }), {"device 1", "set_device"}));
  for (const char* piece : refused) {
    EXPECT_TRUE(contains(thrown<mylos::SpaceError>([&] { Kokkos::deep_copy(own, elsewhere); }), {piece}));
    EXPECT_TRUE(contains(thrown<mylos::SpaceError>([&] { mylos::to_host(elsewhere); }), {piece}));
  }
}

TEST_F(EngineMemory, ThatWasFreedIsRefused) {
  OtherLibrary other(stand_in);
  const Foreign<int*> freed(other.allocate<int>(50), 50);
  Kokkos::deep_copy(freed, 1);
  Kokkos::fence();
  other.free_last();
  EXPECT_TRUE(contains(thrown<mylos::SpaceError>([&] { Kokkos::deep_copy(freed, 3); }),
                       {"no memory of the device", "it was freed"}));
}

TEST_F(EngineMemory, OfTheHostIsRefused) {
  int on_stack = 0;
  const Foreign<int> wrong(&on_stack);
  EXPECT_TRUE(contains(thrown<mylos::SpaceError>([&] { Kokkos::deep_copy(wrong, 3); }), {"no memory of the device"}));
}

TEST_F(EngineMemory, SharedMemoryIsThatWithOptIn) {
  EXPECT_EQ(mylos::max_shared_memory_per_block(), 227U * 1024U);
  EXPECT_EQ(Device().concurrency(), 132 * 2048);
  EXPECT_EQ(mylos::device_count(), 2);
  EXPECT_TRUE(mylos::cuda_available());
}

}  // namespace
}  // namespace mylos_test
