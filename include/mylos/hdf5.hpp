// SPDX-License-Identifier: MIT
// Everything of Mylos::hdf5.
#pragma once

#include <mylos/hdf5/file.hpp>
