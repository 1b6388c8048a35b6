// SPDX-License-Identifier: MIT
// A GPU as an engine: its memory and streams are the driver's.
#include "core/cuda_engine.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/contract.hpp>
#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/cuda/driver.hpp>

#include "core/allocation_table.hpp"
#include "core/cuda_device.hpp"
#include "core/device_strided.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

/// A stream of our own ends with its last Device, one of others never.
class CudaStream final : public Stream {
 public:
  CudaStream(std::uint32_t id, cuda::StreamHandle handle, std::weak_ptr<cuda::Context> owner)
      : Stream(id), native(handle), owner_(std::move(owner)) {}
  ~CudaStream() override {
    if (const auto context = owner_.lock()) context->destroy_stream(native.handle());
  }

  cuda::Stream native;

 private:
  std::weak_ptr<cuda::Context> owner_;  // empty for a stream of others
};

class CudaEngine final : public Engine {
 public:
  explicit CudaEngine(int device)
      : context_(std::make_shared<cuda::Context>(cuda::Driver::instance(), device)),
        driver_(context_->driver()),
        default_stream_(1, context_->create_stream(0), context_),
        strided_(std::make_unique<DeviceStrided>(context_)),
        description_(
            fmt::format("CUDA device {}, {}", device, cuda::driver().devices[static_cast<std::size_t>(device)].name)) {}

  // Views that are alive now are reported by Kokkos itself, when they end.
  ~CudaEngine() override {
    cuda::or_log(driver_, [&] {
      const cuda::Current current(*context_);
      for (void* const base : table_.take_all()) cuda::or_log(driver_, [&] { driver_.deallocate(base); });
    });
  }

  [[nodiscard]] Backend backend() const noexcept override { return Backend::cuda; }
  [[nodiscard]] std::string_view description() const noexcept override { return description_; }

  void* allocate(std::size_t bytes, std::string_view label) override;
  void deallocate(void* pointer) override;
  [[nodiscard]] std::string label(const void* pointer) const override {
    return table_.label(pointer).value_or(std::string());
  }
  [[nodiscard]] std::string why_unreachable(const void* pointer) const override {
    return table_.holds(pointer) ? std::string() : detail::why_unreachable(*context_, pointer);
  }

  void copy(Stream* stream, CopyKind kind, void* destination, const void* source, std::size_t bytes) override;
  void copy(Stream* stream, const StridedBlock& destination, const StridedBlock& source,
            const ElementConversion& conversion) override;
  void fill(Stream* stream, const StridedBlock& destination, std::span<const std::byte> pattern) override;

  std::shared_ptr<Stream> create_stream(int priority) override;
  std::shared_ptr<Stream> foreign_stream(CUstream_st* handle) override;
  [[nodiscard]] CUstream_st* native_stream(Stream* stream) override { return native(stream).handle(); }
  void wait(Stream* stream) override {
    const cuda::Current current(*context_);
    driver_.wait(native(stream));
  }
  void wait_for_all() override {
    const cuda::Current current(*context_);
    driver_.synchronize();
  }

  [[nodiscard]] MemoryInfo memory_info() const override;
  void release_memory() override {}  // nothing is kept
  [[nodiscard]] int concurrency() const override { return context_->properties().threads_at_a_time; }
  [[nodiscard]] std::size_t max_shared_memory_per_block() const override {
    return context_->properties().shared_bytes_opt_in;
  }

  [[nodiscard]] const std::shared_ptr<cuda::Context>& context() const { return context_; }
  [[nodiscard]] cuda::Stream& native(Stream* stream) {
    return stream == nullptr ? default_stream_.native : static_cast<CudaStream*>(stream)->native;
  }

 private:
  /// A new object for this handle; the caller holds streams_mutex_. `owner` as for CudaStream.
  std::shared_ptr<Stream> enter(CUstream_st* handle, const std::weak_ptr<cuda::Context>& owner);

  std::shared_ptr<cuda::Context> context_;
  const cuda::Driver& driver_;
  CudaStream default_stream_;
  std::unique_ptr<DeviceStrided> strided_;
  std::string description_;
  AllocationTable table_;
  std::mutex streams_mutex_;
  std::uint32_t last_stream_ = 1;                          // 1 is the default stream
  std::map<CUstream_st*, std::weak_ptr<Stream>> streams_;  // one Device is equal to another of the same stream
};

void* CudaEngine::allocate(std::size_t bytes, std::string_view label) {
  const cuda::Current current(*context_);
  void* const base = driver_.allocate(std::max<std::size_t>(bytes, 1));
  if (base == nullptr) {  // Kokkos throws an error of its own, which cannot say what is in use
    const auto [free, total] = driver_.memory_info();
    log::info(
        fmt::format("no room on the device for '{}', {} bytes: {} of {} bytes are free, and this process has {} "
                    "in use: free Views, or use fewer: the largest are {}",
                    label, bytes, free, total, table_.sums().used, table_.largest()));
    return nullptr;
  }
  table_.add(base, bytes, label);
  return base;
}

// Called by destructors of Views: what the driver says is logged. Only an address that is no allocation throws.
void CudaEngine::deallocate(void* pointer) {
  if (pointer == nullptr) return;
  if (!table_.remove(pointer)) {
    throw ValueError(
        fmt::format("{} is freed on the device and is no allocation there: freed twice, or an address "
                    "inside one: free what allocate() gave, once",
                    pointer));
  }
  cuda::or_log(driver_, [&] {
    const cuda::Current current(*context_);
    driver_.synchronize();  // kernels may be using it
    driver_.deallocate(pointer);
  });
}

void CudaEngine::copy(Stream* stream, CopyKind kind, void* destination, const void* source, std::size_t bytes) {
  const cuda::Current current(*context_);
  cuda::Stream& on = native(stream);
  switch (kind) {
    case CopyKind::to_device: return context_->copy_to_device(on, destination, source, bytes);
    case CopyKind::to_host: return driver_.copy_to_host(on, destination, source, bytes);
    case CopyKind::device_copy: return driver_.copy_on_device(on, destination, source, bytes);
    case CopyKind::host_copy:
    case CopyKind::wait:
    case CopyKind::fallback: break;
  }
  internal_error("an engine copies from, to and on the device");
}

void CudaEngine::copy(Stream* stream, const StridedBlock& destination, const StridedBlock& source,
                      const ElementConversion& conversion) {
  const cuda::Current current(*context_);
  strided_->copy(native(stream), destination, source, conversion);
}

void CudaEngine::fill(Stream* stream, const StridedBlock& destination, std::span<const std::byte> pattern) {
  const cuda::Current current(*context_);
  strided_->fill(native(stream), destination, pattern);
}

std::shared_ptr<Stream> CudaEngine::enter(CUstream_st* handle, const std::weak_ptr<cuda::Context>& owner) {
  std::erase_if(streams_, [](const auto& entry) { return entry.second.expired(); });
  const auto stream = std::make_shared<CudaStream>(++last_stream_, handle, owner);
  streams_[handle] = stream;
  return stream;
}

std::shared_ptr<Stream> CudaEngine::create_stream(int priority) {
  const cuda::StreamHandle handle = context_->create_stream(priority);
  const std::lock_guard lock(streams_mutex_);
  return enter(handle, context_);
}

std::shared_ptr<Stream> CudaEngine::foreign_stream(CUstream_st* handle) {
  if (!context_->holds(handle)) {
    throw SpaceError(
        fmt::format("a stream was made for another device or context than that of device {}: its work "
                    "cannot be ordered with memory of this one: make it with this device current",
                    context_->ordinal()));
  }
  if (handle == default_stream_.native.handle()) return nullptr;
  const std::lock_guard lock(streams_mutex_);
  auto known = streams_[handle].lock();
  return known != nullptr ? known : enter(handle, std::weak_ptr<cuda::Context>());
}

MemoryInfo CudaEngine::memory_info() const {
  const cuda::Current current(*context_);
  const auto [free, total] = driver_.memory_info();
  const auto [used, high_water] = table_.sums();
  return {.free = free, .total = total, .used = used, .high_water = high_water};
}

CudaEngine& cuda_engine() {
  Engine& engine = detail::engine();
  if (engine.backend() == Backend::cuda) return static_cast<CudaEngine&>(engine);
  throw BackendError(fmt::format("a GPU was asked for: the device of this process is the {}: set MYLOS_BACKEND=cuda",
                                 engine.description()));
}

}  // namespace

std::unique_ptr<Engine> make_cuda_engine(int device) { return std::make_unique<CudaEngine>(device); }

const std::shared_ptr<cuda::Context>& cuda_context() { return cuda_engine().context(); }
cuda::Stream& cuda_stream(const Device& device) { return cuda_engine().native(device.stream()); }

}  // namespace mylos::inline MYLOS_ABI::detail
