// SPDX-License-Identifier: MIT
#include "kernel_name.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/cuda/nvrtc.hpp>
#include <mylos/emulator/compiler.hpp>
#include <mylos/jit/compiler.hpp>

#include "embedded_texts.hpp"
#include "skeleton.hpp"

namespace mylos_command {
namespace {

// A line of one of the word lists.
bool is_word_of(std::string_view list, std::string_view word) {
  const std::string_view words = std::ranges::find(word_lists, list, &mylos::NamedText::name)->text;
  return ('\n' + std::string(words)).find(fmt::format("\n{}\n", word)) != std::string::npos;
}

bool is_identifier(std::string_view text) {
  constexpr std::string_view letters = "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  constexpr std::string_view digits = "0123456789";
  return !text.empty() && digits.find(text.front()) == std::string_view::npos && std::ranges::all_of(text, [&](char c) {
    return letters.find(c) != std::string_view::npos || digits.find(c) != std::string_view::npos;
  });
}

[[noreturn]] void refuse_name(const std::string& name, std::string_view why) {
  throw mylos::ValueError(fmt::format("'{}' is no name for a kernel: {}", name, why));
}

void require_name(const std::string& name) {
  if (!is_identifier(name)) refuse_name(name, "it becomes a function and a class: use letters, digits and _");
  if (name.front() == '_' || name.find("__") != std::string::npos) {
    refuse_name(name, "names with _ in front, or with two in a row, are the compiler's own: choose another one");
  }
  if (is_word_of("cxx", name)) refuse_name(name, "it is a word of C++: choose another one");
  if (is_word_of("catalog", name)) {
    refuse_name(name, "the catalog itself has something of this name in its namespace: choose another one");
  }
}

void require_namespace(const std::string& name_space) {
  for (std::size_t begin = 0; begin <= name_space.size();) {
    const std::size_t end = std::min(name_space.find("::", begin), name_space.size());
    const std::string part = name_space.substr(begin, end - begin);
    begin = end + 2;
    if (!is_identifier(part)) {
      throw mylos::ValueError(fmt::format("'{}' is no C++ namespace: write a::b", name_space));
    }
    if (is_word_of("cxx", part)) {
      throw mylos::ValueError(
          fmt::format("'{}' is no C++ namespace: '{}' is a word of C++: choose another name", name_space, part));
    }
  }
}

// The first error in what a compiler says, without its place.
std::string first_error(std::string_view log) {
  constexpr std::string_view mark = "error: ";
  const std::size_t begin = log.find(mark);
  if (begin == std::string_view::npos) return std::string(log.substr(0, log.find('\n')));
  const std::string_view error = log.substr(begin + mark.size());
  return std::string(error.substr(0, error.find('\n')));
}

// Why the compiler refuses this kernel; empty when it does not, or cannot be used.
template <class Compile>
std::string refused(std::string_view compiler, Compile&& compile) {
  try {
    compile();
  } catch (const mylos::CompileError& error) {
    return fmt::format("{} says: {}", compiler, first_error(error.log()));
  } catch (const mylos::SignatureError& error) {  // of the text scan
    return error.what();
  } catch (const mylos::BackendError&) {
    return {};
  }
  return {};
}

std::string refused_by_any(const std::string& name) {
  std::string text = filled_skeleton("kernel.cu", {.name = name});
  // A function of other parameters can stand beside the kernel: there is no one address then.
  text += fmt::format("static_assert(sizeof(decltype(&{})) > 0);\n", name);
  std::string reason = refused("the compiler of the emulated device",
                               [&] { static_cast<void>(mylos::emulator::compile({.text = text, .name = name})); });
  if (!reason.empty()) return reason;
  return refused("NVRTC", [&] {
    const mylos::jit::NvrtcCompiler nvrtc;
    const int oldest = nvrtc.supported_architectures().front();
    static_cast<void>(nvrtc.compile({.text = text, .name = name, .architecture = fmt::format("compute_{}", oldest)}));
  });
}

}  // namespace

void require_name_and_namespace(const std::string& name, const std::string& name_space) {
  require_name(name);
  require_namespace(name_space);
}

void require_compilable(const std::string& name) {
  const std::string reason = refused_by_any(name);
  // A compiler that refuses every name says nothing about this one.
  if (reason.empty() || !refused_by_any("mylos_name_of_nothing").empty()) return;
  refuse_name(name,
              fmt::format("kernels are compiled where it is something else already ({}): choose another one", reason));
}

}  // namespace mylos_command
