// SPDX-License-Identifier: MIT
// Code that works on host memory only, called with Views of the device.
#pragma once

#include <array>
#include <cstddef>
#include <source_location>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>
#include <mylos/core/conversions.hpp>

namespace mylos::inline MYLOS_ABI {
namespace detail {

/// One argument of host_call as the check for aliases sees it.
struct CallArgument {
  StridedBlock block;
  std::size_t element_bytes = 0;
  bool on_device = false;
  bool written = false;
  std::string label;
  const void* host_copy = nullptr;  ///< arguments with the same one share it
};

/// Throws ValueError where two device Views have elements in common, do not share a host copy, and one is written.
MYLOS_EXPORT void refuse_partial_aliases(std::span<const CallArgument> arguments);

/// What host_call makes for an argument that is no device View: nothing, the function gets the argument itself.
template <class V>
struct HostCopy {
  void make(const V& /*value*/) {}
  void copy_back(const V& /*value*/) const {}
  [[nodiscard]] const V& argument(const V& value) const { return value; }
  [[nodiscard]] CallArgument described(const V& /*value*/) const { return {}; }
};

template <class V>
  requires is_device_view_v<V>
struct HostCopy<V> {
  using Fresh = FreshView<V, HostSpace>;
  using Argument = Kokkos::View<typename WithElement<typename V::data_type, typename V::value_type>::type,
                                typename Fresh::array_layout, HostSpace>;
  static constexpr bool written = !std::is_const_v<typename V::value_type>;

  Fresh copy;

  void make(const V& value) {
    copy = fresh_copy<HostSpace, typename V::non_const_value_type>("mylos::host_call", value,
                                                                   std::source_location::current());
  }
  void copy_back(const V& value) const {
    if constexpr (written) copy_view(value, copy);
  }
  // An argument that only reads is const for the function too.
  [[nodiscard]] Argument argument(const V& /*value*/) const { return copy; }
  [[nodiscard]] CallArgument described(const V& value) const {
    return {block_of(value), sizeof(typename V::value_type), value.size() > 0, written, value.label(), copy.data()};
  }
};

/// What the function of host_call gets for an argument of type V.
template <class V>
using HostArgument =
    std::remove_cvref_t<decltype(std::declval<const HostCopy<V>&>().argument(std::declval<const V&>()))>;

/// Likewise, as a View of the host's own layout.
template <class V>
struct OwnHostView {
  using type = HostArgument<V>;
};
template <class V>
  requires is_device_view_v<V>
struct OwnHostView<V> {
  using type = Kokkos::View<typename V::data_type, HostSpace>;
};
template <class V>
using OwnHostArgument = typename OwnHostView<V>::type;

/// Takes `to`'s copy from `from` when both stand for the same elements and the types allow it.
template <class To, class V, class From, class W>
bool share_copy(HostCopy<To>& to, const V& value, const HostCopy<From>& from, const W& other) {
  if constexpr (is_device_view_v<To> && is_device_view_v<From>) {
    if constexpr (std::is_same_v<typename HostCopy<To>::Fresh, typename HostCopy<From>::Fresh>) {
      if (!same_elements(block_of(value), block_of(other))) return false;
      to.copy = from.copy;
      return true;
    }
  }
  return false;
}

/// The host copies of all arguments of one call; the same elements are copied once.
template <class... V>
class HostCopies {
 public:
  explicit HostCopies(const V&... values) : values_(values...) {
    make_all(std::index_sequence_for<V...>());
    described_ =
        std::apply([&](const auto&... copy) { return describe(std::index_sequence_for<V...>(), copy...); }, copies_);
    refuse_partial_aliases(described_);
  }

  template <class F>
  decltype(auto) call(F&& f) const {
    return call(std::forward<F>(f), std::index_sequence_for<V...>());
  }
  void copy_back() const { copy_back(std::index_sequence_for<V...>()); }

 private:
  template <std::size_t... I>
  void make_all(std::index_sequence<I...> /*all*/) {
    (make<I>(std::make_index_sequence<I>()), ...);
  }
  template <std::size_t I, std::size_t... Before>
  void make(std::index_sequence<Before...> /*earlier*/) {
    const bool shared =
        (share_copy(std::get<I>(copies_), std::get<I>(values_), std::get<Before>(copies_), std::get<Before>(values_)) ||
         ...);
    if (!shared) std::get<I>(copies_).make(std::get<I>(values_));
  }
  template <std::size_t... I, class... Copy>
  std::array<CallArgument, sizeof...(V)> describe(std::index_sequence<I...> /*all*/, const Copy&... copy) const {
    return {copy.described(std::get<I>(values_))...};
  }
  template <class F, std::size_t... I>
  decltype(auto) call(F&& f, std::index_sequence<I...> /*all*/) const {
    return std::forward<F>(f)(std::get<I>(copies_).argument(std::get<I>(values_))...);
  }
  template <std::size_t... I>
  void copy_back(std::index_sequence<I...> /*all*/) const {
    ((is_back_already(I) ? void() : std::get<I>(copies_).copy_back(std::get<I>(values_))), ...);
  }
  [[nodiscard]] bool is_back_already(std::size_t i) const {
    for (std::size_t earlier = 0; earlier < i; ++earlier) {
      const CallArgument& other = described_[earlier];
      if (other.written && other.on_device && other.host_copy == described_[i].host_copy) return true;
    }
    return false;
  }

  std::tuple<const V&...> values_;
  std::tuple<HostCopy<V>...> copies_;
  std::array<CallArgument, sizeof...(V)> described_;
};

}  // namespace detail

/// Calls f with every device View replaced by a copy on the host, then copies those back whose elements are not const;
/// returns what f returns. Other arguments, host Views among them, go through as they are.
///
/// The same elements passed twice are one copy, so f sees the alias that the caller made. When f throws, nothing is
/// copied back. Cost: one transfer to the host for each device View, one back for each that is not const.
/// Throws ValueError for device Views that share only some of their elements, unless all of them are const.
///
///     mylos::host_call([](auto x, auto y) { legacy_sort(x.data(), y.data(), x.size()); }, x, y);
template <class F, class... V>
auto host_call(F&& f, const V&... views) {
  const detail::HostCopies<V...> copies(views...);
  if constexpr (std::is_void_v<decltype(copies.call(f))>) {
    copies.call(f);
    copies.copy_back();
  } else {
    auto result = copies.call(f);
    copies.copy_back();
    return result;
  }
}

}  // namespace mylos::inline MYLOS_ABI
