// SPDX-License-Identifier: MIT
// Everything of Mylos::mylos (layers 0 to 10). Optional libraries have their own: <mylos/hdf5.hpp>,
// <mylos/testing.hpp>.
#pragma once

#include <mylos/base.hpp>
