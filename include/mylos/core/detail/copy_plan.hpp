// SPDX-License-Identifier: MIT
// The steps of a copy between the host and the device: pack, one transfer of bytes, unpack; what is not needed is left
// out. Each step is a Kokkos::deep_copy that Kokkos accepts in every build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>
#include <mylos/core/copy_events.hpp>
#include <mylos/core/detail/strided.hpp>
#include <mylos/core/detail/view_types.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/core/view_traits.hpp>

namespace mylos::inline MYLOS_ABI::detail {

#ifdef KOKKOS_ENABLE_CUDA
inline constexpr bool engine_hears_kokkos = false;
#else
inline constexpr bool engine_hears_kokkos = true;  // DeepCopy of DeviceSpace ends in the engine, which publishes
#endif

template <class D, class S>
consteval CopyKind copy_kind() {
  if constexpr (is_host_reachable_v<D> && is_host_reachable_v<S>) return CopyKind::host_copy;
  if constexpr (is_host_reachable_v<D>) return CopyKind::to_host;
  if constexpr (is_host_reachable_v<S>) return CopyKind::to_device;
  return CopyKind::device_copy;
}

/// Kokkos::deep_copy, published once in every build. `exec` reaches both sides, or both are bytes in a row.
template <class Exec, class D, class S>
void published_deep_copy(const Exec& exec, const D& destination, const S& source) {
  constexpr CopyKind kind = copy_kind<D, S>();
  if constexpr (kind == CopyKind::host_copy || !engine_hears_kokkos) {
    publish({.kind = kind, .bytes = destination.size() * sizeof(typename D::value_type)});
  }
  const CopyIsPublished to_the_hook_of_kokkos_tools;
  Kokkos::deep_copy(exec, destination, source);
}

/// Within one side, any strides, with conversion of elements.
template <class D, class S>
void copy_on_one_side(const Device& stream, const D& destination, const S& source) {
  if constexpr (is_host_reachable_v<D>) {
    const Kokkos::DefaultHostExecutionSpace host;
    published_deep_copy(host, destination, source);
    host.fence("mylos: a copy on the host is complete");
  } else {
    published_deep_copy(stream, destination, source);
  }
}

/// What elements are transferred: the smaller of the two kinds.
template <class D, class S>
using Transferred = std::conditional_t<(sizeof(typename D::value_type) <= sizeof(typename S::value_type)),
                                       typename D::non_const_value_type, typename S::non_const_value_type>;

/// Elements in a row on one side: the View's own where they lie as the transfer needs them, else a buffer.
template <class V, class Element>
class Row {
 public:
  using Space = typename V::memory_space;
  using Flat = Kokkos::View<Element*, Kokkos::LayoutRight, Space>;
  using Strided = Kokkos::View<typename Pointers<Element, V::rank>::type, Kokkos::LayoutStride, Space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  Row(const V& view, const StridedBlock& order, const std::string& label) : view_(view), order_(order) {
    if constexpr (std::is_same_v<typename V::non_const_value_type, Element>) {
      const StridedBlock own = block_of(view);
      if (is_compact(own, sizeof(Element)) && same_order(own, sizeof(Element), order, sizeof(Element))) {
        flat_ = Flat(reinterpret_cast<Element*>(own.data), view.size());
        return;
      }
    }
    buffer_ = Flat(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), view.size());
    flat_ = buffer_;
  }

  [[nodiscard]] const Flat& flat() const { return flat_; }
  [[nodiscard]] bool is_buffer() const { return buffer_.data() != nullptr; }
  void pack(const Device& stream) const {
    if (is_buffer()) copy_on_one_side(stream, strided(), view_);
  }
  void unpack(const Device& stream) const {
    if (is_buffer()) copy_on_one_side(stream, view_, strided());
  }

 private:
  [[nodiscard]] Strided strided() const {
    Kokkos::LayoutStride layout;
    for (std::size_t axis = 0; axis < V::rank; ++axis) {
      layout.dimension[axis] = static_cast<std::size_t>(order_.extents[axis]);
      layout.stride[axis] = static_cast<std::size_t>(order_.strides[axis]) / sizeof(Element);
    }
    return Strided(flat_.data(), layout);
  }

  V view_;
  StridedBlock order_;  // of Element, compact
  Flat buffer_, flat_;
};

/// The order in which elements travel, such that the fewest packings are needed, and these on the device where there
/// is a choice. In strides of elements of `element_bytes`.
MYLOS_EXPORT StridedBlock travel_order(const StridedBlock& destination, std::size_t destination_bytes,
                                       const StridedBlock& source, std::size_t source_bytes, std::size_t element_bytes,
                                       bool source_on_device);

/// Between the sides; complete at return.
template <class D, class S>
void copy_across(const Device& stream, const D& destination, const S& source) {
  using Element = Transferred<D, S>;
  const StridedBlock order = travel_order(block_of(destination), sizeof(typename D::value_type), block_of(source),
                                          sizeof(typename S::value_type), sizeof(Element), !is_host_reachable_v<S>);
  const Row<S, Element> from(source, order, "mylos::pack");
  const Row<D, Element> to(destination, order, "mylos::unpack");
  from.pack(stream);
  published_deep_copy(stream, to.flat(), from.flat());
  if constexpr (!is_host_reachable_v<D>) to.unpack(stream);
  stream.fence("mylos: a copy between host and device is complete");
  if constexpr (is_host_reachable_v<D>) to.unpack(stream);  // what has arrived
}

/// Everything of copy_view after its checks; `place` is the user's call.
template <class D, class S>
void copy_any(const Device& stream, const D& destination, const S& source, std::source_location place) {
  if (destination.size() == 0) return;
  std::string to, from;
  if (listening()) {
    to = destination.label();
    from = source.label();
  }
  const CopyOrigin origin(std::move(to), std::move(from), place);
  if constexpr (is_host_reachable_v<D> == is_host_reachable_v<S>) {
    copy_on_one_side(stream, destination, source);
  } else {
    copy_across(stream, destination, source);
  }
}

}  // namespace mylos::inline MYLOS_ABI::detail
