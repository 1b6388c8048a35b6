// SPDX-License-Identifier: MIT
// CUDA's mathematical functions that C lacks, and the intrinsics of lanes.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "emulator/expressions.hpp"

namespace mylos_test {
namespace {

// The kernels of a list of calls, by name.
std::map<std::string, std::string> kernels_of_calls(const std::string& file) {
  std::ifstream lines(std::string(MYLOS_SOURCE_FOLDER) + "/tests/emulator/calls/" + file);
  std::map<std::string, std::string> kernels;
  std::string* text = nullptr;
  const std::string beginning = "kernel ";
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(beginning)) {
      const std::string declaration = line.substr(beginning.size());
      text = &kernels[declaration.substr(0, declaration.find('('))];
      *text = "__global__ void " + declaration + " {\n";
    } else if (text != nullptr) {
      *text += line + '\n';
    }
  }
  return kernels;
}

// The lists are those of CUDA 13.
TEST(Mathematics, EveryFunctionOfCudasHeadersIsThere) {
  std::size_t kernels = 0;
  for (const auto& [file, header] :
       {std::pair{"mathematics.txt", ""}, std::pair{"half.txt", "#include <cuda_fp16.h>\n"},
        std::pair{"bfloat16.txt", "#include <cuda_bf16.h>\n"}}) {
    for (const auto& [name, text] : kernels_of_calls(file)) {
      SCOPED_TRACE(file);
      EXPECT_NO_THROW(static_cast<void>(compile_by_both({.text = header + text + "}\n", .name = name}, 13)));
      ++kernels;
    }
  }
  EXPECT_EQ(kernels, 11U);
}

using Extended = long double;

// The x between low and high with f(x) = y, of an increasing f.
Extended inverse(const std::function<Extended(Extended)>& f, Extended y, Extended low, Extended high) {
  while (true) {
    const Extended middle = low + (high - low) / 2;
    if (middle == low || middle == high) return low;
    (f(middle) < y ? low : high) = middle;
  }
}
Extended erfcx(Extended x) { return std::exp(x * x) * std::erfc(x); }
Extended erfcinv(Extended y) {
  return inverse([](Extended x) { return -std::log(std::erfc(x)); }, -std::log(y), -7, 40);
}
Extended erfinv(Extended y) {
  return std::copysign(inverse([](Extended x) { return std::erf(x); }, std::abs(y), 0, 7), y);
}
Extended normcdf(Extended x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; }

struct FunctionRow {
  std::string name;
  std::function<Extended(Extended)> reference;
  std::vector<double> arguments;
};

// Even steps of the argument, or of its logarithm.
std::vector<double> between(double low, double high) {
  std::vector<double> values;
  for (int i = 0; i <= 1000; ++i) values.push_back(low + (high - low) * i / 1000);
  return values;
}
std::vector<double> powers(double low, double high) {
  std::vector<double> values = between(std::log(low), std::log(high));
  for (double& value : values) value = std::exp(value);
  return values;
}

std::vector<FunctionRow> functions() {
  return {{"erfcx", erfcx, between(-5, 100)},
          {"erfinv", erfinv, between(-0.999, 0.999)},
          {"erfinv", erfinv, powers(1e-300, 1e-2)},
          {"erfcinv", erfcinv, powers(1e-300, 0.6)},
          {"erfcinv", erfcinv, between(1.3, 1.999)},
          {"normcdf", normcdf, between(-37, 9)},
          {"normcdfinv", [](Extended p) { return -std::sqrt(2.0L) * erfcinv(2 * p); }, powers(1e-300, 0.45)},
          {"cyl_bessel_i0", [](Extended x) { return std::cyl_bessel_i(0.0L, x); }, powers(1e-8, 600)},
          {"cyl_bessel_i1", [](Extended x) { return std::cyl_bessel_i(1.0L, x); }, powers(1e-8, 600)},
          {"rcbrt", [](Extended x) { return 1 / std::cbrt(x); }, powers(1e-300, 1e300)},
          {"exp10", [](Extended x) { return std::pow(10.0L, x); }, between(-300, 300)},
          {"sinpi", [](Extended x) { return std::sin(std::acos(-1.0L) * x); }, between(-0.9, 0.9)}};
}

TEST(Mathematics, OfDoublesAgreesWithExtendedPrecision) {
  for (const FunctionRow& row : functions()) {
    const auto values =
        evaluate<double>({.name = "special", .type = "double"}, {row.name + "(x)"}, row.arguments, row.arguments);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto expected = static_cast<double>(row.reference(row.arguments[i]));
      ASSERT_TRUE(nearly(values[i], expected, 8))
          << row.name << " of " << row.arguments[i] << " gives " << values[i] << ", expected " << expected;
    }
  }
}

TEST(Mathematics, OfFloatsAgreesWithExtendedPrecision) {
  for (const FunctionRow& row : functions()) {
    std::vector<float> arguments;
    for (const double x : row.arguments) {
      const auto argument = static_cast<float>(x);
      if (std::isnormal(argument)) arguments.push_back(argument);
    }
    const auto values = evaluate<float>({.name = "special", .type = "float"}, {row.name + "f(x)", row.name + "(x)"},
                                        arguments, arguments);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const auto expected = static_cast<float>(row.reference(arguments[i]));
      ASSERT_TRUE(nearly(values[i], expected, 4))
          << row.name << "f of " << arguments[i] << " gives " << values[i] << ", expected " << expected;
      ASSERT_EQ(std::bit_cast<std::uint32_t>(values[i]), std::bit_cast<std::uint32_t>(values[arguments.size() + i]));
    }
  }
}

struct EndRow {
  const char* expression;
  double expected;
};

TEST(Mathematics, EndsOfTheDomain) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<EndRow> rows{{"erfinv(1.0)", infinity},
                                 {"erfinv(-1.0)", -infinity},
                                 {"erfinv(1.5)", nan},
                                 {"erfinv(-0.0) == 0.0 && signbit(erfinv(-0.0))", 1},
                                 {"erfcinv(0.0)", infinity},
                                 {"erfcinv(2.0)", -infinity},
                                 {"erfcinv(1.0)", 0},
                                 {"erfcinv(-0.5)", nan},
                                 {"normcdfinv(0.5)", 0},
                                 {"normcdfinv(1.0)", infinity},
                                 {"normcdf(-1e300)", 0},
                                 {"normcdf(1e300)", 1},
                                 {"erfcx(-30.0)", infinity},
                                 {"erfcx(1e300) > 0 && erfcx(1e300) < 1e-300", 1},
                                 {"cyl_bessel_i0(0.0)", 1},
                                 {"cyl_bessel_i1(-0.0)", 0},
                                 {"cyl_bessel_i0(-3.0) - cyl_bessel_i0(3.0)", 0},
                                 {"cyl_bessel_i1(-3.0) + cyl_bessel_i1(3.0)", 0},
                                 {"cyl_bessel_i0(1e4)", infinity},
                                 {"cyl_bessel_i0(-exp(1e4))", infinity},
                                 {"cyl_bessel_i1(-exp(1e4))", -infinity},
                                 {"sinpi(1e15) + cospi(1e15 + 1)", -1},
                                 {"norm3d(3e200, 4e200, 0.0) / 5e200", 1},
                                 {"rnorm4d(1.0, 1.0, 1.0, 1.0)", 0.5},
                                 {"rhypot(3.0, 4.0)", 0.2},
                                 {"fdim(3.0, 5.0) + nan(\"\")", nan},
                                 {"double(min(-1, 1u)) + max(2.0f, 3.5)", 4.5},
                                 {"double(sizeof(norm3d(1.0f, 1.0f, 1.0f)) + 10 * sizeof(sinpi(1.0f)))", 48}};
  std::vector<std::string> expressions;
  for (const EndRow& row : rows) expressions.push_back(row.expression);
  const auto values = evaluate<double>({.name = "ends", .type = "double"}, expressions, {0}, {0});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_TRUE(nearly(values[i], rows[i].expected, 1)) << rows[i].expression << " gives " << values[i];
  }
}

using Lanes = std::uint32_t;

// f of the lanes of two words, which come as wide integers; it gives the low bits of what it computes.
template <class Lane>
Lanes each(Lanes a, Lanes b, const std::function<std::int64_t(std::int64_t, std::int64_t)>& f) {
  constexpr std::size_t count = 4 / sizeof(Lane);
  const auto as = std::bit_cast<std::array<Lane, count>>(a);
  const auto bs = std::bit_cast<std::array<Lane, count>>(b);
  std::array<Lane, count> results{};
  for (std::size_t i = 0; i < count; ++i) results[i] = static_cast<Lane>(f(as[i], bs[i]));
  return std::bit_cast<Lanes>(results);
}
template <class Lane>
Lanes total(Lanes a, Lanes b, const std::function<std::int64_t(std::int64_t, std::int64_t)>& f) {
  std::int64_t sum = 0;
  each<Lane>(a, b, [&](std::int64_t x, std::int64_t y) { return sum += f(x, y); });
  return static_cast<Lanes>(sum);
}
template <class Lane>
std::int64_t limited(std::int64_t x) {
  return std::clamp<std::int64_t>(x, std::numeric_limits<Lane>::min(), std::numeric_limits<Lane>::max());
}

template <class S>
std::vector<Row<Lanes>> rows_of_lanes(const std::string& n) {
  using U = std::make_unsigned_t<S>;
  using I = std::int64_t;
  const auto row = [&](const std::string& call, auto lane, I (*f)(I, I)) {
    return Row<Lanes>{"__v" + call, [f](Lanes x, Lanes y) { return each<decltype(lane)>(x, y, f); }};
  };
  return {row("abs" + n + "(x)", S(), [](I x, I) { return std::abs(x); }),
          row("absss" + n + "(x)", S(), [](I x, I) { return limited<S>(std::abs(x)); }),
          row("neg" + n + "(x)", S(), [](I x, I) { return -x; }),
          row("negss" + n + "(x)", S(), [](I x, I) { return limited<S>(-x); }),
          row("add" + n + "(x, y)", U(), [](I x, I y) { return x + y; }),
          row("addss" + n + "(x, y)", S(), [](I x, I y) { return limited<S>(x + y); }),
          row("addus" + n + "(x, y)", U(), [](I x, I y) { return limited<U>(x + y); }),
          row("sub" + n + "(x, y)", U(), [](I x, I y) { return x - y; }),
          row("subss" + n + "(x, y)", S(), [](I x, I y) { return limited<S>(x - y); }),
          row("subus" + n + "(x, y)", U(), [](I x, I y) { return limited<U>(x - y); }),
          row("avgu" + n + "(x, y)", U(), [](I x, I y) { return (x + y + 1) / 2; }),
          row("avgs" + n + "(x, y)", S(),
              [](I x, I y) {
                return (x + y + (x + y > 0 ? 1 : x + y < 0 ? -1 : 0)) / 2;
              }),
          row("haddu" + n + "(x, y)", U(), [](I x, I y) { return (x + y) / 2; }),
          row("absdiffs" + n + "(x, y)", S(), [](I x, I y) { return std::abs(x - y); }),
          row("absdiffu" + n + "(x, y)", U(), [](I x, I y) { return std::abs(x - y); }),
          row("maxs" + n + "(x, y)", S(), [](I x, I y) { return std::max(x, y); }),
          row("minu" + n + "(x, y)", U(), [](I x, I y) { return std::min(x, y); }),
          row("cmpgts" + n + "(x, y)", S(), [](I x, I y) -> I { return x > y ? -1 : 0; }),
          row("cmpleu" + n + "(x, y)", U(), [](I x, I y) -> I { return x <= y ? -1 : 0; }),
          row("cmpeq" + n + "(x, y)", U(), [](I x, I y) -> I { return x == y ? -1 : 0; }),
          row("setlts" + n + "(x, y)", S(), [](I x, I y) -> I { return x < y ? 1 : 0; }),
          row("setgeu" + n + "(x, y)", U(), [](I x, I y) -> I { return x >= y ? 1 : 0; }),
          row("setne" + n + "(x, y)", U(), [](I x, I y) -> I { return x != y ? 1 : 0; }),
          {"__vsads" + n + "(x, y)",
           [](Lanes x, Lanes y) { return total<S>(x, y, [](I a, I b) { return std::abs(a - b); }); }},
          {"__vsadu" + n + "(x, y)",
           [](Lanes x, Lanes y) { return total<U>(x, y, [](I a, I b) { return std::abs(a - b); }); }}};
}

std::vector<Lanes> words_of_lanes(unsigned seed) {
  auto words = random_values<Lanes>(3000, 0, ~Lanes{0}, seed);
  // Limits, and equal lanes.
  for (const Lanes word : {0U, ~0U, 0x80008000U, 0x7fff7fffU, 0x80808080U, 0x7f7f7f7fU, 0x00010001U})
    words.push_back(word);
  for (std::size_t i = 0; i < 200; ++i) words[i] = words[3000 + i % 7] ^ (words[i] & 0x00ff00ffU);
  return words;
}

TEST(Mathematics, LanesOfAWord) {
  auto rows = rows_of_lanes<std::int16_t>("2");
  for (auto& row : rows_of_lanes<std::int8_t>("4")) rows.push_back(std::move(row));
  expect_rows<Lanes>({.name = "lanes", .type = "unsigned"}, rows, words_of_lanes(30), words_of_lanes(31),
                     std::equal_to<>());
}

TEST(Mathematics, DotProductsAndExtremesOfThree) {
  using I = std::int64_t;
  const auto s = [](Lanes x) { return static_cast<std::int32_t>(x); };
  const std::vector<Row<Lanes>> rows{
      {"unsigned(__dp4a(int(x), int(y), 7))",
       [](Lanes x, Lanes y) { return 7 + total<std::int8_t>(x, y, [](I a, I b) { return a * b; }); }},
      {"__dp4a(x, y, 7u)",
       [](Lanes x, Lanes y) { return 7 + total<std::uint8_t>(x, y, [](I a, I b) { return a * b; }); }},
      {"unsigned(__dp2a_lo(int(x), int(y), 7))",
       [](Lanes x, Lanes y) {
         const auto a = std::bit_cast<std::array<std::int16_t, 2>>(x);
         const auto b = std::bit_cast<std::array<std::int8_t, 4>>(y);
         return static_cast<Lanes>(7 + a[0] * b[0] + a[1] * b[1]);
       }},
      {"__dp2a_hi(x, y, 7u)",
       [](Lanes x, Lanes y) {
         const auto a = std::bit_cast<std::array<std::uint16_t, 2>>(x);
         const auto b = std::bit_cast<std::array<std::uint8_t, 4>>(y);
         return Lanes{7} + a[0] * b[2] + a[1] * b[3];
       }},
      {"unsigned(__viaddmax_s32(int(x), int(y), 5))", [s](Lanes x, Lanes y) { return Lanes(std::max(s(x + y), 5)); }},
      {"unsigned(__vimin3_s32(int(x), int(y), 5))", [s](Lanes x, Lanes y) { return Lanes(std::min({s(x), s(y), 5})); }},
      {"unsigned(__vimax_s32_relu(int(x), int(y)))",
       [s](Lanes x, Lanes y) { return Lanes(std::max({s(x), s(y), 0})); }},
      {"__vimax3_u16x2(x, y, 0x40004000u)",
       [](Lanes x, Lanes y) {
         return each<std::uint16_t>(x, y, [](I a, I b) { return std::max({a, b, I{0x4000}}); });
       }},
      {"__viaddmin_s16x2_relu(x, y, 0x40004000u)",
       [](Lanes x, Lanes y) {
         return each<std::int16_t>(
             x, y, [](I a, I b) { return std::max<I>(std::min<I>(static_cast<std::int16_t>(a + b), 0x4000), 0); });
       }},
      {"[](unsigned a, unsigned b) { bool high, low; __vibmax_s16x2(a, b, &high, &low); return high * 2u + low; }(x, "
       "y)",
       [](Lanes x, Lanes y) {
         const auto a = std::bit_cast<std::array<std::int16_t, 2>>(x);
         const auto b = std::bit_cast<std::array<std::int16_t, 2>>(y);
         return static_cast<Lanes>((a[1] >= b[1] ? 2 : 0) + (a[0] >= b[0] ? 1 : 0));
       }},
  };
  expect_rows<Lanes>({.name = "products", .type = "unsigned"}, rows, words_of_lanes(32), words_of_lanes(33),
                     std::equal_to<>());
}

TEST(Mathematics, ShiftsAndMeansOfTwoWords) {
  const std::vector<Row<Lanes>> rows{
      {"__funnelshift_lc(x, y, y % 40)",
       [](Lanes x, Lanes y) {
         return static_cast<Lanes>((std::uint64_t{y} << 32 | x) << std::min(y % 40, 32U) >> 32);
       }},
      {"__funnelshift_rc(x, y, y % 40)",
       [](Lanes x, Lanes y) { return static_cast<Lanes>((std::uint64_t{y} << 32 | x) >> std::min(y % 40, 32U)); }},
      {"__uhadd(x, y) + __urhadd(x, y)",
       [](Lanes x, Lanes y) {
         return static_cast<Lanes>((std::uint64_t{x} + y) / 2) + static_cast<Lanes>((std::uint64_t{x} + y + 1) / 2);
       }},
      {"__fns(x, y & 31, 3)",
       [](Lanes x, Lanes y) {
         int left = 3;
         for (Lanes at = y & 31; at < 32; ++at) {
           if ((x >> at & 1) != 0 && --left == 0) return at;
         }
         return ~Lanes{0};
       }},
  };
  expect_rows<Lanes>({.name = "shifts", .type = "unsigned"}, rows, words_of_lanes(34), words_of_lanes(35),
                     std::equal_to<>());
}

}  // namespace
}  // namespace mylos_test
