// SPDX-License-Identifier: MIT
// What a launch allocates on the calling thread, counted by this program's own operator new.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <mylos/emulator/options.hpp>
#include <mylos/kernel.hpp>

namespace {

constinit thread_local int allocations = 0;

}  // namespace

void* operator new(std::size_t bytes) {
  ++allocations;
  // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): what operator new is made of
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
// NOLINTNEXTLINE(cppcoreguidelines-no-malloc): likewise
void operator delete(void* memory) noexcept { std::free(memory); }
// NOLINTNEXTLINE(cppcoreguidelines-no-malloc): likewise
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }

namespace mylos_test {
namespace {

template <class T>
using DeviceView = Kokkos::View<T, mylos::DeviceSpace>;

struct Settings {
  double width;
  int level;
};

struct Combine {
  template <class... A>
  void operator()(std::int64_t, const A&...) const {}
};

mylos::CudaKernel port(const std::string& statement) {
  return {R"cuda(
#include <mylos/device/array.hpp>
struct Settings { double width; int level; };
extern "C" __global__ void combine(double* y, const double* x, mylos::Array<float, 2> m, mylos::ContiguousArray<int, 1> k,
                                   double a, float b, int n, long long shift, bool on, Settings settings) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  )cuda" + statement +
              R"cuda(
  if (i < n && on) y[i] = a * x[i] + b * m(i, 0) + k(i) + shift + settings.width * settings.level;
})cuda",
          "combine"};
}

// Three blocks with ten arguments of all kinds, some of them converted.
class Allocations : public ::testing::Test {
 protected:
  static constexpr int launches = 200;

  template <class Call>
  static int after_the_first(const Call& call) {
    call();
    const int before = allocations;
    for (int launch = 0; launch < launches; ++launch) call();
    return allocations - before;
  }

  template <class Kernel>
  [[nodiscard]] int of_launches(const Kernel& kernel) const {
    return after_the_first([&] { kernel({.threads = 300}, y_, x_, m_, k_, 2, 0.5, 300LL, 7, true, Settings{1.5, 3}); });
  }

 private:
  const DeviceView<double*> y_{"y", 300}, x_{"x", 300};
  const DeviceView<float**> m_{"m", 300, 2};
  const DeviceView<int*> k_{"k", 300};
};

TEST_F(Allocations, ALaunchMakesNoneAfterTheFirst) {
  for (const unsigned threads : {1U, 2U}) {
    const auto options = mylos::emulator::with({.threads = threads});
    for (const char* statement : {"", "__syncthreads();"}) {
      const mylos::CudaKernel cuda = port(statement);
      EXPECT_EQ(of_launches(cuda), 0) << threads << " threads " << statement;
      EXPECT_EQ(of_launches(mylos::Kernel("combine", Combine{}, cuda)), 0) << threads << " threads " << statement;
    }
  }
}

// Which also shows that those of the library are counted.
TEST_F(Allocations, ALaunchMakesOneForParametersBeyondFourKilobytes) {
  const mylos::CudaKernel kernel(
      "struct Table { double values[512]; };\nextern \"C\" __global__ void last(double* y, Table t) { y[0] = "
      "t.values[511]; }",
      "last");
  const DeviceView<double*> y("y", 1);
  const std::array<double, 512> table{};
  EXPECT_EQ(after_the_first([&] { kernel({.threads = 1, .block = 1}, y, table); }), launches);
}

}  // namespace
}  // namespace mylos_test
