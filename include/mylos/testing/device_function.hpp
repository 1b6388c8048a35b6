// SPDX-License-Identifier: MIT
// A kernel made of one device function, so that a test can call it on many inputs and compare with a plain reference.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/jit/function.hpp>
#include <mylos/kernel/arguments.hpp>
#include <mylos/kernel/bundle.hpp>
#include <mylos/kernel/cuda_kernel.hpp>
#include <mylos/kernel/launch.hpp>

namespace mylos::inline MYLOS_ABI::testing {

/// What device_function() makes: the function is called once for each index, on the device.
///
/// Called as `f(arguments..., result)`, of a function without result as `f(arguments...)`. `result` is a View of rank 1
/// whose element i becomes what the call for index i returns. Before it, one argument for each parameter:
/// - of a parameter by value or by reference (scalars and structs alike): a View of rank 1 of exactly its type, whose
///   element i the call for index i takes; or one value, which all calls take. What a function writes through a
///   reference to non-const is in the View then; a value is refused there.
/// - of a pointer: a View, which all calls share as it is (a table); of a pointer to const also one value, and each
///   call gets its address. `mylos::Array<T, R>` likewise takes a View.
///
/// Indices: all elements of the Views that are taken by index, which must be equally many; or the first n of them, with
/// `f({.threads = n}, ...)` or an integer as one more argument, `f(arguments..., result, n)`. A function with neither
/// says so.
///
/// Space and stream: as of a CudaKernel: Views in DeviceSpace, nothing is waited for. Each index is one thread: a
/// function that synchronizes its block needs a kernel of its own.
/// Cost: a compilation for each choice between Views and values; then that of a launch.
/// Copies share what is compiled; concurrent calls are allowed.
///
/// Throws SignatureError (number and types of the arguments, a value for what is written), ShapeError (extents),
/// LaunchError (no indices to infer), and what CudaKernel throws.
class MYLOS_EXPORT DeviceFunction {
 public:
  template <class... A>
    requires mylos::detail::no_launch_first_v<A...>
  void operator()(const A&... arguments) const {
    (*this)(Launch{}, arguments...);
  }
  template <class... A>
  void operator()(const Launch& settings, const A&... arguments) const {
    mylos::detail::call_flat(
        [&]<class... F>(const F&... flat) {
          const ArgumentPack<F...> given(flat...);
          const Indices indices = indices_of(settings, given);
          if (indices.are_last_argument)
            launch(settings, indices, given);
          else
            launch(settings, indices, ArgumentPack<F..., std::int64_t>(flat..., indices.count));
        },
        arguments...);
  }

  [[nodiscard]] const jit::FunctionDeclaration& declaration() const;

 private:
  friend DeviceFunction device_function(std::string_view, std::string_view, CudaOptions);
  struct State;
  struct Indices {
    std::int64_t count;
    bool are_last_argument;
  };

  explicit DeviceFunction(std::shared_ptr<State> state);
  /// Checks how many arguments there are, and how many elements.
  [[nodiscard]] Indices indices_of(const Launch& settings, const Arguments& arguments) const;
  /// The last argument is the number of indices.
  void launch(const Launch& settings, const Indices& indices, const Arguments& arguments) const;

  std::shared_ptr<State> state_;
};

/// Makes a kernel of the device function that `prototype` declares: "double app::f(const double* t, int p, double x)";
/// of a template with its arguments: "double app::spline<3>(double x)".
///
/// `header` defines it: the path of a file; or a text (anything with a line break, `#`, `;` or a brace in it); or, when
/// there is no such file, what stands between the quotes of an #include: "mylos/device/math.hpp". `options` as for
/// CudaKernel, such as `include_dirs`. Types of the prototype are fundamental ones, those of <cstdint> and
/// mylos/device, and structs; of aliases, only those that a text defines are known.
///
/// Throws SignatureError when the prototype is none. Nothing is compiled before the first call.
///
///     const auto f = mylos::testing::device_function("kernels/shape.hpp", "double app::shape(double x, int cell)");
///     f(x, 3, out);  // out(i) = app::shape(x(i), 3)
[[nodiscard]] MYLOS_EXPORT DeviceFunction device_function(std::string_view header, std::string_view prototype,
                                                          CudaOptions options = {});

namespace detail {

/// The text of the kernel "NAME_at_each_index": `takes_view` says of each parameter whether its argument is a View.
[[nodiscard]] MYLOS_EXPORT std::string text_around(std::string_view header, const jit::FunctionDeclaration& function,
                                                   const std::vector<bool>& takes_view);

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI::testing
