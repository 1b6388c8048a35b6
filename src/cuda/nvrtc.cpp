// SPDX-License-Identifier: MIT
// The only file that calls NVRTC.
#include <mylos/cuda/nvrtc.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/environment.hpp>
#include <mylos/base/error.hpp>
#include <mylos/cuda/library.hpp>

namespace mylos::inline MYLOS_ABI::cuda {
namespace {

// As nvrtc.h declares them.
using Program = struct OpaqueProgram*;
enum Result : int { success = 0, invalid_option = 5, compilation_error = 6, name_expression_not_valid = 10 };

struct Functions {
  explicit Functions(const Library& library)
      : error_string(library.function<const char*(Result)>("nvrtcGetErrorString")),
        version(library.function<Result(int*, int*)>("nvrtcVersion")),
        number_of_architectures(library.function<Result(int*)>("nvrtcGetNumSupportedArchs")),
        architectures(library.function<Result(int*)>("nvrtcGetSupportedArchs")),
        create(
            library.function<Result(Program*, const char*, const char*, int, const char* const*, const char* const*)>(
                "nvrtcCreateProgram")),
        destroy(library.function<Result(Program*)>("nvrtcDestroyProgram")),
        compile(library.function<Result(Program, int, const char* const*)>("nvrtcCompileProgram")),
        log_size(library.function<Result(Program, std::size_t*)>("nvrtcGetProgramLogSize")),
        log(library.function<Result(Program, char*)>("nvrtcGetProgramLog")),
        cubin_size(library.function<Result(Program, std::size_t*)>("nvrtcGetCUBINSize")),
        cubin(library.function<Result(Program, char*)>("nvrtcGetCUBIN")),
        ptx_size(library.function<Result(Program, std::size_t*)>("nvrtcGetPTXSize")),
        ptx(library.function<Result(Program, char*)>("nvrtcGetPTX")),
        add_name(library.function<Result(Program, const char*)>("nvrtcAddNameExpression")),
        lowered_name(library.function<Result(Program, const char*, const char**)>("nvrtcGetLoweredName")) {}

  const char* (*error_string)(Result);
  Result (*version)(int*, int*);
  Result (*number_of_architectures)(int*);
  Result (*architectures)(int*);
  Result (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*);
  Result (*destroy)(Program*);
  Result (*compile)(Program, int, const char* const*);
  Result (*log_size)(Program, std::size_t*);
  Result (*log)(Program, char*);
  Result (*cubin_size)(Program, std::size_t*);
  Result (*cubin)(Program, char*);
  Result (*ptx_size)(Program, std::size_t*);
  Result (*ptx)(Program, char*);
  Result (*add_name)(Program, const char*);
  Result (*lowered_name)(Program, const char*, const char**);
};

void check(const Functions& nvrtc, Result result, std::string_view call) {
  if (result == success) return;
  throw Error(
      fmt::format("{} failed: NVRTC says {} ({}): this is no error of the kernel's text: try another "
                  "NVRTC (MYLOS_NVRTC=<file>)",
                  call, nvrtc.error_string(result), static_cast<int>(result)));
}

std::vector<const char*> c_strings(const std::vector<std::string>& strings) {
  std::vector<const char*> pointers;
  pointers.reserve(strings.size());
  for (const std::string& string : strings) pointers.push_back(string.c_str());
  return pointers;
}

// Two-call idiom of NVRTC: a size, then the bytes.
std::string fetch(const Functions& nvrtc, Program program, Result (*size_of)(Program, std::size_t*),
                  Result (*copy)(Program, char*), std::string_view what) {
  std::size_t size = 0;
  check(nvrtc, size_of(program, &size), what);
  std::string bytes(size, '\0');
  if (size > 0) check(nvrtc, copy(program, bytes.data()), what);
  return bytes;
}

void drop_final_zero(std::string& text) {
  while (!text.empty() && text.back() == '\0') text.pop_back();
}

// One program from creation to destruction; nothing that NVRTC owns leaves it.
class Compilation {
 public:
  Compilation(const Functions& nvrtc, const NvrtcRequest& request) : nvrtc_(nvrtc) {
    std::vector<std::string> names;
    std::vector<std::string> texts;
    for (const NamedText& header : request.headers) {
      names.emplace_back(header.name);
      texts.emplace_back(header.text);
    }
    check(nvrtc_,
          nvrtc_.create(&program_, request.text.c_str(), request.file_name.c_str(), static_cast<int>(names.size()),
                        c_strings(texts).data(), c_strings(names).data()),
          "nvrtcCreateProgram");
  }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;
  ~Compilation() { nvrtc_.destroy(&program_); }

  void add_name(const std::string& expression) {
    check(nvrtc_, nvrtc_.add_name(program_, expression.c_str()), "nvrtcAddNameExpression");
  }

  Result run(const std::vector<std::string>& options) {
    return nvrtc_.compile(program_, static_cast<int>(options.size()), c_strings(options).data());
  }

  std::string log() {
    std::string text = fetch(nvrtc_, program_, nvrtc_.log_size, nvrtc_.log, "nvrtcGetProgramLog");
    drop_final_zero(text);
    return text;
  }

  // For a virtual architecture NVRTC gives a cubin of no bytes.
  void take_image(NvrtcResult& result) {
    result.image = fetch(nvrtc_, program_, nvrtc_.cubin_size, nvrtc_.cubin, "nvrtcGetCUBIN");
    result.is_ptx = result.image.empty();
    if (!result.is_ptx) return;
    result.image = fetch(nvrtc_, program_, nvrtc_.ptx_size, nvrtc_.ptx, "nvrtcGetPTX");
    drop_final_zero(result.image);
  }

  std::string lowered_name(const std::string& expression) {
    const char* name = nullptr;
    check(nvrtc_, nvrtc_.lowered_name(program_, expression.c_str(), &name), "nvrtcGetLoweredName");
    return name;
  }

 private:
  const Functions& nvrtc_;
  Program program_ = nullptr;
};

}  // namespace

namespace {

// NVRTC asks the loader for its second half by name only when it compiles, and a loader that was given the path of the
// first half (as of a wheel) does not know where to look: one that is loaded already is found.
std::optional<Library> load_builtins(const Library& nvrtc, int major, int minor) {
  const std::filesystem::path folder = std::filesystem::path(nvrtc.path()).parent_path();
  const std::array beside = {(folder / fmt::format("libnvrtc-builtins.so.{}.{}", major, minor)).string()};
  std::error_code code;
  if (!std::filesystem::exists(beside[0], code)) return std::nullopt;
  return Library(beside);
}

}  // namespace

struct Nvrtc::State {
  explicit State(std::span<const std::string> paths) : library(paths), functions(library) {
    check(functions, functions.version(&major, &minor), "nvrtcVersion");
    if (major < 12) {
      throw BackendError(
          fmt::format("{} is NVRTC {}.{}: Mylos needs 12.0 or newer: install a newer CUDA toolkit or "
                      "the PyPI wheel nvidia-cuda-nvrtc, and name its library in MYLOS_NVRTC",
                      library.path(), major, minor));
    }
    builtins = load_builtins(library, major, minor);
    int count = 0;
    check(functions, functions.number_of_architectures(&count), "nvrtcGetNumSupportedArchs");
    architectures.resize(static_cast<std::size_t>(count));
    check(functions, functions.architectures(architectures.data()), "nvrtcGetSupportedArchs");
    std::ranges::sort(architectures);
  }

  Library library;
  std::optional<Library> builtins;
  Functions functions;
  int major = 0;
  int minor = 0;
  std::vector<int> architectures;
  std::mutex mutex;
};

namespace {

struct Found {
  Found() {
    try {
      const auto paths = Nvrtc::candidates();
      library = new Nvrtc(std::span(paths));  // never deleted: other threads may compile while the process ends
    } catch (const std::exception& error) {
      reason = fmt::format(
          "NVRTC cannot be loaded: {}: install a CUDA toolkit or the PyPI wheel nvidia-cuda-nvrtc, or "
          "name the library's file in MYLOS_NVRTC",
          error.what());
    }
  }
  const Nvrtc* library = nullptr;
  std::string reason;
};

const Found& found() noexcept {
  static const Found* once = new Found;
  return *once;
}

}  // namespace

std::string_view Nvrtc::default_file() noexcept { return MYLOS_NVRTC_DEFAULT; }

std::vector<std::string> Nvrtc::candidates(std::string_view last) {
  if (const auto named = environment::text("MYLOS_NVRTC")) return {*named};
  std::vector<std::string> folders = {""};  // what the loader finds by itself
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const auto root = environment::text(variable)) folders.push_back(*root + "/lib64/");
  }
  folders.emplace_back("/usr/local/cuda/lib64/");
  std::vector<std::string> names;
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12"}) {
    for (const std::string& folder : folders) names.push_back(folder + name);
  }
  if (!last.empty()) names.emplace_back(last);
  return names;
}

const Nvrtc* Nvrtc::find() noexcept { return found().library; }

const std::string& Nvrtc::unavailable_reason() noexcept { return found().reason; }

const Nvrtc& Nvrtc::require() {
  if (find() == nullptr) throw BackendError(unavailable_reason());
  return *find();
}

Nvrtc::Nvrtc(std::span<const std::string> paths) : state_(std::make_unique<State>(paths)) {}
Nvrtc::~Nvrtc() = default;

int Nvrtc::major() const noexcept { return state_->major; }
int Nvrtc::minor() const noexcept { return state_->minor; }
std::string Nvrtc::version() const { return fmt::format("{}.{}", state_->major, state_->minor); }
const std::string& Nvrtc::path() const noexcept { return state_->library.path(); }
const std::vector<int>& Nvrtc::supported_architectures() const noexcept { return state_->architectures; }

NvrtcResult Nvrtc::compile(const NvrtcRequest& request) const {
  const std::lock_guard lock(state_->mutex);
  Compilation compilation(state_->functions, request);
  for (const std::string& expression : request.name_expressions) compilation.add_name(expression);
  const Result status = compilation.run(request.options);
  NvrtcResult result;
  result.log = compilation.log();
  switch (status) {
    case success: break;
    case compilation_error: return result;
    case invalid_option:
    case name_expression_not_valid:
      throw CompileError(
          fmt::format("{} does not compile: NVRTC {} ({}) says {}: {}\noptions: {}", request.file_name, version(),
                      path(), state_->functions.error_string(status), result.log, fmt::join(request.options, " ")),
          result.log);
    default:
      throw Error(fmt::format(
          "{} does not compile: NVRTC {} ({}) says {}: {}: check that this NVRTC is complete ({}, "
          "libnvrtc-builtins of the same version beside it)",
          request.file_name, version(), path(), state_->functions.error_string(status), result.log, path()));
  }
  result.compiled = true;
  compilation.take_image(result);
  for (const std::string& expression : request.name_expressions) {
    result.lowered_names.emplace_back(expression, compilation.lowered_name(expression));
  }
  return result;
}

}  // namespace mylos::inline MYLOS_ABI::cuda
