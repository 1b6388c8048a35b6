// SPDX-License-Identifier: MIT
#include "emulator/model/schedule_explorer.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <unordered_set>
#include <utility>
#include <vector>

namespace mylos_test::model {
namespace {

constexpr std::size_t watched_schedules = 6;  // for accesses that nothing orders

/// Chooses who makes the next step.
class Schedule {
 public:
  enum class Kind : std::uint8_t {
    in_order,    // the first thread that can
    backwards,   // the last one
    priorities,  // threads in a random order, which changes at a few random steps
    warps,       // the same for warps, whose lanes go in a random order
    random       // any, each time
  };

  Schedule(Kind kind, std::size_t threads, const Shape& shape, std::size_t steps, std::uint64_t seed)
      : kind_(kind), random_(seed), rank_(threads) {
    std::iota(rank_.begin(), rank_.end(), std::int64_t{0});
    if (kind == Kind::backwards) std::ranges::reverse(rank_);
    if (kind == Kind::priorities || kind == Kind::warps) std::ranges::shuffle(rank_, random_);
    if (kind == Kind::warps) keep_warps_together(shape);
    for (int i = 0; i < 3; ++i) changes_.push_back(random_() % (steps + 1));
  }

  unsigned choose(const std::vector<unsigned>& ready) {
    if (kind_ == Kind::random) return ready[random_() % ready.size()];
    const unsigned chosen = *std::ranges::min_element(ready, {}, [&](unsigned thread) { return rank_[thread]; });
    if (kind_ >= Kind::priorities && std::ranges::find(changes_, step_) != changes_.end()) {
      rank_[chosen] = static_cast<std::int64_t>(rank_.size() * rank_.size() + step_);
    }
    ++step_;
    return chosen;
  }

 private:
  void keep_warps_together(const Shape& shape) {
    const auto warp_of = [&](std::size_t thread) {
      return thread / shape.threads * (shape.threads / 32 + 1) + thread % shape.threads / 32;
    };
    std::vector<std::int64_t> warp_rank(rank_.size() + 1);
    for (auto& rank : warp_rank) rank = static_cast<std::int64_t>(random_() % rank_.size());
    for (std::size_t i = 0; i < rank_.size(); ++i) {
      rank_[i] += static_cast<std::int64_t>(rank_.size()) * warp_rank[warp_of(i) % warp_rank.size()];
    }
  }

  Kind kind_;
  std::mt19937_64 random_;
  std::vector<std::int64_t> rank_;
  std::vector<std::size_t> changes_;
  std::size_t step_ = 0;
};

/// All that is learnt of one kernel.
class Explorer {
 public:
  Explorer(const Program& program, const Shape& shape, const Effort& effort, std::uint64_t seed)
      : program_(program), shape_(shape), effort_(effort), seed_(seed) {}

  Exploration explored() {
    if (std::size_t{shape_.blocks} * shape_.threads <= effort_.threads_for_all) {
      states_left_ = effort_.states;
      result_.complete = every_order(Machine(program_, shape_)) && !result_.wrong;
    }
    using enum Schedule::Kind;
    constexpr Schedule::Kind kinds[] = {priorities, warps, random};
    run(in_order, 0);
    run(backwards, 1);
    const std::size_t schedules = result_.complete ? watched_schedules : effort_.schedules;
    for (std::size_t i = 2; i < schedules && !result_.wrong; ++i) run(kinds[i % 3], i);
    return std::move(result_);
  }

 private:
  void run(Schedule::Kind kind, std::size_t number) {
    if (result_.wrong) return;
    HappensBefore order(std::size_t{shape_.blocks} * shape_.threads, Machine::cells_of(program_.kernel(), shape_));
    Machine machine(program_, shape_, number < watched_schedules ? &order : nullptr);
    Schedule schedule(kind, std::size_t{shape_.blocks} * shape_.threads, shape_, steps_, seed_ + number);
    std::size_t steps = 0;
    for (; !machine.ready().empty(); ++steps) machine.step(schedule.choose(machine.ready()));
    steps_ = std::max(steps_, steps);
    ++result_.schedules;
    result_.race = result_.race || order.race();
    judge(machine);
  }

  void judge(const Machine& machine) {
    if (machine.trouble()) {
      result_.wrong = *machine.trouble();
      result_.endless = machine.endless();
    } else if (const auto outcome = machine.outcome(); !outcome_) {
      outcome_ = outcome;
    } else if (outcome != *outcome_) {
      result_.wrong = "outcomes differ";
    }
  }

  /// Whether there were states enough.
  bool every_order(const Machine& machine) {
    if (machine.ready().empty()) judge(machine);
    if (machine.ready().empty() || result_.wrong) return true;
    for (const unsigned thread : machine.ready()) {
      Machine next = machine;
      next.step(thread);
      if (!seen_.insert(next.hash()).second) continue;
      if (states_left_-- == 0 || !every_order(next)) return false;
    }
    return true;
  }

  const Program& program_;
  const Shape& shape_;
  const Effort& effort_;
  std::uint64_t seed_;
  Exploration result_;
  std::optional<std::vector<std::vector<std::optional<Bits>>>> outcome_;
  std::unordered_set<std::size_t> seen_;
  std::size_t states_left_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace

Exploration explore(const Program& program, const Shape& shape, const Effort& effort, std::uint64_t seed) {
  return Explorer(program, shape, effort, seed).explored();
}

}  // namespace mylos_test::model
