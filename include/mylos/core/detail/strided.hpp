// SPDX-License-Identifier: MIT
// Arrays as plain numbers: an address, extents and strides in bytes. What an engine is asked to copy or fill, so that
// neither the engine nor these loops know Views.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>

#include <mylos/base/abi.hpp>
#include <mylos/core/value_kind.hpp>

namespace mylos::inline MYLOS_ABI::detail {

/// Kokkos' limit.
inline constexpr int max_rank = 8;

/// A block of elements of one size; axes beyond `rank` are not looked at. Rank 0 is one element.
struct StridedBlock {
  std::byte* data = nullptr;
  int rank = 0;
  std::array<std::int64_t, max_rank> extents{};
  std::array<std::int64_t, max_rank> strides{};  ///< in bytes

  [[nodiscard]] MYLOS_EXPORT std::int64_t size() const;  ///< number of elements
  /// The extents that count.
  [[nodiscard]] std::span<const std::int64_t> shape() const {
    return std::span(extents).first(static_cast<std::size_t>(rank));
  }
};

/// Which index runs over neighbours: the first, as in Kokkos' LayoutLeft, or the last, as in LayoutRight.
enum class Order : std::uint8_t { left, right };

/// How elements become others on the way. Without `line` their bytes are copied.
struct ElementConversion {
  std::size_t destination_bytes = 0;  ///< size of one element
  std::size_t source_bytes = 0;
  /// Converts `count` elements of one axis on the host; strides in bytes.
  void (*line)(std::byte* destination, std::int64_t destination_stride, const std::byte* source,
               std::int64_t source_stride, std::int64_t count) = nullptr;
  /// What a device makes of it.
  ValueKind destination_kind = ValueKind::other, source_kind = ValueKind::other;
};

/// static_cast, element by element.
template <class To, class From>
void convert_line(std::byte* destination, std::int64_t destination_stride, const std::byte* source,
                  std::int64_t source_stride, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    *reinterpret_cast<To*>(destination + i * destination_stride) =
        static_cast<To>(*reinterpret_cast<const From*>(source + i * source_stride));
  }
}

template <class To, class From>
constexpr ElementConversion conversion() {
  ElementConversion result{.destination_bytes = sizeof(To), .source_bytes = sizeof(From)};
  if constexpr (!std::is_same_v<To, From>) {
    result.line = &convert_line<To, From>;
    result.destination_kind = value_kind<To>();
    result.source_kind = value_kind<From>();
  }
  return result;
}

/// Both blocks lie in memory that the calling thread may touch, have equal extents and do not overlap.
MYLOS_EXPORT void copy_on_host(const StridedBlock& destination, const StridedBlock& source,
                               const ElementConversion& conversion);
/// Writes `pattern`, the bytes of one element, to every element.
MYLOS_EXPORT void fill_on_host(const StridedBlock& destination, std::span<const std::byte> pattern);

/// Calls `visit` for runs of neighbouring bytes which together are all elements.
MYLOS_EXPORT void for_each_run(const StridedBlock& block, std::size_t element_bytes,
                               const std::function<void(std::byte*, std::size_t)>& visit);

/// Whether the elements lie without gaps, in any order of axes. Axes of extent 1 have no say; nothing is compact.
MYLOS_EXPORT bool is_compact(const StridedBlock& block, std::size_t element_bytes);
/// Whether index for index the elements lie at the same distance from the first: equal strides, in elements, on every
/// axis longer than 1.
MYLOS_EXPORT bool same_order(const StridedBlock& a, std::size_t a_bytes, const StridedBlock& b, std::size_t b_bytes);
/// A block of these extents at `data` whose elements lie in this order without gaps.
MYLOS_EXPORT StridedBlock packed(std::byte* data, std::span<const std::int64_t> shape, std::size_t element_bytes,
                                 Order order);
/// Whether elements lie in this order without gaps; `unit`: the stride of neighbours. Axes of extent 1 have no say,
/// nothing is packed.
MYLOS_EXPORT bool is_packed(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides,
                            std::int64_t unit, Order order);
/// Whether all strides, those of axes of extent 1 too, are those of packed(): what Kokkos asks of a View of LayoutLeft
/// or LayoutRight.
MYLOS_EXPORT bool is_contiguous(const StridedBlock& block, std::size_t element_bytes, Order order);
/// Whether both have memory or are empty, and agree on every extent; ranks are equal.
MYLOS_EXPORT bool same_extents(const StridedBlock& a, const StridedBlock& b);
/// Whether both are the same elements: equal address, rank, extents and strides.
MYLOS_EXPORT bool same_elements(const StridedBlock& a, const StridedBlock& b);
/// Whether an element of one has bytes in common with an element of the other. Cost: none where their spans are apart;
/// else time and one bit of memory for each byte.
MYLOS_EXPORT bool overlap(const StridedBlock& a, std::size_t a_bytes, const StridedBlock& b, std::size_t b_bytes);

}  // namespace mylos::inline MYLOS_ABI::detail
