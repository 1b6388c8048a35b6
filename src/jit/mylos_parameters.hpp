// SPDX-License-Identifier: MIT
// What the compiler of a kernel knows of its parameters, as numbers that the library reads. Stands before the kernel's
// text, for NVRTC and in the emulator's shim, and is included by the library, so: C++11, no header, plain data, names
// that begin with mylos_. Enumerators, because a constant of a class would become a variable on the device. Members
// that are named behind the text begin with mylos_ as well: macros of the text would change others.
#pragma once

// NOLINTBEGIN(readability-identifier-naming)

// Classes of types; the size is told beside. Of 0: classes, enumerations, functions, what is not complete.
enum mylos_type_class : unsigned {
  mylos_other,
  mylos_boolean,
  mylos_signed_integer,
  mylos_unsigned_integer,
  mylos_floating,
  mylos_pointer,
  mylos_array,             // mylos::Array
  mylos_contiguous_array,  // mylos::ContiguousArray
};

// A parameter, in bytes; `element` is what a pointer or an array has elements of.
struct mylos_parameter {
  unsigned size, alignment;
  unsigned element_size, element_alignment;
  unsigned type, element_type;  // mylos_type_class
  unsigned element_is_const;
  unsigned rank;  // of an array
};

// A field of the class that a parameter is, points to or is an array of, in bytes; of one that the class does not have
// only `parameter` is not 0.
struct mylos_field {
  unsigned parameter;  // its number, from 0
  unsigned is_there;
  unsigned offset, size;
  unsigned type, type_size;             // of the elements, where it is an array of the language
  unsigned element_type, element_size;  // of what a pointer or an array of ours has elements of
};

// Not in one word: a kernel's options may ask for C++14.
// NOLINTNEXTLINE(modernize-concat-nested-namespaces)
namespace mylos {
namespace device {
template <class T, int R>
class Array;
template <class T, int R>
class ContiguousArray;
}  // namespace device
}  // namespace mylos

template <class T>
struct mylos_unqualified {
  using type = T;
  enum : unsigned { is_const = 0 };
};
template <class T>
struct mylos_unqualified<const T> : mylos_unqualified<T> {
  enum : unsigned { is_const = 1 };
};
template <class T>
struct mylos_unqualified<volatile T> : mylos_unqualified<T> {};
template <class T>
struct mylos_unqualified<const volatile T> : mylos_unqualified<const T> {};

// The sizes of a type; 0 for one that is not complete.
template <class T, class = void>
struct mylos_size {
  enum : unsigned { bytes = 0, alignment = 0 };
};
template <class T>
struct mylos_size<T, decltype(static_cast<void>(sizeof(T)))> {
  enum : unsigned { bytes = sizeof(T), alignment = alignof(T) };
};

// The class of a type without const.
template <class T>
struct mylos_class {
  enum : unsigned { value = mylos_other };
};
#define MYLOS_CLASS(T, which)          \
  template <>                          \
  struct mylos_class<T> {              \
    enum : unsigned { value = which }; \
  };
MYLOS_CLASS(bool, mylos_boolean)
MYLOS_CLASS(char, mylos_signed_integer)
MYLOS_CLASS(signed char, mylos_signed_integer)
MYLOS_CLASS(unsigned char, mylos_unsigned_integer)
MYLOS_CLASS(short, mylos_signed_integer)
MYLOS_CLASS(unsigned short, mylos_unsigned_integer)
MYLOS_CLASS(int, mylos_signed_integer)
MYLOS_CLASS(unsigned int, mylos_unsigned_integer)
MYLOS_CLASS(long, mylos_signed_integer)
MYLOS_CLASS(unsigned long, mylos_unsigned_integer)
MYLOS_CLASS(long long, mylos_signed_integer)
MYLOS_CLASS(unsigned long long, mylos_unsigned_integer)
MYLOS_CLASS(float, mylos_floating)
MYLOS_CLASS(double, mylos_floating)
#undef MYLOS_CLASS
template <class T>
struct mylos_class<T*> {
  enum : unsigned { value = mylos_pointer };
};
template <class T, int R>
struct mylos_class<mylos::device::Array<T, R>> {
  enum : unsigned { value = mylos_array };
};
template <class T, int R>
struct mylos_class<mylos::device::ContiguousArray<T, R>> {
  enum : unsigned { value = mylos_contiguous_array };
};

template <class T>
struct mylos_elements {
  using type = void;
  enum : unsigned { rank = 0 };
};
template <class T>
struct mylos_elements<T*> {
  using type = T;
  enum : unsigned { rank = 0 };
};
template <class T, int R>
struct mylos_elements<mylos::device::Array<T, R>> {
  using type = T;
  enum : unsigned { rank = R };
};
template <class T, int R>
struct mylos_elements<mylos::device::ContiguousArray<T, R>> {
  using type = T;
  enum : unsigned { rank = R };
};

template <class T>
struct mylos_row {
  using element = mylos_unqualified<typename mylos_elements<T>::type>;
  using element_type = typename element::type;
};

// Of a pointer to a kernel: how many parameters it has, and each of them.
template <class Kernel>
struct mylos_table;
template <class... A>
struct mylos_table<void (*)(A...)> {
  unsigned count = sizeof...(A);
  mylos_parameter parameters[sizeof...(A) + 1] = {
      mylos_parameter{mylos_size<A>::bytes, mylos_size<A>::alignment,
                      mylos_size<typename mylos_row<A>::element_type>::bytes,
                      mylos_size<typename mylos_row<A>::element_type>::alignment, mylos_class<A>::value,
                      mylos_class<typename mylos_row<A>::element_type>::value, mylos_row<A>::element::is_const,
                      mylos_elements<A>::rank}...,
      {}};
};

// The class that a parameter is, points to or is an array of.
template <class T, bool has_elements = (mylos_class<T>::value >= mylos_pointer)>
struct mylos_class_in {
  using mylos_type = T;
};
template <class T>
struct mylos_class_in<T, true> {
  using mylos_type = typename mylos_row<T>::element_type;
};

// That of a kernel's parameter with a number.
template <unsigned number, class Kernel>
struct mylos_argument {
  using mylos_type = void;
};
template <class First, class... Rest>
struct mylos_argument<0, void (*)(First, Rest...)> : mylos_class_in<First> {};
template <unsigned number, class First, class... Rest>
struct mylos_argument<number, void (*)(First, Rest...)> : mylos_argument<number - 1, void (*)(Rest...)> {};

// Only of classes whose fields have places that are the same for every compiler.
template <class T, bool is_complete = (mylos_size<T>::bytes > 0)>
struct mylos_is_plain {
  enum : unsigned { value = 0 };
};
template <class T>
struct mylos_is_plain<T, true> {
  enum : unsigned { value = __is_standard_layout(T) };
};
template <class T, bool is_plain = (mylos_is_plain<T>::value > 0)>
struct mylos_plain {};
template <class T>
struct mylos_plain<T, true> {
  using mylos_type = T;
};

// Of what & makes of a class' member: of a field, not of a static one.
template <class Pointer>
struct mylos_member {};
template <class T, class Member>
struct mylos_member<Member T::*> {
  using mylos_type = int;
};
#ifdef __CUDACC_RTC__
#  define MYLOS_PLACE(T, field) __INTADDR__(&((static_cast<T*>(nullptr))->field))
#else
#  define MYLOS_PLACE(T, field) __builtin_offsetof(T, field)
#endif

// What an array of the language has elements of, in the end.
template <class T>
struct mylos_innermost : mylos_unqualified<T> {};
template <class T, decltype(sizeof(0)) n>
struct mylos_innermost<T[n]> : mylos_innermost<T> {};

struct mylos_no_field {
  enum : unsigned { is_there = 0, offset = 0, size = 0, type = 0, type_size = 0, element_type = 0, element_size = 0 };
};
template <class Member, unsigned place>
struct mylos_some_field {
  using single = typename mylos_innermost<Member>::type;
  using element = typename mylos_row<single>::element_type;
  enum : unsigned {
    is_there = 1,
    offset = place,
    size = sizeof(Member),
    type = mylos_class<single>::value,
    type_size = mylos_size<single>::bytes,
    element_type = mylos_class<element>::value,
    element_size = mylos_size<element>::bytes
  };
};
template <unsigned number, class Field>
struct mylos_field_of : Field {
  enum : unsigned { parameter = number };
};

template <class... Field>
struct mylos_field_table {
  unsigned count = sizeof...(Field);
  mylos_field fields[sizeof...(Field) + 1] = {
      mylos_field{Field::parameter, Field::is_there, Field::offset, Field::size, Field::type, Field::type_size,
                  Field::element_type, Field::element_size}...,
      {}};
};

// NOLINTEND(readability-identifier-naming)
