// SPDX-License-Identifier: MIT
#include "emulator/host_headers.hpp"

#include <fmt/format.h>

#include "base/texts.hpp"
#include "emulator/shim_texts.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// "In file included from push.cu:3," or "... push.cu:3:" -> "push.cu:3".
std::string_view includer_in(std::string_view line) {
  constexpr std::string_view beginning = "In file included from ";
  if (!line.starts_with(beginning)) return {};
  line.remove_prefix(beginning.size());
  return line.substr(0, line.find_last_of(",:"));
}

// ".../shim/host/iostream:3:2: error: ..." -> "iostream".
std::string_view header_in(std::string_view line) {
  const std::string folder = fmt::format("{}{}/", in_shim_folder, host_header_folder);
  const auto at = line.find(folder);
  if (at == std::string_view::npos || line.find("error: ") == std::string_view::npos) return {};
  line.remove_prefix(at + folder.size());
  return line.substr(0, line.find(':'));
}

bool is_of_cuda(std::string_view header) { return header.starts_with("cu") || header == "mma.h"; }

}  // namespace

std::string explain_host_headers(std::string_view log) {
  std::string text;
  std::string_view includer;
  bool any_of_cuda = false, any_of_host = false;
  for (const std::string_view line : mylos::detail::lines_of(log)) {
    if (const std::string_view file = includer_in(line); !file.empty()) includer = file;
    const std::string_view header = header_in(line);
    if (header.empty()) continue;
    text += fmt::format("{}: #include <{}>\n", includer, header);
    (is_of_cuda(header) ? any_of_cuda : any_of_host) = true;
  }
  if (any_of_host) {
    text +=
        "headers of the host cannot be used in a kernel, here as with NVRTC: include <cstdint>, <cmath>, <limits>, "
        "<type_traits> and the like, and <mylos/device.hpp>; printf, assert and all of CUDA's functions need no header";
  }
  if (any_of_cuda) {
    if (any_of_host) text += '\n';
    text +=
        "this version of the emulator has no such header of CUDA, and the machine's own is for a GPU: leave it out "
        "under #ifndef MYLOS_EMULATOR; there are <cuda_fp16.h>, <cuda_bf16.h>, <cooperative_groups.h> and "
        "<cuda/atomic>";
  }
  return text;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
