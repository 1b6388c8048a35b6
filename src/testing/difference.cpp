// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/error.hpp>
#include <mylos/testing/agree.hpp>

#include "base/texts.hpp"
#include "core/visit_value.hpp"

namespace mylos::inline MYLOS_ABI::testing::detail {
namespace {

using mylos::detail::ElementPart;

/// How many representable numbers lie between two finite ones.
template <class T>
std::uint64_t ulps_between(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  // Numbers in increasing order have increasing keys: those of negative ones are mirrored, -0 and 0 have one.
  const auto key = [](T value) {
    const Bits bits = std::bit_cast<Bits>(value);
    return bits < 0 ? std::numeric_limits<Bits>::min() - bits : bits;
  };
  const Bits ka = key(a), kb = key(b);
  return static_cast<std::uint64_t>(std::max(ka, kb)) - static_cast<std::uint64_t>(std::min(ka, kb));
}

template <class T>
bool agree_floating(T a, T b, const Tolerance& tolerance) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  const double distance = std::abs(static_cast<double>(a) - static_cast<double>(b));
  const double size = std::max(std::abs(static_cast<double>(a)), std::abs(static_cast<double>(b)));
  return distance <= tolerance.absolute || distance <= tolerance.relative * size ||
         ulps_between(a, b) <= static_cast<std::uint64_t>(std::max(tolerance.ulp, 0));
}

template <class T>
std::string describe_floating(T host, T device) {
  const double distance = std::abs(static_cast<double>(host) - static_cast<double>(device));
  std::string text = fmt::format("host {}, device {}, {:.3g} apart", host, device, distance);
  if (std::isfinite(host) && std::isfinite(device)) text += fmt::format(", {} ULP", ulps_between(host, device));
  return text;
}

/// Compares two values; what differs, or nothing.
template <class T>
std::optional<std::string> compare(const std::byte* host, const std::byte* device, const Tolerance& tolerance) {
  const T h = mylos::detail::value_at<T>(host), d = mylos::detail::value_at<T>(device);
  if constexpr (std::is_floating_point_v<T>) {
    if (agree_floating(h, d, tolerance)) return std::nullopt;
    return describe_floating(h, d);
  } else if constexpr (std::is_integral_v<T>) {
    if (h == d) return std::nullopt;
    return fmt::format("host {}, device {}", +h, +d);
  } else {  // complex
    if (agree_floating(h.real(), d.real(), tolerance) && agree_floating(h.imag(), d.imag(), tolerance)) {
      return std::nullopt;
    }
    return fmt::format("real part: {}; imaginary part: {}", describe_floating(h.real(), d.real()),
                       describe_floating(h.imag(), d.imag()));
  }
}

/// Of what is no number: from the first byte that differs on, as many as a line has room for.
std::optional<std::string> compare_bytes(const std::byte* host, const std::byte* device, std::size_t size) {
  constexpr std::size_t most = 8;
  const auto first = static_cast<std::size_t>(std::mismatch(host, host + size, device).first - host);
  if (first == size) return std::nullopt;
  const auto in_hex = [&](const std::byte* bytes) {
    const auto* const from = reinterpret_cast<const unsigned char*>(bytes + first);
    return fmt::format("{:02x}", fmt::join(from, from + std::min(most, size - first), " "));
  };
  return fmt::format("bytes from {} of {} in hex: host {}, device {}", first, size, in_hex(host), in_hex(device));
}

std::optional<std::string> compare_values(const ArgumentType& type, const std::byte* host, const std::byte* device,
                                          const Tolerance& tolerance) {
  std::optional<std::string> found;
  const bool compared = mylos::detail::visit_type(
      type.kind, [&]<class T>(std::type_identity<T>) { found = compare<T>(host, device, tolerance); });
  return compared ? found : compare_bytes(host, device, type.size);
}

/// The first of the values that elements are made of that differs; what lies between them does not count.
std::optional<std::string> compare_elements(std::span<const ElementPart> parts, const std::byte* host,
                                            const std::byte* device, const Tolerance& tolerance) {
  for (const ElementPart& part : parts) {
    const auto found = compare_values(*part.type, host + part.offset, device + part.offset, tolerance);
    if (found) return part.name.empty() ? *found : fmt::format("field '{}': {}", part.name, *found);
  }
  return std::nullopt;
}

/// "at (3, 4): host 1, device 2 (5 of 12 elements differ)": the first that differs; empty when none does.
std::string compare_views(const Argument& host, const Argument& device, const Tolerance& tolerance) {
  if (!std::ranges::equal(host.shape(), device.shape()))
    return "the Views that make_arguments made for the two sides have other extents";
  const std::vector<ElementPart> parts = mylos::detail::parts_of(*host.type);
  std::string first;
  std::int64_t differing = 0, size = 0;
  for_each_index(host, [&](const ElementIndex& index) {
    ++size;
    const auto found = compare_elements(parts, element_address(host, index), element_address(device, index), tolerance);
    if (found && differing++ == 0)
      first = fmt::format("at {}: {}", mylos::detail::tuple_text(std::span(index).first(host.shape().size())), *found);
  });
  if (differing > 0) first += fmt::format(" ({} of {} elements differ)", differing, size);
  return first;
}

}  // namespace

std::string difference(std::string_view kernel, const Arguments& host, const Arguments& device,
                       const Tolerance& tolerance, std::uint64_t seed) {
  std::string text;
  for (std::size_t i = 0; i < host.size(); ++i) {
    if (!host[i].type->is_view) continue;
    const std::string found = compare_views(host[i], device[i], tolerance);
    if (found.empty()) continue;
    text += fmt::format("\n  argument {} '{}' {}", i + 1, host[i].label(), found);
  }
  if (text.empty()) return text;
  return fmt::format("kernel '{}': functor and port disagree (seed {}){}", kernel, seed, text);
}

void throw_no_port(std::string_view kernel) {
  throw LookupError(fmt::format(
      "kernel '{}': it has no CUDA port: there is nothing to compare its functor with: write {}.cu", kernel, kernel));
}

}  // namespace mylos::inline MYLOS_ABI::testing::detail
