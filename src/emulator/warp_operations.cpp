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
void give_each(WarpValues values, unsigned lanes, F&& value) {
  for_each_lane(lanes, [&](std::size_t lane) { values[lane] = value(lane); });
}

void shuffle(WarpValues values, WarpSources sources, unsigned lanes) {
  std::array<unsigned long long, mylos_lanes> brought;
  std::ranges::copy(values, brought.begin());
  const auto of_source = [&](std::size_t lane) { return brought[sources[lane] % mylos_lanes]; };
  if (lanes != ~0U) return give_each(values, lanes, of_source);
  for (std::size_t lane = 0; lane < brought.size(); ++lane) values[lane] = of_source(lane);
}

// The lanes that brought this value.
unsigned lanes_with(WarpValues values, unsigned lanes, unsigned long long value) {
  unsigned found = 0;
  for_each_lane(lanes, [&](std::size_t lane) { found |= values[lane] == value ? 1U << lane : 0U; });
  return found;
}

void match_any(WarpValues values, unsigned lanes) {
  while (lanes != 0) {
    const unsigned equal = lanes_with(values, lanes, values[static_cast<std::size_t>(std::countr_zero(lanes))]);
    lanes &= ~equal;
    give_each(values, equal, [&](std::size_t) { return equal; });
  }
}

// Of 32-bit values, in which sums wrap.
template <class T, class Operation>
void reduce(WarpValues values, unsigned lanes, Operation operation) {
  auto result = static_cast<T>(values[static_cast<std::size_t>(std::countr_zero(lanes))]);
  for_each_lane(lanes & (lanes - 1),
                [&](std::size_t lane) { result = operation(result, static_cast<T>(values[lane])); });
  give_each(values, lanes, [&](std::size_t) { return static_cast<std::uint32_t>(result); });
}

void vote(WarpValues values, unsigned lanes, int operation) {
  const unsigned ayes = lanes_with(values, lanes, 1);
  const bool holds = operation == mylos_all ? ayes == lanes : ayes != 0;
  give_each(values, lanes, [&](std::size_t) { return operation == mylos_ballot ? ayes : unsigned{holds}; });
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
  const auto leader = static_cast<std::size_t>(std::countr_zero(lanes));
  bool same = true;
  for_each_lane(lanes, [&](std::size_t lane) { same = same && is_same_operation(stops[leader], stops[lane]); });
  return same;
}

int first_bad_reader(WarpSources sources, unsigned lanes) noexcept {
  unsigned readers = 0;
  for (unsigned lane = 0; lane < mylos_lanes; ++lane) {
    const unsigned is_bad = ~(lanes >> (sources[lane] & 31U)) & 1U;
    readers |= is_bad << lane;
  }
  readers &= lanes;
  return readers == 0 ? -1 : std::countr_zero(readers);
}

void carry_out(int operation, WarpValues values, WarpSources sources, unsigned lanes) noexcept {
  const auto smaller = [](auto a, auto b) { return std::min(a, b); };
  const auto larger = [](auto a, auto b) { return std::max(a, b); };
  switch (operation) {
    case mylos_shuffle_index:
    case mylos_shuffle_up:
    case mylos_shuffle_down:
    case mylos_shuffle_xor: return shuffle(values, sources, lanes);
    case mylos_ballot:
    case mylos_all:
    case mylos_any: return vote(values, lanes, operation);
    case mylos_active_mask: return give_each(values, lanes, [&](std::size_t) { return lanes; });
    case mylos_match_any: return match_any(values, lanes);
    case mylos_match_all: {
      const auto value = values[static_cast<std::size_t>(std::countr_zero(lanes))];
      const unsigned result = lanes_with(values, lanes, value) == lanes ? lanes : 0;
      return give_each(values, lanes, [&](std::size_t) { return result; });
    }
    case mylos_reduce_add: return reduce<std::uint32_t>(values, lanes, [](auto a, auto b) { return a + b; });
    case mylos_reduce_min: return reduce<std::uint32_t>(values, lanes, smaller);
    case mylos_reduce_max: return reduce<std::uint32_t>(values, lanes, larger);
    case mylos_reduce_min_signed: return reduce<std::int32_t>(values, lanes, smaller);
    case mylos_reduce_max_signed: return reduce<std::int32_t>(values, lanes, larger);
    case mylos_reduce_and: return reduce<std::uint32_t>(values, lanes, [](auto a, auto b) { return a & b; });
    case mylos_reduce_or: return reduce<std::uint32_t>(values, lanes, [](auto a, auto b) { return a | b; });
    case mylos_reduce_xor: return reduce<std::uint32_t>(values, lanes, [](auto a, auto b) { return a ^ b; });
    default: return;  // __syncwarp gives nothing
  }
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
