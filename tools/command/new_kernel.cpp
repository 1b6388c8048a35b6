// SPDX-License-Identifier: MIT
#include "new_kernel.hpp"

#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>

#include "catalog_names.hpp"
#include "kernel_name.hpp"
#include "skeleton.hpp"

namespace mylos_command {
namespace {

namespace fs = std::filesystem;

void refuse_existing(const fs::path& folder) {
  std::error_code code;
  if (!fs::exists(folder, code)) return;
  throw mylos::ValueError(
      fmt::format("'{}' exists: nothing is overwritten: choose another name, or remove it", folder.string()));
}

}  // namespace

NewKernel completed(NewKernel kernel) {
  if (!kernel.directory.empty() && !kernel.name_space.empty()) return kernel;
  const fs::path file = kernel.project / "CMakeLists.txt";
  std::error_code code;
  const auto call = fs::is_regular_file(file, code) ? catalog_call(mylos::read_file(file)) : std::nullopt;
  const auto filled_in = [](auto& value, const auto& of_call, const char* otherwise) {
    if (value.empty()) value = of_call;
    if (value.empty()) value = otherwise;
  };
  const CatalogCall found = call.value_or(CatalogCall{});
  filled_in(kernel.directory, found.directory, "kernels");
  filled_in(kernel.name_space, found.name_space, "app::kernels");
  return kernel;
}

std::vector<fs::path> make_kernel(const NewKernel& given) {
  const NewKernel kernel = completed(given);
  require_name_and_namespace(kernel.name, kernel.name_space);
  const fs::path folder = kernel.project / kernel.directory / kernel.name;
  refuse_existing(folder);
  const std::string project = kernel.name_space.substr(0, kernel.name_space.find(':'));
  const std::string directory = kernel.directory.generic_string();
  const SkeletonWords words{
      .name = kernel.name, .name_space = kernel.name_space, .project = project, .directory = directory};
  require_compilable(kernel.name);
  std::vector<fs::path> written;
  const auto write = [&](const fs::path& path, std::string_view skeleton) {
    mylos::write_file_atomically(path, filled_skeleton(skeleton, words));
    written.push_back(path);
  };
  fs::create_directories(folder);
  write(folder / (kernel.name + ".hpp"), "kernel.hpp");
  write(folder / (kernel.name + ".cu"), "kernel.cu");
  write(folder / (kernel.name + "_parity.hpp"), "kernel_parity.hpp");
  if (!fs::exists(kernel.project / "CMakeLists.txt")) write(kernel.project / "CMakeLists.txt", "CMakeLists.txt");
  return written;
}

}  // namespace mylos_command
