// SPDX-License-Identifier: MIT
// A kernel's text made into programs: for the emulated device when it is launched, for a GPU by NVRTC.
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <mylos/base/error.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/core/detail/engine.hpp>
#include <mylos/jit/source.hpp>

#include "kernel/cuda_kernel_state.hpp"
#include "kernel/prepared_launch.hpp"

namespace mylos::inline MYLOS_ABI {
namespace detail {

bool KernelText::debugged() const { return is_debugged(options_); }

jit::CompileRequest KernelText::request(std::string architecture, bool debug) const {
  return {.text = origin_.source,
          .name = name_,
          .file = origin_.file.string(),
          .architecture = std::move(architecture),
          .options = options_.options,
          .include_dirs = options_.include_dirs,
          .instantiate = options_.instantiate,
          .debug = debug,
          .embedded = origin_.headers};
}

emulator::Source KernelText::emulator_source(bool debug) const {
  std::vector<std::string> all_options = options_.options;
  if (debug) std::ranges::copy(jit::debug_options(), std::back_inserter(all_options));
  return {.text = origin_.source,
          .name = name_,
          .file = origin_.file.string(),
          .options = std::move(all_options),
          .include_dirs = options_.include_dirs,
          .instantiate = jit::kernel_expression(jit::parse_signature(origin_.source, name_, options_.options),
                                                options_.instantiate, origin_.file.string()),
          .embedded = origin_.headers};
}

KernelText::Program& KernelText::slot(Reach reach, bool debug) {
  return programs_[static_cast<std::size_t>(reach)][debug ? 1 : 0];
}

std::shared_ptr<const DeviceProgram> KernelText::program(Reach reach) {
  const bool on_gpu = reach == Reach::device && engine().backend() == Backend::cuda;
  const bool debug = debugged();
  const std::scoped_lock lock(compiling_);
  Program& program = slot(reach, debug);
  if (program == nullptr) {
    const auto images = debug ? std::span<const NamedText>() : origin_.images;  // which are not for debugging
    Program made =
        on_gpu ? make_driver_program(request({}, debug), images) : make_emulated_program(emulator_source(debug));
    confirm_types(made->compiled());
    program = std::move(made);
  }
  return program;
}

void KernelText::confirm_types(const CompiledKernel& compiled) {
  if (options_.check_signature) jit::confirm_types(signature(), compiled.parameters);
}

bool KernelText::has_program(Reach reach) {
  const std::scoped_lock lock(compiling_);
  return slot(reach, debugged()) != nullptr;
}

void KernelText::forget_programs() {
  const std::scoped_lock lock(compiling_);
  programs_ = {};
}

}  // namespace detail

CompiledKernel CudaKernel::compile(std::string_view architecture) const {
  detail::KernelText& text = state_->text();
  if (architecture.empty()) return text.program(detail::Reach::device)->compiled();
  CompiledKernel compiled = jit::NvrtcCompiler().compile(text.request(std::string(architecture), text.debugged()));
  text.confirm_types(compiled);
  return compiled;
}

void CudaKernel::recompile() const { state_->recompile(); }

bool CudaKernel::is_compiled() const { return state_->text().has_program(detail::Reach::device); }

std::vector<std::filesystem::path> CudaKernel::included_headers() const {
  std::vector<std::filesystem::path> paths;
  const detail::KernelOrigin& origin = state_->text().origin();
  const auto folders = jit::include_folders(origin.file, options().options, options().include_dirs);
  for (jit::IncludedFile& header : jit::included_files(origin.source, folders, origin.headers)) {
    paths.push_back(std::move(header.path));
  }
  return paths;
}

}  // namespace mylos::inline MYLOS_ABI
