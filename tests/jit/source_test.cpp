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
using mylos::jit::IncludeLine;
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
    return paths_of(mylos::jit::included_files(text, {.own = path("."), .further = include_dirs}));
  }
  static Paths paths_of(const std::vector<mylos::jit::IncludedFile>& files) {
    Paths paths;
    for (const auto& file : files) paths.push_back(file.path);
    return paths;
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
  // The text's own folder is searched for what included files name, too: compilers get it as their first folder.
  EXPECT_EQ(of("#include \"only.hpp\"", folders), (Paths{second, beside}));
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

TEST_F(IncludedFiles, MayBeNamedByTheirWholePath) {
  const fs::path a = write("a.hpp", "#include \"deep/b.hpp\"\n"), b = write("deep/b.hpp", "");
  for (const std::string& text : {"#include \"" + a.string() + "\"\n", "#include <" + a.string() + ">\n"}) {
    EXPECT_EQ(paths_of(mylos::jit::included_files(text, {})), (Paths{a, b})) << "of a text of no file";
    EXPECT_EQ(of(text), (Paths{a, b}));
  }
  EXPECT_EQ(of("#include \"/no/such/file.hpp\"\n"), Paths{});
}

TEST_F(IncludedFiles, OfATextWithoutFolderComeFromTheFoldersOnly) {
  write("h.hpp", "");
  EXPECT_TRUE(mylos::jit::included_files("#include \"h.hpp\"", {}).empty());
  const Paths folders = {path(".")};
  EXPECT_EQ(paths_of(mylos::jit::included_files("#include \"h.hpp\"", {.own = {}, .further = folders})),
            Paths{path("h.hpp")});
}

TEST_F(IncludedFiles, OfTheProgramWinOverTheDisk) {
  write("h.hpp", "#include \"disk.hpp\"");
  write("disk.hpp", "");
  const std::string name = path("h.hpp"), deep = path("deep/only.hpp");
  const std::vector<mylos::NamedText> embedded = {{name, "#include \"deep/only.hpp\""}, {deep, "int here;"}};
  const auto files = mylos::jit::included_files("#include \"x/../h.hpp\"", {.own = path("."), .further = {}}, embedded);
  EXPECT_EQ(paths_of(files), (Paths{name, deep}));
  EXPECT_EQ(files[1].text, "int here;");
}

class IncludeChain : public IncludedFiles {
 protected:
  using Lines = std::vector<IncludeLine>;

  /// Of a text in the file k.cu.
  [[nodiscard]] Lines to(const std::string& file, const std::string& text,
                         const std::vector<mylos::NamedText>& embedded = {}) const {
    return mylos::jit::include_chain(text, "k.cu", {.own = own(), .further = {}}, embedded, file);
  }
  [[nodiscard]] fs::path own() const { return path("link"); }

  void SetUp() override {
    write("real/a.hpp", "// one\n\n#  include /* why */ \"deep/b.hpp\"\n#include \"c.hpp\"\n");
    write("real/deep/b.hpp", "#include \"../c.hpp\"\n");
    write("real/c.hpp", "#include \"a.hpp\"\n");
    fs::create_directory_symlink(path("real"), own());
  }
};

TEST_F(IncludeChain, BeginsWithTheInnermostLineAndEndsInTheText) {
  const std::string text = "\n#include \"a.hpp\"\n#include \"deep/b.hpp\"\n";
  const std::string a = own() / "a.hpp", b = own() / "deep/b.hpp", c = own() / "deep/../c.hpp";
  EXPECT_EQ(to(a, text), (Lines{{"k.cu", 2}}));
  EXPECT_EQ(to(b, text), (Lines{{a, 3}, {"k.cu", 2}}));
  EXPECT_EQ(to(c, text), (Lines{{b, 1}, {a, 3}, {"k.cu", 2}})) << "c.hpp includes a.hpp: a circle";
  for (const std::string& name :
       {(own() / "c.hpp").string(), path("real/c.hpp").string(), path("real/./c.hpp").string()}) {
    EXPECT_EQ(to(name, text), to(c, text)) << "other names for a file";
  }
}

TEST_F(IncludeChain, IsEmptyForTheTextAndWhatItDoesNotReach) {
  EXPECT_EQ(to("k.cu", "#include \"a.hpp\"\n"), Lines{});
  EXPECT_EQ(to(own() / "a.hpp", "// #include \"a.hpp\"\n#include \"nowhere.hpp\"\n"), Lines{});
  EXPECT_EQ(to("nowhere.hpp", "#include \"nowhere.hpp\"\n"), Lines{});
}

TEST_F(IncludeChain, LeadsThroughFilesOfTheProgramAndOfTheLibrary) {
  const std::string name = own() / "of_program.hpp";
  EXPECT_EQ(to("mylos/device/array.hpp", "#include \"of_program.hpp\"\n", {{name, "\n#include <mylos/device.hpp>\n"}}),
            (Lines{{"mylos/device.hpp", 5}, {name, 2}, {"k.cu", 1}}));
}

TEST(LineDirective, QuotesTheName) {
  EXPECT_EQ(mylos::jit::line_directive("/a b/c.cu"), "#line 1 \"/a b/c.cu\"\n");
  EXPECT_EQ(mylos::jit::line_directive(R"(a\"b)"), "#line 1 \"a\\\\\\\"b\"\n");
}

class BundleTest : public ::testing::Test {
 protected:
  static mylos::jit::Bundle of(const std::string& text) {
    static const std::vector<mylos::NamedText> embedded = {
        {"/no/such/sum.hpp", "#pragma once\n#include \"parts/part.hpp\"\n"},
        {"/no/such/parts/part.hpp", "#include \"../sum.hpp\"\n#include \"own.hpp\"\n#include \"absent.hpp\"\n"},
        {"/no/such/push/own.hpp", "int own;"},
        {"/no/such/push/unused.hpp", "int unused;"}};
    return mylos::jit::bundle(text, {.own = "/no/such/push", .further = {"/no/such/parts"}}, embedded);
  }
};

TEST_F(BundleTest, RewritesLinesThatReachFilesOfTheProgramOnly) {
  const mylos::jit::Bundle bundle =
      of("#include <cmath>\n"
         "  # include /* why */ \"../sum.hpp\" // \"own.hpp\"\n"
         "// #include \"own.hpp\"\n"
         "#include \"own\\\n.hpp\"\n"
         "#include <part.hpp>\n"
         "#include \"nowhere.hpp\"\n"
         "end");
  EXPECT_EQ(bundle.text,
            "#include <cmath>\n"
            "  # include /* why */ \"mylos_embedded/no/such/sum.hpp\" // \"own.hpp\"\n"
            "// #include \"own.hpp\"\n"
            "#include \"own\\\n.hpp\"\n"
            "#include \"mylos_embedded/no/such/parts/part.hpp\"\n"
            "#include \"nowhere.hpp\"\n"
            "end");
}

TEST_F(BundleTest, HoldsWhatIsReachedOnceAlsoInACircle) {
  const mylos::jit::Bundle bundle = of("#include \"../sum.hpp\"\n#include \"../sum.hpp\"\n");
  ASSERT_EQ(bundle.headers.size(), 3);
  EXPECT_EQ(bundle.headers[0].name, "mylos_embedded/no/such/sum.hpp");
  EXPECT_EQ(bundle.headers[0].text,
            "#line 1 \"/no/such/sum.hpp\"\n#pragma once\n#include \"mylos_embedded/no/such/parts/part.hpp\"\n");
  EXPECT_EQ(bundle.headers[1].name, "mylos_embedded/no/such/parts/part.hpp");
  EXPECT_EQ(bundle.headers[1].text,
            "#line 1 \"/no/such/parts/part.hpp\"\n#include \"mylos_embedded/no/such/sum.hpp\"\n"
            "#include \"mylos_embedded/no/such/push/own.hpp\"\n#include \"absent.hpp\"\n");
  EXPECT_EQ(bundle.headers[2].text, "#line 1 \"/no/such/push/own.hpp\"\nint own;");
}

TEST(Bundle, WithoutFilesOfTheProgramIsTheText) {
  const mylos::jit::Bundle bundle = mylos::jit::bundle("#include \"a.hpp\"\n", {.own = "/a", .further = {}}, {});
  EXPECT_EQ(bundle.text, "#include \"a.hpp\"\n");
  EXPECT_TRUE(bundle.headers.empty());
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
