// SPDX-License-Identifier: MIT
// cooperative_groups: blocks, tiles of a warp, groups of the lanes that happen to be together, and grids. Functions in
// which threads wait for each other take, as the last argument, where the kernel calls them.
#pragma once

namespace cooperative_groups {

namespace mylos_detail {

MYLOS_INLINE unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }
MYLOS_INLINE unsigned block_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * static_cast<unsigned>(threadIdx.z));
}
MYLOS_INLINE unsigned lane() { return block_rank() % 32u; }
// The lanes that this thread's warp has.
MYLOS_INLINE unsigned warp_lanes() {
  const unsigned left = block_size() - block_rank() / 32u * 32u;
  return left >= 32u ? 0xffffffffu : (1u << left) - 1u;
}
MYLOS_INLINE unsigned tile_mask(unsigned size) {
  const unsigned tile = size == 32u ? 0xffffffffu : ((1u << size) - 1u) << lane() / size * size;
  return tile & warp_lanes();
}
MYLOS_INLINE int count(unsigned lanes) { return __popc(lanes); }
MYLOS_INLINE unsigned rank_in(unsigned mask) { return static_cast<unsigned>(count(mask & ((1u << lane()) - 1u))); }
// The lane of a group's n-th member; out of range, this one.
MYLOS_INLINE int member(unsigned mask, int n) {
  if (n < 0 || n >= count(mask)) return static_cast<int>(lane());
  for (; n > 0; --n) mask &= mask - 1u;
  return __ffs(static_cast<int>(mask)) - 1;
}
// Lanes of a group as ranks in it.
MYLOS_INLINE unsigned packed(unsigned mask, unsigned lanes) {
  unsigned result = 0;
  for (unsigned bit = 1u; mask != 0u; mask &= mask - 1u, bit <<= 1) {
    if ((lanes & mask & -mask) != 0u) result |= bit;
  }
  return result;
}

// One thread of each block waits for the other blocks, which other workers run; the rest of the block for that thread.
MYLOS_INLINE void grid_barrier(mylos_where where) {
  const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
  if (mylos_worker_at(mylos_grid)->launch->workers < blocks) {
    mylos_fail(mylos_grid_too_large, "", where.file, static_cast<int>(where.line));
  }
  __syncthreads(where);
  if (block_rank() == 0) mylos_library->meet_blocks(where.file, static_cast<int>(where.line));
  __syncthreads(where);
}

// What the groups of lanes of one warp have in common.
class Lanes {
 public:
  MYLOS_MEMBER void sync(mylos_where where = mylos_called_at()) const { __syncwarp(mask_, where); }
  MYLOS_MEMBER unsigned thread_rank() const { return rank_in(mask_); }
  MYLOS_MEMBER unsigned meta_group_rank() const { return meta_rank_; }
  MYLOS_MEMBER unsigned meta_group_size() const { return meta_size_; }
  MYLOS_MEMBER int any(int condition, mylos_where where = mylos_called_at()) const { return __any_sync(mask_, condition, where); }
  MYLOS_MEMBER int all(int condition, mylos_where where = mylos_called_at()) const { return __all_sync(mask_, condition, where); }
  MYLOS_MEMBER unsigned ballot(int condition, mylos_where where = mylos_called_at()) const {
    return packed(mask_, __ballot_sync(mask_, condition, where));
  }
  template <class T>
  MYLOS_MEMBER unsigned match_any(T value, mylos_where where = mylos_called_at()) const {
    return packed(mask_, __match_any_sync(mask_, value, where));
  }
  template <class T>
  MYLOS_MEMBER unsigned match_all(T value, int& same, mylos_where where = mylos_called_at()) const {
    return packed(mask_, __match_all_sync(mask_, value, &same, where));
  }
  MYLOS_MEMBER unsigned mylos_mask() const { return mask_; }

 protected:
  MYLOS_MEMBER Lanes(unsigned mask, unsigned meta_rank, unsigned meta_size)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  // In words, so that every type can be given.
  template <class T>
  MYLOS_MEMBER T from_lane(const T& value, int lane, mylos_where where) const {
    static_assert(__is_trivially_copyable(T), "only values that are copied as bytes go from lane to lane");
    constexpr int words = (sizeof(T) + 7) / 8;
    unsigned long long word[words] = {};
    __builtin_memcpy(word, &value, sizeof(T));
    for (int i = 0; i < words; ++i) word[i] = __shfl_sync(mask_, word[i], lane, 32, where);
    T result;
    __builtin_memcpy(&result, word, sizeof(T));
    return result;
  }
  unsigned mask_, meta_rank_, meta_size_;
};

}  // namespace mylos_detail

class coalesced_group;
class thread_block;

/// The threads of a block, or some lanes of a warp.
class thread_group : public mylos_detail::Lanes {
 public:
  MYLOS_MEMBER unsigned long long size() const {
    return is_block_ ? mylos_detail::block_size() : static_cast<unsigned>(mylos_detail::count(mask_));
  }
  MYLOS_MEMBER unsigned long long num_threads() const { return size(); }
  MYLOS_MEMBER unsigned long long thread_rank() const {
    return is_block_ ? mylos_detail::block_rank() : mylos_detail::rank_in(mask_);
  }
  MYLOS_MEMBER void sync(mylos_where where = mylos_called_at()) const {
    if (is_block_) {
      __syncthreads(where);
    } else {
      __syncwarp(mask_, where);
    }
  }
  MYLOS_MEMBER thread_group(const thread_block&);
  MYLOS_MEMBER thread_group(const mylos_detail::Lanes& lanes) : Lanes(lanes), is_block_(false) {}

 private:
  bool is_block_ = true;
};

class thread_block {
 public:
  struct arrival_token {};
  static MYLOS_MEMBER void sync(mylos_where where = mylos_called_at()) { __syncthreads(where); }
  MYLOS_MEMBER arrival_token barrier_arrive() const { return {}; }
  MYLOS_MEMBER void barrier_wait(arrival_token&&, mylos_where where = mylos_called_at()) const { __syncthreads(where); }
  static MYLOS_MEMBER unsigned thread_rank() { return mylos_detail::block_rank(); }
  static MYLOS_MEMBER unsigned size() { return mylos_detail::block_size(); }
  static MYLOS_MEMBER unsigned num_threads() { return mylos_detail::block_size(); }
  static MYLOS_MEMBER dim3 group_index() { return blockIdx; }
  static MYLOS_MEMBER dim3 thread_index() { return threadIdx; }
  static MYLOS_MEMBER dim3 group_dim() { return blockDim; }
  static MYLOS_MEMBER dim3 dim_threads() { return blockDim; }
};
MYLOS_INLINE thread_block this_thread_block() { return {}; }
inline thread_group::thread_group(const thread_block&) : Lanes(0u, 0u, 1u) {}

/// Threads of a warp that are together. What they give each other is told by rank.
class coalesced_group : public mylos_detail::Lanes {
 public:
  MYLOS_MEMBER explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : Lanes(mask, meta_rank, meta_size) {}
  MYLOS_MEMBER unsigned size() const { return static_cast<unsigned>(mylos_detail::count(mask_)); }
  MYLOS_MEMBER unsigned num_threads() const { return size(); }
  template <class T>
  MYLOS_MEMBER T shfl(T value, int rank, mylos_where where = mylos_called_at()) const {
    return from_lane(value, mylos_detail::member(mask_, rank), where);
  }
  template <class T>
  MYLOS_MEMBER T shfl_down(T value, unsigned delta, mylos_where where = mylos_called_at()) const {
    return shfl(value, static_cast<int>(thread_rank() + delta), where);
  }
  template <class T>
  MYLOS_MEMBER T shfl_up(T value, unsigned delta, mylos_where where = mylos_called_at()) const {
    return shfl(value, static_cast<int>(thread_rank()) - static_cast<int>(delta), where);
  }
};
MYLOS_INLINE coalesced_group coalesced_threads(mylos_where where = mylos_called_at()) { return coalesced_group(__activemask(where)); }

/// `Size` neighbouring threads, of a power of two up to a warp.
template <unsigned Size, class Parent = void>
class thread_block_tile : public mylos_detail::Lanes {
  static_assert(Size > 0u && (Size & (Size - 1u)) == 0u, "a tile has a power of two of threads");
  static_assert(Size <= 32u,
                "tiles of more than a warp are not in this version of the emulator: use the block, or write another "
                "form under #ifdef MYLOS_EMULATOR");

 public:
  MYLOS_MEMBER explicit thread_block_tile(const thread_block&)
      : Lanes(mylos_detail::tile_mask(Size), mylos_detail::block_rank() / Size,
              (mylos_detail::block_size() + Size - 1u) / Size) {}
  /// A part of a larger tile, or the same tile.
  template <unsigned Larger, class Other>
  MYLOS_MEMBER thread_block_tile(const thread_block_tile<Larger, Other>& tile)
      : Lanes(mylos_detail::tile_mask(Size), Larger == Size ? tile.meta_group_rank() : tile.thread_rank() / Size,
              Larger == Size ? tile.meta_group_size() : Larger / Size) {
    static_assert(Larger >= Size, "a part is not larger than the whole");
  }
  static MYLOS_MEMBER constexpr unsigned size() { return Size; }
  static MYLOS_MEMBER constexpr unsigned num_threads() { return Size; }
  static MYLOS_MEMBER unsigned thread_rank() { return mylos_detail::block_rank() % Size; }
  template <class T>
  MYLOS_MEMBER T shfl(T value, int rank, mylos_where where = mylos_called_at()) const {
    return from_lane(value, static_cast<int>(first() + (static_cast<unsigned>(rank) & (Size - 1u))), where);
  }
  template <class T>
  MYLOS_MEMBER T shfl_down(T value, unsigned delta, mylos_where where = mylos_called_at()) const {
    const unsigned from = thread_rank() + delta;
    return from_lane(value, static_cast<int>(first() + (from < Size ? from : thread_rank())), where);
  }
  template <class T>
  MYLOS_MEMBER T shfl_up(T value, unsigned delta, mylos_where where = mylos_called_at()) const {
    return from_lane(value, static_cast<int>(first() + thread_rank() - (delta <= thread_rank() ? delta : 0u)), where);
  }
  template <class T>
  MYLOS_MEMBER T shfl_xor(T value, unsigned lanes, mylos_where where = mylos_called_at()) const {
    const unsigned from = thread_rank() ^ lanes;
    return from_lane(value, static_cast<int>(first() + (from < Size ? from : thread_rank())), where);
  }

 private:
  static MYLOS_MEMBER unsigned first() { return mylos_detail::lane() / Size * Size; }
};

template <unsigned Size>
MYLOS_INLINE thread_block_tile<Size, thread_block> tiled_partition(const thread_block& block) {
  return thread_block_tile<Size, thread_block>(block);
}
template <unsigned Size, unsigned Larger, class Parent>
MYLOS_INLINE thread_block_tile<Size, thread_block_tile<Larger, Parent>> tiled_partition(
    const thread_block_tile<Larger, Parent>& tile) {
  return tile;
}
namespace mylos_detail {
MYLOS_INLINE void check_tile(unsigned size, mylos_where where) {
  if (size >= 1u && size <= 32u && (size & (size - 1u)) == 0u) return;
  mylos_fail(mylos_failed_assertion, "a tile has 1, 2, 4, 8, 16 or 32 threads", where.file, static_cast<int>(where.line));
}
}  // namespace mylos_detail

/// Members number n size, n size + 1, ... of a group, of which this thread is one.
MYLOS_INLINE coalesced_group tiled_partition(const coalesced_group& group, unsigned size,
                                              mylos_where where = mylos_called_at()) {
  mylos_detail::check_tile(size, where);
  const unsigned rank = group.thread_rank() / size;
  unsigned mask = 0;
  for (unsigned i = rank * size; i < rank * size + size && i < group.size(); ++i) {
    mask |= 1u << mylos_detail::member(group.mylos_mask(), static_cast<int>(i));
  }
  return coalesced_group(mask, rank, (group.size() + size - 1u) / size);
}
MYLOS_INLINE thread_group tiled_partition(const thread_block&, unsigned size, mylos_where where = mylos_called_at()) {
  mylos_detail::check_tile(size, where);
  return coalesced_group(mylos_detail::tile_mask(size), mylos_detail::block_rank() / size,
                         (mylos_detail::block_size() + size - 1u) / size);
}
MYLOS_INLINE thread_block_tile<1> this_thread() { return thread_block_tile<1>(this_thread_block()); }

/// Members with the same label.
template <class Group, class Label>
MYLOS_INLINE coalesced_group labeled_partition(const Group& group, Label label, mylos_where where = mylos_called_at()) {
  return coalesced_group(__match_any_sync(group.mylos_mask(), label, where));
}
template <class Group>
MYLOS_INLINE coalesced_group binary_partition(const Group& group, bool condition,
                                              mylos_where where = mylos_called_at()) {
  const unsigned yes = __ballot_sync(group.mylos_mask(), condition, where);
  return coalesced_group(condition ? yes : group.mylos_mask() & ~yes);
}

/// f(arguments...) by one member.
template <class Group, class F, class... A>
MYLOS_INLINE void invoke_one(const Group& group, F&& f, A&&... arguments) {
  if (group.thread_rank() == 0) f(static_cast<A&&>(arguments)...);
}
namespace mylos_detail {
template <class Group, class F, class... A>
MYLOS_INLINE auto invoke_one_broadcast_at(mylos_where where, const Group& group, F&& f, A&&... arguments) {
  decltype(f(static_cast<A&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = f(static_cast<A&&>(arguments)...);
  return group.shfl(result, 0, where);
}
}  // namespace mylos_detail
/// The same, and all get its result. Where it is called stands behind the arguments, if they are three at most.
template <class Group, class F>
MYLOS_INLINE auto invoke_one_broadcast(const Group& group, F&& f, mylos_where where = mylos_called_at()) {
  return mylos_detail::invoke_one_broadcast_at(where, group, static_cast<F&&>(f));
}
template <class Group, class F, class A>
MYLOS_INLINE auto invoke_one_broadcast(const Group& group, F&& f, A&& a, mylos_where where = mylos_called_at()) {
  return mylos_detail::invoke_one_broadcast_at(where, group, static_cast<F&&>(f), static_cast<A&&>(a));
}
template <class Group, class F, class A, class B>
MYLOS_INLINE auto invoke_one_broadcast(const Group& group, F&& f, A&& a, B&& b, mylos_where where = mylos_called_at()) {
  return mylos_detail::invoke_one_broadcast_at(where, group, static_cast<F&&>(f), static_cast<A&&>(a),
                                               static_cast<B&&>(b));
}
template <class Group, class F, class A, class B, class C>
MYLOS_INLINE auto invoke_one_broadcast(const Group& group, F&& f, A&& a, B&& b, C&& c,
                                       mylos_where where = mylos_called_at()) {
  return mylos_detail::invoke_one_broadcast_at(where, group, static_cast<F&&>(f), static_cast<A&&>(a),
                                               static_cast<B&&>(b), static_cast<C&&>(c));
}
template <class Group, class F, class A, class B, class C, class D, class... More>
MYLOS_INLINE auto invoke_one_broadcast(const Group& group, F&& f, A&& a, B&& b, C&& c, D&& d, More&&... more) {
  return mylos_detail::invoke_one_broadcast_at(mylos_called_at(), group, static_cast<F&&>(f), static_cast<A&&>(a),
                                               static_cast<B&&>(b), static_cast<C&&>(c), static_cast<D&&>(d),
                                               static_cast<More&&>(more)...);
}

class grid_group {
 public:
  static MYLOS_MEMBER bool is_valid() { return true; }
  static MYLOS_MEMBER void sync(mylos_where where = mylos_called_at()) { mylos_detail::grid_barrier(where); }
  static MYLOS_MEMBER unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static MYLOS_MEMBER unsigned long long block_rank() {
    return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * static_cast<unsigned long long>(blockIdx.z));
  }
  static MYLOS_MEMBER unsigned long long num_threads() { return num_blocks() * mylos_detail::block_size(); }
  static MYLOS_MEMBER unsigned long long size() { return num_threads(); }
  static MYLOS_MEMBER unsigned long long thread_rank() {
    return block_rank() * mylos_detail::block_size() + mylos_detail::block_rank();
  }
  static MYLOS_MEMBER dim3 block_index() { return blockIdx; }
  static MYLOS_MEMBER dim3 dim_blocks() { return gridDim; }
  static MYLOS_MEMBER dim3 group_dim() { return gridDim; }
};
MYLOS_INLINE grid_group this_grid() { return {}; }

template <class Group>
MYLOS_INLINE void sync(const Group& group, mylos_where where = mylos_called_at()) { group.sync(where); }
template <class Group>
MYLOS_INLINE auto thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group>
MYLOS_INLINE auto group_size(const Group& group) { return group.num_threads(); }

}  // namespace cooperative_groups
