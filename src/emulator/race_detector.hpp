// SPDX-License-Identifier: MIT
// Are two accesses to the same memory ordered? Asked at every access of a checked kernel, of the ones before it.
#pragma once

#include <cstdint>
#include <optional>

#include <mylos/base/abi.hpp>

#include "emulator/happens_before.hpp"
#include "emulator/shadow.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// What a thread does now. Accesses that are `synchronising` (atomics) never race with each other.
struct Access {
  int thread = 0;
  HappensBefore::Moment moment = 0;
  std::uint32_t code = 0;
  bool writes = false;
  bool synchronising = false;
  bool strong = false;  // atomic or volatile
};

/// An earlier access that nothing orders before the present one.
struct Conflict {
  int thread = 0;
  HappensBefore::Moment moment = 0;
  std::uint32_t code = 0;
  bool writes = false;
  bool synchronising = false;
  bool strong = false;
};

/// A word of Accesses, from its high bits: moment (44), thread in the block (10), unused (4), wrote (1), weak (1),
/// bytewise (1), who (2), plain (1). `plain`: not all were synchronising; `weak`: not all were strong; `wrote`: among
/// the readers, a writer.
namespace accesses {
inline constexpr int flag_bits = 10;
inline constexpr int moment_shift = 20;
inline constexpr std::uint64_t plain = 1;
enum Who : std::uint64_t { one = 0, lanes = 1, warps = 2, blocks = 3 };
inline constexpr int who_shift = 1;
inline constexpr std::uint64_t bytewise = 8;
inline constexpr std::uint64_t weak = 16;
inline constexpr std::uint64_t wrote = 32;

constexpr HappensBefore::Moment moment(std::uint64_t word) { return word >> moment_shift; }
constexpr int thread(std::uint64_t word) { return static_cast<int>(word >> flag_bits & 0x3ffU); }
constexpr Who who(std::uint64_t word) { return static_cast<Who>(word >> who_shift & 3U); }
constexpr std::uint64_t by(const Access& access) {
  return access.moment << moment_shift | static_cast<std::uint64_t>(access.thread) << flag_bits;
}
constexpr std::uint64_t flags_of(const Access& access) {
  return (access.synchronising ? 0 : plain) | (access.synchronising || access.strong ? 0 : weak);
}
constexpr std::uint32_t lane_bit(int thread) { return std::uint32_t{1} << thread % mylos_lanes; }
constexpr Accesses single(std::uint64_t by_access, const Access& access) {
  return {by_access | flags_of(access), access.code, lane_bit(access.thread)};
}
/// Of an ordinary access, neither atomic nor volatile.
constexpr std::uint64_t ordinary_word(std::uint64_t by_access) { return by_access | plain | weak; }
constexpr Accesses ordinary(int thread, HappensBefore::Moment moment, std::uint32_t code) {
  const Access access{.thread = thread, .moment = moment, .code = code};
  return single(by(access), access);
}
/// Whether the access is by the one thread that the word tells of, at the same moment.
constexpr bool is_own(std::uint64_t word, std::uint64_t by_access) {
  return ((word ^ by_access) & ~(plain | bytewise | weak | wrote)) == 0;
}
}  // namespace accesses

/// Finds every pair of accesses that the launch made to the same bytes without an order, at least one of them a write,
/// not both synchronising, up to this: of a cell's unordered readers it keeps the lanes of one warp, two threads of one
/// block, or one of another block. A writer that is ordered behind the ones that are kept by fences, and not behind the
/// others, goes unnoticed. Of a plain writer and the atomic reads behind it, it keeps one where atomic writes follow.
/// Whatever the order in which threads happen to run, the same pairs are unordered.
class RaceDetector {
 public:
  explicit RaceDetector(const HappensBefore& happens_before) : happens_before_(happens_before) {}

  /// An ordinary access to all four bytes of a cell: whether that is all there is to it, because nobody else was here
  /// since all others were waited for. Most accesses are such.
  template <bool writes>
  [[nodiscard]] bool is_alone(ShadowedRange& range, std::size_t cell, const Accesses& ordinary) const noexcept {
    Cell& c = range.cells[cell];
    const bool follows_own_write = c.written.word == ordinary.word && (!writes || c.read.word == 0);
    if (follows_own_write) return true;
    if (is_bytewise(c, range) || !is_past(c.written.word, range)) return false;
    const bool follows_own_read = c.read.word == ordinary.word;
    if (!follows_own_read && !is_past(c.read.word, range)) return false;
    if constexpr (writes) {
      c.written = ordinary;
      c.read = {};
    } else if (!follows_own_read) {
      c.read = ordinary;
    }
    return true;
  }
  /// Any access to all four bytes of a cell.
  std::optional<Conflict> whole(ShadowedRange& range, std::size_t cell, const Access& access);
  /// The bytes of a cell that the mask names, each for itself.
  std::optional<Conflict> parts(ShadowedRange& range, std::size_t cell, unsigned mask, const Access& access);

 private:
  // Ordered before all that any thread of the block does now.
  [[nodiscard]] bool is_past(std::uint64_t word, const ShadowedRange& range) const noexcept {
    const HappensBefore::Moment when = accesses::moment(word);
    return when < range.oldest || (when >= happens_before_.block_start() && when < happens_before_.interval_start());
  }
  static bool is_bytewise(const Cell& cell, const ShadowedRange& range) noexcept {
    return (cell.written.word & accesses::bytewise) != 0 && accesses::moment(cell.written.word) >= range.oldest;
  }
  std::optional<Conflict> touch(Cell& cell, HappensBefore::Moment oldest, std::uint64_t by, const Access& access);
  std::optional<Conflict> conflict_with(const Accesses& earlier, bool writes, const Access& access) const;
  void add_atomic_write(Cell& cell, HappensBefore::Moment oldest, std::uint64_t by, const Access& access) const;
  void add(Accesses& to, HappensBefore::Moment oldest, std::uint64_t by, const Access& access) const;
  [[nodiscard]] bool is_before(int other, HappensBefore::Moment moment, const Access& access) const {
    return happens_before_.is_before(other, moment, access.thread);
  }
  [[nodiscard]] std::optional<int> unordered_lane(const Accesses& lanes, const Access& access) const;
  void join(Accesses& to, std::uint64_t by, const Access& access) const;

  const HappensBefore& happens_before_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
