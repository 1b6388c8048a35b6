// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using landau::Mode;
using landau::Options;

Options parsed(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "landau");
  int exit_code = -1;
  const auto options = landau::parse_options(static_cast<int>(arguments.size()), arguments.data(), exit_code);
  EXPECT_TRUE(options.has_value());
  return options.value_or(Options{});
}

std::string refusal(const std::vector<const char*>& arguments) {
  return thrown<mylos::ValueError>([&] { (void)parsed(arguments); });
}

TEST(ParseOptions, DefaultsAreTheVerifiedSettings) {
  const Options options = parsed({});
  EXPECT_EQ(options.mode, Mode::landau);
  EXPECT_EQ(options.markers, 100'000);
  EXPECT_EQ(options.nodes(), 64);
  EXPECT_EQ(options.steps, 151);
  EXPECT_TRUE(options.controlled());
  EXPECT_FALSE(options.backend.has_value());
  EXPECT_EQ(parsed({"--full-f"}).markers, 500'000);
  EXPECT_EQ(parsed({"--dimension", "3"}).nodes(), 2048);
  EXPECT_EQ(parsed({"--dimension", "3"}).steps, 146);
  EXPECT_EQ(parsed({"--mode", "two_stream"}).steps, 451);
  EXPECT_NEAR(parsed({"--mode", "two_stream"}).beam_velocity, 1.224745, 1e-6);
  EXPECT_NEAR(parsed({"--mode", "two_stream", "--k", "1"}).beam_velocity, 0.6123724, 1e-6);
}

TEST(ParseOptions, ReadsEverything) {
  const Options options = parsed(
      {"--dimension", "3",        "--particles", "2e4",       "--cells", "16,4,8", "--steps", "20",         "--dt",
       "0.05",        "--k",      "0.4",         "--epsilon", "0.001",   "--seed", "7",       "--operator", "spectral",
       "--backend",   "emulated", "--output",    "out",       "--json",  "a.json", "--quiet", "--no-check"});
  EXPECT_EQ(options.markers, 20'000);
  EXPECT_EQ(options.cells, (std::array<std::int64_t, 3>{16, 4, 8}));
  EXPECT_EQ(options.steps, 20);
  EXPECT_EQ(options.dt, 0.05);
  EXPECT_EQ(options.k, 0.4);
  EXPECT_EQ(options.epsilon, 0.001);
  EXPECT_EQ(options.seed, 7U);
  EXPECT_EQ(options.field_operator, landau::FieldOperator::spectral);
  EXPECT_EQ(options.backend, mylos::Backend::emulated);
  EXPECT_EQ(options.output, "out");
  EXPECT_EQ(options.json, "a.json");
  EXPECT_TRUE(options.quiet);
  EXPECT_FALSE(options.check);
}

TEST(ParseOptions, OneNumberOfCellsIsTheOneAlongTheWave) {
  EXPECT_EQ(parsed({"--dimension", "3", "--cells", "64"}).cells, (std::array<std::int64_t, 3>{64, 16, 16}));
  EXPECT_EQ(parsed({"--cells", "32"}).cells, (std::array<std::int64_t, 3>{32, 1, 1}));
}

struct Refused {
  std::vector<const char*> arguments;
  std::vector<std::string> pieces;
};

class BadOptions : public ::testing::TestWithParam<Refused> {};

TEST_P(BadOptions, AreNamedWithTheirValueAndWhatIsPossible) {
  const std::string text = refusal(GetParam().arguments);
  for (const std::string& piece : GetParam().pieces) EXPECT_TRUE(contains(text, {piece}));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadOptions,
    ::testing::Values(
        Refused{{"--particles", "0"}, {"--particles is 0"}}, Refused{{"--particles=-5"}, {"--particles is -5"}},
        Refused{{"--particles", "1e30"}, {"--particles is 1e30", "2^53"}},
        Refused{{"--particles", "1.5"}, {"--particles is 1.5", "whole number"}},
        Refused{{"--particles", "many"}, {"--particles is many", "whole number"}},
        Refused{{"--particles", "nan"}, {"--particles is nan", "whole number"}},
        Refused{{"--particles", "inf"}, {"--particles is inf"}}, Refused{{"--particles", ""}, {"--particles is "}},
        Refused{{"--mode", "two_stream", "--particles", "7"}, {"--particles is 7", "even"}},
        Refused{{"--steps", "0"}, {"--steps is 0"}}, Refused{{"--steps", "1e12"}, {"--steps is 1000000000000"}},
        Refused{{"--cells", "0"}, {"--cells is 0"}}, Refused{{"--cells", "1e9"}, {"--cells is 1000000000", "65536"}},
        Refused{{"--cells", "32,8"}, {"--cells has 2 numbers", "1 dimension"}},
        Refused{{"--dimension", "3", "--cells", "32,8,1"}, {"--cells is 1"}},
        Refused{{"--dimension", "2"}, {"--dimension is 2", "1 or 3"}},
        Refused{{"--dimension", "3", "--mode", "two_stream"}, {"two_stream", "--dimension 1"}},
        Refused{{"--k", "nan"}, {"--k is nan"}}, Refused{{"--k", "0"}, {"--k is 0"}},
        Refused{{"--k", "3"}, {"--k is 3", "0.25", "0.7"}},
        Refused{{"--mode", "cold_plasma", "--k", "-1"}, {"--k is -1"}},
        Refused{{"--epsilon", "nan"}, {"--epsilon is nan"}}, Refused{{"--epsilon", "2"}, {"--epsilon is 2"}},
        Refused{{"--dt", "nan"}, {"--dt is nan"}}, Refused{{"--dt", "-0.1"}, {"--dt is -0.1"}},
        Refused{{"--seed=-1"}, {"--seed is -1"}},
        Refused{{"--mode", "tokamak"}, {"--mode is tokamak", "landau, two_stream, cold_plasma"}},
        Refused{{"--operator", "fft"}, {"--operator is fft", "fd, spectral"}},
        Refused{{"--backend", "gpu"}, {"--backend is gpu", "host, emulated, cuda"}}));

TEST(ParseOptions, HelpEndsWellAndUnknownOptionsDoNot) {
  const auto code_of = [](const char* argument) {
    const char* arguments[] = {"landau", argument};
    int exit_code = -1;
    EXPECT_FALSE(landau::parse_options(2, arguments, exit_code).has_value());
    return exit_code;
  };
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(code_of("--help"), 0);
  EXPECT_TRUE(contains(::testing::internal::GetCapturedStdout(), {"--particles", "--backend", "--no-check"}));
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(code_of("--partikel"), 2);
  EXPECT_TRUE(contains(::testing::internal::GetCapturedStderr(), {"--partikel"}));
}

TEST(RequireMemory, RefusesWithNumbers) {
  Options options = landau::options_for(Mode::landau);
  EXPECT_NO_THROW(landau::require_memory(options));
  options.markers = 1'000'000'000'000;
  const std::string text = thrown<mylos::ValueError>([&] { landau::require_memory(options); });
  EXPECT_TRUE(contains(text, {"1000000000000 particles", "GiB", "are free", "fewer particles"}));
}

TEST(Options, KeptFieldsAndMarkersStayWithinTheirBounds) {
  Options options = landau::options_for(Mode::landau);
  EXPECT_EQ(options.kept_fields(), options.steps);
  EXPECT_EQ(options.kept_markers(), options.markers);
  options.steps = 100'000;
  options.markers = 123'456'789;
  EXPECT_LE(options.kept_fields(), 1024);
  EXPECT_LE(options.kept_markers(), 200'000);
  EXPECT_EQ(options.marker_interval() % 2, 1);
  options.cells = {65536, 65536, 65536};
  EXPECT_EQ(options.kept_fields(), 1);
}

TEST(Options, BoxHoldsOneWave) {
  const Options options = landau::options_for(Mode::landau, 3);
  EXPECT_NEAR(options.cell_size() * 32, 4.0 * std::numbers::pi, 1e-12);
  EXPECT_NEAR(options.volume(), 4.0 * std::numbers::pi * std::pow(std::numbers::pi, 2), 1e-10);
}

}  // namespace
}  // namespace mylos_test
