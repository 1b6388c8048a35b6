// SPDX-License-Identifier: MIT
// Views as kernels see them: a pointer, the extents and the strides (in elements), by value, without ownership.
//
// A kernel parameter `mylos::Array<double, 2> a` takes a Kokkos View of rank 2 of any layout and any strides, and
// a(i, j) is the element that view(i, j) is on the host. mylos::ContiguousArray<T, R> is the same for memory without
// gaps: its elements can also be visited as a[0] ... a[size() - 1], in the memory's order.
// With MYLOS_DEBUG defined every index is checked: a bad one is printed and the kernel (or program) is stopped.
#pragma once

#include <mylos/device/integers.hpp>
#include <mylos/device/platform.hpp>

#if !MYLOS_IN_KERNEL_TEXT
#  include <cstdio>
#  include <stdexcept>
#  include <type_traits>
#endif

namespace mylos::device {

namespace detail {

// `axis` is -1 where elements are numbered in the memory's order.
[[noreturn]] MYLOS_FUNCTION inline void index_out_of_bounds([[maybe_unused]] const void* data, long long index,
                                                            int axis, long long extent) {
#ifdef MYLOS_EMULATOR
  mylos_bad_index(data, index, axis, extent);  // which knows the View's label and the line of the kernel
#else
  printf("mylos::Array: index %lld on axis %d is outside of the extent %lld\n", index, axis, extent);
#  if MYLOS_IN_KERNEL_TEXT || defined(__CUDA_ARCH__)
  while (true) __trap();  // a loop, because __trap is not declared to never return
#  else
  __builtin_trap();
#  endif
#endif
}

MYLOS_FUNCTION inline void check_index(const void* data, std::int64_t index, int axis, std::int64_t extent) {
  if (index < 0 || index >= extent) index_out_of_bounds(data, index, axis, extent);
}

// Part of the accessors' names (a template argument): files with and without MYLOS_DEBUG may be linked together.
#ifdef MYLOS_DEBUG
constexpr bool checks_indices = true;
#else
constexpr bool checks_indices = false;
#endif

// For T = const U the type U, whose arrays become arrays of T; for any other T a type that no array has.
template <class T>
struct Mutable {
  using type = Mutable;
};
template <class T>
struct Mutable<const T> {
  using type = T;
};

#if !MYLOS_IN_KERNEL_TEXT

// What Kokkos::View offers and Array needs; told by its members, so that Kokkos need not be included.
template <class V, class = void>
struct ViewOf {
  template <class T, int R>
  static constexpr bool fits = false;
};
template <class V>
struct ViewOf<V, std::void_t<typename V::value_type, decltype(V::rank()), decltype(V().data()), decltype(V().extent(0)),
                             decltype(V().stride(0)), decltype(V().span_is_contiguous())>> {
  template <class T, int R>
  static constexpr bool fits = static_cast<int>(V::rank()) == R &&
                               std::is_same_v<std::remove_const_t<T>, std::remove_const_t<typename V::value_type>> &&
                               std::is_convertible_v<decltype(V().data()), T*>;
};

#endif

}  // namespace detail

/// Elements of type T (which may be const) under R indices, 1 <= R <= 8. 8 (1 + 2 R) bytes.
template <class T, int R>
class Array {
  static_assert(R >= 1 && R <= 8, "a Kokkos View has at most eight indices, and a View of rank 0 is passed as T*");

 public:
  using value_type = T;

  Array() = default;

  MYLOS_FUNCTION Array(T* data, const std::int64_t (&extents)[R], const std::int64_t (&strides)[R]) : data_(data) {
    for (int axis = 0; axis < R; ++axis) {
      extents_[axis] = extents[axis];
      strides_[axis] = strides[axis];
    }
  }

#if !MYLOS_IN_KERNEL_TEXT
  /// The same elements as `view`, a Kokkos::View of rank R of T (or of non-const T where T is const), in any space.
  /// Valid as long as the View's allocation lives and is not replaced.
  template <class V, std::enable_if_t<detail::ViewOf<V>::template fits<T, R>, int> = 0>
  Array(const V& view) : data_(view.data()) {  // NOLINT(google-explicit-constructor): a View is passed as an Array
    for (int axis = 0; axis < R; ++axis) {
      extents_[axis] = static_cast<std::int64_t>(view.extent(axis));
      strides_[axis] = static_cast<std::int64_t>(view.stride(axis));
    }
  }
#endif

  /// Array<const T, R> of the same memory as an Array<T, R>.
  MYLOS_FUNCTION Array(const Array<typename detail::Mutable<T>::type, R>& other)  // NOLINT(google-explicit-constructor)
      : Array(other.data_, other.extents_, other.strides_) {}

  /// The element that view(indices...) is.
  template <bool checked = detail::checks_indices, class... I>
  MYLOS_FUNCTION T& operator()(I... indices) const {
    static_assert(sizeof...(I) == R, "give as many indices as the array has axes");
    int axis = 0;
    std::int64_t offset = 0;
    ((offset += this->template along<checked>(static_cast<std::int64_t>(indices), axis), ++axis), ...);
    return data_[offset];
  }

  MYLOS_FUNCTION T* data() const { return data_; }
  MYLOS_FUNCTION std::int64_t extent(int axis) const { return extents_[axis]; }
  MYLOS_FUNCTION std::int64_t stride(int axis) const { return strides_[axis]; }
  MYLOS_FUNCTION static constexpr int rank() { return R; }
  /// The number of elements: the product of the extents.
  MYLOS_FUNCTION std::int64_t size() const {
    std::int64_t product = 1;
    for (int axis = 0; axis < R; ++axis) product *= extents_[axis];
    return product;
  }

 private:
  template <class, int>
  friend class Array;

  template <bool checked>
  MYLOS_FUNCTION std::int64_t along(std::int64_t index, int axis) const {
    if constexpr (checked) detail::check_index(data_, index, axis, extents_[axis]);
    return index * strides_[axis];
  }

  T* data_ = nullptr;
  std::int64_t extents_[R] = {};
  std::int64_t strides_[R] = {};
};

/// An Array whose elements fill data()[0] ... data()[size() - 1], first or last index fastest.
template <class T, int R>
class ContiguousArray : public Array<T, R> {
 public:
  ContiguousArray() = default;

  /// The last index is the fastest (Kokkos::LayoutRight).
  MYLOS_FUNCTION ContiguousArray(T* data, const std::int64_t (&extents)[R])
      : ContiguousArray(data, extents, Strides(extents)) {}

#if !MYLOS_IN_KERNEL_TEXT
  /// As Array's. Throws std::invalid_argument when the View's elements are not contiguous.
  template <class V, std::enable_if_t<detail::ViewOf<V>::template fits<T, R>, int> = 0>
  ContiguousArray(const V& view) : Array<T, R>(view) {  // NOLINT(google-explicit-constructor): as Array
    if (!view.span_is_contiguous()) {
      throw std::invalid_argument(
          "mylos::ContiguousArray: the elements of View '" + view.label() +
          "' are not contiguous: its memory has gaps: use mylos::Array, or copy it with mylos::as_contiguous");
    }
  }
#endif

  /// As Array's.
  // NOLINTNEXTLINE(google-explicit-constructor): as Array
  MYLOS_FUNCTION ContiguousArray(const ContiguousArray<typename detail::Mutable<T>::type, R>& other)
      : Array<T, R>(other) {}

  using Array<T, R>::operator();
  /// Rank 1 without the multiplication by a stride that is 1.
  template <bool checked = detail::checks_indices, class I>
  MYLOS_FUNCTION T& operator()(I index) const {
    static_assert(R == 1, "give as many indices as the array has axes");
    return element<checked>(static_cast<std::int64_t>(index));
  }

  /// Element number `flat` in the order of the memory.
  template <bool checked = detail::checks_indices, class I>
  MYLOS_FUNCTION T& operator[](I flat) const {
    return element<checked>(static_cast<std::int64_t>(flat));
  }

 private:
  template <bool checked>
  MYLOS_FUNCTION T& element(std::int64_t flat) const {
    if constexpr (checked) detail::check_index(this->data(), flat, R == 1 ? 0 : -1, this->size());
    return this->data()[flat];
  }

  struct Strides {
    std::int64_t values[R];
    MYLOS_FUNCTION explicit Strides(const std::int64_t (&extents)[R]) : values() {
      std::int64_t stride = 1;
      for (int axis = R - 1; axis >= 0; --axis) {
        values[axis] = stride;
        stride *= extents[axis];
      }
    }
  };
  MYLOS_FUNCTION ContiguousArray(T* data, const std::int64_t (&extents)[R], const Strides& strides)
      : Array<T, R>(data, extents, strides.values) {}
};

static_assert(sizeof(Array<double, 3>) == 56 && alignof(Array<double, 3>) == 8, "the layout kernels are called with");
static_assert(sizeof(ContiguousArray<float, 1>) == 24, "the layout kernels are called with");

}  // namespace mylos::device

namespace mylos {
using device::Array;
using device::ContiguousArray;
}  // namespace mylos
