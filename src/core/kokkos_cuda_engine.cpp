// SPDX-License-Identifier: MIT
// The engine of a build whose Kokkos has CUDA: memory and streams are Kokkos' own.
#include <map>
#include <mutex>
#include <string>

#include <Kokkos_Core.hpp>

#include <mylos/base/contract.hpp>
#include <mylos/base/error.hpp>
#include <mylos/core/backend.hpp>
#include <mylos/core/spaces.hpp>

#include "core/allocation_table.hpp"
#include "core/cuda_device.hpp"
#include "core/cuda_engine.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

void check(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  throw CudaError(std::string(call) + " failed: " + cudaGetErrorString(code) + ": see the kernels launched before it");
}

/// A stream of Kokkos' that Mylos asked for.
class KokkosStream final : public Stream {
 public:
  explicit KokkosStream(Kokkos::Cuda exec) : Stream(exec.impl_instance_id()), exec_(std::move(exec)) {}
  [[nodiscard]] const Kokkos::Cuda& exec() const { return exec_; }

 private:
  Kokkos::Cuda exec_;
};

Kokkos::Cuda exec_of(const Stream* stream) {
  return stream == nullptr ? Kokkos::Cuda() : static_cast<const KokkosStream*>(stream)->exec();
}

class KokkosCudaEngine final : public Engine {
 public:
  [[nodiscard]] Backend backend() const noexcept override { return Backend::cuda; }
  [[nodiscard]] std::string_view description() const noexcept override { return "CUDA device of Kokkos"; }

  void* allocate(std::size_t bytes, std::string_view label) override {
    void* const pointer = Kokkos::kokkos_malloc<DeviceSpace>(std::string(label), bytes);
    table_.add(pointer, bytes, label);
    return pointer;
  }
  void deallocate(void* pointer) override {
    static_cast<void>(table_.remove(pointer));  // Kokkos refuses what is no allocation
    Kokkos::kokkos_free<DeviceSpace>(pointer);
  }
  [[nodiscard]] std::string why_unreachable(const void* pointer) const override {
    return table_.holds(pointer) ? std::string() : detail::why_unreachable(*context_, pointer);
  }
  [[nodiscard]] std::string label(const void* pointer) const override {
    return table_.label(pointer).value_or(std::string());
  }

  void copy(Stream* stream, CopyKind /*kind*/, void* destination, const void* source, std::size_t bytes) override {
    check(cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDefault, exec_of(stream).cuda_stream()),
          "cudaMemcpyAsync");
  }
  // Only a space of our own has these asked of its engine.
  void copy(Stream* /*stream*/, const StridedBlock& /*destination*/, const StridedBlock& /*source*/,
            const ElementConversion& /*conversion*/) override {
    internal_error("Kokkos::CudaSpace copies strided Views itself");
  }
  void fill(Stream* /*stream*/, const StridedBlock& /*destination*/, std::span<const std::byte> /*pattern*/) override {
    internal_error("Kokkos::CudaSpace fills Views itself");
  }

  std::shared_ptr<Stream> create_stream(int /*priority*/) override {
    return std::make_shared<KokkosStream>(Kokkos::Experimental::partition_space(Kokkos::Cuda(), 1)[0]);
  }
  void wait(Stream* stream) override { exec_of(stream).fence("mylos: a stream is waited for"); }
  void wait_for_all() override { Kokkos::fence("mylos: all streams are waited for"); }

  [[nodiscard]] MemoryInfo memory_info() const override {
    MemoryInfo info;
    check(cudaMemGetInfo(&info.free, &info.total), "cudaMemGetInfo");
    const auto [used, high_water] = table_.sums();  // total - free would be that of all processes
    info.used = used;
    info.high_water = high_water;
    return info;
  }
  void release_memory() override {}
  [[nodiscard]] CUstream_st* native_stream(Stream* stream) override { return exec_of(stream).cuda_stream(); }
  [[nodiscard]] int concurrency() const override { return Kokkos::Cuda().concurrency(); }
  [[nodiscard]] std::size_t max_shared_memory_per_block() const override {
    return Kokkos::Cuda().cuda_device_prop().sharedMemPerBlockOptin;
  }

  /// Kokkos works in the primary context too.
  [[nodiscard]] const std::shared_ptr<cuda::Context>& context() const { return context_; }
  [[nodiscard]] cuda::Stream& native(CUstream_st* handle) {
    const std::lock_guard lock(streams_mutex_);
    return streams_.try_emplace(handle, handle).first->second;
  }

 private:
  AllocationTable table_;
  std::shared_ptr<cuda::Context> context_ =
      std::make_shared<cuda::Context>(cuda::Driver::instance(), Kokkos::Cuda().cuda_device());
  std::mutex streams_mutex_;
  std::map<CUstream_st*, cuda::Stream> streams_;
};

}  // namespace

std::unique_ptr<Engine> make_cuda_engine(int /*device*/) { return std::make_unique<KokkosCudaEngine>(); }

const std::shared_ptr<cuda::Context>& cuda_context() { return static_cast<KokkosCudaEngine&>(engine()).context(); }
cuda::Stream& cuda_stream(const Device& device) {
  return static_cast<KokkosCudaEngine&>(engine()).native(device.cuda_stream());
}

}  // namespace mylos::inline MYLOS_ABI::detail
