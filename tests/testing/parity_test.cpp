// SPDX-License-Identifier: MIT
#include <mylos/testing/parity.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <mylos/kernel/kernel.hpp>

namespace mylos_test {
namespace {

const auto nothing = [](std::int64_t /*i*/) {};
const char* const port = "extern \"C\" __global__ void k() {}";

// A catalog of one kernel of each kind; set_parity counts how often a case ran.
struct Catalog {
  mylos::Kernel<decltype(nothing)> with_inputs{"with_inputs", nothing, mylos::CudaKernel(port, "k")};
  mylos::Kernel<decltype(nothing)> without_inputs{"without_inputs", nothing, mylos::CudaKernel(port, "k")};
  mylos::Kernel<decltype(nothing)> without_port{"without_port", nothing};
  mylos::KernelCatalog kernels{{{&with_inputs, "a"}, {&without_inputs, "b"}, {&without_port, "c"}}};
  std::vector<std::uint64_t> seeds;
};

Catalog& catalog() {
  static Catalog kernels;
  static const bool is_set = [] {
    kernels.kernels.set_parity("with_inputs", [](std::uint64_t seed) {
      kernels.seeds.push_back(seed);
      return std::string();
    });
    return true;
  }();
  static_cast<void>(is_set);
  return kernels;
}

MYLOS_PARITY_TESTS(catalog().kernels);

TEST(ParityTests, OneCasePerKernelIsRegistered) {
  std::vector<std::string> names;
  const auto* unit = ::testing::UnitTest::GetInstance();
  for (int s = 0; s < unit->total_test_suite_count(); ++s) {
    const auto* suite = unit->GetTestSuite(s);
    if (std::string(suite->name()) != "Parity") continue;
    for (int t = 0; t < suite->total_test_count(); ++t) names.emplace_back(suite->GetTestInfo(t)->name());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"with_inputs", "without_inputs", "without_port"}));
  EXPECT_EQ(catalog().kernels.parity_cases(), std::vector<std::string>{"with_inputs"});
}

TEST(ParityTests, ACaseRunsWithEverySeedAndReportsDifferences) {
  catalog().seeds.clear();
  mylos::testing::detail::ParityTest(catalog().kernels["with_inputs"]).TestBody();
  EXPECT_EQ(catalog().seeds, (std::vector<std::uint64_t>{1, 2, 3}));

  static mylos::KernelCatalog wrong({{&catalog().with_inputs, "a"}});
  wrong.set_parity("with_inputs", [](std::uint64_t seed) { return seed == 1 ? "" : "they differ"; });
  const auto run = [] { mylos::testing::detail::ParityTest(wrong["with_inputs"]).TestBody(); };
  EXPECT_NONFATAL_FAILURE(run(), "they differ\nrun it alone: --gtest_filter=Parity.with_inputs");

  ::testing::TestPartResultArray failures;
  {
    const ::testing::ScopedFakeTestPartResultReporter reporter(
        ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
    run();
  }
  ASSERT_EQ(failures.size(), 1);
  EXPECT_STREQ(failures.GetTestPartResult(0).file_name(), "a/with_inputs_parity.hpp");
  EXPECT_EQ(std::string(failures.GetTestPartResult(0).message()).find("Value of"), std::string::npos);
}

}  // namespace
}  // namespace mylos_test
