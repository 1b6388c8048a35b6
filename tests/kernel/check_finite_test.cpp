// SPDX-License-Identifier: MIT
// CudaOptions::check_finite: which numbers are looked at, and what is said of one that is not finite.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/core/copy_events.hpp>
#include <mylos/device/complex.hpp>
#include <mylos/kernel.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::CudaKernel;
using mylos::Launch;
template <class T>
using DeviceView = Kokkos::View<T, mylos::DeviceSpace>;

constexpr double infinity = std::numeric_limits<double>::infinity();
const Launch one_thread = {.threads = 1, .block = 1};

struct Inner {
  float tag;
  mylos::complex<double> z;
};
struct Particle {
  double x[2];
  float w;
  int cell;
  Inner inner;
};
struct Grid {
  mylos::Array<double, 2> field;
  mylos::Array<const Particle, 1> particles;
  double factor;
};
MYLOS_STRUCT(Inner, tag, z);
MYLOS_STRUCT(Particle, x, w, cell, inner);
MYLOS_STRUCT(Grid, field, particles, factor);

// The same for the kernels.
const std::string structs = R"cuda(
#include <mylos/device/array.hpp>
#include <mylos/device/complex.hpp>
struct Inner { float tag; mylos::complex<double> z; };
struct Particle { double x[2]; float w; int cell; Inner inner; };
struct Grid { mylos::Array<double, 2> field; mylos::Array<const Particle, 1> particles; double factor; };
)cuda";

TEST(CheckFinite, NumbersAreFoundOnRequest) {
  const char* const text = R"cuda(
#include <mylos/device/array.hpp>
extern "C" __global__ void divide(mylos::Array<float, 2> a, float by) { a(1, 2) = 1.0f / by; })cuda";
  const CudaKernel checked(text, "divide", {.check_finite = true});
  const DeviceView<float**> a("a", 3, 4);
  EXPECT_NO_THROW(checked({.threads = 1, .block = 1}, a, 2.0F));
  const std::string found = thrown<mylos::ValueError>([&] { checked({.threads = 1, .block = 1}, a, 0.0F); });
  EXPECT_TRUE(contains(found, {"kernel 'divide'", "argument 1", "'a'", "inf", "(1, 2)"}));
  EXPECT_NO_THROW(CudaKernel(text, "divide")({.threads = 1, .block = 1}, a, 0.0F));
}

TEST(CheckFinite, NumbersAreLookedForInCopiesThatAreCounted) {
  const CudaKernel checked("__global__ void touch(double* x) { x[0] = 1; }", "touch", {.check_finite = true});
  const CudaKernel strided(R"cuda(
#include <mylos/device/array.hpp>
__global__ void strided(mylos::Array<double, 2> a, mylos::Array<int, 1> n) { a(2, 1) = n(0) / 0.0; })cuda",
                           "strided", {.check_finite = true});
  const DeviceView<double*> x("x", 5);
  const DeviceView<double***> cube("cube", 4, 3, 2);
  const auto slice = Kokkos::subview(cube, Kokkos::ALL, 1, Kokkos::ALL);
  const DeviceView<int*> n("n", 1);
  Kokkos::deep_copy(cube, std::numeric_limits<double>::infinity());
  mylos::copy_view(slice, Kokkos::View<double**, mylos::HostSpace>("zeros", 4, 2));
  {
    const mylos::CopyCounter counter;
    checked({.threads = 1}, x);
    EXPECT_EQ(counter.counts().to_host, 1);
    EXPECT_EQ(counter.counts().bytes_to_host, 40);
  }
  const mylos::CopyCounter counter;
  const std::string found = thrown<mylos::ValueError>([&] { strided({.threads = 1, .block = 1}, slice, n); });
  EXPECT_TRUE(contains(found, {"argument 1", "nan at (2, 1)"})) << "and not what lies between: " << found;
  EXPECT_EQ(counter.counts().to_host, 1) << "integers are always finite";
  EXPECT_EQ(counter.counts().bytes_to_host, 64) << "packed on the device";
}

TEST(CheckFinite, FieldsOfStructsAreNamed) {
  const CudaKernel set(structs + R"cuda(
extern "C" __global__ void set(int which, Particle* p, double value) {
  if (which == 0) p[2].cell = 0x7f800000;  // infinite, if it were a float
  if (which == 1) p[3].x[1] = value;
  if (which == 2) p[3].w = value;
  if (which == 3) p[3].inner.z = mylos::complex<double>(0, value);
})cuda",
                       "set", {.check_finite = true});
  const auto found = [&](int which, double value) {
    const DeviceView<Particle*> p("p", 5);
    return thrown<mylos::ValueError>([&] { set(one_thread, which, p, value); });
  };
  const DeviceView<Particle*> fine("fine", 5);
  EXPECT_NO_THROW(set(one_thread, 0, fine, infinity)) << "integers are always finite";
  EXPECT_NO_THROW(set(one_thread, 1, fine, 1.0));
  EXPECT_TRUE(contains(found(1, infinity), {"kernel 'set'", "argument 2, 'p' (View<", "Particle*", "extents (5)",
                                            "holds inf in field 'x[1]' at (3)", "check_finite"}));
  EXPECT_TRUE(contains(found(2, std::nan("")), {"holds nan in field 'w' at (3)"}));
  EXPECT_TRUE(contains(found(3, -infinity), {"holds -inf in field 'inner.z' at (3)"}));
}

TEST(CheckFinite, ComponentsOfVectorTypesAreNamed) {
  struct alignas(8) Two { float a, b; };
  struct alignas(16) Four { float a[4]; };
  struct alignas(16) Wide { double a, b; };
  struct alignas(16) Whole { int a[4]; };
  const CudaKernel set(R"cuda(
#include <mylos/device/array.hpp>
extern "C" __global__ void set(int which, float2* two, float4* four, mylos::Array<double2, 2> wide, int4* whole,
                               double value) {
  if (which == 0) whole[1].y = 0x7f800000;
  if (which == 1) two[2].y = value;
  if (which == 2) four[1].w = value;
  if (which == 3) wide(1, 0).x = value;
})cuda",
                       "set", {.check_finite = true});
  const auto run = [&](int which) {
    set(one_thread, which, DeviceView<Two*>("two", 3), DeviceView<Four*>("four", 3), DeviceView<Wide**>("wide", 2, 2),
        DeviceView<Whole*>("whole", 3), infinity);
  };
  EXPECT_NO_THROW(run(0));
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { run(1); }), {"argument 2, 'two'", "inf in field 'y' at (2)"}));
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { run(2); }), {"argument 3, 'four'", "inf in field 'w' at (1)"}));
  EXPECT_TRUE(
      contains(thrown<mylos::ValueError>([&] { run(3); }), {"argument 4, 'wide'", "inf in field 'x' at (1, 0)"}));
}

// A class by value with arrays: a part of a cube with gaps, and structs.
class CheckFiniteOfMembers : public ::testing::Test {
 protected:
  [[nodiscard]] Grid grid(double factor = 1) const {
    return {mylos::device_array<double, 2>(Kokkos::subview(cube_, Kokkos::ALL, 1, Kokkos::ALL)),
            mylos::device_array<const Particle, 1>(particles_), factor};
  }

  const CudaKernel set_{structs +
                            "extern \"C\" __global__ void set(Grid grid, double value) {\n"
                            "  if (value != 0) grid.field(2, 1) = value * grid.factor;\n}",
                        "set",
                        {.check_finite = true}};
  const DeviceView<double***> cube_{"cube", 4, 3, 2};
  const DeviceView<Particle*> particles_{"particles", 3};
};

TEST_F(CheckFiniteOfMembers, ArraysAreLookedAt) {
  Kokkos::deep_copy(Kokkos::subview(cube_, 0, 0, 0), infinity);  // beside the part that the kernel has
  const mylos::CopyCounter counter;
  EXPECT_NO_THROW(set_(one_thread, grid(), 1.0));
  EXPECT_EQ(counter.counts().to_host, 2);
  EXPECT_EQ(counter.counts().bytes_to_host, 8 * 8 + 3 * 64);
  EXPECT_NO_THROW(set_(one_thread, grid(infinity), 0.0)) << "the kernel cannot change a number that it has by value";
  const std::string found = thrown<mylos::ValueError>([&] { set_(one_thread, grid(infinity), 1.0); });
  EXPECT_TRUE(contains(found, {"kernel 'set'", "argument 1, ", "Grid, holds inf in field 'field' at (2, 1)"}));
}

TEST_F(CheckFiniteOfMembers, StructsInArraysAreLookedAt) {
  const auto particles = Kokkos::create_mirror_view(particles_);
  particles(2).inner.tag = std::nanf("");
  Kokkos::deep_copy(particles_, particles);
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { set_(one_thread, grid(), 1.0); }),
                       {"holds nan in field 'particles.inner.tag' at (2)"}));
}

TEST_F(CheckFiniteOfMembers, ArraysAreThoseOfTheLaunchInGraphs) {
  const auto graph = mylos::CudaGraph::capture(mylos::Device(), [&] { set_(one_thread, grid(), 1.0); });
  EXPECT_NO_THROW(graph.launch());
  Kokkos::deep_copy(Kokkos::subview(cube_, 3, 1, 0), infinity);
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { graph.launch(); }), {"inf in field 'field' at (3, 0)"}));
}

TEST_F(CheckFiniteOfMembers, ArraysOfTheHostAreReadThere) {
  struct Nothing {
    void operator()(std::int64_t, const Grid&, double) const {}
  };
  const mylos::ScopedBackend backend(mylos::Backend::host);
  const mylos::ScopedHostImplementation port("port_on_host");
  const mylos::Kernel kernel("set", Nothing{}, set_);
  const Kokkos::View<double**, mylos::HostSpace> field("field", 4, 2);
  const mylos::CopyCounter counter;
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { kernel(one_thread, Grid{field, {}, 1}, infinity); }),
                       {"inf in field 'field' at (2, 1)"}));
  EXPECT_EQ(counter.counts().to_host, 0);
}

}  // namespace
}  // namespace mylos_test
