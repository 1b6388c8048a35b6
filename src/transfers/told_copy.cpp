// SPDX-License-Identifier: MIT
#include "transfers/told_copy.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace mylos::inline MYLOS_ABI::detail {
namespace {

// name() of the memory spaces of Kokkos 4.5 to 5.2 that the host cannot reach, and Mylos' own.
constexpr std::array<std::string_view, 7> device_spaces = {
    "MylosDevice", "Cuda", "HIP", "SYCLDeviceUSM", "SYCLDevice", "OpenMPTargetSpace", "OpenACCSpace"};

// Of Kokkos::Tools::Experimental::DeviceType.
enum class ToldDevice : std::uint32_t {
  serial,
  openmp,
  cuda,
  hip,
  openmp_target,
  hpx,
  threads,
  sycl,
  openacc,
  unknown
};

// What Kokkos writes in the place of a label where there is a value of the host's.
bool is_value(const ToldSide& side) {
  const std::string_view label = side.label;
  return (label == "Scalar" || label == "(none)") && !is_device_space(side.space);
}

}  // namespace

bool is_device_space(std::string_view name) noexcept {
  return std::ranges::find(device_spaces, name) != device_spaces.end();
}

bool is_device_type(std::uint32_t fence_device) noexcept {
  constexpr unsigned bits_of_device_and_instance = 24;  // 17 of the instance, 7 of the device
  const auto type = ToldDevice{fence_device >> bits_of_device_and_instance};
  return type != ToldDevice::serial && type != ToldDevice::openmp && type != ToldDevice::hpx &&
         type != ToldDevice::threads;
}

std::optional<CopyKind> kind_of(const ToldSide& destination, const ToldSide& source, std::uint64_t bytes) {
  if (bytes == 0 || destination.address == source.address || is_value(source)) return std::nullopt;
  const bool to_device = is_device_space(destination.space);
  const bool from_device = is_device_space(source.space);
  if (to_device && from_device) return CopyKind::device_copy;
  if (to_device) return CopyKind::to_device;
  return from_device ? CopyKind::to_host : CopyKind::host_copy;
}

void PendingCopy::begin(const ToldSide& destination, const ToldSide& source, std::uint64_t bytes) {
  const std::optional<CopyKind> kind = kind_of(destination, source, bytes);
  is_open_ = kind.has_value();
  if (!is_open_) return;
  kind_ = *kind;
  bytes_ = bytes;
  destination_.assign(destination.label);
  source_.assign(source.label);
  destination_address_ = destination.address;
  source_address_ = source.address;
}

std::optional<CopyEvent> PendingCopy::end() noexcept {
  if (!std::exchange(is_open_, false)) return std::nullopt;
  return CopyEvent{.kind = kind_,
                   .bytes = bytes_,
                   .destination = destination_.view(),
                   .source = source_.view(),
                   .destination_address = destination_address_,
                   .source_address = source_address_};
}

}  // namespace mylos::inline MYLOS_ABI::detail
