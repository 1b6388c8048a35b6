// SPDX-License-Identifier: MIT
// Private to kernel/kernel.hpp: a host functor run over threads, or as a whole, on an execution space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>
#include <mylos/base/extents.hpp>
#include <mylos/kernel/functors.hpp>

namespace mylos::inline MYLOS_ABI::detail {

template <std::size_t I, class A>
struct Slot {
  A value;
};

// What Kokkos runs. A struct and not a lambda: nvcc cannot capture a pack in a lambda for the device.
template <class F, class Sequence, class... A>
class ElementBody;

template <class F, std::size_t... I, class... A>
class ElementBody<F, std::index_sequence<I...>, A...> : private Slot<I, A>... {
 public:
  explicit ElementBody(const F& functor, const A&... arguments) : Slot<I, A>{arguments}..., functor_(functor) {}

#ifdef __CUDACC__
#  pragma nv_exec_check_disable  // a functor for the host only is run by host execution spaces only
#endif
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { functor_(i, Slot<I, A>::value...); }
#ifdef __CUDACC__
#  pragma nv_exec_check_disable
#endif
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j) const { functor_(i, j, Slot<I, A>::value...); }
#ifdef __CUDACC__
#  pragma nv_exec_check_disable
#endif
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    functor_(i, j, k, Slot<I, A>::value...);
  }

 private:
  F functor_;
};

/// Queues `functor` on `execution`. `threads` has no negative entry; it is not used by a whole functor.
template <Form form, class Execution, class F, class... A>
void run_functor(const std::string& label, const Execution& execution, const Extents3& threads, const F& functor,
                 const A&... arguments) {
  using Index = Kokkos::IndexType<std::int64_t>;
  if constexpr (form == Form::whole) {
    functor(execution, arguments...);
  } else {
    const ElementBody<F, std::index_sequence_for<A...>, std::decay_t<const A&>...> body(functor, arguments...);
    if constexpr (form == Form::element1) {
      Kokkos::parallel_for(label, Kokkos::RangePolicy<Execution, Index>(execution, 0, threads.x), body);
    } else if constexpr (form == Form::element2) {
      using Policy = Kokkos::MDRangePolicy<Execution, Kokkos::Rank<2>, Index>;
      Kokkos::parallel_for(label, Policy(execution, {0, 0}, {threads.x, threads.y}), body);
    } else {
      using Policy = Kokkos::MDRangePolicy<Execution, Kokkos::Rank<3>, Index>;
      Kokkos::parallel_for(label, Policy(execution, {0, 0, 0}, {threads.x, threads.y, threads.z}), body);
    }
  }
}

/// The same as plain loops on the calling thread, the last index fastest; per-element functors only.
template <Form form, class F, class... A>
void run_functor_serially(const Extents3& threads, const F& functor, const A&... arguments) {
  for (std::int64_t i = 0; i < threads.x; ++i) {
    if constexpr (form == Form::element1) {
      functor(i, arguments...);
    } else {
      for (std::int64_t j = 0; j < threads.y; ++j) {
        if constexpr (form == Form::element2) {
          functor(i, j, arguments...);
        } else {
          for (std::int64_t k = 0; k < threads.z; ++k) functor(i, j, k, arguments...);
        }
      }
    }
  }
}

}  // namespace mylos::inline MYLOS_ABI::detail
