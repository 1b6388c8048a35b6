// SPDX-License-Identifier: MIT
#include <mylos/kernel/catalog.hpp>

#include <filesystem>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <test_kernels.hpp>

#include <mylos/base/error.hpp>
#include <mylos/core/backend.hpp>

#include "kernel/own_process.hpp"
#include "kernel/random_views.hpp"
#include "support/contains.hpp"
#include "support/random_seed.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using Names = std::vector<std::string>;

static_assert(std::is_same_v<decltype(test_kernels::tally), const mylos::Kernel<test_kernels::host::tally>>);

TEST(Catalog, HoldsTheKernelsOfTheFolder) {
  const mylos::KernelCatalog& catalog = test_kernels::catalog();
  EXPECT_EQ(catalog.names(), (Names{"axpy", "scale", "tally"}));
  EXPECT_EQ(catalog.with_cuda(), (Names{"axpy", "scale"}));
  EXPECT_EQ(catalog.without_cuda(), Names{"tally"});
  EXPECT_EQ(catalog.summary(), "CUDA ports: 2 of 3 kernels (missing: tally)");
  EXPECT_EQ(&catalog, &test_kernels::catalog());
}

TEST(Catalog, AKernelsInfo) {
  const mylos::KernelInfo& axpy = test_kernels::catalog()["axpy"];
  EXPECT_EQ(axpy.name(), "axpy");
  EXPECT_TRUE(axpy.has_cuda());
  EXPECT_EQ(axpy.folder().filename(), "axpy");
  EXPECT_EQ(axpy.cuda().file().filename(), "axpy.cu");
  EXPECT_EQ(axpy.signature().parameters.size(), 4);
  EXPECT_EQ(axpy.signature().parameters[2].name, "x");
  EXPECT_EQ(axpy.implementations(), (Names{"kokkos", "serial", "port_on_host", "reversed", "cuda", "emulated"}));
}

TEST(Catalog, APortsHeadersAreNamedAsTheyWere) {
  const mylos::KernelInfo& scale = test_kernels::catalog()["scale"];
  EXPECT_EQ(scale.cuda().included_headers(),
            std::vector<std::filesystem::path>{scale.folder() / "scale_arguments.hpp"});
}

TEST(Catalog, DISABLED_TheCallersBackendIsCompiledFor) {
  const mylos::ScopedBackend scope(mylos::Backend::emulated);
  EXPECT_EQ(test_kernels::catalog().compile_all({.jobs = 4}), 2);
  end_alone();
}

TEST(Catalog, CompilingForADeviceAsksTheCallersSettings) {
  // What the process says cannot be had, where there is no GPU: only the scope of the calling thread can help.
  EXPECT_EQ(run_alone("Catalog.DISABLED_TheCallersBackendIsCompiledFor", "MYLOS_BACKEND", "cuda"), passed_alone);
}

TEST(Catalog, AMissingNameListsTheOthers) {
  const std::string text = thrown<mylos::LookupError>([] { static_cast<void>(test_kernels::catalog()["pusch"]); });
  EXPECT_TRUE(contains(text, {"'pusch'", "axpy, scale, tally"}));
  EXPECT_TRUE(contains(thrown<mylos::LookupError>([] { static_cast<void>(test_kernels::catalog()["tally"].cuda()); }),
                       {"kernel 'tally'", "tally/tally.cu"}));
}

TEST(Catalog, TwoKernelsOfOneNameAreRefused) {
  const std::string text = thrown<mylos::ValueError>(
      [] { mylos::KernelCatalog({{&test_kernels::axpy, "a/axpy"}, {&test_kernels::axpy, "b/axpy"}}); });
  EXPECT_TRUE(contains(text, {"'axpy'", "a/axpy"}));
}

template <class Space>
class CatalogOnBothSides : public ::testing::Test {};
using Spaces = ::testing::Types<mylos::HostSpace, mylos::DeviceSpace>;
TYPED_TEST_SUITE(CatalogOnBothSides, Spaces);

TYPED_TEST(CatalogOnBothSides, ItsKernelsAreReadyToBeCalled) {
  std::mt19937_64 random(random_seed());
  const auto x = random_view<TypeParam>("x", 500, random), y = random_view<TypeParam>("y", 500, random);
  std::vector<double> expected = elements(y);
  const std::vector<double> added = elements(x);
  for (std::size_t i = 0; i < 500; ++i) expected[i] += 2 * added[i];
  test_kernels::axpy(500, 2.0, x, y);
  EXPECT_EQ(elements(y), expected);
}

// Struct by value and an Array of either layout.
TYPED_TEST(CatalogOnBothSides, ASharedStructArrives) {
  const auto run = [](auto layout) {
    Kokkos::View<double**, decltype(layout), TypeParam> a("a", 20, 30);
    Kokkos::deep_copy(a, 3.0);
    test_kernels::scale({.threads = {20, 30}}, a,
                        test_kernels::ScaleArguments{.factor = 0.5, .shift = 0.25F, .power = 2});
    const auto host = mylos::to_host(a);
    for (int i = 0; i < 20; ++i) {
      for (int j = 0; j < 30; ++j) ASSERT_EQ(host(i, j), 1.0) << i << ", " << j;
    }
  };
  run(Kokkos::LayoutLeft());
  run(Kokkos::LayoutRight());
}

TEST(Catalog, AFurtherFileIsAnImplementation) {
  const mylos::ScopedHostImplementation reversed("reversed");
  const Kokkos::View<double*, mylos::HostSpace> x("x", 4), y("y", 4);
  const std::int64_t before = test_kernels::host::axpy_reversed::calls;
  test_kernels::axpy(4, 2.0, x, y);
  EXPECT_EQ(test_kernels::host::axpy_reversed::calls - before, 4);
}

TEST(Catalog, SignaturesAndTextsAreChecked) {
  EXPECT_NO_THROW(test_kernels::catalog().check_signatures());
  EXPECT_EQ(test_kernels::catalog().compile_all({.jobs = 2}), 2) << "for the emulated device";
  EXPECT_TRUE(test_kernels::axpy.cuda()->is_compiled());
  EXPECT_EQ(test_kernels::catalog().compile_all({.arch = "sm_90"}), 2) << "by NVRTC";
}

TEST(Catalog, WhatDoesNotCompileIsToldAtTheEnd) {
  const mylos::Kernel good("good", [](std::int64_t) {}, mylos::CudaKernel("__global__ void good() {}", "good"));
  const mylos::Kernel bad("bad", [](std::int64_t) {}, mylos::CudaKernel("__global__ void bad() { oops }", "bad"));
  const mylos::Kernel absent("absent", [](std::int64_t) {}, mylos::CudaKernel("__global__ void other() {}", "absent"));
  const mylos::KernelCatalog catalog({{&good, "good"}, {&bad, "bad"}, {&absent, "absent"}});
  for (const char* architecture : {"", "sm_80"}) {
    const std::string text =
        thrown<mylos::CompileError>([&] { static_cast<void>(catalog.compile_all({.arch = architecture, .jobs = 2})); });
    EXPECT_TRUE(contains(text, {"bad: ", "oops", "absent: "}));
    EXPECT_EQ(text.find("good: "), std::string::npos);
  }
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { catalog.check_signatures(); }), {"absent: ", "other"}));
  EXPECT_TRUE(
      contains(thrown<mylos::ValueError>([&] { static_cast<void>(catalog.compile_all({.jobs = 0})); }), {"jobs"}));
}

}  // namespace
}  // namespace mylos_test
