// SPDX-License-Identifier: MIT
// A kernel as an application sees it: a host functor with an optional CUDA port, called on Views of either side.
//
//   mylos::Kernel push("push", push_functor{}, mylos::CudaKernel::from_file("push.cu"));
//   push(x, v, dt);                    // where x and v live
//   push({.threads = n}, x, v, dt);    // with settings
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/core/host_call.hpp>
#include <mylos/core/view_traits.hpp>
#include <mylos/kernel/arguments.hpp>
#include <mylos/kernel/bundle.hpp>
#include <mylos/kernel/cuda_kernel.hpp>
#include <mylos/kernel/detail/functor_parameters.hpp>
#include <mylos/kernel/detail/kernel_base.hpp>
#include <mylos/kernel/detail/run_functor.hpp>
#include <mylos/kernel/functors.hpp>
#include <mylos/kernel/implementations.hpp>
#include <mylos/kernel/launch.hpp>

namespace mylos::inline MYLOS_ABI {

/// A host functor and, optionally, its CUDA port. Concurrent calls are allowed.
///
/// Host functor: per element, `void operator()(std::int64_t i, args...) const` (or with i, j, or i, j, k), run by
/// Kokkos::parallel_for over the threads; or whole, `void operator()(const ExecutionSpace&, args...) const`, called
/// once. Tried in the order 1D, whole, 2D, 3D; a call that fits none does not compile.
///
/// Space: all Views reachable by the host: the functor; all in DeviceSpace: the port; no View, or only Views that both
/// sides reach: backend() decides. Which implementation of that side: see kernel/implementations.hpp.
///
/// Threads: as given, else by the port's `threads_from` (automatic without a port): the same on both sides. Along as
/// many axes as the functor has indices; a port's block has as many, where nobody gave one and the text uses no
/// MYLOS_THREAD_*. 0 is empty work: checked, not run. A given grid that covers fewer threads covers fewer for the
/// functor too, unless the port may share the work out among its threads.
///
/// Arguments: a functor may take more than the port. A call that runs the functor warns, once per list of types, when
/// the port would refuse the arguments for their number, a type of elements, const, or a value's type. (Not for what is
/// a matter of the device: spaces, strides, ranks of Views. Not with CudaOptions::check_signature off.)
///
/// Cost: nothing is copied, except by MissingCuda::fallback, and then it is counted.
///
/// Throws SpaceError when Views of both sides are mixed; LookupError when the chosen implementation is absent;
/// ValueError for negative threads, or along more axes than the functor has indices; LaunchError for fewer axes where a
/// View has elements along the others; BackendError before Kokkos::initialize and after Kokkos::finalize; on the device
/// as CudaKernel.
template <class Host>
class Kernel : public detail::KernelBase {
 public:
  Kernel(std::string name, Host host, std::optional<CudaKernel> cuda = {}, KernelOptions options = {})
      : KernelBase(std::move(name), std::move(cuda), std::move(options), names_of(host), functor_on_device,
                   detail::functor_parameters<Host>()),
        host_(std::move(host)) {}

  template <class... A>
    requires detail::no_launch_first_v<A...>
  void operator()(A&&... arguments) const {
    (*this)(Launch{}, arguments...);
  }
  template <class... A>
  void operator()(const Launch& settings, A&&... arguments) const {
    detail::call_flat([&](const auto&... flat) { run(settings, flat...); }, arguments...);
  }

 private:
  static constexpr bool functor_on_device = runs_functors_v<DeviceSpace> && detail::Functor<Host>::device_allowed;

  // Told from the host's mirrors of the arguments, which the fallback calls it with; a functor that is written for
  // Views of one layout, from Views of the host's own.
  template <class... A>
  static constexpr detail::Form host_form =
      detail::Functor<Host>::template form<Kokkos::DefaultHostExecutionSpace, const A&...>();
  template <class... A>
  static consteval int axes_of() {
    constexpr detail::Form form = host_form<detail::HostArgument<A>...>;
    if constexpr (form != detail::Form::none)
      return detail::index_count(form);
    else
      return detail::index_count(host_form<detail::OwnHostArgument<A>...>);
  }
  template <class... A>
  static constexpr int functor_axes = axes_of<A...>();

  template <class F>
  static std::vector<int> names_of(const F&) {
    return {};
  }
  template <class F, class... Others>
  static std::vector<int> names_of(const detail::Implementations<F, Others...>& several) {
    return std::apply([](const auto&... other) { return std::vector<int>{other.id...}; }, several.others);
  }

  template <class... A>
  void run(const Launch& settings, const A&... arguments) const {
    constexpr bool on_host = (detail::argument_type<A>.on_host && ...);
    constexpr bool on_device = (detail::argument_type<A>.on_device && ...);
    if constexpr (on_host && on_device) {
      if (backend() == Backend::host)
        run_on_host<Strict>(settings, arguments...);
      else
        run_on_device(settings, arguments...);
    } else if constexpr (on_host) {
      run_on_host<Strict>(settings, arguments...);
    } else if constexpr (on_device) {
      run_on_device(settings, arguments...);
    } else {
      throw_mixed(ArgumentPack<A...>(arguments...));
    }
  }

  // Strict: a functor that cannot be called with the arguments does not compile. Otherwise it is an error when it is
  // called: the mirrors of a fallback have layouts that nobody chose.
  using Strict = std::true_type;
  using Lenient = std::false_type;

  template <class Check, class... A>
  void run_on_host(const Launch& settings, const A&... arguments) const {
    const int id = detail::selected_host_implementation();
    if (id == detail::host_id::port_on_host) {
      run_port_on_host(settings, ArgumentPack<A...>(arguments...), functor_axes<A...>);
    } else if (id == detail::host_id::kokkos || id == detail::host_id::serial) {
      run_functor<Check>(host_, id, settings, arguments...);
    } else {
      run_named<Check>(host_, id, settings, arguments...);
    }
  }

  // The further implementations: the one with that number.
  template <class Check, class F, class... A>
  void run_named(const F&, int id, const Launch&, const A&...) const {
    throw_absent(id);
  }
  template <class Check, class F, class... Others, class... A>
  void run_named(const detail::Implementations<F, Others...>& several, int id, const Launch& settings,
                 const A&... arguments) const {
    const auto run_if_chosen = [&](const auto& other) {
      if (other.id != id) return false;
      run_functor<Check>(other.functor, detail::host_id::kokkos, settings, arguments...);
      return true;
    };
    const bool found = std::apply([&](const auto&... other) { return (run_if_chosen(other) || ...); }, several.others);
    if (!found) throw_absent(id);
  }

  template <class Check, class F, class... A>
  void run_functor(const F& wrapped, int id, const Launch& settings, const A&... arguments) const {
    using Execution = Kokkos::DefaultHostExecutionSpace;
    using Functor = detail::Functor<F>;
    constexpr detail::Form form = Functor::template form<Execution, const A&...>();
    static_assert(!Check::value || form != detail::Form::none,
                  "mylos::Kernel: the host functor can be called neither per element, f(std::int64_t i[, j[, k]], "
                  "args...) const, nor as a whole, f(const ExecutionSpace&, args...) const, with these arguments: "
                  "compare their number and types (a View<const T> does not fit where the functor takes a View<T>), or "
                  "say the form with mylos::per_element(f) or mylos::whole(f)");
    if constexpr (form != detail::Form::none) {
      const Extents3 threads = host_threads(detail::index_count(form), settings, ArgumentPack<A...>(arguments...));
      if (id == detail::host_id::kokkos) {
        detail::run_functor<form>(name(), Execution(), threads, Functor::get(wrapped), arguments...);
      } else if constexpr (form != detail::Form::whole) {
        detail::run_functor_serially<form>(threads, Functor::get(wrapped), arguments...);
      } else {
        run_whole_serially(Functor::get(wrapped), arguments...);
      }
    } else {
      throw_no_form(ArgumentPack<A...>(arguments...));
    }
  }

  template <class F, class... A>
  void run_whole_serially([[maybe_unused]] const F& functor, [[maybe_unused]] const A&... arguments) const {
#ifdef KOKKOS_ENABLE_SERIAL
    if constexpr (std::is_invocable_v<const F&, const Kokkos::Serial&, const A&...>) {
      functor(Kokkos::Serial(), arguments...);
      return;
    }
#endif
    throw_no_serial();
  }

  template <class... A>
  void run_on_device(const Launch& settings, const A&... arguments) const {
    const ArgumentPack<A...> pack(arguments...);
    switch (choose_on_device()) {
      case DeviceChoice::port: return run_port(settings, pack, functor_axes<A...>);
      case DeviceChoice::functor: return run_functor_on_device(settings, pack, arguments...);
      case DeviceChoice::fallback: return run_fallback(settings, arguments...);
    }
  }

  template <class... A>
  void run_functor_on_device([[maybe_unused]] const Launch& settings, [[maybe_unused]] const Arguments& erased,
                             [[maybe_unused]] const A&... arguments) const {
    if constexpr (functor_on_device) {
      using Functor = detail::Functor<Host>;
      constexpr detail::Form form = Functor::template form<Device, const A&...>();
      if constexpr (form != detail::Form::none) {
        const Extents3 threads = host_threads(detail::index_count(form), settings, erased);
        detail::run_functor<form>(name(), settings.stream.value_or(Device()), threads, Functor::get(host_),
                                  arguments...);
        return;
      }
    }
    throw_no_form(erased);
  }

  template <class... A>
  void run_fallback(const Launch& settings, const A&... arguments) const {
    host_call(
        [&](const auto&... mirrors) {
          run_on_host<Lenient>(settings, mirrors...);
          Kokkos::DefaultHostExecutionSpace().fence("mylos::Kernel: before the copies go back");
        },
        arguments...);
  }

  Host host_;
};

}  // namespace mylos::inline MYLOS_ABI
