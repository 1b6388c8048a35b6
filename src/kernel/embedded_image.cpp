// SPDX-License-Identifier: MIT
#include "kernel/embedded_image.hpp"

#include <charconv>
#include <utility>

#include "jit/kernel_image.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

// 86 of "sm_86".
int number_of(std::string_view architecture) {
  int number = 0;
  const std::size_t digits = architecture.find('_') + 1;
  std::from_chars(architecture.data() + digits, architecture.data() + architecture.size(), number);
  return number;
}

}  // namespace

std::optional<CompiledKernel> image_for(std::span<const NamedText> images, std::string_view kernel, int capability) {
  std::optional<CompiledKernel> best;
  int newest = 0;
  for (const NamedText& image : images) {
    if (image.name != kernel) continue;
    std::optional<CompiledKernel> candidate = jit::detail::unpacked(image.text);
    const int number = candidate ? number_of(candidate->architecture) : 0;
    if (number / 10 != capability / 10 || number > capability || number <= newest) continue;
    newest = number;
    best = std::move(candidate);
  }
  return best;
}

}  // namespace mylos::inline MYLOS_ABI::detail
