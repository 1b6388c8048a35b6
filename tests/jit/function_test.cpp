// SPDX-License-Identifier: MIT
#include <mylos/jit/function.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::ParameterKind;
using mylos::jit::FunctionDeclaration;
using mylos::jit::FunctionParameter;
using mylos::jit::parse_function;

// "type name" of each parameter, "&" where it may be written, and its kind where it is no value.
std::vector<std::string> parameters_of(std::string_view declaration) {
  std::vector<std::string> all;
  for (const FunctionParameter& parameter : parse_function(declaration).parameters) {
    const char* const kind = parameter.kind == ParameterKind::pointer ? "*"
                             : parameter.kind == ParameterKind::value ? ""
                                                                      : "[]";
    all.push_back(parameter.type + kind + (parameter.may_be_written ? "& " : " ") + parameter.name);
  }
  return all;
}

using Texts = std::vector<std::string>;

TEST(ParseFunction, ReadsResultNameAndParameters) {
  const FunctionDeclaration f = parse_function("double f(const double* t, int p, double x)");
  EXPECT_EQ(f.result, "double");
  EXPECT_EQ(f.name, "f");
  EXPECT_EQ(parameters_of("double f(const double* t, int p, double x)"), (Texts{"double* t", "int p", "double x"}));
  EXPECT_EQ(f.parameters[0].declaration, "const double* t");
}

TEST(ParseFunction, NamesHaveNamespacesAndTemplateArguments) {
  EXPECT_EQ(parse_function("float app::math::half(float x);").name, "app::math::half");
  const FunctionDeclaration f = parse_function("const app::Cell& app::at<3, app::Box<int>>(int i)");
  EXPECT_EQ(f.name, "app::at<3, app::Box<int>>");
  EXPECT_EQ(f.plain_name(), "at");
  EXPECT_EQ(f.result, "app::Cell");
}

TEST(ParseFunction, WordsThatDoNotMatterMayStandBefore) {
  for (const char* words : {"__device__ inline ", "[[nodiscard]] MYLOS_FUNCTION constexpr ", "extern \"C\" __device__ ",
                            "static __forceinline__ __host__ __device__ /* a comment */ ", "KOKKOS_INLINE_FUNCTION "}) {
    const FunctionDeclaration f = parse_function(words + std::string("unsigned long long f()"));
    EXPECT_EQ(f.result, "unsigned long long") << words;
    EXPECT_EQ(f.name, "f") << words;
  }
}

TEST(ParseFunction, MayReturnNothingAndTakeNothing) {
  EXPECT_FALSE(parse_function("void f(void)").returns_something());
  EXPECT_TRUE(parse_function("int f()").returns_something());
  EXPECT_EQ(parameters_of("void f(void)"), Texts{});
  EXPECT_EQ(parameters_of("void f()"), Texts{});
  EXPECT_EQ(parse_function("const double* f()").result, "double*");
}

TEST(ParseFunction, ReferencesAndPointersTellWhetherTheyAreWritten) {
  EXPECT_EQ(parameters_of("void f(const app::Cell& a, app::Cell& b, app::Cell c, double const& d, double&& e)"),
            (Texts{"app::Cell a", "app::Cell& b", "app::Cell c", "double d", "double e"}));
  EXPECT_EQ(parameters_of("void f(double* a, const double* __restrict__ b, double c[3], const double d[], double** e)"),
            (Texts{"double*& a", "double* b", "double*& c", "double* d", "double**& e"}));
  EXPECT_EQ(parameters_of("void f(mylos::Array<const double, 2> a, const mylos::Array<float, 1>& b)"),
            (Texts{"mylos::Array<const double, 2>[] a", "mylos::Array<float, 1>[]& b"}));
}

TEST(ParseFunction, TypesStayAsTheyAreWritten) {
  EXPECT_EQ(parameters_of("void f(std::int64_t& n, const struct Cell c, unsigned char, const volatile real_t x = 1)"),
            (Texts{"std::int64_t& n", "Cell c", "unsigned char ", "real_t x"}));
}

TEST(ParseFunction, RefusesWhatIsNone) {
  const auto refusal = [](const char* text) {
    return thrown<mylos::SignatureError>([&] { static_cast<void>(parse_function(text)); });
  };
  EXPECT_TRUE(contains(refusal("double f"), {"'double f'", "no parameters in parentheses", "double f(const double*"}));
  EXPECT_TRUE(contains(refusal("double f(double x"), {"not closed"}));
  EXPECT_TRUE(contains(refusal("f(double x)"), {"type of its result"}));
  EXPECT_TRUE(contains(refusal("auto f(double x)"), {"type of its result"}));
  EXPECT_TRUE(contains(refusal("double (double x)"), {"type of its result"}));
  EXPECT_TRUE(contains(refusal(""), {"no parameters"}));
  EXPECT_TRUE(contains(refusal("double f(double (*g)(double), double x)"), {"'double (*g)(double)'"}));
  EXPECT_TRUE(contains(refusal("double f(double (&a)[3])"), {"'double (&a)[3]'"}));
  EXPECT_TRUE(contains(refusal("int printf(const char* format, ...)"), {"'...'"}));
}

}  // namespace
}  // namespace mylos_test
