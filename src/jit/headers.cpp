// SPDX-License-Identifier: MIT
#include <mylos/jit/headers.hpp>

#include "jit/embedded.hpp"

namespace mylos::inline MYLOS_ABI::jit {

std::span<const HeaderText> device_headers() { return nvrtc_headers().first(MYLOS_EMBEDDED_DEVICE_HEADERS); }

std::span<const HeaderText> standard_headers() { return nvrtc_headers().subspan(MYLOS_EMBEDDED_DEVICE_HEADERS); }

std::span<const HeaderText> nvrtc_headers() { return {detail::embedded_headers, MYLOS_EMBEDDED_HEADERS}; }

}  // namespace mylos::inline MYLOS_ABI::jit
