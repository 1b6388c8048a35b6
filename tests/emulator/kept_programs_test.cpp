// SPDX-License-Identifier: MIT
// What one process compiled for the emulated device, another one loads; and never what it is not.
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/files.hpp>

#include "emulator/command_line.hpp"
#include "emulator/support.hpp"
#include "support/child.hpp"
#include "support/contains.hpp"
#include "support/log_lines.hpp"
#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* text = "#include <a.hpp>\n__global__ void k(int* x) { x[0] = VALUE; }";

struct Outcome {
  int value = 0;     // that the kernel wrote
  bool hit = false;  // the compiler was not asked to compile
  bool operator==(const Outcome&) const = default;
};
std::ostream& operator<<(std::ostream& stream, const Outcome& outcome) {
  return stream << outcome.value << (outcome.hit ? " from the cache" : " compiled");
}

class KeptPrograms : public ::testing::Test {
 protected:
  KeptPrograms() {
    write("first/unrelated.hpp", "");
    write("second/a.hpp", "#include \"b.hpp\"\n");
    write("second/b.hpp", "#define VALUE 71\n");
    write_compiler("");
  }
  fs::path write(const std::string& name, const std::string& contents) const {
    fs::create_directories((folder_ / name).parent_path());
    mylos::write_file_atomically(folder_ / name, contents);
    return folder_ / name;
  }
  // A script that notes when it compiles.
  void write_compiler(const std::string& more) const {
    const fs::path script = write("compiler", "#!/bin/sh\ncase \" $* \" in *' -c '*) touch '" + compiled().string() +
                                                  "';; esac\n" + more + "exec c++ \"$@\"\n");
    fs::permissions(script, fs::perms::owner_all);
  }
  [[nodiscard]] emulator::Source source() const {
    return {.text = text, .name = "k", .include_dirs = {folder_ / "first", folder_ / "second"}};
  }
  /// Compiles and runs in a process of its own.
  [[nodiscard]] Outcome in_new_process(const emulator::Source& what) const {
    fs::remove(compiled());
    const fs::path answer = folder_ / "answer", log = folder_ / "log";
    Child child([&] {
      LogLines lines(mylos::log::Level::info);
      const DeviceArray<int> x(1);
      run(*emulator::compile(what), {}, x.data());
      std::ofstream(answer) << x.read()[0];
      for (const std::string& line : lines.take()) std::ofstream(log, std::ios::app) << line << '\n';
    });
    EXPECT_EQ(child.wait(), 0);
    return {std::stoi(mylos::read_file(answer)), !fs::exists(compiled())};
  }
  /// What all processes so far logged.
  [[nodiscard]] std::string log() const { return mylos::read_file(folder_ / "log"); }

 private:
  [[nodiscard]] fs::path compiled() const { return folder_ / "compiled"; }

 protected:
  TemporaryFolder folder_;

 private:
  ScopedVariable cache_{"MYLOS_CACHE_DIR", (folder_ / "the cache").c_str()}, on_{"MYLOS_CACHE", nullptr},
      compiler_{"MYLOS_CXX", (folder_ / "compiler").c_str()};
};

TEST_F(KeptPrograms, AreLoadedByTheNextProcess) {
  EXPECT_EQ(in_new_process(source()), (Outcome{71, false}));
  EXPECT_EQ(in_new_process(source()), (Outcome{71, true}));
  EXPECT_TRUE(contains(log(), {"kernel 'k' (k.cu) for the emulator: not in the cache, compiled",
                               "kernel 'k' (k.cu) for the emulator: from the cache"}));
}

TEST_F(KeptPrograms, AreAllThatWasCompiled) {
  // Fibers, atomics, static and dynamic shared memory, text that needs plain indices: all is remembered.
  const std::vector<std::pair<std::string, std::string>> kernels = {
      {"fibers",
       "__global__ void fibers(int* x) { __shared__ int s[32]; s[threadIdx.x] = 1; __syncthreads();"
       " if (threadIdx.x == 0) x[0] = s[7] + 10; }"},
      {"atomics", "__global__ void atomics(int* x) { atomicAdd(x, 5); }"},
      {"dynamic", "__global__ void dynamic(int* x) { extern __shared__ int s[]; s[threadIdx.x] = 3; x[0] = s[0]; }"},
      {"plain",
       "template <class T> __device__ T same(T a, T b) { return a + b; }\n"
       "__global__ void plain(int* x) { unsigned n = 4; x[0] = same(threadIdx.x, n); }"},
  };
  for (const auto& [name, body] : kernels) {
    const auto facts = [&, name = name, body = body] {
      const fs::path answer = folder_ / "facts";
      Child child([&] {
        const auto program = emulator::compile({.text = body, .name = name});
        const DeviceArray<int> x(1);
        run(*program, {.grid = {2, 1, 1}, .block = {32, 1, 1}, .shared_bytes = 128}, x.data());
        std::ofstream(answer) << static_cast<int>(program->execution()) << program->has_atomics() << ' '
                              << program->static_shared_bytes() << ' ' << program->parameters().size() << ' '
                              << x.read()[0];
      });
      EXPECT_EQ(child.wait(), 0) << name;
      return mylos::read_file(answer);
    };
    const std::string compiled = facts();
    EXPECT_EQ(facts(), compiled) << name;
  }
}

TEST_F(KeptPrograms, ChangeWithTheHeadersContents) {
  EXPECT_EQ(in_new_process(source()), (Outcome{71, false}));
  const fs::path header = write("second/b.hpp", "#define VALUE 72\n");
  fs::last_write_time(header, fs::file_time_type::clock::now() - std::chrono::hours(24 * 365 * 20));
  EXPECT_EQ(in_new_process(source()), (Outcome{72, false})) << "a new header may have an old time";
  fs::last_write_time(header, fs::file_time_type::clock::now());
  EXPECT_EQ(in_new_process(source()), (Outcome{72, true})) << "touched, and the same";
  write("first/a.hpp", "#define VALUE 73\n");
  EXPECT_EQ(in_new_process(source()), (Outcome{73, false})) << "a new header takes the other's place";
  fs::remove(folder_ / "first/a.hpp");
  EXPECT_EQ(in_new_process(source()), (Outcome{72, true}));
}

TEST_F(KeptPrograms, ChangeWithOptions) {
  emulator::Source what = source();
  what.text = "__global__ void k(int* x) { x[0] = VALUE; }";
  for (const int value : {1, 2}) {
    what.options = {"-DVALUE=" + std::to_string(value)};
    EXPECT_EQ(in_new_process(what), (Outcome{value, false}));
    EXPECT_EQ(in_new_process(what), (Outcome{value, true}));
  }
  const fs::path h = write("pre.hpp", "#define VALUE 3\n");
  what.options = {"--pre-include=" + h.string()};
  EXPECT_EQ(in_new_process(what), (Outcome{3, false}));
  EXPECT_EQ(in_new_process(what), (Outcome{3, true}));
  write("pre.hpp", "#define VALUE 4\n");
  EXPECT_EQ(in_new_process(what), (Outcome{4, false}));
}

TEST_F(KeptPrograms, ChangeWithTheCompilerAndItsOwnHeaders) {
  EXPECT_EQ(in_new_process(source()), (Outcome{71, false}));
  write_compiler("# another compiler\n");
  EXPECT_EQ(in_new_process(source()), (Outcome{71, false})) << "the compiler's file is another";
  EXPECT_EQ(in_new_process(source()), (Outcome{71, true}));

  // A folder that only the compiler knows of, as those of its installation are.
  write("own/own.hpp", "#define VALUE 75\n");
  write_compiler("set -- \"$@\" -isystem '" + (folder_ / "own").string() + "'\n");
  emulator::Source what = source();
  what.text = "#include <own.hpp>\n__global__ void k(int* x) { x[0] = VALUE; }";
  EXPECT_EQ(in_new_process(what), (Outcome{75, false}));
  EXPECT_EQ(in_new_process(what), (Outcome{75, true}));
  write("own/own.hpp", "#define VALUE 76\n");
  EXPECT_EQ(in_new_process(what), (Outcome{76, false}));
  EXPECT_TRUE(contains(log(), {"holds no more"}));
  EXPECT_EQ(in_new_process(what), (Outcome{76, true}));
  const auto time = fs::last_write_time(folder_ / "own/own.hpp");
  write("own/own.hpp", "#define VALUE 77\n");
  fs::last_write_time(folder_ / "own/own.hpp", time);
  EXPECT_EQ(in_new_process(what), (Outcome{77, false})) << "of the same size and time";
  fs::last_write_time(folder_ / "own/own.hpp", fs::file_time_type::clock::now());
  EXPECT_EQ(in_new_process(what), (Outcome{77, true})) << "touched, and the same";
}

TEST(KindByFile, IsTheCompilersOwnWhereTheFileIsTheCompiler) {
  using emulator::detail::CompilerKind;
  using emulator::detail::kind_by_file;
  const TemporaryFolder folder;
  const auto file = [&](const std::string& name, const std::string& begin) {
    mylos::write_file_atomically(folder / name, begin + "...");
    fs::permissions(folder / name, fs::perms::owner_all);
    return (folder / name).string();
  };
  const std::string elf = "\177ELF";
  EXPECT_EQ(kind_by_file({file("g++", elf)}), CompilerKind::gcc);
  EXPECT_EQ(kind_by_file({file("x86_64-linux-gnu-g++-12", elf), "-m64"}), CompilerKind::gcc);
  EXPECT_EQ(kind_by_file({file("clang-19", elf)}), CompilerKind::clang);
  EXPECT_EQ(kind_by_file({file("clang++", elf)}), CompilerKind::clang);
  EXPECT_EQ(kind_by_file({file("ccache", elf)}), CompilerKind::unknown);
  fs::create_symlink(folder / "ccache", folder / "g++-13");
  EXPECT_EQ(kind_by_file({(folder / "g++-13").string()}), CompilerKind::unknown) << "a wrapper under a compiler's name";
  fs::create_symlink(folder / "g++", folder / "c++");
  EXPECT_EQ(kind_by_file({(folder / "c++").string()}), CompilerKind::gcc);
  EXPECT_EQ(kind_by_file({file("g++-11", "#!/bin/sh\n")}), CompilerKind::unknown) << "a script";
  EXPECT_EQ(kind_by_file({file("opal_wrapper", elf)}), CompilerKind::unknown);
  EXPECT_EQ(kind_by_file({(folder / "ccache").string(), (folder / "g++").string()}), CompilerKind::unknown);
  EXPECT_EQ(kind_by_file({"/no/such/g++"}), CompilerKind::unknown);
}

TEST_F(KeptPrograms, ChangeWithFoldersOfTheCompilersVariables) {
  write("x/h.hpp", "");
  write("y/h.hpp", "#define VALUE 77\n");
  emulator::Source what = source();
  what.text = "#include <h.hpp>\n__global__ void k(int* x) { x[0] = VALUE; }";
  fs::remove(folder_ / "x/h.hpp");
  const ScopedVariable path("CPATH", ((folder_ / "x").string() + ":" + (folder_ / "y").string()).c_str());
  EXPECT_EQ(in_new_process(what), (Outcome{77, false}));
  EXPECT_EQ(in_new_process(what), (Outcome{77, true}));
  write("x/h.hpp", "#define VALUE 78\n");
  EXPECT_EQ(in_new_process(what), (Outcome{78, false}));
}

TEST_F(KeptPrograms, AreNotKeptWhereHeadersCannotBeFollowed) {
  emulator::Source what = source();
  what.text = "#define HEADER <a.hpp>\n#include HEADER\n__global__ void k(int* x) { x[0] = VALUE; }";
  for (const int value : {71, 72}) {
    write("second/b.hpp", "#define VALUE " + std::to_string(value) + "\n");
    EXPECT_EQ(in_new_process(what), (Outcome{value, false}));
  }
  EXPECT_TRUE(contains(log(), {"kernel 'k'", "compiled anew by each process", "line 2", "macro HEADER"}));

  what.text = "#if __has_include(<not_there_yet.hpp>)\n#endif\n__global__ void k(int* x) { x[0] = 1; }";
  for (int i = 0; i < 2; ++i) EXPECT_EQ(in_new_process(what), (Outcome{1, false}));
  EXPECT_TRUE(contains(log(), {"__has_include asks for not_there_yet.hpp"}));

  what.text =
      "#if __has_include(<cmath>) && __has_include(<cuda_fp16.h>)\n#endif\n__global__ void k(int* x) { x[0] = 2; }";
  EXPECT_EQ(in_new_process(what), (Outcome{2, false}));
  EXPECT_EQ(in_new_process(what), (Outcome{2, true})) << "the emulator has these itself";
}

TEST_F(KeptPrograms, OfOneProcessFollowNoHeadersEither) {
  const emulator::Source what{
      .text = "#define HEADER <a.hpp>\n#include HEADER\n__global__ void k(int* x) { x[0] = VALUE; }",
      .name = "k",
      .include_dirs = {folder_ / "second"}};
  for (const int value : {71, 72}) {
    write("second/b.hpp", "#define VALUE " + std::to_string(value) + "\n");
    const DeviceArray<int> x(1);
    run(*emulator::compile(what), {}, x.data());
    EXPECT_EQ(x.read()[0], value);
  }
}

TEST_F(KeptPrograms, AreOfNobodyWhenSwitchedOff) {
  const ScopedVariable off("MYLOS_CACHE", "0");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(in_new_process(source()), (Outcome{71, false}));
  EXPECT_FALSE(fs::exists(folder_ / "the cache"));
}

TEST_F(KeptPrograms, ThatAreDamagedAreCompiledAgain) {
  EXPECT_EQ(in_new_process(source()), (Outcome{71, false}));
  for (const auto& entry : fs::directory_iterator(folder_ / "the cache")) fs::resize_file(entry.path(), 5000);
  EXPECT_EQ(in_new_process(source()), (Outcome{71, false}));
  EXPECT_EQ(in_new_process(source()), (Outcome{71, true}));
}

TEST_F(KeptPrograms, AreLoadedWhereNothingCanBeKept) {
  write("the cache", "a file and no folder");
  EXPECT_EQ(in_new_process(source()), (Outcome{71, false}));
  EXPECT_TRUE(contains(log(), {"kernel cache", "Not a directory"}));
}

}  // namespace
}  // namespace mylos_test
