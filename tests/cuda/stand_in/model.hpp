// SPDX-License-Identifier: MIT
// A driver without a GPU: what it knows, and the frame of every call.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cuda/driver_types.hpp"
#include "cuda/stand_in/control.hpp"
#include "cuda/stand_in/image.hpp"
#include "cuda/stand_in/memory.hpp"

using mylos::cuda::ContextHandle;
using mylos::cuda::DevicePointer;
using mylos::cuda::FunctionHandle;
using mylos::cuda::ModuleHandle;
using mylos::cuda::Result;
using mylos::cuda::StreamHandle;

inline constexpr Result not_initialized{3}, invalid_context{201}, invalid_handle{400}, not_found{500};

/// Work that runs when somebody waits for its stream, and no sooner.
using Work = std::function<Result()>;

struct CUstream_st {
  ContextHandle context;
  int priority = 0;
  std::deque<Work> queue = {};
  std::thread::id queued_by = {};

  void add(Work work) {
    queue.push_back(std::move(work));
    queued_by = std::this_thread::get_id();
  }
};

struct CUgraphNode_st {
  Work work;
  std::vector<CUgraphNode_st*> after = {};  // nodes that it waits for
};

struct CUgraph_st { std::vector<std::unique_ptr<CUgraphNode_st>> nodes = {}; };

struct CUgraphExec_st { std::vector<Work> work; };

struct CUfunc_st {
  std::string symbol;
  ModuleHandle module;
  stand_in::KernelInfo info;
  int allowed_shared_bytes;
};

struct CUmod_st {
  ContextHandle context;
  std::map<std::string, std::unique_ptr<CUfunc_st>> functions = {};
  std::map<std::string, std::size_t> variables = {};
};

struct CUctx_st {
  int ordinal;
  int holders = 0;
  Result fault = Result::success;
  CUstream_st legacy_stream{this};
  std::map<StreamHandle, std::unique_ptr<CUstream_st>> streams = {};
  std::map<ModuleHandle, std::unique_ptr<CUmod_st>> modules = {};
  std::map<CUgraph_st*, std::unique_ptr<CUgraph_st>> graphs = {};
  std::map<CUgraphExec_st*, std::unique_ptr<CUgraphExec_st>> executables = {};
  std::vector<std::shared_ptr<void>> ended = {};  // graphs, so that a handle of one is never another's
};

namespace stand_in {

inline constexpr int first_device_handle = 40;
inline constexpr int max_devices = 2;
inline constexpr int shared_by_default = 48 * 1024, shared_opt_in = 227 * 1024;  // bytes of a block

struct BodyEntry {
  Body body = nullptr;
  FindVariable find = nullptr;
  void* user = nullptr;
};

struct Injection {
  int calls_left = 0;
  Result code = Result::success;
};

struct Model {
  Model();
  ~Model();  // a process that leaves something behind, or did what it must not, ends with status 86

  std::recursive_mutex mutex;
  bool initialized = false;
  int pushed = 0;
  std::array<CUctx_st, max_devices> contexts{CUctx_st{0}, CUctx_st{1}};
  Memory memory;
  std::map<std::string, BodyEntry> bodies;
  std::map<std::string, Injection> injections;
  std::string calls, violations;

  void record(const std::string& call) { calls += call + "\n"; }
  /// Notes what a program must not do; gives what the driver answers to it.
  Result violation(const std::string& text, Result answer = Result::invalid_value);
  /// The error that a test asked for, if it is due.
  Result injected(const std::string& function);
};

Model& model();
/// The contexts of this thread, the current one last.
std::vector<ContextHandle>& context_stack();
int setting(const char* variable, int otherwise);
/// Of the device of this ordinal: 90 for 9.0.
int capability(int ordinal);

bool is_sticky(Result result);
/// Runs what is queued on a stream; the first fault stays with the context.
Result drain(CUstream_st& stream);
Result drain(CUctx_st& context);
/// The stream that a handle means in the current context; null after noting a violation.
CUstream_st* stream_of(CUctx_st& context, StreamHandle handle, const std::string& call);

/// What a launch comes to: the call's own checks and, as work, the kernel's body with a copy of its parameters. `call`
/// is the function that was called so.
Result launch_work(CUctx_st& context, const std::string& call, FunctionHandle function, const Launched& launch,
                   void** values, void** extra, Work& work);
/// Empty when no module has this function: it was unloaded.
std::string symbol_of(FunctionHandle function);
/// Whether the calling thread's work is queued on any stream: what others queue meanwhile is their own affair.
bool is_busy(const CUctx_st& context);

/// The frame of a call that needs no context.
template <class F>
Result answer(const std::string& function, const std::string& details, F&& f) {
  const std::lock_guard lock(model().mutex);
  model().record(function + (details.empty() ? "" : " " + details));
  if (const Result asked = model().injected(function); asked != Result::success) return asked;
  return std::forward<F>(f)();
}

/// The frame of a call that works in the current context.
template <class F>
Result answer_in_context(const std::string& function, const std::string& details, F&& f) {
  return answer(function, details, [&]() -> Result {
    if (context_stack().empty()) return model().violation(function + " without a current context", invalid_context);
    CUctx_st& context = *context_stack().back();
    if (context.fault != Result::success) return context.fault;
    return std::forward<F>(f)(context);
  });
}

}  // namespace stand_in

#define STAND_IN_EXPORT extern "C" __attribute__((visibility("default")))
