// SPDX-License-Identifier: MIT
// Sources made from a known signature with random noise between its tokens: the signature comes back.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/jit/signature.hpp>

#include "jit/noisy_source.hpp"
#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

Noise random_noise() {
  return Noise([random = std::mt19937_64(random_seed())](std::size_t bound) mutable {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
  });
}

TEST(SignatureRoundTrip, NoiseChangesNothing) {
  Noise noise = random_noise();
  for (int round = 0; round < 2000; ++round) {
    const Made made = make_source(noise);
    ASSERT_EQ(to_string(mylos::jit::parse_signature(made.source, "kernel")), made.expected)
        << "round " << round << ", the source is:\n"
        << made.source;
  }
}

// Whatever the text is, reading it ends, and throws nothing but what is documented.
TEST(SignatureRoundTrip, DamagedTextsAreRead) {
  Noise noise = random_noise();
  for (int round = 0; round < 2000; ++round) {
    std::string source = make_source(noise).source;
    for (int damage = 0; damage < 5 && !source.empty(); ++damage) {
      static const std::vector<std::string> pieces = {"(",  ")", "<",  ">",          "{",        "}",
                                                      "\"", "'", "\\", "#",          "/*",       "R\"(",
                                                      "[",  "]", "\n", "__global__", "template", "void"};
      const std::size_t at = noise.below(source.size());
      if (noise.chance(50)) {
        source.erase(at, noise.below(20));
      } else {
        source.insert(at, noise.one_of(pieces));
      }
    }
    SCOPED_TRACE("the source is:\n" + source);
    for (const std::string& name : mylos::jit::kernel_names(source)) {
      try {
        EXPECT_FALSE(mylos::jit::parse_signature(source, name).name.empty());
      } catch (const mylos::SignatureError&) {  // overloads that the damage made
      }
    }
  }
}

}  // namespace
}  // namespace mylos_test
