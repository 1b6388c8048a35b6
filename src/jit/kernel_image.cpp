// SPDX-License-Identifier: MIT
#include "jit/kernel_image.hpp"

#include <utility>

#include "jit/record.hpp"

namespace mylos::inline MYLOS_ABI::jit::detail {

std::string packed(const CompiledKernel& kernel) {
  return RecordWriter().add(kernel.name).add(kernel.architecture).add(kernel.image).add(kernel.log).bytes();
}

std::optional<CompiledKernel> unpacked(std::string_view bytes) {
  RecordReader reader(bytes);
  CompiledKernel kernel;
  for (std::string* text : {&kernel.name, &kernel.architecture, &kernel.image, &kernel.log}) *text = reader.text();
  return reader.is_whole() ? std::optional(std::move(kernel)) : std::nullopt;
}

}  // namespace mylos::inline MYLOS_ABI::jit::detail
