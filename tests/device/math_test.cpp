// SPDX-License-Identifier: MIT
#include <mylos/device/math.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "device/emulated.hpp"
#include "device/every_architecture.hpp"
#include "device/type_name.hpp"
#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

namespace device = mylos::device;

static_assert(device::pi == 3.141592653589793 && device::two_pi_v<float> == 6.2831853F &&
              device::e_v<float> == 2.7182818F);
static_assert(device::floor_div(-7, 2) == -4 && device::floor_mod(-7, 2) == 1);
static_assert(device::floor_div(7U, 2U) == 3U && device::floor_mod(std::int64_t{-1}, 5) == 4);
static_assert(device::square(-3) == 9 && device::cube(-3.0) == -27 && device::sign(-2.5) == -1 &&
              device::sign(7U) == 1U);
static_assert(device::min(2, 3) == 2 && device::max(2LL, 3) == 3 && device::clamp(7.5, 0, 5) == 5);
static_assert(device::clamp(-1, 0, 5) == 0 && device::clamp(3, 0, 5) == 3);

template <class T>
class Math : public ::testing::Test {
 protected:
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  static constexpr T infinity = std::numeric_limits<T>::infinity();
  static constexpr T epsilon = std::numeric_limits<T>::epsilon();

  T number(double most) { return static_cast<T>(std::uniform_real_distribution(-most, most)(random_)); }
  /// Of any size.
  T any() { return std::ldexp(number(1), static_cast<int>(random_() % 200) - 100); }

  std::mt19937_64 random_{random_seed()};
};

using MathTypes = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Math, MathTypes);

TYPED_TEST(Math, ExtremesShowNaN) {
  using T = TypeParam;
  EXPECT_TRUE(std::isnan(device::min(this->nan, T(1))) && std::isnan(device::min(T(1), this->nan)));
  EXPECT_TRUE(std::isnan(device::max(this->nan, T(1))) && std::isnan(device::max(T(1), this->nan)));
  EXPECT_TRUE(device::min(T(2), T(1)) == 1 && device::min(-this->infinity, T(1)) == -this->infinity);
  EXPECT_TRUE(device::max(T(2), T(1)) == 2 && device::max(this->infinity, T(1)) == this->infinity);
  EXPECT_TRUE(std::signbit(device::min(T(-0.0), T(0))) && !std::signbit(device::min(T(0), T(-0.0))));
  EXPECT_TRUE(std::isnan(device::clamp(this->nan, 0, 1)));
  EXPECT_EQ(device::clamp(-this->infinity, 0, 1), 0);
  EXPECT_TRUE(std::isnan(device::sign(this->nan)) && std::signbit(device::sign(T(-0.0))));
}

TYPED_TEST(Math, ClassesOfNumbersAreToldByTheirBits) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  for (const T x : {T(0), T(-0.0), T(1), Limits::max(), Limits::lowest(), Limits::denorm_min()}) {
    EXPECT_TRUE(device::is_finite(x) && !device::is_nan(x)) << x;
  }
  EXPECT_FALSE(device::is_finite(this->infinity) || device::is_finite(-this->infinity) ||
               device::is_nan(-this->infinity));
  EXPECT_TRUE(device::is_nan(this->nan) && device::is_nan(-this->nan) && !device::is_finite(this->nan));
  EXPECT_EQ(device::infinity_v<T>, this->infinity);
}

TYPED_TEST(Math, HalfTurnsAreExact) {
  using T = TypeParam;
  for (int quarter = -40; quarter <= 40; ++quarter) {
    const T x = static_cast<T>(quarter) / 2;
    const int turn = ((quarter % 4) + 4) % 4;
    EXPECT_EQ(device::sinpi(x), turn == 1 ? 1 : turn == 3 ? -1 : 0) << x;
    EXPECT_EQ(device::cospi(x), turn == 0 ? 1 : turn == 2 ? -1 : 0) << x;
  }
  for (int i = 0; i < 10000; ++i) {
    const T x = this->number(100);
    const long double turn = std::remainder(static_cast<long double>(x), 2.0L) * std::acos(-1.0L);
    ASSERT_NEAR(device::sinpi(x), std::sin(turn), 2 * this->epsilon) << x;
    ASSERT_NEAR(device::cospi(x), std::cos(turn), 2 * this->epsilon) << x;
    T sine, cosine;
    device::sincos(x, &sine, &cosine);
    ASSERT_NEAR(sine, std::sin(static_cast<long double>(x)), this->epsilon);
    ASSERT_NEAR(cosine, std::cos(static_cast<long double>(x)), this->epsilon);
    ASSERT_NEAR(device::rsqrt(std::abs(x)) * std::sqrt(std::abs(x)), T(1), 2 * this->epsilon) << x;
  }
  EXPECT_TRUE(std::isnan(device::sinpi(this->infinity)));
}

// Wide enough that a sum is not rounded twice, as in a long double of 64 bits once in some million of sums.
__extension__ using Quad = __float128;

TYPED_TEST(Math, PeriodicBoxesAreNeverLeft) {
  using T = TypeParam;
  for (int i = 0; i < 20000; ++i) {
    const T box = std::abs(this->any());
    const T x = i % 2 == 0 ? this->any() : box * this->number(5);
    const T place = device::wrap(x, box);
    ASSERT_TRUE(place >= 0 && place < box) << x << " in " << box << ": " << place;
    Quad exact = std::fmod(x, box);  // which rounds nothing
    if (exact < 0) exact += box;
    const T rounded = static_cast<T>(exact);
    ASSERT_EQ(place, rounded < box ? rounded : T(0)) << x << " in " << box;
  }
  const T below = std::nextafter(T(3), T(0));
  EXPECT_EQ(device::wrap(-std::numeric_limits<T>::denorm_min(), T(3)), 0);
  EXPECT_TRUE(device::wrap(T(3), 3) == 0 && device::wrap(T(-3), 3) == 0 && device::wrap(below, 3) == below);
  EXPECT_FALSE(std::signbit(device::wrap(T(-0.0), 3)));
  EXPECT_TRUE(std::isnan(device::wrap(this->nan, 3)) && std::isnan(device::wrap(-this->infinity, 3)));
}

TEST(MathOfIntegers, FloorsDivisions) {
  std::mt19937_64 random(random_seed());
  for (int i = 0; i < 20000; ++i) {
    const auto a = static_cast<std::int64_t>(random()) >> random() % 63;
    auto b = static_cast<std::int64_t>(random()) >> random() % 63;
    if (b == 0 || b == -1) b = 1;
    const auto product = static_cast<std::uint64_t>(device::floor_div(a, b)) * static_cast<std::uint64_t>(b);
    const std::int64_t rest = device::floor_mod(a, b);
    ASSERT_EQ(product + static_cast<std::uint64_t>(rest), static_cast<std::uint64_t>(a)) << a << " " << b;
    ASSERT_TRUE(b > 0 ? rest >= 0 && rest < b : rest <= 0 && rest > b) << a << " " << b;
    if (b > 0) {
      ASSERT_EQ(device::wrap(a, b), rest);
    }
  }
  EXPECT_EQ(device::floor_mod(std::uint64_t{7}, 3U), 1U);
  EXPECT_EQ(device::wrap(-1, 8), 7);
}

// What both sides compute, once as calls and once as the text of a kernel.
// clang-format off: it finds no fixed form for these
#define MYLOS_EXPRESSIONS(X)                                                                                       \
  X(sqrt(abs(x)) + cbrt(x) + hypot(x, y)) X(exp(-x * x) + exp2(x) + expm1(x)) X(log(abs(x)) + log1p(abs(x)))       \
  X(sin(x) + cos(y) + tan(x)) X(atan2(x, y) + asin(x / 9) + acos(x / 9) + atan(x)) X(sinh(x) + cosh(y) + tanh(x))  \
  X(asinh(x) + acosh(1 + abs(x)) + atanh(x / 9)) X(pow(abs(x), y)) X(fma(x, y, x)) X(fmod(x, y) + remainder(x, y)) \
  X(floor(x) + ceil(y) + trunc(x) + round(y) + rint(x)) X(copysign(x, y) + fmin(x, y) + fmax(x, y) + fabs(x))      \
  X(erf(x) + erfc(y) + tgamma(abs(x)) + lgamma(y)) X(log2(abs(x)) + log10(abs(y)))                                 \
  X(ldexp(x, 3) + nextafter(x, y)) X(min(x, y) + max(x, y) + clamp(x, -1, 1)) X(square(x) + cube(y) + sign(x))     \
  X(wrap(x, 2) + wrap(wrap(-3, 7), 5)) X(T(is_nan(x)) + T(is_finite(y))) X(sinpi(x)) X(cospi(y))                   \
  X(T(floor_div(-9, 4) + floor_mod(-9, 4))) X(pi_v<T> * e_v<T> + ln2_v<T> + ln10_v<T> + sqrt2_v<T> + two_pi_v<T>)
// clang-format on

template <class T>
std::string kernel_text() {
#define MYLOS_AS_TEXT(expression) "  *out++ = " #expression ";\n"
  return std::string("#include <mylos/device/math.hpp>\nusing T = ") + type_name<T> +
         ";\nnamespace mylos::device {\n"  // for their min and max, not CUDA's
         "__device__ inline void put_results(T x, T y, T* out) {\n" MYLOS_EXPRESSIONS(MYLOS_AS_TEXT)
         "  sincos(x, out, out + 1);\n  out[2] = rsqrt(abs(x));\n}\n}\n"
         "extern \"C\" __global__ void k(const T* in, T* out, int n) {\n"
         "  const int i = threadIdx.x;\n  mylos::device::put_results(in[i], in[i + 1], out + i * n);\n}\n";
#undef MYLOS_AS_TEXT
}

template <class T>
void put_results(T x, T y, std::vector<T>& results) {
  using namespace mylos::device;  // NOLINT(google-build-using-namespace): the expressions are a kernel's
  using mylos::device::max;
  using mylos::device::min;
#define MYLOS_AS_CALL(expression) results.push_back(expression);
  MYLOS_EXPRESSIONS(MYLOS_AS_CALL)
#undef MYLOS_AS_CALL
  T sine, cosine;
  device::sincos(x, &sine, &cosine);
  results.insert(results.end(), {sine, cosine, device::rsqrt(std::abs(x))});
}

TYPED_TEST(Math, IsTheSameInAKernel) {
  using T = TypeParam;
  std::vector<T> values(65);
  for (T& value : values) value = this->number(8);
  std::vector<T> expected;
  for (std::size_t i = 0; i < 64; ++i) put_results(values[i], values[i + 1], expected);
  const DeviceVector<T> in(values);
  const DeviceVector<T> out(std::vector<T>(expected.size(), T(0)));
  const auto per_thread = static_cast<int>(expected.size() / 64);
  run_emulated(kernel_text<T>(), "k", {.grid = {1, 1, 1}, .block = {64, 1, 1}}, static_cast<const T*>(in.data()),
               out.data(), per_thread);
  const std::vector<T> results = out.values();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(results[i], expected[i], 4 * this->epsilon * std::abs(expected[i]))
        << "expression " << i % static_cast<std::size_t>(per_thread);
  }
}

TYPED_TEST(Math, CompilesForEveryArchitecture) { compiles_for_every_architecture(kernel_text<TypeParam>()); }

}  // namespace
}  // namespace mylos_test
