// SPDX-License-Identifier: MIT
#include <mylos/jit/dependencies.hpp>

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/files.hpp>

#include "support/contains.hpp"
#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

namespace fs = std::filesystem;
using mylos::jit::dependencies;
using Paths = std::vector<fs::path>;

class DependenciesTest : public ::testing::Test {
 protected:
  DependenciesTest() : root_(fs::canonical(folder_.path())) {}

  fs::path write(const std::string& name, const std::string& text = "") const {
    fs::create_directories((root_ / name).parent_path());
    mylos::write_file_atomically(root_ / name, text);
    return root_ / name;
  }
  [[nodiscard]] fs::path path(const std::string& name) const { return root_ / name; }
  [[nodiscard]] mylos::jit::Dependencies of(const std::string& text, const Paths& include_dirs = {},
                                            const std::vector<std::string>& options = {}) const {
    return dependencies({.text = text, .file = path("k.cu"), .options = options, .include_dirs = include_dirs});
  }
  static Paths files_of(const mylos::jit::Dependencies& found) {
    Paths paths;
    for (const auto& file : found.files) paths.push_back(file.path);
    return paths;
  }

  TemporaryFolder folder_;
  fs::path root_;
};

TEST_F(DependenciesTest, AreAllFilesThatCouldBeMeant) {
  const fs::path beside = write("h.hpp", "#include \"deep/b.hpp\"\n"), first = write("first/h.hpp", "shadowed");
  const fs::path b = write("deep/b.hpp", "#include \"../h.hpp\"\n#include <c.hpp>\n#include \"c.hpp\"\n");
  const fs::path c = write("deep/c.hpp"), other_c = write("first/c.hpp");
  EXPECT_EQ(files_of(of("#include \"h.hpp\"\n", {path("first")})), (Paths{beside, b, other_c, c, first}));
  EXPECT_EQ(files_of(of("#include <h.hpp>\n", {path("first")})), (Paths{first})) << "not beside the text";
}

TEST_F(DependenciesTest, AreLookedForInAllFoldersThatOptionsName) {
  const fs::path i = write("i/h.hpp", "1"), s = write("s/h.hpp", "2"), d = write("d/h.hpp", "3"), p = write("p.hpp");
  EXPECT_EQ(files_of(of("#include <h.hpp>\n", {path("d")},
                        {"-I", path("i"), "-isystem", path("s"), "--pre-include=" + path("p.hpp").string()})),
            (Paths{p, i, d, s}));
  const Paths own = {path("s")};
  EXPECT_EQ(files_of(dependencies({.text = "#include <h.hpp>\n", .further_dirs = own})), Paths{s});
}

TEST_F(DependenciesTest, OfATextWithoutFileMayLieWhereWeAre) {
  const fs::path here = fs::current_path();
  fs::current_path(root_);
  const fs::path h = write("h.hpp");
  EXPECT_EQ(files_of(dependencies({.text = "#include \"h.hpp\"\n"})), Paths{h});
  EXPECT_TRUE(dependencies({.text = "#include <h.hpp>\n"}).files.empty());
  fs::current_path(here);
}

TEST_F(DependenciesTest, OfTheProgramCountAsTheyAre) {
  const std::string name = path("h.hpp");
  const fs::path deep = write("deep.hpp");
  const std::vector<mylos::NamedText> embedded = {{name, "#include \"deep.hpp\"\n"}};
  const auto found = dependencies({.text = "#include \"h.hpp\"\n", .file = path("k.cu"), .embedded = embedded});
  EXPECT_EQ(files_of(found), (Paths{name, deep}));
  EXPECT_EQ(found.files[0].text, embedded[0].text);
}

TEST_F(DependenciesTest, BehindALinkAreReadWhereItLeads) {
  write("real/deep/x.hpp");
  write("h.hpp", "the wrong one");
  const fs::path right = write("real/h.hpp", "the right one");
  fs::create_directory_symlink(path("real/deep"), path("link"));
  const auto found = of("#include \"link/../h.hpp\"\n");
  ASSERT_EQ(found.files.size(), 1U);
  EXPECT_EQ(found.files[0].text, "the right one");
}

TEST_F(DependenciesTest, NamesMayHaveSlashesAsInComments) {
  const fs::path h = write("deep/h.hpp");
  EXPECT_EQ(files_of(of("#include \"deep//h.hpp\"\n#if __has_include(<deep//h.hpp>)\n#endif\n", {path(".")})),
            Paths{h});
  EXPECT_EQ(files_of(of("#include <deep//h.hpp> // twice\n", {path(".")})), Paths{h});
}

TEST_F(DependenciesTest, FollowWhatIsAskedForByHasInclude) {
  const fs::path h = write("h.hpp", "");
  const auto found =
      of("#if defined(__has_include) && __has_include(\"h.hpp\")\n#elif __has_include(<absent.hpp>)\n#endif\n"
         "#define HAS __has_include(\"in_macro.hpp\")\n#ifndef __has_include\n#define __has_include(x) 0\n#endif\n"
         "#if 0\n#elif __has_include(\"second.hpp\")\n#endif\n#if 1\n#elif __has_include(\"never.hpp\")\n#endif\n");
  EXPECT_EQ(files_of(found), Paths{h});
  EXPECT_EQ(found.not_found, (std::vector<std::string>{"absent.hpp", "in_macro.hpp", "second.hpp"}));
  EXPECT_TRUE(found.obstacles.empty());
}

// As libcu++ asks; its users may be read before the header that defines the macro.
TEST_F(DependenciesTest, FollowWhatIsAskedForByAMacroOfOneArgument) {
  const fs::path user = write("user.hpp", "#if HAS(<first.hpp>) || ALSO( \"own.hpp\")\n#endif\n#ifdef HAS\n#endif\n");
  const fs::path own = write("own.hpp", "#if defined(HAS)\n#endif\n");
  const fs::path macros =
      write("macros.hpp", "#define HAS(name) __has_include(name)\n#define ALSO( x ) HAS( x ) // as well\n");
  const auto found = of("#include \"user.hpp\"\n#include \"macros.hpp\"\n#if ALSO(<second.hpp>)\n#endif\n#undef HAS\n");
  EXPECT_EQ(files_of(found), (Paths{user, own, macros}));
  EXPECT_EQ(found.not_found, (std::vector<std::string>{"first.hpp", "second.hpp"}));
  EXPECT_TRUE(found.obstacles.empty());

  for (const std::string use : {"#if HAS(NAME)\n#endif\n", "#define HAVE HAS\n", "#define HAVE(x) (HAS(x))\n",
                                "#if APPLY(HAS, <h.hpp>)\n#endif\n"}) {
    const auto obstacles = of("#include \"macros.hpp\"\n" + use).obstacles;
    ASSERT_EQ(obstacles.size(), 1U) << use;
    EXPECT_TRUE(contains(obstacles[0], {"k.cu line 2: ", "of a name that is made by a macro"}));
  }
  EXPECT_EQ(of("#define HAS(x) __has_include(x)\n#if HAS(NAME)\n#endif\n").obstacles.size(), 1U);
  EXPECT_TRUE(of("#if 0\n#define HAS(x) __has_include(x)\n#endif\n#if HAS(NAME)\n#endif\n").obstacles.empty());
}

TEST_F(DependenciesTest, TellWhatCannotBeFollowed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"#include HEADER", "the macro HEADER"},
      {"#include_next <h.hpp>", "#include_next"},
      {"#import \"h.hpp\"", "#import"},
      {"#embed \"h.bin\"", "#embed"},
      {"%:include \"h.hpp\"", "%:"},
      {"#if __has_include(NAME)\n#endif", "__has_include of a name that is made by a macro"},
      {"#define HAS(x) __has_include(x) && 1", "__has_include of a name that is made by a macro"},
      {"#define HAS(x, y) __has_include(x)", "__has_include of a name that is made by a macro"},
      {"#define HAS(x) __has_include(y)", "__has_include of a name that is made by a macro"},
      {"#define HAS(x) __has_include(<x>)", "__has_include of a name that is made by a macro"},
      {"#define HAS(a, x) __has_include(<a/x.hpp>)", "__has_include of a name that is made by a macro"},
      {"#if APPLY(__has_include, <h.hpp>)\n#endif", "__has_include of a name that is made by a macro"},
      {"#define HAS (x) __has_include(x)", "__has_include of a name that is made by a macro"},
      {"#define ASK __has_include", "__has_include of a name that is made by a macro"},
      {"#if __has_include_next(<h.hpp>)\n#endif", "__has_include_next"},
      {"#if __has_embed(\"h.bin\")\n#endif", "__has_embed"},
      {"const char* t = __TIME__;", "__TIME__ is another at each compilation"},
      {"#define WHEN __DATE__", "__DATE__ is another"},
      {R"(asm(".incbin \"h.bin\"");)", ".incbin"},
  };
  for (const auto& [line, reason] : cases) {
    const auto direct = of("\n" + line + "\n").obstacles;
    ASSERT_EQ(direct.size(), 1U) << line;
    EXPECT_TRUE(contains(direct[0], {path("k.cu").string() + " line 2: ", reason}));
    write("h.hpp", line + "\n");
    const auto included = of("#include \"h.hpp\"\n").obstacles;
    ASSERT_EQ(included.size(), 1U) << line;
    EXPECT_TRUE(contains(included[0], {path("h.hpp").string() + " line 1: ", reason}));
    EXPECT_TRUE(of("// " + line + "\n").obstacles.empty() || line.find('\n') != std::string::npos) << line;
    EXPECT_TRUE(of("#if 0\n" + line + "\n#endif\n").obstacles.empty()) << line;
  }
}

TEST_F(DependenciesTest, AreADifferenceWhenAFileComesOrGoesOrChanges) {
  const auto hash = [&] {
    mylos::Hasher hasher;
    of("#include <h.hpp>\n", {path("first"), path("second")}).add_to(hasher);
    return hasher.hex();
  };
  std::vector<std::string> hashes = {hash()};
  write("second/h.hpp", "1");
  hashes.push_back(hash());
  write("second/h.hpp", "2");
  hashes.push_back(hash());
  write("first/h.hpp", "2");
  hashes.push_back(hash());
  fs::remove(path("second/h.hpp"));
  hashes.push_back(hash());
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(hashes[i], hashes[j]) << i << " and " << j;
  }
  write("second/h.hpp", "2");
  EXPECT_EQ(hash(), hashes[3]) << "the time of writing does not count";
}

}  // namespace
}  // namespace mylos_test
