// SPDX-License-Identifier: MIT
// How equal two results must be, and how a comparison runs.
#pragma once

#include <cstdint>

#include <mylos/base/abi.hpp>
#include <mylos/base/extents.hpp>

namespace mylos::inline MYLOS_ABI::testing {

/// Two numbers agree when they are equal, both NaN, or one of the bounds holds; with all at 0 they must be equal.
/// Integers and booleans must always be equal. The parts of complex numbers are compared one by one, and so are the
/// fields of structs that MYLOS_STRUCT lists, in structs and arrays among them, too: what lies between them does not
/// count. Of anything else (pointers, structs without it) the bytes must be equal.
struct Tolerance {
  double relative = 0;  ///< |a - b| <= relative max(|a|, |b|)
  double absolute = 0;  ///< |a - b| <= absolute
  int ulp = 0;          ///< as many representable numbers between them, of the Views' own type
};

struct AgreeOptions {
  Extents3 threads = {};   ///< not given: as the kernel infers them
  int calls = 1;           ///< how often each side runs before they are compared
  std::uint64_t seed = 1;  ///< given to make_arguments
};

}  // namespace mylos::inline MYLOS_ABI::testing
