// SPDX-License-Identifier: MIT
// The fields of the classes that kernels take: their names from the text, their places from a compiler.
#include "jit/struct_fields.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/jit/compiler.hpp>

#include "jit/parameter_table.hpp"
#include "support/contains.hpp"
#include "support/nvrtc_test.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::FieldLayout;
using mylos::TypeClass;
using Names = std::vector<std::string>;

Names fields(const std::string& text, const std::string& name = "S") {
  const auto classes = mylos::jit::detail::class_fields(text);
  const auto found = classes.find(name);
  return found == classes.end() ? Names() : found->second;
}

TEST(ClassFields, AreTheDataMembers) {
  EXPECT_EQ(fields("struct S { double x[3], v[3]; int cell; };"), (Names{"x", "v", "cell"}));
  EXPECT_EQ(
      fields("struct S { const float* const* p = nullptr, *q{}; unsigned long long int n = sizeof(int) * 2, m; };"),
      (Names{"p", "q", "n", "m"}));
  EXPECT_EQ(
      fields("class alignas(16) S final { public: alignas(8) float w; private: [[maybe_unused]] Pair<int, 2> p, r; "
             "__align__(16) float4 f; };"),
      (Names{"w", "p", "r", "f"}));
  EXPECT_EQ(fields("template <class T, int n = (3 > 2)> struct S : Base<T> { T values[n]; char kind; };"),
            (Names{"values", "kind"}));
}

TEST(ClassFields, AreNotWhatElseAClassHas) {
  EXPECT_EQ(
      fields("struct S { static int count; using type = double; typedef int index; enum Kind { a, b }; friend class "
             "F; static_assert(true, \"x\"); double get() const { int local = 1; return local; } void set(int a, "
             "int b); S(int i) : x(i) {} int operator[](int i) const; template <class U> void f(U u); int x; };"),
      Names{"x"});
  EXPECT_EQ(fields("struct S; struct S* f(struct S s); enum class S : int { a, b };"), Names{});
}

TEST(ClassFields, OfClassesInside) {
  const std::string text =
      "namespace app { struct S { struct Inner { int i; } in, more; union { double real; long bits; }; struct Other { "
      "int o; "
      "}; Inner last; }; }";
  EXPECT_EQ(fields(text), (Names{"in", "more", "real", "bits", "last"}));
  EXPECT_EQ(fields(text, "Inner"), Names{"i"});
  EXPECT_EQ(fields(text, "Other"), Names{"o"});
  EXPECT_EQ(fields("typedef struct { double a; } S;"), Names{"a"});
  EXPECT_EQ(fields("typedef struct tag { double a; } S;", "tag"), Names{"a"});
}

TEST(ClassFields, OfOneNameAreAllOfThem) {
  EXPECT_EQ(fields("#ifdef A\nstruct S { int a, b; };\n#else\nstruct S { int b, c; };\n#endif"),
            (Names{"a", "b", "c"}));
}

TEST(ClassFields, SurviveTextsThatAreNone) {
  for (const char* text :
       {"struct", "struct S", "struct S {", "struct S { int", "struct S { int x", "union { ;", "class S : {",
        "struct S { [[ } ;", "struct S { ( < ; } };", "typedef struct { int x; }", "struct S { = , ; };"}) {
    EXPECT_NO_THROW(static_cast<void>(fields(text))) << text;
  }
}

/// "x at 0, 24 bytes, 3 times a floating-point number of 8 bytes"
Names described(const std::vector<FieldLayout>& layouts) {
  Names all;
  for (const FieldLayout& field : layouts) {
    all.push_back(field.name + " at " + std::to_string(field.offset) + ", " + std::to_string(field.size) + " bytes, " +
                  type_text(field));
  }
  return all;
}

class FieldTable : public NvrtcTest<> {};

TEST_F(FieldTable, TellsPlacesAndTypes) {
  const std::string text = R"(
#include <mylos/device/array.hpp>
#define type enum
#define value +
#define T 5
#define hidden shown
namespace app {
struct Cell { char kind; double volume; };
struct Particle { double x[3]; const float w; Cell cell; const double* field; unsigned char bits : 3; bool on[2][2];
                  mylos::ContiguousArray<const float, 1> weights; int hidden; };
template <class U> struct Box { U low, high; };
}
class Closed { double x; public: double y; };
struct Declared;
using Renamed = app::Cell;
extern "C" __global__ void k(int n, const app::Particle* p, mylos::Array<app::Box<short>, 2> boxes, Closed closed,
                             Declared* d, Renamed cell) {})";
  for (const char* architecture : {"sm_90", "compute_80"}) {
    const auto compiled =
        mylos::jit::NvrtcCompiler().compile({.text = text, .name = "k", .architecture = architecture});
    ASSERT_EQ(compiled.fields.size(), 6U) << architecture;
    EXPECT_TRUE(compiled.fields[0].empty() && compiled.fields[4].empty());
    EXPECT_EQ(described(compiled.fields[1]),
              (Names{"x at 0, 24 bytes, 3 times a floating-point number of 8 bytes",
                     "w at 24, 4 bytes, a floating-point number of 4 bytes",
                     "cell at 32, 16 bytes, a class or enumeration of 16 bytes",
                     "field at 48, 8 bytes, a pointer to a floating-point number of 8 bytes",
                     "on at 57, 4 bytes, 4 times bool",
                     "weights at 64, 24 bytes, a mylos::ContiguousArray to a floating-point number of 4 bytes",
                     "shown at 88, 4 bytes, a signed integer of 4 bytes"}));
    EXPECT_EQ(described(compiled.fields[2]), (Names{"low at 0, 2 bytes, a signed integer of 2 bytes",
                                                    "high at 2, 2 bytes, a signed integer of 2 bytes"}));
    EXPECT_EQ(described(compiled.fields[3]), Names{}) << "private fields make the places of others uncertain";
    EXPECT_EQ(described(compiled.fields[5]), (Names{"kind at 0, 1 bytes, a signed integer of 1 bytes",
                                                    "volume at 8, 8 bytes, a floating-point number of 8 bytes"}));
  }
}

TEST_F(FieldTable, KnowsClassesOfIncludedFilesAndInstances) {
  const TemporaryFolder folder;
  mylos::write_file_atomically(folder / "pair.hpp",
                               "#define count 3\ntemplate <class T> struct Pair { T a, b; int count_of = count; };\n"
                               "using Two = Pair<float>;\n");
  const auto compiled = mylos::jit::NvrtcCompiler().compile(
      {.text = "#include \"pair.hpp\"\ntemplate <class T> __global__ void k(Pair<T>* p, Two two) {}",
       .name = "k",
       .architecture = "compute_80",
       .options = {"-std=c++14"},
       .include_dirs = {folder.path()},
       .instantiate = "k<double>"});
  ASSERT_EQ(compiled.fields.size(), 2U);
  EXPECT_EQ(described(compiled.fields[0]).at(1), "b at 8, 8 bytes, a floating-point number of 8 bytes");
  EXPECT_EQ(described(compiled.fields[1]).at(1), "b at 4, 4 bytes, a floating-point number of 4 bytes");
  EXPECT_EQ(described(compiled.fields[1]).at(2), "count_of at 8, 4 bytes, a signed integer of 4 bytes");
}

TEST(FieldsOf, RefuseTablesThatContradictThemselves) {
  const std::vector<mylos_field> one = {{1, 1, 0, 4, 2, 4, 0, 0}};
  const auto found = mylos::jit::detail::fields_of(one, "n ");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(described(found[1]), Names{"n at 0, 4 bytes, a signed integer of 4 bytes"});
  const auto refusal = [](const std::vector<mylos_field>& fields, const char* names) {
    return thrown<mylos::Error>([&] { static_cast<void>(mylos::jit::detail::fields_of(fields, names)); });
  };
  EXPECT_TRUE(contains(refusal(one, ""), {"damaged", "names other fields"}));
  EXPECT_TRUE(contains(refusal({{1U << 31, 1, 0, 0, 0, 0, 0, 0}}, "n "), {"names other fields"}));
  EXPECT_TRUE(contains(refusal({{0, 1, 0, 0, 99, 0, 0, 0}}, "n "), {"unknown class"}));
}

}  // namespace
}  // namespace mylos_test
