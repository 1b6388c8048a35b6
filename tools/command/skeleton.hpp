// SPDX-License-Identifier: MIT
// The files of skeleton/, made into those of a project.
#pragma once

#include <string>
#include <string_view>

namespace mylos_command {

/// What stands for @NAME@, @NAMESPACE@, @PROJECT@ and @DIRECTORY@.
struct SkeletonWords { std::string_view name = {}, name_space = {}, project = {}, directory = {}; };

/// `file`: its name in skeleton/, without ".in".
[[nodiscard]] std::string filled_skeleton(std::string_view file, const SkeletonWords& words);

}  // namespace mylos_command
