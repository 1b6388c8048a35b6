// SPDX-License-Identifier: MIT
// What g++ makes of the emulator's headers is kept once, used by all kernels, and changes nothing of them.
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/emulator/options.hpp>
#include <mylos/jit/cache.hpp>

#include "emulator/command_line.hpp"
#include "emulator/support.hpp"
#include "support/child.hpp"
#include "support/contains.hpp"
#include "support/log_lines.hpp"
#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

namespace fs = std::filesystem;
using mylos::jit::Cache;

// That writes a number, and includes nothing.
emulator::Source writing(int value) {
  return {.text = "__global__ void k(int* x) { x[0] = " + std::to_string(value) + "; }", .name = "k"};
}

// What a kernel writes.
std::string value_of(const emulator::Source& source) {
  const DeviceArray<int> x(1);
  run(*emulator::compile(source), {}, x.data());
  return std::to_string(x.read()[0]);
}

class PrecompiledShim : public ::testing::Test {
 protected:
  void SetUp() override {
    using emulator::detail::CompilerKind;
    if (emulator::detail::kind_by_file({"g++"}) != CompilerKind::gcc) GTEST_SKIP() << "no g++ that is one by its file";
  }

  /// The text that `action` returns in a process of its own, which has compiled nothing before.
  template <class Action>
  [[nodiscard]] std::string in_new_process(const Action& action) const {
    const fs::path answer = folder_ / "answer";
    fs::remove(answer);
    Child child([&] {
      const std::string text = action();
      std::ofstream(answer) << text;
    });
    EXPECT_EQ(child.wait(), 0);
    return fs::exists(answer) ? mylos::read_file(answer) : "no answer";
  }
  [[nodiscard]] std::string value_in_new_process(const emulator::Source& source) const {
    return in_new_process([&] { return value_of(source); });
  }
  /// The same, and what it warns of.
  [[nodiscard]] std::string value_and_warnings(const emulator::Source& source) const {
    return in_new_process([&] {
      LogLines lines;
      std::string text = value_of(source);
      for (const std::string& line : lines.take()) text += '\n' + line;
      return text;
    });
  }

  [[nodiscard]] fs::path cache() const { return folder_ / "the cache"; }
  /// The entries that are of the shim.
  [[nodiscard]] std::vector<Cache::Entry> kept() const {
    auto entries = Cache(cache()).entries();
    std::erase_if(entries, [](const Cache::Entry& entry) {
      return !entry.description.starts_with("the emulator's headers, read by ");
    });
    return entries;
  }
  [[nodiscard]] fs::path file_of(const Cache::Entry& entry) const { return cache() / (entry.key + ".kernel"); }
  /// The only one, made by a process that is over.
  [[nodiscard]] Cache::Entry make() const {
    EXPECT_EQ(value_in_new_process(writing(1)), "1");
    EXPECT_EQ(kept().size(), 1U);
    return kept().at(0);
  }

  TemporaryFolder folder_;

 private:
  ScopedVariable folder_of_cache_{"MYLOS_CACHE_DIR", cache().c_str()}, on_{"MYLOS_CACHE", nullptr},
      compiler_{"MYLOS_CXX", "g++"};
};

TEST_F(PrecompiledShim, IsMadeOnceForAllKernelsAndProcesses) {
  const Cache::Entry made = make();
  EXPECT_EQ(made.description, "the emulator's headers, read by g++");
  EXPECT_GT(made.bytes, 1'000'000U);
  // As long as the file is not replaced, it is the one that the second name is of.
  const fs::path second_name = folder_ / "second name";
  fs::create_hard_link(file_of(made), second_name);
  const std::vector<emulator::Source> others{
      writing(2),
      {.text = "__global__ void k(int* x) { x[0] = VALUE; }", .name = "k", .options = {"-DVALUE=3", "-Dlaunch=worker"}},
      {.text = "#include <mylos/device/index.hpp>\n__global__ void k(int* x) { MYLOS_THREAD_1D(i, 1); x[i] = 4; }",
       .name = "k"},
      {.text = "__global__ void k(int* x) { __shared__ int s; s = 5; __syncthreads(); atomicExch(x, s); }",
       .name = "k"},
      {.text = "template <int n> __global__ void k(int* x) { x[0] = n; }", .name = "k", .instantiate = "k<6>"}};
  EXPECT_EQ(in_new_process([&] {
              std::string values;
              for (const emulator::Source& source : others) values += value_of(source);
              return values;
            }),
            "23456");
  EXPECT_EQ(kept().size(), 1U);
  EXPECT_TRUE(fs::equivalent(file_of(made), second_name)) << "it was made again";
}

TEST_F(PrecompiledShim, IsAnotherWhereTheCompilersOptionsAre) {
  (void)make();
  std::size_t expected = 1;
  const auto expect_one_more = [&](const char* what, const auto& compile_and_run) {
    ++expected;
    for (const int value : {20, 30}) {
      EXPECT_EQ(in_new_process([&] { return compile_and_run(value); }), std::to_string(value)) << what;
      EXPECT_EQ(kept().size(), expected) << what;
    }
  };
  expect_one_more("another language", [](int value) {
    emulator::Source source = writing(value);
    source.options = {"-std=c++17"};
    return value_of(source);
  });
  expect_one_more("another switch", [](int value) {
    const ScopedVariable variable("MYLOS_EMULATOR_SWITCH", "portable");
    return value_of(writing(value));
  });
  expect_one_more("checked", [](int value) {
    const auto scope = emulator::with({.checks = emulator::all_checks()});
    return value_of(writing(value));
  });
  expect_one_more("plain indices", [](int value) {
    return value_of({.text = "template <class T> __device__ T sum(T a, T b) { return a + b; }\n"
                             "__global__ void k(int* x) { x[0] = sum(threadIdx.x, " +
                             std::to_string(value) + "u); }",
                     .name = "k"});
  });
}

TEST_F(PrecompiledShim, IsSharedByThreadsThatCompile) {
  EXPECT_EQ(in_new_process([] {
              std::vector<std::string> values(4);
              std::vector<std::thread> threads;
              for (std::size_t i = 0; i < values.size(); ++i) {
                threads.emplace_back([&values, i] { values[i] = value_of(writing(static_cast<int>(i))); });
              }
              for (std::thread& thread : threads) thread.join();
              return values[0] + values[1] + values[2] + values[3];
            }),
            "0123");
  EXPECT_EQ(kept().size(), 1U);
}

// All that is said of texts that cannot be compiled. Files of the shim lie in another folder each time.
TEST_F(PrecompiledShim, ChangesNoMessage) {
  const std::vector<std::string> texts{
      "__global__ void k(int* x) {\n  x[0] = undeclared;\n}",
      "__global__ void k(int* x) {\n  atomicAdd(x, \"one\");\n}",
      "__global__ void other(int* x) { x[0] = 1; }",
      "__global__ void k(int* x) { asm(\"mov\"); }",
      "__global__ void k(int* x) { k<<<1, 1>>>(x); }",
      "__global__ void k(int* x) { x[0] = __shfl(x[0], 1); }",
      "__device__ int nowhere(int);\n__global__ void k(int* x) { x[0] = nowhere(x[0]); }",
      "#include \"nowhere.hpp\"\n__global__ void k(int* x) { x[0] = 1; }",
      "#include <iostream>\n__global__ void k(int* x) { std::cout << *x; }"};
  const auto messages = [&] {
    std::string all;
    for (const std::string& text : texts) {
      const auto error = error_of<mylos::CompileError>([&] { (void)emulator::compile({.text = text, .name = "k"}); });
      if (error) all += std::string(error->what()) + "\n" + error->log() + "\n";
    }
    return std::regex_replace(all, std::regex("mylos-[A-Za-z0-9]{6}/"), "a folder/");
  };
  (void)make();
  const std::string with = in_new_process(messages);
  const ScopedVariable off("MYLOS_CACHE", "0");
  EXPECT_EQ(with, in_new_process(messages));
  EXPECT_TRUE(contains(with, {"k.cu:2:", "'undeclared'", "atomicAdd", "inline PTX", "host code", "__shfl_sync",
                              "does not link", "nowhere.hpp", "#include <iostream>"}));
}

TEST_F(PrecompiledShim, ThatIsDamagedIsMadeAgain) {
  const Cache::Entry made = make();
  {
    std::fstream stream(file_of(made), std::ios::in | std::ios::out | std::ios::binary);
    const auto middle = static_cast<std::streamoff>(made.bytes / 2);
    stream.seekg(middle);
    const int byte = stream.get();
    stream.seekp(middle);
    stream.put(static_cast<char>(byte ^ 1));
  }
  const std::string outcome = value_and_warnings(writing(2));
  EXPECT_TRUE(contains(outcome, {"2\n", "damaged", file_of(made).string()}));
  EXPECT_EQ(std::ranges::count(outcome, '\n'), 1) << outcome;
  EXPECT_EQ(value_and_warnings(writing(3)), "3");
  EXPECT_EQ(kept().size(), 1U);
}

// As one of another g++, which its file does not tell from this one.
TEST_F(PrecompiledShim, ThatDoesNotFitIsNotUsed) {
  const Cache::Entry made = make();
  Cache(cache()).store(made.key, made.description, "nothing that a compiler made");
  EXPECT_EQ(value_and_warnings(writing(2)), "2");
  emulator::Source source = writing(3);
  source.text = "#include <cmath>\n" + source.text;
  EXPECT_EQ(value_and_warnings(source), "3");
}

TEST_F(PrecompiledShim, IsNotMadeWithoutACache) {
  const ScopedVariable off("MYLOS_CACHE", "0");
  EXPECT_EQ(value_and_warnings(writing(1)), "1");
  EXPECT_EQ(value_and_warnings(writing(2)), "2");
  EXPECT_FALSE(fs::exists(cache()));
}

TEST_F(PrecompiledShim, IsMadeOnceInAProcessWhereItCannotBeKept) {
  const auto times_made = [&] {
    return in_new_process([] {
      LogLines lines(mylos::log::Level::debug);
      std::string values;
      for (const int value : {1, 2, 3}) values += value_of(writing(value));
      return values + " " + std::to_string(lines.take_count("the emulator's headers are precompiled"));
    });
  };
  {
    const ScopedVariable one_mebibyte("MYLOS_CACHE_SIZE", "1");
    EXPECT_EQ(times_made(), "123 1") << "it is larger";
  }
  fs::remove_all(cache());
  std::ofstream(cache()) << "a file and no folder";
  EXPECT_EQ(times_made(), "123 1");
}

TEST_F(PrecompiledShim, IsDoneWithoutWhereTheDiskHasNoRoomForIt) {
  const auto with_little_room = [&](int value) {
    return in_new_process([value] {
      rlimit limit{};
      ::getrlimit(RLIMIT_FSIZE, &limit);
      limit.rlim_cur = 2 << 20;  // less than it takes, more than a kernel does
      ::setrlimit(RLIMIT_FSIZE, &limit);
      ::signal(SIGXFSZ, SIG_IGN);
      return value_of(writing(value));
    });
  };
  EXPECT_EQ(with_little_room(11), "11") << "it cannot be made";
  EXPECT_TRUE(kept().empty());
  const Cache::Entry made = make();
  ASSERT_GT(made.bytes, 2U << 20);
  EXPECT_EQ(with_little_room(12), "12") << "it cannot be written into the folder of a compilation";
}

// However a text includes a header of the emulator, it is that one which it gets, and not the machine's.
TEST_F(PrecompiledShim, LeavesAllHeadersToTextsThatIncludeAny) {
  (void)make();
  const std::string kernel =
      "\n__global__ void k(int* x) {\n#ifdef _ASSERT_H\n  x[0] = 2;\n#else\n  x[0] = 3;\n#endif\n}";
  for (const char* line :
       {"#include <cassert>", "%:include <cassert>", "#  include <assert.h>", "#inc\\\nlude <cassert>",
        "#define HEADER <cassert>\n#include HEADER", "#import <cassert>"}) {
    EXPECT_EQ(value_in_new_process({.text = line + kernel, .name = "k"}), "3") << line;
  }
  const fs::path header = folder_ / "before.hpp";
  std::ofstream(header) << "#include <cassert>\n#include <cuda_fp16.h>\nconstexpr int four = sizeof(__half2);\n";
  EXPECT_EQ(value_in_new_process({.text = "__global__ void k(int* x) { x[0] = four; }",
                                  .name = "k",
                                  .options = {"--pre-include=" + header.string()}}),
            "4");
}

TEST_F(PrecompiledShim, LeavesHeadersToTextsThatOnlyAskForThem) {
  (void)make();
  EXPECT_EQ(value_in_new_process({.text = "#if __has_include(<cuda_fp16.h>) && __has_include(<mylos/device/array.hpp>) "
                                          "&& __has_include(<cuda/atomic>) && !__has_include(<no/such/header.hpp>)\n"
                                          "__global__ void k(int* x) { x[0] = 2; }\n#else\n"
                                          "__global__ void k(int* x) { x[0] = 3; }\n#endif",
                                  .name = "k"}),
            "2");
}

}  // namespace
}  // namespace mylos_test
