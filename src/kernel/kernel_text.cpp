// SPDX-License-Identifier: MIT
#include "kernel/kernel_text.hpp"

#include <utility>

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
    signature_ = jit::instantiated(jit::parse_signature(origin_.source, name_), options_.instantiate);
    parsed_.store(&signature_, std::memory_order_release);
  }
  return signature_;
}

const jit::ThreadUse& KernelText::thread_use() {
  std::call_once(threads_read_, [this] { thread_use_ = jit::thread_use(origin_.source, name_); });
  return thread_use_;
}

const ArgumentPlan& KernelText::plan(const Call& call, Reach reach) {
  const auto find = [&]() -> const ArgumentPlan* {
    for (const Plan* entry = plans_.load(std::memory_order_acquire); entry != nullptr; entry = entry->next) {
      if (entry->plan.serves(call.arguments.types(), reach)) return &entry->plan;
    }
    return nullptr;
  };
  if (const auto* known = find()) return *known;
  const std::scoped_lock lock(planning_);
  if (const auto* known = find()) return *known;
  std::unique_ptr<Plan> entry(new Plan{{call, reach, options_.flat_layout}, plans_.load()});  // which does not move
  plans_.store(entry.get(), std::memory_order_release);
  return entry.release()->plan;
}

}  // namespace mylos::inline MYLOS_ABI::detail
