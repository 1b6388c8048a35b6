// SPDX-License-Identifier: MIT
#include "jit/kernel_image.hpp"

#include "jit/parameter_table.hpp"
#include "jit/record.hpp"

namespace mylos::inline MYLOS_ABI::jit::detail {

std::string packed(const CompiledKernel& kernel) {
  return RecordWriter().add(kernel.name).add(kernel.architecture).add(kernel.image).add(kernel.log).bytes();
}

std::string architecture_in(std::string_view bytes) {
  RecordReader reader(bytes);
  static_cast<void>(reader.text());  // the name
  return reader.text();
}

std::optional<CompiledKernel> unpacked(std::string_view bytes) {
  RecordReader reader(bytes);
  CompiledKernel kernel;
  for (std::string* text : {&kernel.name, &kernel.architecture, &kernel.image, &kernel.log}) *text = reader.text();
  if (!reader.is_whole()) return std::nullopt;
  kernel.parameters = parameters_in(kernel.image);
  kernel.fields = fields_in(kernel.image);
  return kernel;
}

}  // namespace mylos::inline MYLOS_ABI::jit::detail
