// SPDX-License-Identifier: MIT
// The arguments of a call with their C++ types erased: what checks, thread inference and launches work on.
//
// A call turns every argument into one Argument: a pointer to a static description of its type, and what is known
// at run time only. Everything behind it is compiled once, not once per type list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/core/value_kind.hpp>
#include <mylos/core/view_traits.hpp>
#include <mylos/kernel/struct_layout.hpp>

namespace mylos::inline MYLOS_ABI {

/// Order of a View's type; `other` for layouts that users define.
enum class LayoutKind : std::uint8_t { left, right, stride, other };

namespace detail {

struct ElementPart;

/// What MYLOS_STRUCT tells of a class.
struct StructDescription {
  std::vector<FieldLayout> (*fields)();
  std::vector<ElementPart> (*parts)();  ///< the same taken apart: see parts_of()
};

}  // namespace detail

/// What an argument's C++ type tells; one static object per type.
struct ArgumentType {
  const std::type_info* value_type;        ///< of an element of a View, of the argument itself otherwise; without const
  std::string (*label)(const void* view);  ///< the View's label; null when it is not a View
  std::shared_ptr<const void> (*share)(const void* view);  ///< a copy of the View; null when it is not a View
  bool (*owns)(const void* view);              ///< whether the View keeps its memory alive; null when it is not a View
  const detail::StructDescription* described;  ///< the value's class, by MYLOS_STRUCT; null when it is not
  const char* space;                           ///< name of the View's memory space; null when it is not a View
  std::uint32_t size, alignment;               ///< of the value, in bytes
  std::int8_t rank;                            ///< of the View; 0 otherwise
  ValueKind kind;
  LayoutKind layout;
  bool is_view, is_const, is_trivially_copyable;
  bool is_enum;             ///< whose `kind` is that of the underlying integer; of the elements of a View
  bool on_host, on_device;  ///< whether the host, and DeviceSpace's execution space, reach the memory; true for values
};

/// One argument of a call. Refers to the caller's object, which must outlive it.
struct Argument {
  const ArgumentType* type;
  const void* data;                     ///< first element of a View, or the value
  const void* object;                   ///< the caller's object: the View itself, or the value
  std::array<std::int64_t, 8> extents;  ///< of a View: its first `rank` entries
  std::array<std::int64_t, 8> strides;  ///< in elements, likewise

  [[nodiscard]] std::string label() const { return type->is_view ? type->label(object) : std::string(); }
  [[nodiscard]] std::int64_t extent(int axis) const {
    return axis < type->rank ? extents[static_cast<std::size_t>(axis)] : 1;
  }
  /// All extents of a View.
  [[nodiscard]] std::span<const std::int64_t> shape() const {
    return std::span(extents).first(static_cast<std::size_t>(type->rank));
  }
};

/// The arguments of one call, in order. A cheap reference to them.
class Arguments {
 public:
  Arguments(std::span<const ArgumentType* const> types, std::span<const Argument> values)
      : types_(types), values_(values) {}

  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] const Argument& operator[](std::size_t i) const { return values_[i]; }
  [[nodiscard]] auto begin() const { return values_.begin(); }
  [[nodiscard]] auto end() const { return values_.end(); }
  /// The same object for every call with the same C++ types: what depends on types only is checked once for it.
  [[nodiscard]] std::span<const ArgumentType* const> types() const { return types_; }

 private:
  std::span<const ArgumentType* const> types_;
  std::span<const Argument> values_;
};

/// The indices of an element: the first `rank` entries.
using ElementIndex = std::array<std::int64_t, 8>;

/// Where an element of a View is. The View's memory is not touched.
[[nodiscard]] inline const std::byte* element_address(const Argument& view, const ElementIndex& index) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(view.type->rank); ++axis) {
    offset += index[axis] * view.strides[axis];
  }
  return static_cast<const std::byte*>(view.data) + offset * static_cast<std::int64_t>(view.type->size);
}

/// Calls f(index) for every element of a View, the last index fastest.
template <class F>
void for_each_index(const Argument& view, F&& f) {
  std::int64_t size = 1;
  for (int axis = 0; axis < view.type->rank; ++axis) size *= view.extent(axis);
  ElementIndex index{};
  for (std::int64_t n = 0; n < size; ++n) {
    f(std::as_const(index));
    for (int axis = view.type->rank - 1; axis >= 0; --axis) {
      std::int64_t& i = index[static_cast<std::size_t>(axis)];
      if (++i < view.extent(axis)) break;
      i = 0;
    }
  }
}

namespace detail {

template <class L>
consteval LayoutKind layout_kind() {
  if constexpr (std::is_same_v<L, Kokkos::LayoutLeft>)
    return LayoutKind::left;
  else if constexpr (std::is_same_v<L, Kokkos::LayoutRight>)
    return LayoutKind::right;
  else if constexpr (std::is_same_v<L, Kokkos::LayoutStride>)
    return LayoutKind::stride;
  else
    return LayoutKind::other;
}

template <class V>
std::string label_of(const void* view) {
  return static_cast<const V*>(view)->label();
}

template <class V>
std::shared_ptr<const void> shared_view(const void* view) {
  return std::make_shared<const V>(*static_cast<const V*>(view));
}

template <class V>
bool owns_memory(const void* view) {
  return static_cast<const V*>(view)->use_count() > 0;
}

template <class S>
std::vector<ElementPart> described_parts();  // below: parts are described by the types of arguments

template <class S>
inline constexpr StructDescription struct_description = {&described_fields<S>, &described_parts<S>};

template <class T>
consteval const StructDescription* description_of() {
  if constexpr (device::has_struct_fields_v<T>)
    return &struct_description<T>;
  else
    return nullptr;
}

template <class T>
inline constexpr ArgumentType argument_type = {
    .value_type = &typeid(T),
    .label = nullptr,
    .share = nullptr,
    .owns = nullptr,
    .described = description_of<T>(),
    .space = nullptr,
    .size = sizeof(T),
    .alignment = alignof(T),
    .rank = 0,
    .kind = value_kind<T>(),
    .layout = LayoutKind::other,
    .is_view = false,
    .is_const = true,
    .is_trivially_copyable = std::is_trivially_copyable_v<T>,
    .is_enum = std::is_enum_v<T>,
    .on_host = true,
    .on_device = true,
};

template <AnyView V>
inline constexpr ArgumentType argument_type<V> = {
    .value_type = &typeid(typename V::non_const_value_type),
    .label = &label_of<V>,
    .share = &shared_view<V>,
    .owns = &owns_memory<V>,
    .described = description_of<typename V::non_const_value_type>(),
    .space = V::memory_space::name(),
    .size = sizeof(typename V::non_const_value_type),
    .alignment = alignof(typename V::non_const_value_type),
    .rank = static_cast<std::int8_t>(V::rank),
    .kind = value_kind<typename V::non_const_value_type>(),
    .layout = layout_kind<typename V::array_layout>(),
    .is_view = true,
    .is_const = std::is_const_v<typename V::value_type>,
    .is_trivially_copyable = std::is_trivially_copyable_v<typename V::non_const_value_type>,
    .is_enum = std::is_enum_v<typename V::non_const_value_type>,
    .on_host = is_host_reachable_v<V>,
    .on_device = is_device_reachable_v<V>,
};

/// A value that an element is made of: what is a number, an address, a mylos::Array, or a class that does not tell its
/// fields.
struct ElementPart {
  std::string name;                        ///< "x[2]", "inner.mass"; empty: the element is one value
  std::size_t offset;                      ///< in the element, in bytes
  const ArgumentType* type;                ///< its size and kind
  const ArgumentType* elements = nullptr;  ///< of a mylos::Array, where their type is complete
  int rank = 0;                            ///< likewise
};

/// Takes arrays of the language, and classes that MYLOS_STRUCT describes, apart.
template <class T>
void append_parts(std::vector<ElementPart>& parts, const std::string& name, std::size_t offset) {
  if constexpr (std::is_array_v<T>) {
    using Single = std::remove_extent_t<T>;
    for (std::size_t i = 0; i < std::extent_v<T>; ++i) {
      append_parts<Single>(parts, name + '[' + std::to_string(i) + ']', offset + i * sizeof(Single));
    }
  } else if constexpr (device::has_struct_fields_v<T>) {
    const std::string outer = name.empty() ? name : name + '.';
    const auto append_each = [&]<class... F>(const device::Field<F>&... field) {
      (append_parts<std::remove_cv_t<F>>(parts, outer + field.name, offset + field.offset), ...);
    };
    std::apply(append_each, device::struct_fields<T>());
  } else {
    ElementPart& part = parts.emplace_back(ElementPart{name, offset, &argument_type<T>});
    using Element = typename KernelType<T>::element;
    if constexpr (KernelType<T>::value >= TypeClass::array && size_or_none<Element>() > 0) {
      part.elements = &argument_type<Element>;
      part.rank = T::rank();
    }
  }
}

template <class S>
std::vector<ElementPart> described_parts() {
  std::vector<ElementPart> parts;
  append_parts<S>(parts, {}, 0);
  return parts;
}

/// The values that a value, or an element of a View, is made of: those that MYLOS_STRUCT tells, else itself.
inline std::vector<ElementPart> parts_of(const ArgumentType& type) {
  if (type.described != nullptr) return type.described->parts();
  return {ElementPart{{}, 0, &type}};
}

/// One static list per list of types.
template <class... A>
inline constexpr std::array<const ArgumentType*, sizeof...(A)> argument_types = {&argument_type<A>...};

template <class A>
void erase_type(Argument& out, const A& value) {
  out.type = &argument_type<A>;
  out.object = &value;
  if constexpr (AnyView<A>) {
    out.data = value.data();
    for (std::size_t d = 0; d < A::rank(); ++d) {
      out.extents[d] = static_cast<std::int64_t>(value.extent(d));
      out.strides[d] = static_cast<std::int64_t>(value.stride(d));
    }
  } else {
    out.data = &value;
  }
}

}  // namespace detail

/// The erased arguments of one call, on the caller's stack: `ArgumentPack pack(x, v, dt); f(pack);` where f takes
/// `const Arguments&`. Refers to x, v and dt.
template <class... A>
class ArgumentPack {
 public:
  explicit ArgumentPack(const A&... arguments) {
    std::size_t i = 0;
    (detail::erase_type(values_[i++], arguments), ...);
  }
  operator Arguments() const {  // NOLINT(google-explicit-constructor): what it is made for
    return {detail::argument_types<A...>, {values_.data(), sizeof...(A)}};
  }

 private:
  std::array<Argument, sizeof...(A) + (sizeof...(A) == 0)> values_;
};

}  // namespace mylos::inline MYLOS_ABI
