// SPDX-License-Identifier: MIT
#include "emulator/warp_operations.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

template <class F>
void for_each_lane(unsigned lanes, F&& f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<std::size_t>(std::countr_zero(lanes)));
}

template <class F>
void give_each(WarpStops stops, unsigned lanes, F&& value) {
  for_each_lane(lanes, [&](std::size_t lane) { stops[lane].value = value(lane); });
}

void shuffle(WarpStops stops, unsigned lanes) {
  std::array<unsigned long long, mylos_lanes> brought;
  for (std::size_t lane = 0; lane < brought.size(); ++lane) brought[lane] = stops[lane].value;
  const auto of_source = [&](std::size_t lane) { return brought[static_cast<std::size_t>(stops[lane].source)]; };
  if (lanes != ~0U) return give_each(stops, lanes, of_source);
  for (std::size_t lane = 0; lane < brought.size(); ++lane) stops[lane].value = of_source(lane);
}

// What must be the same in all lanes of an operation: place, mask, kind.
using Words = std::array<std::uint64_t, 3>;
static_assert(offsetof(mylos_stop, value) == sizeof(Words));
Words words_of(const mylos_stop& stop) {
  Words words;
  std::memcpy(words.data(), &stop, sizeof words);
  return words;
}
// All bits if a lane is among these, else none.
std::uint64_t taken(unsigned lanes, std::size_t lane) { return -(std::uint64_t{lanes} >> lane & 1U); }

// The lanes that brought this value.
unsigned lanes_with(WarpStops stops, unsigned lanes, unsigned long long value) {
  unsigned found = 0;
  for_each_lane(lanes, [&](std::size_t lane) { found |= stops[lane].value == value ? 1U << lane : 0U; });
  return found;
}

void match_any(WarpStops stops, unsigned lanes) {
  while (lanes != 0) {
    const unsigned equal = lanes_with(stops, lanes, stops[static_cast<std::size_t>(std::countr_zero(lanes))].value);
    lanes &= ~equal;
    give_each(stops, equal, [&](std::size_t) { return equal; });
  }
}

// Of 32-bit values, in which sums wrap.
template <class T, class Operation>
void reduce(WarpStops stops, unsigned lanes, Operation operation) {
  auto result = static_cast<T>(stops[static_cast<std::size_t>(std::countr_zero(lanes))].value);
  for_each_lane(lanes & (lanes - 1),
                [&](std::size_t lane) { result = operation(result, static_cast<T>(stops[lane].value)); });
  give_each(stops, lanes, [&](std::size_t) { return static_cast<std::uint32_t>(result); });
}

void vote(WarpStops stops, unsigned lanes, int operation) {
  const unsigned ayes = lanes_with(stops, lanes, 1);
  const bool holds = operation == mylos_all ? ayes == lanes : ayes != 0;
  give_each(stops, lanes, [&](std::size_t) { return operation == mylos_ballot ? ayes : unsigned{holds}; });
}

}  // namespace

const char* name_of(int operation) noexcept {
  constexpr std::array names{"__syncthreads",     "__syncwarp",        "__shfl_sync",       "__shfl_up_sync",
                             "__shfl_down_sync",  "__shfl_xor_sync",   "__ballot_sync",     "__all_sync",
                             "__any_sync",        "__activemask",      "__match_any_sync",  "__match_all_sync",
                             "__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync", "__reduce_min_sync",
                             "__reduce_max_sync", "__reduce_and_sync", "__reduce_or_sync",  "__reduce_xor_sync"};
  static_assert(names.size() == mylos_reduce_xor + 1);
  return names.at(static_cast<std::size_t>(operation));
}

bool is_shuffle(int operation) noexcept { return operation >= mylos_shuffle_index && operation <= mylos_shuffle_xor; }

bool is_same_place(const mylos_where& a, const mylos_where& b) noexcept {
  if (a.line != b.line || a.column != b.column) return false;
  return a.file == b.file || std::strcmp(a.file, b.file) == 0;
}

bool is_same_operation(const mylos_stop& a, const mylos_stop& b) noexcept {
  if (a.mask != b.mask || a.operation != b.operation) return false;
  return a.operation == mylos_sync_warp || is_same_place(a.where, b.where);
}

bool wait_for_each_other(WarpStops stops, unsigned lanes) noexcept {
  // Nearly always they are the same in every bit: one pass without a branch tells.
  const auto leader = static_cast<std::size_t>(std::countr_zero(lanes));
  const Words first = words_of(stops[leader]);
  std::uint64_t difference = 0;
  for (std::size_t lane = 0; lane < mylos_lanes; ++lane) {
    const Words other = words_of(stops[lane]);
    difference |= taken(lanes, lane) & ((first[0] ^ other[0]) | (first[1] ^ other[1]) | (first[2] ^ other[2]));
  }
  if (difference == 0) return true;
  bool same = true;
  for_each_lane(lanes, [&](std::size_t lane) { same = same && is_same_operation(stops[leader], stops[lane]); });
  return same;
}

int first_bad_reader(WarpStops stops, unsigned lanes) noexcept {
  unsigned readers = 0;
  for (unsigned lane = 0; lane < mylos_lanes; ++lane) {
    const unsigned is_bad = ~(lanes >> static_cast<unsigned>(stops[lane].source & 31)) & 1U;
    readers |= is_bad << lane;
  }
  readers &= lanes;
  return readers == 0 ? -1 : std::countr_zero(readers);
}

void carry_out(WarpStops stops, unsigned lanes) noexcept {
  const int operation = stops[static_cast<std::size_t>(std::countr_zero(lanes))].operation;
  const auto smaller = [](auto a, auto b) { return std::min(a, b); };
  const auto larger = [](auto a, auto b) { return std::max(a, b); };
  switch (operation) {
    case mylos_shuffle_index:
    case mylos_shuffle_up:
    case mylos_shuffle_down:
    case mylos_shuffle_xor: return shuffle(stops, lanes);
    case mylos_ballot:
    case mylos_all:
    case mylos_any: return vote(stops, lanes, operation);
    case mylos_active_mask: return give_each(stops, lanes, [&](std::size_t) { return lanes; });
    case mylos_match_any: return match_any(stops, lanes);
    case mylos_match_all: {
      const auto value = stops[static_cast<std::size_t>(std::countr_zero(lanes))].value;
      const unsigned result = lanes_with(stops, lanes, value) == lanes ? lanes : 0;
      return give_each(stops, lanes, [&](std::size_t) { return result; });
    }
    case mylos_reduce_add: return reduce<std::uint32_t>(stops, lanes, [](auto a, auto b) { return a + b; });
    case mylos_reduce_min: return reduce<std::uint32_t>(stops, lanes, smaller);
    case mylos_reduce_max: return reduce<std::uint32_t>(stops, lanes, larger);
    case mylos_reduce_min_signed: return reduce<std::int32_t>(stops, lanes, smaller);
    case mylos_reduce_max_signed: return reduce<std::int32_t>(stops, lanes, larger);
    case mylos_reduce_and: return reduce<std::uint32_t>(stops, lanes, [](auto a, auto b) { return a & b; });
    case mylos_reduce_or: return reduce<std::uint32_t>(stops, lanes, [](auto a, auto b) { return a | b; });
    case mylos_reduce_xor: return reduce<std::uint32_t>(stops, lanes, [](auto a, auto b) { return a ^ b; });
    default: return;  // __syncwarp gives nothing
  }
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
