// SPDX-License-Identifier: MIT
#include <mylos/kernel/struct_layout.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/cuda/nvrtc.hpp>

#include "support/contains.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace app {

struct Cell {
  char kind;
  double volume;
};
struct Grid {
  std::int64_t extents[3];
  Cell first;
  const double* field;
  float spacing;
};
template <class T, int n>
struct Block {
  char kind;
  T values[n];
};
using Pair = Block<double, 2>;
MYLOS_STRUCT(Cell, kind, volume);
MYLOS_STRUCT(Grid, extents, first, field, spacing);
MYLOS_STRUCT(Pair, kind, values);

}  // namespace app

namespace mylos_test {
namespace {

using mylos::verify_layout;

const std::string cell = "struct Cell { char kind; double volume; };\n";

class VerifyLayout : public ::testing::Test {
 protected:
  std::filesystem::path header(const std::string& text, const std::string& name = "grid.hpp") const {
    const std::filesystem::path path = folder_ / name;
    mylos::write_file_atomically(path, "#pragma once\n#include <mylos/device.hpp>\n" + text);
    return path;
  }
  [[nodiscard]] std::filesystem::path cell_header(const std::string& definition) const {
    return header("namespace app {\n" + definition + "}\n", "cell.hpp");
  }
  std::string refusal(const std::string& definition) const {
    const std::filesystem::path path = cell_header(definition);
    return thrown<mylos::SignatureError>([&] { verify_layout<app::Cell>("app::Cell", path); });
  }

  const TemporaryFolder folder_;
};

TEST_F(VerifyLayout, AcceptsTheSameStruct) {
  static_cast<void>(cell_header(cell + "MYLOS_STRUCT(Cell, kind, volume);\n"));
  const auto path = header(R"(#include "cell.hpp"
namespace app {
struct Grid { std::int64_t extents[3]; Cell first; const double* field; float spacing; };
MYLOS_STRUCT(Grid, extents, first, field, spacing);
})");
  verify_layout<app::Cell>("app::Cell", path);
  verify_layout<app::Grid>("app::Grid", path);
}

TEST_F(VerifyLayout, ANameMayHaveCommas) {
  const auto path = header("namespace app {\ntemplate <class T, int n> struct Block { char kind; T values[n]; };\n}\n");
  verify_layout<app::Pair>("app::Block<double, 2>", path);
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { verify_layout<app::Pair>("app::Block<float, 2>", path); }),
                       {"its size is 24"}));
}

TEST_F(VerifyLayout, FindsIncludesInTheFolders) {
  const TemporaryFolder other;
  mylos::write_file_atomically(other / "cell_kind.hpp", "using kind_type = char;\n");
  const auto path = cell_header("#include \"cell_kind.hpp\"\nstruct Cell { kind_type kind; double volume; };\n");
  verify_layout<app::Cell>("app::Cell", path, {other.path()});
  EXPECT_TRUE(
      contains(thrown<mylos::CompileError>([&] { verify_layout<app::Cell>("app::Cell", path); }), {"cell_kind.hpp"}));
}

TEST_F(VerifyLayout, ListsWhatDiffers) {
  EXPECT_TRUE(contains(refusal("struct Cell { double volume; char kind; };\n"),
                       {"struct 'app::Cell'", "cell.hpp", "on the host, the offset of field 'kind' is 0",
                        "the offset of field 'volume' is 8"}));
  EXPECT_TRUE(contains(refusal("struct Cell { char kind; float volume; };\n"),
                       {"its size is 16", "its alignment is 8", "the offset of field 'volume' is 8",
                        "the size of field 'volume' is 8"}));
  EXPECT_TRUE(contains(refusal("struct alignas(32) Cell { char kind; double volume; };\n"),
                       {"its size is 16", "its alignment is 8"}));
  EXPECT_TRUE(
      contains(refusal("#pragma pack(push, 1)\nstruct Cell { char kind; double volume; };\n#pragma pack(pop)\n"),
               {"its size is 16", "the offset of field 'volume' is 8"}));
}

TEST_F(VerifyLayout, ComparesTypesOfOneSize) {
  EXPECT_TRUE(contains(refusal("struct Cell { char kind; long long volume; };\n"),
                       {"struct 'app::Cell'", "the type of field 'volume' is a floating-point number of 8 bytes"}));
  EXPECT_TRUE(contains(refusal("struct Cell { bool kind; double volume; };\n"),
                       {"the type of field 'kind' is a signed integer of 1 bytes"}));
}

TEST_F(VerifyLayout, NamesAFieldThatIsMissing) {
  EXPECT_TRUE(contains(refusal("struct Cell { char sort; double volume; };\n"), {"app::Cell", "kind"}));
}

TEST_F(VerifyLayout, ComparesTheSizeOfAStructWithoutAList) {
  struct Unlisted {
    char kind;
    double volume;
  };
  verify_layout<Unlisted>("app::Cell", cell_header("struct Cell { double a; char b; };\n"));
  const auto path = cell_header("struct Cell { float a; char b; };\n");
  EXPECT_TRUE(
      contains(thrown<mylos::SignatureError>([&] { verify_layout<Unlisted>("app::Cell", path); }), {"its size is 16"}));
}

TEST_F(VerifyLayout, RefusesHeadersThatAreNoKernelText) {
  const auto absent = folder_ / "absent.hpp";
  EXPECT_TRUE(contains(thrown<mylos::LookupError>([&] { verify_layout<app::Cell>("app::Cell", absent); }),
                       {"app::Cell", absent.string(), "give the path"}));
  const auto broken = cell_header("struct Cell { char kind double volume; };\n");
  EXPECT_TRUE(contains(thrown<mylos::CompileError>([&] { verify_layout<app::Cell>("app::Cell", broken); }),
                       {"cell.hpp", "char kind double volume"}));
}

TEST_F(VerifyLayout, TellsANameThatIsNotThere) {
  const auto path = cell_header(cell);
  EXPECT_TRUE(contains(thrown<mylos::LookupError>([&] { verify_layout<app::Cell>("app::Zell", path); }),
                       {"defines no 'app::Zell'", "cell.hpp", "with its namespace"}));
}

TEST_F(VerifyLayout, NeedsOneCompilerOfTwo) {
  const ScopedVariable variable("MYLOS_CXX", "/nowhere/c++");
  const auto path = cell_header(cell);
  if (mylos::cuda::Nvrtc::find() != nullptr) {
    verify_layout<app::Cell>("app::Cell", path);
    EXPECT_TRUE(contains(refusal("struct Cell { double volume; char kind; };\n"),
                         {"NVRTC", "the offset of field 'kind' is 0", "the offset of field 'volume' is 8"}));
  } else {
    EXPECT_TRUE(contains(thrown<mylos::BackendError>([&] { verify_layout<app::Cell>("app::Cell", path); }),
                         {"app::Cell", "/nowhere/c++", "NVRTC"}));
  }
}

}  // namespace
}  // namespace mylos_test
