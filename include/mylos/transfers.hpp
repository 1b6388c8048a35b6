// SPDX-License-Identifier: MIT
// Everything of the transfers module.
#pragma once

#include <mylos/transfers/budget.hpp>
#include <mylos/transfers/counts.hpp>
#include <mylos/transfers/region.hpp>
#include <mylos/transfers/scope.hpp>
