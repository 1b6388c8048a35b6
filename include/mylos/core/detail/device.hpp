// SPDX-License-Identifier: MIT
// The execution space and the memory space of a build whose Kokkos has no CUDA: classes that satisfy Kokkos' published
// concepts. What Kokkos needs beyond its concepts is in kokkos_device_space.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>

struct CUstream_st;  // the driver's own name

namespace mylos::inline MYLOS_ABI {

class DeviceSpace;
namespace detail {
class Stream;
}

/// The execution space of DeviceSpace; one instance is one stream. A default-made one is the default stream; it holds
/// nothing, so it may exist before Kokkos starts and after it ended. Copies share the stream. As Kokkos::Cuda it can be
/// made from a stream of CUDA, and tells its own.
class MYLOS_EXPORT Device {
 public:
  using execution_space = Device;
  using memory_space = DeviceSpace;
  using device_type = Kokkos::Device<Device, DeviceSpace>;
  using array_layout = Kokkos::LayoutLeft;
  using size_type = std::size_t;
  using index_type = std::int64_t;
  using scratch_memory_space = Kokkos::ScratchMemorySpace<Device>;

  Device() noexcept = default;
  /// On a stream of the CUDA driver or run-time (CUstream, cudaStream_t) that somebody else made; it must outlive this
  /// Device and the work given to it. Two of one stream are equal, also where the stream is what cuda_stream() told.
  /// Throws BackendError where the device is not a GPU, SpaceError for a stream of another device.
  explicit Device(CUstream_st* stream);
  explicit Device(std::shared_ptr<detail::Stream> stream) noexcept : stream_(std::move(stream)) {}

  static const char* name() noexcept { return "MylosDevice"; }
  /// Waits for the work of this stream.
  void fence(const std::string& name = "mylos::Device::fence: unnamed instance fence") const;
  /// How many threads the device runs at a time, about.
  [[nodiscard]] int concurrency() const;
  void print_configuration(std::ostream& out, bool verbose = false) const;

  /// For other libraries that shall work in order with it. Throws BackendError where the device is not a GPU.
  [[nodiscard]] CUstream_st* cuda_stream() const;
  /// Null for the default stream.
  [[nodiscard]] detail::Stream* stream() const noexcept { return stream_.get(); }

  friend bool operator==(const Device& a, const Device& b) noexcept { return a.stream_ == b.stream_; }
  friend bool operator!=(const Device& a, const Device& b) noexcept { return !(a == b); }

  // What Kokkos calls.
  static void impl_initialize(const Kokkos::InitializationSettings& settings);
  static void impl_finalize();
  static bool impl_is_initialized() noexcept;  // Kokkos 4
  static void impl_static_fence(const std::string& name);
  [[nodiscard]] std::uint32_t impl_instance_id() const noexcept;

 private:
  std::shared_ptr<detail::Stream> stream_;
};

/// Memory of the device: the host can neither read nor write it. Same role as Kokkos::CudaSpace.
class MYLOS_EXPORT DeviceSpace {
 public:
  using memory_space = DeviceSpace;
  using execution_space = Device;
  using device_type = Kokkos::Device<Device, DeviceSpace>;
  using size_type = std::size_t;

  static constexpr const char* name() { return "MylosDevice"; }

  void* allocate(std::size_t bytes) const { return allocate("[unlabeled]", bytes); }
  void* allocate(const char* label, std::size_t bytes) const;
  /// Kokkos' form: `logical_bytes` for the user, behind a header of Kokkos' own.
  void* allocate(const char* label, std::size_t bytes, std::size_t logical_bytes) const;
  // Kokkos offers a stream for stream-ordered allocation; memory is allocated at once.
  template <class Exec, class... Arguments>
    requires Kokkos::is_execution_space_v<Exec>
  void* allocate(const Exec& /*exec*/, Arguments... arguments) const {
    return allocate(arguments...);
  }

  void deallocate(void* pointer, std::size_t bytes) const { deallocate("[unlabeled]", pointer, bytes); }
  void deallocate(const char* label, void* pointer, std::size_t bytes, std::size_t logical_bytes = 0) const;

 private:
  static void* allocate_for(const char* label, std::size_t bytes, std::size_t told_bytes);
};

namespace detail {

/// `count` streams of their own.
MYLOS_EXPORT std::vector<Device> new_streams(std::size_t count);

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
