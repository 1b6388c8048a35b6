// SPDX-License-Identifier: MIT
#include <mylos/core/host_call.hpp>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "base/texts.hpp"

namespace mylos::inline MYLOS_ABI::detail {

void refuse_partial_aliases(std::span<const CallArgument> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for (std::size_t j = i + 1; j < arguments.size(); ++j) {
      const CallArgument& a = arguments[i];
      const CallArgument& b = arguments[j];
      if (!a.on_device || !b.on_device || a.host_copy == b.host_copy || (!a.written && !b.written)) continue;
      if (!overlap(a.block, a.element_bytes, b.block, b.element_bytes)) continue;
      throw ValueError(fmt::format(
          "mylos::host_call: argument {} ('{}', extents {}) and argument {} ('{}', extents {}) have elements in "
          "common: each gets a copy on the host, and what one writes the other would not see: pass the View that "
          "holds both once, and take the parts inside the function",
          i + 1, a.label, tuple_text(a.block.shape()), j + 1, b.label, tuple_text(b.block.shape())));
    }
  }
}

}  // namespace mylos::inline MYLOS_ABI::detail
