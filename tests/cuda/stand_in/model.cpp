// SPDX-License-Identifier: MIT
#include "cuda/stand_in/model.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace stand_in {

int setting(const char* variable, int otherwise) {
  const char* const value = std::getenv(variable);
  return value != nullptr ? std::atoi(value) : otherwise;
}

int capability(int ordinal) { return ordinal == 0 ? setting("STAND_IN_CAPABILITY", 90) : 121; }

Model::Model() {
  const char* const asked = std::getenv("STAND_IN_FAIL");
  std::istringstream list(asked != nullptr ? asked : "");
  for (std::string function, nth, code;
       std::getline(list, function, ':') && std::getline(list, nth, ':') && std::getline(list, code, ',');) {
    injections[function] = {std::atoi(nth.c_str()), Result{std::atoi(code.c_str())}};
  }
}

Model::~Model() {
  std::string text = violations;
  bool lost = false;
  for (const CUctx_st& context : contexts) {
    lost = lost || context.fault != Result::success;
    if (context.holders != 0) text += "the primary context of device " + std::to_string(context.ordinal) + " is held\n";
    if (!context.streams.empty()) text += "streams are alive\n";
    if (!context.modules.empty()) text += "modules are loaded\n";
    if (!context.graphs.empty() || !context.executables.empty()) text += "graphs are alive\n";
  }
  if (pushed != 0) text += "contexts are still pushed\n";
  text += memory.leaks();
  if (text.empty() || lost) return;  // nothing can be given back on a lost device
  std::fprintf(stderr, "stand-in driver, at the end of the process:\n%s", text.c_str());
  ::_exit(86);
}

Model& model() {
  static Model instance;
  return instance;
}

std::vector<ContextHandle>& context_stack() {
  thread_local std::vector<ContextHandle> stack;
  return stack;
}

Result Model::violation(const std::string& text, Result answer) {
  violations += text + "\n";
  return answer;
}

Result Model::injected(const std::string& function) {
  const auto found = injections.find(function);
  if (found == injections.end() || --found->second.calls_left > 0) return Result::success;
  const Result code = found->second.code;
  injections.erase(found);
  if (is_sticky(code) && !context_stack().empty()) context_stack().back()->fault = code;
  return code;
}

bool is_sticky(Result result) {
  const int code = static_cast<int>(result);
  return code == 214 || code == 220 || (code >= 700 && code < 720 && code != 701 && (code < 703 || code > 708));
}

Result drain(CUstream_st& stream) {
  CUctx_st& context = *stream.context;
  const Opened opened(model().memory);
  while (!stream.queue.empty() && context.fault == Result::success) {
    const Work work = std::move(stream.queue.front());
    stream.queue.pop_front();
    if (const Result result = work(); result != Result::success) context.fault = result;
  }
  return context.fault;
}

Result drain(CUctx_st& context) {
  for (const auto& [handle, stream] : context.streams) drain(*stream);
  return drain(context.legacy_stream);
}

bool is_busy(const CUctx_st& context) {
  const auto has_ours = [](const CUstream_st& stream) {
    return !stream.queue.empty() && stream.queued_by == std::this_thread::get_id();
  };
  return has_ours(context.legacy_stream) ||
         std::ranges::any_of(context.streams, [&](const auto& entry) { return has_ours(*entry.second); });
}

CUstream_st* stream_of(CUctx_st& context, StreamHandle handle, const std::string& call) {
  if (handle == nullptr) return &context.legacy_stream;
  const auto found = context.streams.find(handle);
  if (found != context.streams.end()) return found->second.get();
  model().violation(call + " on a stream that the current context does not have", invalid_handle);
  return nullptr;
}

}  // namespace stand_in

STAND_IN_EXPORT void stand_in_fail(const char* function, int nth, int code) {
  const std::lock_guard lock(stand_in::model().mutex);
  stand_in::model().injections[function] = {nth, Result{code}};
}

STAND_IN_EXPORT void stand_in_body(const char* symbol, stand_in::Body body, stand_in::FindVariable find, void* user) {
  const std::lock_guard lock(stand_in::model().mutex);
  stand_in::model().bodies[symbol != nullptr ? symbol : ""] = {body, find, user};
}

STAND_IN_EXPORT const char* stand_in_calls() { return stand_in::model().calls.c_str(); }
STAND_IN_EXPORT const char* stand_in_violations() { return stand_in::model().violations.c_str(); }

STAND_IN_EXPORT void stand_in_forget() {
  const std::lock_guard lock(stand_in::model().mutex);
  stand_in::model().calls.clear();
  stand_in::model().violations.clear();
}
