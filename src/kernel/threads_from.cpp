// SPDX-License-Identifier: MIT
#include <mylos/kernel/threads_from.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

#include "kernel/argument_table.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

const char* const say_threads = "say it: kernel({.threads = n}, ...)";

[[noreturn]] void throw_none(std::string_view kernel, std::string_view why, const Arguments& arguments) {
  throw LaunchError(fmt::format("kernel '{}': the number of threads is not known: {}: {}{}", kernel, why, say_threads,
                                argument_list(arguments, {})));
}

Extents3 of_axes(const std::array<std::int64_t, 3>& n, int rank) {
  if (rank == 1) return {n[0]};
  if (rank == 2) return {n[0], n[1]};
  return {n[0], n[1], n[2]};
}

const Argument& view_with_extents(std::string_view kernel, ThreadsFrom::Kind kind, const Arguments& arguments) {
  const auto fits = [](const Argument& argument) { return argument.type->is_view && argument.type->rank > 0; };
  const bool first_only = kind == ThreadsFrom::first_view;
  const auto last = first_only && arguments.size() > 0 ? arguments.begin() + 1 : arguments.end();
  const auto found = std::find_if(arguments.begin(), last, fits);
  if (found != last) return *found;
  throw_none(kernel,
             first_only ? "the first argument is no View of rank 1 or more" : "no argument is a View of rank 1 or more",
             arguments);
}

Extents3 infer(std::string_view kernel, const ThreadsFrom& from, int rank, const Arguments& arguments) {
  if (from.rule()) return from.rule()(arguments);
  if (from.kind() == ThreadsFrom::explicit_only) throw_none(kernel, "it is to be given with each call", arguments);
  const Argument& view = view_with_extents(kernel, from.kind(), arguments);
  if (from.kind() == ThreadsFrom::last_extent) return {view.extent(view.type->rank - 1)};
  if (view.type->rank < rank) {
    throw_none(kernel, fmt::format("{} axes are needed, and {} has {}", rank, describe(view), view.type->rank),
               arguments);
  }
  return of_axes({view.extent(0), view.extent(1), view.extent(2)}, rank);
}

}  // namespace

Extents3 threads_of_call(std::string_view kernel, const Extents3& given, const ThreadsFrom& from, int rank,
                         const Arguments& arguments) {
  const Extents3 threads = given.given() ? given : infer(kernel, from, rank, arguments);
  if (!threads.given()) throw_none(kernel, "the rule of threads_from gave none", arguments);
  if (std::ranges::min(threads.array()) < 0) {
    throw ValueError(
        fmt::format("kernel '{}': threads {} are negative: a count of threads is 0 or more: check the number "
                    "that was passed",
                    kernel, to_string(threads)));
  }
  return threads;
}

}  // namespace mylos::inline MYLOS_ABI::detail
