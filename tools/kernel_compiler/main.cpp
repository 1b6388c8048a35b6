// SPDX-License-Identifier: MIT
// The part of ARCHITECTURES of mylos_add_kernels() that runs when a program is built.
//
//   mylos_kernel_compiler <kernel> <file.cu> <sm_N> <output>
//
// Compiles the kernel as a launch would on such a device, and writes it as src/jit/kernel_image.hpp says; <output>.d
// names the files that it was made from. Exit codes: 0 done, 1 not.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/jit/compiler.hpp>
#include <mylos/jit/source.hpp>

#include "jit/kernel_image.hpp"

namespace {

namespace fs = std::filesystem;
using mylos::jit::NvrtcCompiler;

NvrtcCompiler compiler_at_build_time() {
  try {
    return NvrtcCompiler();
  } catch (const mylos::BackendError& error) {
    throw mylos::BackendError(fmt::format(
        "ARCHITECTURES of mylos_add_kernels() compiles when the program is built, which needs NVRTC, though "
        "no GPU: {}; or leave ARCHITECTURES out: ports are then compiled when they first run",
        error.what()));
  }
}

void require_known(const NvrtcCompiler& compiler, const std::string& architecture) {
  const auto known = compiler.supported_architectures();
  if (std::ranges::any_of(known, [&](int number) { return architecture == fmt::format("sm_{}", number); })) return;
  throw mylos::ValueError(fmt::format(
      "ARCHITECTURES of mylos_add_kernels(): '{}' is none: {} compiles for {}: write some of these, as in "
      "ARCHITECTURES {}",
      architecture.substr(architecture.find('_') + 1), compiler.description(), fmt::join(known, ", "), known.back()));
}

// As make writes a path.
std::string escaped(const fs::path& path) {
  std::string text;
  for (const char c : path.string()) {
    if (c == ' ' || c == '#') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

// As a rule of make.
std::string dependency_file(const std::string& output, const fs::path& file, const std::string& text) {
  std::string rule = escaped(output) + ": " + escaped(file);
  for (const auto& header : mylos::jit::included_files(text, mylos::jit::include_folders(file, {}, {}))) {
    rule += ' ' + escaped(header.path);
  }
  return rule + '\n';
}

void compile(const std::string& kernel, const fs::path& file, const std::string& architecture,
             const std::string& output) {
  const NvrtcCompiler compiler = compiler_at_build_time();
  require_known(compiler, architecture);
  const std::string text = mylos::read_file(file);
  const mylos::CompiledKernel compiled =
      compiler.compile({.text = text, .name = kernel, .file = file.string(), .architecture = architecture});
  mylos::write_file_atomically(output + ".d", dependency_file(output, file, text));
  mylos::write_file_atomically(output, mylos::jit::detail::packed(compiled));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "usage: mylos_kernel_compiler <kernel> <file.cu> <sm_N> <output>\n");
    return 1;
  }
  try {
    compile(argv[1], argv[2], argv[3], argv[4]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
