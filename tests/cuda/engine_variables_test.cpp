// SPDX-License-Identifier: MIT
// Variables of a kernel's text, which the driver knows by the symbols of the compiled image.
#include <array>
#include <string>
#include <vector>

#include <mylos/base/error.hpp>
#include <mylos/kernel.hpp>

#include "cuda/engine.hpp"
#include "kernel/own_process.hpp"
#include "kernel/variable_cases.hpp"

namespace mylos_test {
namespace {

using mylos::CudaKernel;

class RunsOnTheStandIn : public EngineTest {
 protected:
  [[nodiscard]] CudaKernel running(const std::string& text, const std::string& name) const {
    run_on_emulator(stand_in, name, text, name);
    return {text, name};
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(OnTheStandIn, KernelVariables, RunsOnTheStandIn);

using EngineVariables = KernelVariables<RunsOnTheStandIn>;
constexpr std::array ones{1.0F, 1.0F, 1.0F, 1.0F};

TEST_F(EngineVariables, AreLookedForOnce) {
  const CudaKernel kernel = reads();
  for (int step = 0; step < 3; ++step) kernel.set_variable("c", ones);
  static_cast<void>(kernel.variable<int>("physics::deep::launches"));
  EXPECT_EQ(stand_in.count("cuModuleGetGlobal_v2 c"), 1);
  EXPECT_EQ(stand_in.count("cuModuleGetGlobal_v2 _ZN7physics4deep8launchesE"), 1);
  EXPECT_EQ(stand_in.count("cuModuleGetGlobal_v2"), 2);
}

TEST_F(EngineVariables, AreSetWithoutAWait) {
  const CudaKernel kernel = reads();
  kernel.set_variable("c", ones);
  EXPECT_EQ(stand_in.count("cuMemcpyHtoDAsync_v2 16"), 1);
  EXPECT_EQ(stand_in.count("cuStreamSynchronize") + stand_in.count("cuCtxSynchronize"), 0);
}

TEST_F(EngineVariables, AreCopiedOnTheStreamThatIsAskedFor) {
  const CudaKernel kernel = reads();
  const Device stream = Kokkos::Experimental::partition_space(Device(), 1)[0];
  const Results out("out", 4);
  Kokkos::fence();
  kernel.set_variable("c", ones, stream);
  Device().fence();
  EXPECT_EQ((kernel.variable<std::array<float, 4>>("c")), (std::array<float, 4>{})) << "its turn has not come";
  kernel({.threads = 4, .block = 4, .stream = stream}, out);
  EXPECT_EQ((kernel.variable<std::array<float, 4>>("c", stream)), ones);
  EXPECT_EQ(elements(out), std::vector<double>(4, 1));
}

TEST_F(EngineVariables, AreNamedWhereTheDriverFails) {
  const CudaKernel kernel = reads();
  stand_in.fail("cuModuleGetGlobal_v2", 1);
  EXPECT_TRUE(contains(thrown<mylos::CudaError>([&] { kernel.set_variable("c", ones); }),
                       {"cuModuleGetGlobal_v2 failed", "CUDA_ERROR_INVALID_VALUE", "variable 'c'"}));
  kernel.set_variable("c", ones);
  stand_in.fail("cuMemcpyDtoHAsync_v2", 1);
  EXPECT_TRUE(contains(thrown<mylos::CudaError>([&] { static_cast<void>(kernel.variable<double>("physics::scale")); }),
                       {"cuMemcpyDtoHAsync_v2 failed"}));
  EXPECT_EQ(results(kernel), std::vector<double>(4, 1));
}

TEST_F(EngineVariables, DISABLED_OfPtx) {
  const CudaKernel kernel = reads();
  kernel.set_variable("c", ones);
  kernel.set_variable("physics::scale", 3.0);
  EXPECT_EQ(results(kernel), std::vector<double>(4, 3));
  EXPECT_TRUE(contains(kernel.compile().architecture, {"compute_"}));
  end_alone();
}

TEST_F(EngineVariables, AreFoundOnACardNewerThanNvrtc) {
  EXPECT_EQ(run_alone("EngineVariables.DISABLED_OfPtx", "STAND_IN_CAPABILITY", "345"), passed_alone);
}

}  // namespace
}  // namespace mylos_test
