// SPDX-License-Identifier: MIT
#include "cuda/stand_in/image.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <regex>
#include <stdexcept>
#include <string_view>

namespace stand_in {
namespace {

template <class T>
T read(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

// The attributes of a kernel in .nv.info.NAME: each {form, attribute, 16 bits}; form 4 has as many bytes behind it.
constexpr unsigned char sized_form = 4, parameter_info = 0x17, all_parameters = 0x19;

KernelInfo kernel_info(const char* data, const char* end) {
  KernelInfo info;
  while (data + 4 <= end) {
    const auto form = static_cast<unsigned char>(data[0]), attribute = static_cast<unsigned char>(data[1]);
    const auto value = read<std::uint16_t>(data + 2);
    data += 4;
    if (attribute == all_parameters) info.parameter_bytes = value;
    if (form != sized_form) continue;
    if (attribute == parameter_info) {
      const auto ordinal = read<std::uint16_t>(data + 4), offset = read<std::uint16_t>(data + 6);
      if (info.parameters.size() <= ordinal) info.parameters.resize(ordinal + 1U);
      info.parameters[ordinal] = {offset, read<std::uint32_t>(data + 8) >> 18};
    }
    data += value;
  }
  return info;
}

std::map<std::string, std::size_t> variables_in(const char* image, const Elf64_Shdr& symbols, const char* names) {
  std::map<std::string, std::size_t> found;
  for (std::size_t at = 0; at < symbols.sh_size; at += sizeof(Elf64_Sym)) {
    const auto symbol = read<Elf64_Sym>(image + symbols.sh_offset + at);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx == SHN_UNDEF) continue;
    found[names + symbol.st_name] = symbol.st_size;
  }
  return found;
}

ImageInfo cubin_info(const char* image) {
  const auto header = read<Elf64_Ehdr>(image);
  const auto section = [&](unsigned n) { return read<Elf64_Shdr>(image + header.e_shoff + n * sizeof(Elf64_Shdr)); };
  const char* const names = image + section(header.e_shstrndx).sh_offset;
  ImageInfo found;
  std::map<std::string, std::size_t> shared;
  for (unsigned n = 0; n < header.e_shnum; ++n) {
    const Elf64_Shdr current = section(n);
    const std::string name = names + current.sh_name, of_kernel = ".nv.info.", of_shared = ".nv.shared.";
    const char* const data = image + current.sh_offset;
    if (name.starts_with(of_kernel)) {
      found.kernels[name.substr(of_kernel.size())] = kernel_info(data, data + current.sh_size);
    } else if (name.starts_with(of_shared)) {
      shared[name.substr(of_shared.size())] = current.sh_size;
    } else if (current.sh_type == SHT_SYMTAB) {
      found.variables = variables_in(image, current, image + section(current.sh_link).sh_offset);
    }
  }
  // From compute capability 9.0 on a block's shared memory begins with a part of the system's own.
  const std::size_t reserved = shared.contains("reserved.0") ? 1024 : 0;
  for (auto& [name, kernel] : found.kernels) {
    if (shared.contains(name)) kernel.static_shared_bytes = shared[name] - reserved;
  }
  const unsigned of_old_abi = header.e_flags & 0xFFU, of_new_abi = header.e_flags >> 8 & 0xFFU;
  found.capability = static_cast<int>(header.e_ident[EI_ABIVERSION] >= 8 ? of_new_abi : of_old_abi);
  return found;
}

std::size_t ptx_bytes(const std::string& type) { return std::stoul(type.substr(1)) / 8; }

ImageInfo ptx_info(const std::string& text) {
  static const std::regex entry(R"(\.entry\s+(\w+)\s*\(([^)]*)\))");
  static const std::regex parameter(R"(\.param\s+(?:\.align\s+(\d+)\s+)?\.(\w+)[^,\[]*(?:\[(\d+)\])?)");
  ImageInfo found;
  for (std::sregex_iterator kernel(text.begin(), text.end(), entry), end; kernel != end; ++kernel) {
    KernelInfo info;
    const std::string list = (*kernel)[2];
    for (std::sregex_iterator at(list.begin(), list.end(), parameter); at != end; ++at) {
      const std::size_t unit = ptx_bytes((*at)[2]);
      const std::size_t alignment = (*at)[1].matched ? std::stoul((*at)[1]) : unit;
      const std::size_t bytes = (*at)[3].matched ? unit * std::stoul((*at)[3]) : unit;
      const std::size_t offset = (info.parameter_bytes + alignment - 1) / alignment * alignment;
      info.parameters.push_back({offset, bytes});
      info.parameter_bytes = offset + bytes;
    }
    found.kernels[(*kernel)[1]] = info;
  }
  static const std::regex declaration(R"(\.(?:const|global)\s+\.align\s+\d+\s+\.(\w+)\s+(\w+)(?:\[(\d+)\])?\s*[=;])");
  for (std::sregex_iterator variable(text.begin(), text.end(), declaration), end; variable != end; ++variable) {
    const std::size_t count = (*variable)[3].matched ? std::stoul((*variable)[3]) : 1;
    found.variables[(*variable)[2]] = ptx_bytes((*variable)[1]) * count;
  }
  return found;
}

}  // namespace

ImageInfo image_info(const char* image) {
  if (std::memcmp(image, ELFMAG, SELFMAG) == 0) return cubin_info(image);
  const std::string text(image);
  if (text.find(".version") == std::string::npos || text.find(".target") == std::string::npos) {
    throw std::runtime_error("the image is neither a cubin nor PTX");
  }
  return ptx_info(text);
}

}  // namespace stand_in
