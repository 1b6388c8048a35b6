// SPDX-License-Identifier: MIT
// A CudaKernel's text made into programs: for the emulated device when it is launched, for a GPU by NVRTC.
#include <algorithm>
#include <iterator>
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

jit::CompileRequest CudaKernel::State::request(std::string architecture, bool debug) const {
  return {.text = source,
          .name = name,
          .file = file.string(),
          .architecture = std::move(architecture),
          .options = options.options,
          .include_dirs = options.include_dirs,
          .instantiate = options.instantiate,
          .debug = debug,
          .embedded = embedded_headers};
}

emulator::Source CudaKernel::State::emulator_source(bool debug) const {
  std::vector<std::string> all_options = options.options;
  if (debug) std::ranges::copy(jit::debug_options(), std::back_inserter(all_options));
  return {.text = source,
          .name = name,
          .file = file.string(),
          .options = std::move(all_options),
          .include_dirs = options.include_dirs,
          .instantiate = jit::kernel_expression(jit::parse_signature(source, name), options.instantiate, file.string()),
          .embedded = embedded_headers};
}

CudaKernel::State::Program& CudaKernel::State::slot(detail::Reach reach, bool debug) {
  return programs_[static_cast<std::size_t>(reach)][debug ? 1 : 0];
}

std::shared_ptr<const detail::DeviceProgram> CudaKernel::State::program(detail::Reach reach) {
  const bool on_gpu = reach == detail::Reach::device && detail::engine().backend() == Backend::cuda;
  const bool debug = debugged();
  const std::scoped_lock lock(compiling_);
  Program& program = slot(reach, debug);
  if (program == nullptr) {
    Program made = on_gpu ? detail::make_driver_program(request({}, debug))
                          : detail::make_emulated_program(emulator_source(debug));
    confirm_types(made->compiled());
    program = std::move(made);
  }
  return program;
}

void CudaKernel::State::confirm_types(const CompiledKernel& compiled) {
  if (options.check_signature) jit::confirm_types(signature(), compiled.parameters);
}

bool CudaKernel::State::has_program(detail::Reach reach) {
  const std::scoped_lock lock(compiling_);
  return slot(reach, debugged()) != nullptr;
}

void CudaKernel::State::forget_programs() {
  const std::scoped_lock lock(compiling_);
  programs_ = {};
}

CompiledKernel CudaKernel::compile(std::string_view architecture) const {
  if (architecture.empty()) return state_->program(detail::Reach::device)->compiled();
  CompiledKernel compiled =
      jit::NvrtcCompiler().compile(state_->request(std::string(architecture), state_->debugged()));
  state_->confirm_types(compiled);
  return compiled;
}

void CudaKernel::recompile() { state_->forget_programs(); }

bool CudaKernel::is_compiled() const { return state_->has_program(detail::Reach::device); }

std::vector<std::filesystem::path> CudaKernel::included_headers() const {
  std::vector<std::filesystem::path> paths;
  const auto folders = jit::include_folders(file(), options().options, options().include_dirs);
  for (jit::IncludedFile& header : jit::included_files(source(), folders, state_->embedded_headers)) {
    paths.push_back(std::move(header.path));
  }
  return paths;
}

}  // namespace mylos::inline MYLOS_ABI
