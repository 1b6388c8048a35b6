// SPDX-License-Identifier: MIT
// What NVRTC compiles is kept on disk, and never taken for what it is not.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/base/hash.hpp>
#include <mylos/jit/cache.hpp>
#include <mylos/jit/compiler.hpp>

#include "jit/keeping.hpp"
#include "support/child.hpp"
#include "support/contains.hpp"
#include "support/log_lines.hpp"
#include "support/nvrtc_test.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

namespace fs = std::filesystem;
using mylos::CompiledKernel;
using mylos::jit::CompileRequest;

class KeptKernels : public NvrtcTest<> {
 protected:
  KeptKernels() {
    write("first/unrelated.hpp", "");
    write("second/a.hpp", "#include \"b.hpp\"\n");
    write("second/b.hpp", "#define VALUE 71\n");
  }
  fs::path write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    mylos::write_file_atomically(folder_ / name, text);
    return folder_ / name;
  }
  [[nodiscard]] CompileRequest request() const {
    return {.text = "#include <a.hpp>\nextern \"C\" __global__ void k(int* x) { x[0] = VALUE; }",
            .name = "k",
            .architecture = "compute_80",
            .include_dirs = {folder_ / "first", folder_ / "second"}};
  }
  /// Compiles, and tells whether it came from the cache.
  bool is_hit(const CompileRequest& what) {
    kernel_ = mylos::jit::NvrtcCompiler().compile(what);
    lines_ = log_.take();
    for (const std::string& line : lines_) {
      if (line.find("kernel 'k'") != std::string::npos && line.find("from the cache") != std::string::npos) return true;
    }
    return false;
  }
  /// Whether the kernel that was compiled last writes this value.
  [[nodiscard]] bool writes(int value) const {
    return kernel_.image.find(", " + std::to_string(value) + ";") != std::string::npos;
  }

  TemporaryFolder folder_;
  ScopedVariable cache_{"MYLOS_CACHE_DIR", (folder_ / "cache").c_str()}, on_{"MYLOS_CACHE", nullptr};
  LogLines log_{mylos::log::Level::info};
  CompiledKernel kernel_;
  std::vector<std::string> lines_;
};

TEST_F(KeptKernels, AreWhatWasCompiled) {
  for (const char* architecture : {"compute_80", "sm_90"}) {
    CompileRequest what = request();
    what.architecture = architecture;
    what.text += "\n#warning of the text\ntemplate <class T> __global__ void t(T* x) { x[0] = VALUE; }";
    what.name = "t";
    what.instantiate = "t<float>";
    const CompiledKernel compiled = mylos::jit::NvrtcCompiler().compile(what);
    EXPECT_EQ(log_.take_count("not in the cache"), 1);
    const CompiledKernel kept = mylos::jit::NvrtcCompiler().compile(what);
    EXPECT_EQ(log_.take_count("from the cache"), 1);
    EXPECT_EQ(kept.name, compiled.name);
    EXPECT_EQ(kept.architecture, compiled.architecture);
    EXPECT_EQ(kept.image, compiled.image);
    EXPECT_EQ(kept.log, compiled.log);
    EXPECT_NE(kept.log.find("of the text"), std::string::npos);
  }
}

TEST_F(KeptKernels, ChangeWithTheHeadersContents) {
  EXPECT_FALSE(is_hit(request()));
  EXPECT_TRUE(writes(71));
  EXPECT_TRUE(is_hit(request()));
  const fs::path header = write("second/b.hpp", "#define VALUE 72\n");
  EXPECT_FALSE(is_hit(request()));
  EXPECT_TRUE(writes(72));
  write("second/b.hpp", "#define VALUE 73\n");
  fs::last_write_time(header, fs::file_time_type::clock::now() - std::chrono::hours(24 * 365 * 20));
  EXPECT_FALSE(is_hit(request())) << "a new header may have an old time";
  EXPECT_TRUE(writes(73));
  fs::last_write_time(header, fs::file_time_type::clock::now());
  EXPECT_TRUE(is_hit(request())) << "touched, and the same";
  write("first/a.hpp", "#define VALUE 74\n");
  EXPECT_FALSE(is_hit(request())) << "a new header takes the other's place";
  EXPECT_TRUE(writes(74));
  fs::remove(folder_ / "first/a.hpp");
  EXPECT_TRUE(is_hit(request()));
  EXPECT_TRUE(writes(73));
}

TEST_F(KeptKernels, ChangeWithAllThatTheCompilerIsTold) {
  EXPECT_FALSE(is_hit(request()));
  const std::vector<std::function<void(CompileRequest&)>> changes = {
      [](CompileRequest& r) { r.text += " "; },
      [](CompileRequest& r) { r.file = "other.cu"; },
      [](CompileRequest& r) { r.architecture = "compute_90"; },
      [](CompileRequest& r) { r.options = {"-DX=1"}; },
      [](CompileRequest& r) { r.options = {"-DX=2"}; },
      [](CompileRequest& r) { r.options = {"-DX", "-DY"}; },
      [](CompileRequest& r) { r.options = {"-DY", "-DX"}; },
      [](CompileRequest& r) { r.options = {"--fmad=false"}; },
      [](CompileRequest& r) { r.debug = true; },
      [](CompileRequest& r) { std::swap(r.include_dirs[0], r.include_dirs[1]); },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    CompileRequest changed = request();
    changes[i](changed);
    EXPECT_FALSE(is_hit(changed)) << i;
    EXPECT_TRUE(is_hit(changed)) << i;
  }
  EXPECT_TRUE(is_hit(request()));
}

TEST_F(KeptKernels, ChangeWithFilesOfTheProgram) {
  const std::string name = folder_ / "second/b.hpp";
  for (const auto& [text, value] :
       std::vector<std::pair<std::string, int>>{{"#define VALUE 81\n", 81}, {"#define VALUE 82\n", 82}}) {
    const std::vector<mylos::NamedText> embedded = {{name, text}};
    CompileRequest what = request();
    what.text = "#include \"second/b.hpp\"\nextern \"C\" __global__ void k(int* x) { x[0] = VALUE; }";
    what.file = folder_ / "k.cu";
    what.embedded = embedded;
    EXPECT_FALSE(is_hit(what));
    EXPECT_TRUE(writes(value));
    EXPECT_TRUE(is_hit(what));
    EXPECT_TRUE(writes(value));
  }
}

TEST_F(KeptKernels, AreNotKeptWhereHeadersCannotBeFollowed) {
  CompileRequest what = request();
  what.text = "#define HEADER <a.hpp>\n#include HEADER\nextern \"C\" __global__ void k(int* x) { x[0] = VALUE; }";
  for (const int value : {71, 72}) {
    write("second/b.hpp", "#define VALUE " + std::to_string(value) + "\n");
    EXPECT_FALSE(is_hit(what));
    EXPECT_TRUE(writes(value));
    ASSERT_EQ(lines_.size(), 2U);
    EXPECT_TRUE(contains(lines_[0], {"kernel 'k'", "compiled anew by each process", "line 2", "macro HEADER"}));
  }
  for (const auto& entry : mylos::jit::Cache(folder_ / "cache").entries()) {
    EXPECT_EQ(entry.description.find("kernel 'k'"), std::string::npos) << entry.description;
  }
}

TEST_F(KeptKernels, MayBeAskedWhetherAHeaderIsThere) {
  CompileRequest what = request();
  what.text =
      "#if __has_include(<maybe.hpp>)\n#define VALUE 91\n#else\n#define VALUE 92\n#endif\n"
      "extern \"C\" __global__ void k(int* x) { x[0] = VALUE; }";
  EXPECT_FALSE(is_hit(what));
  EXPECT_TRUE(writes(92));
  EXPECT_TRUE(is_hit(what));
  write("second/maybe.hpp", "");
  EXPECT_FALSE(is_hit(what));
  EXPECT_TRUE(writes(91));
}

TEST_F(KeptKernels, AreOfNobodyWhenSwitchedOff) {
  const ScopedVariable off("MYLOS_CACHE", "0");
  EXPECT_FALSE(is_hit(request()));
  EXPECT_FALSE(is_hit(request()));
  EXPECT_FALSE(fs::exists(folder_ / "cache"));
}

TEST_F(KeptKernels, ThatAreDamagedAreCompiledAgain) {
  EXPECT_FALSE(is_hit(request()));
  for (const auto& entry : fs::directory_iterator(folder_ / "cache")) fs::resize_file(entry.path(), 100);
  EXPECT_FALSE(is_hit(request()));
  EXPECT_TRUE(writes(71));
  EXPECT_TRUE(is_hit(request()));
}

// A header that is edited while the compiler works: nobody can tell which of its texts was read.
TEST_F(KeptKernels, AreNotKeptWhenTheirKeyChangesMeanwhile) {
  const std::string before = mylos::Hasher().add("before").hex(), after = mylos::Hasher().add("after").hex();
  const mylos::jit::detail::Keeping keeping("kernel 'k'", {before});
  keeping.store({after}, "bytes");
  EXPECT_EQ(log_.take_count("changed meanwhile"), 1);
  keeping.store({before, {"a reason"}}, "bytes");
  EXPECT_EQ(log_.take_count("changed meanwhile"), 1);
  EXPECT_FALSE(fs::exists(folder_ / "cache"));
  keeping.store({before}, "bytes");
  EXPECT_EQ(mylos::jit::Cache(folder_ / "cache").load(before), "bytes");
}

// In processes of their own: a library that was loaded here would be there for all of them.
class KeptNvrtc : public ::testing::Test {
 protected:
  static constexpr int no_nvrtc = 77;

  static bool is_loaded() {
    std::ifstream maps("/proc/self/maps");
    const std::string text(std::istreambuf_iterator<char>(maps), {});
    return text.find("libnvrtc") != std::string::npos;
  }
  /// What `action` finds after kernels were compiled: 0 without NVRTC in the process, 1 with it.
  [[nodiscard]] int after_compiling(const std::string& text) const {
    return Child([&] {
             try {
               const mylos::jit::NvrtcCompiler compiler;
               static_cast<void>(compiler.compile({.text = text, .name = "k", .architecture = "sm_90"}));
               if (compiler.description().find("NVRTC 1") != 0) ::_exit(2);
               if (std::ranges::count(compiler.supported_architectures(), 90) != 1) ::_exit(3);
             } catch (const mylos::BackendError&) {
               ::_exit(no_nvrtc);
             }
             ::_exit(is_loaded() ? 1 : 0);
           })
        .wait();
  }

  TemporaryFolder folder_;
  ScopedVariable cache_{"MYLOS_CACHE_DIR", (folder_ / "cache").c_str()}, on_{"MYLOS_CACHE", nullptr};
};

TEST_F(KeptNvrtc, IsNotLoadedForKernelsThatAreThere) {
  if (is_loaded()) GTEST_SKIP() << "another test of this process has loaded NVRTC: run this one alone, as ctest does";
  const std::string text = "extern \"C\" __global__ void k(int* x) { x[0] = 1; }";
  const int first = after_compiling(text);
  if (first == no_nvrtc) GTEST_SKIP() << "no NVRTC on this machine";
  EXPECT_EQ(first, 1);
  EXPECT_EQ(after_compiling(text), 0);
  EXPECT_EQ(after_compiling(text + "// another"), 1);
  EXPECT_EQ(after_compiling(text + "// another"), 0);
  const ScopedVariable path("LD_LIBRARY_PATH", "/a/folder/where/another/could/be");
  EXPECT_EQ(after_compiling(text), 1) << "it is not known which one is found now";
}

}  // namespace
}  // namespace mylos_test
