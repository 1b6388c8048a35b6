// SPDX-License-Identifier: MIT
#include <mylos/kernel/cuda_kernel.hpp>

#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/core/detail/capture.hpp>

#include "kernel/check_finite.hpp"
#include "kernel/cuda_kernel_state.hpp"
#include "kernel/launch_recorder.hpp"
#include "kernel/launch_shape.hpp"
#include "kernel/layout_check.hpp"

namespace mylos::inline MYLOS_ABI {

struct CudaKernel::State::Plan {
  detail::ArgumentPlan plan;
  const Plan* next;
};

CudaKernel::State::State(std::string text, std::string kernel, std::filesystem::path from, CudaOptions settings,
                         std::span<const NamedText> embedded)
    : source(std::move(text)),
      name(std::move(kernel)),
      file(std::move(from)),
      options(std::move(settings)),
      embedded_headers(embedded) {}

CudaKernel::State::~State() {
  for (const Plan* plan = plans_.load(); plan != nullptr;) delete std::exchange(plan, plan->next);
}

const Signature& CudaKernel::State::signature() {
  std::call_once(parsed_,
                 [this] { signature_ = jit::instantiated(jit::parse_signature(source, name), options.instantiate); });
  return signature_;
}

const jit::ThreadUse& CudaKernel::State::thread_use() {
  std::call_once(threads_read_, [this] { thread_use_ = jit::thread_use(source, name); });
  return thread_use_;
}

const detail::ArgumentPlan& CudaKernel::State::plan(const detail::Call& call, detail::Reach reach) {
  const auto find = [&]() -> const detail::ArgumentPlan* {
    for (const Plan* entry = plans_.load(std::memory_order_acquire); entry != nullptr; entry = entry->next) {
      if (entry->plan.serves(call.arguments.types(), reach)) return &entry->plan;
    }
    return nullptr;
  };
  if (const auto* known = find()) return *known;
  const std::scoped_lock lock(planning_);
  if (const auto* known = find()) return *known;
  std::unique_ptr<Plan> entry(new Plan{{call, reach, options.flat_layout}, plans_.load()});  // which does not move
  plans_.store(entry.get(), std::memory_order_release);
  return entry.release()->plan;
}

CudaKernel::CudaKernel(std::shared_ptr<State> state) : state_(std::move(state)) {}

CudaKernel::CudaKernel(std::string source, std::string name, CudaOptions options)
    : CudaKernel(std::move(source), std::move(name), {}, std::move(options)) {}

CudaKernel::CudaKernel(std::string source, std::string name, std::filesystem::path file, CudaOptions options)
    : CudaKernel(std::make_shared<State>(std::move(source), std::move(name), std::move(file), std::move(options))) {}

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
  return CudaKernel(text_of_file(file), std::move(name), file, std::move(options));
}

std::map<std::string, CudaKernel> CudaKernel::all_from_file(const std::filesystem::path& file, CudaOptions options) {
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
const std::string& CudaKernel::source() const { return state_->source; }
const std::filesystem::path& CudaKernel::file() const { return state_->file; }
const CudaOptions& CudaKernel::options() const { return state_->options; }
const Signature& CudaKernel::signature() const { return state_->signature(); }

LaunchShape CudaKernel::launch_shape(const Launch& settings, const Arguments& arguments) const {
  return shape(settings, arguments, 0);
}

LaunchShape CudaKernel::shape(const Launch& settings, const Arguments& arguments, int functor_axes) const {
  return detail::shape_of_launch({name(), options(), state_->thread_use().axes, functor_axes}, settings, arguments);
}

namespace {

bool is_empty(const LaunchShape& shape) { return shape.grid.x == 0 || shape.grid.y == 0 || shape.grid.z == 0; }

}  // namespace

void CudaKernel::require_recordable(detail::Reach reach) const {
  if (reach == detail::Reach::host) detail::require_no_capture(fmt::format("kernel '{}' on Views of the host", name()));
  if (options().check_finite) {
    detail::require_no_capture(fmt::format("kernel '{}' with check_finite, which waits and copies,", name()));
  }
}

void CudaKernel::launch(const Launch& settings, const Arguments& arguments) const {
  run(settings, arguments, detail::Reach::device, 0);
}

void CudaKernel::run(const Launch& settings, const Arguments& arguments, detail::Reach reach, int functor_axes) const {
  if (detail::is_capturing()) require_recordable(reach);
  const detail::Call call{name(), options().check_signature ? &signature() : nullptr, arguments};
  const detail::ArgumentPlan& plan = state_->plan(call, reach);
  if (reach == detail::Reach::device) detail::check_addresses(call);
  const detail::ParameterBlock block(call, plan);
  const LaunchShape blocks = shape(settings, arguments, functor_axes);
  if (is_empty(blocks)) return;
  const auto program = state_->program(reach);
  if (plan.compared().load(std::memory_order_relaxed) != program->serial()) {
    detail::check_layouts(call, program->compiled().parameters);
    plan.compared().store(program->serial(), std::memory_order_relaxed);
  }
  if (detail::LaunchRecorder* const recorder = detail::LaunchRecorder::current()) {
    return recorder->add(call, settings, blocks, block, program);
  }
  program->launch(blocks, block, settings.stream.value_or(Device()));
  if (options().check_finite) detail::require_finite(call);
}

namespace detail {

CudaKernel embedded_port(const NamedText& port, std::span<const NamedText> headers, const char* folder) {
  const std::string name(port.name);
  return CudaKernel(std::make_shared<CudaKernel::State>(
      std::string(port.text), name, std::filesystem::path(folder) / (name + ".cu"), CudaOptions{}, headers));
}

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
