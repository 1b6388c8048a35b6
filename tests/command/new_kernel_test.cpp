// SPDX-License-Identifier: MIT
#include "new_kernel.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>

#include "check.hpp"
#include "support/contains.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using Paths = std::vector<std::filesystem::path>;

TEST(NewKernel, WritesAKernelThatCompiles) {
  const TemporaryFolder folder;
  const mylos_command::NewKernel scale{.name = "scale", .project = folder.path()};
  EXPECT_EQ(mylos_command::make_kernel(scale),
            (Paths{folder / "kernels/scale/scale.hpp", folder / "kernels/scale/scale.cu",
                   folder / "kernels/scale/scale_parity.hpp", folder / "CMakeLists.txt"}));
  EXPECT_TRUE(contains(mylos::read_file(folder / "kernels/scale/scale.hpp"),
                       {"namespace app::kernels::host {", "struct scale {"}));
  EXPECT_TRUE(contains(mylos::read_file(folder / "CMakeLists.txt"),
                       {"project(app ", "set(CMAKE_CXX_EXTENSIONS OFF)",
                        "mylos_add_kernels(app DIRECTORY kernels NAMESPACE app::kernels)"}));
  const auto kernels = mylos_command::check({.paths = {folder.path()}}, [](const std::string&) {});
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].name, "scale");
  EXPECT_TRUE(kernels[0].good()) << mylos_command::table(kernels);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(mylos::read_file(entry.path()).find('@'), std::string::npos) << entry.path();
  }
}

TEST(NewKernel, OverwritesNothing) {
  const TemporaryFolder folder;
  mylos::write_file_atomically(folder / "CMakeLists.txt", "mine");
  const mylos_command::NewKernel push{
      .name = "push", .directory = "src/kernels", .name_space = "plasma::loops", .project = folder.path()};
  EXPECT_EQ(mylos_command::make_kernel(push).size(), 3U);
  EXPECT_EQ(mylos::read_file(folder / "CMakeLists.txt"), "mine");
  EXPECT_TRUE(contains(mylos::read_file(folder / "src/kernels/push/push_parity.hpp"), {"namespace plasma::loops {"}));
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { mylos_command::make_kernel(push); }),
                       {"src/kernels/push' exists", "nothing is overwritten"}));
}

TEST(NewKernel, GoesWhereTheProjectHasItsKernels) {
  const TemporaryFolder folder;
  mylos::write_file_atomically(folder / "CMakeLists.txt",
                               "mylos_add_kernels(plasma DIRECTORY src/loops NAMESPACE plasma::loops)\n");
  mylos_command::make_kernel({.name = "push", .project = folder.path()});
  EXPECT_TRUE(contains(mylos::read_file(folder / "src/loops/push/push.hpp"), {"namespace plasma::loops::host {"}));
  mylos_command::make_kernel({.name = "push", .directory = "others", .project = folder.path()});
  EXPECT_TRUE(contains(mylos::read_file(folder / "others/push/push.hpp"), {"namespace plasma::loops::host {"}));
  mylos_command::make_kernel({.name = "load", .name_space = "mine", .project = folder.path()});
  EXPECT_TRUE(contains(mylos::read_file(folder / "src/loops/load/load.hpp"), {"namespace mine::host {"}));
}

TEST(NewKernel, RefusesWordsThatAreTaken) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& name, const std::string& name_space) {
    return thrown<mylos::ValueError>(
        [&] { mylos_command::make_kernel({.name = name, .name_space = name_space, .project = folder.path()}); });
  };
  for (const char* name : {"class", "alignas", "unix", "co_await", "errno", "NULL"}) {
    EXPECT_TRUE(contains(refused(name, "app"), {"is no name for a kernel: it is a word of C++"})) << name;
  }
  for (const char* name : {"host", "catalog", "std", "Kokkos"}) {
    EXPECT_TRUE(contains(refused(name, "app"), {"the catalog itself has something of this name"})) << name;
  }
  for (const char* name : {"_push", "_Push", "push__fast"}) {
    EXPECT_TRUE(contains(refused(name, "app"), {"the compiler's own"})) << name;
  }
  EXPECT_TRUE(contains(refused("push", "app::new::kernels"), {"'app::new::kernels'", "'new' is a word of C++"}));
  EXPECT_TRUE(folder.names().empty());
  mylos_command::make_kernel({.name = "classes", .name_space = "app::news", .project = folder.path()});
}

TEST(NewKernel, RefusesNamesThatKernelsHaveAlready) {
  const TemporaryFolder folder;
  for (const char* name : {"sin", "main", "atomicAdd", "threadIdx", "printf", "warpSize"}) {
    EXPECT_TRUE(contains(
        thrown<mylos::ValueError>([&] { mylos_command::make_kernel({.name = name, .project = folder.path()}); }),
        {std::string("'") + name + "' is no name for a kernel", "something else already", " says: "}))
        << name;
  }
  EXPECT_TRUE(folder.names().empty());
  // A compiler that compiles nothing refuses no name.
  const std::filesystem::path compiler = folder / "compiler";
  mylos::write_file_atomically(compiler, "#!/bin/sh\necho 'a.cpp:1: error: no licence'\nexit 1\n");
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  const ScopedVariable broken("MYLOS_CXX", compiler.c_str());
  mylos_command::make_kernel({.name = "push", .project = folder.path()});
}

TEST(NewKernel, RefusesNamesThatAreNone) {
  const TemporaryFolder folder;
  for (const std::string& name : {std::string(), std::string("2d"), std::string("a-b"), std::string("a b"),
                                  std::string("../up"), std::string("a/b"), std::string(1'000'000, 'a') + '-'}) {
    EXPECT_TRUE(contains(
        thrown<mylos::ValueError>([&] { mylos_command::make_kernel({.name = name, .project = folder.path()}); }),
        {"is no name for a kernel"}))
        << name;
  }
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] {
                         mylos_command::make_kernel(
                             {.name = "a", .name_space = "app.kernels", .project = folder.path()});
                       }),
                       {"'app.kernels' is no C++ namespace"}));
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace mylos_test
