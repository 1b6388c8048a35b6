// SPDX-License-Identifier: MIT
#include "emulator/command_line.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/environment.hpp>
#include <mylos/base/log.hpp>

#include "base/process.hpp"
#include "jit/options.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

using jit::detail::value_of_option;

// What means the same to both compilers, under NVRTC's long name.
struct LongName {
  std::string_view nvrtc;
  std::string_view host;
};
constexpr std::array passed_on{
    LongName{"--define-macro", "-D"},
    LongName{"--undefine-macro", "-U"},
    LongName{"--include-path", "-I"},
    LongName{"--pre-include", "-include"},
    LongName{"-include", "-include"},
    LongName{"-isystem", "-isystem"},
    LongName{"-D", "-D"},
    LongName{"-U", "-U"},
    LongName{"-I", "-I"},
};
// Options of NVRTC that may have their value in the next word, and mean nothing here.
constexpr std::array dropped_with_value{
    std::string_view("-arch"),           std::string_view("--gpu-architecture"), std::string_view("-gencode"),
    std::string_view("-code"),           std::string_view("-maxrregcount"),      std::string_view("--maxrregcount"),
    std::string_view("-Xptxas"),         std::string_view("--ptxas-options"),    std::string_view("-diag-suppress"),
    std::string_view("--diag-suppress"),
};

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

// "N", "N=3", "F(x)=x+1"
std::string definition(std::string_view text) {
  std::string macro = first_line(text);
  const auto equals = macro.find('=');
  if (equals == std::string::npos) return fmt::format("#define {} 1\n", macro);
  macro[equals] = ' ';
  return fmt::format("#define {}\n", macro);
}

// The text is compiled from a folder of its own: what lies in this process' folder is named by its whole path.
std::string pre_include(const std::string& name) {
  std::error_code code;
  const bool is_here = std::filesystem::is_regular_file(name, code);
  return fmt::format("#include \"{}\"\n", is_here ? std::filesystem::absolute(name, code).string() : name);
}

bool is_old_standard(std::string_view name) {
  return name.ends_with("03") || name.ends_with("11") || name.ends_with("14") || name.ends_with("98");
}

// A compiler that does not start is no clang; using it tells the reason.
bool is_clang(const std::vector<std::string>& compiler) {
  const CompilerKind kind = kind_by_file(compiler);
  return kind == CompilerKind::unknown ? compiler_version(compiler).find("clang") != std::string::npos
                                       : kind == CompilerKind::clang;
}

bool is_machine_code(const std::filesystem::path& file) {
  std::array<char, 4> magic{};
  std::ifstream(file, std::ios::binary).read(magic.data(), magic.size());
  return std::string_view(magic.data(), magic.size()) == "\177ELF";
}

// "x86_64-linux-gnu-g++-12" has the name "g++": the last word that is no number.
std::string_view name_in(std::string_view file) {
  const auto is_version = [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-'; };
  while (!file.empty() && is_version(file.back())) file.remove_suffix(1);
  return file.substr(file.rfind('-') + 1);
}

std::vector<std::string> options_of_all_code(const std::vector<std::string>& compiler) {
  std::vector<std::string> options{
      // The same bits as the host functor's, in each lane of a vectorised loop, and what __dmul_rn and the like
      // promise.
      "-ffp-contract=off",
      // As on the device, also where the processor's own char has no sign.
      "-fsigned-char",
      "-fPIC",
      "-fvisibility=hidden",
      "-ffunction-sections",
      // Large frames touch each of their pages, so that an overflow meets the guard page and not what lies beyond.
      "-fstack-clash-protection",
      // An access through a null pointer is to be found, so it must not be taken for impossible.
      "-fno-delete-null-pointer-checks",
      // Where there is no memory left, `new` gives null as on the device. Before clang 18 an option without effect.
      "-fcheck-new",
      // Lines of faults; changes nothing of the code. Of DWARF 5 some tools read the first file's name wrong.
      "-gdwarf-4",
      "-g1",
      "-w",
      "-fdiagnostics-color=never",
#ifdef __x86_64__
      "-march=native",
#else
      "-mcpu=native",
#endif
  };
  if (!is_clang(compiler)) {
    // __shared__ is thread_local: no wrapper functions. Statics of templates belong to their program, not to all.
    options.insert(options.end(), {"-fno-extern-tls-init", "-fno-gnu-unique"});
  }
#ifdef __x86_64__
  if (is_clang(compiler)) options.emplace_back("-mno-red-zone");  // see mylos_switch.hpp
#endif
  return options;
}

// The name "c++" tells nothing; where it is no link, installations of g++ and clang++ have the same file under theirs.
CompilerKind kind_by_neighbour(const std::filesystem::path& file) {
  std::string name = file.filename().string();
  const auto at = name.rfind("c++");
  for (const auto& [other, kind] : {std::pair("g++", CompilerKind::gcc), std::pair("clang++", CompilerKind::clang)}) {
    std::error_code code;
    const auto neighbour = file.parent_path() / std::string(name).replace(at, 3, other);
    if (std::filesystem::equivalent(file, neighbour, code)) return kind;
  }
  return CompilerKind::unknown;
}

}  // namespace

std::vector<std::string> compiler_command() {
  const std::string text = environment::text("MYLOS_CXX").value_or(environment::text("CXX").value_or("c++"));
  std::istringstream words(text);
  std::vector<std::string> command;
  for (std::string word; words >> word;) command.push_back(word);
  if (command.empty()) command.emplace_back("c++");
  return command;
}

std::string compiler_version(const std::vector<std::string>& compiler) {
  static std::mutex mutex;
  static std::map<std::vector<std::string>, std::string> known;
  const std::lock_guard lock(mutex);
  const auto [entry, is_new] = known.try_emplace(compiler);
  if (is_new) {
    std::vector<std::string> question = compiler;
    question.emplace_back("--version");
    entry->second = mylos::detail::run_process(question).output;
  }
  return entry->second;
}

CompilerKind kind_by_file(const std::vector<std::string>& compiler) {
  const auto is_option = [](const std::string& word) { return word.starts_with('-'); };
  if (!std::all_of(compiler.begin() + 1, compiler.end(), is_option)) return CompilerKind::unknown;
  std::error_code code;
  const auto file = std::filesystem::canonical(mylos::detail::program_file(compiler.front()), code);
  if (code || !is_machine_code(file)) return CompilerKind::unknown;
  const std::string whole = file.filename().string();
  const std::string_view name = name_in(whole);
  if (name == "clang" || name == "clang++") return CompilerKind::clang;
  if (name == "c++") return kind_by_neighbour(file);
  return name == "g++" || name == "gcc" ? CompilerKind::gcc : CompilerKind::unknown;
}

TranslatedOptions translated_options(const std::vector<std::string>& options) {
  TranslatedOptions result;
  std::vector<std::string>& translated = result.words;
  std::string includes;
  std::string standard = "c++20";  // as for NVRTC
  for (std::size_t at = 0; at < options.size(); ++at) {
    if (auto value = value_of_option("-std", options, at)) {
      standard = *value;
    } else if (auto long_value = value_of_option("--std", options, at)) {
      standard = *long_value;
    } else if (options[at] == "-fmad=true" || options[at] == "--fmad=true") {
      translated.insert(translated.end(), {"-ffp-contract=fast", "-DMYLOS_CONTRACTION"});
    } else {
      const auto same = std::ranges::find_if(passed_on, [&](const LongName& name) {
        const auto text = value_of_option(name.nvrtc, options, at);
        if (text && name.host == "-D") {
          result.prelude += definition(*text);
        } else if (text && name.host == "-U") {
          result.prelude += fmt::format("#undef {}\n", first_line(*text));
        } else if (text && name.host == "-include") {
          includes += pre_include(*text);
        } else if (text) {
          result.folders.insert(result.folders.end(), {std::string(name.host), *text});
        }
        return text.has_value();
      });
      if (same != passed_on.end()) continue;
      const std::string& option = options[at];
      if (std::ranges::find(dropped_with_value, option) != dropped_with_value.end()) ++at;
      log::debug(fmt::format("the emulator drops the compiler option {}: it concerns GPU code only", option));
    }
  }
  translated.push_back("-std=" + (is_old_standard(standard) ? std::string("c++17") : standard));
  result.prelude += includes;
  return result;
}

std::vector<std::string> code_options(const std::vector<std::string>& compiler) {
  std::vector<std::string> options = options_of_all_code(compiler);
  options.insert(options.end(), {"-O3", "-fno-math-errno", "-fno-trapping-math"});
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") != 0) options.emplace_back("-mprefer-vector-width=512");
#endif
  return options;
}

// Higher levels move and drop accesses: faults are missed, and guarded reads are found unguarded. Functions that the
// compiler knows it would expand without telling of their accesses.
std::vector<std::string> checked_code_options(const std::vector<std::string>& compiler) {
  std::vector<std::string> options = options_of_all_code(compiler);
  options.insert(options.end(), {"-fno-builtin", "-fsanitize=thread", "-fsanitize=bounds,alignment"});
  if (is_clang(compiler)) {
    options.insert(options.end(),
                   {"-O0", "-mllvm", "-tsan-distinguish-volatile=1", "-mllvm", "-tsan-instrument-read-before-write=1",
                    "-mllvm", "-tsan-instrument-func-entry-exit=0"});
  } else {
    options.insert(options.end(),
                   {"-Og", "--param=tsan-distinguish-volatile=1", "--param=tsan-instrument-func-entry-exit=0"});
  }
  return options;
}

bool portable_switch_asked() {
  return environment::choice("MYLOS_EMULATOR_SWITCH", {"in_place", "portable"}).value_or("in_place") == "portable";
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
