// SPDX-License-Identifier: MIT
// `mylos new kernel`: a kernel's folder that builds and passes its test, to be changed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mylos_command {

struct NewKernel {
  std::string name;                      ///< a C++ identifier: of the folder, the functor and the port
  std::filesystem::path directory = {};  ///< of all kernels, below the project's folder; empty: see completed()
  std::string name_space = {};           ///< of the catalog; empty: see completed()
  std::filesystem::path project = ".";   ///< the project's folder
};

/// What is empty, filled in: from the mylos_add_kernels() of the project's CMakeLists.txt, where that has one and no
/// more; else "kernels" and "app::kernels". Throws as catalog_call(), when something is empty.
[[nodiscard]] NewKernel completed(NewKernel kernel);

/// Writes <directory>/<name>/<name>.hpp, .cu and _parity.hpp, and a CMakeLists.txt where the project's folder has none.
/// Returns the files that it wrote. `kernel` is completed() first. Throws mylos::ValueError, before anything is
/// written, for names that cannot be: see kernel_name.hpp; and when the kernel's folder exists: nothing is overwritten.
std::vector<std::filesystem::path> make_kernel(const NewKernel& kernel);

}  // namespace mylos_command
