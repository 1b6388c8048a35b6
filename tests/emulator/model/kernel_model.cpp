// SPDX-License-Identifier: MIT
#include "emulator/model/kernel_model.hpp"

#include <bit>
#include <stdexcept>

namespace mylos_test::model {

Bits bits_of(Type type, std::uint32_t number) {
  switch (type) {
    case Type::u32:
    case Type::i32:
    case Type::u64: return number;
    case Type::f32: return std::bit_cast<std::uint32_t>(static_cast<float>(number));
    case Type::f64: return std::bit_cast<std::uint64_t>(static_cast<double>(number));
  }
  throw std::logic_error("a type without numbers");
}

std::vector<Bits> initial_elements(const Array& array, const Shape& shape) {
  std::vector<Bits> elements(array.size(shape));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(array.content == Content::numbers ? (i * 37 + i / 5 + 3) % 101 : 0);
    elements[i] = bits_of(array.type, number);
  }
  return elements;
}

}  // namespace mylos_test::model
