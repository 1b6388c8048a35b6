// SPDX-License-Identifier: MIT
#include "cuda/emulated_kernels.hpp"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>

#include <mylos/base/files.hpp>
#include <mylos/emulator/compiler.hpp>
#include <mylos/emulator/launch.hpp>

namespace mylos_test {
namespace {

namespace emulator = mylos::emulator;

constexpr int launch_failed = 719;

int run(const emulator::Source& source, const stand_in::Launched& launch) {
  try {
    emulator::launch(*emulator::compile(source),
                     {.grid = {launch.grid[0], launch.grid[1], launch.grid[2]},
                      .block = {launch.block[0], launch.block[1], launch.block[2]},
                      .shared_bytes = launch.shared_bytes},
                     launch.arguments);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernel %s: %s\n", launch.symbol, error.what());
    return launch_failed;
  }
}

int run_source(void* source, const stand_in::Launched& launch) {
  return run(*static_cast<const emulator::Source*>(source), launch);
}

int run_library_kernel(void* text, const stand_in::Launched& launch) {
  return run({.text = *static_cast<const std::string*>(text), .name = launch.symbol}, launch);
}

[[maybe_unused]] const bool at_start = [] {
  if (StandIn::path() == nullptr || !std::filesystem::exists(StandIn::path())) return false;
  static const StandIn stand_in;
  run_library_kernels(stand_in);
  return true;
}();

}  // namespace

// What runs later has to be alive then: until the end of the process.
void run_on_emulator(const StandIn& stand_in, const std::string& symbol, const std::string& text,
                     const std::string& name, const std::string& instantiate) {
  stand_in.set_body(symbol.c_str(), run_source,
                    new emulator::Source{.text = text, .name = name, .instantiate = instantiate});
}

void run_library_kernels(const StandIn& stand_in) {
  static std::string text = mylos::read_file(MYLOS_SOURCE_FOLDER "/src/core/strided.cu");
  stand_in.set_body(nullptr, run_library_kernel, &text);
}

}  // namespace mylos_test
