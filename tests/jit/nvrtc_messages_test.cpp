// SPDX-License-Identifier: MIT
#include "jit/nvrtc_messages.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/contains.hpp"
#include "support/nvrtc_test.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::cuda::Nvrtc;
using mylos::cuda::NvrtcRequest;
using mylos::jit::detail::answer_to;
using mylos::jit::detail::packed;
using mylos::jit::detail::result_in;

class NvrtcMessages : public NvrtcTest<> {
 protected:
  static NvrtcRequest request(const std::string& body) {
    static const std::vector<mylos::NamedText> headers = {{"empty.hpp", ""}, {"value.hpp", "#define VALUE 3\n"}};
    return {.text = "#include <empty.hpp>\n#include <value.hpp>\n__global__ void k(int* x) { " + body +
                    " }\n"
                    "template <class T> __global__ void t(T* x) { *x = T(VALUE); }",
            .file_name = "k.cu",
            .options = {"-arch=compute_80", "-DONE=1"},
            .headers = headers,
            .name_expressions = {"k", "t<float>"}};
  }
  static mylos::cuda::NvrtcResult by_message(const NvrtcRequest& what) {
    return result_in(answer_to(packed(Nvrtc::require().path(), what)));
  }
};

TEST_F(NvrtcMessages, GiveWhatTheCallGives) {
  for (const char* architecture : {"-arch=compute_80", "-arch=sm_90"}) {
    for (const char* body : {"*x = ONE + VALUE;", "*x = missing;"}) {
      NvrtcRequest what = request(body);
      what.options[0] = architecture;
      const auto expected = Nvrtc::require().compile(what);
      const auto result = by_message(what);
      EXPECT_EQ(result.compiled, expected.compiled);
      EXPECT_EQ(result.log, expected.log);
      EXPECT_TRUE(result.image == expected.image) << architecture;
      EXPECT_EQ(result.is_ptx, expected.is_ptx);
      EXPECT_EQ(result.lowered_names, expected.lowered_names);
      EXPECT_EQ(result.lowered_names.size(), expected.compiled ? 2U : 0U);
    }
  }
}

TEST_F(NvrtcMessages, ThrowWhatTheCallThrows) {
  NvrtcRequest what = request("");
  what.options.emplace_back("--no-such-option");
  const auto error_of = [](auto&& call) {
    try {
      call();
    } catch (const mylos::CompileError& error) {
      return error.what() + ("\nlog: " + error.log());
    }
    return std::string("no CompileError");
  };
  const std::string expected = error_of([&] { static_cast<void>(Nvrtc::require().compile(what)); });
  EXPECT_TRUE(contains(expected, {"no-such-option", "log: "}));
  EXPECT_EQ(error_of([&] { static_cast<void>(by_message(what)); }), expected);
  const std::string no_library = answer_to(packed("/no/such/libnvrtc.so", what));
  EXPECT_TRUE(
      contains(thrown<mylos::Error>([&] { static_cast<void>(result_in(no_library)); }), {"/no/such/libnvrtc.so"}));
}

TEST_F(NvrtcMessages, ThatAreNotWholeAreErrors) {
  const std::string whole = packed(Nvrtc::require().path(), request("*x = 1;"));
  const std::string answer = answer_to(whole);
  static_cast<void>(result_in(answer));
  for (const std::string& broken : {std::string(), whole.substr(0, whole.size() / 2), whole + "1:x"}) {
    EXPECT_TRUE(contains(thrown<mylos::Error>([&] { static_cast<void>(result_in(answer_to(broken))); }),
                         {"request", "cannot be read"}));
  }
  for (const std::string& broken : {std::string(), answer.substr(0, answer.size() - 1), answer + "1:x"}) {
    EXPECT_TRUE(contains(thrown<mylos::Error>([&] { static_cast<void>(result_in(broken)); }), {"cannot be read"}));
  }
}

}  // namespace
}  // namespace mylos_test
