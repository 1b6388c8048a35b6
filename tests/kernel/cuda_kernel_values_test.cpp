// SPDX-License-Identifier: MIT
// What goes to kernels by value, and as elements of Views: numbers, classes, complex numbers.
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/device/complex.hpp>
#include <mylos/kernel/cuda_kernel.hpp>
#include <mylos/kernel/struct_layout.hpp>

#include "support/contains.hpp"
#include "support/random_seed.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::CudaKernel;
template <class T>
using DeviceView = Kokkos::View<T, mylos::DeviceSpace>;

// Writes its scalar parameter, of a type of the test's choice, into the View.
template <class Out, class In>
Out passed(const std::string& type, In value) {
  const CudaKernel kernel("#include <mylos/device/integers.hpp>\nextern \"C\" __global__ void store(" + type +
                              "* out, " + type + " value) { out[0] = value; }",
                          "store");
  const DeviceView<Out*> out("out", 1);
  kernel(out, value);
  Out result;
  Kokkos::deep_copy(result, Kokkos::subview(out, 0));
  return result;
}

TEST(CudaKernelValues, ScalarsAreConvertedToTheDeclaredType) {
  EXPECT_EQ(passed<float>("float", 2.0), 2.0F);
  EXPECT_EQ(passed<double>("double", 7), 7.0);
  EXPECT_EQ(passed<double>("double", 0.25F), 0.25);
  EXPECT_EQ(passed<std::size_t>("size_t", 5), 5U);
  EXPECT_EQ(passed<std::int64_t>("long long", 5U), 5);
  EXPECT_EQ(passed<std::int64_t>("std::int64_t", true), 1);
  EXPECT_EQ(passed<signed char>("signed char", -128), -128);
  EXPECT_EQ(passed<std::uint16_t>("unsigned short", 65535LL), 65535);
  EXPECT_TRUE(passed<bool>("bool", 1LL));
  EXPECT_TRUE(std::isinf(passed<float>("float", std::numeric_limits<double>::infinity())));
  EXPECT_TRUE(std::isnan(passed<float>("float", std::numeric_limits<double>::quiet_NaN())));
}

TEST(CudaKernelValues, EveryIntegerThatFitsArrives) {
  std::mt19937_64 random(random_seed());
  for (int n = 0; n < 20; ++n) {
    const auto value = static_cast<std::int64_t>(random()) >> (random() % 64);
    EXPECT_EQ(passed<std::int64_t>("long long", value), value);
    if (std::in_range<std::int32_t>(value)) {
      EXPECT_EQ(passed<std::int32_t>("int", value), value);
    } else {
      EXPECT_TRUE(
          contains(thrown<mylos::RangeError>([&] { passed<std::int32_t>("int", value); }), {std::to_string(value)}));
    }
  }
}

TEST(CudaKernelValues, ScalarsThatDoNotFitAreRefused) {
  const auto text = [](auto&& call) { return thrown<mylos::RangeError>(call); };
  EXPECT_TRUE(contains(text([] { passed<int>("int", std::int64_t(1) << 40); }),
                       {"kernel 'store'", "argument 2", "1099511627776", "int value", "range"}));
  EXPECT_TRUE(contains(text([] { passed<std::size_t>("size_t", -1); }), {"-1", "size_t value"}));
  EXPECT_TRUE(contains(text([] { passed<int>("int", 2.0); }), {"2", "floating-point"}));
  EXPECT_TRUE(
      contains(text([] { passed<int>("int", std::numeric_limits<double>::quiet_NaN()); }), {"nan", "floating-point"}));
  EXPECT_TRUE(contains(text([] { passed<bool>("bool", 2); }), {"the value 2", "bool value", "true (1) or false (0)"}));
  EXPECT_TRUE(contains(text([] { passed<bool>("bool", -1ll); }), {"the value -1", "true (1) or false (0)"}));
  EXPECT_TRUE(contains(text([] { passed<bool>("bool", 0.5); }), {"0.5", "floating-point"}));
  EXPECT_TRUE(passed<bool>("bool", 1));
  EXPECT_FALSE(passed<bool>("bool", std::uint8_t(0)));
  EXPECT_TRUE(contains(text([] { passed<float>("float", 1e300); }), {"1e+300", "largest"}));
  EXPECT_TRUE(contains(text([] { passed<float>("float", 1e-300); }), {"1e-300", "would become 0"}));
}

struct Flags {
  bool a, b;
  std::uint64_t m;
};
MYLOS_STRUCT(Flags, a, b, m);

TEST(CudaKernelValues, ALongNumberBehindBooleansArrivesWhole) {
  const TemporaryFolder folder;
  std::ofstream(folder / "flags.hpp")
      << "#pragma once\n#include <mylos/device.hpp>\n"
         "struct Flags { bool a, b; std::uint64_t m; };\nMYLOS_STRUCT(Flags, a, b, m);\n";
  mylos::verify_layout<Flags>("Flags", folder / "flags.hpp");  // NVRTC's, too
  const CudaKernel take(R"cuda(#include "flags.hpp"
extern "C" __global__ void take(std::uint64_t* out, Flags flags) {
  out[0] = flags.m;
  out[1] = flags.a;
  out[2] = flags.b;
  out[3] = reinterpret_cast<const char*>(&flags.m) - reinterpret_cast<const char*>(&flags);
})cuda",
                        "take", {.include_dirs = {folder.path()}});
  const DeviceView<std::uint64_t*> out("out", 4);
  take({.threads = 1, .block = 1}, out, Flags{false, true, 0x0102030405060708});
  const auto found = mylos::to_host(out);
  EXPECT_EQ(found(0), 0x0102030405060708U);
  EXPECT_EQ(found(1), 0U);
  EXPECT_EQ(found(2), 1U);
  EXPECT_EQ(found(3), 8U) << "where it lies";
}

struct Small { double x; };
struct Large { double x, y; };
struct Bytes { std::array<char, 16> bytes; };

TEST(CudaKernelValues, ClassesMustHaveTheKernelsSize) {
  constexpr const char* text = R"cuda(
#include <mylos/device/array.hpp>
struct S { double x, y; };
extern "C" __global__ void value(double* out, S s) { out[0] = s.y; }
extern "C" __global__ void pointer(S* s) { s[0].y = 1; }
extern "C" __global__ void array(mylos::Array<S, 1> s) { s(0).y = 1; }
)cuda";
  const Kokkos::View<double*, mylos::DeviceSpace> out("out", 1);
  const CudaKernel value(text, "value");
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { value({.threads = 1}, out, Small{1}); }),
                       {"kernel 'value'", "argument 2", "'S s'", "it has 8 bytes", "S has 16", "->  2"}));
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { value({.threads = 1}, out, Bytes{}); }),
                       {"16 bytes and alignment 1", "16 and 8"}));
  value({.threads = 1}, out, Large{1, 2});
  EXPECT_EQ(mylos::to_host(out)(0), 2);
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { value({.threads = 1}, out, Small{1}); }), {"8 bytes"}))
      << "each list of types is compared";
  for (const char* name : {"pointer", "array"}) {
    const CudaKernel kernel(text, name);
    EXPECT_TRUE(
        contains(thrown<mylos::SignatureError>([&] { kernel(Kokkos::View<Small*, mylos::DeviceSpace>("small", 4)); }),
                 {"'small'", "its elements have 8 bytes", "S has 16"}));
    EXPECT_NO_THROW(kernel({.threads = 1}, Kokkos::View<Large*, mylos::DeviceSpace>("large", 4)));
  }
}

TEST(CudaKernelValues, ASizeThatChangesIsComparedAgain) {
  const TemporaryFolder folder;
  const auto write = [&](const char* members) {
    std::ofstream(folder / "s.hpp") << "struct S { " << members << " };\n";
  };
  write("double x;");
  CudaKernel kernel("#include \"s.hpp\"\nextern \"C\" __global__ void k(S s) {}", "k", {.include_dirs = {folder / ""}});
  EXPECT_NO_THROW(kernel({.threads = 1}, Small{1}));
  write("double x, y;");
  kernel.recompile();
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { kernel({.threads = 1}, Small{1}); }), {"S has 16"}));
}

TEST(CudaKernelValues, ComplexNumbersOfBothLibrariesFit) {
  const CudaKernel kernel(R"cuda(
struct alignas(16) Number { double re, im; };
extern "C" __global__ void conjugate(double2* z) { z[0].y = -z[0].y; })cuda",
                          "conjugate");
  const DeviceView<Kokkos::complex<double>*> z("z", 1);
  Kokkos::deep_copy(z, Kokkos::complex<double>(1, 2));
  const std::string text = thrown<mylos::SignatureError>([&] { kernel(DeviceView<Kokkos::complex<float>*>("f", 1)); });
  EXPECT_TRUE(contains(text, {"complex<float>", "double2"}));
  struct alignas(16) Two { double x, y; };
  const DeviceView<Two*> aligned("two", 1);
  EXPECT_NO_THROW(kernel(aligned)) << "two doubles aligned to 16";
  thrown<mylos::SignatureError>([&] { kernel(DeviceView<Large*>("pair", 1)); });
}

const CudaKernel& complex_sample() {
  static const CudaKernel kernel(R"cuda(
#include <mylos/device/array.hpp>
#include <mylos/device/complex.hpp>
extern "C" __global__ void rotate(mylos::complex<double>* z, mylos::Array<const mylos::complex<double>, 2> m,
                                  mylos::complex<double> by, mylos::complex<float> plus) {
  z[threadIdx.x] = z[threadIdx.x] * by + m(threadIdx.x, 1) + plus;
})cuda",
                                 "rotate");
  return kernel;
}

// Views and values of each library's numbers, in any mixture; real values become complex ones.
template <class Number, class Value, class Small>
void expect_rotated(const Value& by, const Small& plus) {
  const DeviceView<Number*> z("z", 2);
  const DeviceView<Number**> m("m", 2, 2);
  Kokkos::deep_copy(z, Number(1, 2));
  Kokkos::deep_copy(m, Number(10, 20));
  complex_sample()(z, m, by, plus);
  const auto result = mylos::to_host(z);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(mylos::complex<double>(result(i)), mylos::complex<double>(8.5, 21.25)) << i;
}

TEST(CudaKernelValues, ComplexNumbersOfAllLibrariesAreThoseOfTheKernel) {
  const mylos::complex<double> by(0, 1);
  const mylos::complex<float> plus(0.5F, 0.25F);
  expect_rotated<Kokkos::complex<double>>(Kokkos::complex<double>(by), Kokkos::complex<float>(plus));
  expect_rotated<mylos::complex<double>>(by, plus);
  expect_rotated<Kokkos::complex<double>>(std::complex<double>(by), std::complex<float>(plus));
  expect_rotated<mylos::complex<double>>(mylos::complex<float>(by), mylos::complex<double>(plus));
  const DeviceView<mylos::complex<double>*> z("z", 1);
  const DeviceView<mylos::complex<double>**> m("m", 1, 2);
  Kokkos::deep_copy(z, mylos::complex<double>(1, 2));
  complex_sample()(z, m, 2, 1.5F);
  EXPECT_EQ(mylos::to_host(z)(0), mylos::complex<double>(3.5, 4));
}

TEST(CudaKernelValues, OtherNumbersAreNoComplexOnes) {
  const DeviceView<Kokkos::complex<double>*> z("z", 1);
  const DeviceView<Kokkos::complex<double>**> m("m", 1, 2);
  const mylos::complex<double> by(0, 1);
  const auto refused = [&](const auto&... arguments) {
    const std::string text = thrown<mylos::SignatureError>([&] { complex_sample()(arguments...); });
    EXPECT_TRUE(contains(text, {"kernel 'rotate'", "parameter"}));
    return text;
  };
  EXPECT_TRUE(contains(refused(DeviceView<Kokkos::complex<float>*>("narrow", 1), m, by, by),
                       {"argument 1", "'narrow' (View<complex<float>*", "its elements are complex<float>",
                        "complex<double>", "elements are never converted"}));
  EXPECT_TRUE(contains(refused(DeviceView<double*>("real", 2), m, by, by),
                       {"argument 1", "its elements are double", "complex<double>"}));
  EXPECT_TRUE(contains(refused(z, DeviceView<mylos::complex<float>**>("matrix", 1, 2), by, by),
                       {"argument 2", "'matrix' (View<complex<float>**", "its elements are complex<float>"}));
  EXPECT_TRUE(contains(refused(z, m, Large{0, 1}, by), {"argument 3", "does not convert to mylos::complex<double>"}));
  EXPECT_TRUE(contains(thrown<mylos::RangeError>([&] { complex_sample()(z, m, by, mylos::complex<double>(0, 1e300)); }),
                       {"argument 4", "1e+300", "mylos::complex<float>", "largest number"}));
  const CudaKernel takes_real("extern \"C\" __global__ void real(double x) {}", "real");
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { takes_real({.threads = 1}, by); }),
                       {"argument 1", "complex<double> does not convert to double"}));
}

TEST(CudaKernelValues, ValuesAreAlignedAsTheirClassesAre) {
  struct alignas(64) Wide { double v[8]; };
  // The sum is of vectors, which the compiler loads by instructions that demand the alignment.
  const CudaKernel kernel(R"cuda(
struct alignas(64) Wide { double v[8]; };
extern "C" __global__ void k(double* out, char before, Wide a, char between, Wide b) {
  out[0] = reinterpret_cast<unsigned long long>(&a) % 64 + reinterpret_cast<unsigned long long>(&b) % 64;
  double sum[8];
  for (int i = 0; i < 8; ++i) sum[i] = a.v[i] + b.v[i];
  for (int i = 0; i < 8; ++i) out[i + 1] = sum[i];
})cuda",
                          "k", {.block = 1});
  const DeviceView<double*> out("out", 9);
  const Wide a{{0, 1, 2, 3, 4, 5, 6, 7}}, b{{10, 20, 30, 40, 50, 60, 70, 80}};
  const auto at_stack_offset = [&](auto bytes) {
    volatile char moved[decltype(bytes)::value] = {};
    static_cast<void>(moved);
    kernel({.threads = 1}, out, 'a', a, 'b', b);
    const auto result = mylos::to_host(out);
    EXPECT_EQ(result(0), 0);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(result(i + 1), a.v[i] + b.v[i]);
  };
  at_stack_offset(std::integral_constant<int, 1>());
  at_stack_offset(std::integral_constant<int, 17>());
  at_stack_offset(std::integral_constant<int, 33>());
  at_stack_offset(std::integral_constant<int, 49>());
}

}  // namespace
}  // namespace mylos_test
