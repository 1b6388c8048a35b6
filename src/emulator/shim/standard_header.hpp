// SPDX-License-Identifier: MIT
// Stands behind <cmath>, <cstdio>, <cstdlib>, <cstring>, <cassert>, <cuda_runtime.h> and the like: what they have for a
// kernel is in mylos_cuda.hpp already.
#pragma once
