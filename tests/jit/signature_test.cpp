// SPDX-License-Identifier: MIT
#include <mylos/jit/signature.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/contains.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::ParameterKind;
using mylos::jit::instantiated;
using mylos::jit::kernel_names;
using mylos::jit::parse_signature;
using Names = std::vector<std::string>;

struct Case {
  std::string title;
  std::string source;
  std::string kernel;
  std::string signature;
};

std::ostream& operator<<(std::ostream& stream, const Case& one) { return stream << one.title; }

class Signatures : public ::testing::TestWithParam<Case> {};

TEST_P(Signatures, AreReadAs) {
  const Case& expected = GetParam();
  SCOPED_TRACE("the source is:\n" + expected.source);
  EXPECT_EQ(to_string(parse_signature(expected.source, expected.kernel)), expected.signature);
}

std::string in_title(const ::testing::TestParamInfo<Case>& info) { return info.param.title; }

const std::vector<Case> comments_and_literals = {
    {"apostrophe_in_comment", "/* the kernel's body */ __global__ void k(int a) {}", "k", "k(int a)"},
    {"apostrophe_in_line_comment", "// don't\n__global__ void k(int a) { }", "k", "k(int a)"},
    {"continued_line_comment", "// one \\\n __global__ void hidden(int) {}\n__global__ void k(int a) {}", "k",
     "k(int a)"},
    {"digit_separators", "const int n = 1'000'000; __global__ void k(int a) {}", "k", "k(int a)"},
    {"character_literals", R"(const char a = '\'', b = '"', c = '{'; __global__ void k(int a) {})", "k", "k(int a)"},
    {"braces_in_strings", R"(__device__ void f() { g("}\"{"); } __global__ void k(int a) {})", "k", "k(int a)"},
    {"raw_string", "const char* s = R\"x(\" )\" __global__ void no(int)\\\n)x\"; __global__ void k(int a) {}", "k",
     "k(int a)"},
    {"raw_string_with_prefix", "const char* s = u8R\"(')\"; __global__ void k(int a) {}", "k", "k(int a)"},
    {"comments_between_all", "__global__/*,*/void/*(*/k/*)*/(/*int a*/int/*,*/b// ,\n,float c/*)*/)/*{*/{}", "k",
     "k(int b, float c)"},
    {"comment_before_body", "__global__ void k(int a) /* ) { */ // {\n {}", "k", "k(int a)"},
    {"continued_identifier", "__glo\\\nbal__ void k(in\\\r\nt a) {}", "k", "k(int a)"},
    {"unfinished_text", "__global__ void k(int a) { if (", "k", "k(int a)"},
    {"code_switched_off", "#if 0\nit's __global__ void k(float) {}\n#else\n__global__ void k(int a) {}\n#endif", "k",
     "k(int a)"},
    {"nested_code_switched_off",
     "#if 0\n#if 1\n__global__ void k(float) {}\n#endif\n#endif\n__global__ void k(int a) {}", "k", "k(int a)"},
    {"directive_with_comment", "#define X /* two\nlines */ 1\n__global__ void k(int a) {}", "k", "k(int a)"},
};
INSTANTIATE_TEST_SUITE_P(CommentsAndLiterals, Signatures, ::testing::ValuesIn(comments_and_literals), in_title);

const std::vector<Case> places_of_attributes = {
    {"bounds_before_void", "__global__ __launch_bounds__(256, 4) void k(int a) {}", "k", "k(int a)"},
    {"bounds_after_void", "__global__ void __launch_bounds__(256) k(int a) {}", "k", "k(int a)"},
    {"bounds_of_expressions", "__global__ void __launch_bounds__((N + 1) * f(2)) k(int a) {}", "k", "k(int a)"},
    {"static_first", "static __global__ void k(int a) {}", "k", "k(int a)"},
    {"void_first", "void __global__ k(int a) {}", "k", "k(int a)"},
    {"inline_between", "inline void __global__ k(int a) {}", "k", "k(int a)"},
    {"extern_c", "extern \"C\" __global__ void k(int a) {}", "k", "k(int a)"},
    {"extern_c_behind", "__global__ extern \"C\" void k(int a) {}", "k", "k(int a)"},
    {"extern_c_block", "extern \"C\" {\n__device__ int f() { return 1; }\n__global__ void k(int a) {}\n}", "k",
     "k(int a)"},
    {"standard_attributes", "[[nodiscard]] __global__ void k [[gnu::hot]] ([[maybe_unused]] int a) {}", "k",
     "k(int a)"},
    {"gnu_attributes", "__attribute__((used)) __global__ void __attribute__((hot)) k(int a) {}", "k", "k(int a)"},
    {"unknown_macros_around", "MINE(3) __global__ void BOUNDS(256) k(int a) TAIL(7) {}", "k", "k(int a)"},
    {"cluster_and_registers", "__global__ void __cluster_dims__(2, 1, 1) __maxnreg__(32) k(int a) {}", "k", "k(int a)"},
    {"noexcept_behind", "__global__ void k(int a) noexcept(true) {}", "k", "k(int a)"},
    {"constraint_before", "template <class T> requires(sizeof(T) == 8) __global__ void k(T a) {}", "k", "k(T a)"},
    {"constraint_with_body", "template <class T> requires requires(T t) { t + 1; } __global__ void k(T a) {}", "k",
     "k(T a)"},
};
INSTANTIATE_TEST_SUITE_P(PlacesOfAttributes, Signatures, ::testing::ValuesIn(places_of_attributes), in_title);

const std::vector<Case> parameter_cases = {
    {"none", "__global__ void k() {}", "k", "k()"},
    {"void_only", "__global__ void k(void) {}", "k", "k()"},
    {"restrict", "__global__ void k(const float* __restrict__ a, float *__restrict b, double * restrict c) {}", "k",
     "k(const float* a, float* b, double* c)"},
    {"const_behind", "__global__ void k(float const* a, double const *const b, const int n) {}", "k",
     "k(const float* a, const double* b, int n)"},
    {"brackets", "__global__ void k(double a[], const int b[8], float (&c)[3], int d[3][4]) {}", "k",
     "k(double* a, const int* b, float (&c)[3], int d[3][4])"},
    {"functions", "__global__ void k(void (*f)(int, float), int (*g)(void)) {}", "k",
     "k(void (*f)(int, float), int (*g)(void))"},
    {"defaults", "__global__ void k(int a = f(1, 2), double b = {3, 4}, bool c = (1 > 2), int d = sizeof(int)) {}", "k",
     "k(int a, double b, bool c, int d)"},
    {"no_names", "__global__ void k(int, const double*, unsigned long, mylos::Array<float, 2>);", "k",
     "k(int, const double*, unsigned long long, mylos::Array<float, 2>)"},
    {"word_orders",
     "__global__ void k(long int long unsigned a, unsigned b, short signed int c, long d, char e, signed char f) {}",
     "k", "k(unsigned long long a, unsigned int b, short c, long long d, char e, signed char f)"},
    {"fixed_width",
     "__global__ void k(std::int64_t a, uint32_t* b, ::size_t c, cuda::std::uint8_t d, std::ptrdiff_t e) {}", "k",
     "k(long long a, unsigned int* b, unsigned long long c, unsigned char d, long long e)"},
    {"arrays",
     "__global__ void k(mylos::Array<double, 3> a, mylos::device::Array<const int, 1> b, ContiguousArray<float, (2)> "
     "c) {}",
     "k", "k(mylos::Array<double, 3> a, mylos::Array<const int, 1> b, mylos::ContiguousArray<float, 2> c)"},
    {"structs", "__global__ void k(struct S s, n::T<3, (4 > 2)> t, const U* u, enum E e) {}", "k",
     "k(S s, n::T<3, (4> 2)> t, const U* u, E e)"},
    {"vectors_and_complex", "__global__ void k(float4* a, const double2 b, mylos::complex<double>* c, half* d) {}", "k",
     "k(float4* a, double2 b, mylos::complex<double>* c, __half* d)"},
    {"pointer_to_pointer", "__global__ void k(double** a, const double* const* b) {}", "k",
     "k(double** a, const double** b)"},
    {"grid_constant", "__global__ void k(const __grid_constant__ S s) {}", "k", "k(S s)"},
    {"volatile_data", "__global__ void k(volatile int* a) {}", "k", "k(int* a)"},
    {"aliases",
     "using real = double; typedef const float* rows; namespace n { using index = std::int64_t; }\n__global__ void "
     "k(real* a, rows b, index n) {}",
     "k", "k(double* a, const float* b, long long n)"},
    {"macro_for_a_type", "#define REAL double\n#define IN const REAL*\n__global__ void k(REAL* a, IN b) {}", "k",
     "k(double* a, const double* b)"},
    {"macro_for_the_head", "#define KERNEL extern \"C\" __global__ void\nKERNEL k(int a) {}", "k", "k(int a)"},
    {"macro_with_two_meanings",
     "#ifdef SINGLE\n#define REAL float\n#else\n#define REAL double\n#endif\n__global__ void k(REAL* a) {}", "k",
     "k(REAL* a)"},
    {"alias_with_two_meanings",
     "#ifdef SINGLE\ntypedef float real;\n#else\ntypedef double real;\n#endif\n__global__ void k(real* a) {}", "k",
     "k(real* a)"},
    {"aliases_of_two_namespaces",
     "namespace a { using real = float; } namespace b { using real = double; __global__ void k(real* x) {} }", "k",
     "k(real* x)"},
    {"alias_of_an_array", "using row = double[4];\n__global__ void k(const row* a, row* b) {}", "k",
     "k(const row* a, row* b)"},
    {"alias_said_twice", "typedef double real;\ntypedef double real;\n__global__ void k(real* a) {}", "k",
     "k(double* a)"},
    {"alias_template", "template <class T> using P = T*;\n__global__ void k(P<double> x, const P<const float> y) {}",
     "k", "k(double* x, const float* y)"},
    {"alias_template_of_arrays",
     "template <class T, int n> using A = mylos::Array<T, n>; template <class T> using Row = A<const T, 1>;\n"
     "__global__ void k(A<double, 2> a, Row<int*> b, Row<short> c) {}",
     "k", "k(mylos::Array<double, 2> a, mylos::Array<const int*, 1> b, mylos::Array<const short, 1> c)"},
    {"alias_template_with_a_default", "template <class T = int> using P = T*;\n__global__ void k(P<> x) {}", "k",
     "k(P<> x)"},
    {"reference", "__global__ void k(const S& s) {}", "k", "k(const S& s)"},
};
INSTANTIATE_TEST_SUITE_P(Parameters, Signatures, ::testing::ValuesIn(parameter_cases), in_title);

const std::vector<Case> templates_and_scopes = {
    {"comparison_in_head", "template <int N = (3 > 2)> __global__ void k(int a) {}", "k", "k(int a)"},
    {"commas_in_head", "template <class T = P<int, 4>, class U = Q<P<T, 2>>> __global__ void k(T* a, U b) {}", "k",
     "k(T* a, U b)"},
    {"parameter_hides_alias", "using T = int; template <class T> __global__ void k(T* a) {}", "k", "k(T* a)"},
    {"pack", "template <class... T> __global__ void k(int n, T... rest) {}", "k", "k(int n, T... rest)"},
    {"instantiations_do_not_count",
     "template <class T> __global__ void k(T* a) {} template __global__ void k<int>(int*); template <> __global__ void "
     "k<float>(float* f) {}",
     "k", "k(T* a)"},
    {"namespaces", "namespace a { inline namespace b::c { __global__ void k(int x) {} } }", "a::b::c::k", "k(int x)"},
    {"plain_name_in_namespace", "namespace a { __global__ void k(int x) {} }", "k", "k(int x)"},
    {"defined_outside", "namespace a { __global__ void k(int x); } __global__ void a::k(int x) {}", "a::k", "k(int x)"},
    {"declaration_then_definition", "__global__ void k(int a); __global__ void k(int better) {}", "k", "k(int better)"},
    {"after_classes",
     "struct S { int x; void f() { if (x) { } } }; enum E { a, b }; __constant__ double t[] = {1, 2};\nauto l = [] { "
     "return 1; };\n__global__ void k(S s) {}",
     "k", "k(S s)"},
    {"calls_in_bodies", "void host() { __global__ void no(int); k<<<1, 2>>>(3); } __global__ void k(int a) {}", "k",
     "k(int a)"},
};
INSTANTIATE_TEST_SUITE_P(TemplatesAndScopes, Signatures, ::testing::ValuesIn(templates_and_scopes), in_title);

// With options of the compiler.
std::string read_with(const std::vector<std::string>& options, const std::string& source) {
  return to_string(parse_signature(source, "k", options));
}

TEST(SignatureWithOptions, DefaultsGiveWayToOptions) {
  for (const std::string condition :
       {"#ifndef REAL", "#if !defined(REAL)", "# if ! defined REAL", "#if 0\n#elif !defined(REAL)"}) {
    const std::string source = condition + "\n#define REAL double\n#endif\n__global__ void k(REAL* x) {}";
    EXPECT_EQ(read_with({"-DREAL=float"}, source), "k(float* x)") << condition;
    EXPECT_EQ(read_with({}, source), "k(double* x)") << condition;
    EXPECT_EQ(read_with({"-DREAL=float", "-UREAL"}, source), "k(double* x)") << condition;
    EXPECT_EQ(read_with({"-DREAL=int", "--define-macro", "REAL=long"}, source), "k(long long* x)") << condition;
  }
  EXPECT_EQ(read_with({"-DREAL=float"}, "__global__ void k(REAL* x) {}"), "k(float* x)");
  EXPECT_EQ(read_with({"-DREAL=float"},
                      "#undef REAL\n#ifndef REAL\n#define REAL double\n#endif\n"
                      "__global__ void k(REAL* x) {}"),
            "k(REAL* x)")
      << "only a compiler knows it";
}

TEST(SignatureWithOptions, OptionsChooseBranches) {
  const std::string source =
      "#ifdef SINGLE\ntypedef float real;\n#else\ntypedef double real;\n#endif\n__global__ void k(real* x) {}";
  EXPECT_EQ(read_with({"-DSINGLE"}, source), "k(float* x)");
  EXPECT_EQ(read_with({}, source), "k(real* x)");
  const std::string by_value =
      "#if SINGLE\n#define REAL float\n#elif WIDE\n#define REAL long double\n#else\n#define REAL double\n#endif\n"
      "__global__ void k(REAL* x) {}";
  EXPECT_EQ(read_with({"-DSINGLE=1"}, by_value), "k(float* x)");
  EXPECT_EQ(read_with({"-DSINGLE=0", "-DWIDE=0"}, by_value), "k(double* x)");
  EXPECT_EQ(read_with({"-DSINGLE=0"}, by_value), "k(REAL* x)");
}

TEST(SignatureWithOptions, HeadsThatConditionalsChooseFrom) {
  const std::string heads =
      "#ifdef SINGLE\nextern \"C\" __global__ void k(float* x)\n#else\nextern \"C\" __global__ void k(double* x, int "
      "n)\n"
      "#endif\n{ x[0] = 1; }\n";
  EXPECT_EQ(read_with({"-DSINGLE"}, heads), "k(float* x)");
  EXPECT_EQ(read_with({}, heads), "k(double* x, int n)");
  const std::string kernels =
      "#if defined(SINGLE) // one\n__global__ void k(float* x) {}\n#else\n__global__ void k(double* x) {}\n#endif\n";
  EXPECT_EQ(read_with({"-DSINGLE"}, kernels), "k(float* x)");
  EXPECT_EQ(read_with({"-DOTHER"}, kernels), "k(double* x)");
  const std::string by_compiler =
      "#ifdef __CUDACC_RTC__\n__global__ void k(float* x) {}\n#else\n__global__ void k(double* x) {}\n#endif\n";
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { static_cast<void>(read_with({}, by_compiler)); }),
                       {"stands for 2 kernels"}))
      << "whether a compiler defines it nobody said";
}

TEST(Signature, TellsEverythingOfItsParameters) {
  const auto signature = parse_signature(
      "namespace n {\nextern \"C\" __global__ void push(double* x, const float* __restrict__ v, mylos::Array<const "
      "int, 2> a,\n"
      "  mylos::ContiguousArray<double, 3> b, long n = 3);\n}",
      "push");
  EXPECT_EQ(signature.name, "push");
  EXPECT_EQ(signature.qualified_name, "n::push");
  EXPECT_EQ(signature.line, 2);
  EXPECT_TRUE(signature.is_extern_c);
  EXPECT_FALSE(signature.has_internal_linkage);
  EXPECT_FALSE(signature.is_template());
  ASSERT_EQ(signature.parameters.size(), 5U);
  const auto& [x, v, a, b, n] = std::tie(signature.parameters[0], signature.parameters[1], signature.parameters[2],
                                         signature.parameters[3], signature.parameters[4]);
  EXPECT_TRUE(x.is_pointer && !x.is_const && x.type == "double" && x.kind == ParameterKind::pointer);
  EXPECT_TRUE(v.is_pointer && v.is_const && v.type == "float");
  EXPECT_EQ(v.declaration, "const float* __restrict__ v");
  EXPECT_TRUE(!a.is_pointer && a.is_const && a.rank == 2 && a.type == "int" && a.kind == ParameterKind::array);
  EXPECT_TRUE(b.rank == 3 && !b.is_const && b.type == "double" && b.kind == ParameterKind::contiguous_array);
  EXPECT_TRUE(n.type == "long long" && n.name == "n" && n.rank == 0 && n.kind == ParameterKind::value);
  EXPECT_EQ(n.declaration, "long n");
}

TEST(Signature, MarksKernelsThatNobodyElseCanSee) {
  const std::string source =
      "static __global__ void a() {} namespace { __global__ void b() {} } __global__ void c() {}";
  EXPECT_TRUE(parse_signature(source, "a").has_internal_linkage);
  EXPECT_TRUE(parse_signature(source, "b").has_internal_linkage);
  EXPECT_FALSE(parse_signature(source, "c").has_internal_linkage);
}

TEST(KernelExpression, NamesTheKernelWithItsNamespaceAndArguments) {
  const std::string source =
      "namespace app { __global__ void push(double* x) {}\ntemplate <class T = float> __global__ void fill(T* x) {} }\n"
      "template <class T> __global__ void axpy(T* x) {}\nnamespace {\n__global__ void mine() {} }";
  const auto expression = [&](const char* name, const char* instantiate = "") {
    return mylos::jit::kernel_expression(parse_signature(source, name), instantiate, "push.cu");
  };
  EXPECT_EQ(expression("push"), "app::push");
  EXPECT_EQ(expression("app::push"), "app::push");
  EXPECT_EQ(expression("fill"), "app::fill<>");
  EXPECT_EQ(expression("fill", "fill<double>"), "app::fill<double>");
  EXPECT_EQ(expression("fill", "app::fill<double>"), "app::fill<double>");
  EXPECT_EQ(expression("axpy", "axpy<int>"), "axpy<int>");
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { (void)expression("axpy"); }), {"'axpy'", "no argument"}));
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { (void)expression("mine"); }),
                       {"'mine'", "push.cu line 5", "give the namespace a name"}));
}

TEST(KernelNames, AreGivenInOrderAndQualifiedWhereNeeded) {
  EXPECT_EQ(kernel_names("extern \"C\" __global__ void b(int); __global__ void a(int) {} __device__ void f() {}"
                         "namespace n { __global__ void b(int) {} namespace d { __global__ void c(int) {} } }"
                         "__global__ void e(int) {} __global__ void e(float) {}"),
            (Names{"b", "a", "n::b", "c", "e"}));
  EXPECT_EQ(kernel_names(""), Names{});
  EXPECT_EQ(kernel_names("}}) ' \" #define __global__ /* "), Names{});
}

TEST(KernelNames, DoNotHoldWhatOnlyMacrosGenerate) {
  const std::string source =
      "#define KERNEL(name) __global__ void name(int a) {}\nKERNEL(made)\n__global__ void written(int) {}";
  EXPECT_EQ(kernel_names(source), Names{"written"});
  EXPECT_TRUE(contains(thrown<mylos::LookupError>([&] { static_cast<void>(parse_signature(source, "made")); }),
                       {"kernel 'made' was not found by text scan", "has the kernels written", "macro's argument",
                        "__global__ void made(...)"}));
}

TEST(ParseSignature, SaysWhichKernelsThereAre) {
  EXPECT_TRUE(contains(
      thrown<mylos::LookupError>([] { static_cast<void>(parse_signature("__global__ void push(int) {}", "pusch")); }),
      {"kernel 'pusch' was not found", "has the kernels push", "check the name"}));
  EXPECT_TRUE(contains(thrown<mylos::LookupError>([] { static_cast<void>(parse_signature("int x;", "k")); }),
                       {"kernel 'k' was not found", "has no kernel"}));
}

TEST(ParseSignature, RefusesOverloadsAndNamesThem) {
  const std::string source = "__global__ void e(int a) {}\n__global__ void e(float a) {}";
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { static_cast<void>(parse_signature(source, "e")); }),
                       {"kernel name 'e' stands for 2 kernels", "line 1: e(int a)", "line 2: e(float a)", "rename"}));
  const std::string spaces = "namespace a { __global__ void e(int) {} } namespace b { __global__ void e(int) {} }";
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { static_cast<void>(parse_signature(spaces, "e")); }),
                       {"a::e(int)", "b::e(int)"}));
  EXPECT_EQ(parse_signature(spaces, "b::e").qualified_name, "b::e");
}

TEST(ParseSignature, RefusesParametersThatAMacroMakes) {
  const std::string source = "#define TWO(T) T* a, T* b\n__global__ void k(TWO(double), int n) {}";
  EXPECT_TRUE(contains(thrown<mylos::SignatureError>([&] { static_cast<void>(parse_signature(source, "k")); }),
                       {"kernel 'k' (line 2)", "macro TWO", "write the parameters out"}));
}

TEST(ParseSignature, EndsOnMacrosThatDoubleThemselves) {
  std::string source = "#define A0 int a\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "A" + std::to_string(i - 1);
    source += "#define A" + std::to_string(i) + " " + before + " " + before + "\n";
  }
  source += "A39 ;\n#define LOOP LOOP\n#define P Q\n#define Q P\n__global__ void k(int x, LOOP y, P z) {}";
  EXPECT_EQ(parse_signature(source, "k").parameters.size(), 3U);
}

TEST(Instantiated, PutsTemplateArgumentsIn) {
  const auto kernel = parse_signature(
      "namespace n { template <class T, int R = 2, class I = long> __global__ void k(T* x, const T* y, "
      "mylos::Array<const T, R> a, S<T, R> s, I i) {} }",
      "k");
  const auto text = [&](const char* instantiate) { return to_string(instantiated(kernel, instantiate)); };
  EXPECT_EQ(text("k<double, 3>"),
            "k(double* x, const double* y, mylos::Array<const double, 3> a, S<double, 3> s, long long i)");
  EXPECT_EQ(text("n::k<n::Q<int, 2>, 1, unsigned>"),
            "k(n::Q<int, 2>* x, const n::Q<int, 2>* y, mylos::Array<const n::Q<int, 2>, 1> a, S<n::Q<int, 2>, 1> s, "
            "unsigned int i)");
  EXPECT_EQ(text("k<float>"),
            "k(float* x, const float* y, mylos::Array<const float, 2> a, S<float, 2> s, long long i)");
}

TEST(Instantiated, SaysWhatDoesNotFit) {
  const auto kernel = parse_signature("template <class T, int N> __global__ void k(T* x) {}", "k");
  const auto message = [](const mylos::Signature& of, const char* instantiate) {
    return thrown<mylos::SignatureError>([&] { static_cast<void>(instantiated(of, instantiate)); });
  };
  EXPECT_TRUE(contains(message(kernel, ""), {"kernel 'k'", "'T' has no argument", "k<T, N>"}));
  EXPECT_TRUE(contains(message(kernel, "k<int>"), {"'N' has no argument"}));
  EXPECT_TRUE(contains(message(kernel, "k<int, 3, 4>"), {"too many template arguments"}));
  EXPECT_TRUE(contains(message(kernel, "q<int, 3>"), {"not the kernel's name"}));
  EXPECT_TRUE(contains(message(kernel, "k<int, 3"), {"not the kernel's name"}));
  const auto plain = parse_signature("__global__ void p(int x) {}", "p");
  EXPECT_TRUE(contains(message(plain, "p<int>"), {"too many template arguments", "no template"}));
  EXPECT_EQ(to_string(instantiated(plain, "")), "p(int x)");
}

TEST(CanonicalType, IsOneSpellingForEachSizeAndSign) {
  for (const char* type : {"int64_t", "std::int64_t", "long", "long long", "long int", "signed long long int",
                           "ptrdiff_t", "mylos::device::index_type"}) {
    EXPECT_EQ(mylos::jit::canonical_type(type), "long long") << type;
  }
  for (const char* type : {"uint64_t", "size_t", "std::size_t", "unsigned long", "unsigned long long int"}) {
    EXPECT_EQ(mylos::jit::canonical_type(type), "unsigned long long") << type;
  }
  EXPECT_EQ(mylos::jit::canonical_type("const long *"), "const long long*");
  EXPECT_EQ(mylos::jit::canonical_type("std::vector<unsigned long>"), "std::vector<unsigned long long>");
  EXPECT_EQ(mylos::jit::canonical_type("device::complex<float>"), "mylos::complex<float>");
  EXPECT_EQ(mylos::jit::canonical_type("Kokkos::complex<float>"), "Kokkos::complex<float>");
  EXPECT_EQ(mylos::jit::canonical_type(""), "");
}

TEST(Signature, AKernelReturnsNothing) {
  try {
    (void)mylos::jit::parse_signature("\n__global__ int k(int* p) { return 0; }", "k");
    ADD_FAILURE() << "no error was thrown";
  } catch (const mylos::SignatureError& error) {
    EXPECT_NE(std::string(error.what()).find("kernel 'k' (line 2) returns int"), std::string::npos) << error.what();
  }
}

TEST(Signature, TheThreadsThatATextIsWrittenFor) {
  const auto use = [](const char* text, const char* name = "k") { return mylos::jit::thread_use(text, name); };
  constexpr const char* several = R"(#include <mylos/device/index.hpp>
// MYLOS_THREAD_3D in a comment
__global__ void one(int* p, int n) { MYLOS_THREAD_1D(i, n); p[i] = 1; }
__global__ void two(int* p, int n);
namespace app { template <class T> __global__ void two(T* p, int n) { if (n > 0) { MYLOS_THREAD_2D(i, j, n, n); p[i] = j; } } }
extern "C" { __global__ void __launch_bounds__(128) three(int* p, int n) { MYLOS_THREAD_3D(i, j, k, n, n, n); p[i] = j + k; } }
__global__ void none(int* p) { p[threadIdx.x] = 1; })";
  EXPECT_EQ(use(several, "one").axes, 1);
  EXPECT_EQ(use(several, "app::two").axes, 2);
  EXPECT_EQ(use(several, "three").axes, 3);
  EXPECT_EQ(use(several, "none").axes, 0);
  EXPECT_EQ(use(several, "absent").axes, 0);
  EXPECT_FALSE(use(several, "one").may_read_grid);
  for (const char* text : {"__global__ void k(int* p) { p[0] = gridDim.x; }",
                           "__global__ void k(int* p, int n) { MYLOS_GRID_STRIDE_1D(i, n) p[i] = 1; }",
                           "__device__ long all() { return mylos::device::threads_x(); } __global__ void k(int* p) {}",
                           "#include \"unseen.hpp\"\n__global__ void k(int* p) {}"}) {
    EXPECT_TRUE(use(text).may_read_grid) << text;
  }
}

TEST(Signature, IndicesOf32BitsAreFoundByTheirLine) {
  const auto line = [](const std::string& index) {
    const std::string text =
        "#define PLACE blockIdx.x * blockDim.x\n__global__ void other() { int i = PLACE; }\n"
        "__global__ void k(int* p, long n) {\n  p[" +
        index + "] = 1;\n}";
    return mylos::jit::thread_use(text, "k").narrow_index_line;
  };
  for (const char* index :
       {"blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x + blockDim.x*blockIdx.x", "PLACE + threadIdx.x",
        "(long long)(blockIdx.x * blockDim.x)", "std::int64_t(blockIdx.x * blockDim.x + threadIdx.x)",
        "1LL + blockIdx.x * blockDim.x", "(int)blockIdx.x * blockDim.x", "(const std::uint32_t)blockIdx.x * blockDim.x",
        "4 * blockIdx.x * blockDim.x", "2u * (unsigned)blockDim.x * blockIdx.x",
        "(size_t)blockIdx.y * blockDim.y + blockIdx.x * blockDim.x"}) {
    EXPECT_EQ(line(index), 4) << index;
  }
  for (const char* index :
       {"(std::int64_t)blockIdx.x * blockDim.x", "(long long)blockDim.x * blockIdx.x",
        "(size_t)blockIdx.x * blockDim.x", "static_cast<std::int64_t>(blockIdx.x) * blockDim.x",
        "std::int64_t(blockIdx.x) * blockDim.x", "std::size_t{blockIdx.x} * blockDim.x",
        "blockIdx.x * static_cast<long long>(blockDim.x)", "blockIdx.x * (long)blockDim.x",
        "1LL * blockIdx.x * blockDim.x", "2 * 1ull * (int)blockIdx.x * blockDim.x", "(Index)blockIdx.x * blockDim.x",
        "n * blockIdx.x * blockDim.x", "sizeof(int) * blockIdx.x * blockDim.x", "n / blockIdx.x * blockDim.x",
        "blockIdx.x * blockDim.y", "blockIdx.x * gridDim.x", "blockIdx.y * blockDim.y",
        "0 /* blockIdx.x * blockDim.x */", "mylos::device::thread_x()"}) {
    EXPECT_EQ(line(index), 0) << index;
  }
}

}  // namespace
}  // namespace mylos_test
