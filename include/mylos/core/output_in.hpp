// SPDX-License-Identifier: MIT
// An output that is needed in another space, with another element type, or without strides.
#pragma once

#include <exception>
#include <source_location>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include <mylos/base/abi.hpp>
#include <mylos/base/log.hpp>
#include <mylos/core/conversions.hpp>

namespace mylos::inline MYLOS_ABI {

/// What output_in() gives: `view()` for as long as it lives.
template <class Target, class Working>
class [[nodiscard]] Output {
 public:
  Output(const Target& target, const Working& working, std::source_location place)
      : target_(target),
        working_(working),
        place_(place),
        is_copy_(static_cast<const void*>(working.data()) != target.data()) {}
  ~Output() {
    if (done_ || std::uncaught_exceptions() > exceptions_) return;
    try {
      finish();
    } catch (...) {
      log::caught("mylos::output_in: the copy back at the end of the scope failed: the output is not complete");
    }
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  [[nodiscard]] const Working& view() const { return working_; }
  [[nodiscard]] bool is_copy() const { return is_copy_; }
  /// Copies back now; errors are thrown, which the end of the scope can only log.
  void finish() {
    done_ = true;
    if (is_copy_) copy_view(target_, working_, {}, place_);
  }

 private:
  Target target_;
  Working working_;
  std::source_location place_;
  bool is_copy_;
  bool done_ = false;
  int exceptions_ = std::uncaught_exceptions();
};

/// A contiguous View of `view`'s elements in `Space` with elements of `T` (void: its own) to write to: it shares the
/// memory where that is possible. Otherwise it is a copy, which at the end of the scope is copied back, unless the
/// scope is left by an exception: then `view` is as it was.
///
/// The copy holds `view`'s elements, so that what is not written stays. Cost, if it is a copy: one transfer each way.
///
///     {
///       auto out = mylos::output_in<mylos::HostSpace, float>(device_view);
///       legacy(out.view().data());
///     }  // copied back here
template <class Space, class T = void, AnyView V>
auto output_in(const V& view, std::source_location place = std::source_location::current()) {
  static_assert(!std::is_const_v<typename V::value_type>, "mylos::output_in: the View's elements are const");
  const auto working = as_contiguous<Space, T>(view, place);
  return Output<V, std::remove_const_t<decltype(working)>>(view, working, place);
}

}  // namespace mylos::inline MYLOS_ABI
