// SPDX-License-Identifier: MIT
// What the tests of the CUDA engine share: the stand-in, and another library that uses the same driver.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/log.hpp>
#include <mylos/core.hpp>

#include "core/support.hpp"
#include "cuda/emulated_kernels.hpp"
#include "cuda/stand_in.hpp"
#include "support/contains.hpp"
#include "support/nvrtc_test.hpp"

struct CUctx_st;

namespace mylos_test {

/// Fills and copies of some kinds compile kernels of ours. What no test may do but by intention is asked at the end of
/// each.
class EngineTest : public NvrtcTest<> {
 protected:
  EngineTest() {
    static_cast<void>(mylos::memory_info());  // the engine is made
    stand_in.forget();
  }
  void TearDown() override { EXPECT_EQ(stand_in.violations(), ""); }

  StandIn stand_in;
};

/// What is logged while one lives, from this level on.
class Logged {
 public:
  explicit Logged(mylos::log::Level level = mylos::log::Level::info) {
    mylos::log::set_level(level);
    outer_ = mylos::log::set_sink([this](mylos::log::Level, std::string_view message) { text_ += message; });
  }
  Logged(const Logged&) = delete;
  Logged& operator=(const Logged&) = delete;
  ~Logged() {
    mylos::log::set_sink(outer_);
    mylos::log::set_level(mylos::log::Level::warning);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  mylos::log::Sink outer_;
  std::string text_;
};

/// Somebody else in this process who works on a device: its primary context is current while one lives.
class OtherLibrary {
 public:
  explicit OtherLibrary(const StandIn& stand_in, int device = 0) : driver_(stand_in), handle_(first_handle + device) {
    check(call<int(CUctx_st**, int)>("cuDevicePrimaryCtxRetain")(&context_, handle_));
    check(call<int(CUctx_st*)>("cuCtxPushCurrent_v2")(context_));
  }
  OtherLibrary(const OtherLibrary&) = delete;
  OtherLibrary& operator=(const OtherLibrary&) = delete;
  ~OtherLibrary() {
    for (CUstream_st* const stream : streams_) check(call<int(CUstream_st*)>("cuStreamDestroy_v2")(stream));
    for (const unsigned long long pointer : pointers_) check(call<int(unsigned long long)>("cuMemFree_v2")(pointer));
    for (void* const pointer : pinned_) check(call<int(void*)>("cuMemFreeHost")(pointer));
    CUctx_st* popped = nullptr;
    check(call<int(CUctx_st**)>("cuCtxPopCurrent_v2")(&popped));
    check(call<int(int)>("cuDevicePrimaryCtxRelease_v2")(handle_));
  }

  [[nodiscard]] CUctx_st* context() const { return context_; }
  [[nodiscard]] CUctx_st* current() const {
    CUctx_st* current = nullptr;
    check(call<int(CUctx_st**)>("cuCtxGetCurrent")(&current));
    return current;
  }
  CUstream_st* create_stream() {
    CUstream_st* stream = nullptr;
    check(call<int(CUstream_st**, unsigned, int)>("cuStreamCreateWithPriority")(&stream, 1U, 0));
    return streams_.emplace_back(stream);
  }
  void wait(CUstream_st* stream) const { check(call<int(CUstream_st*)>("cuStreamSynchronize")(stream)); }
  template <class T>
  T* allocate(std::size_t count) {
    unsigned long long pointer = 0;
    check(call<int(unsigned long long*, std::size_t)>("cuMemAlloc_v2")(&pointer, count * sizeof(T)));
    return reinterpret_cast<T*>(pointers_.emplace_back(pointer));
  }
  void free_last() {
    check(call<int(unsigned long long)>("cuMemFree_v2")(pointers_.back()));
    pointers_.pop_back();
  }
  template <class T>
  T* allocate_pinned(std::size_t count) {
    void* pointer = nullptr;
    check(call<int(void**, std::size_t, unsigned)>("cuMemHostAlloc")(&pointer, count * sizeof(T), 0U));
    return static_cast<T*>(pinned_.emplace_back(pointer));
  }

 private:
  static constexpr int first_handle = 40;

  template <class F>
  [[nodiscard]] F* call(const char* name) const {
    return driver_.function<F>(name);
  }
  static void check(int code) { EXPECT_EQ(code, 0) << "the other library's call of the driver failed"; }

  const StandIn& driver_;
  int handle_;
  CUctx_st* context_ = nullptr;
  std::vector<CUstream_st*> streams_;
  std::vector<unsigned long long> pointers_;
  std::vector<void*> pinned_;
};

template <class T>
using OnDevice = Kokkos::View<T, DeviceSpace>;
template <class T>
using OnHost = Kokkos::View<T, HostSpace>;
template <class T>
using Foreign = Kokkos::View<T, DeviceSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

}  // namespace mylos_test
