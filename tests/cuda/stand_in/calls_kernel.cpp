// SPDX-License-Identifier: MIT
// The stand-in's streams, modules and launches.
#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "cuda/stand_in/model.hpp"

using mylos::cuda::FunctionAttribute;
using mylos::cuda::JitOption;
using stand_in::answer_in_context;
using stand_in::model;

namespace {

constexpr int most_urgent = -5;

int static_shared(const CUfunc_st& function) { return static_cast<int>(function.info.static_shared_bytes); }

/// The values of a launch: a copy of the block, and where each parameter is in it.
struct Parameters {
  std::vector<std::max_align_t> storage;
  std::vector<void*> pointers;

  Parameters(const stand_in::KernelInfo& info, const void* block)
      : storage(info.parameter_bytes / sizeof(std::max_align_t) + 1) {
    char* const bytes = reinterpret_cast<char*>(storage.data());
    std::memcpy(bytes, block, info.parameter_bytes);
    for (const auto& parameter : info.parameters) pointers.push_back(bytes + parameter.offset);
  }
};

const void* block_of(const std::string& call, const CUfunc_st& function, void** extra) {
  const void* block = nullptr;
  std::size_t bytes = 0;
  for (; extra != nullptr && *extra != nullptr; extra += 2) {
    if (reinterpret_cast<std::uintptr_t>(extra[0]) == mylos::cuda::launch_buffer_pointer) block = extra[1];
    if (reinterpret_cast<std::uintptr_t>(extra[0]) == mylos::cuda::launch_buffer_size) std::memcpy(&bytes, extra[1], 8);
  }
  if (block != nullptr && bytes == function.info.parameter_bytes) return block;
  model().violation(call + " of " + function.symbol + " with " + std::to_string(bytes) +
                    " bytes of parameters, it has " + std::to_string(function.info.parameter_bytes));
  return nullptr;
}

bool shape_is_possible(const CUfunc_st& function, const stand_in::Launched& launch) {
  constexpr std::array<std::uint32_t, 3> max_grid = {2147483647, 65535, 65535}, max_block = {1024, 1024, 64};
  std::uint64_t threads = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (launch.grid[axis] < 1 || launch.grid[axis] > max_grid[axis]) return false;
    if (launch.block[axis] < 1 || launch.block[axis] > max_block[axis]) return false;
    threads *= launch.block[axis];
  }
  return threads <= 1024 && launch.shared_bytes <= static_cast<std::size_t>(function.allowed_shared_bytes);
}

stand_in::BodyEntry body_of(const std::string& symbol) {
  const auto& bodies = model().bodies;
  const auto own = bodies.find(symbol);
  if (own != bodies.end()) return own->second;
  const auto other = bodies.find("");
  return other != bodies.end() ? other->second : stand_in::BodyEntry{};
}

Result run(const CUctx_st& context, const CUfunc_st& function, stand_in::Launched launch,
           const Parameters& parameters) {
  if (!context.modules.contains(function.module)) {
    return model().violation("the kernel " + function.symbol + " runs when its module is unloaded", Result{719});
  }
  const auto [body, find, user] = body_of(function.symbol);
  if (body == nullptr) return model().violation("no body for the kernel " + function.symbol, Result{719});
  launch.symbol = function.symbol.c_str();
  launch.arguments = parameters.pointers.data();
  return Result{body(user, launch)};
}

/// Where the kernels of a module have a variable: in tests that ask for one there is one kernel to a text.
void* find_variable(const CUmod_st& module, const std::string& symbol, std::size_t bytes) {
  for (const auto& [name, function] : module.functions) {
    const stand_in::BodyEntry entry = body_of(name);
    void* const found = entry.find != nullptr ? entry.find(entry.user, symbol.c_str(), bytes) : nullptr;
    if (found != nullptr) return found;
  }
  return nullptr;
}

Result find_function(CUmod_st& module, const std::string& name, CUfunc_st*& found) {
  const auto at = module.functions.find(name);
  if (at == module.functions.end()) return not_found;
  found = at->second.get();
  return Result::success;
}

}  // namespace

namespace stand_in {

std::string symbol_of(FunctionHandle function) {
  const std::lock_guard lock(model().mutex);
  for (const CUctx_st& context : model().contexts) {
    for (const auto& [handle, module] : context.modules) {
      for (const auto& [name, own] : module->functions) {
        if (own.get() == function) return name;
      }
    }
  }
  return {};
}

Result launch_work(CUctx_st& context, const std::string& call, FunctionHandle function, const Launched& launch,
                   void** values, void** extra, Work& work) {
  if (symbol_of(function).empty() || !context.modules.contains(function->module)) {
    return model().violation(call + " of a function that no module of the context has", invalid_handle);
  }
  if (!shape_is_possible(*function, launch)) {
    return model().violation(call + " of " + function->symbol + " with a shape beyond the limits");
  }
  if (values != nullptr) return model().violation(call + " with parameters one by one");
  const void* const block = block_of(call, *function, extra);
  if (block == nullptr) return Result::invalid_value;
  const auto parameters = std::make_shared<Parameters>(function->info, block);
  work = [&context, copy = *function, launch, parameters] { return run(context, copy, launch, *parameters); };
  return Result::success;
}

}  // namespace stand_in

STAND_IN_EXPORT Result cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return answer_in_context("cuCtxGetStreamPriorityRange", "", [&](CUctx_st& /*context*/) {
    *least = 0;
    *greatest = most_urgent;
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuStreamCreateWithPriority(StreamHandle* made, unsigned flags, int priority) {
  return answer_in_context("cuStreamCreateWithPriority", std::to_string(priority), [&](CUctx_st& context) {
    if (flags > 1) return model().violation("cuStreamCreateWithPriority with unknown flags");
    auto stream = std::make_unique<CUstream_st>(CUstream_st{&context, priority});
    *made = stream.get();
    context.streams.emplace(stream.get(), std::move(stream));
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuStreamDestroy_v2(StreamHandle handle) {
  return answer_in_context("cuStreamDestroy_v2", "", [&](CUctx_st& context) {
    CUstream_st* const stream =
        handle != nullptr ? stand_in::stream_of(context, handle, "cuStreamDestroy_v2") : nullptr;
    if (stream == nullptr) return invalid_handle;
    const Result result = stand_in::drain(*stream);  // its work is completed
    context.streams.erase(handle);
    return result;
  });
}

STAND_IN_EXPORT Result cuStreamSynchronize(StreamHandle handle) {
  return answer_in_context("cuStreamSynchronize", "", [&](CUctx_st& context) {
    CUstream_st* const stream = stand_in::stream_of(context, handle, "cuStreamSynchronize");
    return stream != nullptr ? stand_in::drain(*stream) : invalid_handle;
  });
}

STAND_IN_EXPORT Result cuStreamGetCtx(StreamHandle handle, ContextHandle* found) {
  return answer_in_context("cuStreamGetCtx", "", [&](CUctx_st& current) {
    *found = &current;
    if (handle == nullptr) return Result::success;
    for (CUctx_st& context : model().contexts) {
      if (context.streams.contains(handle)) {
        *found = &context;
        return Result::success;
      }
    }
    return invalid_handle;
  });
}

STAND_IN_EXPORT Result cuModuleLoadDataEx(ModuleHandle* made, const void* image, unsigned options,
                                          const JitOption* names, void** values) {
  return answer_in_context("cuModuleLoadDataEx", "", [&](CUctx_st& context) {
    stand_in::ImageInfo info;
    try {
      info = stand_in::image_info(static_cast<const char*>(image));
    } catch (const std::exception& error) {
      for (unsigned n = 0; n < options; ++n) {
        if (names[n] == JitOption::error_log) std::strcpy(static_cast<char*>(values[n]), error.what());
      }
      return Result{200};
    }
    const int here = stand_in::capability(context.ordinal);
    const bool is_of_generation = info.capability / 10 == here / 10 && info.capability <= here;
    const bool runs_here = info.capability == 0 || is_of_generation;
    if (!runs_here) return Result::no_binary_for_gpu;
    auto module = std::make_unique<CUmod_st>(CUmod_st{&context});
    for (const auto& [name, kernel] : info.kernels) {
      auto function = std::make_unique<CUfunc_st>(CUfunc_st{name, module.get(), kernel, 0});
      function->allowed_shared_bytes = stand_in::shared_by_default - static_shared(*function);
      module->functions.emplace(name, std::move(function));
    }
    module->variables = std::move(info.variables);
    *made = module.get();
    context.modules.emplace(module.get(), std::move(module));
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuModuleUnload(ModuleHandle module) {
  return answer_in_context("cuModuleUnload", "", [&](CUctx_st& context) {
    if (stand_in::is_busy(context)) model().violation("cuModuleUnload while work is queued that may use its kernels");
    if (context.modules.erase(module) == 1) return Result::success;
    return model().violation("cuModuleUnload of no module", invalid_handle);
  });
}

STAND_IN_EXPORT Result cuModuleGetFunction(FunctionHandle* found, ModuleHandle module, const char* name) {
  return answer_in_context("cuModuleGetFunction", name, [&](CUctx_st& context) {
    const auto at = context.modules.find(module);
    if (at == context.modules.end()) return model().violation("cuModuleGetFunction of no module", invalid_handle);
    return find_function(*at->second, name, *found);
  });
}

STAND_IN_EXPORT Result cuModuleGetGlobal_v2(DevicePointer* pointer, std::size_t* bytes, ModuleHandle module,
                                            const char* name) {
  return answer_in_context("cuModuleGetGlobal_v2", name, [&](CUctx_st& context) {
    const auto at = context.modules.find(module);
    if (at == context.modules.end()) return model().violation("cuModuleGetGlobal_v2 of no module", invalid_handle);
    const auto variable = at->second->variables.find(name);
    if (variable == at->second->variables.end()) return not_found;
    void* const found = find_variable(*module, variable->first, variable->second);
    if (found == nullptr) return not_found;
    model().memory.add_variable(context.ordinal, found, variable->second);
    *pointer = reinterpret_cast<DevicePointer>(found);
    *bytes = variable->second;
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuFuncGetAttribute(int* value, FunctionAttribute attribute, FunctionHandle function) {
  return answer_in_context("cuFuncGetAttribute", "", [&](CUctx_st& /*context*/) {
    switch (attribute) {
      case FunctionAttribute::max_threads_per_block:
        *value = stand_in::setting("STAND_IN_MAX_THREADS", 1024);
        return Result::success;
      case FunctionAttribute::static_shared_bytes: *value = static_shared(*function); return Result::success;
      case FunctionAttribute::max_dynamic_shared_bytes: *value = function->allowed_shared_bytes; return Result::success;
    }
    return model().violation("cuFuncGetAttribute of an unknown attribute");
  });
}

STAND_IN_EXPORT Result cuFuncSetAttribute(FunctionHandle function, FunctionAttribute attribute, int value) {
  return answer_in_context("cuFuncSetAttribute", std::to_string(value), [&](CUctx_st& /*context*/) {
    const bool possible = attribute == FunctionAttribute::max_dynamic_shared_bytes && value >= 0 &&
                          value + static_shared(*function) <= stand_in::shared_opt_in;
    if (!possible) return model().violation("cuFuncSetAttribute to what the device does not have");
    function->allowed_shared_bytes = value;
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuLaunchKernel(FunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                      unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                      StreamHandle handle, void** values, void** extra) {
  return answer_in_context("cuLaunchKernel", stand_in::symbol_of(function), [&](CUctx_st& context) {
    CUstream_st* const stream = stand_in::stream_of(context, handle, "cuLaunchKernel");
    if (stream == nullptr) return invalid_handle;
    Work work;
    const Result result = stand_in::launch_work(
        context, "cuLaunchKernel", function,
        {nullptr, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, nullptr}, values, extra, work);
    if (result == Result::success) stream->add(std::move(work));
    return result;
  });
}
