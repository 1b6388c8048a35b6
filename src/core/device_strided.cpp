// SPDX-License-Identifier: MIT
#include "core/device_strided.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "core/cuda_device.hpp"
#include "core/strided_kernels.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

// As in kernels/strided/copies.cu.
struct Walk {
  std::int64_t size = 1, axes = 0;
  std::array<std::int64_t, max_rank + 1> extent{}, to{}, from{};
};
struct Number { std::int32_t category, bytes; };
enum Category : std::int32_t { boolean, signed_integer, unsigned_integer, floating, complex_number };
constexpr std::size_t pattern_bytes = 256;

struct CopyParameters {
  std::byte* to;
  const std::byte* from;
  Walk walk;
};
struct ConvertParameters {
  std::byte* to;
  const std::byte* from;
  Walk walk;
  Number destination, source;
};
struct FillParameters {
  std::byte* to;
  Walk walk;
  std::array<std::byte, pattern_bytes> pattern;
};

template <class Parameters>
std::span<const std::byte> bytes_of(const Parameters& parameters) {
  return std::as_bytes(std::span(&parameters, 1));
}

Walk walk_of(const Loops& loops) {
  Walk walk;
  walk.axes = loops.count;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(loops.count); ++axis) {
    const Axis& from = loops.axes[axis];
    walk.size *= from.extent;
    walk.extent[axis] = from.extent;
    walk.to[axis] = from.destination_stride;
    walk.from[axis] = from.source_stride;
  }
  return walk;
}

// Narrower rows are slow in the driver's own copies.
constexpr std::int64_t narrowest_row = 64;

/// Rows of bytes, `pitch` apart on either side; one row has no pitch. Empty where the loops are no rows.
struct RowsOfBytes { std::size_t width = 0, height = 1, destination_pitch = 0, source_pitch = 0; };

RowsOfBytes rows_of(Loops loops, std::size_t element_bytes, std::size_t max_pitch) {
  loops.append({static_cast<std::int64_t>(element_bytes), 1, 1});
  const Axis row = loops.last(), column = loops.axes[0];
  const bool is_dense = row.extent == 1 || (row.destination_stride == 1 && row.source_stride == 1);
  if (!is_dense || loops.count > 2) return {};
  const auto width = static_cast<std::size_t>(row.extent);
  if (loops.count == 1) return {.width = width, .height = 1, .destination_pitch = width, .source_pitch = width};
  const bool serves = row.extent >= narrowest_row && column.destination_stride >= row.extent &&
                      column.source_stride >= row.extent &&
                      std::max(column.destination_stride, column.source_stride) <= static_cast<std::int64_t>(max_pitch);
  if (!serves) return {};
  return {.width = width,
          .height = static_cast<std::size_t>(column.extent),
          .destination_pitch = static_cast<std::size_t>(column.destination_stride),
          .source_pitch = static_cast<std::size_t>(column.source_stride)};
}

std::uint64_t bits(std::int64_t number) { return static_cast<std::uint64_t>(number); }
std::uint64_t bits(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// The bytes that a thread moves at once: a power of two that divides sizes, strides and addresses.
std::int64_t unit_of(const Loops& loops, std::uint64_t sizes_and_addresses) {
  for (const Axis& axis : loops.axes) {
    sizes_and_addresses |= bits(axis.destination_stride) | bits(axis.source_stride);
  }
  constexpr std::int64_t widest = 8;
  for (std::int64_t unit = widest; unit > 1; unit /= 2) {
    if (sizes_and_addresses % bits(unit) == 0) return unit;
  }
  return 1;
}

/// The shortest part of 1, 2 or 4 bytes that the pattern repeats; 0: none.
std::size_t period_of(std::span<const std::byte> pattern) {
  for (const std::size_t period : {1U, 2U, 4U}) {
    if (pattern.size() % period != 0) continue;
    const auto shifted = pattern.subspan(period), kept = pattern.first(pattern.size() - period);
    if (std::ranges::equal(shifted, kept)) return period;
  }
  return 0;
}

Number number_of(ValueKind kind) {
  const auto bytes = static_cast<std::int32_t>(size_of(kind));
  switch (kind) {
    case ValueKind::boolean: return {boolean, bytes};
    case ValueKind::int8:
    case ValueKind::int16:
    case ValueKind::int32:
    case ValueKind::int64: return {signed_integer, bytes};
    case ValueKind::uint8:
    case ValueKind::uint16:
    case ValueKind::uint32:
    case ValueKind::uint64: return {unsigned_integer, bytes};
    case ValueKind::float32:
    case ValueKind::float64: return {floating, bytes};
    case ValueKind::complex64:
    case ValueKind::complex128: return {complex_number, bytes};
    case ValueKind::float16:
    case ValueKind::other: break;
  }
  throw ValueError(
      "elements of one type are copied to another on the device, and one of them is no number that CUDA kernels know: "
      "no code of the host can convert them there: convert on the host, or write a kernel");
}

}  // namespace

const cuda::LoadedKernel& DeviceStrided::kernel(const std::string& symbol) {
  const std::lock_guard lock(loading_);
  if (module_ == nullptr) {
    const auto compiled = compile_for(*context_, {.text = std::string(strided_kernels.front().text),
                                                  .name = symbol,
                                                  .file = "mylos/kernels/strided/copies.cu",
                                                  .architecture = {}});
    module_ = std::make_shared<const cuda::Module>(context_, compiled.image, "Mylos' strided copies and fills");
  }
  return kernels_.try_emplace(symbol, *context_, module_, symbol, symbol).first->second;
}

void DeviceStrided::launch(const std::string& symbol, cuda::Stream& stream, std::int64_t size,
                           std::span<const std::byte> parameters) {
  constexpr std::int64_t threads = 256, most_blocks = 2147483647;
  const std::int64_t blocks = std::min((size + threads - 1) / threads, most_blocks);
  kernel(symbol).launch(
      *context_, stream,
      {.grid = {static_cast<std::uint32_t>(blocks), 1, 1}, .block = {static_cast<std::uint32_t>(threads), 1, 1}},
      parameters);
}

void DeviceStrided::copy(cuda::Stream& stream, const StridedBlock& destination, const StridedBlock& source,
                         const ElementConversion& conversion) {
  const bool same_bytes = conversion.destination_kind == conversion.source_kind &&
                          conversion.destination_kind != ValueKind::other;  // long and long long, say
  if (conversion.line != nullptr && !same_bytes) return convert(stream, destination, source, conversion);
  const std::size_t bytes = conversion.source_bytes;
  Loops loops = loops_over(destination, source);
  const RowsOfBytes rows = rows_of(loops, bytes, context_->properties().max_pitch);
  const cuda::Driver& driver = context_->driver();
  if (rows.width > 0 && rows.height == 1) {
    driver.copy_on_device(stream, destination.data, source.data, rows.width);
  } else if (rows.width > 0) {
    driver.copy_rows(stream, {destination.data, rows.destination_pitch}, {source.data, rows.source_pitch}, rows.width,
                     rows.height);
  } else {
    const std::int64_t unit = unit_of(loops, bytes | bits(destination.data) | bits(source.data));
    loops.append({static_cast<std::int64_t>(bytes) / unit, unit, unit});
    const CopyParameters parameters{destination.data, source.data, walk_of(loops)};
    launch(fmt::format("mylos_copy_{}", unit), stream, parameters.walk.size, bytes_of(parameters));
  }
}

void DeviceStrided::convert(cuda::Stream& stream, const StridedBlock& destination, const StridedBlock& source,
                            const ElementConversion& conversion) {
  const ConvertParameters parameters{destination.data, source.data, walk_of(loops_over(destination, source)),
                                     number_of(conversion.destination_kind), number_of(conversion.source_kind)};
  launch("mylos_convert", stream, parameters.walk.size, bytes_of(parameters));
}

void DeviceStrided::fill(cuda::Stream& stream, const StridedBlock& destination, std::span<const std::byte> pattern) {
  if (set_rows(stream, destination, pattern)) return;
  for (std::size_t offset = 0; offset < pattern.size(); offset += pattern_bytes) {
    StridedBlock part = destination;
    part.data += offset;
    fill_piece(stream, part, pattern.subspan(offset, std::min(pattern_bytes, pattern.size() - offset)));
  }
}

bool DeviceStrided::set_rows(const cuda::Stream& stream, const StridedBlock& destination,
                             std::span<const std::byte> pattern) const {
  const std::size_t unit = period_of(pattern);
  if (unit == 0) return false;
  const RowsOfBytes rows =
      rows_of(loops_over(destination, destination), pattern.size(), context_->properties().max_pitch);
  if (rows.width == 0 || (bits(destination.data) | rows.destination_pitch) % unit != 0) return false;
  std::uint32_t value = 0;
  std::memcpy(&value, pattern.data(), unit);
  const cuda::Driver& driver = context_->driver();
  if (rows.height == 1) {
    driver.set(stream, destination.data, value, unit, rows.width / unit);
  } else {
    driver.set_rows(stream, {destination.data, rows.destination_pitch}, value, unit, rows.width / unit, rows.height);
  }
  return true;
}

void DeviceStrided::fill_piece(cuda::Stream& stream, const StridedBlock& destination,
                               std::span<const std::byte> pattern) {
  StridedBlock source = destination;
  source.strides.fill(0);  // every index reads the pattern
  Loops loops = loops_over(destination, source);
  const std::int64_t unit = unit_of(loops, pattern.size() | bits(destination.data));
  loops.append({static_cast<std::int64_t>(pattern.size()) / unit, unit, unit});
  FillParameters parameters{destination.data, walk_of(loops), {}};
  std::ranges::copy(pattern, parameters.pattern.begin());
  launch(fmt::format("mylos_fill_{}", unit), stream, parameters.walk.size, bytes_of(parameters));
}

}  // namespace mylos::inline MYLOS_ABI::detail
