// SPDX-License-Identifier: MIT
#include "jit/toolkit_headers.hpp"

#include <algorithm>
#include <array>
#include <system_error>

#include <fmt/format.h>

#include <mylos/base/environment.hpp>

#include "base/texts.hpp"

namespace mylos::inline MYLOS_ABI::jit::detail {
namespace {

namespace fs = std::filesystem;

// Each with an "include" in it. Python's packages have one folder for each part: nvidia/cuda_nvrtc/lib/libnvrtc.so.12.
std::vector<fs::path> roots_for(const fs::path& nvrtc_library) {
  const fs::path own = nvrtc_library.parent_path().parent_path();
  std::vector<fs::path> roots = {own, own / "targets/x86_64-linux", own.parent_path() / "cuda_runtime"};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const auto root = environment::text(variable)) roots.emplace_back(*root);
  }
  roots.emplace_back("/usr/local/cuda");
  return roots;
}

// The name in: could not open source file "cuda_fp16.h".
std::string_view missing_header(std::string_view line) {
  constexpr std::string_view words = "open source file \"";
  const std::size_t begin = line.find(words);
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin + words.size());
  return line.substr(0, line.find('"'));
}

bool is_of_toolkit(std::string_view header) {
  static constexpr std::array<std::string_view, 6> beginnings = {
      "cuda", "cooperative_groups", "cub/", "cuComplex", "curand", "mma.h"};
  return std::ranges::any_of(beginnings, [&](std::string_view beginning) { return header.starts_with(beginning); });
}

}  // namespace

std::vector<fs::path> toolkit_folders(const fs::path& nvrtc_library) {
  std::error_code code;
  for (const fs::path& root : roots_for(nvrtc_library)) {
    const fs::path folder = root / "include";
    if (!fs::exists(folder / "cuda_fp16.h", code)) continue;
    std::vector<fs::path> folders = {folder};
    for (const fs::path& libraries : {folder / "cccl", root.parent_path() / "cuda_cccl/include"}) {
      if (fs::is_directory(libraries, code)) folders.push_back(libraries);
    }
    return folders;
  }
  return {};
}

std::string advice_on_toolkit(std::string_view log, std::span<const fs::path> folders) {
  for (const std::string_view line : mylos::detail::lines_of(log)) {
    const std::string_view header = missing_header(line);
    if (!is_of_toolkit(header)) continue;
    const std::string searched = folders.empty()
                                     ? "was found neither beside NVRTC nor in CUDA_HOME, CUDA_PATH or "
                                       "/usr/local/cuda"
                                     : fmt::format("was found in {}, but lacks it", folders.front().string());
    return fmt::format(
        "<{}> is a header of the CUDA toolkit, which {}: install it (of Python's packages: nvidia-cuda-runtime and "
        "nvidia-cuda-cccl), and name its folder by CUDA_HOME if need be\n",
        header, searched);
  }
  return {};
}

}  // namespace mylos::inline MYLOS_ABI::jit::detail
