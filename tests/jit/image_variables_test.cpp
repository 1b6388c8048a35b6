// SPDX-License-Identifier: MIT
// What NVRTC's images tell of the variables of a kernel's text.
#include "jit/image_variables.hpp"

#include <elf.h>

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/jit/compiler.hpp>

#include "support/contains.hpp"
#include "support/nvrtc_test.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::jit::detail::variables_in;
using Names = std::vector<std::string>;

constexpr const char* text_with_variables = R"(
__constant__ float c[4];
__device__ double table[2][3] = {{1, 2, 3}, {4, 5, 6}};
static __constant__ double level = 1;
extern "C" { __device__ int plain; }
namespace physics {
__device__ int launches = 10;
namespace deep { static __constant__ short scale = 7; }
namespace { __device__ int hidden; }
}
extern "C" __global__ void k(double* x) {
  static __device__ int local;
  x[threadIdx.x] = c[threadIdx.x] * level * physics::deep::scale + table[1][threadIdx.x] + plain + physics::hidden;
  x[0] += ++physics::launches + ++local;
})";

std::map<std::string, std::string, std::less<>> variables_for(const std::string& architecture) {
  return variables_in(mylos::jit::NvrtcCompiler()
                          .compile({.text = text_with_variables, .name = "k", .architecture = architecture})
                          .image);
}

class ImageVariables : public NvrtcTest<> {};

TEST_F(ImageVariables, AreThoseOfTheText) {
  for (const char* architecture : {"sm_90", "compute_80"}) {
    const auto variables = variables_for(architecture);
    Names names;
    for (const auto& [name, symbol] : variables) names.push_back(name);
    EXPECT_EQ(names, (Names{"c", "level", "physics::deep::scale", "physics::launches", "plain", "table"}))
        << architecture;
    EXPECT_EQ(variables.at("c"), "c");
    EXPECT_EQ(variables.at("physics::launches"), "_ZN7physics8launchesE");
  }
}

TEST(ImageVariablesOfPtx, AreReadFromItsDeclarations) {
  const auto variables = variables_in(
      ".version 9.0\n.target sm_80\n.visible .global .align 4 .u32 _ZN1a1bE;\n"
      ".const .align 4 .b8 c[16] = {1, 0, 0};\n.global .align 4 .u32 d = 10;\n.extern .func vprintf\n{\n"
      "\t.global .align 4 .u32 inner;\n\tld.global.u32 %r1, [d];\n}\n.const .align 8 .f64 last;");
  EXPECT_EQ(variables, (std::map<std::string, std::string, std::less<>>{
                           {"a::b", "_ZN1a1bE"}, {"c", "c"}, {"d", "d"}, {"last", "last"}}));
  EXPECT_TRUE(variables_in("").empty());
}

TEST(ImageVariablesOfDamage, AreAnError) {
  const std::string no_file = std::string(ELFMAG) + " and nothing more";
  EXPECT_TRUE(contains(thrown<mylos::Error>([&] { static_cast<void>(variables_in(no_file)); }), {"compiled kernel"}));
}

}  // namespace
}  // namespace mylos_test
