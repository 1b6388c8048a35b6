// SPDX-License-Identifier: MIT
// half and bfloat16, compared with a table of all their values: the right result is the nearest entry.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/emulator/options.hpp>

#include "emulator/expressions.hpp"

namespace mylos_test {
namespace {

using Bits = std::uint16_t;

// One of the types: how its words are called, and what its bits mean.
class Format {
 public:
  Format(std::string name, std::string header, int digits) : name_(std::move(name)), header_(std::move(header)) {
    const int exponent_bits = 16 - digits;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int fraction_bits = digits - 1;
    infinity_ = static_cast<Bits>(((1U << exponent_bits) - 1) << fraction_bits);
    for (std::uint32_t bits = 0; bits <= infinity_; ++bits) {
      const int field = static_cast<int>(bits >> fraction_bits);
      const auto fraction = static_cast<double>(bits & ((1U << fraction_bits) - 1));
      values_.push_back(std::ldexp(fraction + (field == 0 ? 0 : std::ldexp(1.0, fraction_bits)),
                                   std::max(field, 1) - bias - fraction_bits));
    }
  }

  // An expression of x, y and z of the type, as one of their bits.
  [[nodiscard]] std::string of(const std::string& expression) const {
    std::string text;
    for (const char c : expression) {
      const bool is_operand = c == '$' || c == '%';
      text += is_operand ? "__ushort_as_" + name_ + (c == '$' ? "(x)" : "(y)") : std::string(1, c);
    }
    return text;
  }
  [[nodiscard]] std::string bits_of(const std::string& expression) const {
    return "__" + name_ + "_as_ushort(" + of(expression) + ")";
  }
  [[nodiscard]] std::string include() const { return "#include <" + header_ + ">\n"; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string type() const { return name_ == "half" ? "__half" : "__nv_bfloat16"; }

  [[nodiscard]] double value(Bits bits) const {
    const Bits size = bits & 0x7fff;
    if (size > infinity_) return std::numeric_limits<double>::quiet_NaN();
    const double value = size == infinity_ ? std::numeric_limits<double>::infinity() : values_[size];
    return bits > 0x7fff ? -value : value;
  }

  // The value + rest, where rest is less than half of the value's last bit, rounded to the nearest, of two the even
  // one.
  [[nodiscard]] Bits nearest(double value, double rest = 0) const {
    if (std::isnan(value)) return 0x7fff;
    const std::size_t sign = std::signbit(value) ? 0x8000 : 0;
    if (std::isinf(value)) return static_cast<Bits>(sign | infinity_);
    const double size = std::abs(value);
    const double more = std::signbit(value) ? -rest : rest;
    // The entry for infinity is the power of two that would come next, as rounding takes it.
    auto above = static_cast<std::size_t>(std::ranges::lower_bound(values_, size) - values_.begin());
    if (above < values_.size() && values_[above] == size && more >= 0) ++above;
    if (above == values_.size()) return static_cast<Bits>(sign | infinity_);
    const std::size_t below = above == 0 ? 0 : above - 1;
    const double middle = values_[below] + (values_[above] - values_[below]) / 2;
    const bool is_tie = size == middle && more == 0;
    const bool is_above = size > middle || (size == middle && more > 0);
    return static_cast<Bits>(sign | (is_above || (is_tie && below % 2 == 1) ? above : below));
  }

  [[nodiscard]] bool is_nan(Bits bits) const { return (bits & 0x7fff) > infinity_; }
  [[nodiscard]] bool same(Bits a, Bits b) const { return a == b || (is_nan(a) && is_nan(b)); }

 private:
  std::string name_;
  std::string header_;
  Bits infinity_ = 0;
  std::vector<double> values_;  // of the bits from 0 to infinity, which counts as the number that comes next
};

Format half() { return {"half", "cuda_fp16.h", 11}; }
Format bfloat16() { return {"bfloat16", "cuda_bf16.h", 8}; }

// a + b as the nearest double and what it lacks.
struct Sum { double value, rest; };
Sum sum(double a, double b) {
  const double value = a + b;
  const double part = value - a;
  const double rest = (a - (value - part)) + (b - part);
  return {value, std::isfinite(value) ? rest : 0};
}

struct SmallRow {
  std::string expression;  // $ and % are the operands
  std::function<Bits(Bits, Bits)> reference;
};

class SmallFloats : public ::testing::TestWithParam<Format (*)()> {
 protected:
  // Each value as the first operand, with others as the second, to so many last places.
  void expect(const std::vector<SmallRow>& rows, int pairs = 3, int places = 0) const {
    std::vector<Bits> xs, ys;
    for (int pair = 0; pair < pairs; ++pair) {
      const auto others = random_values<std::uint32_t>(65536, 0, 65535, 10 + pair);
      for (std::uint32_t bits = 0; bits < 65536; ++bits) {
        xs.push_back(static_cast<Bits>(bits));
        // Operands of one magnitude cancel; those far apart are hardly ever interesting.
        const bool is_near = pair > 0;
        ys.push_back(static_cast<Bits>(is_near ? (bits ^ (others[bits] & 0x83ff)) : others[bits]));
      }
    }
    std::vector<std::string> expressions;
    for (const auto& row : rows) expressions.push_back(format_.bits_of(row.expression));
    const auto values =
        evaluate<Bits>({.name = "small", .type = "unsigned short", .before = format_.include()}, expressions, xs, ys);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (std::size_t i = 0; i < xs.size(); ++i) {
        const Bits expected = rows[row].reference(xs[i], ys[i]);
        const Bits value = values[row * xs.size() + i];
        ASSERT_TRUE(format_.same(value, expected) || std::abs(int{value} - int{expected}) <= places)
            << rows[row].expression << " of " << format_.value(xs[i]) << " and " << format_.value(ys[i]) << " gives "
            << format_.value(value) << ", expected " << format_.value(expected);
      }
    }
  }
  // Of a function of numbers, computed in double and rounded.
  [[nodiscard]] auto rounded(double (*function)(double, double)) const {
    return [this, function](Bits x, Bits y) { return format_.nearest(function(format_.value(x), format_.value(y))); };
  }

  const Format format_ = GetParam()();
};

TEST_P(SmallFloats, ArithmeticIsRoundedOnce) {
  const auto add = [this](Bits x, Bits y) {
    const Sum s = sum(format_.value(x), format_.value(y));
    return format_.nearest(s.value, s.rest);
  };
  const auto fma = [this](Bits x, Bits y) {
    const Sum s = sum(format_.value(x) * format_.value(y), format_.value(static_cast<Bits>(y ^ 0x155)));
    return format_.nearest(s.value, s.rest);
  };
  const std::string z = "__ushort_as_" + format_.name() + "(static_cast<unsigned short>(y ^ 0x155))";
  expect({{"$ + %", add},
          {"__hsub($, %)", [&](Bits x, Bits y) { return add(x, static_cast<Bits>(y ^ 0x8000)); }},
          {"$ * %", rounded([](double x, double y) { return x * y; })},
          {"__hdiv($, %)", rounded([](double x, double y) { return x / y; })},
          {"__hfma($, %, " + z + ")", fma},
          {"hsqrt($)", rounded([](double x, double) { return std::sqrt(x); })},
          {"hrcp($)", rounded([](double x, double) { return 1 / x; })},
          {"-$", [](Bits x, Bits) { return static_cast<Bits>(x ^ 0x8000); }},
          {"__habs($)", [](Bits x, Bits) { return static_cast<Bits>(x & 0x7fff); }},
          {"hceil($)", rounded([](double x, double) { return std::ceil(x); })},
          {"hrint($)", rounded([](double x, double) { return std::nearbyint(x); })},
          {"__hadd_sat($, %)", [&](Bits x, Bits y) {
             const double value = format_.value(add(x, y));
             return format_.nearest(std::isnan(value) ? 0.0 : std::clamp(value, 0.0, 1.0) + 0.0);
           }}});
}

TEST_P(SmallFloats, MaximaTakeTheNumberAndThePositiveZero) {
  const auto extreme = [this](Bits x, Bits y, bool larger, bool keeps_nan) -> Bits {
    const bool any_nan = format_.is_nan(x) || format_.is_nan(y);
    if (any_nan && (keeps_nan || format_.is_nan(x) == format_.is_nan(y))) return 0x7fff;
    if (any_nan) return format_.is_nan(x) ? y : x;
    const auto order = [](Bits bits) { return bits > 0x7fff ? 0x7fff - bits : static_cast<int>(bits); };
    return (order(x) > order(y)) == larger ? x : y;
  };
  expect({{"__hmax($, %)", [&](Bits x, Bits y) { return extreme(x, y, true, false); }},
          {"__hmin($, %)", [&](Bits x, Bits y) { return extreme(x, y, false, false); }},
          {"__hmax_nan($, %)", [&](Bits x, Bits y) { return extreme(x, y, true, true); }},
          {"__hmin_nan($, %)", [&](Bits x, Bits y) { return extreme(x, y, false, true); }}},
         2);
}

// As bits of an unsigned: comparisons with both orders of NaN, classification.
TEST_P(SmallFloats, ComparisonsKnowNan) {
  const std::string tests =
      "($ < %) | ($ == %) << 1 | ($ != %) << 2 | __hne($, %) << 3 | __hleu($, %) << 4 | "
      "($ >= %) << 5 | __hgtu($, %) << 6 | __hisnan($) << 7 | (__hisinf($) + 1) << 8 | "
      "__hequ($, %) << 10";
  expect({{"__ushort_as_" + format_.name() + "(static_cast<unsigned short>(" + tests + "))",
           [this](Bits x, Bits y) -> Bits {
             const double a = format_.value(x);
             const double b = format_.value(y);
             const bool unordered = std::isnan(a) || std::isnan(b);
             const int infinite = std::isinf(a) ? (a > 0 ? 2 : 0) : 1;
             const int bits = (a < b) | (a == b) << 1 | (a != b) << 2 | (!unordered && a != b) << 3 |
                              (unordered || a <= b) << 4 | (a >= b) << 5 | (unordered || a > b) << 6 |
                              static_cast<int>(std::isnan(a)) << 7 | infinite << 8 | (unordered || a == b) << 10;
             return static_cast<Bits>(bits);
           }}});
}

TEST_P(SmallFloats, FunctionsAreExactToALastPlace) {
  expect({{"hexp($)", rounded([](double x, double) { return std::exp(x); })},
          {"hexp2($)", rounded([](double x, double) { return std::exp2(x); })},
          {"hexp10($)", rounded([](double x, double) { return std::pow(10.0, x); })},
          {"hlog($)", rounded([](double x, double) { return std::log(x); })},
          {"hlog2($)", rounded([](double x, double) { return std::log2(x); })},
          {"hlog10($)", rounded([](double x, double) { return std::log10(x); })},
          {"hsin($)", rounded([](double x, double) { return std::sin(x); })},
          {"hcos($)", rounded([](double x, double) { return std::cos(x); })},
          {"htanh($)", rounded([](double x, double) { return std::tanh(x); })},
          {"hrsqrt($)", rounded([](double x, double) { return 1 / std::sqrt(x); })}},
         1, 1);
}

TEST_P(SmallFloats, ConversionsFromFloatsAreRoundedAsTheirNamesSay) {
  auto floats = random_values<std::uint32_t>(200000, 0, ~std::uint32_t{0}, 20);
  for (std::uint32_t i = 0; i < 65536; ++i) floats.push_back(i << 16 | (i % 3 == 0 ? 0x8000 : i % 3));
  const std::string as_float = "(__uint_as_float(x))";
  const auto call = [&](const std::string& function) {
    return "__" + format_.name() + "_as_ushort(" + function + as_float + ")";
  };
  const std::string to = "__float2" + format_.name();
  const auto values =
      evaluate<std::uint32_t>({.name = "narrow", .type = "unsigned", .before = format_.include()},
                              {call(to), call(to + "_rn"), call(to + "_rz"), call(to + "_ru"), call(to + "_rd"),
                               "__float_as_uint(__" + format_.name() + "2float(__ushort_as_" + format_.name() +
                                   "(static_cast<unsigned short>(x))))"},
                              floats, floats);
  for (std::size_t i = 0; i < floats.size(); ++i) {
    const auto result = [&](std::size_t row) { return static_cast<Bits>(values[row * floats.size() + i]); };
    const float x = std::bit_cast<float>(floats[i]);
    const Bits nearest = format_.nearest(x);
    ASSERT_TRUE(format_.same(result(0), nearest) && format_.same(result(1), nearest)) << x;
    const float back = std::bit_cast<float>(values[5 * floats.size() + i]);
    ASSERT_TRUE(nearly<double>(back, format_.value(static_cast<Bits>(floats[i])), 0)) << x;
    if (std::isnan(x)) continue;
    const double zero = format_.value(result(2)), up = format_.value(result(3)), down = format_.value(result(4));
    ASSERT_TRUE(down <= x && x <= up && std::abs(zero) <= std::abs(x)) << x;
    ASSERT_TRUE(zero == (x > 0 ? down : up) && std::signbit(zero) == std::signbit(x)) << x;
    // Neighbours, or equal: nothing lies between.
    const bool is_exact = up == down;
    const int distance = std::abs(int{result(3)} - int{result(4)});
    ASSERT_TRUE(is_exact ? up == x : (distance == 1 || up == 0 || down == 0)) << x;
  }
}

struct IntegerCase {
  const char* expression;  // & is the name of the type
  std::int64_t expected;
};

// In numbers that both types hold: 2.5, 3.5, -2.5 and 2^40 (which half takes for infinite).
TEST_P(SmallFloats, ConversionsOfIntegers) {
  const bool is_half = format_.name() == "half";
  const std::vector<IntegerCase> cases{
      {"__&2int_rn(T(2.5f))", 2},
      {"__&2int_rn(T(3.5f))", 4},
      {"__&2int_rz(T(-2.5f))", -2},
      {"__&2int_ru(T(-2.5f))", -2},
      {"__&2int_rd(T(-2.5f))", -3},
      {"__&2short_rn(T(60000.0f))", 32767},
      {"__&2ushort_rz(T(-1.0f))", 0},
      {"__&2uint_rn(T(1e30f))", 4294967295},
      {"__&2ll_rz(T(-1e30f))", std::numeric_limits<std::int64_t>::min()},
      {"__&2char_rz(T(200.0f))", 127},
      {"__&2uchar_rz(T(-200.0f))", 0},
      {"__&2int_rn(T(nanf(\"\")))", 0},
      {"__&2ll_rn(T(nanf(\"\")))", std::numeric_limits<std::int64_t>::min()},
      {"int(T(7))", 7},
      {"(long long)(float)__int2&_rn(2049)", 2048},
      {"(long long)(float)__int2&_ru(2049)", is_half ? 2050 : 2064},
      {"(long long)(float)__int2&_rd(-2049)", is_half ? -2050 : -2064},
      {"__&_as_ushort(__ll2&_rn(1ll << 62))", is_half ? 0x7c00 : 0x5e80},
      {"__&_as_ushort(__ull2&_rz(~0ull))", is_half ? 0x7bff : 0x5f7f},
      {"__&_as_short(__uint2&_rz(~0u))", is_half ? 0x7bff : 0x4f7f},
      {"sizeof(T) + 10 * alignof(T) + 100 * sizeof(T2) + 1000 * alignof(T2)", 2 + 20 + 400 + 4000},
  };
  std::vector<std::string> expressions;
  for (const IntegerCase& c : cases) {
    std::string expression = c.expression;
    for (std::size_t at = expression.find('&'); at != std::string::npos; at = expression.find('&')) {
      expression.replace(at, 1, format_.name());
    }
    expressions.push_back("__longlong_as_double(" + expression + ")");
  }
  const std::string types =
      format_.include() + "using T = " + format_.type() + ";\nusing T2 = " + format_.type() + "2;\n";
  const auto values = evaluate<double>({.name = "integers", .type = "double", .before = types}, expressions, {0}, {0});
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::int64_t>(values[i]), cases[i].expected) << cases[i].expression;
  }
}

// One kernel that uses pairs as programs do. All numbers are quarters with few digits, so that sums are exact.
TEST_P(SmallFloats, PairsAndAtomics) {
  const std::string text = format_.include() + "using T = " + format_.type() + ";\nusing T2 = " + format_.type() + R"(2;
__global__ void pairs(const T2* xs, T2* ys, T* sum, T2* sums, unsigned* masks, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T2 x = xs[i];
  T2 y = __hfma2(x, x, T2(T(1.0f), T(2.0f))) - x * T2(T(0.5f), T(2.0f));
  y += __lowhigh2highlow(x);
  ++y;
  ys[i] = y;
  masks[i] = __hlt2_mask(x, y) ^ (x < y ? 2u : 0u) ^ (__hbeq2(x, x) ? 4u : 0u);
  atomicAdd(sum, x.x);
  atomicAdd(sums, x);
})";
  const auto program = compile_by_both({.text = text, .name = "pairs"});
  constexpr int n = 32;
  std::vector<Bits> xs, ys;
  std::vector<std::uint32_t> masks;
  for (int i = 0; i < n; ++i) {
    const double low = i % 4 * 0.5;
    const double high = i % 4 - 1.5;
    for (const double x : {low, high}) xs.push_back(format_.nearest(x));
    const double y_low = low * low + 1 - low / 2 + high + 1;
    const double y_high = high * high + 2 - high * 2 + low + 1;
    for (const double y : {y_low, y_high}) ys.push_back(format_.nearest(y));
    const bool low_less = low < y_low;
    const bool high_less = high < y_high;
    masks.push_back((low_less ? 0xffffU : 0U) ^ (high_less ? 0xffff0000U : 0U) ^ (low_less && high_less ? 2U : 0U) ^
                    4U);
  }
  const DeviceArray<Bits> device_xs(xs);
  for (const unsigned threads : {1U, 3U}) {
    const auto scope = emulator::with({.threads = threads});
    const DeviceArray<Bits> device_ys(2 * n), sum(1), sums(2);
    const DeviceArray<std::uint32_t> device_masks(n);
    run(*program, {.grid = {4, 1, 1}, .block = {8, 1, 1}}, static_cast<const Bits*>(device_xs.data()), device_ys.data(),
        sum.data(), sums.data(), device_masks.data(), n);
    EXPECT_EQ(device_ys.read(), ys);
    EXPECT_EQ(device_masks.read(), masks);
    EXPECT_EQ(sum.read()[0], format_.nearest(24));
    EXPECT_EQ(sums.read(), (std::vector<Bits>{format_.nearest(24), format_.nearest(0)}));
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, SmallFloats, ::testing::Values(half, bfloat16),
                         [](const auto& instance) { return instance.param().name(); });

}  // namespace
}  // namespace mylos_test
