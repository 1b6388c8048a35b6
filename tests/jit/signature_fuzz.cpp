// SPDX-License-Identifier: MIT
#include "jit/signature_fuzz.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <mylos/base/error.hpp>
#include <mylos/jit/signature.hpp>

#include "jit/noisy_source.hpp"

namespace mylos_test {
namespace {

void require(bool holds, const char* what, const std::string& seen, std::string_view source) {
  if (holds) return;
  std::fprintf(stderr, "%s: %s\nin the text:\n%.*s\n", what, seen.c_str(), static_cast<int>(source.size()),
               source.data());
  std::abort();
}

void read_kernel(std::string_view source, const std::string& name) {
  const mylos::Signature signature = mylos::jit::parse_signature(source, name);
  require(!signature.name.empty(), "a kernel without a name", name, source);
  require(signature.line >= 1, "a kernel in no line", name, source);
  require(signature.template_defaults.size() == signature.template_parameters.size(),
          "template parameters and their defaults differ in number", name, source);
  for (const mylos::Parameter& parameter : signature.parameters) {
    require(parameter.rank >= 0, "a negative rank", to_string(parameter), source);
    require(parameter.is_pointer == (parameter.kind == mylos::ParameterKind::pointer),
            "a pointer of another kind, or the reverse", to_string(parameter), source);
  }
}

// Whatever the text is, reading it ends, and throws nothing but what is documented.
void read_text(std::string_view source) {
  for (const std::string& name : mylos::jit::kernel_names(source)) {
    static_cast<void>(mylos::jit::thread_use(source, name));
    try {
      read_kernel(source, name);
    } catch (const mylos::SignatureError&) {  // overloads
    }
  }
}

void read_made(std::string_view choices) {
  Noise noise([choices](std::size_t bound) mutable -> std::size_t {
    if (choices.empty()) return bound - 1;  // which ends every "while (chance(...))"
    const auto choice = static_cast<unsigned char>(choices.front());
    choices.remove_prefix(1);
    return choice % bound;
  });
  const Made made = make_source(noise);
  const std::string read = to_string(mylos::jit::parse_signature(made.source, "kernel"));
  require(read == made.expected, "another signature", read + " instead of " + made.expected, made.source);
}

}  // namespace
}  // namespace mylos_test

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.starts_with('\1')) {
    mylos_test::read_made(bytes.substr(1));
  } else {
    mylos_test::read_text(bytes);
  }
  return 0;
}
