// SPDX-License-Identifier: MIT
// Kernel::check_signature() and signature_table(), and the catalog's of all kernels.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>
#include <mylos/device/array.hpp>
#include <mylos/device/complex.hpp>
#include <mylos/kernel/catalog.hpp>
#include <mylos/kernel/kernel.hpp>

#include "support/contains.hpp"
#include "support/log_lines.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using Index = std::int64_t;
template <class Data, class... Traits>
using View = Kokkos::View<Data, Traits...>;
using Execution = Kokkos::DefaultHostExecutionSpace;

struct Marker { double x, v; };
struct Species { double charge, mass; };
struct alignas(16) Four { float x, y, z, w; };

void free_function(Index /*i*/, View<double*> /*x*/, double /*dt*/) {}

/// A kernel named `k` whose port has these parameters.
template <class F>
mylos::Kernel<F> kernel(const F& functor, const std::string& port, mylos::CudaOptions options = {}) {
  return {"k", functor, mylos::CudaKernel("extern \"C\" __global__ void k(" + port + ") {}", "k", std::move(options))};
}

template <class F>
void expect_agreement(const F& functor, const std::string& port, const mylos::CudaOptions& options = {}) {
  const auto k = kernel(functor, port, options);
  EXPECT_NO_THROW(k.check_signature()) << port;
  EXPECT_TRUE(contains(k.signature_table(), {"k: functor and port agree\n", "port", "functor"}));
  EXPECT_EQ(k.signature_table().find("->"), std::string::npos);
}

/// `rows`: what marked lines hold.
template <class F>
void expect_difference(const F& functor, const std::string& port, std::initializer_list<std::string_view> rows) {
  const auto k = kernel(functor, port);
  const std::string text = thrown<mylos::SignatureError>([&] { k.check_signature(); });
  EXPECT_TRUE(contains(text, {"kernel 'k'", "its port does not take what its functor takes", "\n-> "})) << port;
  EXPECT_TRUE(contains(text, rows));
  EXPECT_TRUE(contains(k.signature_table(), {"k: functor and port differ\n", "\n-> "}));
  EXPECT_TRUE(contains(k.signature_table(), rows));
}

TEST(SignatureCheck, AcceptsTheSameListOnBothSides) {
  expect_agreement([](Index, View<double*>, View<const double*>, double) {}, "double* x, const double* v, double dt");
  expect_agreement([](Index) {}, "");
  expect_agreement([](Index, const View<Index*>&, const bool&, Index, std::uint64_t, unsigned char, float) {},
                   "std::int64_t* a, bool b, long long c, size_t d, std::uint8_t e, float f");
  expect_agreement([](Index, View<Kokkos::complex<double>*>, Kokkos::complex<float>) {},
                   "mylos::complex<double>* z, mylos::complex<float> w");
  expect_agreement([](Index, View<double>) {}, "double* sum");
  expect_agreement([](Index, View<double>) {}, "void* anything");
  expect_agreement(&free_function, "double* x, double dt");
}

TEST(SignatureCheck, KnowsEveryForm) {
  const std::string port = "double* x, int n";
  expect_agreement([](Index, Index, View<double*>, int) {}, port);
  expect_agreement([](Index, Index, Index, View<double*>, int) {}, port);
  expect_agreement([](const Execution&, View<double*>, int) {}, port);
  expect_agreement(mylos::whole([](const Execution&, View<double*>, int) {}), port);
  expect_agreement(mylos::host_only(mylos::per_element([](Index, View<double*>, int) noexcept {})), port);
  expect_agreement(mylos::per_element<2>([](int, int, View<double*>, int) {}), port);
  expect_agreement(
      mylos::implementations([](Index, View<double*>, int) {}, mylos::named("other", [](Index, auto, auto) {})), port);
  // As many of the leading integers are indices as the port leaves over.
  expect_agreement([](Index, Index, int, View<double*>) {}, "int n, double* x");
  expect_agreement([](Index, int, int) {}, "int n, int m");
  expect_difference(mylos::per_element<1>([](Index, Index, View<double*>, int) {}), port,
                    {" 1  double* x", " 3  (none)"});
}

TEST(SignatureCheck, ViewsArePointersOrArraysOfTheirRank) {
  expect_agreement([](Index, View<double**>, View<const float***, Kokkos::LayoutStride>) {},
                   "mylos::Array<double, 2> a, mylos::ContiguousArray<const float, 3> b");
  expect_agreement([](Index, View<double*>) {}, "mylos::Array<double, 1> a");
  expect_agreement([](Index, mylos::Array<double, 2>, mylos::ContiguousArray<const float, 1>) {},
                   "mylos::Array<double, 2> a, const float* b");
  expect_agreement([](Index, View<double**>) {}, "double* a", {.flat_layout = mylos::FlatLayout::left});
  expect_difference([](Index, View<double**>) {}, "double* a", {"a pointer does not tell the order of its axes"});
  expect_difference([](Index, View<double**>) {}, "mylos::Array<double, 3> a",
                    {"->  1  mylos::Array<double, 3> a", "View<double**, Host>: another rank"});
  expect_difference([](Index, mylos::Array<double, 2>) {}, "mylos::Array<double, 1> a", {"another rank"});
}

TEST(SignatureCheck, FindsAnotherOrder) {
  expect_difference([](Index, View<double*>, View<const double*>, double) {}, "double* x, double dt, const double* v",
                    {"\n    1  double* x", "View<double*, Host>\n", "->  2  double dt", "->  3  const double* v",
                     "View<const double*, Host>: a View on one side only", "double: a View on one side only"});
  expect_difference([](Index, View<double*>, View<const double*>) {}, "const double* v, double* x",
                    {"->  1  const double* v  View<double*, Host>: const on one side only", "->  2  double* x"});
  expect_difference([](const Execution&, double, int) {}, "int n, double a", {"->  1  int n", "double: another type"});
}

TEST(SignatureCheck, FindsAnotherCount) {
  expect_difference([](Index, View<double*>) {}, "double* x, double dt",
                    {"->  2  double dt", "(none): no counterpart"});
  expect_difference([](Index, View<double*>, double) {}, "double* x", {"->  2  (none)", "double: no counterpart"});
}

TEST(SignatureCheck, FindsOtherTypesAndConst) {
  expect_difference([](Index, View<float*>) {}, "double* x", {"View<float*, Host>: another type"});
  expect_difference([](Index, View<double*>) {}, "const double* x", {"View<double*, Host>: const on one side only"});
  expect_difference([](Index, View<const double**>) {}, "mylos::Array<double, 2> x", {"const on one side only"});
  expect_difference([](Index, View<double*>, int) {}, "double* x, std::int64_t n",
                    {"->  2  std::int64_t n", "int: another type"});
  expect_difference([](Index, View<double*>, float) {}, "double* x, double a", {"float: another type"});
  expect_difference([](Index, View<double*>) {}, "double& x", {"->  1  double& x", "no argument can be passed"});
}

TEST(SignatureCheck, ClassesByNameAndSizeAsFarAsTheTextTells) {
  const auto functor = [](Index, View<Marker*>, const Species&) {};
  expect_agreement(functor, "app::Marker* m, const Species s");
  expect_agreement(functor, "Particle* m, Kind s");  // other names: aliases, perhaps
  expect_difference(functor, "Species* m, Marker s",
                    {"->  1  Species* m", "Marker*, Host>: another type", "->  2  Marker s"});
  expect_difference(functor, "double* m, Species s", {"->  1  double* m"});
  expect_difference([](Index, Species) {}, "double s", {"Species: another type"});
  expect_agreement([](Index, View<Four*>) {}, "float4* f");
  expect_difference([](Index, View<Marker*>) {}, "float3* f", {"Marker*, Host>: another type"});
}

TEST(SignatureCheck, GenericFunctorsAreCheckedAtTheCall) {
  struct Overloaded {
    void operator()(Index /*i*/, View<double*> /*x*/) const {}
    void operator()(Index /*i*/, View<float*> /*x*/) const {}
  };
  const auto expect_generic = [](const auto& k) {
    EXPECT_NO_THROW(k.check_signature());
    EXPECT_TRUE(
        contains(k.signature_table(), {"k: generic functor: checked at the call\n", " 1  float* x  (generic)"}));
  };
  expect_generic(kernel([](Index, auto, double) {}, "float* x"));
  expect_generic(kernel(Overloaded(), "float* x"));
  const auto unpassable = kernel([](Index, auto) {}, "float& x");
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { unpassable.check_signature(); }),
                       {"->  1  float& x", "no argument can be passed"}));
}

TEST(SignatureCheck, PassesWhereThereIsNothingToCompare) {
  const mylos::Kernel alone("alone", [](Index, View<double*>) {});
  EXPECT_NO_THROW(alone.check_signature());
  EXPECT_EQ(alone.signature_table(), "alone: no port");
  const auto off = kernel([](Index, View<double*>) {}, "float& x", {.check_signature = false});
  EXPECT_NO_THROW(off.check_signature());
  EXPECT_TRUE(contains(off.signature_table(), {"not checked"}));
}

TEST(SignatureCheck, TheCatalogTellsAllKernels) {
  const auto port = [](const std::string& name, const std::string& parameters) {
    return mylos::CudaKernel("__global__ void " + name + "(" + parameters + ") {}", name);
  };
  const mylos::Kernel good("good", [](Index, View<double*>) {}, port("good", "double* x"));
  const mylos::Kernel swapped("swapped", [](Index, View<double*>, int) {}, port("swapped", "int n, double* x"));
  const mylos::Kernel narrow("narrow", [](Index, float) {}, port("narrow", "double a"));
  const mylos::Kernel absent("absent", [](Index) {}, mylos::CudaKernel("__global__ void other() {}", "absent"));
  const mylos::Kernel host("host", [](Index) {});
  const mylos::KernelCatalog catalog(
      {{&good, "good"}, {&swapped, "swapped"}, {&narrow, "narrow"}, {&absent, "absent"}, {&host, "host"}});

  LogLines log(mylos::log::Level::info);
  const std::string text = thrown<mylos::SignatureError>([&] { catalog.check_signatures(); });
  EXPECT_EQ(log.take_count(catalog.signature_table()), 1);
  EXPECT_TRUE(contains(
      text, {"swapped: ", "->  1  int n", "->  2  double* x", "narrow: ", "float: another type", "absent: ", "other"}));
  EXPECT_EQ(text.find("good"), std::string::npos);
  EXPECT_TRUE(contains(catalog.signature_table(),
                       {"absent: ", "good: functor and port agree\n", " 1  double* x  View<double*, Host>\n",
                        "host: no port\n", "narrow: functor and port differ\n", "swapped: functor and port differ\n"}));
}

}  // namespace
}  // namespace mylos_test
