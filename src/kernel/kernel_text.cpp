// SPDX-License-Identifier: MIT
#include "kernel/kernel_text.hpp"

#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>

namespace mylos::inline MYLOS_ABI::detail {

struct KernelText::Plan {
  ArgumentPlan plan;
  const Plan* next;
};

KernelText::KernelText(const std::string& name, const CudaOptions& options, KernelOrigin origin)
    : name_(name), options_(options), origin_(std::move(origin)) {}

KernelText::~KernelText() {
  for (const Plan* plan = plans_.load(); plan != nullptr;) delete std::exchange(plan, plan->next);
}

// Not std::call_once: when what it calls throws, the next call waits for ever under ThreadSanitizer.
const Signature& KernelText::signature() {
  if (const Signature* const known = parsed_.load(std::memory_order_acquire)) return *known;
  const std::scoped_lock lock(parsing_);
  if (parsed_.load(std::memory_order_relaxed) == nullptr) {
    signature_ = jit::instantiated(jit::parse_signature(origin_.source, name_, options_.options), options_.instantiate);
    parsed_.store(&signature_, std::memory_order_release);
  }
  return signature_;
}

const Signature* KernelText::signature_if_readable() {
  if (const Signature* const known = parsed_.load(std::memory_order_acquire)) return known;
  if (unreadable_.load(std::memory_order_relaxed)) return nullptr;
  try {
    return &signature();
  } catch (const Error& error) {
    if (!unreadable_.exchange(true)) {
      log::warning(
          fmt::format("kernel '{}': its port cannot be read, so calls of its functor are not compared with it: "
                      "a launch on the device will fail: {}",
                      name_, error.what()));
    }
    return nullptr;
  }
}

const jit::ThreadUse& KernelText::thread_use() {
  std::call_once(threads_read_, [this] { thread_use_ = jit::thread_use(origin_.source, name_); });
  return thread_use_;
}

void KernelText::check_index(const LaunchShape& shape) {
  const std::int64_t threads = shape.grid.x * shape.block.x;
  if (threads <= std::numeric_limits<std::int32_t>::max()) return;
  const int line = thread_use().narrow_index_line;
  if (line == 0 || index_told_.exchange(true)) return;
  log::warning(
      fmt::format("kernel '{}': it is launched with {} threads along x, {} blocks of {}, and line {} of its text "
                  "multiplies blockIdx.x by blockDim.x in 32 bits: from the thread 2147483648 on the index is negative "
                  "where it is an int, from 4294967296 on it begins at 0 again: write std::int64_t(blockIdx.x) * "
                  "blockDim.x + threadIdx.x, or MYLOS_THREAD_1D",
                  name_, threads, shape.grid.x, shape.block.x, line));
}

const ArgumentPlan& KernelText::plan(const Call& call) {
  const auto find = [&]() -> const ArgumentPlan* {
    for (const Plan* entry = plans_.load(std::memory_order_acquire); entry != nullptr; entry = entry->next) {
      if (entry->plan.serves(call.arguments.types(), call.reach)) return &entry->plan;
    }
    return nullptr;
  };
  if (const auto* known = find()) return *known;
  const std::scoped_lock lock(planning_);
  if (const auto* known = find()) return *known;
  std::unique_ptr<Plan> entry;  // which does not move, so that it is made in its place
  try {
    entry.reset(new Plan{{call, options_.flat_layout}, plans_.load()});  // NOLINT(modernize-make-unique)
  } catch (const SignatureError& error) {
    if (call.reach != Reach::any) throw;
    log::warning(
        fmt::format("{}\nThe functor runs, as it may take more than the port; on the device this call will be "
                    "refused: pass what the port takes, or change it (of a CudaKernel of your own, "
                    "CudaOptions::check_signature = false leaves the port out of it)",
                    error.what()));
    // NOLINTNEXTLINE(modernize-make-unique)
    entry.reset(new Plan{{{call.kernel, nullptr, call.arguments, call.reach}, {}}, plans_.load()});
  }
  plans_.store(entry.get(), std::memory_order_release);
  return entry.release()->plan;
}

}  // namespace mylos::inline MYLOS_ABI::detail
