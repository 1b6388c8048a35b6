// SPDX-License-Identifier: MIT
// Parity: a kernel's functor on the host against its port on the device.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

#include <mylos/base/abi.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/core/spaces.hpp>
#include <mylos/kernel/arguments.hpp>
#include <mylos/kernel/bundle.hpp>
#include <mylos/kernel/kernel.hpp>
#include <mylos/testing/tolerance.hpp>

namespace mylos::inline MYLOS_ABI::testing {

/// The outcome of agree(): looks like a boolean, and like an ::testing::AssertionResult, so that EXPECT_TRUE prints the
/// difference. A difference that nobody looked at fails the test that runs when this ends.
class Agreement {
 public:
  explicit Agreement(std::string difference) : difference_(std::move(difference)) {}
  Agreement(const Agreement&) = delete;
  Agreement& operator=(const Agreement&) = delete;
  ~Agreement() {
    if (!looked_at_ && !difference_.empty()) ADD_FAILURE() << difference_;
  }

  operator bool() const { return difference().empty(); }  // NOLINT(google-explicit-constructor): bool ok = agree(...)
  operator ::testing::AssertionResult() const {           // NOLINT(google-explicit-constructor): for EXPECT_TRUE
    return difference().empty() ? ::testing::AssertionSuccess() : ::testing::AssertionFailure() << difference_;
  }
  /// Empty when both sides agree; else the argument, the index, of a struct the field, both values, how far apart they
  /// are, the seed.
  [[nodiscard]] const std::string& difference() const {
    looked_at_ = true;
    return difference_;
  }

 private:
  std::string difference_;
  mutable bool looked_at_ = false;
};

namespace detail {

/// The first difference of each View of two argument lists, both on the host, a line each, or an empty text.
[[nodiscard]] MYLOS_EXPORT std::string difference(std::string_view kernel, const Arguments& host,
                                                  const Arguments& device, const Tolerance& tolerance,
                                                  std::uint64_t seed);
/// Throws LookupError: there is nothing to compare with.
[[noreturn]] MYLOS_EXPORT void throw_no_port(std::string_view kernel);

/// References to the arguments that were made, bundles taken apart.
template <class... A>
auto flat(const std::tuple<A...>& values) {
  return std::apply([](const auto&... value) { return std::tuple_cat(mylos::detail::flattened<false>(value)...); },
                    values);
}
template <class... A>
auto flat(const Bundle<A...>& bundle) {
  return flat(bundle.values);
}

/// A View on the host, another value as it is.
template <class A>
auto on_host(const A& argument) {
  if constexpr (AnyView<A>)
    return mylos::to_host(argument);
  else
    return argument;
}

template <class Kernel, class... A>
void run(const Kernel& kernel, const AgreeOptions& options, const std::tuple<A...>& arguments) {
  const Launch launch = {.threads = options.threads};
  for (int call = 0; call < options.calls; ++call) {
    std::apply([&](const auto&... argument) { kernel(launch, argument...); }, arguments);
  }
}

template <class Tuple>
auto erased(const Tuple& arguments) {
  return std::apply([]<class... A>(const A&... argument) { return ArgumentPack<A...>(argument...); }, arguments);
}

}  // namespace detail

/// Runs the functor on the host and the port on the device (a GPU's, or the emulated one) with equal arguments, and
/// compares every View afterwards.
///
/// make_arguments: `[]<class Space>(Space, std::uint64_t seed)`, returns a std::tuple or mylos::arguments(...) whose
/// Views are in Space; the same seed must give the same numbers in both.
/// Throws LookupError when the kernel has no port, and what the two calls throw.
///
///     mylos::testing::agree(push, []<class S>(S, std::uint64_t seed) { return push_arguments<S>(seed); },
///                           {.relative = 1e-14}, {.threads = 1000});
template <class Kernel, class MakeArguments>
Agreement agree(const Kernel& kernel, const MakeArguments& make_arguments, const Tolerance& tolerance = {},
                const AgreeOptions& options = {}) {
  if (!kernel.has_cuda()) detail::throw_no_port(kernel.name());
  const auto host_made = make_arguments(HostSpace{}, options.seed);
  const auto device_made = make_arguments(DeviceSpace{}, options.seed);
  const auto host = detail::flat(host_made);
  const auto device = detail::flat(device_made);
  detail::run(kernel, options, host);
  detail::run(kernel, options, device);
  Kokkos::fence("mylos::testing::agree");
  const auto mirrors =
      std::apply([](const auto&... argument) { return std::tuple(detail::on_host(argument)...); }, device);
  return Agreement(
      detail::difference(kernel.name(), detail::erased(host), detail::erased(mirrors), tolerance, options.seed));
}

}  // namespace mylos::inline MYLOS_ABI::testing
