// SPDX-License-Identifier: MIT
#include <mylos/jit/headers.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/files.hpp>
#include <mylos/jit/compiler.hpp>

#include "support/nvrtc_test.hpp"

namespace mylos_test {
namespace {

namespace fs = std::filesystem;
using mylos::NamedText;

TEST(DeviceHeaders, AreTheFilesOfTheFolder) {
  const fs::path include = fs::path(MYLOS_SOURCE_FOLDER) / "include";
  std::set<std::string> expected = {"mylos/device.hpp"};
  for (const auto& entry : fs::directory_iterator(include / "mylos/device")) {
    expected.insert("mylos/device/" + entry.path().filename().string());
  }
  std::set<std::string> names;
  for (const NamedText& header : mylos::jit::device_headers()) {
    names.emplace(header.name);
    EXPECT_EQ(header.text, mylos::read_file(include / header.name)) << header.name;
    EXPECT_EQ(*(header.text.data() + header.text.size()), '\0') << header.name;
  }
  EXPECT_EQ(names, expected);
}

TEST(StandardHeaders, HaveTheirNames) {
  const auto has = [](std::string_view name) {
    return std::ranges::any_of(mylos::jit::standard_headers(), [&](const NamedText& h) { return h.name == name; });
  };
  for (const char* name : {"cstdint", "stdint.h", "cstddef", "climits", "limits.h", "limits", "cmath", "math.h",
                           "cassert", "type_traits"}) {
    EXPECT_TRUE(has(name)) << name;
  }
  EXPECT_FALSE(has("vector"));
}

TEST(NvrtcHeaders, AreBothKinds) {
  EXPECT_EQ(mylos::jit::nvrtc_headers().size(),
            mylos::jit::device_headers().size() + mylos::jit::standard_headers().size());
}

class StandardHeadersUnderNvrtc : public NvrtcTest<::testing::TestWithParam<std::string>> {
 protected:
  // Without any folder to search, and with warnings as failures.
  static void expect_compiles(const std::string& text) {
    const auto result = mylos::cuda::Nvrtc::require().compile({.text = text,
                                                               .file_name = "headers.cu",
                                                               .options = {"-arch=compute_80", "-std=" + GetParam()},
                                                               .headers = mylos::jit::nvrtc_headers(),
                                                               .name_expressions = {}});
    EXPECT_TRUE(result.compiled) << text;
    EXPECT_EQ(result.log, "") << text;
  }
};

TEST(DeviceHeaders, MacrosOfOptionsAreNotSeenInside) {
  const std::vector<std::string> options = {"-DA=1",          "-std=c++17", "--define-macro=B(x)=x", "-D", "C", "-DE",
                                            "--define-macro", "F=2",        "-DMYLOS_DEBUG",         "-IG"};
  const auto macros =
      mylos::jit::unchanged_by("#  define E 3\n#undef C\n#define AB\n", {}, {}, mylos::jit::defined_macros(options));
  std::vector<std::string> definitions;
  for (const auto& macro : macros) definitions.push_back(macro.name + ": " + macro.definition);
  EXPECT_EQ(definitions, (std::vector<std::string>{"A: A 1", "B: B(x) x", "F: F 2"}));
  const auto left = [](std::string_view text, std::span<const NamedText> included = {}) {
    return mylos::jit::unchanged_by(text, {.own = "/", .further = {}}, included, {{"N", "N 2"}}).size();
  };
  EXPECT_EQ(left("#ifndef N\n#define N 8\n#endif\n"), 1U) << "a default";
  EXPECT_EQ(left("#if !defined(N)\n#  define N 8\n#endif\n"), 1U);
  EXPECT_EQ(left("#ifndef N\n#define N 8\n#endif\n#undef N\n"), 0U);
  EXPECT_EQ(left("#ifndef NN\n#define N 8\n#endif\n"), 0U);
  EXPECT_EQ(left("#include \"a.hpp\"\n", std::vector<NamedText>{{"/a.hpp", "#undef N\n#define N 5\n"}}), 0U);
  const NamedText header{"mylos/a.hpp", "int A;"};
  EXPECT_EQ(mylos::jit::without_macros(header, {}), "int A;");
  EXPECT_EQ(mylos::jit::without_macros(header, std::span(macros).first(1)),
            "#ifdef A\n#define MYLOS_WITHOUT_A_IN_mylos_a_hpp\n#undef A\n#endif\n#line 1\nint A;\n"
            "#ifdef MYLOS_WITHOUT_A_IN_mylos_a_hpp\n#undef MYLOS_WITHOUT_A_IN_mylos_a_hpp\n#define A 1\n#endif\n");
}

TEST(DefinedMacros, CountAsTheLastOptionSays) {
  const auto macros = [](const std::vector<std::string>& options) {
    std::vector<std::string> definitions;
    for (const auto& macro : mylos::jit::defined_macros(options)) definitions.push_back(macro.definition);
    return definitions;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(macros({"-DW=3", "-DV", "--define-macro=W=4"}), (Texts{"V 1", "W 4"}));
  EXPECT_EQ(macros({"-DW=3", "-UW"}), Texts{});
  EXPECT_EQ(macros({"-D", "W=3", "--undefine-macro", "W", "-DW=5"}), Texts{"W 5"});
  EXPECT_EQ(macros({"-UW", "-DW=6", "-DWW=7"}), (Texts{"W 6", "WW 7"}));
}

class DeviceHeadersUnderNvrtc : public NvrtcTest<> {};

TEST_F(DeviceHeadersUnderNvrtc, LeaveMacrosOfOptionsAsTheyWere) {
  const std::string text = R"(
#include <mylos/device/array.hpp>
#include <cstdint>
static_assert(T(5) == 7 && rank == 1 && extents_ == 3, "as the options say");
#include <mylos/device/reduce.hpp>
extern "C" __global__ void k(mylos::Array<double, 1> x) { x(0) = T(5) + extents_; }
)";
  const std::vector<std::string> options = {"-DT(x)=x+2", "-Drank", "-Dextents_=3", "-Dindex=("};
  EXPECT_NO_THROW(static_cast<void>(
      mylos::jit::NvrtcCompiler().compile({.text = text, .name = "k", .architecture = "sm_90", .options = options})));
}

TEST_F(DeviceHeadersUnderNvrtc, DefaultsOfMacrosThatOptionsDefineDoNotReachInside) {
  const std::string text = R"(
#ifndef R
#define R 8
#endif
#ifndef A
#define A 8
#endif
#include <mylos/device/array.hpp>
static_assert(R == 2 && A == 3, "as the options say");
extern "C" __global__ void k(mylos::Array<double, R> x) { x(0, 0) = A; }
)";
  const std::vector<std::string> options = {"-DR=2", "-DA=3"};
  EXPECT_NO_THROW(static_cast<void>(
      mylos::jit::NvrtcCompiler().compile({.text = text, .name = "k", .architecture = "sm_90", .options = options})));
}

TEST_P(StandardHeadersUnderNvrtc, CompileTogetherForwardsBackwardsAndTwice) {
  const auto headers = mylos::jit::nvrtc_headers();
  std::string forwards;
  std::string backwards;
  for (const NamedText& header : headers) {
    const std::string line = "#include <" + std::string(header.name) + ">\n";
    forwards += line;
    backwards.insert(0, line);
  }
  expect_compiles(forwards + backwards);
  expect_compiles(backwards);
}

TEST_P(StandardHeadersUnderNvrtc, EveryOneCompilesAlone) {
  for (const NamedText& header : mylos::jit::standard_headers()) {
    expect_compiles("#include <" + std::string(header.name) + ">\n");
  }
}

TEST_P(StandardHeadersUnderNvrtc, SayWhatTheHostSays) {
  expect_compiles(R"(
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
static_assert(sizeof(int64_t) == 8 && sizeof(std::uintptr_t) == sizeof(void*) && sizeof(std::size_t) == 8);
static_assert(LONG_MAX == std::numeric_limits<long>::max() && LONG_MAX == INT64_MAX && SIZE_MAX == ~std::size_t(0));
static_assert(LONG_MIN == std::numeric_limits<std::int64_t>::min() && UINT32_MAX == 4294967295u && CHAR_BIT == 8);
static_assert(std::numeric_limits<int>::digits == 31 && std::numeric_limits<int>::digits10 == 9);
static_assert(std::numeric_limits<unsigned>::digits == 32 && !std::numeric_limits<unsigned>::is_signed);
static_assert(std::numeric_limits<bool>::max() && !std::numeric_limits<bool>::is_signed);
static_assert(std::numeric_limits<double>::epsilon() == 0x1p-52 && std::numeric_limits<float>::max() == 0x1.fffffep127f);
static_assert(std::numeric_limits<double>::infinity() > std::numeric_limits<double>::max());
static_assert(std::numeric_limits<float>::quiet_NaN() != std::numeric_limits<float>::quiet_NaN());
static_assert(std::numeric_limits<double>::min() == 0x1p-1022 && std::numeric_limits<double>::denorm_min() == 0x1p-1074);
static_assert(std::is_same_v<std::remove_cvref_t<const volatile int&>, int> && std::is_floating_point_v<const double>);
static_assert(std::is_integral_v<bool> && !std::is_integral_v<float> && std::is_pointer_v<int* const>);
extern "C" __global__ void use(double* x, float* f, const char* bytes) {
  assert(x != nullptr && "message, with a comma");
  x[0] = std::sqrt(x[1]) + std::abs(x[2]) + std::pow(x[3], 2.0) + std::fma(x[0], x[1], M_PI);
  f[0] = std::exp(f[1]) + std::isnan(f[2]) + std::atan2(f[3], f[4]);
  std::memcpy(f + 8, bytes, 16);
}
)");
}

INSTANTIATE_TEST_SUITE_P(Dialects, StandardHeadersUnderNvrtc, ::testing::Values("c++17", "c++20"),
                         [](const auto& instance) { return instance.param == "c++17" ? "cxx17" : "cxx20"; });

}  // namespace
}  // namespace mylos_test
