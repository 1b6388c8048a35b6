// SPDX-License-Identifier: MIT
#include "emulator/happens_before.hpp"

#include <algorithm>
#include <utility>

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

std::size_t index(int thread) { return static_cast<std::size_t>(thread); }

}  // namespace

void HappensBefore::begin_launch(int threads_per_block) {
  threads_per_block_ = threads_per_block;
  launch_start_ = last_ + 1;
  block_starts_.clear();
  published_.clear();
  has_fenced_ = has_acquired_ = false;
  for (Knowledge& acquired : acquired_) acquired.clear();
  acquired_by_block_.clear();
}

void HappensBefore::begin_block() {
  block_start_ = interval_start_ = ++last_;
  block_starts_.push_back(block_start_);
  fenced_.clear();
  for (Fences* const fences : {&device_fences_, &block_fences_}) fences->before_barrier.clear();
  if (!has_acquired_) return;
  for (Knowledge& acquired : acquired_) acquired.clear();
  acquired_by_block_.clear();
}

void HappensBefore::barrier() {
  for (Fences* const fences : {&device_fences_, &block_fences_}) {
    for (const int thread : fenced_) {
      const Moment moment = fences->last[index(thread)].moment;
      if (moment >= block_start_) fences->before_barrier.learn(key(block(), thread), moment);
    }
  }
  fenced_.clear();
  interval_start_ = ++last_;
  if (!has_acquired_) return;
  for (int t = 0; t < threads_per_block_; ++t) acquired_by_block_.learn(acquired_[index(t)]);
}

void HappensBefore::warp_barrier(int warp, unsigned mask) {
  const int first = warp * mylos_lanes;
  const int lanes = std::min(int{mylos_lanes}, threads_per_block_ - first);
  const auto each = [&](auto&& action) {
    for (int lane = 0; lane < lanes; ++lane) {
      if ((mask >> lane & 1U) != 0) action(lane, index(first + lane));
    }
  };
  std::array<Moment, mylos_lanes> known{};
  Knowledge acquired;
  const bool all = lanes == mylos_lanes ? mask == ~0U : (~mask & ((1U << lanes) - 1)) == 0;
  each([&](int lane, std::size_t thread) {
    if (has_acquired_) acquired.learn(acquired_[thread]);
    if (all) return;
    for (int other = 0; other < lanes; ++other) {
      known[index(other)] = std::max(known[index(other)], seen_[thread][index(other)]);
    }
    known[index(lane)] = std::max(known[index(lane)], now(first + lane));
  });
  ++last_;
  if (all) warp_starts_[index(warp)] = last_;
  each([&](int /*lane*/, std::size_t thread) {
    if (!all) seen_[thread] = known;
    if (has_acquired_) acquired_[thread] = acquired;
    now_[thread] = last_;
  });
}

void HappensBefore::fence(int thread, bool of_device) {
  has_fenced_ = true;
  const Fence fence{now(thread), interval_start_};
  if (block_fences_.last[index(thread)].moment < interval_start_) fenced_.push_back(thread);
  block_fences_.last[index(thread)] = fence;
  if (of_device) device_fences_.last[index(thread)] = fence;
  now_[index(thread)] = ++last_;
}

// What all of the block had done before the last barrier before the fence; what other threads had fenced themselves
// before a barrier since, also one of the warp; the thread's own accesses before the fence; and what it has heard.
void HappensBefore::publish(Knowledge& to, int thread, const Fences& fences) const {
  const Fence& fence = fences.last[index(thread)];
  if (fence.moment < block_start_) return;
  to.learn(key(block(), all_threads), fence.interval - 1);
  to.learn(key(block(), thread), fence.moment);
  if (interval_start_ > fence.interval) to.learn(fences.before_barrier);
  const int first = thread / mylos_lanes * mylos_lanes;
  for (int lane = 0; lane < mylos_lanes && first + lane < threads_per_block_; ++lane) {
    const Moment known = std::max(warp_starts_[index(first / mylos_lanes)], seen_[index(thread)][index(lane)] + 1) - 1;
    const Moment fenced = std::max(fence.moment, fences.last[index(first + lane)].moment);
    if (known >= fence.interval) to.learn(key(block(), first + lane), std::min(known, fenced));
  }
  to.learn(acquired_[index(thread)]);
  to.learn(acquired_by_block_);
}

bool HappensBefore::synchronise(int thread, std::uintptr_t address, bool releases) {
  if (!has_fenced_) return false;
  const auto found = published_.find(address);
  if (found != published_.end()) {
    const Published& published = found->second;
    const Synchronised& last = synchronised_[index(thread)];
    const bool same = last.address == address && last.version == published.version && last.moment == now(thread);
    if (same && (last.released || !releases || !has_fenced(thread))) return false;
    acquired_[index(thread)].learn(published.for_device);
    if (published.block == block()) acquired_[index(thread)].learn(published.for_block);
    has_acquired_ = true;
    synchronised_[index(thread)] = {address, published.version, now(thread), false};
  }
  if (!releases || !has_fenced(thread)) return false;
  Published& published = published_[address];
  if (published.block != block()) published.for_block.clear();
  published.block = block();
  publish(published.for_block, thread, block_fences_);
  publish(published.for_device, thread, device_fences_);
  published.version = ++versions_;
  synchronised_[index(thread)] = {address, published.version, now(thread), true};
  return !std::exchange(block_fences_.last[index(thread)].is_published, true);
}

bool HappensBefore::knows(const Knowledge& knowledge, long block, int thread, Moment moment) noexcept {
  return moment <= knowledge.of(key(block, thread)) || moment <= knowledge.of(key(block, all_threads));
}

bool HappensBefore::is_before(int other, Moment moment, int thread) const noexcept {
  const bool in_this_block = moment >= block_start_;
  if (in_this_block) {
    if (moment < interval_start_) return true;
    if (other / mylos_lanes == thread / mylos_lanes && (moment < warp_starts_[index(thread / mylos_lanes)] ||
                                                        moment <= seen_[index(thread)][index(other % mylos_lanes)])) {
      return true;
    }
  }
  if (!has_acquired_) return false;
  const long its_block = in_this_block ? block() : block_of(moment);
  return knows(acquired_[index(thread)], its_block, other, moment) ||
         knows(acquired_by_block_, its_block, other, moment);
}

long HappensBefore::block_of(Moment moment) const noexcept {
  return std::ranges::upper_bound(block_starts_, moment) - block_starts_.begin() - 1;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
