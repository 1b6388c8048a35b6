// SPDX-License-Identifier: MIT
#include "emulator/race_detector.hpp"

#include <algorithm>

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

using namespace accesses;  // NOLINT(google-build-using-namespace): what this file is about

// Of accesses by threads of several warps, `others` tells one more: its thread, and how much later than the last
// barrier its moment was. What does not fit counts as that much.
constexpr int thread_bits = 10;
constexpr HappensBefore::Moment latest = (1U << (32 - thread_bits)) - 1;

std::uint32_t second(int thread, HappensBefore::Moment since_barrier) {
  return static_cast<std::uint32_t>(thread) |
         static_cast<std::uint32_t>(std::min(since_barrier, latest) << thread_bits);
}
int second_thread(std::uint32_t others) { return static_cast<int>(others & ((1U << thread_bits) - 1)); }

void set_who(Accesses& accesses, Who who) {
  accesses.word = (accesses.word & ~(std::uint64_t{3} << who_shift)) | static_cast<std::uint64_t>(who) << who_shift;
}

}  // namespace

std::optional<Conflict> RaceDetector::whole(ShadowedRange& range, std::size_t cell, const Access& access) {
  Cell& c = range.cells[cell];
  return is_bytewise(c, range) ? parts(range, cell, 0xf, access) : touch(c, range.oldest, by(access), access);
}

std::optional<Conflict> RaceDetector::parts(ShadowedRange& range, std::size_t cell, unsigned mask,
                                            const Access& access) {
  Cell& c = range.cells[cell];
  if (!is_bytewise(c, range)) {
    range.bytewise.push_back({c, c, c, c});
    c = {};
    c.written.word = by(access) | bytewise;
    c.written.others = static_cast<std::uint32_t>(range.bytewise.size() - 1);
  }
  auto& bytes = range.bytewise[c.written.others];
  std::optional<Conflict> found;
  for (unsigned i = 0; i < bytes.size(); ++i) {
    if ((mask >> i & 1U) == 0) continue;
    const auto conflict = touch(bytes.at(i), range.oldest, by(access), access);
    if (conflict && !found) found = conflict;
  }
  return found;
}

std::optional<Conflict> RaceDetector::touch(Cell& cell, HappensBefore::Moment oldest, std::uint64_t by_access,
                                            const Access& access) {
  std::optional<Conflict> found;
  const auto look_at = [&](const Accesses& earlier, bool writes) {
    if (found || moment(earlier.word) < oldest || is_own(earlier.word, by_access)) return;
    if (access.synchronising && (earlier.word & plain) == 0) return;
    found = conflict_with(earlier, writes, access);
  };
  const bool writer_among_readers = (cell.read.word & wrote) != 0 && moment(cell.read.word) >= oldest;
  look_at(cell.written, true);
  if (writer_among_readers) look_at(cell.read, true);
  if (!access.writes) {
    if (writer_among_readers && access.synchronising && moment(cell.read.word) >= happens_before_.interval_start())
      return found;
    // Whoever is not ordered behind this read is not behind the same thread's write at the same moment either.
    if (cell.written.word != ordinary_word(by_access)) add(cell.read, oldest, by_access, access);
    return found;
  }
  look_at(cell.read, false);
  if (access.synchronising) {
    add_atomic_write(cell, oldest, by_access, access);
  } else {
    cell.written = single(by_access, access);
    cell.read = {};
  }
  return found;
}

std::optional<int> RaceDetector::unordered_lane(const Accesses& lanes_of, const Access& access) const {
  const int first = thread(lanes_of.word) / mylos_lanes * mylos_lanes;
  for (int lane = 0; lane < mylos_lanes; ++lane) {
    const int other = first + lane;
    if ((lanes_of.others >> lane & 1U) == 0 || other == access.thread) continue;
    if (!is_before(other, moment(lanes_of.word), access)) return other;
  }
  return std::nullopt;
}

std::optional<Conflict> RaceDetector::conflict_with(const Accesses& earlier, bool writes, const Access& access) const {
  const HappensBefore::Moment when = moment(earlier.word);
  const int first = thread(earlier.word);
  Conflict conflict{first, when, earlier.code, writes, (earlier.word & plain) == 0, (earlier.word & weak) == 0};
  if (when < happens_before_.block_start()) {
    return is_before(first, when, access) ? std::nullopt : std::optional(conflict);
  }
  if (when < happens_before_.interval_start()) return std::nullopt;
  switch (who(earlier.word)) {
    case lanes: {
      const auto lane = unordered_lane(earlier, access);
      if (!lane) return std::nullopt;
      conflict.thread = *lane;
      return conflict;
    }
    case warps: {
      if (first != access.thread && !is_before(first, when, access)) return conflict;
      conflict.thread = second_thread(earlier.others);
      const HappensBefore::Moment then = happens_before_.interval_start() + (earlier.others >> thread_bits);
      const bool ordered = conflict.thread == access.thread || is_before(conflict.thread, then, access);
      return ordered ? std::nullopt : std::optional(conflict);
    }
    default:
      if (first == access.thread || is_before(first, when, access)) return std::nullopt;
      return conflict;
  }
}

// Behind a plain write. That one goes to the readers, which conflict with later atomics as it does: of threads that
// come without having waited for the plain write.
void RaceDetector::add_atomic_write(Cell& cell, HappensBefore::Moment oldest, std::uint64_t by_access,
                                    const Access& access) const {
  const Accesses before = cell.written;
  const bool is_plain = (before.word & plain) != 0 && moment(before.word) >= oldest;
  if (!is_plain) {
    add(cell.written, oldest, by_access, access);
    return;
  }
  cell.written = single(by_access, access);
  const bool no_plain_reader =
      (cell.read.word & plain) == 0 && moment(cell.read.word) < happens_before_.interval_start();
  if (moment(cell.read.word) < oldest || no_plain_reader) {
    cell.read = before;
    cell.read.word |= wrote;
  }
}

// Adds an access to those of its kind that nothing orders before it; those that are, it replaces.
void RaceDetector::add(Accesses& to, HappensBefore::Moment oldest, std::uint64_t by_access,
                       const Access& access) const {
  if (is_own(to.word, by_access)) {
    to.word |= flags_of(access);
    return;
  }
  const HappensBefore::Moment when = moment(to.word);
  if (when < oldest || (when >= happens_before_.block_start() && when < happens_before_.interval_start())) {
    to = single(by_access, access);
    return;
  }
  if (when < happens_before_.block_start()) {
    // One of another block conflicts with every writer but those that are ordered behind it.
    if (is_before(thread(to.word), when, access)) {
      to = single(by_access, access);
    } else {
      set_who(to, blocks);
      to.word |= flags_of(access) & weak;
    }
    return;
  }
  // Of plain and synchronising ones, the plain ones conflict with more; the thread's own earlier ones too.
  if (access.synchronising != ((to.word & plain) == 0)) {
    const bool superseded = thread(to.word) != access.thread && !conflict_with(to, false, access);
    if (!access.synchronising || superseded) to = single(by_access, access);
    return;
  }
  join(to, by_access, access);
}

// Both in this interval between barriers, and of one kind.
void RaceDetector::join(Accesses& to, std::uint64_t by_access, const Access& access) const {
  const HappensBefore::Moment when = moment(to.word);
  const int first = thread(to.word);
  const std::uint64_t weakness = (to.word | flags_of(access)) & weak;
  const bool same_warp = first / mylos_lanes == access.thread / mylos_lanes;
  int unordered = first;
  switch (who(to.word)) {
    case one:
      if (first == access.thread || is_before(first, when, access)) {
        to = single(by_access, access);
        return;
      }
      break;
    case lanes: {
      const auto lane = unordered_lane(to, access);
      if (!lane) {
        to = single(by_access, access);
        return;
      }
      unordered = *lane;
      break;
    }
    default:
      to.word |= weakness;
      if (happens_before_.has_acquired() && !conflict_with(to, false, access)) to = single(by_access, access);
      return;
  }
  if (same_warp && when == access.moment) {
    to.others |= lane_bit(access.thread);
    to.word |= weakness;
    set_who(to, lanes);
    return;
  }
  Accesses both = single(when << moment_shift | static_cast<std::uint64_t>(unordered) << flag_bits, access);
  both.code = to.code;
  both.others = second(access.thread, access.moment - happens_before_.interval_start());
  both.word |= weakness;
  set_who(both, warps);
  to = both;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
