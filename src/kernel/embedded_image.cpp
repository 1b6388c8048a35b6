// SPDX-License-Identifier: MIT
#include "kernel/embedded_image.hpp"

#include <charconv>

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
  const NamedText* best = nullptr;
  int newest = 0;
  for (const NamedText& image : images) {
    if (image.name != kernel) continue;
    const int number = number_of(jit::detail::architecture_in(image.text));
    if (number / 10 != capability / 10 || number > capability || number <= newest) continue;
    newest = number;
    best = &image;
  }
  return best == nullptr ? std::nullopt : jit::detail::unpacked(best->text);
}

}  // namespace mylos::inline MYLOS_ABI::detail
