// SPDX-License-Identifier: MIT
// Intrinsics that round in a given direction, compared bit by bit with the processor in that rounding mode.
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "emulator/expressions.hpp"

namespace mylos_test {
namespace {

constexpr std::pair<const char*, int> directions[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"ru", FE_UPWARD}, {"rd", FE_DOWNWARD}};

template <class T>
using bits_of = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

// The operation is between two changes of the mode: its arguments are read, and its result is written, as volatile.
template <class T, class U>
T in_mode(int mode, T (*operation)(U, U, U), U x, U y, U z) {
  volatile U a = x;
  volatile U b = y;
  volatile U c = z;
  std::fesetround(mode);
  volatile T result = operation(a, b, c);
  std::fesetround(FE_TONEAREST);
  return result;
}

// Every kind of number: any exponent, exponents near each other, few digits (ties), the ends of the range, and what is
// no finite number.
template <class T>
std::vector<T> numbers(std::size_t size, unsigned seed) {
  using Limits = std::numeric_limits<T>;
  const std::vector<T> special{0,
                               -T(0),
                               1,
                               -1,
                               3,
                               Limits::min(),
                               -Limits::min(),
                               Limits::denorm_min(),
                               -Limits::denorm_min(),
                               Limits::max(),
                               -Limits::max(),
                               Limits::infinity(),
                               -Limits::infinity(),
                               Limits::quiet_NaN(),
                               1 + Limits::epsilon(),
                               T(0.5)};
  std::mt19937_64 random(seed);
  std::vector<T> values;
  for (std::size_t i = 0; i < size; ++i) {
    const auto bits = static_cast<bits_of<T>>(random());
    const T fraction = static_cast<T>(1) + static_cast<T>(random() % 4096) * Limits::epsilon();
    switch (random() % 4) {
      case 0: values.push_back(std::bit_cast<T>(bits)); break;
      case 1:
        values.push_back(std::ldexp(static_cast<T>(static_cast<std::int64_t>(random() % 4096) - 2048), -6));
        break;
      case 2:
        values.push_back(std::ldexp((random() % 2 == 0 ? fraction : -fraction), static_cast<int>(random() % 60) - 30));
        break;
      default: values.push_back(special[random() % special.size()]); break;
    }
  }
  return values;
}

template <class T>
bool same_bits(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<bits_of<T>>(a) == std::bit_cast<bits_of<T>>(b);
}

template <class T>
struct Operation {
  std::string call;  // without the direction and the arguments
  std::string arguments;
  T (*reference)(T, T, T);
};

template <class T>
void expect_directions(const char* type, const std::vector<Operation<T>>& operations, unsigned seed) {
  constexpr std::size_t size = 20000;
  SCOPED_TRACE("seed " + std::to_string(seed));
  const auto xs = numbers<T>(size, seed);
  const auto ys = numbers<T>(size, seed + 1);
  std::vector<std::string> expressions;
  for (const auto& operation : operations) {
    for (const auto& [suffix, mode] : directions) {
      expressions.push_back(operation.call + suffix + operation.arguments);
    }
  }
  const auto values = evaluate<T>({.name = "directions", .type = type}, expressions, xs, ys);
  std::size_t row = 0;
  for (const auto& operation : operations) {
    for (const auto& [suffix, mode] : directions) {
      for (std::size_t i = 0; i < size; ++i) {
        const T expected = in_mode<T, T>(mode, operation.reference, xs[i], ys[i], xs[(i + 1) % size]);
        ASSERT_TRUE(same_bits(values[row * size + i], expected))
            << std::hexfloat << expressions[row] << " for " << xs[i] << ", " << ys[i] << ", " << xs[(i + 1) % size]
            << " gives " << values[row * size + i] << ", expected " << expected;
      }
      ++row;
    }
  }
}

template <class T>
std::vector<Operation<T>> operations(const std::string& prefix, const std::string& fma) {
  return {{prefix + "add_", "(x, y)", [](T x, T y, T) { return x + y; }},
          {prefix + "sub_", "(x, y)", [](T x, T y, T) { return x - y; }},
          {prefix + "mul_", "(x, y)", [](T x, T y, T) { return x * y; }},
          {prefix + "div_", "(x, y)", [](T x, T y, T) { return x / y; }},
          {prefix + "rcp_", "(y)", [](T, T y, T) { return 1 / y; }},
          {prefix + "sqrt_", "(y)", [](T, T y, T) { return std::sqrt(y); }},
          {fma, "(x, y, xs[i + 1 == n ? 0 : i + 1])", [](T x, T y, T z) { return std::fma(x, y, z); }}};
}

TEST(Rounding, OfDoubles) { expect_directions<double>("double", operations<double>("__d", "__fma_"), 1); }
TEST(Rounding, OfFloats) {
  auto all = operations<float>("__f", "__fmaf_");
  all.push_back({"__fmaf_ieee_", "(x, y, x)", [](float x, float y, float) { return std::fma(x, y, x); }});
  expect_directions<float>("float", all, 3);
}

// To a narrower type, from the bits of a wider one; the result as the double or the float that it is.
template <class To, class From, class Argument>
void expect_conversion(const std::string& name, const std::vector<Argument>& arguments, const char* as_double) {
  std::vector<double> bits;
  for (const Argument argument : arguments) bits.push_back(std::bit_cast<double>(argument));
  std::vector<std::string> expressions;
  for (const auto& [suffix, mode] : directions) expressions.push_back(name + suffix + as_double);
  const auto values = evaluate<double>({.name = "conversions", .type = "double"}, expressions, bits, bits);
  std::size_t row = 0;
  for (const auto& [suffix, mode] : directions) {
    for (std::size_t i = 0; i < bits.size(); ++i) {
      const auto argument = static_cast<From>(arguments[i]);
      const To expected =
          in_mode<To, From>(mode, [](From x, From, From) { return static_cast<To>(x); }, argument, argument, argument);
      ASSERT_TRUE(same_bits<double>(values[row * bits.size() + i], expected))
          << name << suffix << " of " << arguments[i] << " gives " << values[row * bits.size() + i] << ", expected "
          << expected;
    }
    ++row;
  }
}

TEST(Rounding, OfConversionsToFloatingNumbers) {
  std::mt19937_64 random(5);
  std::vector<std::int64_t> integers{0,
                                     1,
                                     -1,
                                     std::numeric_limits<std::int64_t>::max(),
                                     std::numeric_limits<std::int64_t>::min(),
                                     (1LL << 53) + 1,
                                     -(1LL << 24) - 1};
  for (int i = 0; i < 5000; ++i) integers.push_back(static_cast<std::int64_t>(random()) >> random() % 64);
  const char* const whole = "(__double_as_longlong(x))";
  const char* const low = "(static_cast<int>(__double_as_longlong(x)))";
  expect_conversion<double, std::int64_t>("__ll2double_", integers, whole);
  expect_conversion<double, std::uint64_t>("__ull2double_", integers, whole);
  expect_conversion<float, std::int64_t>("__ll2float_", integers, whole);
  expect_conversion<float, std::uint64_t>("__ull2float_", integers, whole);
  expect_conversion<float, std::int32_t>("__int2float_", integers, low);
  expect_conversion<float, std::uint32_t>("__uint2float_", integers, low);
  expect_conversion<float, double>("__double2float_", numbers<double>(5000, 6), "(x)");
}

// Correctly rounded although it is computed from a rounded root: there is no float whose result is near a tie.
TEST(Rounding, OfTheReciprocalRootOfEveryMantissa) {
  std::vector<float> xs;
  for (std::uint32_t bits = 0x3f800000; bits < 0x40800000; bits += 7) xs.push_back(std::bit_cast<float>(bits));
  const auto values = evaluate<float>({.name = "roots", .type = "float"}, {"__frsqrt_rn(x)"}, xs, xs);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    ASSERT_EQ(values[i], static_cast<float>(1 / std::sqrt(static_cast<long double>(xs[i])))) << xs[i];
  }
}

struct IntegerRow {
  const char* expression;
  double argument;
  std::int64_t expected;
};

// Out of range gives the nearest integer; NaN 0, but where one of the types has 64 bits the highest bit.
TEST(Rounding, OfConversionsToIntegersStopsAtTheirLimits) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::int64_t highest_bit = std::numeric_limits<std::int64_t>::min();
  const std::vector<IntegerRow> rows{{"__float2int_rz(x)", 1e20, 2147483647},
                                     {"__float2int_rn(x)", -1e20, -2147483648LL},
                                     {"__float2int_rn(x)", 2.5, 2},
                                     {"__float2int_ru(x)", -2.5, -2},
                                     {"__float2int_rd(x)", -2.5, -3},
                                     {"__float2int_rn(x)", nan, 0},
                                     {"__float2uint_rz(x)", -3, 0},
                                     {"__float2uint_rz(x)", 1e20, 4294967295},
                                     {"__float2ll_rz(x)", nan, highest_bit},
                                     {"__double2int_rz(x)", nan, -2147483648LL},
                                     {"__double2ll_rn(x)", 1e30, std::numeric_limits<std::int64_t>::max()},
                                     {"__double2ll_rn(x)", nan, highest_bit},
                                     {"(long long)__double2ull_rz(x)", -1, 0},
                                     {"(long long)__double2ull_ru(x)", 1e30, -1}};
  std::vector<std::string> expressions;
  std::vector<double> arguments;
  for (const IntegerRow& row : rows) {
    expressions.push_back(std::string("__longlong_as_double(") + row.expression + ")");
    arguments.push_back(row.argument);
  }
  const auto values = evaluate<double>({.name = "limits", .type = "double"}, expressions, arguments, arguments);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double value = values[i * rows.size() + i];
    EXPECT_EQ(std::bit_cast<std::int64_t>(value), rows[i].expected) << rows[i].expression << " of " << arguments[i];
  }
}

}  // namespace
}  // namespace mylos_test
