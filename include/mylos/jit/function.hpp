// SPDX-License-Identifier: MIT
// What the declaration of a device function says, read without a compiler: for kernels that are generated around it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/jit/signature.hpp>

namespace mylos::inline MYLOS_ABI::jit {

/// One parameter of a device function.
struct FunctionParameter {
  /// As written, without const: of the value, of what a reference refers to or a pointer points to.
  std::string type;
  std::string name;                           ///< empty when the declaration has none
  ParameterKind kind = ParameterKind::value;  ///< of a reference: that of what it refers to
  bool may_be_written = false;                ///< a reference, pointer or array of non-const elements
  std::string declaration;                    ///< as written, without default value
};

/// A device function as a text declares it.
struct FunctionDeclaration {
  std::string result;  ///< as written, without const and &: "double"; "void" where there is none
  std::string name;    ///< as written, with namespaces and template arguments: "app::spline<3>"
  std::vector<FunctionParameter> parameters;

  [[nodiscard]] bool returns_something() const { return result != "void"; }
  /// Without namespaces and template arguments: "spline".
  [[nodiscard]] MYLOS_EXPORT std::string plain_name() const;
};

/// Reads "double app::f(const double* t, int p, double x)"; words that do not matter to a caller (__device__, inline,
/// MYLOS_FUNCTION, attributes) may stand before it. Throws SignatureError for what is no such declaration, and for a
/// parameter that nothing can be passed to (functions, references to arrays, `...`).
[[nodiscard]] MYLOS_EXPORT FunctionDeclaration parse_function(std::string_view declaration);

}  // namespace mylos::inline MYLOS_ABI::jit
