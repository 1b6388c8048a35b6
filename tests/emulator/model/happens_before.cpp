// SPDX-License-Identifier: MIT
#include "emulator/model/happens_before.hpp"

#include <algorithm>

namespace mylos_test::model {

HappensBefore::HappensBefore(std::size_t thread_count, std::size_t cells)
    : clocks_(thread_count, Clock(thread_count)), published_(thread_count), heard_(thread_count), cells_(cells) {
  for (std::size_t i = 0; i < thread_count; ++i) clocks_[i][i] = 1;
}

void HappensBefore::join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

void HappensBefore::learn(unsigned thread) {
  join(clocks_[thread], heard_[thread]);
  heard_[thread].clear();
}

void HappensBefore::check(unsigned thread, const std::vector<Access>& accesses) {
  for (const Access& access : accesses) {
    if (access.thread != thread && clocks_[thread][access.thread] < access.time) race_ = true;
  }
}

void HappensBefore::note(unsigned thread, std::vector<Access>& accesses) const {
  const std::uint32_t now = clocks_[thread][thread];
  const auto own = std::ranges::find(accesses, thread, &Access::thread);
  if (own == accesses.end()) {
    accesses.push_back({thread, now});
  } else {
    own->time = now;
  }
}

void HappensBefore::read(unsigned thread, std::size_t number) {
  Cell& cell = cells_[number];
  check(thread, cell.writes);
  check(thread, cell.atomics);
  note(thread, cell.reads);
}

void HappensBefore::write(unsigned thread, std::size_t number) {
  Cell& cell = cells_[number];
  check(thread, cell.writes);
  check(thread, cell.atomics);
  check(thread, cell.reads);
  cell.reads.clear();
  cell.atomics.clear();
  cell.writes.clear();
  note(thread, cell.writes);
}

void HappensBefore::atomic(unsigned thread, std::size_t number) {
  Cell& cell = cells_[number];
  check(thread, cell.writes);
  check(thread, cell.reads);
  note(thread, cell.atomics);
  join(heard_[thread], cell.published);
  join(cell.published, published_[thread]);
}

void HappensBefore::meet(std::span<const unsigned> those) {
  Clock all(clocks_.size());
  for (const unsigned thread : those) {
    learn(thread);
    join(all, clocks_[thread]);
  }
  for (const unsigned thread : those) {
    clocks_[thread] = all;
    ++clocks_[thread][thread];
  }
}

void HappensBefore::fence(unsigned thread) {
  learn(thread);
  published_[thread] = clocks_[thread];
  ++clocks_[thread][thread];
}

}  // namespace mylos_test::model
