// SPDX-License-Identifier: MIT
// Everything of the core module.
#pragma once

#include <mylos/core/backend.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/core/copy_events.hpp>
#include <mylos/core/host_call.hpp>
#include <mylos/core/output_in.hpp>
#include <mylos/core/session.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/core/value_kind.hpp>
#include <mylos/core/view_traits.hpp>
