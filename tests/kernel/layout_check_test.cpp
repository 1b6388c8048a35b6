// SPDX-License-Identifier: MIT
// Types that a kernel's text does not tell: its compiler does, before the first launch.
#include <cstdint>
#include <string>
#include <utility>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/cuda/nvrtc.hpp>
#include <mylos/kernel.hpp>

#include "support/contains.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace app {

struct Particle {
  double x[2];
  float w;
  int cell;
  const double* field;
};
struct Pair { double a, b; };
struct Range { double low, high; };
MYLOS_STRUCT(Particle, x, w, cell, field);
MYLOS_STRUCT(Pair, a, b);

}  // namespace app

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

// A kernel whose text has a struct of its own.
class StructFields : public ::testing::Test {
 protected:
  static CudaKernel kernel(const std::string& definition, mylos::CudaOptions options = {}) {
    return {"namespace app {\n" + definition +
                "\n}\nextern \"C\" __global__ void push(app::Particle* p) { p[0].cell = 7; }",
            "push", std::move(options)};
  }
  [[nodiscard]] std::string refusal(const std::string& definition) const {
    const CudaKernel push = kernel(definition);
    const std::string text = thrown<SignatureError>([&] { push({.threads = 1}, particles_); });
    EXPECT_TRUE(contains(text, {"kernel 'push'", "argument 1, 'particles'", "'app::Particle* p'",
                                "struct app::Particle", "include one header", "->  1"}));
    return text;
  }
  const Kokkos::View<app::Particle*, DeviceSpace> particles_{"particles", 3};
};

TEST_F(StructFields, OfTheSameStructAreTheSame) {
  const char* const same = "struct Particle { double x[2]; float w; int cell; const double* field; };";
  kernel(same)({.threads = 1}, particles_);
  EXPECT_EQ(mylos::to_host(particles_)(0).cell, 7);
  EXPECT_NO_THROW(
      kernel("struct Base {}; struct Particle { Particle() = default; double x[2]; float w, unused() const; "
             "signed cell; double const* field; };")({.threads = 1}, particles_));
}

TEST_F(StructFields, ThatChangedPlacesAreNamed) {
  EXPECT_TRUE(
      contains(refusal("struct Particle { double x[2]; int cell; float w; const double* field; };"),
               {"\n  field 'w': on the host at byte 16, a floating-point number of 4 bytes; in the kernel at byte "
                "20, a floating-point number of 4 bytes",
                "\n  field 'cell': on the host at byte 20, a signed integer of 4 bytes; in the kernel at byte 16"}));
}

TEST_F(StructFields, OfAnotherTypeAreNamed) {
  const std::string text = refusal("struct Particle { double x[2]; float w; float cell; const double* field; };");
  EXPECT_TRUE(
      contains(text, {"field 'cell': on the host at byte 20, a signed integer of 4 bytes; in the kernel at byte 20, "
                      "a floating-point number of 4 bytes"}));
  EXPECT_EQ(text.find("field 'w'"), std::string::npos) << "it is the same";
  EXPECT_TRUE(
      contains(refusal("struct Particle { float x[4]; float w; int cell; const double* field; };"),
               {"field 'x'", "2 times a floating-point number of 8 bytes", "4 times a floating-point number of 4"}));
  EXPECT_TRUE(contains(refusal("struct Particle { double x[2]; float w; int cell; const float* field; };"),
                       {"field 'field'", "a pointer to a floating-point number of 8 bytes"}));
}

TEST_F(StructFields, ThatTheKernelDoesNotHaveAreNamed) {
  EXPECT_TRUE(contains(refusal("struct Particle { double x[2]; float weight; int cell; const double* field; };"),
                       {"field 'w': on the host at byte 16", "there is no such field, and 'weight' is at byte 16"}));
  EXPECT_TRUE(contains(refusal("struct Particle { double x[2], w; int cell; const double* field; };"),
                       {"field 'w'", "field 'cell'", "in the kernel at byte 24"}))
      << "of another size as well";
}

TEST_F(StructFields, OfIncludedFilesAreCompared) {
  const TemporaryFolder folder;
  const auto write = [&](const char* fields) {
    mylos::write_file_atomically(folder / "pair.hpp",
                                 std::string("#pragma once\n#include <mylos/device.hpp>\nnamespace app "
                                             "{\nstruct Pair { double ") +
                                     fields + "; };\nMYLOS_STRUCT(Pair, a, b);\n}\n");
  };
  write("a, b");
  const CudaKernel take(
      "#include \"pair.hpp\"\nusing Two = app::Pair;\nextern \"C\" __global__ void take(double* out, Two "
      "two) { out[0] = two.b; }",
      "take", {.include_dirs = {folder.path()}});
  const Kokkos::View<double*, DeviceSpace> out("out", 1);
  take({.threads = 1}, out, app::Pair{1, 2});
  EXPECT_EQ(element(out, 0), 2);
  write("b, a");
  take.recompile();
  EXPECT_TRUE(
      contains(thrown<SignatureError>([&] { take({.threads = 1}, out, app::Pair{1, 2}); }),
               {"argument 2", "struct app::Pair", "field 'a': on the host at byte 0", "in the kernel at byte 8"}));
  EXPECT_NO_THROW(take({.threads = 1}, out, app::Range{1, 2}))
      << "of a struct without MYLOS_STRUCT the size is compared";
}

TEST_F(StructFields, AreNotComparedWhereNothingIs) {
  const CudaKernel push =
      kernel("struct Particle { double x[2]; int cell; float w; const double* field; };", {.check_signature = false});
  EXPECT_NO_THROW(push({.threads = 1}, particles_));
}

// What options make of a text, both compilers and the reader see alike.
TEST(OptionMacros, TheLastDefinitionCounts) {
  const CudaKernel kernel("extern \"C\" __global__ void k(int* x) { x[0] = W; }", "k",
                          {.options = {"-DW=3", "-DW=4", "-UV"}});
  const Kokkos::View<int*, DeviceSpace> x("x", 1);
  kernel({.threads = 1}, x);
  EXPECT_EQ(element(x, 0), 4);
  if (mylos::cuda::Nvrtc::find() == nullptr) return;
  EXPECT_TRUE(contains(kernel.compile("compute_80").image, {", 4;"}));
}

TEST(OptionMacros, ReplaceDefaultsOfTheText) {
  const std::string text =
      "#ifndef REAL\n#define REAL double\n#endif\nextern \"C\" __global__ void set(REAL* x, REAL a) { x[0] = a; }";
  const CudaKernel wide(text, "set"), narrow(text, "set", {.options = {"-DREAL=float"}});
  const Kokkos::View<double*, DeviceSpace> x("x", 1);
  const Kokkos::View<float*, DeviceSpace> y("y", 1);
  wide({.threads = 1}, x, 1.5);
  narrow({.threads = 1}, y, 2.5F);
  EXPECT_EQ(element(x, 0), 1.5);
  EXPECT_EQ(element(y, 0), 2.5F);
  EXPECT_TRUE(contains(thrown<SignatureError>([&] { narrow({.threads = 1}, x, 1.5); }),
                       {"argument 1", "'float* x'", "pass a View of float"}));
  if (mylos::cuda::Nvrtc::find() == nullptr) return;
  EXPECT_EQ(narrow.compile("sm_90").parameters.at(1).size, 4U);
}

TEST(OptionMacros, ChooseAmongHeads) {
  const std::string text =
      "#ifdef SINGLE\nextern \"C\" __global__ void set(float* x)\n#else\nextern \"C\" __global__ void set(double* "
      "x)\n#endif\n"
      "{ x[0] = 3; }";
  const Kokkos::View<double*, DeviceSpace> x("x", 1);
  const Kokkos::View<float*, DeviceSpace> y("y", 1);
  CudaKernel(text, "set")({.threads = 1}, x);
  CudaKernel(text, "set", {.options = {"-DSINGLE"}})({.threads = 1}, y);
  EXPECT_EQ(element(x, 0), 3);
  EXPECT_EQ(element(y, 0), 3);
  // Where the choice is made by what the text does not say, a compiler finds that it was read otherwise.
  const TemporaryFolder folder;
  mylos::write_file_atomically(folder / "single.hpp", "#define SINGLE\n");
  const CudaKernel hidden("#include \"single.hpp\"\n" + text, "set", {.include_dirs = {folder.path()}});
  EXPECT_TRUE(contains(thrown<SignatureError>([&] { hidden({.threads = 1}, x); }),
                       {"parameter 1, 'double* x'", "a floating-point number of 4 bytes"}));
}

TEST(AliasTemplates, AreWhatTheyStandFor) {
  const CudaKernel scale(
      "template <class T> using P = T*;\nextern \"C\" __global__ void scale(P<double> x, const P<const double> y) { "
      "x[0] = 2 * "
      "y[0]; }",
      "scale");
  const Kokkos::View<double*, DeviceSpace> x("x", 1), y("y", 1);
  Kokkos::deep_copy(y, 3.0);
  scale({.threads = 1}, x, y);
  EXPECT_EQ(element(x, 0), 6);
  const TemporaryFolder folder;
  mylos::write_file_atomically(folder / "pointers.hpp", "using reals = double*;\n");
  const CudaKernel hidden("#include \"pointers.hpp\"\nextern \"C\" __global__ void k(reals x) {}", "k",
                          {.include_dirs = {folder.path()}});
  EXPECT_TRUE(
      contains(thrown<SignatureError>([&] { hidden({.threads = 1}, x); }),
               {"argument 1", "'reals x'", "if an included file makes 'reals' a pointer", "write that type out"}));
}

TEST(ParameterLists, OfErrorsTheFirstIsShownAlone) {
  const CudaKernel kernel("extern \"C\" __global__ void k(doubel* x, int n) { x[0] = n; }", "k");
  const Kokkos::View<double*, DeviceSpace> x("x", 1);
  const auto expect_one = [](const std::string& text) {
    EXPECT_TRUE(contains(text, {"kernel 'k'", "doubel"}));
    for (const char* ours : {"mylos_", "parameters of kernel"}) EXPECT_EQ(text.find(ours), std::string::npos) << text;
  };
  expect_one(thrown<mylos::CompileError>([&] { kernel({.threads = 1}, x, 1); }));
  if (mylos::cuda::Nvrtc::find() == nullptr) return;
  expect_one(thrown<mylos::CompileError>([&] { static_cast<void>(kernel.compile("compute_80")); }));
}

}  // namespace
}  // namespace mylos_test
