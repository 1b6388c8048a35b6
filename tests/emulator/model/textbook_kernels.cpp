// SPDX-License-Identifier: MIT
#include "emulator/model/textbook_kernels.hpp"

#include <cstdint>
#include <string>

#include "emulator/model/kernel_builder.hpp"

namespace mylos_test::model {
namespace {

const Expression t = thread_index;
const Expression first_thread = thread_index == 0U;
const Expression whole_grid = block_index * threads + thread_index;

unsigned input(Builder& k) { return k.array({.name = "x", .content = Content::numbers, .per_thread = 1}); }
unsigned output(Builder& k) { return k.array({.name = "y", .per_thread = 1}); }
unsigned of_blocks(Builder& k) { return k.array({.name = "sums", .per_block = 1}); }

/// s[0] becomes the sum of s; `meet` is what lies between the steps.
template <class Meet>
void sum_in_place(Builder& k, unsigned s, std::uint32_t size, const Expression& place, Meet&& meet) {
  const Expression half = k.variable(size / 2);
  k.repeat(0U < half, [&] {
    k.when(place < half, [&] {
      const Expression own = k.load(s, t);
      const Expression other = k.load(s, t + half);
      k.store(s, t, own + other);
    });
    meet();
    k.assign(half, half / 2U);
  });
}

TextbookKernel block_reduction(std::uint32_t size) {
  Builder k("block reduction");
  const unsigned x = input(k), sums = of_blocks(k), s = k.shared("s", size);
  k.store(s, t, k.load(x, whole_grid));
  k.barrier();
  sum_in_place(k, s, size, t, [&] { k.barrier(); });
  k.when(first_thread, [&] { k.store(sums, block_index, k.load(s, 0U)); });
  return {k.finished(), {.blocks = size > 8 ? 2U : 1U, .threads = size}};
}

TextbookKernel warp_reduction() {
  Builder k("warp reduction");
  const unsigned x = input(k), y = k.array({.name = "y", .constant = 2}), s = k.shared("s", 64);
  const Expression lane = t % 32U;
  k.store(s, t, k.load(x, t));
  k.syncwarp();
  sum_in_place(k, s, 32, lane, [&] { k.syncwarp(); });
  k.when(lane == 0U, [&] { k.store(y, t / 32U, k.load(s, t)); });
  return {k.finished(), {.threads = 64}};
}

TextbookKernel shuffle_reduction() {
  Builder k("reduction by shuffles");
  const unsigned x = input(k), sums = of_blocks(k), s = k.shared("s", 2);
  const Expression sum = k.variable(k.load(x, whole_grid));
  const Expression distance = k.variable(16U);
  k.repeat(0U < distance, [&] {
    k.assign(sum, sum + k.warp(Function::shuffle_down, ~0U, sum, distance));
    k.assign(distance, distance / 2U);
  });
  k.when(t % 32U == 0U, [&] { k.store(s, t / 32U, sum); });
  k.barrier();
  k.when(first_thread, [&] {
    const Expression total = k.variable(0U);
    k.count(0U, threads / 32U, 1U, [&](const Expression& i) { k.assign(total, total + k.load(s, i)); });
    k.store(sums, block_index, total);
  });
  return {k.finished(), {.blocks = 2, .threads = 64}};
}

TextbookKernel scan(std::uint32_t size) {
  Builder k("scan");
  const unsigned x = input(k), y = output(k), s = k.shared("s", size);
  k.store(s, t, k.load(x, whole_grid));
  k.barrier();
  const Expression distance = k.variable(1U);
  k.repeat(distance < size, [&] {
    const Expression sum = k.variable(k.load(s, t));
    k.when(t + 1U < distance + 1U, [] {}, [&] { k.assign(sum, sum + k.load(s, t - distance)); });
    k.barrier();
    k.store(s, t, sum);
    k.barrier();
    k.assign(distance, distance * 2U);
  });
  k.store(y, whole_grid, k.load(s, t));
  return {k.finished(), {.blocks = size > 8 ? 2U : 1U, .threads = size}};
}

TextbookKernel transposition() {
  Builder k("transposition of a tile");
  const unsigned x = input(k), y = output(k), tile = k.shared("tile", 64);
  k.store(tile, t, k.load(x, whole_grid));
  k.barrier();
  k.store(y, whole_grid, k.load(tile, t % 8U * 8U + t / 8U));
  return {k.finished(), {.blocks = 2, .threads = 64}};
}

TextbookKernel stencil() {
  constexpr std::uint32_t size = 48;
  Builder k("stencil with halo");
  const unsigned x =
      k.array({.name = "x", .type = Type::f64, .content = Content::numbers, .per_thread = 1, .constant = 2});
  const unsigned y = k.array({.name = "y", .type = Type::f64, .per_thread = 1});
  const unsigned s = k.shared("s", size + 2, Type::f64);
  k.store(s, t + 1U, k.load(x, whole_grid + 1U));
  k.when(t < 2U, [&] { k.store(s, t * (size + 1U), k.load(x, block_index * threads + t * (size + 1U))); });
  k.barrier();
  const Expression left = k.load(s, t), right = k.load(s, t + 2U), middle = k.load(s, t + 1U);
  k.store(y, whole_grid, left + right - (middle + middle));
  return {k.finished(), {.blocks = 2, .threads = size}};
}

TextbookKernel histogram() {
  constexpr std::uint32_t bins = 10;
  Builder k("histogram");
  const unsigned x = input(k), counts = k.array({.name = "counts", .content = Content::zeros, .constant = bins});
  const unsigned s = k.shared("s", bins);
  k.when(t < bins, [&] { k.store(s, t, 0U); });
  k.barrier();
  k.atomic(Function::atomic_add, s, k.load(x, whole_grid) % bins, 1U);
  k.barrier();
  k.when(t < bins, [&] { k.atomic(Function::atomic_add, counts, t, k.load(s, t)); });
  return {k.finished(), {.blocks = 2, .threads = 48}};
}

TextbookKernel double_buffer(std::uint32_t size) {
  Builder k("double buffer");
  const unsigned x = input(k), y = output(k), s = k.shared("s", 2 * size);
  k.store(s, t, k.load(x, t));
  k.barrier();
  k.count(0U, 3U, 1U, [&](const Expression& step) {
    const Expression from = step % 2U * size, to = size - from;
    const Expression own = k.load(s, from + t);
    const Expression next = k.load(s, from + (t + 1U) % size);
    k.store(s, to + t, own * 3U + next);
    k.barrier();
  });
  k.store(y, t, k.load(s, size + t));
  return {k.finished(), {.threads = size}};
}

TextbookKernel sum_of_blocks() {
  Builder k("sum of blocks");
  const unsigned x = input(k), total = k.array({.name = "total", .content = Content::zeros, .constant = 1});
  const unsigned s = k.shared("s", 1);
  k.when(first_thread, [&] { k.store(s, 0U, 0U); });
  k.barrier();
  k.atomic(Function::atomic_add, s, 0U, k.load(x, whole_grid));
  k.barrier();
  k.when(first_thread, [&] { k.atomic(Function::atomic_add, total, 0U, k.load(s, 0U)); });
  return {k.finished(), {.blocks = 3, .threads = 40}};
}

TextbookKernel last_block(std::uint32_t size) {
  Builder k("last block");
  const unsigned x = input(k), sums = of_blocks(k), total = k.array({.name = "total", .constant = 1});
  const unsigned finished = k.array({.name = "finished", .content = Content::zeros, .constant = 1});
  const unsigned last = k.shared("last", 1);
  k.when(first_thread, [&] {
    k.store(sums, block_index, k.load(x, block_index * threads));
    k.fence();
    const Expression before = k.atomic(Function::atomic_add, finished, 0U, 1U);
    k.store(last, 0U, before == blocks - 1U);
  });
  k.barrier();
  const Expression is_last = k.load(last, 0U);
  k.when(is_last & first_thread, [&] {
    k.fence();
    const Expression sum = k.variable(0U);
    k.count(0U, blocks, 1U, [&](const Expression& i) { k.assign(sum, sum + k.load(sums, i)); });
    k.store(total, 0U, sum);
  });
  return {k.finished(), {.blocks = 3, .threads = size}};
}

TextbookKernel broadcast(std::uint32_t size) {
  Builder k("broadcast");
  const unsigned x = input(k), y = output(k), s = k.shared("s", 1);
  k.count(0U, 2U, 1U, [&](const Expression& round) {
    k.when(t == round, [&] { k.store(s, 0U, k.load(x, t)); });
    k.barrier();
    const Expression value = k.load(s, 0U);
    k.barrier();
    k.store(y, whole_grid, value + t);
  });
  return {k.finished(), {.threads = size}};
}

TextbookKernel compaction(std::uint32_t size) {
  Builder k("compaction");
  const unsigned x = input(k);
  const unsigned y = k.array({.name = "y", .per_thread = 1, .unordered = true});
  const unsigned count = k.array({.name = "count", .content = Content::zeros, .constant = 1});
  const Expression value = k.load(x, whole_grid);
  k.when(value % 2U == 1U, [&] {
    const Expression place = k.atomic(Function::atomic_add, count, 0U, 1U);
    k.store(y, place, value);
  });
  return {k.finished(), {.blocks = size > 8 ? 2U : 1U, .threads = size}};
}

TextbookKernel matrix_product() {
  constexpr std::uint32_t width = 6;
  Builder k("product of matrices by tiles");
  const unsigned a =
      k.array({.name = "left", .type = Type::f64, .content = Content::numbers, .constant = 2 * width * width});
  const unsigned b =
      k.array({.name = "right", .type = Type::f64, .content = Content::numbers, .constant = 2 * width * width});
  const unsigned c = k.array({.name = "product", .type = Type::f64, .constant = width * width});
  const unsigned tile_a = k.shared("left_tile", width * width, Type::f64);
  const unsigned tile_b = k.shared("right_tile", width * width, Type::f64);
  const Expression row = t / width, column = t % width;
  const Expression sum = k.variable(converted(Type::f64, Expression(0U)));
  k.count(0U, 2U, 1U, [&](const Expression& tile) {
    k.store(tile_a, t, k.load(a, row * (2 * width) + tile * width + column));
    k.store(tile_b, t, k.load(b, tile * (width * width) + t));
    k.barrier();
    k.count(0U, width, 1U, [&](const Expression& i) {
      const Expression left = k.load(tile_a, row * width + i);
      const Expression right = k.load(tile_b, i * width + column);
      k.assign(sum, sum + left * right);
    });
    k.barrier();
  });
  k.store(c, t, sum);
  return {k.finished(), {.threads = width * width}};
}

TextbookKernel reversal() {
  Builder k("reversal in place");
  const unsigned x = input(k), s = k.shared("s", 64);
  k.when(whole_grid < threads * blocks, [&] { k.store(s, t, k.load(x, whole_grid)); });
  k.barrier();
  k.store(x, whole_grid, k.load(s, threads - 1U - t));
  return {k.finished(), {.blocks = 2, .threads = 64}};
}

TextbookKernel guarded_copy() {
  Builder k("copy with a guard");
  const unsigned x = k.array({.name = "x", .content = Content::numbers, .constant = 50});
  const unsigned y = k.array({.name = "y", .constant = 50});
  k.when(whole_grid < 50U, [&] { k.store(y, whole_grid, k.load(x, whole_grid)); });
  return {k.finished(), {.blocks = 2, .threads = 32}};
}

TextbookKernel strided_sum() {
  Builder k("sum in strides");
  const unsigned x = k.array({.name = "x", .content = Content::numbers, .constant = 150});
  const unsigned total = k.array({.name = "total", .content = Content::zeros, .constant = 1});
  const Expression sum = k.variable(0U);
  k.count(whole_grid, 150U, threads * blocks, [&](const Expression& i) { k.assign(sum, sum + k.load(x, i)); });
  k.atomic(Function::atomic_add, total, 0U, sum);
  return {k.finished(), {.blocks = 2, .threads = 40}};
}

TextbookKernel exchange_in_warp() {
  Builder k("exchange between lanes");
  const unsigned x = input(k), y = output(k), s = k.shared("s", 40);
  const Expression neighbour = t - t % 32U + (t % 32U + 1U) % minimum(threads - (t - t % 32U), 32U);
  k.store(s, t, k.load(x, t));
  k.syncwarp();
  const Expression value = k.load(s, neighbour);
  k.syncwarp();
  k.store(s, t, value + 1U);
  k.syncwarp();
  k.store(y, t, k.load(s, neighbour));
  return {k.finished(), {.threads = 40}};
}

TextbookKernel extremes(std::uint32_t size) {
  Builder k("smallest and largest");
  const unsigned x = input(k), y = k.array({.name = "y", .per_block = 2});
  const unsigned s = k.shared("s", 2);
  k.when(first_thread, [&] {
    k.store(s, 0U, ~0U);
    k.store(s, 1U, 0U);
  });
  k.barrier();
  const Expression value = k.load(x, whole_grid);
  k.atomic(Function::atomic_min, s, 0U, value);
  k.atomic(Function::atomic_max, s, 1U, value);
  k.barrier();
  k.when(t < 2U, [&] { k.store(y, block_index * 2U + t, k.load(s, t)); });
  return {k.finished(), {.threads = size}};
}

}  // namespace

std::vector<TextbookKernel> textbook_kernels() {
  return {block_reduction(64), block_reduction(4), warp_reduction(),
          shuffle_reduction(), scan(64),           scan(4),
          transposition(),     stencil(),          histogram(),
          double_buffer(48),   double_buffer(3),   sum_of_blocks(),
          last_block(33),      last_block(2),      broadcast(40),
          broadcast(4),        compaction(40),     compaction(5),
          matrix_product(),    reversal(),         guarded_copy(),
          strided_sum(),       exchange_in_warp(), extremes(48),
          extremes(3)};
}

}  // namespace mylos_test::model
