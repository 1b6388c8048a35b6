// SPDX-License-Identifier: MIT
// Random kernels: the emulator, with and without checks, against a plain interpreter of the same kernel.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/emulator/options.hpp>
#include <mylos/jit/compiler.hpp>

#include "emulator/findings.hpp"
#include "emulator/model/emulated_batch.hpp"
#include "emulator/model/kernel_text.hpp"
#include "emulator/model/random_kernel.hpp"
#include "emulator/model/schedule_explorer.hpp"
#include "emulator/model/serial_interpreter.hpp"
#include "emulator/model/trials.hpp"
#include "support/nvrtc_test.hpp"
#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

namespace emulator = mylos::emulator;
using model::Parts;
using model::Shape;

constexpr std::size_t kernels_of_a_batch = 4;

std::vector<model::Kernel> random_kernels(std::uint64_t first_seed, Parts parts, std::size_t count) {
  std::vector<model::Kernel> kernels;
  for (std::size_t i = 0; i < count; ++i) kernels.push_back(model::random_kernel(first_seed + i, parts));
  return kernels;
}

/// Two numbers of which neither is one are equal: their other bits are nobody's promise.
bool same(model::Type type, model::Bits a, model::Bits b) {
  const auto is_nan = [&](model::Bits bits) {
    if (type == model::Type::f32) return std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    return type == model::Type::f64 && std::isnan(std::bit_cast<double>(bits));
  };
  return a == b || (is_nan(a) && is_nan(b));
}

/// The first element that differs; empty when none does.
std::string difference(const model::Kernel& kernel, const model::SerialResult& expected,
                       const model::EmulatedBatch::Result& result) {
  std::size_t number = 0;
  for (const model::Array& array : kernel.arrays) {
    if (array.shared) continue;
    const auto& wanted = expected.arrays[number];
    const auto& found = result.arrays[number++];
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!wanted[i] || same(array.type, *wanted[i], found[i])) continue;
      return array.name + '[' + std::to_string(i) + "] is " + std::to_string(found[i]) + " instead of " +
             std::to_string(*wanted[i]) + " (bits)";
    }
  }
  return {};
}

class RandomKernels : public ::testing::TestWithParam<Parts> {
 protected:
  static std::vector<Shape> shapes() {
    return {{.blocks = 2, .threads = 40, .argument = 1},
            {.blocks = 3, .threads = 96, .argument = 2},
            {.blocks = 1, .threads = 7, .argument = 3}};
  }
};
std::string name_of(const ::testing::TestParamInfo<Parts>& test) {
  constexpr std::array names = {"Arithmetic", "Atomics", "Barriers"};
  return names.at(static_cast<std::size_t>(test.param));
}
INSTANTIATE_TEST_SUITE_P(Differential, RandomKernels,
                         ::testing::Values(Parts::arithmetic, Parts::atomics, Parts::barriers), name_of);

void expect_same(const model::EmulatedBatch& batch, std::size_t number, const Shape& shape) {
  const model::Kernel& kernel = batch.kernels()[number];
  const model::Program program(kernel);
  const auto expected = model::interpret(program, shape);
  ASSERT_FALSE(expected.trouble) << kernel.name << ": " << *expected.trouble;
  for (const bool checked : {false, true}) {
    const auto checks = emulator::with({.checks = checked ? emulator::all_checks() : std::set<emulator::Check>{}});
    const auto result = batch.run(number, shape);
    EXPECT_TRUE(result.findings.empty()) << told(result.findings);
    EXPECT_EQ(difference(kernel, expected, result), "");
    if (::testing::Test::HasFailure()) {
      FAIL() << kernel.name << (checked ? " under checks, " : " without checks, ") << shape.blocks << " blocks of "
             << shape.threads << " threads, p = " << shape.argument << '\n'
             << batch.text();
    }
  }
}

TEST_P(RandomKernels, GiveWhatTheInterpreterGivesAndHaveNoFindings) {
  const std::uint64_t seed = random_seed();
  for (std::size_t i = 0; i < model::trials().batches; ++i) {
    const model::EmulatedBatch batch(random_kernels(seed + i * kernels_of_a_batch, GetParam(), kernels_of_a_batch));
    for (std::size_t number = 0; number < batch.size(); ++number) {
      for (const Shape& shape : shapes()) ASSERT_NO_FATAL_FAILURE(expect_same(batch, number, shape));
    }
  }
}

// What the test above takes for granted: that nothing in these kernels depends on the order of threads.
TEST_P(RandomKernels, HaveOneOutcomeInEveryOrder) {
  const std::uint64_t seed = random_seed();
  for (const model::Kernel& kernel : random_kernels(seed, GetParam(), 4 * model::trials().batches)) {
    const model::Program program(kernel);
    const auto explored = model::explore(program, shapes()[0], {.schedules = 12}, seed);
    ASSERT_FALSE(explored.wrong) << kernel.name << ": " << *explored.wrong << '\n' << text_of(kernel, "kernel");
    ASSERT_FALSE(explored.race) << kernel.name << '\n' << text_of(kernel, "kernel");
  }
}

class RandomKernelsOnGpu : public NvrtcTest<::testing::TestWithParam<Parts>> {};
INSTANTIATE_TEST_SUITE_P(Differential, RandomKernelsOnGpu, ::testing::Values(Parts::atomics, Parts::barriers), name_of);

TEST_P(RandomKernelsOnGpu, Compile) {
  const std::string text = model::text_of(random_kernels(random_seed(), GetParam(), 6));
  EXPECT_NO_THROW(
      static_cast<void>(mylos::jit::NvrtcCompiler().compile({.text = text, .name = "batch", .architecture = "sm_90"})));
}

}  // namespace
}  // namespace mylos_test
