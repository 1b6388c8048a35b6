// SPDX-License-Identifier: MIT
#include "kernel/kernel_path.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <mylos/base/environment.hpp>
#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>

namespace mylos::inline MYLOS_ABI::detail {
namespace {

namespace fs = std::filesystem;

constexpr const char* variable = "MYLOS_KERNEL_PATH";

std::vector<fs::path> folders_in(std::string_view list) {
  std::vector<fs::path> folders;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    const fs::path folder = list.substr(begin, end - begin);
    begin = end + 1;
    if (folder.empty()) continue;
    std::error_code code;
    if (fs::is_regular_file(folder, code)) {
      throw ValueError(fmt::format(
          "{}={}: '{}' is a file: folders are searched for the ports of all kernels: name the one that it is in, '{}'",
          variable, list, folder.string(), fs::absolute(folder).parent_path().string()));
    }
    if (!fs::is_directory(folder, code)) {
      throw ValueError(
          fmt::format("{}={}: there is no folder '{}': kernels are to be read from there: correct it, or unset it",
                      variable, list, folder.string()));
    }
    folders.push_back(folder);
  }
  return folders;
}

}  // namespace

std::optional<fs::path> file_in_kernel_path(std::string_view kernel) {
  const auto list = environment::text(variable);
  if (!list) return std::nullopt;
  const std::string name = fmt::format("{}.cu", kernel);
  for (const fs::path& folder : folders_in(*list)) {
    for (const fs::path& file : {folder / kernel / name, folder / name}) {
      std::error_code code;
      if (!fs::is_regular_file(file, code)) continue;
      fs::path found = fs::absolute(file).lexically_normal();
      log::info(fmt::format("kernel '{}': {} replaces the port that is part of the program ({})", kernel,
                            found.string(), variable));
      return found;
    }
  }
  log::info(
      fmt::format("kernel '{0}': there is no {0}/{0}.cu and no {0}.cu in {1}={2}: the port that is part of the "
                  "program is taken",
                  kernel, variable, *list));
  return std::nullopt;
}

}  // namespace mylos::inline MYLOS_ABI::detail
