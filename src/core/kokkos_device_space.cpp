// SPDX-License-Identifier: MIT
// Kokkos first, with the visibility that it has for its users: the record class at the end of this file is instantiated
// here for all of them, in a library whose symbols are hidden otherwise.
#pragma GCC visibility push(default)
#include <Kokkos_Core.hpp>
#pragma GCC visibility pop

#include <mylos/core/detail/kokkos_device_space.hpp>

#define KOKKOS_IMPL_PUBLIC_INCLUDE
#include <impl/Kokkos_Error.hpp>
#include <impl/Kokkos_SharedAlloc_timpl.hpp>
#undef KOKKOS_IMPL_PUBLIC_INCLUDE

#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "core/capture.hpp"
#include "core/engine.hpp"

namespace mylos::inline MYLOS_ABI {
namespace {

namespace tools = Kokkos::Tools::Experimental;

// Registered by name; Kokkos starts spaces in the order of these names and ends them in the same order, and host spaces
// come before 175. An object of static storage, because it has to happen before Kokkos::initialize. This is what makes
// Kokkos::fence wait for our streams and Kokkos::finalize end us.
[[maybe_unused]] const int registered = Kokkos::Impl::initialize_space_factory<Device>("175_MylosDevice");

// The allocation of this thread into which Kokkos will write its header next: that write is no transfer.
thread_local void* awaits_header = nullptr;

bool is_header(const void* destination, std::size_t bytes) {
  return destination == std::exchange(awaits_header, nullptr) && bytes == sizeof(Kokkos::Impl::SharedAllocationHeader);
}

void copy_now(const Device& stream, CopyKind kind, void* destination, const void* source, std::size_t bytes) {
  if (kind == CopyKind::to_device && awaits_header != nullptr && is_header(destination, bytes)) {
    detail::engine().copy(stream.stream(), kind, destination, source, bytes);
  } else {
    detail::copy_bytes(stream.stream(), kind, destination, source, bytes);
  }
}

}  // namespace

Device::Device(CUstream_st* stream) : stream_(detail::engine().foreign_stream(stream)) {}
CUstream_st* Device::cuda_stream() const { return detail::engine().native_stream(stream_.get()); }

void Device::fence(const std::string& name) const {
  tools::Impl::profile_fence_event<Device>(name, tools::Impl::DirectFenceIDHandle{impl_instance_id()},
                                           [&] { detail::wait(stream_.get(), name); });
}

void Device::impl_static_fence(const std::string& name) {
  tools::Impl::profile_fence_event<Device>(name, tools::SpecialSynchronizationCases::GlobalDeviceSynchronization,
                                           [&] { detail::wait_for_all(name); });
}

// The engine is chosen at the first use, so that a program that stays on the host starts nothing.
void Device::impl_initialize(const Kokkos::InitializationSettings& /*settings*/) {}
void Device::impl_finalize() { detail::end_engine(); }
bool Device::impl_is_initialized() noexcept { return detail::kokkos_is_running(); }
std::uint32_t Device::impl_instance_id() const noexcept { return stream_ == nullptr ? 1U : stream_->id(); }
int Device::concurrency() const { return detail::engine().concurrency(); }

void Device::print_configuration(std::ostream& out, bool /*verbose*/) const {
  const bool chosen = detail::engine_in_use().has_value();
  out << "mylos::Device: " << (chosen ? detail::engine().description() : "not used yet") << '\n';
}

void* DeviceSpace::allocate(const char* label, std::size_t bytes) const { return allocate_for(label, bytes, bytes); }

void* DeviceSpace::allocate(const char* label, std::size_t bytes, std::size_t logical_bytes) const {
  void* const pointer = allocate_for(label, bytes, logical_bytes);
  awaits_header = pointer;
  constexpr std::size_t header = sizeof(Kokkos::Impl::SharedAllocationHeader);
  if (bytes - logical_bytes == header) detail::engine().set_header(pointer, header);
  return pointer;
}

void* DeviceSpace::allocate_for(const char* label, std::size_t bytes, std::size_t told_bytes) {
  if (detail::is_capturing()) detail::require_no_capture(fmt::format("an allocation of '{}'", label));
  void* const pointer = detail::engine().allocate(bytes, label);
  if (pointer == nullptr) Kokkos::Impl::throw_bad_alloc(name(), bytes, label);
  if (Kokkos::Profiling::profileLibraryLoaded()) {
    Kokkos::Profiling::allocateData(Kokkos::Profiling::make_space_handle(name()), label, pointer, told_bytes);
  }
  return pointer;
}

void DeviceSpace::deallocate(const char* label, void* pointer, std::size_t bytes, std::size_t logical_bytes) const {
  if (Kokkos::Profiling::profileLibraryLoaded()) {
    Kokkos::Profiling::deallocateData(Kokkos::Profiling::make_space_handle(name()), label, pointer,
                                      logical_bytes > 0 ? logical_bytes : bytes);
  }
  detail::engine().deallocate(pointer);
}

namespace detail {

std::vector<Device> new_streams(std::size_t count) {
  std::vector<Device> streams;
  streams.reserve(count);
  for (std::size_t i = 0; i < count; ++i) streams.emplace_back(engine().create_stream(0));
  return streams;
}

void kokkos_copy(CopyKind kind, void* destination, const void* source, std::size_t bytes) {
  engine().wait_for_all();
  copy_now(Device{}, kind, destination, source, bytes);
  engine().wait(nullptr);
}

void kokkos_copy(const Device& stream, CopyKind kind, void* destination, const void* source, std::size_t bytes) {
  copy_now(stream, kind, destination, source, bytes);
}

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI

Kokkos::Impl::ZeroMemset<mylos::Device>::ZeroMemset(const mylos::Device& stream, void* destination, std::size_t bytes) {
  mylos::detail::StridedBlock all{.data = static_cast<std::byte*>(destination), .rank = 1};
  all.extents[0] = static_cast<std::int64_t>(bytes);
  all.strides[0] = 1;
  const std::byte zero{};
  mylos::detail::fill_block(stream.stream(), all, {&zero, 1});
}

KOKKOS_IMPL_HOST_INACCESSIBLE_SHARED_ALLOCATION_RECORD_EXPLICIT_INSTANTIATION(mylos::DeviceSpace);
