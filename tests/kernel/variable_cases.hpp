// SPDX-License-Identifier: MIT
// What holds of the variables of a kernel's text on every device.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/core/copy_events.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/kernel/cuda_graph.hpp>
#include <mylos/kernel/cuda_kernel.hpp>

#include "kernel/random_views.hpp"
#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {

/// Hears the labels of copies, "c -> " for one from there.
class CopyLabelListener final : public mylos::CopyListener {
 public:
  CopyLabelListener() = default;
  ~CopyLabelListener() override = default;
  CopyLabelListener(const CopyLabelListener&) = delete;
  CopyLabelListener& operator=(const CopyLabelListener&) = delete;
  [[nodiscard]] const std::vector<std::string>& heard() const { return heard_; }

 private:
  void on_event(const mylos::CopyEvent& event) override {
    if (event.kind == mylos::CopyKind::wait) return;
    heard_.push_back(std::string(event.source) + " -> " + std::string(event.destination));
  }
  std::vector<std::string> heard_;
};

/// `Runs` is a fixture whose running(text, name) gives a kernel of which launches run the text.
template <class Runs>
class KernelVariables : public Runs {
 protected:
  using Results = Kokkos::View<double*, mylos::DeviceSpace>;

  /// Four products of c and physics::scale.
  [[nodiscard]] mylos::CudaKernel reads() const {
    return this->running(R"(
__constant__ float c[4];
namespace physics {
static __constant__ double scale = 1;
namespace deep { __device__ int launches = 10; }
}
extern "C" __global__ void reads(double* out) {
  out[threadIdx.x] = c[threadIdx.x] * physics::scale;
  if (threadIdx.x == 0) ++physics::deep::launches;
})",
                         "reads");
  }
  static void launch(const mylos::CudaKernel& kernel, const Results& out) { kernel({.threads = 4, .block = 4}, out); }
  [[nodiscard]] static std::vector<double> results(const mylos::CudaKernel& kernel) {
    const Results out("out", 4);
    launch(kernel, out);
    return elements(out);
  }
};

TYPED_TEST_SUITE_P(KernelVariables);

TYPED_TEST_P(KernelVariables, AreSetBetweenLaunches) {
  const mylos::CudaKernel kernel = this->reads();
  EXPECT_EQ(this->results(kernel), std::vector<double>(4, 0));
  kernel.set_variable("c", std::array{1.0F, 2.0F, 3.0F, 4.0F});
  EXPECT_EQ(this->results(kernel), (std::vector<double>{1, 2, 3, 4}));
  const float others[] = {5, 6, 7, 8};
  kernel.set_variable("c", others);
  kernel.set_variable("physics::scale", 0.5);
  EXPECT_EQ(this->results(kernel), (std::vector<double>{2.5, 3, 3.5, 4}));
  EXPECT_EQ((kernel.variable<std::array<float, 4>>("c")), (std::array{5.0F, 6.0F, 7.0F, 8.0F}));
}

// Nobody waits between them.
TYPED_TEST_P(KernelVariables, AreSetInOrderWithLaunches) {
  const mylos::CudaKernel kernel = this->reads();
  const typename TestFixture::Results zero("zero", 4), one("one", 4), two("two", 4);
  std::array<float, 4> value{};
  this->launch(kernel, zero);
  value.fill(1);
  kernel.set_variable("c", value);
  this->launch(kernel, one);
  value.fill(2);
  kernel.set_variable("c", value);
  value.fill(3);
  this->launch(kernel, two);
  EXPECT_EQ(elements(zero), std::vector<double>(4, 0));
  EXPECT_EQ(elements(one), std::vector<double>(4, 1));
  EXPECT_EQ(elements(two), std::vector<double>(4, 2));
}

TYPED_TEST_P(KernelVariables, PersistFromLaunchToLaunch) {
  const mylos::CudaKernel kernel = this->reads();
  const typename TestFixture::Results out("out", 4);
  EXPECT_EQ(kernel.variable<int>("physics::deep::launches"), 10) << "as the text says";
  for (int n = 0; n < 3; ++n) this->launch(kernel, out);
  EXPECT_EQ(kernel.variable<int>("physics::deep::launches"), 13);
  kernel.set_variable("physics::deep::launches", -1);
  this->launch(kernel, out);
  EXPECT_EQ(mylos::CudaKernel(kernel).variable<int>("physics::deep::launches"), 0) << "a copy has the same";
}

TYPED_TEST_P(KernelVariables, OfOneNameInTwoTextsAreTwo) {
  const mylos::CudaKernel kernel = this->reads();
  const mylos::CudaKernel other =
      this->running("__constant__ double c; extern \"C\" __global__ void other(double* x) { *x = c; }", "other");
  kernel.set_variable("c", std::array{1.0F, 2.0F, 3.0F, 4.0F});
  EXPECT_EQ(other.variable<double>("c"), 0);
  other.set_variable("c", 0.5);
  EXPECT_EQ(this->results(kernel), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(this->results(other), (std::vector<double>{0.5, 0, 0, 0}));
}

TYPED_TEST_P(KernelVariables, MayBeStructs) {
  struct Settings {
    double step;
    int order;
  };
  const mylos::CudaKernel kernel = this->running(R"(
struct Settings { double step; int order; };
__constant__ Settings settings;
extern "C" __global__ void uses(double* x) { *x = settings.step * settings.order; })",
                                                 "uses");
  kernel.set_variable("settings", Settings{.step = 0.5, .order = 3});
  EXPECT_EQ(this->results(kernel).front(), 1.5);
  EXPECT_EQ(kernel.variable<Settings>("settings").order, 3);
}

TYPED_TEST_P(KernelVariables, ThatAreMissingAreToldWithThoseThatAreThere) {
  const mylos::CudaKernel kernel = this->reads();
  for (const char* name : {"d", "scale", "_ZN7physics4deep8launchesE", ""}) {
    const std::string text = thrown<mylos::LookupError>([&] { kernel.set_variable(name, 1); });
    EXPECT_TRUE(
        contains(text, {"reads", "'" + std::string(name) + "'", "it has c, physics::deep::launches, physics::scale"}));
    EXPECT_EQ(text.find("mylos_"), std::string::npos) << text;
  }
}

TYPED_TEST_P(KernelVariables, OfAnotherSizeAreRefused) {
  const mylos::CudaKernel kernel = this->reads();
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { kernel.set_variable("c", 1.0); }),
                       {"kernel 'reads'", "variable 'c'", "16 bytes", "host 8"}));
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { static_cast<void>(kernel.variable<float>("physics::scale")); }),
                       {"kernel 'reads'", "variable 'physics::scale'", "8 bytes", "host 4"}));
  EXPECT_EQ((kernel.variable<std::array<float, 4>>("c")), (std::array<float, 4>{})) << "nothing was copied";
}

TYPED_TEST_P(KernelVariables, AreNotCopiedInACaptureAndSeenByGraphs) {
  const mylos::CudaKernel kernel = this->reads();
  const auto refusal = [](const auto& work) {
    return thrown<mylos::LaunchError>([&] { static_cast<void>(mylos::CudaGraph::capture(mylos::Device(), work)); });
  };
  EXPECT_TRUE(contains(refusal([&] { kernel.set_variable("c", std::array<float, 4>{}); }), {"'c'", "'reads'"}));
  EXPECT_TRUE(contains(refusal([&] { static_cast<void>(kernel.variable<double>("physics::scale")); }),
                       {"'physics::scale'", "'reads'"}));
  const typename TestFixture::Results out("out", 4);
  const auto graph = mylos::CudaGraph::capture(mylos::Device(), [&] { this->launch(kernel, out); });
  for (const float value : {1.0F, 2.0F}) {
    kernel.set_variable("c", std::array{value, value, value, value});
    graph.launch();
    EXPECT_EQ(elements(out), std::vector<double>(4, value));
  }
}

TYPED_TEST_P(KernelVariables, AreCountedAsCopies) {
  const mylos::CudaKernel kernel = this->reads();
  const mylos::CopyCounter counter;
  const CopyLabelListener labels;
  kernel.set_variable("c", std::array<float, 4>{});
  EXPECT_EQ(counter.counts(), (mylos::CopyCounts{.to_device = 1, .bytes_to_device = 16}));
  static_cast<void>(kernel.variable<double>("physics::scale"));
  EXPECT_EQ(counter.counts(),
            (mylos::CopyCounts{.to_host = 1, .to_device = 1, .sync = 1, .bytes_to_host = 8, .bytes_to_device = 16}));
  EXPECT_EQ(labels.heard(), (std::vector<std::string>{" -> c", "physics::scale -> "}));
}

REGISTER_TYPED_TEST_SUITE_P(KernelVariables, AreSetBetweenLaunches, AreSetInOrderWithLaunches,
                            PersistFromLaunchToLaunch, OfOneNameInTwoTextsAreTwo, MayBeStructs,
                            ThatAreMissingAreToldWithThoseThatAreThere, OfAnotherSizeAreRefused,
                            AreNotCopiedInACaptureAndSeenByGraphs, AreCountedAsCopies);

}  // namespace mylos_test
