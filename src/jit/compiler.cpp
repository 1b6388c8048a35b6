// SPDX-License-Identifier: MIT
#include <mylos/jit/compiler.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/base/hash.hpp>
#include <mylos/jit/dependencies.hpp>
#include <mylos/jit/diagnostics.hpp>
#include <mylos/jit/headers.hpp>
#include <mylos/jit/signature.hpp>
#include <mylos/jit/source.hpp>

#include "jit/embedded.hpp"
#include "jit/keeping.hpp"
#include "jit/kernel_image.hpp"
#include "jit/nvrtc_facts.hpp"
#include "jit/nvrtc_process.hpp"
#include "jit/options.hpp"
#include "jit/parameter_table.hpp"
#include "jit/struct_fields.hpp"
#include "jit/toolkit_headers.hpp"

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

// What NVRTC is given for a request.
class Prepared {
 public:
  Prepared(const CompileRequest& request, std::vector<std::string> options)
      : folders_(include_folders(request.file, request.options, request.include_dirs)),
        bundle_(bundle(request.text, folders_, request.embedded)),
        architecture_(given_architecture(options).value_or(request.architecture)) {
    const std::vector<OptionMacro> of_options = defined_macros(request.options);
    const std::vector<OptionMacro> unchanged = unchanged_by(request.text, folders_, request.embedded, of_options);
    std::vector<NamedText> own(nvrtc_headers().begin(), nvrtc_headers().end());
    for (const NamedText& header : own) own_headers_.push_back(without_macros(header, unchanged));
    for (const NamedText& header : detail::parameter_texts) {  // which stand before the text
      own.push_back(header);
      own_headers_.push_back(without_macros(header, of_options));
    }
    for (std::size_t i = 0; i < own.size(); ++i) headers_.push_back({own[i].name, own_headers_[i]});
    for (const Bundle::Header& header : bundle_.headers) headers_.push_back({header.name, header.text});
    const Signature signature = parse_signature(request.text, request.name, request.options);
    const std::string expression = kernel_expression(signature, request.instantiate, file_name(request));
    const auto fields = detail::fields_to_ask(instantiated(signature, request.instantiate), request.text,
                                              [&] { return included_files(request.text, folders_, request.embedded); });
    nvrtc_ = {.text = detail::with_parameter_table(bundle_.text, file_name(request), expression, fields),
              .file_name = file_name(request),
              .options = std::move(options),
              .headers = headers_,
              .name_expressions = {}};
    plain_name_ = signature.name;
    if (!signature.is_extern_c) nvrtc_.name_expressions.push_back(expression);  // else the symbol is the name
  }
  ~Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  [[nodiscard]] const cuda::NvrtcRequest& nvrtc() const noexcept { return nvrtc_; }
  [[nodiscard]] const std::string& architecture() const noexcept { return architecture_; }
  /// Of the kernel, without namespaces.
  [[nodiscard]] const std::string& plain_name() const noexcept { return plain_name_; }

  void add_to(Hasher& hasher) const {
    hasher.add(nvrtc_.text).add(nvrtc_.file_name);
    for (const std::vector<std::string>* words : {&nvrtc_.options, &nvrtc_.name_expressions}) {
      hasher.add(std::to_string(words->size()));
      for (const std::string& word : *words) hasher.add(word);
    }
    for (const NamedText& header : headers_) hasher.add(header.name).add(header.text);
  }

 private:
  IncludeFolders folders_;
  Bundle bundle_;
  std::vector<std::string> own_headers_;
  std::vector<NamedText> headers_;
  std::string architecture_, plain_name_;
  cuda::NvrtcRequest nvrtc_;
};

detail::CacheKey key_of(const CompileRequest& request, const Prepared& prepared, const detail::NvrtcFacts& nvrtc,
                        std::span<const fs::path> toolkit_folders) {
  Hasher hasher = detail::begin_key("NVRTC " + nvrtc.version);
  hasher.add(nvrtc.path).add(nvrtc.file);
  prepared.add_to(hasher);
  Dependencies dependencies = jit::dependencies({.text = request.text,
                                                 .file = request.file,
                                                 .options = request.options,
                                                 .include_dirs = request.include_dirs,
                                                 .further_dirs = toolkit_folders,
                                                 .embedded = request.embedded});
  dependencies.add_to(hasher);
  for (std::string& obstacle : detail::obstacles_in(request.options)) {
    dependencies.obstacles.push_back(std::move(obstacle));
  }
  return {hasher.hex(), std::move(dependencies.obstacles)};
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

[[noreturn]] void fail(const CompileRequest& request, const std::string& log, const std::string& compiler,
                       std::span<const fs::path> toolkit_folders) {
  const auto source = [&](const std::string& file) { return text_of(request, file); };
  const IncludeFolders folders = include_folders(request.file, request.options, request.include_dirs);
  const auto lines_to = [&](const std::string& file) {
    return include_chain(request.text, file_name(request), folders, request.embedded, file);
  };
  throw CompileError(
      fmt::format("kernel '{}' does not compile: {} refuses {}: correct the text at the lines below\n{}{}{}",
                  request.name, compiler, file_name(request),
                  errors_with_excerpts(without_consequences(log, detail::is_file_of_table), source, lines_to),
                  advice_on_includes(log, folders), detail::advice_on_toolkit(log, toolkit_folders)),
      log);
}

}  // namespace

std::vector<std::string> debug_options() { return {"-lineinfo", "-DMYLOS_DEBUG"}; }

Compiler::~Compiler() = default;

bool Compiler::has_architecture(std::string_view name) const {
  const std::string_view form = name.substr(name.find('_') + 1);
  const std::string_view number = form.substr(0, form.find_first_of("af"));
  return std::ranges::any_of(supported_architectures(), [&](int one) { return number == fmt::to_string(one); });
}

NvrtcCompiler::NvrtcCompiler() : NvrtcCompiler(nullptr, detail::facts_of_own_nvrtc()) {}

NvrtcCompiler::NvrtcCompiler(const cuda::Nvrtc& nvrtc) : NvrtcCompiler(&nvrtc, detail::facts_of(nvrtc)) {}

NvrtcCompiler::NvrtcCompiler(const cuda::Nvrtc* nvrtc, const detail::NvrtcFacts& facts)
    : nvrtc_(nvrtc),
      facts_(std::make_unique<const detail::NvrtcFacts>(facts)),
      toolkit_folders_(detail::toolkit_folders(facts.path)) {}

NvrtcCompiler::~NvrtcCompiler() = default;

std::span<const int> NvrtcCompiler::supported_architectures() const { return facts_->architectures; }

std::string NvrtcCompiler::description() const { return fmt::format("NVRTC {} ({})", facts_->version, facts_->path); }

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
  const Prepared prepared(request, options_for(request));
  const detail::Keeping keeping(
      fmt::format("kernel '{}' ({}) for {}", request.name, file_name(request), prepared.architecture()),
      key_of(request, prepared, *facts_, toolkit_folders_));
  if (auto kept = keeping.load(detail::unpacked)) return *kept;
  const cuda::Nvrtc& nvrtc = nvrtc_ != nullptr ? *nvrtc_ : cuda::Nvrtc::require();
  const detail::NvrtcFacts facts = detail::facts_of(nvrtc);
  if (nvrtc_ == nullptr && facts != *facts_)
    detail::keep_facts_of_own_nvrtc(facts);  // another one was found: see store()
  const cuda::NvrtcResult result = detail::compile_by_nvrtc(nvrtc, prepared.nvrtc());
  if (!result.compiled) fail(request, result.log, description(), toolkit_folders_);
  CompiledKernel kernel{
      .name = result.lowered_names.empty() ? prepared.plain_name() : result.lowered_names.front().second,
      .architecture = prepared.architecture(),
      .image = result.image,
      .log = result.log,
      .parameters = detail::parameters_in(result.image),
      .fields = detail::fields_in(result.image)};
  keeping.store(key_of(request, Prepared(request, options_for(request)), facts, toolkit_folders_),
                detail::packed(kernel));
  return kernel;
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
