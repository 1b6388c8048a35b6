// SPDX-License-Identifier: MIT
// The stand-in's memory and copies.
#include <cstdint>
#include <cstring>
#include <vector>

#include "cuda/stand_in/model.hpp"

using mylos::cuda::Copy2D;
using mylos::cuda::MemoryType;
using mylos::cuda::PointerAttribute;
using stand_in::answer_in_context;
using stand_in::model;

namespace {

char* at(DevicePointer pointer) { return reinterpret_cast<char*>(pointer); }

bool on_device(const void* pointer, std::size_t bytes) { return model().memory.device_of(pointer, bytes) >= 0; }

/// Queues work after checking that its sides are where the call's name says.
template <class Run>
Result queue(CUctx_st& context, StreamHandle handle, const std::string& call, bool sides_are_right, Run run) {
  CUstream_st* const stream = stand_in::stream_of(context, handle, call);
  if (stream == nullptr) return invalid_handle;
  if (!sides_are_right) return model().violation(call + " of memory that is not where its name says");
  stream->add([run] {
    run();
    return Result::success;
  });
  return Result::success;
}

std::size_t span(std::size_t pitch, std::size_t width, std::size_t height) {
  return height == 0 ? 0 : (height - 1) * pitch + width;
}

template <class Unit>
Result set_rows(const char* call, DevicePointer destination, std::size_t pitch, Unit value, std::size_t width,
                std::size_t height, StreamHandle stream) {
  return answer_in_context(call, std::to_string(width * height), [&](CUctx_st& context) {
    if (destination % sizeof(Unit) != 0 || pitch % sizeof(Unit) != 0 || (height > 1 && pitch < width * sizeof(Unit))) {
      return model().violation(std::string(call) + " with an alignment or a pitch that it cannot have");
    }
    const bool right = on_device(at(destination), span(pitch, width * sizeof(Unit), height));
    return queue(context, stream, call, right, [=] {
      for (std::size_t row = 0; row < height; ++row) {
        for (std::size_t i = 0; i < width; ++i) {
          std::memcpy(at(destination) + row * pitch + i * sizeof(Unit), &value, sizeof(Unit));
        }
      }
    });
  });
}

template <class Unit>
Result set(const char* call, DevicePointer destination, Unit value, std::size_t count, StreamHandle stream) {
  return set_rows(call, destination, count * sizeof(Unit), value, count, 1, stream);
}

}  // namespace

STAND_IN_EXPORT Result cuMemAlloc_v2(DevicePointer* pointer, std::size_t bytes) {
  return answer_in_context("cuMemAlloc_v2", std::to_string(bytes), [&](CUctx_st& context) {
    if (bytes == 0) return model().violation("cuMemAlloc_v2 of 0 bytes");
    void* const made = model().memory.allocate(context.ordinal, bytes);
    *pointer = reinterpret_cast<DevicePointer>(made);
    return made != nullptr ? Result::success : Result::out_of_memory;
  });
}

STAND_IN_EXPORT Result cuMemFree_v2(DevicePointer pointer) {
  return answer_in_context("cuMemFree_v2", "", [&](CUctx_st& context) {
    if (stand_in::is_busy(context)) model().violation("cuMemFree_v2 while work is queued that may use the memory");
    if (!model().memory.deallocate(at(pointer)))
      return model().violation("cuMemFree_v2 of no allocation: freed twice?");
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  return answer_in_context("cuMemGetInfo_v2", "", [&](CUctx_st& context) {
    *total = stand_in::Memory::capacity(context.ordinal);
    *free = *total - model().memory.in_use(context.ordinal);
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned /*flags*/) {
  return answer_in_context("cuMemHostAlloc", std::to_string(bytes), [&](CUctx_st& /*context*/) {
    *pointer = model().memory.allocate_pinned(bytes);
    return Result::success;
  });
}

STAND_IN_EXPORT Result cuMemFreeHost(void* pointer) {
  return answer_in_context("cuMemFreeHost", "", [&](CUctx_st& /*context*/) {
    return model().memory.deallocate_pinned(pointer) ? Result::success : model().violation("cuMemFreeHost of nothing");
  });
}

STAND_IN_EXPORT Result cuPointerGetAttribute(void* value, PointerAttribute attribute, DevicePointer pointer) {
  return answer_in_context("cuPointerGetAttribute", "", [&](CUctx_st& context) {
    const int device = model().memory.device_of(at(pointer), 0);
    const bool pinned = model().memory.is_pinned(at(pointer));
    if (device < 0 && !pinned) return Result::invalid_value;
    if (attribute == PointerAttribute::memory_type) {
      const MemoryType type = pinned ? MemoryType::host : MemoryType::device;
      std::memcpy(value, &type, sizeof(type));
    } else {
      const int ordinal = pinned ? context.ordinal : device;
      std::memcpy(value, &ordinal, sizeof(ordinal));
    }
    return Result::success;
  });
}

// The driver has staged pageable memory when it returns, unless the device reads it in place; pinned memory is read
// when the copy's turn comes.
STAND_IN_EXPORT Result cuMemcpyHtoDAsync_v2(DevicePointer destination, const void* source, std::size_t bytes,
                                            StreamHandle stream) {
  return answer_in_context("cuMemcpyHtoDAsync_v2", std::to_string(bytes), [&](CUctx_st& context) {
    const bool right = on_device(at(destination), bytes) && !model().memory.is_device_address(source);
    const bool in_place = model().memory.is_pinned(source) || stand_in::setting("STAND_IN_READS_HOST", 0) != 0;
    std::vector<char> staged;
    if (right && !in_place) staged.assign(static_cast<const char*>(source), static_cast<const char*>(source) + bytes);
    return queue(context, stream, "cuMemcpyHtoDAsync_v2", right,
                 [=] { std::memcpy(at(destination), in_place ? source : staged.data(), bytes); });
  });
}

STAND_IN_EXPORT Result cuMemcpyDtoHAsync_v2(void* destination, DevicePointer source, std::size_t bytes,
                                            StreamHandle stream) {
  return answer_in_context("cuMemcpyDtoHAsync_v2", std::to_string(bytes), [&](CUctx_st& context) {
    const bool right = on_device(at(source), bytes) && !model().memory.is_device_address(destination);
    return queue(context, stream, "cuMemcpyDtoHAsync_v2", right, [=] { std::memcpy(destination, at(source), bytes); });
  });
}

STAND_IN_EXPORT Result cuMemcpyDtoDAsync_v2(DevicePointer destination, DevicePointer source, std::size_t bytes,
                                            StreamHandle stream) {
  return answer_in_context("cuMemcpyDtoDAsync_v2", std::to_string(bytes), [&](CUctx_st& context) {
    return queue(context, stream, "cuMemcpyDtoDAsync_v2",
                 on_device(at(destination), bytes) && on_device(at(source), bytes),
                 [=] { std::memmove(at(destination), at(source), bytes); });
  });
}

STAND_IN_EXPORT Result cuMemcpy2DAsync_v2(const Copy2D* copy, StreamHandle stream) {
  const Copy2D rows = *copy;
  return answer_in_context(
      "cuMemcpy2DAsync_v2", std::to_string(rows.width_bytes * rows.height), [&](CUctx_st& context) {
        if (rows.destination_pitch < rows.width_bytes || rows.source_pitch < rows.width_bytes) {
          return model().violation("cuMemcpy2DAsync_v2 with a pitch below the width");
        }
        const bool right =
            rows.source_type == MemoryType::device && rows.destination_type == MemoryType::device &&
            on_device(at(rows.destination_device), span(rows.destination_pitch, rows.width_bytes, rows.height)) &&
            on_device(at(rows.source_device), span(rows.source_pitch, rows.width_bytes, rows.height));
        return queue(context, stream, "cuMemcpy2DAsync_v2", right, [=] {
          for (std::size_t row = 0; row < rows.height; ++row) {
            std::memcpy(at(rows.destination_device) + row * rows.destination_pitch,
                        at(rows.source_device) + row * rows.source_pitch, rows.width_bytes);
          }
        });
      });
}

STAND_IN_EXPORT Result cuMemsetD8Async(DevicePointer to, unsigned char value, std::size_t count, StreamHandle stream) {
  return set("cuMemsetD8Async", to, value, count, stream);
}
STAND_IN_EXPORT Result cuMemsetD16Async(DevicePointer to, unsigned short value, std::size_t count,
                                        StreamHandle stream) {
  return set("cuMemsetD16Async", to, value, count, stream);
}
STAND_IN_EXPORT Result cuMemsetD32Async(DevicePointer to, unsigned value, std::size_t count, StreamHandle stream) {
  return set("cuMemsetD32Async", to, value, count, stream);
}
STAND_IN_EXPORT Result cuMemsetD2D8Async(DevicePointer to, std::size_t pitch, unsigned char value, std::size_t width,
                                         std::size_t height, StreamHandle stream) {
  return set_rows("cuMemsetD2D8Async", to, pitch, value, width, height, stream);
}
STAND_IN_EXPORT Result cuMemsetD2D16Async(DevicePointer to, std::size_t pitch, unsigned short value, std::size_t width,
                                          std::size_t height, StreamHandle stream) {
  return set_rows("cuMemsetD2D16Async", to, pitch, value, width, height, stream);
}
STAND_IN_EXPORT Result cuMemsetD2D32Async(DevicePointer to, std::size_t pitch, unsigned value, std::size_t width,
                                          std::size_t height, StreamHandle stream) {
  return set_rows("cuMemsetD2D32Async", to, pitch, value, width, height, stream);
}
