// SPDX-License-Identifier: MIT
#include <mylos/core/detail/strided.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/loops.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

// Calls line(destination offset, source offset) for each innermost axis.
template <class Line>
void for_each_line(const Loops& loops, const Line& line) {
  const auto outer = static_cast<std::size_t>(loops.count - 1);
  std::array<std::int64_t, max_rank> index{};
  std::int64_t to = 0, from = 0;
  while (true) {
    line(to, from);
    std::size_t d = outer;
    while (d > 0) {
      const Axis& axis = loops.axes[--d];
      to += axis.destination_stride;
      from += axis.source_stride;
      if (++index[d] < axis.extent) break;
      to -= axis.extent * axis.destination_stride;
      from -= axis.extent * axis.source_stride;
      index[d] = 0;
      if (d == 0) return;
    }
    if (outer == 0) return;
  }
}

// memcpy of a size that the compiler knows becomes one load and one store.
template <std::size_t Bytes>
void copy_elements(std::byte* to, const std::byte* from, const Axis& axis, std::size_t bytes) {
  for (std::int64_t i = 0; i < axis.extent; ++i) {
    std::memcpy(to + i * axis.destination_stride, from + i * axis.source_stride, Bytes == 0 ? bytes : Bytes);
  }
}

using ElementCopy = void (*)(std::byte*, const std::byte*, const Axis&, std::size_t);

ElementCopy element_copy(std::size_t bytes) {
  switch (bytes) {
    case 1: return &copy_elements<1>;
    case 2: return &copy_elements<2>;
    case 4: return &copy_elements<4>;
    case 8: return &copy_elements<8>;
    case 16: return &copy_elements<16>;
    default: return &copy_elements<0>;
  }
}

void copy_line(std::byte* to, const std::byte* from, const Axis& axis, std::size_t bytes) {
  const auto step = static_cast<std::int64_t>(bytes);
  if (axis.destination_stride == step && axis.source_stride == step) {
    std::memcpy(to, from, static_cast<std::size_t>(axis.extent) * bytes);
  } else {
    element_copy(bytes)(to, from, axis, bytes);
  }
}

}  // namespace

std::int64_t StridedBlock::size() const {
  std::int64_t product = 1;
  for (int d = 0; d < rank; ++d) product *= extents[static_cast<std::size_t>(d)];
  return product;
}

void copy_on_host(const StridedBlock& destination, const StridedBlock& source, const ElementConversion& conversion) {
  if (destination.size() == 0) return;
  const Loops loops = loops_over(destination, source);
  const Axis& inner = loops.axes[static_cast<std::size_t>(loops.count - 1)];
  for_each_line(loops, [&](std::int64_t to, std::int64_t from) {
    if (conversion.line != nullptr) {
      conversion.line(destination.data + to, inner.destination_stride, source.data + from, inner.source_stride,
                      inner.extent);
    } else {
      copy_line(destination.data + to, source.data + from, inner, conversion.source_bytes);
    }
  });
}

void fill_on_host(const StridedBlock& destination, std::span<const std::byte> pattern) {
  if (destination.size() == 0) return;
  // A source of one element that every index reads.
  StridedBlock source = destination;
  source.strides.fill(0);
  const Loops loops = loops_over(destination, source);
  const Axis& inner = loops.axes[static_cast<std::size_t>(loops.count - 1)];
  const bool same_bytes = std::ranges::all_of(pattern, [&](std::byte b) { return b == pattern.front(); });
  const bool dense = inner.destination_stride == static_cast<std::int64_t>(pattern.size());
  for_each_line(loops, [&](std::int64_t to, std::int64_t) {
    if (same_bytes && dense) {
      std::memset(destination.data + to, std::to_integer<int>(pattern.front()),
                  static_cast<std::size_t>(inner.extent) * pattern.size());
    } else {
      element_copy(pattern.size())(destination.data + to, pattern.data(), inner, pattern.size());
    }
  });
}

void for_each_run(const StridedBlock& block, std::size_t element_bytes,
                  const std::function<void(std::byte*, std::size_t)>& visit) {
  if (block.size() == 0) return;
  const Loops loops = loops_over(block, block);
  const Axis& inner = loops.axes[static_cast<std::size_t>(loops.count - 1)];
  const bool dense = inner.destination_stride == static_cast<std::int64_t>(element_bytes);
  for_each_line(loops, [&](std::int64_t start, std::int64_t) {
    if (dense) return visit(block.data + start, static_cast<std::size_t>(inner.extent) * element_bytes);
    for (std::int64_t i = 0; i < inner.extent; ++i) {
      visit(block.data + start + i * inner.destination_stride, element_bytes);
    }
  });
}

bool is_compact(const StridedBlock& block, std::size_t element_bytes) {
  if (block.size() == 0) return true;
  const Loops loops = loops_over(block, block);
  return loops.count == 1 &&
         (loops.axes[0].extent == 1 || loops.axes[0].destination_stride == static_cast<std::int64_t>(element_bytes));
}

bool same_order(const StridedBlock& a, std::size_t a_bytes, const StridedBlock& b, std::size_t b_bytes) {
  for (int d = 0; d < a.rank; ++d) {
    const auto i = static_cast<std::size_t>(d);
    if (a.extents[i] > 1 &&
        a.strides[i] / static_cast<std::int64_t>(a_bytes) != b.strides[i] / static_cast<std::int64_t>(b_bytes)) {
      return false;
    }
  }
  return true;
}

StridedBlock packed(std::byte* data, std::span<const std::int64_t> shape, std::size_t element_bytes, Order order) {
  StridedBlock block{.data = data, .rank = static_cast<int>(shape.size())};
  std::ranges::copy(shape, block.extents.begin());
  auto stride = static_cast<std::int64_t>(element_bytes);
  for (std::size_t n = 0; n < shape.size(); ++n) {
    const std::size_t axis = order == Order::left ? n : shape.size() - 1 - n;
    block.strides[axis] = stride;
    stride *= shape[axis];
  }
  return block;
}

bool is_packed(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides, std::int64_t unit,
               Order order) {
  bool in_order = true;
  for (std::size_t n = 0; n < shape.size(); ++n) {
    const std::size_t axis = order == Order::left ? n : shape.size() - 1 - n;
    if (shape[axis] == 0) return true;
    in_order = in_order && (shape[axis] == 1 || strides[axis] == unit);
    unit *= shape[axis];
  }
  return in_order;
}

bool is_contiguous(const StridedBlock& block, std::size_t element_bytes, Order order) {
  const StridedBlock wanted = packed(block.data, block.shape(), element_bytes, order);
  return std::equal(block.strides.begin(), block.strides.begin() + block.rank, wanted.strides.begin());
}

bool same_extents(const StridedBlock& a, const StridedBlock& b) {
  for (int d = 0; d < a.rank; ++d) {
    const auto i = static_cast<std::size_t>(d);
    if (a.extents[i] != b.extents[i]) return false;
  }
  return a.size() == 0 || (a.data == nullptr) == (b.data == nullptr);
}

bool same_elements(const StridedBlock& a, const StridedBlock& b) {
  if (a.data != b.data || a.rank != b.rank) return false;
  for (int d = 0; d < a.rank; ++d) {
    const auto i = static_cast<std::size_t>(d);
    if (a.extents[i] != b.extents[i] || a.strides[i] != b.strides[i]) return false;
  }
  return true;
}

namespace {

// One past the last byte; strides of Kokkos are not negative.
const std::byte* end_of(const StridedBlock& block, std::size_t element_bytes) {
  const std::byte* last = block.data;
  for (int d = 0; d < block.rank; ++d) {
    const auto i = static_cast<std::size_t>(d);
    last += (block.extents[i] - 1) * block.strides[i];
  }
  return last + element_bytes;
}

// Calls visit(offset of a byte from the block's start) for every byte of every element.
template <class Visit>
void for_each_byte(const StridedBlock& block, std::size_t element_bytes, const Visit& visit) {
  const Loops loops = loops_over(block, block);
  const Axis& inner = loops.axes[static_cast<std::size_t>(loops.count - 1)];
  for_each_line(loops, [&](std::int64_t start, std::int64_t) {
    for (std::int64_t i = 0; i < inner.extent; ++i) {
      for (std::size_t b = 0; b < element_bytes; ++b) {
        visit(start + i * inner.destination_stride + static_cast<std::int64_t>(b));
      }
    }
  });
}

}  // namespace

bool overlap(const StridedBlock& a, std::size_t a_bytes, const StridedBlock& b, std::size_t b_bytes) {
  if (a.size() == 0 || b.size() == 0) return false;
  const std::byte* const a_end = end_of(a, a_bytes);
  if (a.data >= end_of(b, b_bytes) || b.data >= a_end) return false;
  // Rows of one matrix, say: their spans interlace, and whether their elements meet is for their bytes to tell.
  std::vector<bool> taken(static_cast<std::size_t>(a_end - a.data));
  for_each_byte(a, a_bytes, [&](std::int64_t offset) { taken[static_cast<std::size_t>(offset)] = true; });
  bool meet = false;
  const std::int64_t shift = b.data - a.data;
  for_each_byte(b, b_bytes, [&](std::int64_t offset) {
    const std::int64_t at = shift + offset;
    meet = meet || (at >= 0 && at < a_end - a.data && taken[static_cast<std::size_t>(at)]);
  });
  return meet;
}

}  // namespace mylos::inline MYLOS_ABI::detail
