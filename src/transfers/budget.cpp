// SPDX-License-Identifier: MIT
#include <mylos/transfers/budget.hpp>

#include <algorithm>
#include <mutex>
#include <string_view>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "transfers/counts_json.hpp"
#include "transfers/limits.hpp"
#include "transfers/transfer_table.hpp"

namespace mylos::inline MYLOS_ABI {

struct TransferBudget::State {
  mutable std::mutex mutex;  // phases are on any thread
  std::map<std::string, PhaseCounts> phases;
  std::map<std::string, Limits> required;

  // Call with the lock held.
  [[nodiscard]] std::vector<std::string> violations() const {
    std::vector<std::string> found;
    for (const auto& [phase, limits] : required) {
      const auto did = phases.find(phase);
      detail::add_violations(found, phase, did == phases.end() ? PhaseCounts() : did->second, limits);
    }
    return found;
  }
};

namespace {

thread_local TransferBudget::Phase* innermost_phase = nullptr;

constexpr std::size_t name_width = 20;

std::string phase_line(std::string_view phase, const PhaseCounts& did) {
  const TransferCounts& counts = did.transfers;
  return fmt::format("{:<{}} {:>7} {:>7} {:>12} {:>9} {:>12} {:>7}\n", detail::shortened(phase, name_width), name_width,
                     did.calls, counts.to_host, counts.bytes_to_host, counts.to_device, counts.bytes_to_device,
                     counts.sync);
}

}  // namespace

PhaseCounts& PhaseCounts::operator+=(const PhaseCounts& other) {
  calls += other.calls;
  transfers += other.transfers;
  largest_to_host = std::max(largest_to_host, other.largest_to_host);
  largest_to_device = std::max(largest_to_device, other.largest_to_device);
  return *this;
}

TransferBudget::Phase::Phase(std::shared_ptr<State> state, std::string name)
    : state_(std::move(state)), name_(std::move(name)), head_(&innermost_phase), outer_(innermost_phase) {
  innermost_phase = this;
  bool is_open = false;
  for (const Phase* phase = outer_; phase != nullptr; phase = phase->outer_) {
    is_open = is_open || (phase->state_ == state_ && phase->name_ == name_);
  }
  const std::lock_guard lock(state_->mutex);
  state_->phases[name_].calls += is_open ? 0 : 1;
}

TransferBudget::Phase::~Phase() {
  // Phases may end in any order.
  for (Phase** link = head_; *link != nullptr; link = &(*link)->outer_) {
    if (*link == this) {
      *link = outer_;
      break;
    }
  }
  if (kokkos_.heard_all()) return;
  const std::lock_guard lock(state_->mutex);
  state_->phases[name_].transfers.complete = false;
}

void TransferBudget::Phase::on_event(const CopyEvent& event) {
  const Phase* inner = innermost_phase;
  while (inner != nullptr && inner->state_ != state_) inner = inner->outer_;
  if (inner != this) return;
  const auto bytes = static_cast<std::int64_t>(event.bytes);
  const std::lock_guard lock(state_->mutex);
  PhaseCounts& did = state_->phases[name_];
  did.transfers.add(event);
  if (event.kind == CopyKind::to_host) did.largest_to_host = std::max(did.largest_to_host, bytes);
  if (event.kind == CopyKind::to_device) did.largest_to_device = std::max(did.largest_to_device, bytes);
}

TransferBudget::TransferBudget() : state_(std::make_shared<State>()) {}
TransferBudget::~TransferBudget() = default;
TransferBudget::TransferBudget(TransferBudget&&) noexcept = default;
TransferBudget& TransferBudget::operator=(TransferBudget&&) noexcept = default;

TransferBudget::Phase TransferBudget::phase(std::string name) { return {state_, std::move(name)}; }

void TransferBudget::require(std::string phase, Limits limits) {
  detail::require_natural(phase, limits);
  const std::lock_guard lock(state_->mutex);
  state_->required.insert_or_assign(std::move(phase), limits);
}

std::vector<std::string> TransferBudget::violations() const {
  const std::lock_guard lock(state_->mutex);
  return state_->violations();
}

void TransferBudget::check() const {
  if (!violations().empty()) throw TransferError("mylos::TransferBudget::check: " + report());
}

std::string TransferBudget::report() const {
  const std::lock_guard lock(state_->mutex);
  std::string text = fmt::format("{:<{}} {:>7} {:>7} {:>12} {:>9} {:>12} {:>7}\n", "phase", name_width, "calls",
                                 "to host", "bytes", "to device", "bytes", "waits");
  for (const auto& [phase, did] : state_->phases) text += phase_line(phase, did);
  if (state_->phases.empty()) text += "no phase ran\n";
  for (const std::string& violation : state_->violations()) text += violation + '\n';
  return text;
}

std::string TransferBudget::to_json() const {
  const std::lock_guard lock(state_->mutex);
  detail::Json all;
  all["phases"] = detail::Json::object();
  for (const auto& [phase, did] : state_->phases) {
    all["phases"][phase] = {{"calls", did.calls},
                            {"largest_to_host", did.largest_to_host},
                            {"largest_to_device", did.largest_to_device},
                            {"transfers", detail::json_of(did.transfers)}};
  }
  all["violations"] = state_->violations();
  return detail::json_text(all);
}

std::map<std::string, PhaseCounts> TransferBudget::phases() const {
  const std::lock_guard lock(state_->mutex);
  return state_->phases;
}

void TransferBudget::add(const std::string& phase, const PhaseCounts& counts) {
  const std::lock_guard lock(state_->mutex);
  state_->phases[phase] += counts;
}

}  // namespace mylos::inline MYLOS_ABI
