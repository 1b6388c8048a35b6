// SPDX-License-Identifier: MIT
// The fields of the classes that a kernel's parameters are made of: names are read in the text, places are the
// compiler's.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/jit/signature.hpp>
#include <mylos/jit/source.hpp>

#include "jit/mylos_parameters.hpp"

namespace mylos::inline MYLOS_ABI::jit::detail {

/// What the compiler is asked for: a name that may be that of a field of a parameter's class.
struct AskedField {
  std::size_t parameter;  ///< its number, from 0
  std::string name;
};

/// The names of fields by the class that they are in, without namespaces, as far as tokens tell: of classes that are
/// written out. A name too many does no harm, one too few is not compared.
[[nodiscard]] MYLOS_EXPORT std::map<std::string, std::vector<std::string>, std::less<>> class_fields(
    std::string_view text);

/// The fields of the classes that the parameters are, point to or are arrays of. `included` gives the files that the
/// text includes; it is called only where the text itself does not have a class.
[[nodiscard]] MYLOS_EXPORT std::vector<AskedField> fields_to_ask(
    const Signature& signature, std::string_view text, const std::function<std::vector<IncludedFile>()>& included);
/// The same of the kernel `name` with these template arguments; none where it cannot be read.
[[nodiscard]] MYLOS_EXPORT std::vector<AskedField> fields_to_ask(
    std::string_view name, std::string_view instantiate, std::span<const std::string> options, std::string_view text,
    const std::function<std::vector<IncludedFile>()>& included);

/// Lines to stand behind the kernel's text: two constants, `mylos_fields` and `mylos_field_names`, declared with
/// `specifiers`. `kernel` is an expression for its address.
[[nodiscard]] MYLOS_EXPORT std::string field_table(std::span<const AskedField> fields, std::string_view kernel,
                                                   std::string_view specifiers);

/// What the constants say, by parameter: those that are there, in the order of `names`. Empty where none is. Throws
/// Error where they contradict each other.
[[nodiscard]] MYLOS_EXPORT std::vector<std::vector<FieldLayout>> fields_of(std::span<const mylos_field> fields,
                                                                           std::string_view names);

}  // namespace mylos::inline MYLOS_ABI::jit::detail
