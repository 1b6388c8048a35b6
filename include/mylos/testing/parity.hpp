// SPDX-License-Identifier: MIT
// Parity tests of a whole catalog: one GoogleTest case per kernel.
#pragma once

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <system_error>

#include <gtest/gtest.h>

#include <mylos/base/abi.hpp>
#include <mylos/kernel/catalog.hpp>

namespace mylos::inline MYLOS_ABI::testing {

/// Adds one test per kernel of the catalog: it compares functor and port on the inputs of the kernel's parity file, for
/// seeds 1 to 3 up to the first that differs, and is skipped, with the name of the missing file, where there is no port
/// or no parity file. Called before RUN_ALL_TESTS(); MYLOS_PARITY_TESTS does it.
void add_parity_tests(const KernelCatalog& catalog, const char* file, int line);

namespace detail {

struct ParityTests {
  ParityTests(const KernelCatalog& catalog, const char* file, int line) { add_parity_tests(catalog, file, line); }
};

class ParityTest : public ::testing::Test {
 public:
  explicit ParityTest(const KernelInfo& kernel) : kernel_(kernel) {}

  void TestBody() override {
    const std::string stem = (kernel_.folder() / kernel_.name()).string();
    if (!kernel_.has_cuda()) GTEST_SKIP() << "no port: there is no " << stem << ".cu";
    if (!kernel_.parity()) GTEST_SKIP() << why_no_inputs(stem + "_parity.hpp");
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const std::string difference = kernel_.parity()(seed);
      if (difference.empty()) continue;
      ADD_FAILURE_AT((stem + "_parity.hpp").c_str(), 1)
          << difference << "\nrun it alone: --gtest_filter=Parity." << kernel_.name();
      return;  // further seeds would say the same again
    }
  }

 private:
  static std::string why_no_inputs(const std::string& file) {
    std::error_code code;
    if (!std::filesystem::exists(file, code)) return "no inputs: there is no " + file;
    return "no inputs: " + file +
           " is not part of this program: set(MYLOS_TESTING ON) before mylos_add_kernels makes one "
           "of it and of the others";
  }

  const KernelInfo& kernel_;
};

}  // namespace detail

inline void add_parity_tests(const KernelCatalog& catalog, const char* file, int line) {
  for (const std::string& name : catalog.names()) {
    ::testing::RegisterTest("Parity", name.c_str(), nullptr, nullptr, file, line,
                            [&kernel = catalog[name]] { return new detail::ParityTest(kernel); });
  }
}

}  // namespace mylos::inline MYLOS_ABI::testing

/// Once per program, at namespace scope: `MYLOS_PARITY_TESTS(app::kernels::catalog());`
#define MYLOS_PARITY_TESTS(catalog) \
  static const ::mylos::testing::detail::ParityTests mylos_parity_tests((catalog), __FILE__, __LINE__)
