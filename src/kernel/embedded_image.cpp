// SPDX-License-Identifier: MIT
#include "kernel/embedded_image.hpp"

#include <charconv>
#include <optional>
#include <tuple>

#include "jit/kernel_image.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

struct Architecture {
  explicit Architecture(std::string_view name) : is_cubin(name.starts_with("sm_")) {
    name.remove_prefix(name.find('_') + 1);
    const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (end != name.data() + name.size()) form = *end;
  }

  [[nodiscard]] bool runs_on(int capability) const {
    if (form == 'a') return number == capability;
    const bool of_any_generation = !is_cubin && form == plain;
    return number <= capability && (of_any_generation || number / 10 == capability / 10);
  }
  // The greater, the better; what the driver need not translate before all else.
  [[nodiscard]] auto rank() const { return std::tuple(is_cubin, number, form == 'a', form == 'f'); }

  static constexpr char plain = ' ';
  bool is_cubin;
  int number = 0;     // 86 of "sm_86"
  char form = plain;  // 'a' of "sm_90a", 'f' of "sm_100f"
};

}  // namespace

std::optional<CompiledKernel> image_for(std::span<const NamedText> images, std::string_view kernel, int capability) {
  const NamedText* best = nullptr;
  std::optional<Architecture> found;
  for (const NamedText& image : images) {
    if (image.name != kernel) continue;
    const Architecture architecture(jit::detail::architecture_in(image.text));
    if (!architecture.runs_on(capability) || (found && found->rank() >= architecture.rank())) continue;
    found = architecture;
    best = &image;
  }
  return best == nullptr ? std::nullopt : jit::detail::unpacked(best->text);
}

}  // namespace mylos::inline MYLOS_ABI::detail
