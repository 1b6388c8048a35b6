// SPDX-License-Identifier: MIT
#include "emulator/knowledge.hpp"

#include <array>
#include <bit>
#include <cstddef>

namespace mylos::inline MYLOS_ABI::emulator::detail {

/// Either a leaf, with a key and a moment, or a fork: all keys below agree in the bits above `bit`; those below child 1
/// have it. One thread at a time works on all of them, so holders are counted plainly.
struct Knowledge::Node {
  static constexpr int is_leaf = -1;

  mutable std::uint32_t holders = 1;
  int bit = is_leaf;
  std::uint64_t key = 0;  // of a fork: any of those below
  Moment moment = 0;
  std::array<const Node*, 2> children{};

  /// Of a fork.
  [[nodiscard]] int side_of(std::uint64_t other_key) const noexcept {
    return bit == is_leaf ? 0 : static_cast<int>(other_key >> bit & 1U);
  }
  [[nodiscard]] const Node* child(int side) const noexcept { return children[static_cast<std::size_t>(side)]; }
  /// Whether a key agrees with all below in the bits above the fork; for a leaf, whether it is the key.
  [[nodiscard]] bool may_hold(std::uint64_t other_key) const noexcept {
    const std::uint64_t difference = key ^ other_key;
    return bit == is_leaf ? difference == 0 : difference >> bit >> 1 == 0;
  }
};

const Knowledge::Node* Knowledge::hold(const Node* node) noexcept {
  if (node != nullptr) ++node->holders;
  return node;
}

void Knowledge::drop(const Node* node) noexcept {
  if (node == nullptr || --node->holders != 0) return;
  for (const Node* const child : node->children) drop(child);
  delete node;
}

const Knowledge::Node* Knowledge::leaf(std::uint64_t key, Moment moment) {
  return new Node{.key = key, .moment = moment};
}

// A fork of two subtrees, neither of which may hold the other's keys.
const Knowledge::Node* Knowledge::parent(const Node* one, const Node* other) {
  const int bit = 63 - std::countl_zero(one->key ^ other->key);
  auto* const node = new Node{.bit = bit, .key = one->key};
  const auto side = static_cast<std::size_t>(node->side_of(one->key));
  node->children[side] = one;
  node->children[1 - side] = other;
  return node;
}

// The node itself where nothing changes. Takes over the child.
const Knowledge::Node* Knowledge::with_child(const Node* node, int side, const Node* child) {
  if (node->child(side) == child) {
    drop(child);
    return hold(node);
  }
  auto* const changed = new Node{.bit = node->bit, .key = node->key};
  changed->children[static_cast<std::size_t>(side)] = child;
  changed->children[static_cast<std::size_t>(1 - side)] = hold(node->child(1 - side));
  return changed;
}

// What is known to one of two. One of the two themselves, where that knows it all: the second if both do, so that those
// who learn from each other come to share what they both know.
const Knowledge::Node* Knowledge::both(const Node* a, const Node* b) {
  if (a == b || b == nullptr) return hold(a);
  if (a == nullptr) return hold(b);
  if (a->bit == b->bit && a->may_hold(b->key)) return both_of_alike(a, b);
  if (a->bit > b->bit && a->may_hold(b->key)) {
    const int side = a->side_of(b->key);
    return with_child(a, side, both(a->child(side), b));
  }
  if (b->bit > a->bit && b->may_hold(a->key)) {
    const int side = b->side_of(a->key);
    return with_child(b, side, both(a, b->child(side)));
  }
  return parent(hold(a), hold(b));
}

const Knowledge::Node* Knowledge::both_of_alike(const Node* a, const Node* b) {
  if (a->bit == Node::is_leaf) return hold(a->moment > b->moment ? a : b);
  const Node* const low = both(a->child(0), b->child(0));
  const Node* const high = both(a->child(1), b->child(1));
  for (const Node* const known : {b, a}) {
    if (known->child(0) != low || known->child(1) != high) continue;
    drop(low);
    drop(high);
    return hold(known);
  }
  return parent(low, high);
}

void Knowledge::learn(std::uint64_t what, Moment moment) {
  if (of(what) >= moment) return;
  Knowledge news;
  news.root_ = leaf(what, moment);
  learn(news);
}

void Knowledge::learn(const Knowledge& from) {
  if (from.root_ == nullptr || from.root_ == root_) return;
  const Node* const before = root_;
  root_ = both(before, from.root_);
  drop(before);
}

Knowledge::Moment Knowledge::of(std::uint64_t what) const noexcept {
  const Node* node = root_;
  while (node != nullptr && node->bit != Node::is_leaf) node = node->child(node->side_of(what));
  return node != nullptr && node->key == what ? node->moment : 0;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
