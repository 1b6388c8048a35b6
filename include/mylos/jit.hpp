// SPDX-License-Identifier: MIT
// Everything of the module jit: signatures of kernels, included files, run-time compilation, the cache of compiled
// kernels.
#pragma once

#include <mylos/jit/cache.hpp>
#include <mylos/jit/compiler.hpp>
#include <mylos/jit/dependencies.hpp>
#include <mylos/jit/diagnostics.hpp>
#include <mylos/jit/function.hpp>
#include <mylos/jit/headers.hpp>
#include <mylos/jit/signature.hpp>
#include <mylos/jit/source.hpp>
