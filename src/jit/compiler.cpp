// SPDX-License-Identifier: MIT
#include <mylos/jit/compiler.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/environment.hpp>
#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/jit/diagnostics.hpp>
#include <mylos/jit/headers.hpp>
#include <mylos/jit/signature.hpp>
#include <mylos/jit/source.hpp>

namespace mylos::inline MYLOS_ABI::jit {
namespace {

namespace fs = std::filesystem;

std::string file_name(const CompileRequest& request) {
  return request.file.empty() ? request.name + ".cu" : request.file;
}

// Whether the user gave an option in any of its spellings: "-std=c++17", "--std=c++17", "-std c++17".
std::optional<std::string> given(const std::vector<std::string>& options,
                                 std::initializer_list<std::string_view> names) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    for (const std::string_view name : names) {
      if (options[i] == name) return i + 1 < options.size() ? options[i + 1] : "";
      if (options[i].starts_with(name) && options[i][name.size()] == '=') return options[i].substr(name.size() + 1);
    }
  }
  return std::nullopt;
}

std::optional<std::string> given_architecture(const std::vector<std::string>& options) {
  return given(options, {"-arch", "--gpu-architecture"});
}

// Where the toolkit that NVRTC came with, or another one, keeps cuda_fp16.h and its like.
std::vector<fs::path> find_toolkit_folders(const std::string& nvrtc_library) {
  std::vector<fs::path> roots = {fs::path(nvrtc_library).parent_path().parent_path()};
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const auto root = environment::text(variable)) roots.emplace_back(*root);
  }
  roots.emplace_back("/usr/local/cuda");
  std::error_code code;
  for (const fs::path& root : roots) {
    const fs::path folder = root / "include";
    if (!fs::exists(folder / "cuda_fp16.h", code)) continue;
    std::vector<fs::path> folders = {folder};
    if (fs::is_directory(folder / "cccl", code)) folders.push_back(folder / "cccl");
    return folders;
  }
  return {};
}

// How NVRTC is asked for the symbol: nothing for extern "C", whose symbol is the name.
std::vector<std::string> name_expressions(const CompileRequest& request) {
  const Signature signature = parse_signature(request.text, request.name);
  std::string expression = kernel_expression(signature, request.instantiate, file_name(request));
  if (signature.is_extern_c) return {};
  return {std::move(expression)};
}

// The text behind a file name in NVRTC's log.
std::optional<std::string> text_of(const CompileRequest& request, const std::string& file) {
  if (file == file_name(request)) return request.text;
  for (const std::span<const NamedText> texts : {request.embedded, nvrtc_headers()}) {
    const auto known = std::ranges::find(texts, file, &NamedText::name);
    if (known != texts.end()) return std::string(known->text);
  }
  std::error_code code;
  if (!fs::is_regular_file(file, code)) return std::nullopt;
  return read_file(file);
}

std::string searched_folders(const std::vector<std::string>& options) {
  std::string folders;
  for (const std::string& option : options) {
    if (option.starts_with("-I")) folders += "\n  " + option.substr(2);
  }
  return folders.empty() ? "\nno folder was searched for included files (include_dirs is empty)"
                         : "\nfolders searched for included files:" + folders;
}

[[noreturn]] void fail(const CompileRequest& request, const std::vector<std::string>& options, const std::string& log,
                       const std::string& compiler) {
  const auto source = [&](const std::string& file) { return text_of(request, file); };
  std::string message =
      fmt::format("kernel '{}' does not compile: {} refuses {}: correct the text at the lines below\n{}", request.name,
                  compiler, file_name(request), errors_with_excerpts(log, source));
  if (log.find("could not open source file") != std::string::npos ||
      log.find("cannot open source file") != std::string::npos) {
    message += searched_folders(options);
  }
  throw CompileError(message, log);
}

}  // namespace

std::vector<std::string> debug_options() { return {"-lineinfo", "-DMYLOS_DEBUG"}; }

Compiler::~Compiler() = default;

NvrtcCompiler::NvrtcCompiler() : NvrtcCompiler(cuda::Nvrtc::require()) {}

NvrtcCompiler::NvrtcCompiler(const cuda::Nvrtc& nvrtc)
    : nvrtc_(nvrtc), toolkit_folders_(find_toolkit_folders(nvrtc.path())) {}

std::span<const int> NvrtcCompiler::supported_architectures() const { return nvrtc_.supported_architectures(); }

std::string NvrtcCompiler::description() const { return fmt::format("NVRTC {} ({})", nvrtc_.version(), nvrtc_.path()); }

std::vector<std::string> NvrtcCompiler::options_for(const CompileRequest& request) const {
  // The text's own folder first, then what the options say, then include_dirs: include_folders().
  const fs::path own_folder = include_folders(request.file, {}, {}).own;
  std::vector<std::string> options;
  if (!own_folder.empty()) options.push_back("-I" + own_folder.string());
  options.insert(options.end(), request.options.begin(), request.options.end());
  if (!given(options, {"-std", "--std"})) options.emplace_back("-std=c++20");
  if (!given_architecture(options)) options.push_back("-arch=" + request.architecture);
  if (request.debug) std::ranges::copy(debug_options(), std::back_inserter(options));
  for (const fs::path& folder : request.include_dirs) options.push_back("-I" + folder.string());
  for (const fs::path& folder : toolkit_folders_) options.push_back("-I" + folder.string());
  return options;
}

CompiledKernel NvrtcCompiler::compile(const CompileRequest& request) const {
  const std::vector<std::string> options = options_for(request);
  const Bundle bundled =
      bundle(request.text, include_folders(request.file, request.options, request.include_dirs), request.embedded);
  const std::vector<std::string> macros = defined_macros(request.options);
  std::vector<std::string> texts;  // of our own headers
  for (const NamedText& header : nvrtc_headers()) texts.push_back(without_macros(header.text, macros));
  std::vector<NamedText> headers;
  for (std::size_t i = 0; i < texts.size(); ++i) headers.push_back({nvrtc_headers()[i].name, texts[i]});
  for (const Bundle::Header& header : bundled.headers) headers.push_back({header.name, header.text});
  const cuda::NvrtcResult result = nvrtc_.compile({.text = bundled.text,
                                                   .file_name = file_name(request),
                                                   .options = options,
                                                   .headers = headers,
                                                   .name_expressions = name_expressions(request)});
  if (!result.compiled) fail(request, options, result.log, description());
  return {.name = result.lowered_names.empty() ? parse_signature(request.text, request.name).name
                                               : result.lowered_names.front().second,
          .architecture = given_architecture(options).value_or(request.architecture),
          .image = result.image,
          .log = result.log};
}

std::string choose_architecture(int device, std::span<const int> supported, std::string_view compiler) {
  int best = 0;
  for (const int candidate : supported) {
    if (candidate <= device) best = std::max(best, candidate);
  }
  if (best == 0) {
    const std::string known =
        supported.empty() ? "no architecture at all" : fmt::format("{}", fmt::join(supported, ", "));
    throw BackendError(
        fmt::format("no code can be made for compute capability {}.{}: {} compiles for {}: install a CUDA "
                    "toolkit that still knows this device, or name its NVRTC in MYLOS_NVRTC",
                    device / 10, device % 10, compiler, known));
  }
  return fmt::format("{}_{}", best == device ? "sm" : "compute", best);
}

}  // namespace mylos::inline MYLOS_ABI::jit
