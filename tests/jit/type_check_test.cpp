// SPDX-License-Identifier: MIT
// What was read of a kernel's text against what a compiler finds.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/jit/signature.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::ParameterLayout;
using mylos::TypeClass;

constexpr ParameterLayout number(TypeClass type, std::uint32_t size) {
  return {.size = size, .alignment = size, .type = type};
}
constexpr ParameterLayout elements(TypeClass holder, const ParameterLayout& element, bool is_const, int rank = 0) {
  return {.size = 8,
          .alignment = 8,
          .element_size = element.size,
          .element_alignment = element.alignment,
          .type = holder,
          .element_type = element.type,
          .element_is_const = is_const,
          .rank = rank};
}
constexpr ParameterLayout pointer(const ParameterLayout& element, bool is_const = false) {
  return elements(TypeClass::pointer, element, is_const);
}

constexpr ParameterLayout int32 = number(TypeClass::signed_integer, 4), int64 = number(TypeClass::signed_integer, 8),
                          float64 = number(TypeClass::floating, 8), float32 = number(TypeClass::floating, 4),
                          structure = number(TypeClass::other, 24);

/// The refusal of a kernel with these parameters, for which a compiler finds that; empty where there is none.
std::string refusal(const std::string& parameters, const std::vector<ParameterLayout>& found) {
  const auto signature = mylos::jit::parse_signature("__global__ void k(" + parameters + ") {}", "k");
  try {
    mylos::jit::confirm_types(signature, found);
    return {};
  } catch (const mylos::SignatureError& error) {
    return error.what();
  }
}

TEST(ConfirmTypes, AcceptsWhatWasRead) {
  EXPECT_EQ(refusal("double* x, const float* v, int n, std::size_t m, bool b",
                    {pointer(float64), pointer(float32, true), int32, number(TypeClass::unsigned_integer, 8),
                     number(TypeClass::boolean, 1)}),
            "");
  EXPECT_EQ(
      refusal("mylos::Array<const double, 2> a, mylos::ContiguousArray<int, 1> b",
              {elements(TypeClass::array, float64, true, 2), elements(TypeClass::contiguous_array, int32, false, 1)}),
      "");
  EXPECT_EQ(refusal("double** x, app::Cell c, const app::Cell* p",
                    {pointer(pointer(float64)), structure, pointer(structure, true)}),
            "");
  EXPECT_EQ(refusal("double* const* x, const double* const y[]",
                    {pointer(pointer(float64), true), pointer(pointer(float64, true), true)}),
            "");
  EXPECT_EQ(refusal("int n", {}), "") << "nothing is told";
}

TEST(ConfirmTypes, NamesThatOnlyACompilerKnowsMayMeanAnything) {
  EXPECT_EQ(refusal("real_t x, real_t* y, mylos::Array<real_t, 1> z",
                    {float64, pointer(float64), elements(TypeClass::array, float64, false, 1)}),
            "");
  EXPECT_EQ(refusal("constant_real* y", {pointer(float64, true)}), "");
}

TEST(ConfirmTypes, NamesTheParameterThatIsAnother) {
  EXPECT_TRUE(contains(refusal("double* x, index_type n", {pointer(float64), int32}),
                       {"kernel 'k'", "parameter 2", "'index_type n'", "read as long long n",
                        "a signed integer of 4 bytes", "write the type out"}));
  EXPECT_TRUE(contains(refusal("double x", {float32}), {"a floating-point number of 4 bytes"}));
  EXPECT_TRUE(contains(refusal("double* x", {pointer(float32)}), {"a pointer to a floating-point number of 4 bytes"}));
  EXPECT_TRUE(
      contains(refusal("double* x", {pointer(float64, true)}), {"a pointer to const, a floating-point number"}));
  EXPECT_TRUE(
      contains(refusal("const Cell* x", {pointer(structure)}), {"a pointer to a class or enumeration of 24 bytes"}));
  EXPECT_TRUE(contains(refusal("unsigned n", {int32}), {"read as unsigned int n", "a signed integer of 4 bytes"}));
  EXPECT_TRUE(contains(refusal("REAL_POINTER x", {pointer(float64)}), {"'REAL_POINTER x'", "a pointer to"}));
  EXPECT_TRUE(contains(refusal("mylos::Array<double, 2> a", {elements(TypeClass::array, float64, false, 3)}),
                       {"a mylos::Array of rank 3 to a floating-point number"}));
  EXPECT_TRUE(contains(refusal("Array<double, 2> a", {structure}), {"a class or enumeration of 24 bytes"}));
  EXPECT_TRUE(contains(refusal("mylos::ContiguousArray<double, 1> a", {elements(TypeClass::array, float64, false, 1)}),
                       {"a mylos::Array of rank 1"}));
}

TEST(ConfirmTypes, CountsParameters) {
  EXPECT_TRUE(contains(refusal("ARGUMENTS", {pointer(float64), int32}),
                       {"k(ARGUMENTS)", "finds 2", "macro", "write them out"}));
}

}  // namespace
}  // namespace mylos_test
