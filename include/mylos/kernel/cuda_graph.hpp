// SPDX-License-Identifier: MIT
// Several launches of kernels as one: recorded once, launched as often as wanted.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <mylos/base/abi.hpp>
#include <mylos/core/spaces.hpp>

namespace mylos::inline MYLOS_ABI {

namespace detail {
class LaunchRecorder;
}

/// Launches of CUDA kernels (of CudaKernel, of Kernel with its Views in DeviceSpace), in their order. On a GPU one
/// graph of the driver, which costs one launch; on the emulated device each of them runs.
///
///     const mylos::Device stream;
///     const auto step = mylos::CudaGraph::capture(stream, [&] { push(x, v, dt); deposit(x, rho); });
///     for (int n = 0; n < steps; ++n) step.launch();
///
/// Captured are the arguments as they are when the call is captured: values, addresses and extents of Views, and what
/// callables in `arguments(...)` return. A View's elements are read when the graph is launched; a View that is replaced
/// or resized afterwards goes on to be the old one in the graph. The graph keeps its kernels and the memory of its
/// Views alive. Views that do not own their memory (unmanaged ones, those made from a pointer) must not outlive it:
/// such a launch throws SpaceError where the device knows that the memory was freed. Addresses inside of structs nobody
/// knows.
///
/// CudaOptions::debug and check_finite hold for each launch of the graph, as for a launch by itself: while one of its
/// kernels has one of them, or debug() is on, all of its kernels are launched one by one, and these waited for.
///
/// Copies share what was captured. launch() may be called by several threads; between streams it orders nothing. Must
/// not outlive Kokkos.
class MYLOS_EXPORT CudaGraph {
 public:
  /// Calls `f()`, whose launches by this thread are checked and compiled as always and recorded instead of run: those
  /// without a stream of their own, and those on `stream`, a Device as in Launch::stream. Nothing is queued, and the
  /// driver captures nothing: other threads work and launch as always.
  /// Throws what `f` throws, and is then as if nothing had been captured; LaunchError for what no graph can hold, which
  /// it names: launches on another stream, waits, copies, fills, allocations in DeviceSpace, a capture inside of
  /// another, and all that runs on the host: functors, and ports on Views of the host. With these there is nothing to
  /// save: call `f` itself. Calls of other libraries, and Kokkos' own where it has CUDA itself, are not seen: they
  /// happen during the capture, as they would outside.
  template <class F>
  [[nodiscard]] static CudaGraph capture(const Device& stream, F&& f) {
    const Recording recording(stream);
    std::forward<F>(f)();
    return recording.finish();
  }

  /// Queues all launches on the stream that was captured, or on another one, and waits for nothing but what is said
  /// above. Throws SpaceError (memory that is gone, before anything runs), CudaError, and on the emulated device what
  /// the kernels' faults are.
  void launch() const;
  void launch(const Device& stream) const;
  /// How many launches it holds; empty work is not among them.
  [[nodiscard]] std::size_t size() const;

 private:
  struct State;
  /// From the beginning to the end of a capture, also by an exception.
  class MYLOS_EXPORT Recording {
   public:
    explicit Recording(const Device& stream);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    [[nodiscard]] CudaGraph finish() const;

   private:
    std::unique_ptr<detail::LaunchRecorder> recorder_;
  };

  explicit CudaGraph(std::shared_ptr<const State> state);

  std::shared_ptr<const State> state_;
};

}  // namespace mylos::inline MYLOS_ABI
