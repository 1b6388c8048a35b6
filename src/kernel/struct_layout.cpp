// SPDX-License-Identifier: MIT
#include <mylos/kernel/struct_layout.hpp>

#include <algorithm>
#include <functional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/error.hpp>
#include <mylos/cuda/nvrtc.hpp>
#include <mylos/emulator/compiler.hpp>
#include <mylos/jit/compiler.hpp>
#include <mylos/jit/diagnostics.hpp>

namespace mylos::inline MYLOS_ABI {
namespace {

constexpr const char* kernel_name = "mylos_layout_check";
constexpr const char* text_name = "mylos_layout_check.cu";
constexpr int line_of_name = 3;  // only what the struct is called can be wrong there

// An assertion fails with this text, which is also how its line is known from other errors.
std::string assertion(std::string_view expression, std::size_t value, std::string_view what) {
  return fmt::format("static_assert({} == {}, \"on the host, {} {}\");\n", expression, value, what, value);
}

// By the same classes of types as the table of parameters (jit/mylos_parameters.hpp).
std::string type_assertion(const FieldLayout& field) {
  return fmt::format(
      "static_assert(mylos_some_field<decltype(mylos_struct::{0}), 0>::type == {1}, \"on the host, the type of field "
      "'{0}' is {2}\");\n",
      field.name, static_cast<unsigned>(field.type), type_text(field));
}

std::string text_for(const StructLayout& layout, const std::filesystem::path& header) {
  // By one name without a comma, which offsetof, a macro, takes "Pair<int, 2>" apart at.
  std::string text =
      fmt::format("#include <cstddef>\n#include \"{}\"\nusing mylos_struct = {};\n", header.string(), layout.name);
  text += assertion("sizeof(mylos_struct)", layout.size, "its size is");
  text += assertion("alignof(mylos_struct)", layout.alignment, "its alignment is");
  for (const FieldLayout& field : layout.fields) {
    text += assertion(fmt::format("offsetof(mylos_struct, {})", field.name), field.offset,
                      fmt::format("the offset of field '{}' is", field.name));
    text += assertion(fmt::format("sizeof(((mylos_struct*)nullptr)->{})", field.name), field.size,
                      fmt::format("the size of field '{}' is", field.name));
    text += type_assertion(field);
  }
  return text + fmt::format("extern \"C\" __global__ void {}() {{}}\n", kernel_name);
}

struct Findings {
  bool in_header = false;  // which is no kernel text, or cannot be found
  bool no_such_type = false;
  std::vector<std::string> differences;
};

Findings findings(const CompileError& error) {
  Findings found;
  for (const jit::Diagnostic& diagnostic : jit::parse_diagnostics(error.log())) {
    if (!diagnostic.is_error) continue;
    found.in_header |= !diagnostic.file.ends_with(text_name) || diagnostic.line < line_of_name;
    found.no_such_type |= diagnostic.line == line_of_name;
    std::string line = "\n  " + diagnostic.message;
    if (std::ranges::find(found.differences, line) == found.differences.end()) {
      found.differences.push_back(std::move(line));
    }
  }
  return found;
}

struct KernelCompiler {
  std::string name;
  std::function<void()> compile;
};

// Those that this process can have; `why_none` says why the others are missing.
std::vector<KernelCompiler> compilers(const std::string& text, const std::vector<std::filesystem::path>& include_dirs,
                                      std::string& why_none) {
  std::vector<KernelCompiler> all;
  const emulator::Source source{.text = text, .name = kernel_name, .file = text_name, .include_dirs = include_dirs};
  all.push_back({"the emulator", [source] { (void)emulator::compile(source); }});
  if (cuda::Nvrtc::find() == nullptr) {
    why_none = cuda::Nvrtc::unavailable_reason();
    return all;
  }
  const jit::NvrtcCompiler nvrtc;
  jit::CompileRequest request{.text = text,
                              .name = kernel_name,
                              .file = text_name,
                              .architecture = fmt::format("compute_{}", nvrtc.supported_architectures().front()),
                              .include_dirs = include_dirs};
  all.push_back({nvrtc.description(), [request = std::move(request)] { (void)jit::NvrtcCompiler().compile(request); }});
  return all;
}

void require_same(const StructLayout& layout, const std::filesystem::path& header, const KernelCompiler& compiler) {
  try {
    compiler.compile();
  } catch (const CompileError& error) {
    const Findings found = findings(error);
    if (found.in_header || found.differences.empty()) throw;
    if (found.no_such_type) {
      throw LookupError(
          fmt::format("struct '{0}': {1} compiles as kernel text for {2}, and defines no '{0}': its layout cannot be "
                      "compared: give the name that kernels know it by, with its namespace",
                      layout.name, header.string(), compiler.name));
    }
    throw SignatureError(
        fmt::format("struct '{}' of {} is not the same for {} as on the host: a kernel would find other bytes in it: "
                    "include this header on the host too, with the same macros, and use types of fixed size:{}",
                    layout.name, header.string(), compiler.name, fmt::join(found.differences, "")));
  }
}

}  // namespace

void verify_layout(const StructLayout& layout, const std::filesystem::path& header,
                   const std::vector<std::filesystem::path>& include_dirs) {
  std::error_code none;
  const std::filesystem::path absolute = std::filesystem::absolute(header);
  if (!std::filesystem::is_regular_file(absolute, none)) {
    throw LookupError(fmt::format("struct '{}': there is no header {}: give the path of the file that defines it",
                                  layout.name, absolute.string()));
  }
  std::string reasons;
  bool compiled = false;
  for (const KernelCompiler& compiler : compilers(text_for(layout, absolute), include_dirs, reasons)) {
    try {
      require_same(layout, header, compiler);
      compiled = true;
    } catch (const BackendError& error) {
      reasons += fmt::format("{}{}", reasons.empty() ? "" : "; ", error.what());
    }
  }
  if (!compiled) {
    throw BackendError(
        fmt::format("struct '{}': no compiler of kernels can be used to compare its layout: {}", layout.name, reasons));
  }
}

}  // namespace mylos::inline MYLOS_ABI
