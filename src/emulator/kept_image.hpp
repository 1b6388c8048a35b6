// SPDX-License-Identifier: MIT
// Images of earlier processes.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

#include "emulator/build.hpp"
#include "emulator/loader.hpp"
#include "emulator/source_key.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// What messages call a source's text.
std::string label_of(const Source& source);

/// The image of a source that the cache has, else what `build` makes, which is then kept. `variant` tells apart what is
/// compiled from one source in several ways.
std::shared_ptr<const Image> kept_or_built(const Source& source, const SourceKey& key, std::string_view variant,
                                           const std::function<Built()>& build);

/// The files that the text of a compiler's -MF names, absolute and normal.
std::vector<std::filesystem::path> files_in_rule(std::string_view rule);

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
