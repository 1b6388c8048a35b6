// SPDX-License-Identifier: MIT
#include <mylos/kernel/cuda_variants.hpp>

#include <atomic>
#include <compare>
#include <cstddef>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/cuda/nvrtc.hpp>

#include "kernel/random_views.hpp"
#include "support/contains.hpp"
#include "support/random_seed.hpp"
#include "support/thrown.hpp"

namespace mylos_test {

/// Has no order.
struct Mesh {
  int cells;
  bool periodic;
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

}  // namespace mylos_test

template <>
struct std::hash<mylos_test::Mesh> {
  std::size_t operator()(const mylos_test::Mesh& mesh) const {
    return std::hash<int>()(mesh.cells) + (mesh.periodic ? 1 : 0);
  }
};

namespace mylos_test {
namespace {

using mylos::CudaVariants;

constexpr const char* powers = R"(
#include <mylos/device/index.hpp>
template <int degree> __global__ void power(const double* x, double* y, std::int64_t n) {
  MYLOS_THREAD_1D(i, n);
  y[i] = 1.0;
  for (int k = 0; k < degree; ++k) y[i] *= x[i];
})";

mylos::CudaKernel power(int degree) {
  return {powers, "power", {.instantiate = "power<" + std::to_string(degree) + ">"}};
}

/// A kernel that says which it is.
mylos::CudaKernel named(const std::string& name) { return {"__global__ void " + name + "() {}", name}; }

TEST(CudaVariants, EveryKeyHasItsKernel) {
  std::mt19937_64 random(random_seed());
  const CudaVariants variants(power);
  static_assert(std::is_same_v<decltype(variants), const CudaVariants<int>>);
  const auto x = random_view<mylos::DeviceSpace>("x", 100, random);
  const std::vector<double> points = elements(x);
  for (const int degree : {3, 0, 3, 1}) {
    const Kokkos::View<double*, mylos::DeviceSpace> y("y", 100);
    variants.get(degree)(x, y, 100);
    std::vector<double> expected(100, 1.0);
    for (std::size_t i = 0; i < 100; ++i) {
      for (int k = 0; k < degree; ++k) expected[i] *= points[i];
    }
    EXPECT_EQ(elements(y), expected) << "degree " << degree;
  }
}

TEST(CudaVariants, AnyValueThatCanBeFoundIsAKey) {
  enum class Precision { single, twice };
  const CudaVariants by_enum([](Precision p) { return named(p == Precision::single ? "single" : "twice"); });
  EXPECT_EQ(by_enum.get(Precision::twice).name(), "twice");
  const CudaVariants by_text([](const std::string& name) { return named(name); });
  EXPECT_EQ(by_text.get("push").name(), "push");
  const CudaVariants<std::pair<int, char>> by_pair(
      [](const auto& key) { return named(key.second + std::to_string(key.first)); });
  EXPECT_EQ(by_pair.get({7, 'k'}).name(), "k7");
  const CudaVariants by_hash(
      [](const Mesh& mesh) { return named((mesh.periodic ? "p" : "c") + std::to_string(mesh.cells)); });
  EXPECT_EQ(by_hash.get({3, true}).name(), "p3");
  EXPECT_EQ(by_hash.get({3, false}).name(), "c3");
  EXPECT_EQ(&by_hash.get({3, true}), &by_hash.get({3, true}));
}

TEST(CudaVariants, EachIsMadeOnceByOneThreadAtATime) {
  constexpr int keys = 5;
  std::atomic<int> made = 0, making = 0;
  const CudaVariants variants([&](int key) {
    EXPECT_EQ(++making, 1);
    ++made;
    std::this_thread::yield();
    --making;
    return named("k" + std::to_string(key));
  });
  std::vector<std::vector<const mylos::CudaKernel*>> seen(8);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : seen) {
      threads.emplace_back([&] {
        for (int n = 0; n < 4 * keys; ++n) mine.push_back(&variants.get(n % keys));
      });
    }
  }
  EXPECT_EQ(made, keys);
  for (const auto& mine : seen) {
    for (std::size_t n = 0; n < mine.size(); ++n) {
      EXPECT_EQ(mine[n], seen[0][n]);
      EXPECT_EQ(mine[n]->name(), "k" + std::to_string(n % keys));
    }
  }
}

TEST(CudaVariants, CopiesShareTheKernels) {
  const CudaVariants variants(power);
  const CudaVariants copy = variants;
  EXPECT_EQ(&copy.get(2), &variants.get(2));
}

TEST(CudaVariants, AMakerMayAskForOtherKeys) {
  CudaVariants<int>* self = nullptr;
  CudaVariants<int> variants([&self](int key) { return key == 0 ? named("base") : self->get(key - 1); });
  self = &variants;
  EXPECT_EQ(variants.get(4).name(), "base");
}

TEST(CudaVariants, WhatAMakerThrowsIsNotKept) {
  int calls = 0;
  const CudaVariants variants([&calls](int key) {
    if (++calls == 1) throw std::runtime_error("no such degree");
    return power(key);
  });
  EXPECT_EQ(thrown<std::runtime_error>([&] { static_cast<void>(variants.get(2)); }), "no such degree");
  EXPECT_EQ(variants.get(2).options().instantiate, "power<2>");
  EXPECT_EQ(calls, 2);
}

TEST(CudaVariants, CompileAllCompilesTheKeysThatAreGiven) {
  const CudaVariants variants(power);
  EXPECT_EQ(variants.compile_all({1, 2, 3}, {.jobs = 2}), 3);
  EXPECT_EQ(variants.compile_all({2, 3}, 1), 2);
  EXPECT_TRUE(variants.get(1).is_compiled());
  EXPECT_TRUE(variants.get(3).is_compiled());
  EXPECT_FALSE(variants.get(4).is_compiled());
  EXPECT_EQ(variants.compile_all({}), 0);
  if (mylos::cuda::Nvrtc::find() != nullptr) {
    EXPECT_EQ(variants.compile_all({1, 5}, {.arch = "sm_90", .jobs = 2}), 2);
    EXPECT_FALSE(variants.get(5).is_compiled()) << "for the device in use";
  }
}

TEST(CudaVariants, CompileAllTellsTheErrorsOfAllKeys) {
  const CudaVariants variants([](const std::string& type) {
    if (type == "none") throw mylos::LookupError("there is no text for it");
    return mylos::CudaKernel("__global__ void k(" + type + "* x) { *x = 1; }", "k");
  });
  const std::string text = thrown<mylos::CompileError>(
      [&] { static_cast<void>(variants.compile_all({"float", "flaot", "none", "duoble"}, {.jobs = 2})); });
  EXPECT_TRUE(contains(text, {"variants: ", "key 2 of 4 (flaot): ", "key 3 of 4 (none): there is no text for it",
                              "key 4 of 4 (duoble): "}));
  EXPECT_EQ(text.find("key 1"), std::string::npos);
  EXPECT_TRUE(variants.get("float").is_compiled());
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { static_cast<void>(variants.compile_all({"float"}, 0)); }),
                       {"variants: ", "0 jobs"}));
}

}  // namespace
}  // namespace mylos_test
