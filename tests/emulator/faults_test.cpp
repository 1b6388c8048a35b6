// SPDX-License-Identifier: MIT
// What is told of kernels that go wrong: where, and of which View.
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/options.hpp>

#include "emulator/support.hpp"

namespace mylos_test {
namespace {

using emulator::Kind;
using ::testing::AllOf;
using ::testing::HasSubstr;

emulator::Finding finding_of(const emulator::Source& source, const emulator::LaunchShape& shape, auto... arguments) {
  const auto program = emulator::compile(source);
  const auto error = error_of<mylos::EmulationError>([&] { run(*program, shape, arguments...); });
  if (!error) return {};
  const emulator::Finding& finding = error->findings().at(0);
  EXPECT_THAT(error->what(), AllOf(HasSubstr("kernel '" + source.name + "'"), HasSubstr(finding.text)));
  EXPECT_EQ(finding.kernel, source.name);
  return finding;
}

// Loops over threads are vectorised: their block is known, and the line.
TEST(Faults, OfLoopsNameBlockAndLine) {
  struct Case {
    const char* name;
    const char* statement;
    Kind kind;
    bool same_for_all_threads = false;
  };
  for (const Case& c : {Case{"divides", "if (i == 37) out[i] = 5 /\n zero;", Kind::arithmetic},
                        Case{"null", "*static_cast<int*>(nullptr) = 1;", Kind::crash, true},
                        Case{"reads_null", "out[i] = *static_cast<int*>(nullptr);", Kind::crash, true},
                        Case{"far", "if (i == 37) out[1l << 34] = 1;", Kind::crash}}) {
    const std::string text = "__global__ void " + std::string(c.name) +
                             "(int* out, int zero) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  " +
                             c.statement + "\n}\n";
    const DeviceArray<int> out(64);
    const auto finding =
        finding_of({.text = text, .name = c.name}, {.grid = {2, 1, 1}, .block = {32, 1, 1}}, out.data(), 0);
    ASSERT_EQ(finding.sites.size(), 1U) << c.name;
    EXPECT_EQ(finding.kind, c.kind) << c.name;
    EXPECT_TRUE(finding.sites[0].block.given()) << c.name;
    if (std::string(c.statement).find("37") != std::string::npos) {
      EXPECT_EQ(finding.sites[0].block.x, 1) << c.name;
    }
    if (!c.same_for_all_threads) {  // the compiler takes those out of the loop, and their line is gone
      EXPECT_EQ(finding.sites[0].file, std::string(c.name) + ".cu");
      EXPECT_EQ(finding.sites[0].line, 3) << c.name;
    }
  }
}

TEST(Faults, BadIndicesOfArraysNameViewAxisExtentAndLine) {
  constexpr const char* text = R"(#include <mylos/device/array.hpp>
__device__ double& at(const mylos::Array<double, 2>& a, long j) {
  return a(0, j);
}
extern "C" __global__ void fill(int n, mylos::Array<double, 2> a) {
  if (threadIdx.x == 2) {
    at(a, n) = 1;
  }
}
extern "C" __global__ void flat(mylos::ContiguousArray<double, 2> a, int n) { a[n] = 1; })";
  struct Matrix {
    double* data;
    std::int64_t extents[2], strides[2];
  };
  const auto size = std::size_t{12};
  auto* const data = static_cast<double*>(emulator::allocate(size * sizeof(double), "temperature"));
  const Matrix matrix{data, {3, 4}, {4, 1}};
  const std::vector<std::string> options = {"-DMYLOS_DEBUG"};
  const auto fill = finding_of({.text = text, .name = "fill", .file = "my fill.cu", .options = options},
                               {.block = {4, 1, 1}}, 4, matrix);
  EXPECT_EQ(fill.kind, Kind::memory);
  EXPECT_EQ(fill.label, "temperature");
  EXPECT_EQ(fill.index, std::vector<std::int64_t>{4});
  EXPECT_THAT(fill.text, HasSubstr("index 4 on axis 1 is outside of the extent 4 of View 'temperature' (argument 2)"));
  ASSERT_EQ(fill.sites.size(), 1U);
  EXPECT_EQ(fill.sites[0].thread.x, 2);
  EXPECT_EQ(fill.sites[0].file, "my fill.cu");
  EXPECT_EQ(fill.sites[0].line, 3);
  const auto flat = finding_of({.text = text, .name = "flat", .options = options}, {}, matrix, -1);
  EXPECT_THAT(flat.text, HasSubstr("index -1 is outside of the extent 12 of View 'temperature' (argument 1)"));
  emulator::deallocate(data);
}

constexpr const char* shared_text = R"(extern __shared__ double s[];
extern "C" __global__ void fibers(int writes, int block) {
  __syncthreads();
  if (blockIdx.x == block && threadIdx.x == 0) for (int i = 0; i < writes; ++i) s[i] = 1;
  __syncthreads();
}
extern "C" __global__ void loop(int writes, int block) {
  if (blockIdx.x == block && threadIdx.x == 0) for (int i = 0; i < writes; ++i) s[i] = 1;
})";

class SharedEnd : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Faults, SharedEnd, ::testing::Values("fibers", "loop"));

TEST_P(SharedEnd, WritesBehindItAreFound) {
  const emulator::Source source{.text = shared_text, .name = GetParam()};
  const bool loop = source.name == "loop";
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{200}, emulator::max_shared_bytes}) {
    const int fits = static_cast<int>(bytes / sizeof(double));
    const emulator::LaunchShape shape{.grid = {4, 1, 1}, .block = {2, 1, 1}, .shared_bytes = bytes};
    const emulator::ScopedOptions one = emulator::with({.threads = 1});
    EXPECT_NO_THROW(run(*emulator::compile(source), shape, fits, 1)) << bytes;
    const auto finding = finding_of(source, shape, fits + 1, 1);
    EXPECT_EQ(finding.kind, Kind::memory);
    EXPECT_THAT(finding.text, AllOf(HasSubstr("byte 0 behind the " + std::to_string(bytes) + " bytes"),
                                    HasSubstr("Launch::shared_bytes")));
    if (!loop) {
      EXPECT_EQ(finding.sites.at(0).block.x, 1);
    }
    EXPECT_NO_THROW(run(*emulator::compile(source), shape, fits, 1)) << "after the failure, with " << bytes;
  }
}

}  // namespace
}  // namespace mylos_test
