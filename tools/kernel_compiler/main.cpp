// SPDX-License-Identifier: MIT
// Compiles kernels for others.
//
//   mylos_kernel_compiler <kernel> <file.cu> <sm_N|compute_N> <output>
//
// The part of ARCHITECTURES of mylos_add_kernels() that runs when a program is built: compiles the kernel as a launch
// would on such a device, and writes it as src/jit/kernel_image.hpp says; <output>.d names the files that it was made
// from.
//
//   mylos_kernel_compiler serve
//
// Calls NVRTC for a program that compiles several kernels at a time: src/jit/nvrtc_process.hpp.
//
// Exit codes: 0 done, 1 not.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/jit/compiler.hpp>
#include <mylos/jit/source.hpp>

#include "jit/kernel_image.hpp"
#include "jit/nvrtc_process.hpp"

namespace {

namespace fs = std::filesystem;
using mylos::jit::NvrtcCompiler;

NvrtcCompiler compiler_at_build_time() {
  try {
    return {};
  } catch (const mylos::BackendError& error) {
    throw mylos::BackendError(fmt::format(
        "ARCHITECTURES of mylos_add_kernels() compiles when the program is built, which needs NVRTC, though "
        "no GPU: {}; or leave ARCHITECTURES out: ports are then compiled when they first run",
        error.what()));
  }
}

// As ARCHITECTURES has it: 90a-virtual for compute_90a.
std::string word_for(const std::string& architecture) {
  const std::string form = architecture.substr(architecture.find('_') + 1);
  return architecture.starts_with("compute_") ? form + "-virtual" : form;
}

[[noreturn]] void refuse(const NvrtcCompiler& compiler, const std::string& architecture) {
  const auto known = compiler.supported_architectures();
  throw mylos::ValueError(
      fmt::format("ARCHITECTURES of mylos_add_kernels(): '{}' is none: {} compiles for {}, and for some of these with "
                  "a or f behind "
                  "the number: write some of these, as in ARCHITECTURES {}",
                  word_for(architecture), compiler.description(), fmt::join(known, ", "), known.back()));
}

// Only NVRTC knows which numbers have a form with a or f: whether it compiles the least of kernels.
bool takes(const NvrtcCompiler& compiler, const std::string& architecture) {
  try {
    const char* const text = "extern \"C\" __global__ void nothing() {}";
    static_cast<void>(compiler.compile({.text = text, .name = "nothing", .architecture = architecture}));
    return true;
  } catch (const mylos::CompileError&) {
    return false;
  }
}

// As make and Ninja read it.
std::string escaped(const std::string& path) {
  std::string word;
  for (const char c : path) {
    if (c == ' ' || c == '#') word += '\\';
    if (c == '$') word += '$';
    word += c;
  }
  return word;
}

// As a rule of make.
std::string dependency_file(const std::string& output, const fs::path& file, const std::string& text) {
  std::string rule = escaped(output) + ": " + escaped(file.string());
  for (const auto& header : mylos::jit::included_files(text, mylos::jit::include_folders(file, {}, {}))) {
    rule += ' ' + escaped(header.path.string());
  }
  return rule + '\n';
}

void compile(const std::string& kernel, const fs::path& file, const std::string& architecture,
             const std::string& output) {
  const NvrtcCompiler compiler = compiler_at_build_time();
  if (!compiler.has_architecture(architecture)) refuse(compiler, architecture);
  const std::string text = mylos::read_file(file);
  mylos::CompiledKernel compiled;
  try {
    compiled = compiler.compile({.text = text, .name = kernel, .file = file.string(), .architecture = architecture});
  } catch (const mylos::CompileError&) {
    if (!takes(compiler, architecture)) refuse(compiler, architecture);
    throw;
  }
  mylos::write_file_atomically(output + ".d", dependency_file(output, file, text));
  mylos::write_file_atomically(output, mylos::jit::detail::packed(compiled));
}

}  // namespace

int main(int argc, char** argv) {
  const bool serves = argc == 2 && std::string_view(argv[1]) == "serve";
  if (argc != 5 && !serves) {
    fmt::print(stderr, "usage: mylos_kernel_compiler <kernel> <file.cu> <sm_N|compute_N> <output>\n");
    return 1;
  }
  try {
    if (serves) {
      mylos::jit::detail::serve_nvrtc();
    } else {
      compile(argv[1], argv[2], argv[3], argv[4]);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
