// SPDX-License-Identifier: MIT
// NVIDIA's names for the standard library.
#pragma once

namespace cuda {
namespace std {
using namespace ::std;
}  // namespace std
}  // namespace cuda
