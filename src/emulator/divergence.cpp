// SPDX-License-Identifier: MIT
#include "emulator/divergence.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "emulator/line_lookup.hpp"
#include "emulator/site.hpp"
#include "emulator/warp_operations.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

int lane_of(int thread) { return thread % mylos_lanes; }

template <class Predicate>
std::vector<int> threads_where(const mylos_worker& worker, Predicate&& is_wanted) {
  std::vector<int> threads;
  for (int thread = 0; thread < worker.threads; ++thread) {
    if (is_wanted(thread)) threads.push_back(thread);
  }
  return threads;
}

std::vector<int> lanes_in(unsigned mask) {
  std::vector<int> lanes;
  for (; mask != 0; mask &= mask - 1) lanes.push_back(std::countr_zero(mask));
  return lanes;
}

// "thread 5", "threads 0 to 4 and 7", "threads 1, 3, 5, 7, 9, 11 and 20 more"
std::string listed(std::string_view noun, const std::vector<int>& numbers) {
  constexpr std::size_t most_parts = 6;
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at < numbers.size() && parts.size() < most_parts) {
    std::size_t last = at;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (last == at + 1) last = at;  // two neighbours are no range
    parts.push_back(last == at ? fmt::to_string(numbers[at]) : fmt::format("{} to {}", numbers[at], numbers[last]));
    at = last + 1;
  }
  if (at < numbers.size()) parts.push_back(fmt::format("{} more", numbers.size() - at));
  std::string text = fmt::format("{}{}", noun, numbers.size() == 1 ? " " : "s ");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view separator = i == 0 ? "" : (i + 1 == parts.size() ? " and " : ", ");
    text += fmt::format("{}{}", separator, parts[i]);
  }
  return text;
}

const char* wait(const std::vector<int>& numbers) { return numbers.size() == 1 ? "waits" : "wait"; }

// Threads of blocks of several dimensions are known by their number, too.
std::string threads_of(const mylos_worker& worker, const std::vector<int>& threads) {
  const auto& block = worker.launch->block;
  const bool is_flat = block[1] == 1 && block[2] == 1;
  return listed("thread", threads) + (is_flat ? "" : " (numbered with x fastest)");
}

std::string lanes_of_warp(const std::vector<int>& lanes, int warp) {
  return fmt::format("{} of warp {}", listed("lane", lanes), warp);
}

// With a site for each of these threads, at what it waits in; without a line where it does not wait.
Problem problem_at(const mylos_worker& worker, const std::vector<int>& threads, std::string text) {
  Problem problem{.finding = {.kind = Kind::barrier, .text = std::move(text)}, .threads = threads};
  for (const int thread : threads) {
    problem.finding.sites.push_back(site_of(worker, thread));
    if (!has_bit(worker.live, thread)) continue;
    problem.finding.sites.back().file = worker.stops[thread].where.file;
    problem.finding.sites.back().line = static_cast<int>(worker.stops[thread].where.line);
    problem.finding.sites.back().column = static_cast<int>(worker.stops[thread].where.column);
  }
  return problem;
}

// "line 12", by column where the other one is in the same line, with its file where that is another one.
std::string line_beside(const mylos_where& where, const mylos_where& other) {
  if (std::string_view(where.file) != other.file) return fmt::format("{}:{}", shown_file(where.file), where.line);
  if (where.line != other.line) return fmt::format("line {}", where.line);
  return fmt::format("line {}, column {}", where.line, where.column);
}

// What keeps a lane from taking part in the operation that another one waits in.
std::string what_it_does(const mylos_worker& worker, int thread, const mylos_stop& other) {
  if (!has_bit(worker.in_operation, thread) && !has_bit(worker.held, thread)) return "runs";
  const mylos_stop& stop = worker.stops[thread];
  std::string text = fmt::format("waits in {}", name_of(stop.operation));
  if (stop.operation != mylos_barrier) text += fmt::format(" with mask {:#010x}", stop.mask);
  return text + fmt::format(" ({})", line_beside(stop.where, other.where));
}

// Why a lane gives no value.
std::string why_absent(const mylos_worker& worker, int thread, unsigned mask) {
  if (thread >= worker.threads) return fmt::format("does not exist: the block has {} threads", worker.threads);
  if ((mask >> static_cast<unsigned>(lane_of(thread)) & 1U) == 0) {
    return fmt::format("is not in the mask {:#010x}", mask);
  }
  return "has left the kernel";
}

}  // namespace

Site site_of(const mylos_launch& launch, const mylos_place& place) {
  const auto extents = [](const int (&shape)[3], const int (&index)[3]) {
    const auto [x, y, z] = index;
    if (shape[2] > 1) return Extents3(x, y, z);
    return shape[1] > 1 ? Extents3(x, y) : Extents3(x);
  };
  return {.block = extents(launch.grid, place.block), .thread = extents(launch.block, place.thread)};
}

Site site_of(const mylos_worker& worker, int thread) {
  mylos_place place{};
  std::ranges::copy(index_of(thread, worker.launch->block), place.thread);
  std::ranges::copy(worker.block, place.block);
  return site_of(*worker.launch, place);
}

Problem explain_left(const mylos_worker& worker) {
  const auto waiting = threads_where(worker, [&](int thread) { return has_bit(worker.live, thread); });
  const auto left = threads_where(worker, [&](int thread) { return !has_bit(worker.live, thread); });
  return problem_at(
      worker, {waiting.front(), left.front()},
      fmt::format("{} {} at a barrier, and {} left the kernel before it: a barrier is for all threads of a block, on a "
                  "GPU this is undefined: let every thread come to each barrier, with the condition around the work "
                  "instead of a return, or let those that have left count as arrived (MYLOS_EMULATOR_EXITED=arrive)",
                  threads_of(worker, waiting), wait(waiting), listed("thread", left)));
}

Problem explain_barriers(const mylos_worker& worker) {
  const auto held = threads_where(worker, [&](int thread) { return has_bit(worker.held, thread); });
  const mylos_where& first = worker.stops[held.front()].where;
  std::vector<int> here, elsewhere;
  for (const int thread : held) (is_same_place(worker.stops[thread].where, first) ? here : elsewhere).push_back(thread);
  const mylos_where& other = worker.stops[elsewhere.front()].where;
  return problem_at(worker, {here.front(), elsewhere.front()},
                    fmt::format("{} {} at the barrier in {}, {} at another one, in {}: a barrier is for all threads of "
                                "a block, on a GPU different ones are mixed up or wait forever: take it out of the "
                                "branch or loop that only some threads run",
                                threads_of(worker, here), wait(here), line_beside(first, other),
                                listed("thread", elsewhere), line_beside(other, first)));
}

Problem explain_operations(const mylos_worker& worker) {
  const int waiting = threads_where(worker, [&](int thread) { return has_bit(worker.in_operation, thread); }).front();
  const mylos_stop& stop = worker.stops[waiting];
  const int warp = waiting / mylos_lanes;
  const int base = warp * mylos_lanes;
  const auto is_together = [&](int lane) {
    return has_bit(worker.in_operation, base + lane) && is_same_operation(worker.stops[base + lane], stop);
  };
  std::vector<int> together, missing;
  for (const int lane : lanes_in(stop.mask & worker.live[warp]))
    (is_together(lane) ? together : missing).push_back(lane);
  const int absent = base + missing.front();
  return problem_at(
      worker, {waiting, absent},
      fmt::format(
          "{} {} in {} with mask {:#010x} for {}, of which lane {} {}: all lanes that a mask names must come to "
          "the same operation with the same mask, or they wait forever: take it out of the branch, or give it the "
          "mask of the lanes that are there (__ballot_sync in front of the branch)",
          lanes_of_warp(together, warp), wait(together), name_of(stop.operation), stop.mask, listed("lane", missing),
          lane_of(absent), what_it_does(worker, absent, stop)));
}

Problem explain_read(const mylos_worker& worker, int thread) {
  const mylos_stop& stop = worker.stops[thread];
  const int warp = thread / mylos_lanes;
  const int source = worker.sources[thread];
  return problem_at(
      worker, {thread},
      fmt::format(
          "lane {} of warp {} reads from lane {} in {}, which {}: what it gets is undefined: read only from lanes "
          "that take part, or give every lane of the warp a value, such as the operation's neutral element",
          lane_of(thread), warp, source, name_of(stop.operation),
          why_absent(worker, warp * mylos_lanes + source, stop.mask)));
}

Problem explain_misuse(const mylos_worker& worker, int misuse, int value) {
  const int thread = mylos_running_number(&worker);
  const mylos_stop& stop = worker.stops[thread];
  std::string text;
  if (misuse == mylos_bad_width) {
    text = fmt::format(
        "{} has width {}: widths are 1, 2, 4, 8, 16 and 32, the result of others is undefined: choose one of them",
        name_of(stop.operation), value);
  } else {
    text = fmt::format(
        "lane {} of warp {} calls {} with mask {:#010x}, in which it is not: who calls must be named, the result is "
        "undefined otherwise: make the mask of the lanes that come here (__ballot_sync in front of the branch)",
        lane_of(thread), thread / mylos_lanes, name_of(stop.operation), stop.mask);
  }
  return problem_at(worker, {thread}, std::move(text));
}

Problem explain_spinning(const mylos_worker& worker, int thread, std::optional<std::chrono::seconds> waited,
                         bool checked) {
  Problem problem{.finding = {.kind = Kind::deadlock, .sites = {site_of(worker, thread)}}, .threads = {thread}};
  problem.finding.text = fmt::format(
      "threads {}: they may wait for a thread at a barrier or in a warp operation, or for a block that {}: let no "
      "thread wait across a barrier, or {}",
      waited ? fmt::format("waited for each other for {} s without one of them getting on", waited->count())
             : "wait for each other forever: what they do repeats itself, and changes nothing",
      checked ? "has not begun, since checked blocks run one after another" : "has no OS thread to run on",
      checked ? "check with one block" : "raise MYLOS_EMULATOR_THREADS");
  return problem;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
