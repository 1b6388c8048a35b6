// SPDX-License-Identifier: MIT
// What makes Mylos' Device and DeviceSpace a space of Kokkos where Kokkos has no CUDA. This header and its source are
// the only files of Mylos that touch Kokkos::Impl; docs/decisions/0002-own-kokkos-space.md lists what and why.
//
// Kokkos calls a device in three ways, and each ends in the engine:
//   - byte copies: DeepCopy;
//   - zeroing: ZeroMemset;
//   - functors of its own (ViewFill, ViewCopy, ViewValueFunctor, DynRankViewRemap) given to ParallelFor. They cannot
//   run there, and need
//     not: their public members say all that is asked for, so they are read, never called.
// Every other functor is refused at compile time.
#pragma once

#include <Kokkos_Core.hpp>

#define KOKKOS_IMPL_PUBLIC_INCLUDE
#include <impl/Kokkos_ExecSpaceManager.hpp>
#undef KOKKOS_IMPL_PUBLIC_INCLUDE

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/core/detail/device.hpp>
#include <mylos/core/detail/engine.hpp>
#include <mylos/core/detail/strided.hpp>
#include <mylos/core/detail/view_types.hpp>

#if (KOKKOS_VERSION < 40500 || KOKKOS_VERSION >= 50300) && !defined(MYLOS_ALLOW_UNTESTED_KOKKOS)
#  error "Mylos' device space is tested with Kokkos 4.5 to 5.2: use one of those or define MYLOS_ALLOW_UNTESTED_KOKKOS"
#endif

#define MYLOS_NO_FUNCTOR_ON_DEVICE                                                                               \
  "mylos: a Kokkos functor cannot run on mylos::Device, because this Kokkos has no CUDA: give the kernel a .cu " \
  "port (mylos::Kernel), run it on the host, or configure Kokkos with CUDA"

// Declared here because its header may come later or never.
namespace Kokkos::Impl {
template <class, class, class>
struct DynRankViewRemap;
}

namespace mylos::inline MYLOS_ABI::detail {

template <class...>
inline constexpr bool never_v = false;

/// Instantiated for every element type of a View on the device.
template <class Element>
struct DeviceElement {
  static_assert(std::is_trivially_destructible_v<Element>,
                "mylos: elements of a View in mylos::DeviceSpace need a trivial destructor: host objects such as "
                "std::vector or Views cannot live on the device");
  static constexpr bool checked = true;
};

template <class Element>
std::span<const std::byte> pattern_of(const Element& value) {
  static_assert(DeviceElement<Element>::checked);
  return {reinterpret_cast<const std::byte*>(&value), sizeof(Element)};
}

/// What Kokkos asks for with one of its own functors. `owned` is false for all others.
template <class Functor>
struct KokkosRequest {
  static constexpr bool owned = false;
};

template <class View, class Layout, int Rank, class Index>
struct KokkosRequest<Kokkos::Impl::ViewFill<View, Layout, Device, Rank, Index>> {
  static constexpr bool owned = true;
  template <class Tag, class Functor>
  static void run(Stream* stream, const Functor& functor) {
    fill_block(stream, block_of(functor.a), pattern_of(functor.val));
  }
};

template <class To, class From, class Layout, int Rank, class Index>
struct KokkosRequest<Kokkos::Impl::ViewCopy<To, From, Layout, Device, Rank, Index>> {
  static constexpr bool owned = true;
  template <class Tag, class Functor>
  static void run(Stream* stream, const Functor& functor) {
    copy_block(stream, block_of(functor.a), block_of(functor.b),
               conversion<typename To::non_const_value_type, typename From::non_const_value_type>());
  }
};

// Kokkos::resize of a DynRankView: what the old and the new one have in common is copied. Its rank is known at run
// time; axes beyond it have extent 1.
template <class To, class From, class Exec>
struct KokkosRequest<Kokkos::Impl::DynRankViewRemap<To, From, Exec>> {
  static constexpr bool owned = true;
  template <class Tag, class Functor>
  static void run(Stream* stream, const Functor& functor) {
    StridedBlock to = block_of_dynamic_rank(functor.output);
    StridedBlock from = block_of_dynamic_rank(functor.input);
    for (std::size_t axis = 0; axis < most_dynamic_axes; ++axis) {
      to.extents[axis] = from.extents[axis] = std::min(to.extents[axis], from.extents[axis]);
    }
    copy_block(stream, to, from, conversion<typename To::non_const_value_type, typename From::non_const_value_type>());
  }

 private:
  static constexpr std::size_t most_dynamic_axes = 7;
  template <class View>
  static StridedBlock block_of_dynamic_rank(const View& view) {
    StridedBlock block;
    block.data = reinterpret_cast<std::byte*>(view.data());
    block.rank = static_cast<int>(most_dynamic_axes);
    for (std::size_t axis = 0; axis < most_dynamic_axes; ++axis) {
      block.extents[axis] = static_cast<std::int64_t>(view.extent(axis));
      block.strides[axis] = static_cast<std::int64_t>(view.stride(axis) * sizeof(typename View::non_const_value_type));
    }
    return block;
  }
};

// Elements that are not all zero bits when they are made: one is made here, and its bytes go to all.
template <class DeviceType, class Element>
struct KokkosRequest<Kokkos::Impl::ViewValueFunctor<DeviceType, Element>> {
  static constexpr bool owned = true;
  template <class Tag, class Functor>
  static void run(Stream* stream, const Functor& functor) {
    using Destroy = typename Functor::DestroyTag;
    if constexpr (!std::is_same_v<Tag, Destroy>) {
      const Element made{};
      StridedBlock all{.data = reinterpret_cast<std::byte*>(functor.ptr), .rank = 1};
      all.extents[0] = static_cast<std::int64_t>(functor.n);
      all.strides[0] = static_cast<std::int64_t>(sizeof(Element));
      fill_block(stream, all, pattern_of(made));
    } else {
      static_assert(DeviceElement<Element>::checked);
    }
  }
};

/// The body of ParallelFor for every policy.
template <class Functor, class Policy>
class FunctorOnDevice {
  static_assert(KokkosRequest<Functor>::owned, MYLOS_NO_FUNCTOR_ON_DEVICE);

 public:
  FunctorOnDevice(Functor functor, const Policy& policy) : functor_(std::move(functor)), stream_(policy.space()) {}
  void execute() const {
    if constexpr (KokkosRequest<Functor>::owned) {
      KokkosRequest<Functor>::template run<typename Policy::work_tag>(stream_.stream(), functor_);
    }
  }
  // MDRangePolicy asks while it chooses its tiles.
  template <class... Arguments>
  static int max_tile_size_product(const Arguments&...) {
    return 1024;
  }

 private:
  Functor functor_;
  Device stream_;
};

/// Reductions and scans: refused.
template <class Functor>
struct RefusedOnDevice {
  static_assert(never_v<Functor>, MYLOS_NO_FUNCTOR_ON_DEVICE);
  // What follows the sentence would be noise: anything makes one, also without its name.
  template <class... Arguments>
  RefusedOnDevice(Arguments&&...) {}  // NOLINT(google-explicit-constructor)
  void execute() const {}
};

/// Byte copies that Kokkos asks for. Without a stream: after everything that is under way, and complete at return.
MYLOS_EXPORT void kokkos_copy(CopyKind kind, void* destination, const void* source, std::size_t bytes);
/// On a stream, in order.
MYLOS_EXPORT void kokkos_copy(const Device& stream, CopyKind kind, void* destination, const void* source,
                              std::size_t bytes);

/// DeepCopy for each pair of spaces; Exec may be any execution space of the program.
template <class Exec, CopyKind Kind>
struct KokkosDeepCopy {
  KokkosDeepCopy(void* destination, const void* source, std::size_t bytes) {
    kokkos_copy(Kind, destination, source, bytes);
  }
  KokkosDeepCopy(const Exec& exec, void* destination, const void* source, std::size_t bytes) {
    if constexpr (std::is_same_v<Exec, Device>) {
      kokkos_copy(exec, Kind, destination, source, bytes);
    } else {
      exec.fence("mylos::DeviceSpace: a copy waits for the execution space that it was queued on");
      kokkos_copy(Kind, destination, source, bytes);
    }
  }
};

}  // namespace mylos::inline MYLOS_ABI::detail

template <>
struct Kokkos::Tools::Experimental::DeviceTypeTraits<mylos::Device> {
  static constexpr DeviceType id = DeviceType::Unknown;  // Kokkos has no number for others' devices
  static int device_id(const mylos::Device& /*device*/) { return 0; }
};

KOKKOS_IMPL_HOST_INACCESSIBLE_SHARED_ALLOCATION_SPECIALIZATION(mylos::DeviceSpace);

namespace Kokkos::Impl {

// As for CudaSpace: neither side assigns or reaches the other's memory, and bytes can be copied. (`deepcopy`: up to
// Kokkos 5.0.)
template <>
struct MemorySpaceAccess<HostSpace, mylos::DeviceSpace> {
  static constexpr bool assignable = false, accessible = false, deepcopy = true;
};
template <>
struct MemorySpaceAccess<mylos::DeviceSpace, HostSpace> {
  static constexpr bool assignable = false, accessible = false, deepcopy = true;
};

template <class Exec>
struct DeepCopy<mylos::DeviceSpace, HostSpace, Exec> : mylos::detail::KokkosDeepCopy<Exec, mylos::CopyKind::to_device> {
  using mylos::detail::KokkosDeepCopy<Exec, mylos::CopyKind::to_device>::KokkosDeepCopy;
};
template <class Exec>
struct DeepCopy<HostSpace, mylos::DeviceSpace, Exec> : mylos::detail::KokkosDeepCopy<Exec, mylos::CopyKind::to_host> {
  using mylos::detail::KokkosDeepCopy<Exec, mylos::CopyKind::to_host>::KokkosDeepCopy;
};
template <class Exec>
struct DeepCopy<mylos::DeviceSpace, mylos::DeviceSpace, Exec>
    : mylos::detail::KokkosDeepCopy<Exec, mylos::CopyKind::device_copy> {
  using mylos::detail::KokkosDeepCopy<Exec, mylos::CopyKind::device_copy>::KokkosDeepCopy;
};

template <>
struct ZeroMemset<mylos::Device> {
  MYLOS_EXPORT ZeroMemset(const mylos::Device& stream, void* destination, std::size_t bytes);
};

// Kokkos' own fill of one element is a byte copy from the host, which would be counted as a transfer.
template <class View, class Layout, class Index>
struct ViewFill<View, Layout, mylos::Device, 0, Index> {
  ViewFill(const View& view, typename View::const_value_type& value, const mylos::Device& space) {
    mylos::detail::fill_block(space.stream(), mylos::detail::block_of(view), mylos::detail::pattern_of(value));
  }
};

template <class Functor, class... Traits>
class ParallelFor<Functor, RangePolicy<Traits...>, mylos::Device>
    : public mylos::detail::FunctorOnDevice<Functor, RangePolicy<Traits...>> {
  using mylos::detail::FunctorOnDevice<Functor, RangePolicy<Traits...>>::FunctorOnDevice;
};
template <class Functor, class... Traits>
class ParallelFor<Functor, MDRangePolicy<Traits...>, mylos::Device>
    : public mylos::detail::FunctorOnDevice<Functor, MDRangePolicy<Traits...>> {
  using mylos::detail::FunctorOnDevice<Functor, MDRangePolicy<Traits...>>::FunctorOnDevice;
};
template <class Functor, class Policy>
class ParallelReduce<Functor, Policy, mylos::Device> : public mylos::detail::RefusedOnDevice<Functor> {
  using mylos::detail::RefusedOnDevice<Functor>::RefusedOnDevice;
};
template <class Functor, class Policy>
class ParallelScan<Functor, Policy, mylos::Device> : public mylos::detail::RefusedOnDevice<Functor> {
  using mylos::detail::RefusedOnDevice<Functor>::RefusedOnDevice;
};
template <class Functor, class Policy, class Result>
class ParallelScanWithTotal<Functor, Policy, Result, mylos::Device> : public mylos::detail::RefusedOnDevice<Functor> {
  using mylos::detail::RefusedOnDevice<Functor>::RefusedOnDevice;
};
template <class... Traits>
class TeamPolicyInternal<mylos::Device, Traits...> {
  static_assert(mylos::detail::never_v<Traits...>, MYLOS_NO_FUNCTOR_ON_DEVICE);
};

}  // namespace Kokkos::Impl

// ScatterView, declared here because its header may come later or never.
namespace Kokkos::Impl::Experimental {

template <typename>
struct DefaultDuplication;
template <typename, typename>
struct DefaultContribution;
struct MylosRefused {};
template <>
struct DefaultDuplication<mylos::Device> {
  using type = MylosRefused;
};
template <typename Duplication>
struct DefaultContribution<mylos::Device, Duplication> {
  using type = MylosRefused;
};

}  // namespace Kokkos::Impl::Experimental

namespace Kokkos::Experimental {

template <typename, typename, typename, typename, typename, typename>
class ScatterView;

#define MYLOS_NO_SCATTER_VIEW                                                                                      \
  "mylos: a Kokkos::ScatterView cannot be used on mylos::Device, because this Kokkos has no CUDA: use atomics in " \
  "the kernel's .cu port, or configure Kokkos with CUDA"
template <typename Data, typename Layout, typename Op, typename Duplication, typename Contribution>
class ScatterView<Data, Layout, mylos::Device, Op, Duplication, Contribution> {
  static_assert(mylos::detail::never_v<Data>, MYLOS_NO_SCATTER_VIEW);

 public:
  template <class... Arguments>
  explicit ScatterView(const Arguments&...) {}
};
template <typename Data, typename Layout, typename Op, typename Contribution>
class ScatterView<Data, Layout, mylos::Device::device_type, Op, Kokkos::Impl::Experimental::MylosRefused,
                  Contribution> {
  static_assert(mylos::detail::never_v<Data>, MYLOS_NO_SCATTER_VIEW);

 public:
  template <class... Arguments>
  ScatterView(const Arguments&...) {}  // NOLINT(google-explicit-constructor): create_scatter_view converts
};
#undef MYLOS_NO_SCATTER_VIEW

}  // namespace Kokkos::Experimental

// partition_space: streams of their own. The weights have no meaning for streams.
#if __has_include(<impl/Kokkos_PartitionSpace.hpp>)
namespace Kokkos::Experimental::Impl {

template <>
inline std::vector<mylos::Device> impl_partition_space(const mylos::Device& /*base*/, const std::vector<int>& weights) {
  return mylos::detail::new_streams(weights.size());
}
template <>
inline std::vector<mylos::Device> impl_partition_space(const mylos::Device& /*base*/,
                                                       const std::vector<unsigned>& weights) {
  return mylos::detail::new_streams(weights.size());
}
template <>
inline std::vector<mylos::Device> impl_partition_space(const mylos::Device& /*base*/,
                                                       const std::vector<std::size_t>& weights) {
  return mylos::detail::new_streams(weights.size());
}
template <>
inline std::vector<mylos::Device> impl_partition_space(const mylos::Device& /*base*/,
                                                       const std::vector<float>& weights) {
  return mylos::detail::new_streams(weights.size());
}
template <>
inline std::vector<mylos::Device> impl_partition_space(const mylos::Device& /*base*/,
                                                       const std::vector<double>& weights) {
  return mylos::detail::new_streams(weights.size());
}

}  // namespace Kokkos::Experimental::Impl
#else
namespace Kokkos::Experimental {

template <class... Weights>
std::vector<mylos::Device> partition_space(const mylos::Device& /*base*/, Weights... weights) {
  return mylos::detail::new_streams(sizeof...(weights));
}
template <class Weight>
std::vector<mylos::Device> partition_space(const mylos::Device& /*base*/, const std::vector<Weight>& weights) {
  return mylos::detail::new_streams(weights.size());
}

}  // namespace Kokkos::Experimental
#endif

#undef MYLOS_NO_FUNCTOR_ON_DEVICE
