// SPDX-License-Identifier: MIT
#include "emulator/journal.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "emulator/arena.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// Variables that never change may be in pages that cannot be written.
void put_back(std::byte* data, const std::vector<std::byte>& bytes) {
  if (std::memcmp(data, bytes.data(), bytes.size()) != 0) std::ranges::copy(bytes, data);
}

// Whom the bytes belong to may have changed since.
void put_back(ByteStates* states, std::span<const ByteStates> kept) {
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const ByteStates given = states[i] & all_given;
    states[i] = static_cast<ByteStates>(given | (kept[i] & given << 4));
  }
}

}  // namespace

Journal::Journal(const Module& module)
    : base_(Arena::instance().base()), last_(std::numeric_limits<std::size_t>::max()) {
  for (const KernelVariable& variable : module.variables().globals) {
    const std::uintptr_t begin = module.base() + variable.begin;
    if (begin < module.writable().begin || begin + variable.bytes > module.writable().end) continue;
    auto* const data = reinterpret_cast<std::byte*>(begin);
    variables_.push_back({variable, data, {data, data + variable.bytes}, {}});
  }
}

std::byte* Journal::memory(std::size_t piece) const noexcept {
  return reinterpret_cast<std::byte*>(base_ + piece * piece_bytes);
}
ByteStates* Journal::states(std::size_t piece) const noexcept {
  return Shadow::instance().states() + piece * (piece_bytes / cell_bytes);
}

void Journal::note_write(std::uintptr_t address, std::size_t bytes) {
  const std::size_t end = (address - base_ + bytes - 1) / piece_bytes + 1;
  for (std::size_t piece = (address - base_) / piece_bytes; piece < end; ++piece) {
    if (piece == last_) continue;
    last_ = piece;
    const auto [entry, is_new] = pieces_.try_emplace(piece);
    if (!is_new) continue;
    Kept& kept = entry->second;
    std::copy_n(memory(piece), piece_bytes, kept.before.begin());
    std::copy_n(states(piece), kept.states_before.size(), kept.states_before.begin());
    if (!has_first_) continue;
    kept.first = kept.before;  // the first run did not write to it
    kept.states_first = kept.states_before;
  }
}

void Journal::keep_first() {
  has_first_ = true;
  for (auto& [piece, kept] : pieces_) {
    std::copy_n(memory(piece), piece_bytes, kept.first.begin());
    std::copy_n(states(piece), kept.states_first.size(), kept.states_first.begin());
  }
  for (Variable& variable : variables_) variable.first.assign(variable.data, variable.data + variable.variable.bytes);
}

void Journal::restore() noexcept {
  for (const auto& [piece, kept] : pieces_) {
    std::ranges::copy(kept.before, memory(piece));
    put_back(states(piece), kept.states_before);
  }
  for (const Variable& variable : variables_) put_back(variable.data, variable.before);
}

void Journal::restore_first() noexcept {
  for (const auto& [piece, kept] : pieces_) {
    std::ranges::copy(kept.first, memory(piece));
    put_back(states(piece), kept.states_first);
  }
  for (const Variable& variable : variables_) put_back(variable.data, variable.first);
}

void Journal::for_each_difference(const std::function<void(const Piece&)>& action) const {
  const auto compare = [&](std::span<const std::byte> first, const std::byte* now, const KernelVariable* variable) {
    if (std::memcmp(first.data(), now, first.size()) != 0) action({first, {now, first.size()}, variable});
  };
  for (const auto& [piece, kept] : pieces_) compare(kept.first, memory(piece), nullptr);
  for (const Variable& variable : variables_) compare(variable.first, variable.data, &variable.variable);
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
