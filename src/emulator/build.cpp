// SPDX-License-Identifier: MIT
#include "emulator/build.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/base/log.hpp>
#include <mylos/emulator/launch.hpp>
#include <mylos/jit/diagnostics.hpp>
#include <mylos/jit/headers.hpp>
#include <mylos/jit/source.hpp>

#include "base/process.hpp"
#include "emulator/command_line.hpp"
#include "emulator/host_headers.hpp"
#include "emulator/kept_image.hpp"
#include "emulator/line_lookup.hpp"
#include "emulator/object_file.hpp"
#include "emulator/precompiled_shim.hpp"
#include "emulator/shared_guard.hpp"
#include "emulator/shared_zones.hpp"
#include "emulator/shim_texts.hpp"
#include "emulator/source_lines.hpp"
#include "jit/struct_fields.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

using mylos::detail::ProcessResult;
using mylos::detail::run_process;
using mylos::detail::TemporaryFolder;

// How a kernel's threads can be run: one after another, or each as it may go on.
enum class Entries { loop, threads, both };

std::string entries_of(Entries entries) {
  std::string text;
  if (entries != Entries::threads) text += "MYLOS_LOOP_ENTRY\n";
  if (entries != Entries::loop) text += "MYLOS_THREADS_ENTRY\n";
  return text;
}

// Without the entries. `prelude` is what the options define and include.
std::string translation_unit(const Source& source, const std::string& prelude, const std::string& text,
                             const jit::IncludeFolders& folders) {
  const std::string kernel = fmt::format("(&{})", source.instantiate.empty() ? source.name : source.instantiate);
  const auto fields = jit::detail::fields_to_ask(source.name, source.instantiate, source.options, source.text, [&] {
    return jit::included_files(source.text, folders, source.embedded);
  });
  return fmt::format("#include \"{}\"\n{}{}{}{}\n{}{}MYLOS_KERNEL({})\n", shim_file, jit::line_directive(options_file),
                     prelude, jit::line_directive(label_of(source)), text, jit::line_directive(launcher_file),
                     jit::detail::field_table(fields, kernel, "static"), kernel);
}

// Everything that a text may include: much work for a file system.
void write_headers(const TemporaryFolder& folder, const jit::Bundle& bundle, const Source& source,
                   const jit::IncludeFolders& folders) {
  const std::filesystem::path shim = shim_folder;
  const auto macros = jit::unchanged_by(source.text, folders, source.embedded, jit::defined_macros(source.options));
  for (const NamedText& header : shim_texts) folder.write(shim / header.name, header.text);
  for (const NamedText& header : jit::device_headers()) {
    folder.write(shim / header.name, jit::without_macros(header, macros));
  }
  for (const jit::Bundle::Header& header : bundle.headers) folder.write(shim / header.name, header.text);
}

// Assembler text that defines the named dynamic shared arrays, all at one address; empty for no names.
std::string dynamic_shared_memory(const std::vector<std::string>& names) {
  if (names.empty()) return {};
  std::string text = ".section .tbss,\"awT\",%nobits\n.balign 256\n";
  text += fmt::format(".globl {0}\n.type {0}, %tls_object\n{0}:\n", dynamic_shared_symbol);
  for (const std::string& name : names) {
    text += fmt::format(".globl {0}\n.hidden {0}\n.type {0}, %tls_object\n{0}:\n", name);
  }
  text += fmt::format(".zero {0}\n.size {1}, {0}\n", max_shared_bytes + shared_zone_bytes, dynamic_shared_symbol);
  for (const std::string& name : names) text += fmt::format(".size {}, {}\n", name, max_shared_bytes);
  return text + ".section .note.GNU-stack,\"\",%progbits\n";
}

// The errors beside the lines of the kernel's text. Why a launch in it cannot work is not in the compiler's words.
std::string explained(const std::string& log, const Source& source, const jit::IncludeFolders& folders) {
  if (std::string headers = explain_host_headers(log); !headers.empty()) return headers;
  const auto text_of_file = [&source](const std::string& file) { return text_of(source, file); };
  const auto lines_to = [&](const std::string& file) {
    const std::string name = is_own_file(file) ? shown_file(file) : file;
    return jit::include_chain(source.text, label_of(source), folders, source.embedded, name);
  };
  const auto is_ours = [](std::string_view file) {
    return file == launcher_file || file.ends_with("/mylos_launcher.hpp") || file.ends_with("/mylos_parameters.hpp");
  };
  std::string text = jit::errors_with_excerpts(jit::without_consequences(log, is_ours), text_of_file, lines_to);
  if (text.find("<<<") != std::string::npos) {
    text +=
        "\n(a launch <<<...>>> is host code: the text of a kernel cannot hold it: launch from C++ by a CudaKernel, or "
        "leave it out under #ifndef MYLOS_EMULATOR)";
  }
  return text;
}

ProcessResult call_compiler(const std::vector<std::string>& command) {
  ProcessResult result = run_process(command);
  if (!result.started) {
    throw BackendError(
        fmt::format("cannot run the C++ compiler '{}': the emulator compiles kernels with it: install g++ "
                    "or clang++, or name one by MYLOS_CXX (or CXX)",
                    command.front()));
  }
  if (result.exit_code != 0 && result.output.find_first_not_of(" \n") == std::string::npos) {
    throw BackendError(
        fmt::format("the C++ compiler '{}', with which the emulator compiles kernels, ended with exit code {} and said "
                    "nothing: it is no compiler, or was ended from outside: name another one by MYLOS_CXX (or CXX)",
                    command.front(), result.exit_code));
  }
  return result;
}

bool has_any_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// What a text may need, by parts of the words by which threads meet, or wait for each other, and of headers' names.
Entries guess(std::string_view text) {
  if (has_any_of(text, {"sync", "shfl", "groups", "device/reduce", "device/scan"})) return Entries::threads;
  return has_any_of(text, {"tomic", "activemask", "sleep"}) ? Entries::both : Entries::loop;
}
// The loader takes the loop of a vector loop, and the threads of all others.
bool is_enough(Entries entries, Execution execution) {
  return entries == Entries::both || (entries == Entries::loop) == (execution == Execution::vector_loop);
}

// A backslash may part the word by the end of a line.
bool may_include(std::string_view text) { return has_any_of(text, {"include", "import", "\\"}); }

class Build {
 public:
  Build(const Source& source, Form form, bool portable_switch)
      : source_(source),
        folders_(jit::include_folders(source.file, source.options, source.include_dirs)),
        bundle_(jit::bundle(source.text, folders_, source.embedded)),
        options_(translated_options(source.options)),
        form_(form),
        portable_switch_(portable_switch) {}

  Built run() {
    unit_ = translation_unit(source_, options_.prelude, bundle_.text, folders_);
    fill_folder();
    const ObjectFile object = form_ == Form::checked ? checked_object() : unchecked_object();
    KernelFacts facts = examine(object);
    if (form_ == Form::checked) facts.execution = Execution::fibers;
    link(dynamic_shared_memory(object.undefined_thread_locals()), object.needs_libraries());
    return {std::make_shared<Image>(
                Image{read_file(folder_.path() / "kernel.so"), facts, portable_switch_, label_of(source_)}),
            files_read()};
  }

 private:
  // A text that includes nothing needs no file of the shim, once that is precompiled.
  void fill_folder() {
    precompiled_ = load_precompiled_shim(folder_, command());
    if (!precompiled_ || may_include(bundle_.text) || may_include(options_.prelude)) {
      write_headers(folder_, bundle_, source_, folders_);
    }
    if (!precompiled_) precompiled_ = make_precompiled_shim(folder_, command());
  }

  ObjectFile checked_object() {
    compile(Entries::threads, "-S", "kernel.s");
    assemble(with_zones(read_file(folder_.path() / "kernel.s")));
    return object();
  }

  // With one entry where the text says which, which saves half of the time; the object file tells whether it is right.
  ObjectFile unchecked_object() {
    const Entries entries = guess(source_.text);
    compile(entries, "-c", "kernel.o");
    if (!is_enough(entries, examine(object()).execution)) compile(Entries::both, "-c", "kernel.o");
    return object();
  }

  [[nodiscard]] ObjectFile object() const { return ObjectFile(read_file(folder_.path() / "kernel.o")); }

  // The compiler and its options, but for folders and files.
  [[nodiscard]] std::vector<std::string> command() const {
    std::vector<std::string> command = compiler_command();
    const auto add = [&command](const std::vector<std::string>& words) {
      command.insert(command.end(), words.begin(), words.end());
    };
    add(form_ == Form::checked ? checked_code_options(compiler_command()) : code_options(compiler_command()));
    add(options_.words);
    if (form_ != Form::usual) command.emplace_back("-DMYLOS_PLAIN_INDICES");
    if (form_ == Form::checked) command.emplace_back("-DMYLOS_CHECKED");
    if (portable_switch_) command.emplace_back("-DMYLOS_PORTABLE_SWITCH");
    return command;
  }

  // The text is compiled from a copy: what lies beside the file it came from must be found all the same.
  [[nodiscard]] std::vector<std::string> folders_to_search() const {
    std::vector<std::string> words{"-I", (folder_.path() / shim_folder).string()};
    if (!folders_.own.empty()) words.insert(words.end(), {"-iquote", folders_.own.string()});
    for (const std::filesystem::path& folder : folders_.further) words.insert(words.end(), {"-I", folder.string()});
    words.insert(words.end(), options_.folders.begin(), options_.folders.end());
    words.insert(words.end(), {"-I", (folder_.path() / shim_folder / host_header_folder).string()});
    return words;
  }

  // What does not compile with the precompiled shim is compiled without it: then the fault is the text's, and what is
  // said of it does not depend on what is kept.
  void compile(Entries entries, const std::string& action, const std::string& output) {
    std::vector<std::string> words = command();
    const std::vector<std::string> folders = folders_to_search();
    words.insert(words.end(), folders.begin(), folders.end());
    words.insert(words.end(), {"-MD", "-MF", (folder_.path() / "kernel.d").string(), action,
                               folder_.write("kernel.cpp", unit_ + entries_of(entries)).string(), "-o",
                               (folder_.path() / output).string()});
    if (precompiled_) {
      const ProcessResult result = run_process(words);
      if (result.started && result.exit_code == 0) return;
      remove_precompiled_shim(folder_);
      write_headers(folder_, bundle_, source_, folders_);
    }
    const ProcessResult result = call_compiler(words);
    if (result.exit_code == 0 && std::exchange(precompiled_, false)) give_up_precompiled_shim(command());
    if (result.exit_code == 0) return;
    throw CompileError(
        fmt::format("kernel '{}' does not compile for the emulator ({}, exit code {}):\n{}{}", source_.name,
                    words.front(), result.exit_code, explained(result.output, source_, folders_),
                    jit::advice_on_includes(result.output, folders_)),
        result.output);
  }

  void assemble(const std::string& text) {
    std::vector<std::string> command = compiler_command();
    command.insert(command.end(),
                   {"-c", folder_.write("kernel.s", text).string(), "-o", (folder_.path() / "kernel.o").string()});
    const ProcessResult result = call_compiler(command);
    if (result.exit_code == 0) return;
    throw CompileError(
        fmt::format("kernel '{}' cannot be checked: its code is not assembled ({}, exit code {}): try another compiler "
                    "(MYLOS_CXX), or run it without checks:\n{}",
                    source_.name, command.front(), result.exit_code, result.output),
        result.output);
  }

  // Without those in the folder, which were made from what the library and the source hold.
  [[nodiscard]] std::vector<std::filesystem::path> files_read() const {
    std::vector<std::filesystem::path> files = files_in_rule(read_file(folder_.path() / "kernel.d"));
    const std::string ours = (folder_.path() / "").lexically_normal().native();
    std::erase_if(files, [&](const std::filesystem::path& file) { return file.native().starts_with(ours); });
    return files;
  }

  // Few kernels need the C++ library, and reading it takes most of the time.
  // Libraries that are not asked for cost as much as the rest.
  void link(const std::string& dynamic_shared, bool needs_libraries) {
    std::vector<std::string> command = compiler_command();
    command.insert(command.end(), {"-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", (folder_.path() / "kernel.o").string()});
    if (!dynamic_shared.empty()) command.push_back(folder_.write("shared.s", dynamic_shared).string());
    command.insert(command.end(), {"-o", (folder_.path() / "kernel.so").string()});
    std::vector<std::string> without_cxx_library = command;
    without_cxx_library.emplace_back("-nostdlib");
    if (needs_libraries) without_cxx_library.insert(without_cxx_library.end(), {"-lm", "-lc", "-lgcc"});
    const ProcessResult quick = run_process(without_cxx_library);
    if (quick.started && quick.exit_code == 0) return;
    const ProcessResult result = call_compiler(command);
    if (result.exit_code == 0) return;
    throw CompileError(
        fmt::format("kernel '{}' compiles but does not link for the emulator ({}, exit code {}): it uses a function or "
                    "variable that is declared and not defined: define it in the kernel's text or in a header that it "
                    "includes:\n{}",
                    source_.name, command.front(), result.exit_code, result.output),
        result.output);
  }

  const Source& source_;
  jit::IncludeFolders folders_;
  jit::Bundle bundle_;
  TranslatedOptions options_;
  Form form_;
  bool portable_switch_;
  TemporaryFolder folder_;
  std::string unit_;          // without its entries
  bool precompiled_ = false;  // the shim is there as the compiler has read it
};

}  // namespace

Built build(const Source& source, Form form, bool portable_switch) {
  return Build(source, form, portable_switch).run();
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
