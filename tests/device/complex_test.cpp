// SPDX-License-Identifier: MIT
#include <mylos/device/complex.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include "device/emulated.hpp"
#include "device/every_architecture.hpp"
#include "device/type_name.hpp"
#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

namespace device = mylos::device;
using mylos::complex;

// Kokkos' and CUDA's layout; nothing to initialise, so that there are __shared__ arrays; 0 where a value is asked for.
template <class T>
constexpr bool has_the_layout = sizeof(complex<T>) == 2 * sizeof(T) && alignof(complex<T>) == 2 * sizeof(T) &&
                                sizeof(complex<T>) == sizeof(Kokkos::complex<T>) &&
                                std::is_trivially_copyable_v<complex<T>> && std::is_standard_layout_v<complex<T>> &&
                                std::is_trivially_default_constructible_v<complex<T>> && complex<T>() == T(0);
static_assert(has_the_layout<float> && has_the_layout<double>);

template <class From, class To>
constexpr bool converts = std::is_convertible_v<From, To>;
template <class From, class To>
constexpr bool is_asked_for = std::is_constructible_v<To, From> && !converts<From, To>;
template <class T>
constexpr bool has_the_conversions =
    converts<Kokkos::complex<T>, complex<T>> && converts<complex<T>, Kokkos::complex<T>> &&
    converts<std::complex<T>, complex<T>> && is_asked_for<complex<T>, std::complex<T>> && converts<T, complex<T>> &&
    converts<int, complex<T>> && !std::is_constructible_v<T, complex<T>>;
static_assert(has_the_conversions<float> && has_the_conversions<double>);
static_assert(converts<complex<float>, complex<double>> && is_asked_for<complex<double>, complex<float>>);
static_assert(!converts<Kokkos::complex<double>, complex<float>> && !converts<complex<float>, Kokkos::complex<double>>);
static_assert(std::is_same_v<decltype(complex<float>() * 0.5), complex<float>>);
static_assert(std::is_same_v<decltype(complex<float>() * complex<double>()), complex<double>>);
static_assert(2 * complex<double>(1, 2) - 1 == complex<double>(1, 4));

using Exact = std::complex<long double>;

template <class T>
Exact exactly(complex<T> z) {
  return {z.real(), z.imag()};
}

template <class T>
class Complex : public ::testing::Test {
 protected:
  using Limits = std::numeric_limits<T>;

  /// +-2^e with e equally distributed.
  T number(double lowest_exponent, double highest_exponent) {
    const auto size =
        static_cast<T>(std::exp2(std::uniform_real_distribution(lowest_exponent, highest_exponent)(random_)));
    return random_() % 2 == 0 ? size : -size;
  }
  complex<T> point(double lowest_exponent, double highest_exponent) {
    return {number(lowest_exponent, highest_exponent), number(lowest_exponent, highest_exponent)};
  }
  complex<T> any_point() { return point(Limits::min_exponent - 10, Limits::max_exponent - 1); }
  complex<T> moderate_point() { return point(-10, 4); }
  /// Real and imaginary part within +-`re` and +-`im`.
  complex<T> point_in(double re, double im) {
    return {static_cast<T>(std::uniform_real_distribution(-re, re)(random_)),
            static_cast<T>(std::uniform_real_distribution(-im, im)(random_))};
  }

  /// The distance as a multiple of the result's last place. Results that T cannot hold are none.
  static double ulps(complex<T> result, Exact expected) {
    const long double size = std::abs(expected);
    if (!(size <= static_cast<long double>(Limits::max()))) return 0;
    const long double place = std::max<long double>(size, Limits::min()) * Limits::epsilon();
    return static_cast<double>(std::abs(exactly(result) - expected) / place);
  }

  template <class Point, class F, class Reference>
  void agree(const char* name, double most_ulps, Point point, F f, Reference reference) {
    for (int i = 0; i < 20000; ++i) {
      const complex<T> z = point();
      const complex<T> result = f(z);
      const double distance = ulps(result, reference(exactly(z)));
      if (distance <= most_ulps) continue;
      ADD_FAILURE() << name << "(" << z.real() << " + " << z.imag() << " i) = " << result.real() << " + "
                    << result.imag() << " i: " << distance << " ulps from " << reference(exactly(z));
      return;
    }
  }

  std::mt19937_64 random_{random_seed()};
};

using Parts = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Complex, Parts);

#define MYLOS_AGREE(function, ulps, point)                                                      \
  this->agree(                                                                                  \
      #function, ulps, [&] { return this->point; }, [](auto z) { return device::function(z); }, \
      [](Exact z) { return std::function(z); })

TYPED_TEST(Complex, IsAnArithmeticType) {
  using T = TypeParam;
  const auto with = [this](complex<T> w) {
    const Exact v = exactly(w);
    const auto moderate = [this] { return this->moderate_point(); };
    this->agree("+", 1, moderate, [w](auto z) { return z + w; }, [v](Exact z) { return z + v; });
    this->agree("-", 1, moderate, [w](auto z) { return z - w; }, [v](Exact z) { return z - v; });
    this->agree("*", 2, moderate, [w](auto z) { return z * w; }, [v](Exact z) { return z * v; });
    this->agree("/", 4, moderate, [w](auto z) { return z / w; }, [v](Exact z) { return z / v; });
    const T x = w.real();
    const long double y = x;
    this->agree("z + x", 1, moderate, [x](auto z) { return z + x; }, [y](Exact z) { return z + y; });
    this->agree("x + z", 1, moderate, [x](auto z) { return x + z; }, [y](Exact z) { return y + z; });
    this->agree("z - x", 1, moderate, [x](auto z) { return z - x; }, [y](Exact z) { return z - y; });
    this->agree("x - z", 1, moderate, [x](auto z) { return x - z; }, [y](Exact z) { return y - z; });
    this->agree("z x", 1, moderate, [x](auto z) { return z * x; }, [y](Exact z) { return z * y; });
    this->agree("x z", 1, moderate, [x](auto z) { return x * z; }, [y](Exact z) { return y * z; });
    this->agree("z / x", 1, moderate, [x](auto z) { return z / x; }, [y](Exact z) { return z / y; });
    this->agree("x / z", 4, moderate, [x](auto z) { return x / z; }, [y](Exact z) { return y / z; });
  };
  for (int i = 0; i < 5; ++i) with(this->moderate_point());
}

TYPED_TEST(Complex, HasAssignmentsAndParts) {
  using C = complex<TypeParam>;
  C z(1, 2);
  z += C(1, 1);
  z -= C(0, 1);
  z *= C(0, 2);
  EXPECT_EQ(z, C(-4, 4));
  z /= C(0, 4);
  EXPECT_EQ(z, C(1, 1));
  ((((z += 3) -= 1) *= 2) /= 3);
  EXPECT_EQ(z, C(2, TypeParam(2) / 3));
  z.real() = 5;
  z.imag(7);
  EXPECT_EQ(z, C(5, 7));
  z *= z;
  EXPECT_EQ(z, C(-24, 70));
  z /= z;
  EXPECT_EQ(z, 1);
  EXPECT_TRUE(z != C(1, 1) && -z == -1 && +z == z);
  EXPECT_EQ(device::norm(C(3, 4)), 25);
  EXPECT_EQ(device::conj(C(3, 4)), C(3, -4));
  EXPECT_EQ(device::real(C(3, 4)) + device::imag(C(3, 4)), 7);
}

TYPED_TEST(Complex, ConvertsToAndFromKokkosAndTheStandard) {
  using T = TypeParam;
  using Ours = complex<T>;
  using Kokkos_ = Kokkos::complex<T>;
  using Standard = std::complex<T>;
  const Ours z(1, 2);
  Kokkos_ k = z;
  k = z + T(1);
  const Standard s(z);
  EXPECT_EQ(Ours(k), Ours(2, 2));
  EXPECT_EQ(Kokkos_(z), Kokkos_(1, 2));
  EXPECT_EQ(Ours(static_cast<Standard>(z)), z);
  // Mixed expressions are ours, on either side.
  static_assert(std::is_same_v<decltype(z + k), Ours> && std::is_same_v<decltype(k + z), Ours>);
  static_assert(std::is_same_v<decltype(k * z), Ours> && std::is_same_v<decltype(z / s), Ours>);
  EXPECT_EQ(k - z, Ours(1, 0));
  EXPECT_EQ(k * z, Ours(-2, 6));
  EXPECT_EQ(z / s, Ours(1, 0));
  EXPECT_TRUE(z == s && z != k);
}

TYPED_TEST(Complex, DividesWithoutOverflowAndUnderflow) {
  using T = TypeParam;
  const auto by = [this](complex<T> w) {
    const Exact v = exactly(w);
    this->agree(
        "quotient", 4, [this] { return this->any_point(); }, [w](auto z) { return z / w; },
        [v](Exact z) { return z / v; });
    this->agree(
        "inverse", 4, [this] { return this->any_point(); }, [w](auto z) { return w / z; },
        [v](Exact z) { return v / z; });
  };
  using Of = std::numeric_limits<T>;
  for (int i = 0; i < 10; ++i) by(this->any_point());
  by({Of::max(), Of::max()});
  by({Of::denorm_min(), Of::denorm_min()});
  by({Of::max(), Of::denorm_min()});
  by({0, Of::min()});
  EXPECT_EQ(complex<T>(Of::max(), -Of::max()) / complex<T>(Of::max(), Of::max()), complex<T>(0, -1));
}

TYPED_TEST(Complex, FunctionsAreAccurateEverywhere) {
  MYLOS_AGREE(sqrt, 3, any_point());
  MYLOS_AGREE(log, 3, any_point());
  MYLOS_AGREE(log, 3, point_in(2, 2));
  MYLOS_AGREE(log10, 4, any_point());
  MYLOS_AGREE(abs, 2, any_point());
  MYLOS_AGREE(arg, 2, any_point());
  const double limit = std::log(static_cast<double>(std::numeric_limits<TypeParam>::max())) + 20;
  MYLOS_AGREE(exp, 4, point_in(limit, 10));
  MYLOS_AGREE(sinh, 4, point_in(limit, 10));
  MYLOS_AGREE(cosh, 4, point_in(limit, 10));
  MYLOS_AGREE(tanh, 8, point_in(limit, 10));
  MYLOS_AGREE(sin, 4, point_in(10, limit));
  MYLOS_AGREE(cos, 4, point_in(10, limit));
  MYLOS_AGREE(tan, 8, point_in(10, limit));
  MYLOS_AGREE(exp, 4, moderate_point());
  MYLOS_AGREE(sinh, 4, moderate_point());
  MYLOS_AGREE(cosh, 4, moderate_point());
  MYLOS_AGREE(tanh, 8, moderate_point());
  MYLOS_AGREE(sin, 4, moderate_point());
  MYLOS_AGREE(cos, 4, moderate_point());
  MYLOS_AGREE(tan, 8, moderate_point());
}

// log z is small next to z = 1 and keeps its digits, along the unit circle its angle does.
TYPED_TEST(Complex, LogarithmKeepsItsDigitsNearOne) {
  using T = TypeParam;
  this->agree(
      "log", 4, [this] { return T(1) + this->point(-40, -3); }, [](auto z) { return device::log(z); },
      [](Exact z) { return std::log(z); });
  this->agree(
      "log", 4, [this] { return device::polar(T(1), this->number(-10, 1)); }, [](auto z) { return device::log(z); },
      [](Exact z) { return std::log(z); });
}

TYPED_TEST(Complex, PowersAreAccurate) {
  using T = TypeParam;
  const auto moderate = [this] { return this->point(-2, 2); };
  for (const int n : {-7, -1, 0, 1, 2, 5, 12}) {
    this->agree(
        "z^n", 4 + 2 * std::abs(n), moderate, [n](auto z) { return pow(z, n); },
        [n](Exact z) { return std::pow(z, static_cast<long double>(n)); });
  }
  const T p = this->number(-2, 2);
  this->agree(
      "z^p", 40, moderate, [p](auto z) { return pow(z, p); },
      [p](Exact z) { return std::pow(z, static_cast<long double>(p)); });
  const complex<T> w = this->point(-2, 2);
  this->agree(
      "z^w", 40, moderate, [w](auto z) { return pow(z, w); }, [v = exactly(w)](Exact z) { return std::pow(z, v); });
  this->agree("x^z", 40, moderate, [](auto z) { return pow(T(2.5), z); }, [](Exact z) { return std::pow(2.5L, z); });
  using C = complex<T>;
  EXPECT_EQ(pow(C(1, 1), 4), C(-4, 0));
  EXPECT_EQ(pow(C(0, 2), -2), C(T(-0.25), 0));
  EXPECT_TRUE(pow(C(0, 0), 0) == 1 && pow(C(0, 0), T(0.5)) == 0 && pow(C(0, 0), C(1, 1)) == 0);
  EXPECT_TRUE(pow(C(0, 0), C(0, 0)) == 1 && device::is_nan(pow(C(0, 0), C(-1, 0)).real()));
}

TYPED_TEST(Complex, PolarFormIsItsInverse) {
  using T = TypeParam;
  this->agree(
      "polar", 4, [this] { return this->moderate_point(); },
      [](auto z) { return device::polar(device::abs(z), device::arg(z)); }, [](Exact z) { return z; });
  EXPECT_EQ(device::polar(std::numeric_limits<T>::infinity()), complex<T>(std::numeric_limits<T>::infinity(), 0));
}

/// Both are NaN, or equal zeros, infinities or numbers to the last digit but one.
template <class T>
bool alike(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= 4 * std::numeric_limits<T>::epsilon() * std::abs(b);
}

// Annex G leaves the sign, and the NaN beside an infinity, open here and there.
template <class T>
bool alike(complex<T> a, std::complex<T> b) {
  const auto is_infinite = [](auto z) { return std::isinf(z.real()) || std::isinf(z.imag()); };
  if (is_infinite(a) && is_infinite(b) && (std::isnan(b.real()) || std::isnan(b.imag()))) return true;
  return alike(a.real(), b.real()) && alike(a.imag(), b.imag());
}

TYPED_TEST(Complex, SpecialValuesAreThoseOfTheStandard) {
  using T = TypeParam;
  constexpr T infinity = std::numeric_limits<T>::infinity();
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  const std::vector<T> parts{-infinity, T(-1.5), T(-0.0), T(0), T(2), infinity, nan};
  std::vector<complex<T>> points;
  for (const T re : parts) {
    for (const T im : parts) points.emplace_back(re, im);
  }
  const auto text = [](auto z) { return std::to_string(z.real()) + " + " + std::to_string(z.imag()) + " i"; };
  for (const complex<T> z : points) {
    const std::complex<T> s(z);
    EXPECT_TRUE(alike(device::sqrt(z), std::sqrt(s))) << text(z) << ": " << text(device::sqrt(z));
    EXPECT_TRUE(alike(device::log(z), std::log(s))) << text(z) << ": " << text(device::log(z));
    EXPECT_TRUE(alike(device::abs(z), std::abs(s))) << text(z) << ": " << device::abs(z);
    if (std::isfinite(z.imag()) || z.real() == -infinity) {
      EXPECT_TRUE(alike(device::exp(z), std::exp(s))) << text(z) << ": " << text(device::exp(z));
    }
    if (std::isfinite(z.imag())) {
      EXPECT_TRUE(alike(device::sinh(z), std::sinh(s))) << text(z) << ": " << text(device::sinh(z));
      EXPECT_TRUE(alike(device::cosh(z), std::cosh(s))) << text(z) << ": " << text(device::cosh(z));
      EXPECT_TRUE(alike(device::tanh(z), std::tanh(s))) << text(z) << ": " << text(device::tanh(z));
    }
    for (const complex<T> w : points) {
      const std::complex<T> quotient = s / std::complex<T>(w);
      EXPECT_TRUE(alike(z / w, quotient))
          << text(z) << " / " << text(w) << ": " << text(z / w) << ", not " << text(quotient);
    }
  }
}

// What both sides compute, once as calls and once as the text of a kernel.
// clang-format off: it finds no fixed form for these
#define MYLOS_EXPRESSIONS(X)                                                                                      \
  X(a + b) X(a - b) X(a * b) X(a / b) X(2 * a - b / 3 + T(1) / b) X(-a) X(conj(a) * real(b) + imag(b))           \
  X(norm(a)) X(abs(a)) X(arg(a)) X(device::polar(abs(a), arg(b))) X(exp(a)) X(log(a)) X(log10(a)) X(sqrt(a))     \
  X(sin(a)) X(cos(a)) X(tan(a)) X(sinh(a)) X(cosh(a)) X(tanh(a)) X(pow(a, 3)) X(pow(a, 0.5)) X(pow(a, b))        \
  X(pow(T(2), a)) X(a == b ? a : b) X(C(complex<float>(1, 2)) + a)
// clang-format on

template <class T>
std::string kernel_text() {
#define MYLOS_AS_TEXT(expression) "  *out++ = " #expression ";\n"
  return std::string("#include <mylos/device/complex.hpp>\nusing namespace mylos;\nusing T = ") + type_name<T> +
         ";\n"
         "using C = mylos::complex<T>;\n"
         "extern \"C\" __global__ void k(const C* in, C* out, int n) {\n"
         "  __shared__ C b_of_block[64];\n"
         "  const int i = threadIdx.x;\n"
         "  b_of_block[i] = in[i + 1];\n"
         "  __syncthreads();\n"
         "  const C a = in[i], b = b_of_block[i];\n"
         "  out += i * n;\n" MYLOS_EXPRESSIONS(MYLOS_AS_TEXT) "}\n";
#undef MYLOS_AS_TEXT
}

template <class T>
void put_results(complex<T> a, complex<T> b, std::vector<complex<T>>& results) {
  using C = complex<T>;
#define MYLOS_AS_CALL(expression) results.push_back(expression);
  MYLOS_EXPRESSIONS(MYLOS_AS_CALL)
#undef MYLOS_AS_CALL
}

TYPED_TEST(Complex, IsTheSameInAKernel) {
  using T = TypeParam;
  std::vector<complex<T>> values(65);
  std::ranges::generate(values, [this] { return this->moderate_point(); });
  std::vector<complex<T>> expected;
  for (std::size_t i = 0; i < 64; ++i) put_results(values[i], values[i + 1], expected);
  const DeviceVector<complex<T>> in(values);
  const DeviceVector<complex<T>> out(std::vector<complex<T>>(expected.size(), T(0)));
  run_emulated(kernel_text<T>(), "k", {.grid = {1, 1, 1}, .block = {64, 1, 1}},
               static_cast<const complex<T>*>(in.data()), out.data(), static_cast<int>(expected.size() / 64));
  const auto results = out.values();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_LE(this->ulps(results[i], exactly(expected[i])), 2) << "expression " << i % (expected.size() / 64);
  }
}

TYPED_TEST(Complex, CompilesForEveryArchitecture) { compiles_for_every_architecture(kernel_text<TypeParam>()); }

TYPED_TEST(Complex, IsAnElementAndASumInKokkos) {
  using C = complex<TypeParam>;
  const Kokkos::View<C*> z("z", 100);
  EXPECT_EQ(z(7), 0);  // Views are initialised
  Kokkos::parallel_for(100, KOKKOS_LAMBDA(int i) { z(i) = C(TypeParam(i), TypeParam(1)) * C(0, 1); });
  C sum;
  Kokkos::parallel_reduce(100, KOKKOS_LAMBDA(int i, C& part) { part += z(i); }, sum);
  EXPECT_EQ(sum, C(-100, 4950));
}

}  // namespace
}  // namespace mylos_test
