// SPDX-License-Identifier: MIT
// `mylos new kernel`: a kernel's folder that builds and passes its test, to be changed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mylos_command {

struct NewKernel {
  std::string name;                             ///< a C++ identifier: of the folder, the functor and the port
  std::filesystem::path directory = "kernels";  ///< of all kernels, below the project's folder
  std::string name_space = "app::kernels";      ///< of the catalog
  std::filesystem::path project = ".";          ///< the project's folder
};

/// Writes <directory>/<name>/<name>.hpp, .cu and _parity.hpp, and a CMakeLists.txt where the project's folder has none.
/// Returns the files that it wrote. Throws mylos::ValueError for a name or a namespace that C++ does not take, and when
/// the kernel's folder exists: nothing is overwritten.
std::vector<std::filesystem::path> make_kernel(const NewKernel& kernel);

}  // namespace mylos_command
