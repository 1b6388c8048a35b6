// SPDX-License-Identifier: MIT
#include <mylos/device/integers.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/cuda/nvrtc.hpp>
#include <mylos/jit/headers.hpp>

#include "device/emulated.hpp"
#include "support/nvrtc_test.hpp"

namespace mylos_test {
namespace {

// True of every platform that reads the header; kernels rely on it when they share a struct with the host.
constexpr const char* same_everywhere = R"(
static_assert(sizeof(std::int8_t) == 1 && sizeof(std::int16_t) == 2 && sizeof(std::int32_t) == 4);
static_assert(sizeof(std::int64_t) == 8 && sizeof(std::uint64_t) == 8 && sizeof(std::intptr_t) == sizeof(void*));
static_assert(std::int64_t(-1) < 0 && std::uint64_t(-1) > 0 && std::int8_t(-1) < 0 && std::uint8_t(-1) > 0);
static_assert(INT64_MAX == 9223372036854775807LL && INT64_MIN == -INT64_MAX - 1 && UINT64_MAX == ~std::uint64_t(0));
static_assert(INT32_MIN == -2147483647 - 1 && UINT16_MAX == 65535 && INT8_MIN == -128 && SIZE_MAX == UINT64_MAX);
struct Shared { bool flag; std::int64_t wide; std::uint8_t byte; std::int32_t narrow; std::size_t count; };
static_assert(sizeof(Shared) == 32 && alignof(Shared) == 8);
)";

const std::string kernel_text =
    "#include <mylos/device/integers.hpp>\n" + std::string(same_everywhere) +
    "extern \"C\" __global__ void k(std::int64_t* wide) { wide[0] = INT64_MAX; wide[1] = UINT32_MAX; }\n";

using IntegersUnderNvrtc = NvrtcTest<>;

TEST_F(IntegersUnderNvrtc, AreThoseOfTheHost) {
  const auto result = mylos::cuda::Nvrtc::require().compile({.text = kernel_text,
                                                             .file_name = "k.cu",
                                                             .options = {"-arch=compute_80"},
                                                             .headers = mylos::jit::nvrtc_headers(),
                                                             .name_expressions = {}});
  EXPECT_TRUE(result.compiled) << result.log;
}

TEST(Integers, AreThoseOfTheHostUnderTheEmulator) {
  const DeviceVector<std::int64_t> wide({0, 0});
  run_emulated(kernel_text, "k", {}, wide.data());
  EXPECT_EQ(wide.values(), (std::vector<std::int64_t>{INT64_MAX, UINT32_MAX}));
}

}  // namespace
}  // namespace mylos_test
