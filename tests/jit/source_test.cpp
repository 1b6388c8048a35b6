// SPDX-License-Identifier: MIT
#include <mylos/jit/source.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/files.hpp>

#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

class IncludedFiles : public ::testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) {
    const fs::path file = fs::canonical(folder_.path()) / name;
    fs::create_directories(file.parent_path());
    mylos::write_file_atomically(file, text);
    return file;
  }
  [[nodiscard]] fs::path path(const std::string& name) const { return fs::canonical(folder_.path()) / name; }

  Paths of(const std::string& text, const Paths& include_dirs = {}) {
    return mylos::jit::included_files(text, {.own = path("."), .further = include_dirs});
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(IncludedFiles, AreFoundTransitivelyAndOnce) {
  const fs::path a = write("a.hpp", "#include \"deep/b.hpp\"\n#include \"a.hpp\"\n");
  const fs::path b = write("deep/b.hpp", "#pragma once\n#include \"c.hpp\"\n#include \"../a.hpp\"\n");
  const fs::path c = write("deep/c.hpp", "int c;\n");
  EXPECT_EQ(of("#include \"a.hpp\"\n  #  include \"deep/c.hpp\" // again\n"), (Paths{a, b, c}));
}

TEST_F(IncludedFiles, AreLookedForBesideTheFileThenInTheFoldersInOrder) {
  const fs::path beside = write("h.hpp", "");
  const fs::path first = write("first/h.hpp", "");
  const fs::path second = write("second/only.hpp", "#include \"h.hpp\"");
  const Paths folders = {path("first"), path("second")};
  EXPECT_EQ(of("#include \"h.hpp\"", folders), Paths{beside});
  EXPECT_EQ(of("#include <h.hpp>", folders), Paths{first});
  EXPECT_EQ(of("#include \"only.hpp\"", folders), (Paths{second, first}));
  // A new file earlier in the order takes another's place.
  const fs::path shadow = write("first/only.hpp", "");
  EXPECT_EQ(of("#include \"only.hpp\"", folders), Paths{shadow});
}

TEST_F(IncludedFiles, LeaveOutWhatIsNotIncludedOrNotThere) {
  write("off.hpp", "");
  const fs::path on = write("on.hpp", "");
  EXPECT_EQ(
      of("// #include \"off.hpp\"\n/*\n#include \"off.hpp\"\n*/ const char* s = R\"(\n#include \"off.hpp\"\n)\";\n"
         "#if 0\n#include \"off.hpp\"\n#endif\n#include \"nowhere.hpp\"\n#include <mylos/device/index.hpp>\n"
         "#ifdef MAYBE\n#include \"on.hpp\"\n#endif\n"),
      Paths{on});
}

TEST_F(IncludedFiles, OfATextWithoutFolderComeFromTheFoldersOnly) {
  write("h.hpp", "");
  EXPECT_TRUE(mylos::jit::included_files("#include \"h.hpp\"", {}).empty());
  const Paths folders = {path(".")};
  EXPECT_EQ(mylos::jit::included_files("#include \"h.hpp\"", {.own = {}, .further = folders}), Paths{path("h.hpp")});
}

TEST(IncludeFolders, OwnIsTheFilesFolder) {
  const auto own = [](const char* file) { return mylos::jit::include_folders(file, {}, {}).own; };
  EXPECT_EQ(own(""), "");
  EXPECT_EQ(own("push.cu"), ".");
  EXPECT_EQ(own("kernels/push/push.cu"), "kernels/push");
}

TEST(IncludeFolders, FurtherAreThoseOfTheOptionsThenTheGivenOnes) {
  const std::vector<std::string> options = {"-Ia", "-DX",      "-I", "b", "--include-path=c", "--include-path",
                                            "d",   "-lineinfo"};
  const Paths given = {"e"};
  EXPECT_EQ(mylos::jit::include_folders("", options, given).further, (Paths{"a", "b", "c", "d", "e"}));
}

}  // namespace
}  // namespace mylos_test
