// SPDX-License-Identifier: MIT
#include <mylos/kernel/detail/kernel_base.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>
#include <mylos/core/detail/engine.hpp>
#include <mylos/kernel/implementations.hpp>

#include "core/capture.hpp"
#include "core/engine.hpp"
#include "kernel/argument_table.hpp"
#include "kernel/cuda_kernel_state.hpp"
#include "kernel/launch_shape.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

#ifdef KOKKOS_ENABLE_SERIAL
constexpr bool runs_serially = true;
#else
constexpr bool runs_serially = false;
#endif

}  // namespace

KernelBase::KernelBase(std::string name, std::optional<CudaKernel> cuda, KernelOptions options,
                       std::vector<int> host_ids, bool functor_on_device,
                       std::optional<FunctorParameters> functor_parameters)
    : name_(std::move(name)),
      cuda_(std::move(cuda)),
      options_(std::move(options)),
      host_ids_(std::move(host_ids)),
      functor_on_device_(functor_on_device),
      functor_parameters_(functor_parameters),
      warned_(std::make_shared<std::atomic_flag>()) {}

bool KernelBase::has_host(int id) const {
  if (id == host_id::port_on_host) return has_cuda();
  return id == host_id::kokkos || id == host_id::serial || std::ranges::find(host_ids_, id) != host_ids_.end();
}

std::vector<std::string> KernelBase::host_implementations() const {
  std::vector<std::string> names = {"kokkos", "serial"};
  if (has_cuda()) names.emplace_back("port_on_host");
  for (const int id : host_ids_) names.push_back(host_implementation_name(id));
  return names;
}

std::vector<std::string> KernelBase::implementations() const {
  std::vector<std::string> names = host_implementations();
  if (has_cuda()) names.insert(names.end(), {"cuda", "emulated"});
  return names;
}

std::string KernelBase::selected(Backend backend) const {
  const auto host = [this] {
    const int id = selected_host_implementation();
    if (!has_host(id)) throw_absent(id);
    return host_implementation_name(id);
  };
  if (backend == Backend::host) return host();
  switch (choose(backend)) {
    case DeviceChoice::port: return std::string(to_string(backend));
    case DeviceChoice::functor: return "kokkos";
    case DeviceChoice::fallback: break;
  }
  return host();
}

KernelBase::DeviceChoice KernelBase::choose_on_device() const {
  const DeviceChoice choice = choose(engine().backend());
  if (choice == DeviceChoice::fallback) {
    if (!is_capturing()) publish({.kind = CopyKind::fallback, .source = name_});  // a capture refuses the copies
    warn_of_fallback();
  }
  return choice;
}

KernelBase::DeviceChoice KernelBase::choose(Backend backend) const {
  const int id = selected_device_implementation();
  if (id == device_id::automatic) {
    if (has_cuda()) return DeviceChoice::port;
    if (functor_on_device_) return DeviceChoice::functor;
    if (options_.missing_cuda == MissingCuda::fallback) return DeviceChoice::fallback;
    throw LookupError(
        fmt::format("kernel '{}' has no CUDA port: its Views are in DeviceSpace, where Kokkos cannot run the functor "
                    "in this build: "
                    "write {} with `extern \"C\" __global__ void {}(...)`, or set KernelOptions::missing_cuda to "
                    "mylos::MissingCuda::fallback to run the functor on copies",
                    name_, port_file(), name_));
  }
  if (id == device_id::kokkos) {
    if (functor_on_device_) return DeviceChoice::functor;
    throw LookupError(
        fmt::format("kernel '{}': device implementation 'kokkos' is chosen and absent: {}: choose another "
                    "with set_device_implementation",
                    name_, "its functor cannot run on DeviceSpace in this build"));
  }
  if (!has_cuda()) {
    throw LookupError(
        fmt::format("kernel '{}': device implementation '{}' is chosen and absent: the kernel has no CUDA "
                    "port: write {}",
                    name_, device_implementation(), port_file()));
  }
  if ((id == device_id::cuda) != (backend == Backend::cuda)) {
    throw LookupError(
        fmt::format("kernel '{}': device implementation '{}' is chosen and absent: this process works on "
                    "the device of the backend '{}': set MYLOS_BACKEND, or choose that name",
                    name_, device_implementation(), to_string(backend)));
  }
  return DeviceChoice::port;
}

void KernelBase::compare_with_port(const Arguments& arguments) const {
  if (!cuda()->options().check_signature) return;
  KernelText& text = cuda()->state_->text();
  const Signature* const signature = text.signature_if_readable();
  if (signature == nullptr) return;
  text.plan({name_, signature, arguments, Reach::any});
}

Extents3 KernelBase::host_threads(int rank, const Launch& settings, const Arguments& arguments) const {
  if (!kokkos_is_running()) {  // Kokkos itself would abort, or run it as if nothing were wrong
    throw_kokkos_not_running(fmt::format("kernel '{}' was called", name_), "its functor is run by Kokkos");
  }
  if (is_capturing()) require_no_capture(fmt::format("the functor of kernel '{}'", name_));
  if (has_cuda()) compare_with_port(arguments);
  const bool logs = log::enabled(log::Level::debug);
  if (rank == 0) {
    if (logs) log::debug(fmt::format("kernel '{}': its functor runs as a whole", name_));
    return {};
  }
  static const ThreadsFrom automatic;
  const Extents3 threads =
      threads_of_call(name_, settings.threads, cuda_ ? cuda()->options().threads_from : automatic, rank, arguments);
  if (threads.rank > rank) {
    throw ValueError(
        fmt::format("kernel '{}': threads {} have {} axes: the host functor is called with {}: give as many "
                    "threads as it has indices",
                    name_, to_string(threads), threads.rank, rank));
  }
  require_axes(name_, "the host functor", rank, threads, arguments);
  if (logs) log::debug(fmt::format("kernel '{}': its functor runs, {} threads", name_, to_string(threads)));
  if (!has_cuda()) return threads;
  const jit::ThreadUse& use = cuda()->state_->text().thread_use();
  return covered_by_grid({name_, cuda()->options(), use.axes, rank}, use.may_read_grid, settings, threads);
}

void KernelBase::run_port(const Launch& settings, const Arguments& arguments, int functor_axes) const {
  cuda()->run(settings, arguments, Reach::device, functor_axes);
}

void KernelBase::run_port_on_host(const Launch& settings, const Arguments& arguments, int functor_axes) const {
  if (!has_cuda()) throw_absent(host_id::port_on_host);
  cuda()->run(settings, arguments, Reach::host, functor_axes);
}

std::string KernelBase::port_file() const {
  return options_.port_file.empty() ? name_ + ".cu" : options_.port_file.string();
}

void KernelBase::warn_of_fallback() const {
  if (warned_->test_and_set()) return;
  log::warning(
      fmt::format("kernel '{}' has no CUDA port: it runs on the host, and its Views are copied there and back at "
                  "each call: write {}",
                  name_, port_file()));
}

void KernelBase::throw_mixed(const Arguments& arguments) const {
  std::vector<std::size_t> views;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].type->is_view) views.push_back(i);
  }
  throw SpaceError(
      fmt::format("kernel '{}': its Views are in different spaces: a kernel runs where all of its Views are, "
                  "and copies nothing: bring them to one side with mylos::to_device or mylos::to_host{}",
                  name_, argument_list(arguments, views)));
}

void KernelBase::throw_absent(int host_id) const {
  throw LookupError(
      fmt::format("kernel '{}': host implementation '{}' is chosen and absent: it has {}: choose one of them "
                  "with set_host_implementation, or add it with mylos::named",
                  name_, host_implementation_name(host_id), fmt::join(host_implementations(), ", ")));
}

void KernelBase::throw_no_serial() const {
  throw LookupError(fmt::format(
      "kernel '{}': host implementation 'serial' is chosen, and its functor is a whole one, which runs by "
      "Kokkos::Serial there: {}: choose 'kokkos' with set_host_implementation",
      name_, runs_serially ? "it cannot be called with that execution space" : "this Kokkos has no Serial"));
}

void KernelBase::throw_no_form(const Arguments& arguments) const {
  throw LookupError(
      fmt::format("kernel '{}': its host functor cannot be called with these arguments: it is not written "
                  "for their types (a mirror has the layout of the device View): make the functor's "
                  "operator() a template on the View types{}",
                  name_, argument_list(arguments, {})));
}

}  // namespace mylos::inline MYLOS_ABI::detail
