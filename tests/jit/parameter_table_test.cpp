// SPDX-License-Identifier: MIT
// What NVRTC's images tell of a kernel's parameters.
#include "jit/parameter_table.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/jit/compiler.hpp>

#include "support/contains.hpp"
#include "support/nvrtc_test.hpp"
#include "support/random_seed.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::CompiledKernel;
using mylos::ParameterLayout;
using mylos::TypeClass;
using mylos::jit::CompileRequest;
using mylos::jit::detail::parameters_in;

/// "8/8 pointer of const 24/8": the numbers of one parameter.
std::string described(const ParameterLayout& layout) {
  const std::vector<std::string> names = {"other", "bool",    "int",   "unsigned",
                                          "float", "pointer", "array", "contiguous"};
  const auto part = [&](unsigned size, unsigned alignment, TypeClass type) {
    return std::to_string(size) + "/" + std::to_string(alignment) + " " + names[static_cast<std::size_t>(type)];
  };
  std::string text = part(layout.size, layout.alignment, layout.type);
  if (layout.type < TypeClass::pointer) return text;
  if (layout.rank > 0) text += std::to_string(layout.rank);
  return text + (layout.element_is_const ? " of const " : " of ") +
         part(layout.element_size, layout.element_alignment, layout.element_type);
}

using Texts = std::vector<std::string>;

Texts described(const std::vector<ParameterLayout>& layouts) {
  Texts all;
  for (const ParameterLayout& layout : layouts) all.push_back(described(layout));
  return all;
}

CompiledKernel compiled(std::string text, std::string name, std::string architecture = "compute_80") {
  return mylos::jit::NvrtcCompiler().compile(
      {.text = std::move(text), .name = std::move(name), .architecture = std::move(architecture)});
}

Texts parameters_of(const std::string& parameters, const std::string& before = "") {
  return described(compiled(before + "\n__global__ void k(" + parameters + ") {}", "k").parameters);
}

class ParameterTable : public NvrtcTest<> {};

TEST_F(ParameterTable, IsInEveryImage) {
  const std::string text = R"(
#include <mylos/device/array.hpp>
struct Declared;
struct alignas(16) Four { float x[4]; };
struct Three { double x, y, z; };
extern "C" __global__ void k(const Four four, Three* three, const Declared* unknown, void* nothing, char c,
                             mylos::Array<const Four, 2> fours, mylos::ContiguousArray<int, 1> n, const bool b) {})";
  const Texts expected = {
      "16/16 other", "8/8 pointer of 24/8 other",        "8/8 pointer of const 0/0 other", "8/8 pointer of 0/0 other",
      "1/1 int",     "40/8 array2 of const 16/16 other", "24/8 contiguous1 of 4/4 int",    "1/1 bool"};
  for (const char* architecture : {"sm_80", "sm_90", "sm_100", "compute_80", "compute_90"}) {
    EXPECT_EQ(described(compiled(text, "k", architecture).parameters), expected) << architecture;
  }
}

TEST_F(ParameterTable, KnowsTypesByTheirMeaning) {
  EXPECT_EQ(parameters_of("double* __restrict__ x, const float *const __restrict__ y, unsigned long n, std::int16_t h",
                          "#include <cstdint>"),
            (Texts{"8/8 pointer of 8/8 float", "8/8 pointer of const 4/4 float", "8/8 unsigned", "2/2 int"}));
  EXPECT_EQ(parameters_of("real* x, INTEGER n, Box<real> b, double** y, double z[3], volatile int* v",
                          "typedef float real;\n#define INTEGER long long\ntemplate <class T> struct Box { T a, b; };"),
            (Texts{"8/8 pointer of 4/4 float", "8/8 int", "8/4 other", "8/8 pointer of 8/8 pointer",
                   "8/8 pointer of 8/8 float", "8/8 pointer of 4/4 int"}));
  EXPECT_EQ(parameters_of("Color c, void (*f)(int), float4 v", "enum Color { red };"),
            (Texts{"4/4 other", "8/8 pointer of 0/0 other", "16/16 other"}));
  EXPECT_EQ(parameters_of(""), Texts{});
}

TEST_F(ParameterTable, IsOfTheKernelThatIsAskedFor) {
  const std::string text = R"(
#define T 5
#define type enum
#define size (
#define A class
namespace app { template <class X, int n> __global__ void scale(X* x) { *x *= n; } }
namespace app { inline namespace v1 { __global__ void move(double* x, int scale) { *x += scale; } } }
extern "C" { __global__ void k(char move) {} }
// no line break behind)";
  CompileRequest request{.text = text, .name = "scale", .architecture = "compute_80", .instantiate = "scale<short, 3>"};
  for (const char* standard : {"-std=c++11", "-std=c++14", "-std=c++17", "-std=c++20"}) {
    request.options = {standard, "-Dcount=8", "-Dunsigned_type=x", "-Drank"};
    EXPECT_EQ(described(mylos::jit::NvrtcCompiler().compile(request).parameters), Texts{"8/8 pointer of 2/2 int"})
        << standard;
  }
  EXPECT_EQ(described(compiled(text, "move").parameters), (Texts{"8/8 pointer of 8/8 float", "4/4 int"}));
  EXPECT_EQ(described(compiled(text, "k").parameters), Texts{"1/1 int"});
}

TEST_F(ParameterTable, ComesFromTheCacheToo) {
  const std::string text = "extern \"C\" __global__ void kept(double* x, int n) { x[n] = 1; }";
  const CompiledKernel first = compiled(text, "kept", "sm_90"), second = compiled(text, "kept", "sm_90");
  EXPECT_EQ(described(first.parameters), (Texts{"8/8 pointer of 8/8 float", "4/4 int"}));
  EXPECT_EQ(described(second.parameters), described(first.parameters));
}

TEST_F(ParameterTable, TellsWhatTheTextHides) {
  const TemporaryFolder folder;
  mylos::write_file_atomically(folder / "types.hpp", "typedef int index_type;\n#define MORE double* x, int n\n");
  const std::string include = "#include \"types.hpp\"\n";
  const auto refusal = [&](const std::string& text) {
    const std::string whole = include + text;
    const auto kernel = mylos::jit::NvrtcCompiler().compile(
        {.text = whole, .name = "k", .architecture = "compute_80", .include_dirs = {folder.path()}});
    return thrown<mylos::SignatureError>(
        [&] { mylos::jit::confirm_types(mylos::jit::parse_signature(whole, "k"), kernel.parameters); });
  };
  EXPECT_TRUE(contains(refusal("__global__ void k(double* x, index_type n) { x[n] = 1; }"),
                       {"parameter 2", "'index_type n'", "a signed integer of 4 bytes"}));
  EXPECT_TRUE(contains(refusal("__global__ void k(MORE) { x[n] = 1; }"), {"k(MORE)", "finds 2"}));
}

TEST_F(ParameterTable, AKernelThatIsHiddenIsNamed) {
  const std::string text = "#ifdef NEVER\nextern \"C\" __global__ void hidden(int) {}\n#endif\n";
  EXPECT_TRUE(contains(thrown<mylos::CompileError>([&] { compiled(text, "hidden"); }),
                       {"kernel 'hidden'", "parameters of kernel hidden", "has no \"hidden\""}));
}

TEST(ParametersIn, ReadsWhatPtxSays) {
  const std::string head = ".version 8.0\n.global .align 4 .b8 mylos_parameters[";
  EXPECT_EQ(described(parameters_in(head + "36];")), Texts{});
  EXPECT_EQ(described(parameters_in(head + "68] = {1, 0, 0, 0, 4, 0, 0, 0, 4, 0,\n0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4};")),
            Texts{"4/4 float"});
  EXPECT_TRUE(parameters_in(".version 8.0\n.entry k()").empty());
  EXPECT_TRUE(parameters_in("").empty());
  const auto refusal = [&](const std::string& rest) {
    return thrown<mylos::Error>([&] { static_cast<void>(parameters_in(head + rest)); });
  };
  EXPECT_TRUE(contains(refusal("x];"), {"no number"}));
  EXPECT_TRUE(contains(refusal("3] = {1, 2, 3};"), {"no length"}));
  EXPECT_TRUE(contains(refusal("36] = {1, 2, 300};"), {"a byte that is none"}));
  EXPECT_TRUE(contains(refusal("2] = {1, 2, 3};"), {"a byte that is none"}));
  EXPECT_TRUE(contains(refusal("36] = {1, 2"), {"does not end"}));
  EXPECT_TRUE(contains(refusal("36] = {2, 0, 0, 0};"), {"another length"}));
  EXPECT_TRUE(contains(refusal("36] = {255, 255, 255, 255};"), {"another length"}));
  EXPECT_TRUE(contains(refusal("99999999999] = {1};"), {"longer than the text"}));
  EXPECT_TRUE(
      contains(refusal("68] = {1, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9};"), {"unknown class"}));
}

// Damaged images give an error or other numbers, and nothing else happens: see the sanitizers.
TEST_F(ParameterTable, SurvivesDamage) {
  std::mt19937_64 random(random_seed());
  for (const char* architecture : {"sm_90", "compute_80"}) {
    const std::string text = "struct S { double x; int n; }; __global__ void k(double* x, S s) { x[s.n] = s.x; }";
    const std::string image = compiled(text, "k", architecture).image;
    for (int run = 0; run < 2000; ++run) {
      std::string bytes = image;
      for (int flip = 0; flip < 4; ++flip) bytes[random() % bytes.size()] ^= static_cast<char>(1U << random() % 8);
      if (run % 4 == 0) bytes.resize(random() % bytes.size());
      try {
        static_cast<void>(parameters_in(bytes));
        static_cast<void>(mylos::jit::detail::fields_in(bytes));
      } catch (const mylos::Error&) {
      }
    }
  }
}

}  // namespace
}  // namespace mylos_test
