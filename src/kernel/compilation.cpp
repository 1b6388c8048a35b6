// SPDX-License-Identifier: MIT
// A CudaKernel's text made into programs: for the emulated device when it is launched, for a GPU by NVRTC.
#include <string>
#include <utility>
#include <vector>

#include <mylos/base/error.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/core/detail/engine.hpp>
#include <mylos/jit/source.hpp>
#include <mylos/kernel/debug.hpp>

#include "kernel/cuda_kernel_state.hpp"

namespace mylos::inline MYLOS_ABI {

bool CudaKernel::State::debugged() const { return options.debug ? *options.debug : mylos::debug(); }

std::shared_ptr<const emulator::Program> CudaKernel::State::emulated_program() {
  const bool debug = debugged();
  const std::scoped_lock lock(compiling);
  std::shared_ptr<const emulator::Program>& program = programs[debug ? 1 : 0];
  if (!program) {
    std::vector<std::string> all_options = options.options;
    if (debug) all_options.insert(all_options.end(), {"-DMYLOS_DEBUG", "-lineinfo"});
    program = emulator::compile({.text = source,
                                 .name = name,
                                 .file = file.string(),
                                 .options = all_options,
                                 .include_dirs = options.include_dirs,
                                 .instantiate = options.instantiate,
                                 .embedded = embedded_headers});
  }
  return program;
}

CompiledKernel CudaKernel::compile(std::string_view architecture) const {
  if (!architecture.empty()) {
    return jit::NvrtcCompiler().compile({.text = source(),
                                         .name = name(),
                                         .file = file().string(),
                                         .architecture = std::string(architecture),
                                         .options = options().options,
                                         .include_dirs = options().include_dirs,
                                         .instantiate = options().instantiate,
                                         .debug = state_->debugged(),
                                         .embedded = state_->embedded_headers});
  }
  // The driver's engine says why it cannot be used.
  const std::string_view backend = to_string(detail::engine().backend());
  static_cast<void>(state_->emulated_program());
  return {.name = name(), .architecture = std::string(backend), .image = {}, .log = {}};
}

void CudaKernel::recompile() {
  const std::scoped_lock lock(state_->compiling);
  state_->programs = {};
}

bool CudaKernel::is_compiled() const {
  const std::size_t variant = state_->debugged() ? 1 : 0;
  const std::scoped_lock lock(state_->compiling);
  return state_->programs[variant] != nullptr;
}

std::vector<std::filesystem::path> CudaKernel::included_headers() const {
  std::vector<std::filesystem::path> paths;
  const auto folders = jit::include_folders(file(), options().options, options().include_dirs);
  for (jit::IncludedFile& header : jit::included_files(source(), folders, state_->embedded_headers)) {
    paths.push_back(std::move(header.path));
  }
  return paths;
}

}  // namespace mylos::inline MYLOS_ABI
