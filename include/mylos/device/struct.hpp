// SPDX-License-Identifier: MIT
// The fields of a plain struct that host code and kernels share: one definition, in a header that includes only
// mylos/device/*, and one line beside it that says what is in it.
//
//   namespace app {
//   struct Particle { double x[3], v[3]; int cell; };
//   MYLOS_STRUCT(Particle, x, v, cell);
//   }  // namespace app
//
// The line stands in the struct's own namespace and names all fields, in any order. In kernel text, and before C++20,
// it is nothing; on the host, struct_fields<Particle>() tells names, types and places: for mylos::verify_layout, and
// for files.
#pragma once

#include <mylos/device/platform.hpp>

#if MYLOS_IN_KERNEL_TEXT || __cplusplus < 202002L

#  define MYLOS_STRUCT(S, ...) static_assert(sizeof(S) > 0, "the struct is complete")

#else

#  include <cstddef>
#  include <tuple>
#  include <type_traits>

namespace mylos::device {

/// A field of type T.
template <class T>
struct Field {
  using type = T;
  const char* name;
  std::size_t offset;  ///< in bytes
};

/// Whether MYLOS_STRUCT tells the fields of S.
template <class S, class = void>
inline constexpr bool has_struct_fields_v = false;
template <class S>
inline constexpr bool
    has_struct_fields_v<S, std::void_t<decltype(mylos_struct_fields(static_cast<const S*>(nullptr)))>> = true;

/// std::tuple of the Field<T> that MYLOS_STRUCT lists for S, in its order.
template <class S>
[[nodiscard]] constexpr auto struct_fields() {
  static_assert(has_struct_fields_v<S>, "list the fields of this struct: MYLOS_STRUCT(S, fields...) in its namespace");
  return mylos_struct_fields(static_cast<const S*>(nullptr));
}

}  // namespace mylos::device

// One more field for each name, by macros that rescan: up to 256 of them.
#  define MYLOS_DETAIL_AGAIN ()
#  define MYLOS_DETAIL_RESCAN(...) MYLOS_DETAIL_RESCAN3(MYLOS_DETAIL_RESCAN3(MYLOS_DETAIL_RESCAN3(__VA_ARGS__)))
#  define MYLOS_DETAIL_RESCAN3(...) MYLOS_DETAIL_RESCAN2(MYLOS_DETAIL_RESCAN2(MYLOS_DETAIL_RESCAN2(__VA_ARGS__)))
#  define MYLOS_DETAIL_RESCAN2(...) MYLOS_DETAIL_RESCAN1(MYLOS_DETAIL_RESCAN1(MYLOS_DETAIL_RESCAN1(__VA_ARGS__)))
#  define MYLOS_DETAIL_RESCAN1(...) MYLOS_DETAIL_RESCAN0(MYLOS_DETAIL_RESCAN0(MYLOS_DETAIL_RESCAN0(__VA_ARGS__)))
#  define MYLOS_DETAIL_RESCAN0(...) MYLOS_DETAIL_ONCE(MYLOS_DETAIL_ONCE(MYLOS_DETAIL_ONCE(__VA_ARGS__)))
#  define MYLOS_DETAIL_ONCE(...) __VA_ARGS__
#  define MYLOS_DETAIL_FIELDS(S, field, ...)    \
    ::mylos::device::Field<decltype(S::field)>{ \
        #field, offsetof(S, field)} __VA_OPT__(, MYLOS_DETAIL_MORE MYLOS_DETAIL_AGAIN(S, __VA_ARGS__))
#  define MYLOS_DETAIL_MORE() MYLOS_DETAIL_FIELDS

/// `MYLOS_STRUCT(S, fields...);` at namespace scope, in the namespace of S, which is a standard-layout class whose
/// fields are public. At most 243 fields.
#  define MYLOS_STRUCT(S, ...)                                                                                     \
    static_assert(std::is_standard_layout_v<S> && std::is_trivially_copyable_v<S>, #S                              \
                  " is no plain struct: kernels and files take it as bytes, so it must be trivially copyable and " \
                  "of standard layout");                                                                           \
    [[maybe_unused]] constexpr auto mylos_struct_fields(const S*) {                                                \
      return std::tuple{MYLOS_DETAIL_RESCAN(MYLOS_DETAIL_FIELDS(S, __VA_ARGS__))};                                 \
    }                                                                                                              \
    static_assert(::mylos::device::has_struct_fields_v<S>,                                                         \
                  "MYLOS_STRUCT(" #S ", ...) belongs into the namespace of the struct")

#endif
