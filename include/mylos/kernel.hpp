// SPDX-License-Identifier: MIT
// Everything of the kernel module.
#pragma once

#include <mylos/kernel/arguments.hpp>
#include <mylos/kernel/bundle.hpp>
#include <mylos/kernel/catalog.hpp>
#include <mylos/kernel/compile_all.hpp>
#include <mylos/kernel/cuda_graph.hpp>
#include <mylos/kernel/cuda_kernel.hpp>
#include <mylos/kernel/cuda_variants.hpp>
#include <mylos/kernel/debug.hpp>
#include <mylos/kernel/device_array.hpp>
#include <mylos/kernel/functors.hpp>
#include <mylos/kernel/implementations.hpp>
#include <mylos/kernel/kernel.hpp>
#include <mylos/kernel/launch.hpp>
#include <mylos/kernel/struct_layout.hpp>
#include <mylos/kernel/threads_from.hpp>
