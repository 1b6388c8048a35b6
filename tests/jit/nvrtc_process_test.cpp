// SPDX-License-Identifier: MIT
#include "jit/nvrtc_process.hpp"

#include <signal.h>

#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/jit/compiler.hpp>

#include "support/contains.hpp"
#include "support/log_lines.hpp"
#include "support/nvrtc_test.hpp"
#include "support/own_resources.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::jit::CompileRequest;
using mylos::jit::NvrtcCompiler;
using mylos::jit::detail::ScopedNvrtcProcess;

class NvrtcProcess : public NvrtcTest<> {
 protected:
  static CompileRequest request(const std::string& body = "x[0] = 1;") {
    return {.text = "extern \"C\" __global__ void k(double* x) { " + body + " }",
            .name = "k",
            .architecture = "compute_80"};
  }
  static mylos::CompiledKernel compile(const CompileRequest& what) { return NvrtcCompiler().compile(what); }

  /// The texts of a request's CompileError, here and in the other process.
  static void expect_same_error(const CompileRequest& what, std::initializer_list<std::string_view> pieces) {
    const auto error_of = [&] {
      try {
        return "compiled: " + compile(what).image;
      } catch (const mylos::CompileError& error) {
        return error.what() + ("\nlog: " + error.log());
      }
    };
    const std::string here = error_of();
    EXPECT_TRUE(contains(here, pieces));
    const ScopedNvrtcProcess scope(MYLOS_KERNEL_COMPILER);
    EXPECT_EQ(error_of(), here);
    EXPECT_NE(scope.process_id(), 0);
  }

  ScopedVariable cache_{"MYLOS_CACHE", "0"};
};

TEST_F(NvrtcProcess, RunsTheProgramThatBelongsToTheLibrary) {
  EXPECT_EQ(mylos::jit::detail::nvrtc_program(), MYLOS_IS_SHARED ? MYLOS_KERNEL_COMPILER : "");
}

TEST_F(NvrtcProcess, MakesTheSameKernels) {
  const TemporaryFolder folder;
  mylos::write_file_atomically(folder / "value.hpp", "#define VALUE 71\n");
  const std::vector<mylos::NamedText> embedded = {{"/no/such/part.hpp", "#define PART 3\n"}};
  CompileRequest what = {.text =
                             "#include <value.hpp>\n#include \"part.hpp\"\n#include <mylos/device.hpp>\n"
                             "template <class T> __global__ void k(mylos::Array<T, 1> x) { x(PART) = VALUE; }\n"
                             "#warning of the text\n",
                         .name = "k",
                         .file = "/no/such/k.cu",
                         .architecture = "sm_90",
                         .options = {"-DNUMBER=1"},
                         .include_dirs = {folder.path()},
                         .instantiate = "k<double>",
                         .embedded = embedded};
  for (const char* architecture : {"sm_90", "compute_80"}) {
    what.architecture = architecture;
    what.debug = !what.debug;
    const auto here = compile(what);
    const ScopedNvrtcProcess scope(MYLOS_KERNEL_COMPILER);
    const auto there = compile(what);
    EXPECT_NE(scope.process_id(), 0);
    EXPECT_EQ(there.name, here.name);
    EXPECT_EQ(there.architecture, architecture);
    EXPECT_TRUE(there.image == here.image) << architecture;
    EXPECT_EQ(there.log, here.log);
    EXPECT_TRUE(contains(there.log, {"of the text"}));
    EXPECT_EQ(there.parameters.size(), 1U);
  }
}

TEST_F(NvrtcProcess, HasTheSameErrors) {
  CompileRequest what = request("\n\n  x[0] = missing;\n");
  what.file = "kernels/k.cu";
  expect_same_error(what, {"kernel 'k' does not compile", "kernels/k.cu:3:", "> 3 |   x[0] = missing;", "\nlog: kern"});
  what = request();
  what.options = {"--no-such-option"};
  expect_same_error(what, {"no-such-option"});
}

TEST_F(NvrtcProcess, IsNotNeededForWhatIsInTheCache) {
  const TemporaryFolder folder;
  const ScopedVariable on("MYLOS_CACHE", nullptr), place("MYLOS_CACHE_DIR", folder.path().c_str());
  LogLines log(mylos::log::Level::info);
  {
    const ScopedNvrtcProcess scope(MYLOS_KERNEL_COMPILER);
    EXPECT_EQ(scope.process_id(), 0);
    static_cast<void>(compile(request()));
    EXPECT_NE(scope.process_id(), 0);
    EXPECT_EQ(log.take_count("not in the cache, compiled"), 1);
  }
  const ScopedNvrtcProcess scope(MYLOS_KERNEL_COMPILER);
  static_cast<void>(compile(request()));
  EXPECT_EQ(log.take_count("from the cache"), 1);
  EXPECT_EQ(scope.process_id(), 0);
}

TEST_F(NvrtcProcess, IsThatOfTheInnermostScopeOfTheThread) {
  const ScopedNvrtcProcess outer(MYLOS_KERNEL_COMPILER);
  std::optional<ScopedNvrtcProcess> inner(std::in_place, MYLOS_KERNEL_COMPILER);
  std::thread([] { static_cast<void>(compile(request())); }).join();
  EXPECT_EQ(inner->process_id(), 0) << "of another thread";
  static_cast<void>(compile(request()));
  EXPECT_NE(inner->process_id(), 0);
  EXPECT_EQ(outer.process_id(), 0);
  inner.reset();
  static_cast<void>(compile(request()));
  EXPECT_NE(outer.process_id(), 0);
}

TEST_F(NvrtcProcess, ThatIsKilledIsACompileErrorAndFollowedByAnother) {
  const ScopedNvrtcProcess scope(MYLOS_KERNEL_COMPILER);
  static_cast<void>(compile(request()));
  const pid_t first = scope.process_id();
  ASSERT_NE(first, 0);
  ASSERT_EQ(::kill(first, SIGSTOP), 0);  // the request is on its way
  std::thread killer([first] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ::kill(first, SIGKILL);
  });
  EXPECT_TRUE(contains(thrown<mylos::CompileError>([] { static_cast<void>(compile(request())); }),
                       {"k.cu does not compile", "NVRTC " + NvrtcCompiler().description().substr(6),
                        "was ended by signal 9", "try fewer jobs"}));
  killer.join();
  EXPECT_EQ(compile(request()).name, "k");
  EXPECT_NE(scope.process_id(), 0);
  EXPECT_NE(scope.process_id(), first);
}

TEST_F(NvrtcProcess, ThatCannotBeHadIsToldOnceAndNotNeeded) {
  LogLines log(mylos::log::Level::info);
  for (const char* program : {"/no/such/program", "", "/bin/true"}) {
    const ScopedNvrtcProcess scope(program);
    EXPECT_EQ(compile(request()).name, "k") << program;
    EXPECT_EQ(compile(request()).name, "k") << program;
    EXPECT_EQ(scope.process_id(), 0);
  }
  EXPECT_EQ(log.take_count("no other one can be had to compile for this one: cannot start /no/such/program"), 1);
}

TEST_F(NvrtcProcess, LeavesNothingBehind) {
  static_cast<void>(compile(request()));
  const auto before = open_descriptors();
  for (int i = 0; i < 3; ++i) {
    const ScopedNvrtcProcess scope(MYLOS_KERNEL_COMPILER);
    static_cast<void>(compile(request()));
    EXPECT_THROW(static_cast<void>(compile(request("oops"))), mylos::CompileError);
    ASSERT_NE(scope.process_id(), 0);
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_FALSE(has_children());
}

}  // namespace
}  // namespace mylos_test
