// SPDX-License-Identifier: MIT
// Kernels with one mistake: those that an exploration of all orders of their threads shows wrong have to be reported by
// the checks, and those in which everything is ordered have to be left in peace.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/emulator/options.hpp>

#include "emulator/findings.hpp"
#include "emulator/model/emulated_batch.hpp"
#include "emulator/model/kernel_text.hpp"
#include "emulator/model/mutants.hpp"
#include "emulator/model/random_kernel.hpp"
#include "emulator/model/schedule_explorer.hpp"
#include "emulator/model/textbook_kernels.hpp"
#include "emulator/model/trials.hpp"
#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

namespace emulator = mylos::emulator;
using model::TextbookKernel;

constexpr std::size_t kernels_of_a_batch = 16;

/// A kernel, what the exploration says of it, and what the checks do.
struct Trial {
  TextbookKernel kernel;
  model::Exploration explored;
  std::vector<emulator::Finding> findings = {};

  [[nodiscard]] std::string text() const {
    return "// " + std::to_string(kernel.shape.blocks) + " blocks of " + std::to_string(kernel.shape.threads) +
           " threads; p = " + std::to_string(kernel.shape.argument) + "; " +
           (explored.wrong  ? "wrong: " + *explored.wrong
            : explored.race ? "a race"
                            : "right") +
           '\n' + text_of(kernel.kernel, "kernel") + told(findings);
  }
};

std::vector<TextbookKernel> original_kernels(std::uint64_t seed) {
  std::vector<TextbookKernel> kernels = model::textbook_kernels();
  for (std::size_t i = 0; i < model::trials().random_mutated; ++i) {
    kernels.push_back({model::random_kernel(seed + i, model::Parts::barriers), {.blocks = 2, .threads = 40}});
  }
  return kernels;
}

Trial explored(const TextbookKernel& kernel, const model::Effort& effort, std::uint64_t seed) {
  const model::Program program(kernel.kernel);
  return {kernel, model::explore(program, kernel.shape, effort, seed)};
}

// What is wrong without a race depends on the order of atomic accesses.
std::set<emulator::Check> checks_for(const Trial& trial) {
  auto checks = emulator::all_checks();
  if (trial.explored.wrong && !trial.explored.race) checks.insert(emulator::Check::thread_order);
  return checks;
}

void check(std::vector<Trial>& trials) {
  for (std::size_t first = 0; first < trials.size(); first += kernels_of_a_batch) {
    std::vector<model::Kernel> kernels;
    for (std::size_t i = first; i < std::min(first + kernels_of_a_batch, trials.size()); ++i) {
      kernels.push_back(trials[i].kernel.kernel);
    }
    const model::EmulatedBatch batch(std::move(kernels));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      Trial& trial = trials[first + i];
      const auto checks = emulator::with({.checks = checks_for(trial)});
      trial.findings = batch.run(i, trial.kernel.shape).findings;
    }
  }
}

TEST(Mutation, OriginalsAreRightAndHaveNoFindings) {
  const std::uint64_t seed = random_seed();
  std::vector<Trial> trials;
  for (const TextbookKernel& kernel : original_kernels(seed)) trials.push_back(explored(kernel, {}, seed));
  check(trials);
  for (const Trial& trial : trials) {
    EXPECT_FALSE(trial.explored.wrong) << trial.text();
    EXPECT_FALSE(trial.explored.race) << trial.text();
    EXPECT_TRUE(trial.findings.empty()) << trial.text();
  }
}

constexpr std::size_t most_mutants_of_random_kernel = 24;

/// Of all originals; of large ones some.
std::vector<Trial> explored_mutants(std::uint64_t seed) {
  std::vector<Trial> trials;
  std::size_t number = seed % model::trials().every_nth_mutant;
  for (const TextbookKernel& original : original_kernels(seed)) {
    std::vector<model::Kernel> mutants = model::mutants_of(original.kernel);
    const std::size_t every =
        std::max(model::trials().every_nth_mutant, mutants.size() / most_mutants_of_random_kernel);
    for (model::Kernel& mutant : mutants) {
      if (number++ % every != 0) continue;
      Trial trial = explored({std::move(mutant), original.shape}, {}, seed);
      if (!trial.explored.endless) trials.push_back(std::move(trial));  // others only end with Options::time_limit
    }
  }
  return trials;
}

// Missed mutants are printed with their texts, to be added to the corpus.
TEST(Mutation, WrongMutantsAreReportedAndOthersAreNot) {
  const std::uint64_t seed = random_seed();
  std::vector<Trial> mutants = explored_mutants(seed);
  check(mutants);
  std::size_t wrong = 0, reported = 0, races = 0, complete = 0, false_alarms = 0;
  for (const Trial& mutant : mutants) {
    const bool told_of = !mutant.findings.empty();
    wrong += mutant.explored.wrong ? 1 : 0;
    complete += mutant.explored.complete ? 1 : 0;
    reported += mutant.explored.wrong && told_of ? 1 : 0;
    races += !mutant.explored.wrong && mutant.explored.race ? 1 : 0;
    if (mutant.explored.wrong && !told_of) std::printf("missed:\n%s\n", mutant.text().c_str());
    if (!mutant.explored.wrong && !mutant.explored.race && told_of) {
      ++false_alarms;
      ADD_FAILURE() << "a false alarm:\n" << mutant.text();
    }
  }
  std::printf(
      "%zu mutants, %zu shown wrong, of which %zu were reported; %zu more have a race without effect; "
      "%zu were right in every order\n",
      mutants.size(), wrong, reported, races, complete);
  EXPECT_GE(mutants.size(), model::trials().fewest_mutants);
  EXPECT_GE(wrong, model::trials().fewest_wrong);
  EXPECT_GE(static_cast<double>(reported), model::trials().least_reported * static_cast<double>(wrong));
}

}  // namespace
}  // namespace mylos_test
