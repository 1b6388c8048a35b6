// SPDX-License-Identifier: MIT
// Everything of the module base: errors, contracts, environment, log, hashing, files, extents, version.
#pragma once

#include <mylos/base/abi.hpp>
#include <mylos/base/contract.hpp>
#include <mylos/base/environment.hpp>
#include <mylos/base/error.hpp>
#include <mylos/base/extents.hpp>
#include <mylos/base/files.hpp>
#include <mylos/base/hash.hpp>
#include <mylos/base/log.hpp>
#include <mylos/base/named_text.hpp>
#include <mylos/base/version.hpp>
