// SPDX-License-Identifier: MIT
// Streams of the CUDA engine, its own and those of others, on the stand-in driver, whose streams work only when
// somebody waits for them.
#include <string>
#include <thread>
#include <vector>

#include <mylos/base/error.hpp>

#include "cuda/engine.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

class EngineStreams : public EngineTest {
 protected:
  EngineStreams() {
    Kokkos::deep_copy(device, 5);
    Kokkos::fence();
    Kokkos::deep_copy(host, 0);
  }
  static Device own_stream() { return Kokkos::Experimental::partition_space(Device(), 1)[0]; }

  const OnDevice<int*> device{"device", 10};
  const OnHost<int*> host{"host", 10};
};

TEST_F(EngineStreams, AFenceWaitsForItsStreamAlone) {
  const Device first = own_stream(), second = own_stream();
  Kokkos::deep_copy(first, host, device);
  second.fence();
  Device().fence();
  expect_all(host, 0);
  first.fence();
  expect_all(host, 5);
}

TEST_F(EngineStreams, AFenceOfKokkosWaitsForAll) {
  const Device first = own_stream();
  Kokkos::deep_copy(first, host, device);
  Kokkos::fence();
  expect_all(host, 5);
}

// The first value is still on its way on another stream when the copy without a stream is asked for.
TEST_F(EngineStreams, ACopyWithoutAStreamComesAfterEverythingElse) {
  const Device first = own_stream();
  Kokkos::deep_copy(first, device, 6);
  Kokkos::deep_copy(host, device);
  expect_all(host, 6);
}

TEST_F(EngineStreams, WorkOfAStreamIsInOrder) {
  const Device first = own_stream();
  for (const int value : {1, 2, 3}) Kokkos::deep_copy(first, device, value);
  Kokkos::deep_copy(first, host, device);
  Kokkos::deep_copy(first, device, 4);
  first.fence();
  expect_all(host, 3);
}

TEST_F(EngineStreams, EndWithTheirLastDevice) {
  {
    const Device first = own_stream();
    const Device copy = first;  // NOLINT(performance-unnecessary-copy-initialization): a second one of the stream
    EXPECT_EQ(copy, first);
    EXPECT_NE(copy, Device());
    EXPECT_EQ(stand_in.count("cuStreamCreateWithPriority"), 1);
  }
  EXPECT_EQ(stand_in.count("cuStreamDestroy_v2"), 1);
}

TEST_F(EngineStreams, AreThemselvesByTheirHandles) {
  {
    const Device own = own_stream(), again(own.cuda_stream());
    EXPECT_EQ(again, own);
    EXPECT_EQ(again.impl_instance_id(), own.impl_instance_id());
    EXPECT_EQ(Device(Device().cuda_stream()), Device());
  }
  EXPECT_EQ(stand_in.count("cuStreamDestroy_v2"), 1);
}

TEST_F(EngineStreams, OfOthersTakeWorkInTheirOrder) {
  OtherLibrary other(stand_in);
  CUstream_st* const handle = other.create_stream();
  {
    const Device foreign(handle);
    EXPECT_EQ(foreign.cuda_stream(), handle);
    EXPECT_EQ(foreign, Device(handle));
    EXPECT_EQ(foreign.impl_instance_id(), Device(handle).impl_instance_id());
    EXPECT_NE(foreign, Device());
    Kokkos::deep_copy(foreign, host, device);
    Device().fence();
    expect_all(host, 0);
    other.wait(handle);
    expect_all(host, 5);
    Kokkos::deep_copy(foreign, device, 7);
    Kokkos::deep_copy(foreign, host, device);
    foreign.fence();
    expect_all(host, 7);
  }
  EXPECT_EQ(stand_in.count("cuStreamDestroy_v2"), 0) << "it is not ours";
}

TEST_F(EngineStreams, OfAnotherDeviceAreRefused) {
  OtherLibrary other(stand_in, 1);
  CUstream_st* const handle = other.create_stream();
  EXPECT_TRUE(contains(thrown<mylos::SpaceError>([&] { Device{handle}; }), {"another device", "device 0"}));
}

TEST_F(EngineStreams, TellTheirHandles) {
  const Device first = own_stream();
  EXPECT_NE(first.cuda_stream(), nullptr);
  EXPECT_NE(first.cuda_stream(), Device().cuda_stream());
  EXPECT_EQ(Device().cuda_stream(), Device().cuda_stream());
}

TEST_F(EngineStreams, TheContextOfOthersStaysCurrent) {
  const OtherLibrary other(stand_in, 1);
  Kokkos::deep_copy(device, 8);
  Kokkos::deep_copy(host, device);
  {
    const Device first = own_stream();
    const OnDevice<double*> view("view", 3);
    Kokkos::deep_copy(first, view, 1.5);
  }
  static_cast<void>(mylos::memory_info());
  EXPECT_EQ(other.current(), other.context());
  expect_all(host, 8);
}

TEST_F(EngineStreams, AreUsedFromManyThreads) {
  std::vector<std::thread> threads;
  std::vector<OnHost<int*>> results;
  for (int n = 0; n < 4; ++n) results.emplace_back("result", 10);
  for (int n = 0; n < 4; ++n) {
    threads.emplace_back([n, &results] {
      for (int repeat = 0; repeat < 20; ++repeat) {
        const Device stream = own_stream();
        const OnDevice<int*> view("view", 10);
        Kokkos::deep_copy(stream, view, 100 * n + repeat);
        Kokkos::deep_copy(stream, results[static_cast<std::size_t>(n)], view);
        stream.fence();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int n = 0; n < 4; ++n) expect_all(results[static_cast<std::size_t>(n)], 100 * n + 19);
}

}  // namespace
}  // namespace mylos_test
