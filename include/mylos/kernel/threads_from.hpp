// SPDX-License-Identifier: MIT
// Where the number of threads comes from when a call does not give it.
#pragma once

#include <concepts>
#include <functional>
#include <string_view>
#include <utility>

#include <mylos/base/abi.hpp>
#include <mylos/base/extents.hpp>
#include <mylos/kernel/arguments.hpp>

namespace mylos::inline MYLOS_ABI {

/// A rule, or a callable on the Arguments: `.threads_from = mylos::ThreadsFrom::last_extent`, or
/// `.threads_from = [](const mylos::Arguments& a) { return mylos::Extents3(a[2].extent(0)); }`.
class ThreadsFrom {
 public:
  enum Kind {
    automatic,      ///< the leading extents of the first View argument of rank >= 1, as many as the block has axes
    first_view,     ///< the same, but the View must be the first argument
    last_extent,    ///< the last extent of the first View of rank >= 1: component-major (components, N) arrays
    explicit_only,  ///< the call must say it
  };

  ThreadsFrom(Kind kind = automatic) : kind_(kind) {}  // NOLINT(google-explicit-constructor): an options member
  template <std::invocable<const Arguments&> F>
    requires(!std::same_as<std::remove_cvref_t<F>, ThreadsFrom>)
  ThreadsFrom(F rule) : rule_(std::move(rule)) {}  // NOLINT(google-explicit-constructor): likewise

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::function<Extents3(const Arguments&)>& rule() const { return rule_; }

 private:
  Kind kind_ = automatic;
  std::function<Extents3(const Arguments&)> rule_;
};

namespace detail {

/// The threads of a call: `given` if it is given, else what the rule finds for an index of `rank` axes.
/// Throws ValueError for a negative number, LaunchError when the rule finds none; both name the kernel.
[[nodiscard]] MYLOS_EXPORT Extents3 threads_of_call(std::string_view kernel, const Extents3& given,
                                                    const ThreadsFrom& from, int rank, const Arguments& arguments);

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
