// SPDX-License-Identifier: MIT
// Keys that CudaVariants cannot find again, refused with the reason.
#include <compare>

#include <mylos/kernel.hpp>

struct Unordered { int degree; };
struct Ordered {
  int degree;
  friend auto operator<=>(const Ordered&, const Ordered&) = default;
};

template <class Key>
static void use_key() {
  const mylos::CudaVariants<Key> variants([](const Key& /*key*/) { return mylos::CudaKernel("", "k"); });
  static_cast<void>(variants.get(Key{1}));
}

[[maybe_unused]] static void use() {
#if defined(CASE_no_key)
  use_key<Unordered>();
#else
  use_key<Ordered>();
#endif
}
