// SPDX-License-Identifier: MIT
// Sources made from a known signature with noise between its tokens.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace mylos_test {

/// A way to write a parameter, and what is read from it.
struct Spelling {
  std::vector<std::string> tokens;  // NAME stands for the parameter's name
  std::string canonical;            // the same
};

inline const std::vector<Spelling> spellings = {
    {{"double", "*", "NAME"}, "double* NAME"},
    {{"const", "float", "*", "__restrict__", "NAME"}, "const float* NAME"},
    {{"unsigned", "const", "*", "const", "NAME"}, "const unsigned int* NAME"},
    {{"std", "::", "int64_t", "NAME"}, "long long NAME"},
    {{"size_t", "NAME"}, "unsigned long long NAME"},
    {{"long", "unsigned", "int", "NAME", "=", "f", "(", "1", ",", "2", ")"}, "unsigned long long NAME"},
    {{"bool", "NAME", "[", "4", "]"}, "bool* NAME"},
    {{"mylos", "::", "Array", "<", "const", "double", ",", "2", ">", "NAME"}, "mylos::Array<const double, 2> NAME"},
    {{"const", "mylos", "::", "ContiguousArray", "<", "S", "<", "int", ",", "3", ">", ",", "1", ">", "NAME"},
     "mylos::ContiguousArray<S<int, 3>, 1> NAME"},
    {{"[", "[", "maybe_unused", "]", "]", "struct", "P", "NAME"}, "P NAME"},
    {{"float4", "const", "*", "NAME"}, "const float4* NAME"},
    {{"n", "::", "Q", "<", "(", "3", ">", "2", ")", ">", "*", "NAME"}, "n::Q<(3> 2)>* NAME"},
};

/// The choices that a text is made by.
class Noise {
 public:
  /// `below(n)` gives a number less than n, of any origin.
  explicit Noise(std::function<std::size_t(std::size_t)> below) : below_(std::move(below)) {}

  std::size_t below(std::size_t bound) { return below_(bound); }
  bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }
  const std::string& one_of(const std::vector<std::string>& choices) { return choices[below(choices.size())]; }

  // What may stand between two tokens, at least one blank.
  std::string gap() {
    static const std::vector<std::string> gaps = {" ",
                                                  "\n",
                                                  "\t",
                                                  " /* it's ) a { comment , */ ",
                                                  " // don't (\n",
                                                  " \\\n ",
                                                  " /* \"quoted */ ",
                                                  "\r\n",
                                                  " // goes on \\\n still \" here\n"};
    std::string text = " ";
    while (chance(30)) text += one_of(gaps);
    return text;
  }

  // Whole lines that declare no kernel.
  std::string filler() {
    static const std::vector<std::string> fillers = {
        "\n#include <cstdint>\n",
        "\n#define SOME(x) __global__ void x(int)\n",
        "__device__ double helper(double x) { return x < 3 ? x : '}' - '\\''; }",
        "struct Filler { int a = 1'000; void f() { if (a) { a = 2; } } };",
        "const char* text = \"__global__ void no(int) {}\";",
        "const char* raw = R\"(__global__ void no(int) { ' \" )\";",
        "\n#if 0\nit's off __global__ void no(int) {\n#endif\n",
        "template <class T, int N = (3 > 2)> struct Fill { T a[N]; };",
        "__constant__ double table[2] = {1, 2};",
        "namespace other { __global__ void another(float* q) {} }",
        "// __global__ void no(int) {}\n",
    };
    std::string text;
    while (chance(50)) text += one_of(fillers) + gap();
    return text;
  }

 private:
  std::function<std::size_t(std::size_t)> below_;
};

/// A text with a kernel named `kernel`.
struct Made {
  std::string source;
  std::string expected;  ///< its signature as to_string() shows it
};

inline Made make_source(Noise& noise) {
  std::vector<std::string> tokens;
  const auto add = [&](std::initializer_list<const char*> words) {
    tokens.insert(tokens.end(), words.begin(), words.end());
  };
  const bool in_block = noise.chance(20);
  if (in_block) add({"extern", "\"C\"", "{"});
  if (!in_block && noise.chance(50)) add({"extern", "\"C\""});
  if (noise.chance(20)) add({"[", "[", "gnu", "::", "hot", "]", "]"});
  if (noise.chance(50)) {
    add({"__global__", "void"});
  } else {
    add({"void", "__global__"});
  }
  if (noise.chance(30)) add({"__launch_bounds__", "(", "128", "*", "(", "1", "+", "1", ")", ",", "2", ")"});
  add({"kernel", "("});
  std::string expected = "kernel(";
  const std::size_t count = noise.below(6);
  for (std::size_t i = 0; i < count; ++i) {
    const Spelling& spelling = spellings[noise.below(spellings.size())];
    const std::string name = "p" + std::to_string(i);
    if (i > 0) add({","});
    for (const std::string& token : spelling.tokens) tokens.push_back(token == "NAME" ? name : token);
    std::string canonical = spelling.canonical;
    canonical.replace(canonical.find("NAME"), 4, name);
    expected += (i > 0 ? ", " : "") + canonical;
  }
  add({")", "{", "if", "(", "a", "<", "b", ")", "{", "}", "}"});
  if (in_block) add({"}"});
  std::string source = noise.filler();
  for (const std::string& token : tokens) source += token + noise.gap();
  return {source + noise.filler(), expected + ")"};
}

}  // namespace mylos_test
