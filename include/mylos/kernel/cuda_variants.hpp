// SPDX-License-Identifier: MIT
// Kernels made per key: one text for every degree, precision or mesh type, compiled when it is needed.
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/kernel/compile_all.hpp>
#include <mylos/kernel/cuda_kernel.hpp>
#include <mylos/kernel/detail/functor_parameters.hpp>

namespace mylos::inline MYLOS_ABI {

namespace detail {

template <class Key>
concept Ordered = requires(const Key& a, const Key& b) {
  { a < b } -> std::convertible_to<bool>;
};
template <class Key>
concept Hashable = std::equality_comparable<Key> && requires(const Key& key) {
  { std::hash<Key>()(key) } -> std::convertible_to<std::size_t>;
};
template <class Key>
concept Printable = requires(std::ostream& stream, const Key& key) { stream << key; };

/// "key 2 of 5", and what it is where it can be printed.
template <class Key>
std::string key_name(const std::vector<Key>& keys, std::size_t i) {
  std::ostringstream text;
  text << "key " << i + 1 << " of " << keys.size();
  if constexpr (Printable<Key>) text << " (" << keys[i] << ")";
  return text.str();
}

}  // namespace detail

/// One CudaKernel for each key, made by `maker(key)` when it is first asked for, and kept. A key is any value that can
/// be ordered by < or has a std::hash: a number, an enumeration, a std::pair or std::tuple, a struct of one's own.
///
///     const mylos::CudaVariants evaluate([](int degree) {
///       return mylos::CudaKernel(text, "evaluate", {.instantiate = "evaluate<" + std::to_string(degree) + ">"});
///     });
///     evaluate.get(3)(points, values);
///     evaluate.compile_all({1, 2, 3}, {.jobs = 2});    // at the start of a program, or for a machine with a GPU
///
/// Copies are cheap and share the kernels. Concurrent calls are allowed; `maker` is called by one thread at a time,
/// once for a key, and may ask for other keys, not for its own, nor for variants whose maker asks for these. What it
/// throws comes out of get(), and the key is tried again the next time.
template <class Key>
class CudaVariants {
  static_assert(detail::Ordered<Key> || detail::Hashable<Key>,
                "mylos::CudaVariants: a key must be ordered by operator<, or have operator== and a std::hash");

 public:
  using key_type = Key;

  template <std::invocable<const Key&> Maker>
    requires std::convertible_to<std::invoke_result_t<const Maker&, const Key&>, CudaKernel>
  explicit CudaVariants(Maker maker) : state_(std::make_shared<State>(std::move(maker))) {}

  /// The key's kernel; the reference is valid as long as a copy of this object lives. Nothing is compiled: the first
  /// launch does. Cost when it is known: a search and a lock.
  [[nodiscard]] const CudaKernel& get(const Key& key) const {
    const std::scoped_lock lock(state_->making);
    auto found = state_->kernels.find(key);
    if (found == state_->kernels.end()) found = state_->kernels.emplace(key, state_->maker(key)).first;
    return found->second;
  }

  /// Makes and compiles the kernels of all keys, as KernelCatalog::compile_all() does: `jobs` at a time, and with an
  /// architecture by NVRTC, without a GPU. Afterwards throws CompileError with every key whose kernel could not be made
  /// or did not compile. Returns how many keys there are. Throws ValueError, BackendError before it compiles.
  int compile_all(const std::vector<Key>& keys, const CompileAll& options = {}) const {
    std::vector<detail::CompileTask> tasks(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      tasks[i].name = detail::key_name(keys, i);
      try {
        tasks[i].kernel = get(keys[i]);
      } catch (const std::exception& error) {
        tasks[i].problem = error.what();
      }
    }
    return detail::compile_together("variants", std::move(tasks), options);
  }
  int compile_all(const std::vector<Key>& keys, int jobs) const { return compile_all(keys, CompileAll{.jobs = jobs}); }

 private:
  struct State {
    explicit State(std::function<CudaKernel(const Key&)> make) : maker(std::move(make)) {}

    const std::function<CudaKernel(const Key&)> maker;
    std::recursive_mutex making;  // a maker may ask for other keys
    // Both keep references to their elements valid.
    std::conditional_t<detail::Ordered<Key>, std::map<Key, CudaKernel>, std::unordered_map<Key, CudaKernel>> kernels;
  };

  std::shared_ptr<State> state_;
};

/// The key is what a maker takes whose type tells it.
template <class Maker>
CudaVariants(Maker) -> CudaVariants<detail::OnlyParameter<Maker>>;

}  // namespace mylos::inline MYLOS_ABI
