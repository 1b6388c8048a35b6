// SPDX-License-Identifier: MIT
#include <mylos/jit/headers.hpp>

#include <algorithm>

#include "jit/embedded.hpp"

namespace mylos::inline MYLOS_ABI::jit {
namespace {

std::size_t number_of_device_headers() {
  const auto is_ours = [](const NamedText& header) { return header.name.starts_with("mylos/"); };
  return static_cast<std::size_t>(std::ranges::count_if(nvrtc_headers(), is_ours));
}

}  // namespace

std::span<const NamedText> device_headers() { return nvrtc_headers().first(number_of_device_headers()); }

std::span<const NamedText> standard_headers() { return nvrtc_headers().subspan(number_of_device_headers()); }

std::span<const NamedText> nvrtc_headers() { return detail::embedded_headers; }

}  // namespace mylos::inline MYLOS_ABI::jit
