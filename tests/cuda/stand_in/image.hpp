// SPDX-License-Identifier: MIT
// What a driver learns of a kernel from its compiled image: cubin or PTX.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace stand_in {

struct ParameterInfo { std::size_t offset = 0, bytes = 0; };

struct KernelInfo {
  std::vector<ParameterInfo> parameters;
  std::size_t parameter_bytes = 0;  ///< to the last byte of the last one
  std::size_t static_shared_bytes = 0;
};

struct ImageInfo {
  int capability = 0;  ///< that a cubin is for; 0 for PTX, which is for all
  std::map<std::string, KernelInfo> kernels;
  std::map<std::string, std::size_t> variables;  ///< their bytes
};

/// Of an image as cuModuleLoadDataEx takes it: without its size. Throws std::runtime_error for what is neither.
ImageInfo image_info(const char* image);

}  // namespace stand_in
