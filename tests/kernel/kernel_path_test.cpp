// SPDX-License-Identifier: MIT
// MYLOS_KERNEL_PATH: ports of a program replaced by files, and read again while it runs.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/core.hpp>
#include <mylos/kernel.hpp>

#include "support/contains.hpp"
#include "support/log_lines.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::CudaKernel;
using Values = Kokkos::View<double*, mylos::DeviceSpace>;

constexpr const char* variable = "MYLOS_KERNEL_PATH";

/// A kernel `mark` that writes this into every element.
std::string mark_text(const std::string& value) {
  return "extern \"C\" __global__ void mark(double* x) { x[threadIdx.x] = " + value + "; }\n";
}

class KernelPath : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    mylos::write_file_atomically(path, text);
  }
  /// As mylos_add_kernels() makes one; writes 1.
  static CudaKernel port() {
    static const std::string text = mark_text("1");
    return mylos::detail::embedded_port({"mark", text}, {}, "/sources/mark");
  }
  static double marked(const CudaKernel& mark) {
    const Values x("x", 4);
    mark({.threads = 4, .block = 4}, x);
    return mylos::to_host(x)(3);
  }

  const TemporaryFolder folder_;
  LogLines log_{mylos::log::Level::info};
};

TEST_F(KernelPath, AFileReplacesThePort) {
  write("kernels/mark/mark.cu", "#include \"value.hpp\"\n" + mark_text("value"));
  write("kernels/mark/value.hpp", "constexpr double value = 2;");
  write("other/readme", "");
  const ScopedVariable path(variable, ((folder_ / "other").string() + "::" + (folder_ / "kernels").c_str()).c_str());
  const std::filesystem::path file = folder_ / "kernels/mark/mark.cu";
  const CudaKernel mark = port();
  EXPECT_EQ(marked(mark), 2.0);
  EXPECT_EQ(mark.file(), file);
  EXPECT_EQ(mark.included_headers(), std::vector<std::filesystem::path>{folder_ / "kernels/mark/value.hpp"});
  EXPECT_EQ(log_.take_count("kernel 'mark': " + file.string() + " replaces the port"), 1);
}

TEST_F(KernelPath, TheFirstFolderWins) {
  write("a/mark.cu", mark_text("3"));
  write("b/mark/mark.cu", mark_text("4"));
  const ScopedVariable path(variable, ((folder_ / "a").string() + ":" + (folder_ / "b").c_str()).c_str());
  EXPECT_EQ(marked(port()), 3.0);
  write("a/mark/mark.cu", mark_text("5"));
  EXPECT_EQ(marked(port()), 5.0) << "a folder of the kernel's own before a file";
}

TEST_F(KernelPath, WhatHasNoFileIsTakenFromTheProgram) {
  write("push/push.cu", "");
  const ScopedVariable path(variable, folder_.path().c_str());
  const CudaKernel mark = port();
  EXPECT_EQ(marked(mark), 1.0);
  EXPECT_EQ(mark.file(), "/sources/mark/mark.cu");
  EXPECT_EQ(log_.take_count("there is no mark/mark.cu and no mark.cu in MYLOS_KERNEL_PATH"), 1);
  write("mark.cu", mark_text("2"));
  EXPECT_EQ(marked(CudaKernel(mark_text("6"), "mark")), 6.0) << "no port of a catalog";
}

TEST_F(KernelPath, AFolderThatIsNotThereIsRefused) {
  const ScopedVariable path(variable, (folder_.path().string() + ":/nowhere/kernels").c_str());
  const CudaKernel mark = port();
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { static_cast<void>(mark.signature()); }),
                       {"MYLOS_KERNEL_PATH", "there is no folder '/nowhere/kernels'"}));
  write("mark/mark.cu", mark_text("2"));
  const ScopedVariable file(variable, (folder_ / "mark/mark.cu").c_str());
  EXPECT_TRUE(
      contains(thrown<mylos::ValueError>([&] { static_cast<void>(mark.signature()); }),
               {"mark/mark.cu' is a file", "name the one that it is in, '" + (folder_ / "mark").string() + "'"}));
  const ScopedVariable corrected(variable, (folder_ / "mark").c_str());
  EXPECT_EQ(marked(mark), 2.0) << "the kernel's own folder";
}

TEST_F(KernelPath, RecompileReadsTheFileAgain) {
  write("mark.cu", mark_text("2"));
  const ScopedVariable path(variable, folder_.path().c_str());
  const CudaKernel mark = port(), copy = mark;
  EXPECT_EQ(marked(mark), 2.0);
  write("mark.cu", mark_text("3"));
  EXPECT_EQ(marked(mark), 2.0) << "until it is asked to";
  mark.recompile();
  EXPECT_FALSE(mark.is_compiled());
  EXPECT_EQ(marked(copy), 3.0);
  const std::string& before = mark.source();
  // Another signature, with the types that a call of the old one had.
  write("mark.cu", "extern \"C\" __global__ void mark(double* x, double factor) { x[threadIdx.x] = 2 * factor; }");
  mark.recompile();
  EXPECT_EQ(before, mark_text("3")) << "what was handed out stays";
  EXPECT_THROW(marked(mark), mylos::SignatureError);
  const Values x("x", 4);
  mark({.threads = 4, .block = 4}, x, 3);
  EXPECT_EQ(mylos::to_host(x)(3), 6.0);
}

TEST_F(KernelPath, RecompileSeesFilesComeAndGo) {
  const CudaKernel mark = port();
  EXPECT_EQ(marked(mark), 1.0);
  write("mark.cu", mark_text("2"));
  {
    const ScopedVariable path(variable, folder_.path().c_str());
    EXPECT_EQ(marked(mark), 1.0) << "the first use was before";
    mark.recompile();
    EXPECT_EQ(marked(mark), 2.0);
    const ScopedVariable wrong(variable, "/nowhere");
    EXPECT_THROW(mark.recompile(), mylos::ValueError);
    EXPECT_EQ(marked(mark), 2.0);
  }
  mark.recompile();
  EXPECT_EQ(marked(mark), 1.0);
}

}  // namespace
}  // namespace mylos_test
