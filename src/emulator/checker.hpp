// SPDX-License-Identifier: MIT
// Watches one launch of a checked kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <mylos/base/abi.hpp>
#include <mylos/emulator/finding.hpp>
#include <mylos/emulator/options.hpp>

#include "emulator/kernel_variables.hpp"
#include "emulator/race_detector.hpp"
#include "emulator/read_uses.hpp"
#include "emulator/shadow.hpp"
#include "emulator/sighting.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {

class Job;
class Journal;

/// Exists while a checked launch runs; others wait in its constructor. Kernels' accesses come to running().
class Checker {
 public:
  /// `journal`, if there is one, is told of writes to device memory before they happen.
  explicit Checker(const Job& job, Journal* journal = nullptr);
  ~Checker();
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  static Checker& running() noexcept { return *running_; }
  /// Other threads' checked launches wait as long as this is held.
  static std::unique_lock<std::recursive_mutex> alone();

  /// The worker is the one that runs the block; shared memory is the calling OS thread's.
  /// Returns whom to tell of barriers.
  HappensBefore& begin_block(mylos_worker& worker);
  /// A block goes on behind a barrier of the grid; others have run meanwhile. `is_first`: none has gone on before it.
  void resume_block(mylos_worker& worker, bool is_first);
  /// What was seen and did not end the launch; lines are looked up now.
  [[nodiscard]] std::vector<Finding> findings() const;
  /// Who of this launch wrote to an address last, of several at once one of them.
  [[nodiscard]] std::optional<Witness> last_writer(std::uintptr_t address);
  /// Whether the kernel has allocated or freed memory.
  [[nodiscard]] bool has_used_heap() const noexcept { return has_used_heap_; }

  // Called by kernels, through check_services.cpp. `code` is where the kernel goes on; `kind` is of mylos_writes and
  // the like. Those that end the launch do not return.
  template <std::size_t bytes, bool writes>
  void aligned(std::uintptr_t address, std::uintptr_t code);
  void access(std::uintptr_t address, std::size_t bytes, int kind, std::uintptr_t code);
  void synchronise(std::uintptr_t address, int kind);
  void fence(bool of_device);
  void note_heap_use() noexcept {
    has_used_heap_ = true;
    ++worker_->changes;
  }

 private:
  [[nodiscard]] long block_of(HappensBefore::Moment moment) const noexcept;
  [[nodiscard]] bool checks(Check check) const noexcept { return (asked_ >> static_cast<int>(check) & 1U) != 0; }
  [[nodiscard]] int thread() const noexcept { return mylos_running_number(worker_); }
  [[nodiscard]] std::uint32_t offset_of(std::uintptr_t code) const noexcept {
    return static_cast<std::uint32_t>(code - module_base_);
  }
  [[nodiscard]] ShadowedRange* range_of(std::uintptr_t address) noexcept {
    if (device_.holds(address)) return &device_;
    if (shared_.holds(address)) return &shared_;
    return globals_.holds(address) ? &globals_ : nullptr;
  }

  // Of one block: where it is, and what of it belongs to somebody and was written.
  struct SharedMemory {
    std::uintptr_t begin = 0, thread_locals = 0;
    std::size_t bytes = 0;
    std::vector<ByteStates> states;
  };

  void map_globals();
  void order_all_before();
  [[nodiscard]] SharedMemory shared_memory() const;
  SharedMemory& enter_block(mylos_worker& worker);
  [[nodiscard]] std::optional<std::uintptr_t> first_foreign(const ShadowedRange& range, std::uintptr_t address,
                                                            std::size_t bytes) const noexcept;
  void check_initialised(ShadowedRange& range, std::uintptr_t address, std::size_t bytes, std::uintptr_t code);
  [[nodiscard]] std::vector<std::uintptr_t> codes_seen() const;
  void note_use(std::uintptr_t address, int kind, std::uintptr_t code);
  void check_races(ShadowedRange& range, std::uintptr_t address, std::size_t bytes, bool writes, std::uintptr_t code);
  void check_races(ShadowedRange& range, std::uintptr_t address, std::size_t bytes, const Access& access);
  [[nodiscard]] bool is_exempt(std::uintptr_t address, std::size_t bytes) const noexcept;

  void race(const ShadowedRange& range, std::uintptr_t address, std::size_t bytes, const Access& access,
            const Conflict& conflict);
  void uninitialised(const ShadowedRange& range, std::uintptr_t address, std::size_t bytes, std::uintptr_t code);
  [[nodiscard]] Memory memory_at(const ShadowedRange& range, std::uintptr_t address) const;
  [[nodiscard]] Memory shared_memory_at(std::uintptr_t address) const;
  [[nodiscard]] Memory variable_at(std::uintptr_t address) const;
  [[nodiscard]] bool is_near_shared(std::uintptr_t address) const noexcept;
  [[noreturn]] void end_launch(const Attempt& attempt, std::uintptr_t first_foreign);
  void record(const Attempt& attempt, std::uintptr_t first_foreign);
  [[nodiscard]] Finding refusal_of_device_memory(const Attempt& attempt, std::uintptr_t first_foreign) const;
  [[nodiscard]] Finding refusal_of_shared_memory(const Attempt& attempt, std::uintptr_t first_foreign) const;
  [[nodiscard]] Finding refusal_beside(const Attempt& attempt, std::uintptr_t first_foreign, const Memory& at) const;

  static Checker* running_;

  std::unique_lock<std::recursive_mutex> alone_;
  const Job& job_;
  Journal* journal_;
  bool has_used_heap_ = false;
  unsigned asked_ = 0;  // a bit for each Check
  std::uintptr_t module_base_;
  const KernelVariables& variables_;
  mylos_worker* worker_ = nullptr;
  HappensBefore& happens_before_;
  RaceDetector detector_;
  ReadUses uses_;
  ShadowedRange device_, shared_, globals_;
  std::uintptr_t thread_locals_ = 0;  // where the module's begin in the calling OS thread
  std::map<const mylos_worker*, SharedMemory> shared_memories_;
  std::vector<ByteStates> global_states_;
  std::vector<Cell> shared_cells_, global_cells_;
  std::vector<Sighting> sightings_;
  std::set<std::tuple<Kind, std::uint32_t, std::uint32_t>> seen_;
};

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
