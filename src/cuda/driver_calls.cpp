// SPDX-License-Identifier: MIT
// The only file that calls the CUDA driver.
#include "cuda/driver_calls.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::cuda {
namespace {

DevicePointer address(const void* pointer) { return reinterpret_cast<DevicePointer>(pointer); }

/// The parameters of a launch as one block, in the words of the driver. Refers to them.
class ParameterBuffer {
 public:
  explicit ParameterBuffer(std::span<const std::byte> parameters)
      : size_(parameters.size()),
        extra_{reinterpret_cast<void*>(launch_buffer_pointer), const_cast<std::byte*>(parameters.data()),
               reinterpret_cast<void*>(launch_buffer_size), &size_, reinterpret_cast<void*>(launch_end)} {}
  ParameterBuffer(const ParameterBuffer&) = delete;
  ParameterBuffer& operator=(const ParameterBuffer&) = delete;
  ~ParameterBuffer() = default;

  [[nodiscard]] void** extra() { return extra_.data(); }

 private:
  std::size_t size_;
  std::array<void*, 5> extra_;
};

const char* advice(Result result) {
  switch (result) {
    case Result::out_of_memory:
      return "the device has no memory left for it: free Views, or use a device with more memory";
    case Result::no_device: return "the driver drives no GPU: see whether nvidia-smi finds one";
    case Result::no_binary_for_gpu: return "the code was made for another architecture: compile it for this device";
    case Result::invalid_ptx:
    case Result::unsupported_ptx_version:
      return "the driver is older than the NVRTC that made the code: update the driver, or name an older NVRTC in "
             "MYLOS_NVRTC";
    case Result::launch_out_of_resources:
      return "the kernel needs more registers than a block of this size can have: choose a smaller block";
    default: return "the driver refused the call: set MYLOS_LOG=debug to see what came before it";
  }
}

}  // namespace

std::string LastLaunch::text() const {
  const std::lock_guard lock(mutex_);
  if (length_ == 0) return {};
  const auto& [grid, block, shared_bytes] = config_;
  return fmt::format("'{}' (grid {} x {} x {}, block {} x {} x {})", std::string_view(name_.data(), length_), grid[0],
                     grid[1], grid[2], block[0], block[1], block[2]);
}

bool is_sticky(Result result) noexcept {
  switch (result) {
    case Result::ecc_uncorrectable:
    case Result::nvlink_uncorrectable:
    case Result::illegal_address:
    case Result::launch_timeout:
    case Result::context_is_destroyed:
    case Result::assertion:
    case Result::hardware_stack_error:
    case Result::illegal_instruction:
    case Result::misaligned_address:
    case Result::invalid_address_space:
    case Result::invalid_program_counter:
    case Result::launch_failed: return true;
    default: return false;
  }
}

Driver::Driver(const std::string& path) : library_(std::span(&path, 1)), functions_(library_) {}

std::string Driver::fault() const {
  const std::lock_guard lock(fault_mutex_);
  return fault_;
}

std::string Driver::described(Result result) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (functions_.error_name.function(result, &name) != Result::success || name == nullptr) name = "an unknown error";
  if (functions_.error_text.function(result, &text) != Result::success || text == nullptr) text = "no description";
  return fmt::format("{} ({}: {})", name, static_cast<int>(result), text);
}

std::string Driver::suspect(const Stream* stream) const {
  if (const std::string kernel = stream != nullptr ? stream->last_launch.text() : std::string(); !kernel.empty()) {
    return fmt::format("the kernel launched last on this stream is {}", kernel);
  }
  const std::string kernel = last_launch_.text();
  if (kernel.empty()) return "no kernel was launched by Mylos";
  return fmt::format("the kernel launched last{} is {}", stream != nullptr ? ", on another stream," : "", kernel);
}

void Driver::fail(const char* function, Result result, const Stream* stream, std::string_view about) const {
  const std::string what = fmt::format("{} failed with {}{}", function, described(result), about);
  if (!is_sticky(result)) throw CudaError(fmt::format("{}: {}", what, advice(result)));
  const std::string message = fmt::format(
      "{}: work that was queued before it has failed, and {}: the GPU cannot be used by this process any more: run "
      "again with MYLOS_DEBUG=1, which waits after each launch, under compute-sanitizer, or with "
      "MYLOS_BACKEND=emulated",
      what, suspect(stream));
  {
    const std::lock_guard lock(fault_mutex_);
    if (fault_.empty()) fault_ = message;
  }
  throw CudaError(message);
}

template <class... P, class... A>
void Driver::call(const Entry<Result(P...)>& entry, A... arguments) const {
  if (const Result result = entry.function(arguments...); result != Result::success) fail(entry.name, result, nullptr);
}

template <class... P, class... A>
void Driver::call_on(const Stream& stream, const Entry<Result(P...)>& entry, A... arguments) const {
  if (const Result result = entry.function(arguments...); result != Result::success) fail(entry.name, result, &stream);
}

void Driver::init() const { call(functions_.init, 0U); }

int Driver::version() const {
  int version = 0;
  call(functions_.version, &version);
  return version;
}

int Driver::device_count() const {
  int count = 0;
  call(functions_.device_count, &count);
  return count;
}

DeviceHandle Driver::device(int ordinal) const {
  DeviceHandle device = 0;
  call(functions_.device, &device, ordinal);
  return device;
}

std::string Driver::name(DeviceHandle device) const {
  std::array<char, 256> name{};
  call(functions_.device_name, name.data(), static_cast<int>(name.size()) - 1, device);
  return name.data();
}

int Driver::attribute(DeviceHandle device, DeviceAttribute attribute) const {
  int value = 0;
  call(functions_.device_attribute, &value, attribute, device);
  return value;
}

int Driver::compute_capability(DeviceHandle device) const {
  return 10 * attribute(device, DeviceAttribute::compute_capability_major) +
         attribute(device, DeviceAttribute::compute_capability_minor);
}

std::size_t Driver::total_memory(DeviceHandle device) const {
  std::size_t bytes = 0;
  call(functions_.total_memory, &bytes, device);
  return bytes;
}

ContextHandle Driver::retain_context(DeviceHandle device) const {
  ContextHandle context = nullptr;
  call(functions_.retain_context, &context, device);
  return context;
}

void Driver::release_context(DeviceHandle device) const { call(functions_.release_context, device); }
void Driver::push(ContextHandle context) const { call(functions_.push_context, context); }

void Driver::pop() const {
  ContextHandle popped = nullptr;
  call(functions_.pop_context, &popped);
}

void Driver::synchronize() const { call(functions_.synchronize); }

void* Driver::allocate(std::size_t bytes) const {
  DevicePointer pointer = 0;
  const Result result = functions_.allocate.function(&pointer, bytes);
  if (result == Result::out_of_memory) return nullptr;
  if (result != Result::success) fail(functions_.allocate.name, result, nullptr);
  return reinterpret_cast<void*>(pointer);
}

void Driver::deallocate(void* pointer) const { call(functions_.deallocate, address(pointer)); }

Driver::Memory Driver::memory_info() const {
  Memory memory{};
  call(functions_.memory_info, &memory.free, &memory.total);
  return memory;
}

std::optional<PointerInfo> Driver::pointer_info(const void* pointer) const {
  PointerInfo info;
  const auto& entry = functions_.pointer_attribute;
  const Result result = entry.function(&info.type, PointerAttribute::memory_type, address(pointer));
  if (result == Result::invalid_value) return std::nullopt;
  if (result != Result::success) fail(entry.name, result, nullptr);
  call(entry, &info.device, PointerAttribute::device_ordinal, address(pointer));
  return info;
}

void Driver::copy_to_device(const Stream& stream, void* destination, const void* source, std::size_t bytes) const {
  call_on(stream, functions_.to_device, address(destination), source, bytes, stream.handle());
}

void Driver::copy_to_host(const Stream& stream, void* destination, const void* source, std::size_t bytes) const {
  call_on(stream, functions_.to_host, destination, address(source), bytes, stream.handle());
}

void Driver::copy_on_device(const Stream& stream, void* destination, const void* source, std::size_t bytes) const {
  call_on(stream, functions_.on_device, address(destination), address(source), bytes, stream.handle());
}

void Driver::copy_rows(const Stream& stream, Rows destination, Rows source, std::size_t width_bytes,
                       std::size_t height) const {
  Copy2D copy;
  copy.source_device = address(source.data);
  copy.source_pitch = source.pitch;
  copy.destination_device = address(destination.data);
  copy.destination_pitch = destination.pitch;
  copy.width_bytes = width_bytes;
  copy.height = height;
  call_on(stream, functions_.copy_rows, &copy, stream.handle());
}

void Driver::set(const Stream& stream, void* destination, std::uint32_t value, std::size_t unit_bytes,
                 std::size_t count) const {
  const auto run = [&]<class Unit>(const auto& entry, Unit unit) {
    call_on(stream, entry, address(destination), unit, count, stream.handle());
  };
  switch (unit_bytes) {
    case 1: return run(functions_.set_8, static_cast<unsigned char>(value));
    case 2: return run(functions_.set_16, static_cast<unsigned short>(value));
    default: return run(functions_.set_32, value);
  }
}

void Driver::set_rows(const Stream& stream, Rows destination, std::uint32_t value, std::size_t unit_bytes,
                      std::size_t width, std::size_t height) const {
  const auto run = [&]<class Unit>(const auto& entry, Unit unit) {
    call_on(stream, entry, address(destination.data), destination.pitch, unit, width, height, stream.handle());
  };
  switch (unit_bytes) {
    case 1: return run(functions_.set_rows_8, static_cast<unsigned char>(value));
    case 2: return run(functions_.set_rows_16, static_cast<unsigned short>(value));
    default: return run(functions_.set_rows_32, value);
  }
}

StreamHandle Driver::create_stream(int priority) const {
  int least_urgent = 0;
  int most_urgent = 0;
  call(functions_.priority_range, &least_urgent, &most_urgent);
  constexpr unsigned waits_for_legacy_stream = 0;
  StreamHandle stream = nullptr;
  call(functions_.create_stream, &stream, waits_for_legacy_stream, std::clamp(priority, most_urgent, least_urgent));
  return stream;
}

void Driver::destroy_stream(StreamHandle stream) const { call(functions_.destroy_stream, stream); }
void Driver::wait(const Stream& stream) const { call_on(stream, functions_.wait_for_stream, stream.handle()); }

ContextHandle Driver::context_of(StreamHandle stream) const {
  ContextHandle context = nullptr;
  call(functions_.stream_context, stream, &context);
  return context;
}

ModuleHandle Driver::load_module(const std::string& image, std::string_view what) const {
  std::vector<char> log(8192);
  const std::array options = {JitOption::error_log, JitOption::error_log_bytes};
  std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(log.size())};
  ModuleHandle module = nullptr;
  const auto& entry = functions_.load_module;
  const Result result = entry.function(&module, image.c_str(), 2, options.data(), values.data());
  if (result == Result::success) return module;
  const std::string_view said(log.data());
  fail(entry.name, result, nullptr, fmt::format(" for {}{}{}", what, said.empty() ? "" : ": ", said));
}

void Driver::unload_module(ModuleHandle module) const { call(functions_.unload_module, module); }

FunctionHandle Driver::function(ModuleHandle module, const std::string& symbol) const {
  FunctionHandle function = nullptr;
  const auto& entry = functions_.function;
  const Result result = entry.function(&function, module, symbol.c_str());
  if (result != Result::success) fail(entry.name, result, nullptr, fmt::format(" for the symbol '{}'", symbol));
  return function;
}

std::span<std::byte> Driver::variable(ModuleHandle module, const std::string& symbol) const {
  DevicePointer pointer = 0;
  std::size_t bytes = 0;
  const auto& entry = functions_.variable;
  const Result result = entry.function(&pointer, &bytes, module, symbol.c_str());
  if (result != Result::success) fail(entry.name, result, nullptr, fmt::format(" for the variable '{}'", symbol));
  return {reinterpret_cast<std::byte*>(pointer), bytes};
}

int Driver::attribute(FunctionHandle function, FunctionAttribute attribute) const {
  int value = 0;
  call(functions_.function_attribute, &value, attribute, function);
  return value;
}

void Driver::set_attribute(FunctionHandle function, FunctionAttribute attribute, int value) const {
  call(functions_.set_function_attribute, function, attribute, value);
}

void Driver::launch(Stream& stream, FunctionHandle function, std::string_view kernel, const LaunchConfig& config,
                    std::span<const std::byte> parameters) const {
  ParameterBuffer buffer(parameters);
  const auto& [grid, block, shared_bytes] = config;
  const auto& entry = functions_.launch;
  const Result result = entry.function(function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                       static_cast<unsigned>(shared_bytes), stream.handle(), nullptr, buffer.extra());
  // A launch also tells of what earlier ones did, so it is noted behind it.
  if (result != Result::success) fail(entry.name, result, &stream, fmt::format(" for kernel '{}'", kernel));
  stream.last_launch.note(kernel, config);
  last_launch_.note(kernel, config);
}

GraphHandle Driver::create_graph() const {
  GraphHandle graph = nullptr;
  call(functions_.create_graph, &graph, 0U);
  return graph;
}

GraphNodeHandle Driver::add_launch(GraphHandle graph, GraphNodeHandle previous, FunctionHandle function,
                                   std::string_view kernel, const LaunchConfig& config,
                                   std::span<const std::byte> parameters) const {
  ParameterBuffer buffer(parameters);
  const auto& [grid, block, shared_bytes] = config;
  const KernelNode node{.function = function,
                        .grid_x = grid[0],
                        .grid_y = grid[1],
                        .grid_z = grid[2],
                        .block_x = block[0],
                        .block_y = block[1],
                        .block_z = block[2],
                        .shared_bytes = static_cast<unsigned>(shared_bytes),
                        .extra = buffer.extra()};
  GraphNodeHandle made = nullptr;
  const auto& entry = functions_.add_kernel;
  const Result result = entry.function(&made, graph, &previous, previous != nullptr ? 1 : 0, &node);
  if (result != Result::success) fail(entry.name, result, nullptr, fmt::format(" for kernel '{}'", kernel));
  return made;
}

GraphExecHandle Driver::instantiate(GraphHandle graph) const {
  GraphExecHandle executable = nullptr;
  call(functions_.instantiate_graph, &executable, graph, 0ULL);
  return executable;
}

void Driver::launch(Stream& stream, GraphExecHandle graph, std::string_view last, const LaunchConfig& config) const {
  call_on(stream, functions_.launch_graph, graph, stream.handle());
  stream.last_launch.note(last, config);
  last_launch_.note(last, config);
}

void Driver::destroy(GraphHandle graph) const { call(functions_.destroy_graph, graph); }
void Driver::destroy(GraphExecHandle graph) const { call(functions_.destroy_graph_exec, graph); }

}  // namespace mylos::inline MYLOS_ABI::cuda
