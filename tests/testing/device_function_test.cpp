// SPDX-License-Identifier: MIT
#include <mylos/testing/device_function.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/device/complex.hpp>
#include <mylos/device/math.hpp>
#include <mylos/jit/compiler.hpp>

#include "support/contains.hpp"
#include "support/nvrtc_test.hpp"
#include "support/random_seed.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

// One definition for both sides: this text is compiled here and handed to kernels.
#define SHARED_TEXT(...) \
  __VA_ARGS__            \
  static const std::string shared_text = #__VA_ARGS__;

namespace app {
// clang-format off
SHARED_TEXT(
struct Cell { double lower; float width; int number; };
MYLOS_FUNCTION inline double polynomial(const double* table, int degree, double x) {
  double sum = 0;
  for (int n = degree; n >= 0; --n) sum = sum * x + table[n];
  return sum;
}
MYLOS_FUNCTION inline double center(const Cell& cell, double shift) { return cell.lower + 0.5 * cell.width + shift; }
MYLOS_FUNCTION inline int number(Cell cell) { return cell.number; }
MYLOS_FUNCTION inline float width(const Cell* cell, int n) { return cell[n].width; }
MYLOS_FUNCTION inline void split(double x, double& whole, std::int64_t& parts) { parts += 2; whole = x - 1; }
MYLOS_FUNCTION inline void grow(Cell& cell) { cell.number += 1; }
template <int n> MYLOS_FUNCTION int times(int x) { return n * x; }
)
// clang-format on
}  // namespace app

namespace mylos_test {
namespace {

using mylos::DeviceSpace;
using mylos::testing::device_function;

const std::string text = "namespace app {\n" + app::shared_text + "}\n";

template <class T>
using OnDevice = Kokkos::View<T*, DeviceSpace>;

template <class T>
OnDevice<T> on_device(const std::string& label, const std::vector<T>& values) {
  const Kokkos::View<const T*, mylos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(values.data(),
                                                                                               values.size());
  OnDevice<T> view(label, values.size());
  Kokkos::deep_copy(view, host);
  return view;
}

template <class V>
auto values_of(const V& view) {
  const auto host = mylos::to_host(view);
  std::vector<typename V::non_const_value_type> values(host.extent(0));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = host(i);
  return values;
}

constexpr std::size_t count = 300;

template <class T, class F>
std::vector<T> made(F&& f) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = f(i);
  return values;
}

class DeviceFunctions : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<double> random_numbers(double from, double to) {
    std::uniform_real_distribution<double> numbers(from, to);
    return made<double>([&](std::size_t) { return numbers(generator_); });
  }
  [[nodiscard]] std::vector<app::Cell> random_cells() {
    std::uniform_real_distribution<float> numbers(0, 1);
    return made<app::Cell>(
        [&](std::size_t i) { return app::Cell{numbers(generator_), numbers(generator_), static_cast<int>(3 * i)}; });
  }

 private:
  std::mt19937_64 generator_{random_seed()};
};

TEST_F(DeviceFunctions, AreCalledForEachIndex) {
  const auto f = device_function(text, "double app::polynomial(const double* table, int degree, double x)");
  const std::vector<double> table = {1.5, -2, 0.25, 3}, x = random_numbers(-1, 1);
  const auto degrees = made<int>([](std::size_t i) { return static_cast<int>(i % 4); });
  const OnDevice<double> result("result", count);
  f(on_device("table", table), on_device("degrees", degrees), on_device("x", x), result);
  EXPECT_EQ(values_of(result),
            made<double>([&](std::size_t i) { return app::polynomial(table.data(), degrees[i], x[i]); }));
}

TEST_F(DeviceFunctions, TakeValuesForAllIndices) {
  const auto f = device_function(text, "double app::polynomial(const double* table, int degree, double x)");
  const std::vector<double> table = {1.5, -2, 0.25, 3}, x = random_numbers(-1, 1);
  const OnDevice<double> result("result", count);
  f(on_device("table", table), 2, on_device("x", x), result);
  EXPECT_EQ(values_of(result), made<double>([&](std::size_t i) { return app::polynomial(table.data(), 2, x[i]); }));
  f(4.5, 0, 0.5, result);  // a pointer to one value
  EXPECT_EQ(values_of(result), std::vector<double>(count, 4.5));
  EXPECT_EQ(f.declaration().name, "app::polynomial");
}

TEST_F(DeviceFunctions, TakeStructsByValueReferenceAndPointer) {
  const std::vector<app::Cell> cells = random_cells();
  const auto device_cells = on_device("cells", cells);
  const app::Cell one = cells[7];
  const OnDevice<double> centers("centers", count);
  const auto center = device_function(text, "double app::center(const app::Cell& cell, double shift)");
  center(device_cells, 0.5, centers);
  EXPECT_EQ(values_of(centers), made<double>([&](std::size_t i) { return app::center(cells[i], 0.5); }));
  center(one, on_device("shift", std::vector<double>(count, 2.0)), centers);
  EXPECT_EQ(values_of(centers), std::vector<double>(count, app::center(one, 2.0)));

  const OnDevice<int> numbers("numbers", count);
  const auto number = device_function(text, "int app::number(app::Cell)");
  number(device_cells, numbers);
  EXPECT_EQ(values_of(numbers), made<int>([&](std::size_t i) { return cells[i].number; }));
  number(one, numbers);
  EXPECT_EQ(values_of(numbers), std::vector<int>(count, one.number));

  const OnDevice<float> widths("widths", count);
  const auto width = device_function(text, "float app::width(const app::Cell* cell, int n)");
  width(device_cells, on_device("n", made<int>([](std::size_t i) { return static_cast<int>(count - 1 - i); })), widths);
  EXPECT_EQ(values_of(widths), made<float>([&](std::size_t i) { return cells[count - 1 - i].width; }));
  width(one, 0, widths);
  EXPECT_EQ(values_of(widths), std::vector<float>(count, one.width));
}

TEST_F(DeviceFunctions, WithoutResultWriteThroughReferences) {
  const std::vector<double> x = random_numbers(-5, 5);
  const OnDevice<double> whole("whole", count);
  const OnDevice<std::int64_t> parts("parts", count);
  device_function(text, "void app::split(double x, double& whole, std::int64_t& parts)")(on_device("x", x), whole,
                                                                                         parts);
  EXPECT_EQ(values_of(whole), made<double>([&](std::size_t i) { return x[i] - 1; }));
  EXPECT_EQ(values_of(parts), std::vector<std::int64_t>(count, 2));

  const auto cells = on_device("cells", random_cells());
  device_function(text, "void app::grow(app::Cell& cell)")(cells);
  EXPECT_EQ(values_of(cells)[10].number, 31);
}

TEST_F(DeviceFunctions, AreCalledForTheIndicesThatAreAskedFor) {
  const OnDevice<std::int64_t> calls("calls", 3);
  const auto add = device_function(
      "__device__ void add(long long* calls) { atomicAdd(reinterpret_cast<unsigned long long*>(calls), 1); }",
      "void add(long long* calls)");
  add({.threads = 70, .block = 32}, calls);
  EXPECT_EQ(values_of(calls), (std::vector<std::int64_t>{70, 0, 0}));
  add({.threads = 0}, calls);
  EXPECT_EQ(values_of(calls)[0], 70);

  const OnDevice<int> result("result", 10);
  const auto next = device_function("__device__ int next(int x) { return x + 1; }", "int next(int x)");
  next({.threads = 4}, on_device("x", std::vector<int>(6, 1)), result);
  EXPECT_EQ(values_of(result), (std::vector<int>{2, 2, 2, 2, 0, 0, 0, 0, 0, 0}));
  next(on_device("x", std::vector<int>(6, 2)), result, 3);
  next({.threads = 5}, on_device("x", std::vector<int>(6, 3)), result, std::int64_t{2});
  EXPECT_EQ(values_of(result), (std::vector<int>{4, 4, 3, 2, 0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { next(result, result, 2.5); }), {"3 arguments given"}));
}

TEST_F(DeviceFunctions, MayBeTemplatesAndShareNamesWithTheirParameters) {
  const OnDevice<int> result("result", 4);
  device_function(text, "int app::times<7>(int times)")(on_device("x", std::vector<int>{1, 2, 3, 4}), result);
  EXPECT_EQ(values_of(result), (std::vector<int>{7, 14, 21, 28}));
  const auto f =
      device_function("__device__ int f(int result, int index, int indices) { return result + index * indices; }",
                      "int f(int result, int index, int indices)");
  f(on_device("a", std::vector<int>{1, 2, 3, 4}), 10, 2, result);
  EXPECT_EQ(values_of(result), (std::vector<int>{21, 22, 23, 24}));
}

TEST_F(DeviceFunctions, ComeFromFilesAndFromHeadersOfMylos) {
  const TemporaryFolder folder;
  mylos::write_file_atomically(folder / "inner.hpp", "inline __device__ double twice(double x) { return 2 * x; }\n");
  mylos::write_file_atomically(folder / "outer.hpp", "#pragma once\n#include \"inner.hpp\"\n");
  const std::vector<double> x = random_numbers(-9, 9);
  const auto device_x = on_device("x", x);
  const OnDevice<double> result("result", count);
  device_function((folder / "outer.hpp").string(), "double twice(double x)")(device_x, result);
  EXPECT_EQ(values_of(result), made<double>([&](std::size_t i) { return 2 * x[i]; }));
  device_function("inner.hpp", "double twice(double x)", {.include_dirs = {folder.path()}})(device_x, result);
  EXPECT_EQ(values_of(result), made<double>([&](std::size_t i) { return 2 * x[i]; }));
  device_function("mylos/device/math.hpp", "double mylos::device::wrap(double x, double box)")(device_x, 2.5, result);
  EXPECT_EQ(values_of(result), made<double>([&](std::size_t i) { return mylos::device::wrap(x[i], 2.5); }));
}

TEST_F(DeviceFunctions, GiveComplexNumbersAndTakeArrays) {
  using Complex = mylos::complex<double>;
  const OnDevice<Complex> result("result", 3);
  const Kokkos::View<double**, DeviceSpace> matrix("matrix", 3, 2);
  Kokkos::deep_copy(matrix, 2.5);
  const auto f = device_function(
      "#include <mylos/device/complex.hpp>\n"
      "__device__ mylos::complex<double> f(mylos::Array<const double, 2> m, int i) { return {m(i, 1), double(i)}; }",
      "mylos::complex<double> f(mylos::Array<const double, 2> m, int i)");
  f(matrix, on_device("i", std::vector<int>{0, 1, 2}), result);
  EXPECT_EQ(values_of(result)[2], Complex(2.5, 2.0));
}

TEST_F(DeviceFunctions, RefuseArgumentsThatDoNotFit) {
  const auto f = device_function(text, "double app::polynomial(const double* table, int degree, double x)");
  const OnDevice<double> result("result", 10), x("x", 10), five("five", 5), table("table", 4);
  const OnDevice<float> floats("floats", 10);
  const auto refusal = [&]<class E>(std::type_identity<E>, const auto&... arguments) {
    return thrown<E>([&] { f(arguments...); });
  };
  const std::type_identity<mylos::SignatureError> signature;
  const std::type_identity<mylos::ShapeError> shape;
  EXPECT_TRUE(
      contains(refusal(signature, table, 2, result), {"'double app::polynomial(", "3 arguments given", "takes 4"}));
  EXPECT_TRUE(contains(refusal(shape, table, 2, five, result), {"argument 3", "'five'", "5 elements", "10 indices"}));
  EXPECT_TRUE(contains(refusal(shape, mylos::Launch{.threads = 7}, table, 2, five, result), {"'five'", "7 indices"}));
  EXPECT_TRUE(contains(refusal(signature, table, 2, floats, result), {"argument 3", "'floats'", "double"}));
  EXPECT_TRUE(contains(refusal(signature, table, 2, x, floats), {"argument 4", "'floats'"}));
  EXPECT_TRUE(contains(refusal(signature, table, 2, x, 1.0), {"argument 4", "takes a View"}));
  EXPECT_TRUE(contains(refusal(std::type_identity<mylos::RangeError>(), table, std::int64_t{1} << 40, x, result),
                       {"argument 2", "1099511627776"}));
  EXPECT_TRUE(
      contains(refusal(std::type_identity<mylos::LaunchError>(), mylos::Launch{.threads = {2, 3}}, table, 2, x, result),
               {"(2, 3)", "one number"}));
  EXPECT_TRUE(contains(refusal(std::type_identity<mylos::SpaceError>(), table, 2, mylos::to_host(x), result),
                       {"argument 3", "'x'"}));
}

TEST_F(DeviceFunctions, RefuseWhatNobodyWouldSeeOrCount) {
  const auto split = device_function(text, "void app::split(double x, double& whole, std::int64_t& parts)");
  const OnDevice<double> x("x", 10);
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { split(x, 1.0, 2); }),
                       {"argument 2 is a value", "'double& whole'", "pass a View"}));
  const auto nothing = device_function("__device__ void nothing(double x) {}", "void nothing(double x)");
  EXPECT_TRUE(
      contains(thrown<mylos::LaunchError>([&] { nothing(1.0); }), {"'void nothing(double x)'", ".threads = n"}));
  EXPECT_THROW(static_cast<void>(device_function(text, "double app::polynomial")), mylos::SignatureError);
  const auto absent = device_function(text, "double app::absent(double x)");
  EXPECT_TRUE(contains(thrown<mylos::CompileError>([&] { absent(1.0, x); }), {"absent"}));
}

using DeviceFunctionsUnderNvrtc = NvrtcTest<>;

TEST_F(DeviceFunctionsUnderNvrtc, Compile) {
  const auto function = mylos::jit::parse_function("double app::center(const app::Cell& cell, double shift)");
  for (const bool takes_view : {false, true}) {
    const auto kernel = mylos::jit::NvrtcCompiler().compile(
        {.text = mylos::testing::detail::text_around(text, function, {takes_view, !takes_view}),
         .name = "center_at_each_index",
         .architecture = "compute_90"});
    EXPECT_TRUE(contains(kernel.image, {".entry center_at_each_index("}));
  }
}

}  // namespace
}  // namespace mylos_test
