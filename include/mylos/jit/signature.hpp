// SPDX-License-Identifier: MIT
// What a kernel's text says about its parameters, read without a compiler.
//
// The reader knows tokens, not C++: comments, literals, attributes and qualifiers in any place, templates, namespaces,
// extern "C" blocks and several kernels in a text do not confuse it. It sees what is written out: object-like macros
// and type aliases of the same text are followed, function-like macros and included files are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

/// How an argument reaches a parameter.
enum class ParameterKind {
  value,             ///< a scalar, or a struct by value
  pointer,           ///< T*, T[], T[n]
  array,             ///< mylos::Array<T, R>
  contiguous_array,  ///< mylos::ContiguousArray<T, R>
  other              ///< what no argument can be passed to: references, pointers to functions or arrays, `...`
};

/// One parameter of a kernel.
struct Parameter {
  /// The canonical spelling of the value's, pointed-to or element type without const: see `jit::canonical_type`.
  std::string type;
  std::string name;         ///< empty when the declaration has none
  bool is_pointer = false;  ///< kind == pointer
  bool is_const = false;    ///< what is pointed to, or the elements of the array, are const
  int rank = 0;             ///< of an Array; 0 for everything else, and where it depends on a template parameter
  ParameterKind kind = ParameterKind::value;
  std::string declaration;  ///< as written, blanks normalised, without default value: "const double* __restrict__ x"
};

/// What a compiler takes a type for; its size is told beside.
enum class TypeClass : std::uint8_t {
  other,  ///< classes, enumerations, what is declared only
  boolean,
  signed_integer,
  unsigned_integer,
  floating,
  pointer,
  array,            ///< mylos::Array
  contiguous_array  ///< mylos::ContiguousArray
};

/// What a compiler knows of a parameter, in bytes; `element` is what a pointer or array has elements of. Sizes of 0:
/// not known, as of a type that is declared only.
struct ParameterLayout {
  std::uint32_t size = 0, alignment = 0;
  std::uint32_t element_size = 0, element_alignment = 0;
  TypeClass type = TypeClass::other, element_type = TypeClass::other;
  bool element_is_const = false;
  int rank = 0;  ///< of an array
};

/// A field of a class that kernels take, as a compiler lays it out, in bytes.
struct FieldLayout {
  std::string name;
  std::size_t offset, size;
  TypeClass type = TypeClass::other;          ///< of an array of the language: of its elements
  std::size_t type_size = 0;                  ///< likewise
  TypeClass element_type = TypeClass::other;  ///< of what a pointer or a mylos::Array has elements of
  std::size_t element_size = 0;

  friend bool operator==(const FieldLayout&, const FieldLayout&) = default;
};
/// "a floating-point number of 8 bytes", "3 times a pointer to ...": its type, in words.
[[nodiscard]] MYLOS_EXPORT std::string type_text(const FieldLayout& field);

/// A kernel's name and parameters.
struct Signature {
  std::string name;                   ///< without namespaces
  std::vector<Parameter> parameters;  ///< in order
  std::string qualified_name;         ///< with namespaces: "app::push"
  bool is_extern_c = false;           ///< its symbol is its name
  /// static, or in an unnamed namespace: no compiler keeps such a kernel for others to launch.
  bool has_internal_linkage = false;
  std::vector<std::string> template_parameters;  ///< their names, in order; empty unless a template
  std::vector<std::string> template_defaults;    ///< as many; empty texts where there is no default
  int line = 0;                                  ///< of the name, counted from 1

  [[nodiscard]] bool is_template() const { return !template_parameters.empty(); }
};

/// "push(double* x, const double* v, double dt)" as canonical types, for messages.
[[nodiscard]] MYLOS_EXPORT std::string to_string(const Signature& signature);
[[nodiscard]] MYLOS_EXPORT std::string to_string(const Parameter& parameter);

namespace jit {

/// The kernels of a text in the order of their first appearance: plain names where they are unique, else with their
/// namespaces. Overloads appear once. Throws nothing for text that is no CUDA: then there are no kernels in it.
[[nodiscard]] MYLOS_EXPORT std::vector<std::string> kernel_names(std::string_view source);

/// The signature of kernel `name` (plain or with namespaces).
/// Throws LookupError when the text has no such kernel, listing those it has; SignatureError when the name stands for
/// several kernels (overloads, or the same name in several namespaces).
///
/// `options`: of the compiler. What their macros are decides conditionals (#ifdef, #if defined) that ask for them, and
/// which default (#ifndef N, #define N 8) counts. Of two heads of one kernel that a conditional chooses from, for which
/// no option is given, the one counts that is compiled where nobody defines its macro; compilers confirm it.
[[nodiscard]] MYLOS_EXPORT Signature parse_signature(std::string_view source, std::string_view name,
                                                     std::span<const std::string> options = {});

/// The same kernel with template arguments put in: `instantiate` is "axpy<double, 3>"; arguments left out take their
/// defaults. For a kernel that is no template `instantiate` must be empty or its name. Throws SignatureError.
[[nodiscard]] MYLOS_EXPORT Signature instantiated(const Signature& signature, std::string_view instantiate);

/// The expression that names the kernel where its text ends: "app::push", "app::axpy<double, 3>", "fill<>". Throws
/// SignatureError as instantiated() does, and for a kernel that is static or in an unnamed namespace, which no compiler
/// keeps for others to launch; `file` is named there.
[[nodiscard]] MYLOS_EXPORT std::string kernel_expression(const Signature& signature, std::string_view instantiate,
                                                         std::string_view file);

/// Throws SignatureError, which names the parameter, where a compiler finds another type than was read: a macro or an
/// alias of another file gives its words another meaning. Names of types that only a compiler knows say nothing here.
/// `found`: as a compiler tells them; empty: nothing is compared.
MYLOS_EXPORT void confirm_types(const Signature& signature, std::span<const ParameterLayout> found);

/// What a kernel's text tells about the threads that it is written for.
struct ThreadUse {
  int axes = 0;               ///< of the largest MYLOS_THREAD_1D, _2D, _3D in its body; 0 where there is none
  bool may_read_grid = true;  ///< whether it may know how many threads there are, and share the work out among them
  /// The line where its body multiplies blockIdx.x by blockDim.x, in this order or the other, and nothing makes that
  /// more than 32 bits; 0: nowhere. Along y and z CUDA has no launch that such a product is too small for.
  int narrow_index_line = 0;
};

/// Of kernel `name` (plain or with namespaces). What included files hold is not seen; nothing is known of a kernel that
/// the text does not have. Never throws.
[[nodiscard]] MYLOS_EXPORT ThreadUse thread_use(std::string_view source, std::string_view name);

/// One spelling for each type by its size and sign, on a host with 64-bit `long`: every signed 64-bit integer
/// (std::int64_t, long, ptrdiff_t, ...) is "long long", every unsigned one (size_t, ...) "unsigned long long", the
/// others are "int", "unsigned int", "short", "unsigned short", "signed char", "unsigned char", "char", "bool",
/// "float", "double". mylos::complex<T>, vector types, __half and structs keep their names, with canonical arguments.
[[nodiscard]] MYLOS_EXPORT std::string canonical_type(std::string_view type);

}  // namespace jit
}  // namespace mylos::inline MYLOS_ABI
