// SPDX-License-Identifier: MIT
// What one thread knows of the others' accesses.
#pragma once

#include <cstdint>
#include <utility>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Up to which moment the accesses of somebody are known, for many of them, each by a number.
///
/// Threads hand on what they know to each other, so that most of it is the same for many: copies share all that they
/// have in common. A binary tree over the bits of the numbers, whose nodes never change. Learning one thing costs as
/// many new nodes as the tree is deep; learning from somebody else, as many as the two trees have that are not shared.
class Knowledge {  // NOLINT(cppcoreguidelines-special-member-functions): what is assigned was copied or moved before
 public:
  using Moment = std::uint64_t;

  Knowledge() = default;
  Knowledge(const Knowledge& other) noexcept : root_(hold(other.root_)) {}
  Knowledge(Knowledge&& other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
  Knowledge& operator=(Knowledge other) noexcept {
    std::swap(root_, other.root_);
    return *this;
  }
  ~Knowledge() { drop(root_); }

  void clear() noexcept { drop(std::exchange(root_, nullptr)); }
  /// What was known of it to a later moment stays so.
  void learn(std::uint64_t what, Moment moment);
  void learn(const Knowledge& from);
  /// 0: nothing is known of it.
  [[nodiscard]] Moment of(std::uint64_t what) const noexcept;

 private:
  struct Node;

  static const Node* hold(const Node* node) noexcept;
  static void drop(const Node* node) noexcept;
  static const Node* leaf(std::uint64_t key, Moment moment);
  static const Node* parent(const Node* one, const Node* other);
  static const Node* with_child(const Node* node, int side, const Node* child);
  static const Node* both(const Node* a, const Node* b);
  static const Node* both_of_alike(const Node* a, const Node* b);

  const Node* root_ = nullptr;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
