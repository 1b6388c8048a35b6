// SPDX-License-Identifier: MIT
// Types that a kernel's text does not tell: its compiler does, before the first launch.
#include <cstdint>
#include <string>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/kernel.hpp>

#include "support/contains.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::CudaKernel;
using mylos::DeviceSpace;
using mylos::SignatureError;

enum class Mode : std::uint8_t { keep, negate };
enum Axis { first, second };

template <class T>
T element(const Kokkos::View<T*, DeviceSpace>& view, int i) {
  return mylos::to_host(view)(i);
}

TEST(LayoutCheck, AliasesOfIncludedFilesAreWhatTheCompilerFinds) {
  const TemporaryFolder folder;
  mylos::write_file_atomically(folder / "real.hpp", "#pragma once\ntypedef double real;\nusing count = unsigned;\n");
  const CudaKernel scale(
      "#include \"real.hpp\"\n"
      "extern \"C\" __global__ void scale(real* x, real a, count n) {\n"
      "  if (threadIdx.x < n) x[threadIdx.x] *= a;\n}\n",
      "scale", {.include_dirs = {folder.path()}});
  const Kokkos::View<double*, DeviceSpace> x("x", 4);
  Kokkos::deep_copy(x, 3.0);
  scale(x, 0.5, 4U);
  EXPECT_EQ(element(x, 3), 1.5);
  const Kokkos::View<float*, DeviceSpace> narrow("narrow", 4);
  EXPECT_TRUE(contains(thrown<SignatureError>([&] { scale(narrow, 0.5, 4U); }),
                       {"argument 1", "'narrow'", "its elements have 4 bytes", "real has 8"}));
  const Kokkos::View<std::int64_t*, DeviceSpace> whole("whole", 4);
  EXPECT_TRUE(contains(thrown<SignatureError>([&] { scale(whole, 0.5, 4U); }),
                       {"its elements have type", "'real' is a floating-point number of 8 bytes"}));
  EXPECT_TRUE(contains(thrown<SignatureError>([&] { scale(x, 0.5, -4); }),
                       {"argument 3", "it has type int", "'count' is an unsigned integer of 4 bytes"}));
  EXPECT_EQ(element(x, 3), 1.5) << "what is refused does not run";
}

TEST(LayoutCheck, AliasesThatOptionsChoose) {
  const std::string text = R"(
#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif
extern "C" __global__ void set(real* x, real a) { x[threadIdx.x] = a; })";
  const Kokkos::View<double*, DeviceSpace> x("x", 2);
  const Kokkos::View<float*, DeviceSpace> narrow("narrow", 2);
  const CudaKernel wide(text, "set");
  const CudaKernel single(text, "set", {.options = {"-DSINGLE"}});
  wide(x, 2.5);
  single(narrow, 1.5F);
  EXPECT_EQ(element(x, 1), 2.5);
  EXPECT_EQ(element(narrow, 1), 1.5F);
  EXPECT_TRUE(contains(thrown<SignatureError>([&] { single(x, 1.5F); }), {"argument 1", "'x'"}));
}

TEST(LayoutCheck, EnumerationsAreValuesAndElements) {
  const CudaKernel apply(R"(
enum class Mode : unsigned char { keep, negate };
enum Axis { first, second };
extern "C" __global__ void apply(double* x, Mode mode, Mode* modes, Axis axis) {
  if (mode == Mode::negate && axis == second) x[threadIdx.x] = -x[threadIdx.x];
  modes[threadIdx.x] = mode;
})",
                         "apply");
  const Kokkos::View<double*, DeviceSpace> x("x", 3);
  const Kokkos::View<Mode*, DeviceSpace> modes("modes", 3);
  Kokkos::deep_copy(x, 2.0);
  apply(x, Mode::negate, modes, second);
  EXPECT_EQ(element(x, 2), -2.0);
  EXPECT_EQ(element(modes, 2), Mode::negate);
  EXPECT_TRUE(contains(thrown<SignatureError>([&] { apply(x, Mode::keep, modes, 1U); }),
                       {"argument 4", "it has type unsigned int", "'Axis' is a class or enumeration of 4 bytes"}));
  EXPECT_TRUE(contains(thrown<SignatureError>([&] { apply(x, second, modes, second); }),
                       {"argument 2", "it has 4 bytes", "Mode has 1"}));
}

}  // namespace
}  // namespace mylos_test
