// SPDX-License-Identifier: MIT
#include "check.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/emulator/compiler.hpp>
#include <mylos/jit/compiler.hpp>
#include <mylos/jit/signature.hpp>

#include "parity_run.hpp"

namespace mylos_command {
namespace {

namespace fs = std::filesystem;

bool is_cuda_file(const fs::path& path) { return path.extension() == ".cu"; }

// What is told of one function of the text: "ptxas info : Compiling entry function 'push' for 'sm_90'", then "Used 28
// registers, ..., 256 bytes smem, ..." and "8 bytes spill stores, 4 bytes spill loads".
void read_usage(const mylos::CompiledKernel& compiled, Outcome& outcome) {
  const auto begin = compiled.log.find(fmt::format("entry function '{}'", compiled.name));
  if (begin == std::string::npos) return;
  const std::string log = compiled.log.substr(begin, compiled.log.find("entry function", begin + 1) - begin);
  const auto number = [&log](const char* pattern, int otherwise) {
    std::smatch found;
    return std::regex_search(log, found, std::regex(pattern)) ? std::stoi(found[1]) : otherwise;
  };
  outcome.registers = number("Used ([0-9]+) registers", -1);
  outcome.shared_bytes = number("([0-9]+) bytes smem", 0);
  outcome.spill_bytes = number("([0-9]+) bytes spill stores", 0) + number("([0-9]+) bytes spill loads", 0);
}

// One kernel of a file, for all compilers.
class Compilations {
 public:
  Compilations(const CheckOptions& options, fs::path file, std::string text, std::string name)
      : options_(options),
        file_(std::move(file)),
        text_(std::move(text)),
        name_(std::move(name)),
        signature_(mylos::jit::parse_signature(text_, name_)) {}

  [[nodiscard]] Outcome by_nvrtc(const std::string& architecture) const {
    return tried(architecture, [&](Outcome& outcome) {
      mylos::jit::CompileRequest request{.text = text_,
                                         .name = name_,
                                         .file = file_.string(),
                                         .architecture = architecture,
                                         .options = options_.compiler_options,
                                         .include_dirs = options_.include_dirs};
      request.options.emplace_back("--ptxas-options=-v");
      const mylos::CompiledKernel compiled = mylos::jit::NvrtcCompiler().compile(request);
      confirm_types(compiled.parameters);
      read_usage(compiled, outcome);
    });
  }

  [[nodiscard]] Outcome by_emulator() const {
    return tried("emulator", [&](Outcome& outcome) {
      const auto program =
          mylos::emulator::compile({.text = text_,
                                    .name = name_,
                                    .file = file_.string(),
                                    .options = options_.compiler_options,
                                    .include_dirs = options_.include_dirs,
                                    .instantiate = mylos::jit::kernel_expression(signature_, {}, file_.string())});
      confirm_types(program->parameters());
      outcome.shared_bytes = static_cast<int>(program->static_shared_bytes());
    });
  }

 private:
  void confirm_types(const std::vector<mylos::ParameterLayout>& found) const {
    mylos::jit::confirm_types(mylos::jit::instantiated(signature_, {}), found);
  }

  template <class Compile>
  static Outcome tried(std::string target, Compile&& compile) {
    Outcome outcome{.target = std::move(target)};
    try {
      compile(outcome);
    } catch (const mylos::Error& error) {
      outcome.error = error.what();
    }
    return outcome;
  }

  const CheckOptions& options_;
  fs::path file_;
  std::string text_, name_;
  mylos::Signature signature_;
};

void compile_all(const CheckOptions& options, const std::string& text, CheckedKernel& kernel,
                 const std::function<void(const std::string&)>& progress) {
  const Compilations compilations(options, kernel.file, text, kernel.name);
  if (options.emulator) {
    progress(fmt::format("{} for the emulator", kernel.name));
    kernel.outcomes.push_back(compilations.by_emulator());
  }
  for (const std::string& architecture : options.architectures) {
    progress(fmt::format("{} for {}", kernel.name, architecture));
    kernel.outcomes.push_back(compilations.by_nvrtc(architecture));
  }
}

void skip_all(const CheckOptions& options, const std::string& reason, CheckedKernel& kernel) {
  std::vector<std::string> targets = options.architectures;
  if (options.emulator) targets.insert(targets.begin(), "emulator");
  for (const std::string& target : targets) kernel.outcomes.push_back({.target = target, .skipped = reason});
}

CheckedKernel checked(const CheckOptions& options, const fs::path& file, const std::string& text, std::string name,
                      const std::function<void(const std::string&)>& progress) {
  CheckedKernel kernel{.file = file, .name = std::move(name)};
  try {
    const mylos::Signature signature = mylos::jit::parse_signature(text, kernel.name);
    kernel.signature = to_string(signature);
    const bool needs_arguments = std::ranges::count(signature.template_defaults, "") > 0;
    if (needs_arguments) {
      skip_all(options, "template", kernel);
    } else {
      compile_all(options, text, kernel, progress);
    }
  } catch (const mylos::Error& error) {
    kernel.error = error.what();
  }
  return kernel;
}

void require_nvrtc(const std::vector<std::string>& architectures) {
  const mylos::jit::NvrtcCompiler compiler;
  for (const std::string& architecture : architectures) {
    if (compiler.has_architecture(architecture)) continue;
    const auto known = compiler.supported_architectures();
    throw mylos::ValueError(
        fmt::format("--arch {}: {} does not compile for it, but for {}: choose one of these, as in --arch sm_{}",
                    architecture, compiler.description(), fmt::join(known, ", "), known.back()));
  }
}

void require_compilers(const CheckOptions& options) {
  if (!options.architectures.empty()) require_nvrtc(options.architectures);
  const std::string reason = options.emulator ? mylos::emulator::compiler_info().unusable_reason : "";
  if (!reason.empty()) throw mylos::BackendError(reason + "; or check without it: --no-emulator");
}

}  // namespace

bool CheckedKernel::good() const { return error.empty() && std::ranges::all_of(outcomes, &Outcome::good); }

std::vector<fs::path> cuda_files(const std::vector<fs::path>& paths) {
  std::set<fs::path> files;
  for (const fs::path& path : paths) {
    std::error_code code;
    if (!fs::exists(path, code)) {
      throw mylos::LookupError(
          fmt::format("'{}' does not exist: give a .cu file, or a folder that holds some", path.string()));
    }
    if (!fs::is_directory(path, code)) {
      files.insert(path);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file() && is_cuda_file(entry.path())) files.insert(entry.path());
    }
  }
  if (files.empty()) {
    std::string searched;
    for (const fs::path& path : paths) searched += fmt::format("{}'{}'", searched.empty() ? "" : ", ", path.string());
    throw mylos::LookupError(fmt::format("no .cu file in {}: a kernel stands in <name>/<name>.cu", searched));
  }
  return {files.begin(), files.end()};
}

std::vector<CheckedKernel> check(const CheckOptions& options, const std::function<void(const std::string&)>& progress) {
  require_compilers(options);
  std::vector<CheckedKernel> kernels;
  for (const fs::path& file : cuda_files(options.paths)) {
    const std::string text = mylos::read_file(file);
    const std::vector<std::string> names = mylos::jit::kernel_names(text);
    if (names.empty()) {
      kernels.push_back({.file = file, .error = "no kernel: a kernel is a __global__ function that is written out"});
    }
    for (const std::string& name : names) kernels.push_back(checked(options, file, text, name, progress));
    // A folder of a catalog: <name>/<name>.cu.
    const std::string port = file.stem().string();
    if (!names.empty() && fs::absolute(file).parent_path().filename() == port && !std::ranges::count(names, port)) {
      kernels.push_back({.file = file,
                         .name = port,
                         .error =
                             "no kernel of this name: mylos_add_kernels takes the port of a folder by it: name the "
                             "kernel, or the folder and its file"});
    }
  }
  if (options.run) run_parity(options, kernels, progress);
  return kernels;
}

}  // namespace mylos_command
