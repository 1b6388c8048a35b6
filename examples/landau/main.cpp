// SPDX-License-Identifier: MIT
// landau: a plasma wave by particles, on whatever mylos::backend() is. See README.md in this folder.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include <mylos/core/backend.hpp>
#include <mylos/core/session.hpp>

#include "options.hpp"
#include "output.hpp"
#include "report.hpp"
#include "simulation.hpp"

namespace {

constexpr int success = 0;
constexpr int out_of_tolerance = 1;
constexpr int refused = 2;  // bad input, or a run that could not be made

// One line that is written over on a terminal, and a line now and then elsewhere.
class ProgressLine {
 public:
  explicit ProgressLine(const landau::Options& options) : steps_(options.steps) {}

  void operator()(std::int64_t done) {
    const auto now = std::chrono::steady_clock::now();
    if (done < steps_ && now < next_) return;
    next_ = now + (terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10'000));
    if (done == steps_ && !terminal_ && !written_) return;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    fmt::print(stderr, "{}step {} of {} ({} %), {:.1f} s{}", terminal_ ? "\r" : "", done, steps_, 100 * done / steps_,
               seconds, terminal_ && done < steps_ ? "" : "\n");
    std::fflush(stderr);
    written_ = true;
  }

 private:
  std::int64_t steps_;
  bool terminal_ = ::isatty(STDERR_FILENO) == 1;
  bool written_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_ = start_ + std::chrono::milliseconds(500);
};

// Words for people: not among the results for other programs.
std::FILE* terminal(const landau::Options& options) { return options.json_on_stdout() ? stderr : stdout; }

void print_heading(const landau::Options& options) {
  fmt::print(terminal(options),
             "{}, {}D-{}V, {} particles, {} steps, {} cells, k = {}, epsilon = {}, seed {}, backend {}\n",
             landau::to_string(options.mode), options.dimension, options.dimension, options.markers, options.steps,
             options.nodes(), options.k, options.epsilon, options.seed, mylos::to_string(mylos::backend()));
  std::fflush(terminal(options));
}

int run(const landau::Options& options) {
  if (options.backend) mylos::set_backend(*options.backend);
  landau::require_memory(options);
  landau::prepare_output(options);
  landau::Progress progress;
  if (!options.quiet) {
    print_heading(options);
    progress = ProgressLine(options);
  }
  const landau::RunData data = landau::simulate(options, progress);
  const landau::Report report = landau::judge(options, data);
  landau::write_output(options, data, report);
  if (!options.quiet) {
    fmt::print(terminal(options), "{}", landau::to_text(options, data, report));
    if (!options.output.empty()) fmt::print(terminal(options), "files in {}\n", options.output.string());
  }
  if (options.check || !options.quiet) {
    for (const std::string& sentence : landau::failures(options, report)) fmt::print(stderr, "landau: {}\n", sentence);
  }
  return report.passed() || !options.check ? success : out_of_tolerance;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    int exit_code = success;
    if (landau::asks_for_help(argc, argv)) {  // before Kokkos starts, which would print its own help first
      static_cast<void>(landau::parse_options(argc, argv, exit_code));
      return exit_code;
    }
    const mylos::Session session(argc, argv);
    const auto options = landau::parse_options(argc, argv, exit_code);
    return options ? run(*options) : exit_code;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "landau: %s\n", error.what());  // does not throw where nothing can be written
    return refused;
  }
}
