// SPDX-License-Identifier: MIT
#include <mylos/kernel/kernel.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>
#include <mylos/core/copy_events.hpp>

#include "kernel/random_views.hpp"
#include "support/contains.hpp"
#include "support/log_lines.hpp"
#include "support/random_seed.hpp"
#include "support/run_program.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using HostView = Kokkos::View<double*, mylos::HostSpace>;
using DeviceView = Kokkos::View<double*, mylos::DeviceSpace>;

struct Push {
  template <class X, class V>
  void operator()(std::int64_t i, const X& x, const V& v, double dt) const {
    x(i) += dt * v(i);
  }
};

const char* const push_text = R"cuda(
#include <mylos/device/array.hpp>
#include <mylos/device/index.hpp>
extern "C" __global__ void push(mylos::Array<double, 1> x, const double* v, double dt) {
  MYLOS_THREAD_1D(i, x.extent(0));
  x(i) += dt * v[i];
})cuda";

const auto& push() {
  static const mylos::Kernel kernel("push", Push{}, mylos::CudaKernel(push_text, "push"));
  return kernel;
}

template <class Space>
class KernelOnBothSides : public ::testing::Test {};
using Spaces = ::testing::Types<mylos::HostSpace, mylos::DeviceSpace>;
TYPED_TEST_SUITE(KernelOnBothSides, Spaces);

TYPED_TEST(KernelOnBothSides, RunsWhereTheViewsAreAndCopiesNothing) {
  std::mt19937_64 random(random_seed());
  for (const std::size_t n : {0U, 1U, 127U, 128U, 1000U}) {
    const auto x = random_view<TypeParam>("x", n, random), v = random_view<TypeParam>("v", n, random);
    std::vector<double> expected = elements(x);
    const std::vector<double> velocity = elements(v);
    for (std::size_t i = 0; i < n; ++i) expected[i] += 0.25 * velocity[i];
    {
      mylos::CopyCounter copies;
      push()(x, v, 0.25);
      EXPECT_EQ(copies.counts().to_host + copies.counts().to_device + copies.counts().device_copy, 0);
    }
    EXPECT_EQ(elements(x), expected) << "n = " << n;
  }
}

// The functor runs for exactly the threads; the port, which asks for the array's extent, for whole blocks.
template <class Space>
constexpr int moved_by(int threads, int block) {
  return std::is_same_v<Space, mylos::HostSpace> ? threads : (threads + block - 1) / block * block;
}

TYPED_TEST(KernelOnBothSides, EveryFormOfALaunchIsTheLaunch) {
  std::mt19937_64 random(random_seed());
  const auto v = random_view<TypeParam>("v", 300, random);
  const auto moved = [&](const auto& call) {
    const auto x = mylos::copy_to<TypeParam>(HostView("x", 300));
    call(x);
    const std::vector<double> values = elements(x);
    return std::ranges::count_if(values, [](double value) { return value != 0; });
  };
  mylos::Launch named = {.threads = 200};
  EXPECT_EQ(moved([&](const auto& x) { push()(x, v, 1.0); }), 300);
  EXPECT_EQ(moved([&](const auto& x) { push()({}, x, v, 1.0); }), 300);
  EXPECT_EQ(moved([&](const auto& x) { push()(named, x, v, 1.0); }), (moved_by<TypeParam>(200, 128)));
  EXPECT_EQ(moved([&](const auto& x) { push()(std::as_const(named), x, v, 1.0); }), (moved_by<TypeParam>(200, 128)));
  EXPECT_EQ(moved([&](const auto& x) { push()(mylos::Launch{.threads = 200}, x, v, 1.0); }),
            (moved_by<TypeParam>(200, 128)));
  EXPECT_EQ(moved([&](const auto& x) { push()({.threads = 200, .block = 64}, x, v, 1.0); }),
            (moved_by<TypeParam>(200, 64)));
  EXPECT_EQ(moved([&](const auto& x) { push()({.threads = 0}, x, v, 1.0); }), 0);
}

TYPED_TEST(KernelOnBothSides, EmptyWorkIsStillChecked) {
  const auto x = mylos::copy_to<TypeParam>(HostView("x", 0));
  EXPECT_NO_THROW(push()(x, x, 1.0));
  EXPECT_TRUE(
      contains(thrown<mylos::ValueError>([&] { push()({.threads = -1}, x, x, 1.0); }), {"kernel 'push'", "(-1)"}));
}

// A functor that takes anything, and a port that does not.
struct Anything {
  template <class... A>
  void operator()(std::int64_t /*i*/, const A&... /*arguments*/) const {}
};

class HostCallOfAKernelWithAPort : public ::testing::Test {
 protected:
  [[nodiscard]] static mylos::Kernel<Anything> kernel(const std::string& parameters, mylos::CudaOptions options = {}) {
    return {
        "take", Anything{},
        mylos::CudaKernel("#include <mylos/device/array.hpp>\nextern \"C\" __global__ void take(" + parameters + ") {}",
                          "take", std::move(options))};
  }
  // What is said when a call is made twice; empty for nothing.
  template <class... A>
  static std::string said(const mylos::Kernel<Anything>& take, const A&... arguments) {
    LogLines log;
    take({.threads = 1}, arguments...);
    take({.threads = 1}, arguments...);
    std::string text;
    for (const std::string& line : log.take()) text += line;
    return text;
  }
  template <class... A>
  static std::string warning(const std::string& parameters, const A&... arguments) {
    const std::string text = said(kernel(parameters), arguments...);
    EXPECT_TRUE(contains(
        text, {"kernel 'take'", "The functor runs", "CudaOptions::check_signature = false", "parameter", "argument"}));
    EXPECT_EQ(text.find("kernel 'take'"), text.rfind("kernel 'take'")) << "once for a list of types";
    EXPECT_EQ(said(kernel(parameters, {.check_signature = false}), arguments...), "");
    return text;
  }
  template <class T>
  using Host = Kokkos::View<T, mylos::HostSpace>;

  const Host<double*> x_{"x", 4};
  const Host<float*> narrow_{"narrow", 4};
};

TEST_F(HostCallOfAKernelWithAPort, WarnsOfWhatThePortWouldRefuse) {
  EXPECT_TRUE(contains(warning("double* x", narrow_),
                       {"argument 1, 'narrow'", "its elements are float", "->  1", "pass a View of double"}));
  EXPECT_TRUE(contains(warning("mylos::Array<double, 1> x, int n", narrow_, 1), {"its elements are float"}));
  EXPECT_TRUE(contains(warning("double* x", Host<const double*>(x_)), {"its elements are const"}));
  EXPECT_TRUE(contains(warning("double* x, int n", x_), {"1 argument given, 2 parameters", "->  2"}));
  EXPECT_TRUE(contains(warning("double* x", x_, 1), {"2 arguments given, 1 parameter"}));
  EXPECT_TRUE(contains(warning("double* x, double* n", x_, 1.0), {"argument 2", "takes a View"}));
  EXPECT_TRUE(contains(warning("double x", x_), {"argument 1", "takes a value"}));
  EXPECT_TRUE(contains(warning("struct S s", std::string("text")), {"trivially copyable"}));
}

TEST_F(HostCallOfAKernelWithAPort, LeavesWhatIsTheDevicesAffair) {
  const Host<double**> matrix("matrix", 4, 4);
  const auto row = Kokkos::subview(matrix, 1, Kokkos::ALL);
  EXPECT_EQ(said(kernel("const double* x, int n"), x_, std::int64_t{3}), "");
  EXPECT_EQ(said(kernel("double* x"), row), "") << "strides";
  EXPECT_EQ(said(kernel("double* x"), matrix), "") << "rank";
  EXPECT_EQ(said(kernel("double* x, double dt"), x_, 1), "") << "a value that is converted";
  EXPECT_EQ(said(kernel("double* x, int n"), x_, std::int64_t{1} << 40), "") << "a value that does not fit today";
  EXPECT_EQ(said(kernel("double* x, double& y"), x_, std::string()), "") << "what no port can take";
}

TEST_F(HostCallOfAKernelWithAPort, EveryImplementationIsAsked) {
  for (const char* name : {"kokkos", "serial", "other"}) {
    const mylos::Kernel several("take", mylos::implementations(Anything{}, mylos::named("other", Anything{})),
                                mylos::CudaKernel("extern \"C\" __global__ void take(double* x) {}", "take"));
    const mylos::ScopedHostImplementation implementation(name);
    LogLines log;
    several({.threads = 1}, x_);
    EXPECT_EQ(log.take_count("kernel"), 0) << name;
    several({.threads = 1}, narrow_);
    EXPECT_EQ(log.take_count("'narrow'"), 1) << name;
  }
}

TEST_F(HostCallOfAKernelWithAPort, RunsWhereThePortCannotBeReadAndWarnsOnce) {
  LogLines log(mylos::log::Level::warning);
  const mylos::Kernel absent("absent", Anything{}, mylos::CudaKernel("__global__ void other(double* x) {}", "absent"));
  EXPECT_NO_THROW(absent({.threads = 1}, x_));
  EXPECT_NO_THROW(absent({.threads = 1}, narrow_));
  EXPECT_EQ(log.take_count("kernel 'absent': its port cannot be read"), 1);
}

// Each form of functor marks what it is called with.
using Grid = Kokkos::View<double***, mylos::HostSpace>;

double sum_of(const Grid& grid) {
  double sum = 0;
  for (std::size_t n = 0; n < grid.size(); ++n) sum += grid.data()[n];
  return sum;
}

template <class View>
double sum_of_all(const View& grid) {
  const Grid copy("copy", grid.extent(0), grid.extent(1), grid.extent(2));
  Kokkos::deep_copy(copy, grid);
  return sum_of(copy);
}

class HostForms : public ::testing::TestWithParam<const char*> {
 protected:
  Grid grid_{"grid", 3, 4, 5};
  mylos::ScopedHostImplementation implementation_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Kernel, HostForms, ::testing::Values("kokkos", "serial"));

TEST_P(HostForms, OneIndex) {
  const mylos::Kernel kernel("one", [](std::int64_t i, const Grid& grid) { grid(i, 0, 0) += 1; });
  kernel(grid_);
  EXPECT_EQ(sum_of(grid_), 3);
}

TEST_P(HostForms, TwoIndices) {
  const mylos::Kernel kernel("two", [](std::int64_t i, std::int64_t j, const Grid& grid) { grid(i, j, 0) += 1; });
  kernel(grid_);
  EXPECT_EQ(sum_of(grid_), 12);
  kernel({.threads = {2, 1}}, grid_);
  EXPECT_EQ(sum_of(grid_), 14);
  EXPECT_TRUE(contains(thrown<mylos::LaunchError>([&] { kernel({.threads = 2}, grid_); }),
                       {"kernel 'two'", "1 of the 2 axes", "'grid'", "{.threads = {nx, ny}}"}));
}

TEST_P(HostForms, ThreeIndices) {
  const mylos::Kernel kernel("three", [](std::int64_t i, std::int64_t j, std::int64_t k, const Grid& grid) {
    grid(i, j, k) += static_cast<double>(100 * i + 10 * j + k);
  });
  kernel(grid_);
  EXPECT_EQ(grid_(2, 3, 4), 234);
  EXPECT_EQ(grid_(0, 1, 2), 12);
}

TEST_P(HostForms, Whole) {
  const mylos::Kernel kernel("whole", mylos::whole([](const auto& execution, const Grid& grid) {
                               Kokkos::parallel_for(
                                   Kokkos::RangePolicy<std::remove_cvref_t<decltype(execution)>>(execution, 0, 60),
                                   [=](int n) { grid.data()[n] = n; });
                             }));
#ifndef KOKKOS_ENABLE_SERIAL
  if (std::string(GetParam()) == "serial") {
    EXPECT_TRUE(contains(thrown<mylos::LookupError>([&] { kernel(grid_); }),
                         {"kernel 'whole'", "this Kokkos has no Serial", "choose 'kokkos'"}));
    return;
  }
#endif
  kernel(grid_);
  EXPECT_EQ(sum_of(grid_), 59 * 60 / 2);
}

TEST(Kernel, AWholeFunctorForAnotherSpaceIsRefused) {
  const mylos::ScopedHostImplementation implementation("serial");
  const mylos::Kernel kernel(
      "whole", mylos::whole([](const Kokkos::DefaultHostExecutionSpace&, const HostView& x) { x(0) = 1; }));
  const HostView x("x", 1);
#ifdef KOKKOS_ENABLE_SERIAL
  if constexpr (std::is_same_v<Kokkos::DefaultHostExecutionSpace, Kokkos::Serial>) {
    kernel(x);
    EXPECT_EQ(x(0), 1);
    return;
  }
#endif
  EXPECT_TRUE(contains(thrown<mylos::LookupError>([&] { kernel(x); }), {"kernel 'whole'", "'serial'", "Serial"}));
}

TEST_P(HostForms, MoreThreadAxesThanIndicesAreRefused) {
  const mylos::Kernel kernel("one", [](std::int64_t i, const Grid& grid) { grid(i, 0, 0) += 1; });
  const std::string text = thrown<mylos::ValueError>([&] { kernel({.threads = {2, 2}}, grid_); });
  EXPECT_TRUE(contains(text, {"kernel 'one'", "(2, 2)", "2 axes", "with 1"}));
}

TEST(Kernel, TheFunctorsStateAndArgumentsOfAnyTypeArrive) {
  struct Fill {
    double base;
    void operator()(std::int64_t i, const HostView& x, const std::string& text, const std::vector<int>& numbers) const {
      x(i) = base + static_cast<double>(text.size()) + numbers.at(1);
    }
  };
  const HostView x("x", 2);
  const mylos::Kernel kernel("fill", Fill{0.5});
  kernel(x, "four", std::vector<int>{1, 20});
  EXPECT_EQ(elements(x), (std::vector<double>{24.5, 24.5}));
}

// Marks each element that it is called for. The functor is written for Views of the host, as most are.
template <class View>
View marked_on(const mylos::Launch& settings, const char* text) {
  const View a("a", 37, 9, 5);
  struct Mark {
    void operator()(std::int64_t i, std::int64_t j, std::int64_t k, const Grid& x) const { x(i, j, k) += 1; }
  };
  const mylos::Kernel kernel("mark", mylos::per_element<3>(Mark{}), mylos::CudaKernel(text, "mark"));
  kernel(settings, a);
  return a;
}

TEST(Kernel, BothSidesDoTheSameWorkInThreeAxes) {
  constexpr const char* by_macro = R"cuda(#include <mylos/device/array.hpp>
#include <mylos/device/index.hpp>
extern "C" __global__ void mark(mylos::Array<double, 3> a) {
  MYLOS_THREAD_3D(i, j, k, a.extent(0), a.extent(1), a.extent(2));
  a(i, j, k) += 1;
})cuda";
  constexpr const char* by_hand = R"cuda(#include <mylos/device/array.hpp>
extern "C" __global__ void mark(mylos::Array<double, 3> a) {
  const long i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  const long k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < a.extent(0) && j < a.extent(1) && k < a.extent(2)) a(i, j, k) += 1;
})cuda";
  using Host = Kokkos::View<double***, mylos::HostSpace>;
  using OnDevice = Kokkos::View<double***, mylos::DeviceSpace>;
  const std::vector<mylos::Launch> settings = {
      {}, {.threads = {37, 9, 5}}, {.grid = {2, 2, 2}, .block = {2, 3, 1}}, {.grid = {1, 1, 1}}};
  for (const mylos::Launch& launch : settings) {
    const double on_host = sum_of_all(marked_on<Host>(launch, by_macro));
    const auto device = mylos::copy_to<mylos::HostSpace>(marked_on<OnDevice>(launch, by_macro));
    EXPECT_EQ(on_host, sum_of_all(device));
    if (launch.grid.given()) continue;  // by hand it is not known which threads do what
    EXPECT_EQ(on_host, sum_of_all(mylos::copy_to<mylos::HostSpace>(marked_on<OnDevice>(launch, by_hand))));
  }
  EXPECT_EQ(sum_of_all(marked_on<Host>({}, by_macro)), 37 * 9 * 5);
  EXPECT_EQ(sum_of_all(marked_on<Host>(settings[2], by_macro)), 4 * 6 * 2);
  EXPECT_TRUE(contains(thrown<mylos::LaunchError>([&] { marked_on<OnDevice>({.block = 64}, by_macro); }),
                       {"kernel 'mark'", "1 of the 3 axes", "'a'", "{.block = {16, 4, 2}}"}));
}

TEST(Kernel, AGridThatSharesTheWorkOutDoesAllOfIt) {
  const auto push = [](std::int64_t i, const HostView& x) { x(i) += 1; };
  const auto count = [&](const char* body) {
    const std::string text = "#include <mylos/device/index.hpp>\nextern \"C\" __global__ void p(double* x, int n) { " +
                             std::string(body) + " }";
    const HostView x("x", 50);
    mylos::Kernel(
        "p", [=](std::int64_t i, const HostView& v, int) { push(i, v); }, mylos::CudaKernel(text, "p"))(
        {.grid = 2, .block = 8}, x, 50);
    double sum = 0;
    for (std::size_t i = 0; i < x.extent(0); ++i) sum += x(i);
    return sum;
  };
  EXPECT_EQ(count("MYLOS_THREAD_1D(i, n); x[i] += 1;"), 16);
  EXPECT_EQ(count("int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] += 1;"), 16);
  EXPECT_EQ(count("MYLOS_GRID_STRIDE_1D(i, n) { x[i] += 1; }"), 50);
  EXPECT_EQ(count("for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] += 1;"),
            50);
}

TEST(Kernel, AGridIsCheckedOnTheHostToo) {
  const mylos::Kernel kernel(
      "one", [](std::int64_t i, const HostView& x) { x(i) += 1; },
      mylos::CudaKernel("#include <mylos/device/index.hpp>\n"
                        "extern \"C\" __global__ void one(double* x) { MYLOS_THREAD_1D(i, 8); x[i] += 1; }",
                        "one"));
  const HostView x("x", 8);
  const auto refusal = [&](const mylos::Launch& launch) {
    return thrown<mylos::LaunchError>([&] { kernel(launch, x); });
  };
  EXPECT_TRUE(contains(refusal({.threads = 8, .grid = 4, .block = 0}), {"'one'", "0 threads along x"}));
  EXPECT_TRUE(contains(refusal({.threads = 8, .grid = 4, .block = -32}), {"-32 threads along x"}));
  EXPECT_TRUE(contains(refusal({.threads = 8, .grid = 4, .block = 2048}), {"2048 threads along x", "1024"}));
  EXPECT_TRUE(contains(refusal({.threads = 8, .grid = std::int64_t{1} << 40}), {"blocks along x", "2147483647"}));
  kernel({.threads = 8, .grid = {2147483647, 65535, 65535}, .block = {16, 8, 8}}, x);
  for (std::size_t i = 0; i < x.extent(0); ++i) EXPECT_EQ(x(i), 1);
}

TEST(Kernel, ThePortsRuleCountsThreadsOnTheHostToo) {
  const auto count = [](std::int64_t /*i*/, const Kokkos::View<double**, mylos::HostSpace>& x) { x(0, 0) += 1; };
  const mylos::CudaKernel port("extern \"C\" __global__ void count(double* x) {}", "count",
                               {.threads_from = mylos::ThreadsFrom::last_extent});
  const Kokkos::View<double**, mylos::HostSpace> x("x", 3, 50);
  mylos::Kernel("count", count, port)(x);
  EXPECT_EQ(x(0, 0), 50);
}

TEST(Kernel, MixedSpacesAreRefusedByName) {
  const HostView x("positions", 4);
  const DeviceView v("velocities", 4);
  const std::string text = thrown<mylos::SpaceError>([&] { push()(x, v, 1.0); });
  EXPECT_TRUE(contains(text, {"kernel 'push'", "->  1", "'positions'", "Host", "->  2", "'velocities'", "MylosDevice",
                              "mylos::to_device"}));
}

TEST(Kernel, WithoutPortTheFileToWriteIsNamed) {
  const mylos::Kernel kernel("push", Push{}, {}, {.port_file = "kernels/push/push.cu"});
  EXPECT_FALSE(kernel.has_cuda());
  EXPECT_EQ(kernel.cuda(), nullptr);
  const DeviceView x("x", 4);
  const std::string text = thrown<mylos::LookupError>([&] { kernel(x, x, 1.0); });
  EXPECT_TRUE(
      contains(text, {"kernel 'push'", "kernels/push/push.cu", "__global__ void push", "MissingCuda::fallback"}));
}

TEST(Kernel, TheFallbackCopiesWhatItMustAndWarnsOnce) {
  std::vector<std::string> warnings;
  const auto before =
      mylos::log::set_sink([&](mylos::log::Level, std::string_view text) { warnings.emplace_back(text); });
  const mylos::Kernel kernel("push", Push{}, {}, {.missing_cuda = mylos::MissingCuda::fallback});
  std::mt19937_64 random(random_seed());
  const DeviceView x = random_view<mylos::DeviceSpace>("x", 100, random);
  const Kokkos::View<const double*, mylos::DeviceSpace> v = random_view<mylos::DeviceSpace>("v", 100, random);
  std::vector<double> expected = elements(x);
  const std::vector<double> velocity = elements(v);
  for (std::size_t i = 0; i < 100; ++i) {
    for (int call = 0; call < 2; ++call) expected[i] += 0.5 * velocity[i];
  }

  mylos::CopyCounter copies;
  kernel(x, v, 0.5);
  kernel(x, v, 0.5);
  EXPECT_EQ(copies.counts().to_host, 4);
  EXPECT_EQ(copies.counts().to_device, 2) << "v is const";
  EXPECT_EQ(copies.counts().fallback, 2);
  mylos::log::set_sink(before);
  EXPECT_EQ(elements(x), expected);
  ASSERT_EQ(warnings.size(), 1);
  EXPECT_TRUE(contains(warnings[0], {"kernel 'push'", "copied", "push.cu"}));
}

TEST(Kernel, AFunctorForOneLayoutOnlyIsAnErrorOfTheFallback) {
  const auto typed = [](std::int64_t i, const Kokkos::View<double**, mylos::HostSpace>& x) { x(i, 0) = 1; };
  const mylos::Kernel kernel("fill", typed, {}, {.missing_cuda = mylos::MissingCuda::fallback});
  const Kokkos::View<double**, mylos::DeviceSpace> x("x", 4, 4);
  const std::string text = thrown<mylos::LookupError>([&] { kernel(x); });
  EXPECT_TRUE(contains(text, {"kernel 'fill'", "template", "'x'"}));
}

TEST(Kernel, WithoutViewsTheBackendDecides) {
  static int host_calls = 0;
  const mylos::Kernel kernel("count", [](std::int64_t /*i*/, int /*n*/) { ++host_calls; });
  kernel({.threads = 3}, 1);
  EXPECT_EQ(host_calls, 3);
  const mylos::ScopedBackend emulated(mylos::Backend::emulated);
  EXPECT_TRUE(contains(thrown<mylos::LookupError>([&] { kernel({.threads = 3}, 1); }), {"count.cu"}));
  EXPECT_EQ(host_calls, 3);
}

TEST(Kernel, SelectedSaysWhatWouldRun) {
  EXPECT_EQ(push().selected(mylos::Backend::emulated), "emulated");
  EXPECT_EQ(push().selected(mylos::Backend::cuda), "cuda");
  const mylos::Kernel fallback("push", Push{}, {}, {.missing_cuda = mylos::MissingCuda::fallback});
  EXPECT_EQ(fallback.selected(mylos::Backend::emulated), "kokkos");
  const mylos::ScopedDeviceImplementation cuda("cuda");
  EXPECT_TRUE(
      contains(thrown<mylos::LookupError>([&] { static_cast<void>(push().selected(mylos::Backend::emulated)); }),
               {"'cuda'", "absent", "emulated"}));
  EXPECT_TRUE(contains(thrown<mylos::LookupError>([&] { static_cast<void>(fallback.selected(mylos::Backend::cuda)); }),
                       {"'cuda'", "absent", "push.cu"}));
}

TEST(Kernel, TheDevicesFunctorIsAbsentInThisBuild) {
  const mylos::ScopedDeviceImplementation kokkos("kokkos");
  const DeviceView x("x", 4);
  EXPECT_TRUE(
      contains(thrown<mylos::LookupError>([&] { push()(x, x, 1.0); }), {"kernel 'push'", "'kokkos'", "absent"}));
}

TEST(Kernel, CanBeCalledAfterItWasMoved) {
  const Kokkos::View<double*, mylos::HostSpace> host("host", 2);
  const Kokkos::View<double*, mylos::DeviceSpace> device("device", 2);
  mylos::Kernel first("fill", [](std::int64_t i, const auto& x, double a) { x(i) = a; }, {},
                      {.missing_cuda = mylos::MissingCuda::fallback});
  const auto second = std::move(first);
  second(host, 0.5);
  first(host, 1.5);  // NOLINT(bugprone-use-after-move): that is what is tested
  first(device, 2.5);
  EXPECT_EQ(first.name(), "fill");
  EXPECT_EQ(elements(host), (std::vector<double>{1.5, 1.5}));
  EXPECT_EQ(elements(device), (std::vector<double>{2.5, 2.5}));
}

// Statics are called early and late; `port` is on the device, the others are functors on the host.
TEST(KernelsOutsideKokkos, AreRefusedAndNotRun) {
  const Ended ended = run_program(MYLOS_OUTSIDE_KOKKOS);
  EXPECT_EQ(ended.status, 0) << ended.text;
  EXPECT_TRUE(contains(ended.text, {"early, port: the device was used before Kokkos::initialize", "mylos::Session",
                                    "early, per element: kernel 'per_element' was called before Kokkos::initialize",
                                    "early, whole: kernel 'whole' was called before Kokkos::initialize",
                                    "meanwhile, port: ran", "meanwhile, per element: ran", "meanwhile, whole: ran",
                                    "late, port: the device was used after Kokkos::finalize",
                                    "late, per element: kernel 'per_element' was called after Kokkos::finalize",
                                    "late, whole: kernel 'whole' was called after Kokkos::finalize", "\n2\n"}));
}

}  // namespace
}  // namespace mylos_test
