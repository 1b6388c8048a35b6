// SPDX-License-Identifier: MIT
#include <mylos/kernel/cuda_kernel.hpp>

#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>

#include "kernel/cuda_kernel_state.hpp"
#include "kernel/kernel_path.hpp"
#include "kernel/launch_recorder.hpp"
#include "kernel/launch_shape.hpp"
#include "kernel/layout_check.hpp"
#include "kernel/prepared_launch.hpp"

namespace mylos::inline MYLOS_ABI {

CudaKernel::State::State(std::string kernel, CudaOptions settings, detail::KernelOrigin origin, Replaced replaced)
    : name(std::move(kernel)), options(std::move(settings)), origin_(std::move(origin)), replaced_(replaced) {}

detail::KernelText& CudaKernel::State::text() {
  if (detail::KernelText* const known = current_.load(std::memory_order_acquire)) return *known;
  const std::scoped_lock lock(reading_);
  if (texts_.empty()) take(origin_now());
  return *texts_.back();
}

void CudaKernel::State::recompile() {
  const std::scoped_lock lock(reading_);
  if (texts_.empty()) return;
  detail::KernelOrigin now = origin_now();
  detail::KernelText& text = *texts_.back();
  text.forget_programs();
  if (now.source != text.origin().source || now.file != text.origin().file) take(std::move(now));
}

detail::KernelOrigin CudaKernel::State::origin_now() const {
  const auto file = replaced_ == Replaced::never ? std::nullopt : detail::file_in_kernel_path(name);
  return file ? detail::KernelOrigin{.source = read_file(*file), .file = *file} : origin_;
}

void CudaKernel::State::take(detail::KernelOrigin origin) {
  texts_.push_back(std::make_unique<detail::KernelText>(name, options, std::move(origin)));
  current_.store(texts_.back().get(), std::memory_order_release);
}

CudaKernel::CudaKernel(std::shared_ptr<State> state) : state_(std::move(state)) {}

CudaKernel::CudaKernel(std::string source, std::string name, CudaOptions options)
    : CudaKernel(std::move(source), std::move(name), {}, std::move(options)) {}

CudaKernel::CudaKernel(std::string source, std::string name, std::filesystem::path file, CudaOptions options)
    : CudaKernel(std::make_shared<State>(std::move(name), std::move(options),
                                         detail::KernelOrigin{std::move(source), std::move(file)})) {}

namespace {

std::string text_of_file(const std::filesystem::path& file) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(file, code)) {
    throw LookupError(fmt::format("cannot read a kernel from '{}': {}: check the path; a relative one begins at {}",
                                  file.string(),
                                  std::filesystem::exists(file, code) ? "it is no file" : "there is no such file",
                                  std::filesystem::current_path(code).string()));
  }
  return read_file(file);
}

}  // namespace

CudaKernel CudaKernel::from_file(const std::filesystem::path& file, CudaOptions options) {
  return from_file(file, file.stem().string(), std::move(options));
}

CudaKernel CudaKernel::from_file(const std::filesystem::path& file, std::string name, CudaOptions options) {
  return {text_of_file(file), std::move(name), file, std::move(options)};
}

std::map<std::string, CudaKernel> CudaKernel::all_from_file(const std::filesystem::path& file,
                                                            const CudaOptions& options) {
  std::map<std::string, CudaKernel> kernels;
  for (const std::string& name : jit::kernel_names(text_of_file(file))) {
    kernels.emplace(name, from_file(file, name, options));
  }
  if (kernels.empty()) {
    throw LookupError(fmt::format(
        "{}: it has no kernel: a kernel is a __global__ function that is written out: check the file", file.string()));
  }
  return kernels;
}

const std::string& CudaKernel::name() const { return state_->name; }
const std::string& CudaKernel::source() const { return state_->text().origin().source; }
const std::filesystem::path& CudaKernel::file() const { return state_->text().origin().file; }
const CudaOptions& CudaKernel::options() const { return state_->options; }
const Signature& CudaKernel::signature() const { return state_->text().signature(); }

LaunchShape CudaKernel::launch_shape(const Launch& settings, const Arguments& arguments) const {
  return detail::shape_of_launch({name(), options(), state_->text().thread_use().axes, 0}, settings, arguments);
}

namespace {

bool is_empty(const LaunchShape& shape) { return shape.grid.x == 0 || shape.grid.y == 0 || shape.grid.z == 0; }

}  // namespace

void CudaKernel::require_recordable(const Launch& settings, detail::Reach reach) const {
  if (reach == detail::Reach::host) detail::require_no_capture(fmt::format("kernel '{}' on Views of the host", name()));
  if (!settings.stream || *settings.stream == detail::LaunchRecorder::of_thread()->stream()) return;
  throw LaunchError(fmt::format(
      "kernel '{}' is launched on another stream than the one that is captured: a graph is captured on one stream: "
      "leave Launch::stream away, or capture that stream",
      name()));
}

void CudaKernel::launch(const Launch& settings, const Arguments& arguments) const {
  run(settings, arguments, detail::Reach::device, 0);
}

void CudaKernel::run(const Launch& settings, const Arguments& arguments, detail::Reach reach, int functor_axes) const {
  detail::LaunchRecorder* const recorder = detail::LaunchRecorder::of_thread();
  if (recorder != nullptr) require_recordable(settings, reach);
  detail::KernelText& text = state_->text();  // once: recompile() may give the kernel another one meanwhile
  const detail::Call call{name(), options().check_signature ? &text.signature() : nullptr, arguments, reach};
  const detail::ArgumentPlan& plan = text.plan(call);
  if (reach == detail::Reach::device) detail::check_addresses(call);
  const detail::ParameterBlock block(call, plan);
  const LaunchShape blocks =
      detail::shape_of_launch({name(), options(), text.thread_use().axes, functor_axes}, settings, arguments);
  if (is_empty(blocks)) return;
  text.check_index(blocks);
  const auto program = text.program(reach);
  if (plan.compared().load(std::memory_order_relaxed) != program->serial()) {
    detail::check_layouts(call, program->compiled());
    plan.compared().store(program->serial(), std::memory_order_relaxed);
  }
  if (recorder != nullptr) return recorder->add({*this, call.signature, arguments, blocks, block, program});
  detail::PreparedLaunch{call, options(), blocks, block, *program}.run(settings.stream.value_or(Device()));
}

namespace detail {

CudaKernel embedded_port(const NamedText& port, std::span<const NamedText> headers, const char* folder,
                         std::span<const NamedText> images) {
  const std::string name(port.name);
  const auto file = std::filesystem::path(folder) / (name + ".cu");
  return CudaKernel(std::make_shared<CudaKernel::State>(name, CudaOptions{},
                                                        KernelOrigin{std::string(port.text), file, headers, images},
                                                        CudaKernel::State::Replaced::by_kernel_path));
}

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
