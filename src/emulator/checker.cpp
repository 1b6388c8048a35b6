// SPDX-License-Identifier: MIT
#include "emulator/checker.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "emulator/arena.hpp"
#include "emulator/argument_arrays.hpp"
#include "emulator/block_runner.hpp"
#include "emulator/check_services.hpp"
#include "emulator/job.hpp"
#include "emulator/journal.hpp"
#include "emulator/leaving.hpp"
#include "emulator/registry.hpp"
#include "emulator/services.hpp"
#include "emulator/shared_zones.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

// Eight times as much as the memory itself is to be fetched; what lies behind it is accessed by the next threads soon:
// those of 128 bytes.
void fetch_ahead(const Cell* cells, std::size_t first) {
  constexpr std::size_t bytes_ahead = 32 * sizeof(Cell);
  const auto address = reinterpret_cast<std::uintptr_t>(cells) + first * sizeof(Cell) + bytes_ahead;
  __builtin_prefetch(reinterpret_cast<const void*>(address), 1);  // which may be nowhere
}

// Of what lies behind a range: an access that begins in it may end there.
constexpr std::size_t cells_behind = 16 / cell_bytes;
// More are the same few again.
constexpr std::size_t most_sightings = 256;

// What lasts longer than a launch: moments never come again.
struct Kept {
  std::recursive_mutex mutex;
  HappensBefore happens_before;
};
Kept& kept() {
  static auto* const instance = new Kept;  // never destroyed: launches in destructors of statics use it
  return *instance;
}

int threads_of_block(const mylos_launch& launch) { return launch.block[0] * launch.block[1] * launch.block[2]; }

// Which bytes of a cell a range covers.
unsigned mask_of(std::size_t cell, std::size_t offset, std::size_t end) {
  const std::size_t from = std::max(offset, cell * cell_bytes) - cell * cell_bytes;
  const std::size_t to = std::min(end, (cell + 1) * cell_bytes) - cell * cell_bytes;
  return (1U << to) - (1U << from);
}

}  // namespace

Checker* Checker::running_ = nullptr;

std::unique_lock<std::recursive_mutex> Checker::alone() { return std::unique_lock(kept().mutex); }

Checker::Checker(const Job& job, Journal* journal)
    : alone_(alone()),
      job_(job),
      journal_(journal),
      module_base_(job.module().base()),
      variables_(job.module().variables()),
      happens_before_(kept().happens_before),
      detector_(happens_before_),
      uses_(threads_of_block(job.launch())) {
  Registry::instance().start_checks();
  Registry::instance().catch_up();
  for (const Check check : job.options().checks) asked_ |= 1U << static_cast<int>(check);
  const Arena& arena = Arena::instance();
  const Shadow& shadow = Shadow::instance();
  device_.begin = arena.base();
  device_.bytes = arena.size();
  device_.states = shadow.states();
  device_.cells = shadow.cells();
  map_globals();
  order_all_before();
  running_ = this;
}

Checker::~Checker() { running_ = nullptr; }

// The variables of the text, in the module's writable memory.
void Checker::map_globals() {
  const AddressRange data = job_.module().writable();
  globals_.begin = data.begin / 16 * 16;
  globals_.bytes = data.end - globals_.begin;
  const std::size_t cells = globals_.bytes / cell_bytes + cells_behind;
  global_states_.assign(cells, 0);
  global_cells_.assign(cells, Cell{});
  globals_.states = global_states_.data();
  globals_.cells = global_cells_.data();
  for (const auto* const list : {&variables_.globals, &variables_.own_globals}) {
    for (const KernelVariable& variable : *list) {
      const std::uintptr_t begin = module_base_ + variable.begin;
      if (!globals_.holds(begin)) continue;  // a constant
      give(globals_.states, begin - globals_.begin, variable.bytes);
      mark_written(globals_.states, begin - globals_.begin, variable.bytes);
    }
  }
}

// The launch begins, or all of its blocks have met: nothing that was accessed before can be raced with.
void Checker::order_all_before() {
  happens_before_.begin_launch(threads_of_block(job_.launch()));
  for (ShadowedRange* const range : {&device_, &globals_}) {
    range->oldest = happens_before_.launch_start();
    range->bytewise.clear();
  }
}

// The calling OS thread's.
Checker::SharedMemory Checker::shared_memory() const {
  SharedMemory memory;
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(job_.module().anchor()) - variables_.anchor;
  memory.thread_locals = begin;
  memory.begin = begin / 16 * 16;
  memory.bytes = begin + variables_.thread_local_bytes - memory.begin;
  memory.states.assign(memory.bytes / cell_bytes + cells_behind, 0);
  for (const KernelVariable& array : variables_.shared) {
    give(memory.states.data(), begin + array.begin - memory.begin, array.bytes);
  }
  if (variables_.dynamic_shared) {
    give(memory.states.data(), begin + *variables_.dynamic_shared - memory.begin, job_.shared_bytes());
  }
  return memory;
}

HappensBefore& Checker::begin_block(mylos_worker& worker) {
  worker.turn_due = 0;
  SharedMemory& memory = enter_block(worker);
  forget_writes(memory.states.data(), memory.states.size() * cell_bytes);
  return happens_before_;
}

void Checker::resume_block(mylos_worker& worker, bool is_first) {
  if (is_first) order_all_before();
  enter_block(worker);
}

// From here on the accesses are those of the block. What others have accessed in shared memory is none of its business,
// so that all can have the same cells.
Checker::SharedMemory& Checker::enter_block(mylos_worker& worker) {
  worker_ = &worker;
  happens_before_.begin_block();
  uses_.begin_block();
  const auto [known, is_new] = shared_memories_.try_emplace(&worker);
  SharedMemory& memory = known->second;
  if (is_new) memory = shared_memory();
  thread_locals_ = memory.thread_locals;
  shared_.begin = memory.begin;
  shared_.bytes = memory.bytes;
  shared_.states = memory.states.data();
  shared_cells_.resize(std::max(shared_cells_.size(), memory.states.size()));
  shared_.cells = shared_cells_.data();
  shared_.oldest = happens_before_.block_start();
  shared_.bytewise.clear();
  return memory;
}

template <std::size_t bytes, bool writes>
void Checker::aligned(std::uintptr_t address, std::uintptr_t code) {
  ShadowedRange* const range = range_of(address);
  const auto otherwise = [&] { access(address, bytes, writes ? mylos_writes : 0, code); };
  if (range == nullptr || address % std::min<std::size_t>(bytes, 8) != 0) return otherwise();
  if (writes && journal_ != nullptr) return otherwise();
  const std::size_t first = (address - range->begin) / cell_bytes;
  ByteStates* const states = range->states + first;
  for (std::size_t i = 0; i < bytes / cell_bytes; ++i) {
    if (writes ? (states[i] & all_given) != all_given : states[i] != all_written) return otherwise();
  }
  fetch_ahead(range->cells, first);
  const int thread = this->thread();
  const Accesses ordinary = accesses::ordinary(thread, happens_before_.now(thread), offset_of(code));
  if (writes) {
    ++worker_->changes;
    std::fill_n(states, bytes / cell_bytes, all_written);
    uses_.note_other(thread, address);
  } else {
    uses_.note_read(thread, address, ordinary.code);
  }
  for (std::size_t i = 0; i < bytes / cell_bytes; ++i) {
    if (!detector_.is_alone<writes>(*range, first + i, ordinary))
      return check_races(*range, address, bytes, writes, code);
  }
}
template void Checker::aligned<4, false>(std::uintptr_t, std::uintptr_t);
template void Checker::aligned<4, true>(std::uintptr_t, std::uintptr_t);
template void Checker::aligned<8, false>(std::uintptr_t, std::uintptr_t);
template void Checker::aligned<8, true>(std::uintptr_t, std::uintptr_t);
template void Checker::aligned<16, false>(std::uintptr_t, std::uintptr_t);
template void Checker::aligned<16, true>(std::uintptr_t, std::uintptr_t);

void Checker::access(std::uintptr_t address, std::size_t bytes, int kind, std::uintptr_t code) {
  const bool writes = (kind & mylos_writes) != 0;
  const bool atomic = (kind & mylos_atomic_access) != 0;
  ShadowedRange* const range = range_of(address);
  if (writes && journal_ != nullptr && range == &device_) journal_->note_write(address, bytes);
  if (const auto wrong = range == nullptr ? address : first_foreign(*range, address, bytes)) {
    if (is_exempt(address, bytes)) return;
    if (writes) ++worker_->changes;
    if (checks(Check::memory)) end_launch({Attempt::Fault::outside, address, bytes, writes, code}, *wrong);
    return;
  }
  if ((kind & mylos_parts) == 0 && address % std::min<std::size_t>(bytes, 8) != 0 && checks(Check::memory)) {
    end_launch({Attempt::Fault::misaligned, address, bytes, writes, code}, address);
  }
  if (!writes || (kind & mylos_reads_too) != 0) check_initialised(*range, address, bytes, code);
  if (writes) mark_written(range->states, address - range->begin, bytes);
  if (writes && !atomic) ++worker_->changes;  // an atomic access tells itself whether it changes anything
  bool synchronising = atomic;
  if ((kind & mylos_volatile_access) != 0) {
    // A flag that is set behind a fence, or waited for; other volatile accesses order nothing.
    synchronising = !writes || happens_before_.has_fenced(thread());
    synchronise(address, kind);
  }
  note_use(address, kind, code);
  check_races(*range, address, bytes,
              {.thread = thread(),
               .moment = happens_before_.now(thread()),
               .code = offset_of(code),
               .writes = writes,
               .synchronising = synchronising,
               .strong = (kind & (mylos_atomic_access | mylos_volatile_access)) != 0});
}

void Checker::note_use(std::uintptr_t address, int kind, std::uintptr_t code) {
  if ((kind & mylos_compares) != 0) return uses_.note_compare(thread(), address);
  if (kind == 0) return uses_.note_read(thread(), address, offset_of(code));
  if (kind == mylos_volatile_access) return uses_.note_volatile_read(thread(), address, offset_of(code));
  uses_.note_other(thread(), address);
}

// A compare-and-swap takes a lock rather than give it back: others would have their turn in vain.
void Checker::synchronise(std::uintptr_t address, int kind) {
  const bool publishes = happens_before_.synchronise(thread(), address, (kind & mylos_writes) != 0);
  if (publishes && (kind & mylos_compares) == 0) worker_->turn_due = 1;
}
void Checker::fence(bool of_device) { happens_before_.fence(thread(), of_device); }

std::optional<std::uintptr_t> Checker::first_foreign(const ShadowedRange& range, std::uintptr_t address,
                                                     std::size_t bytes) const noexcept {
  const std::size_t offset = address - range.begin;
  for (std::size_t at = offset; at < offset + bytes; ++at) {
    if (at >= range.bytes || (range.states[at / cell_bytes] >> at % cell_bytes & 1U) == 0) return range.begin + at;
  }
  return std::nullopt;
}

// Of a structure some parts may never be written (padding, fields that nobody uses), and copying those is no fault.
void Checker::check_initialised(ShadowedRange& range, std::uintptr_t address, std::size_t bytes, std::uintptr_t code) {
  const std::size_t offset = address - range.begin;
  std::size_t written = 0;
  for (std::size_t at = offset; at < offset + bytes; ++at) {
    written += range.states[at / cell_bytes] >> (at % cell_bytes + 4) & 1U;
  }
  if (written == bytes || (bytes > cell_bytes && written != 0)) return;
  if (checks(Check::initialisation)) uninitialised(range, address, bytes, code);
  mark_written(range.states, offset, bytes);
}

// Of an ordinary access: what would be handed on is kept in memory all the time.
void Checker::check_races(ShadowedRange& range, std::uintptr_t address, std::size_t bytes, bool writes,
                          std::uintptr_t code) {
  const int thread = this->thread();
  check_races(range, address, bytes,
              {.thread = thread, .moment = happens_before_.now(thread), .code = offset_of(code), .writes = writes});
}

void Checker::check_races(ShadowedRange& range, std::uintptr_t address, std::size_t bytes, const Access& access) {
  const std::size_t offset = address - range.begin;
  std::optional<Conflict> found;
  for (std::size_t cell = offset / cell_bytes; cell * cell_bytes < offset + bytes; ++cell) {
    const unsigned mask = mask_of(cell, offset, offset + bytes);
    const auto conflict =
        mask == all_given ? detector_.whole(range, cell, access) : detector_.parts(range, cell, mask, access);
    if (conflict && !found) found = conflict;
  }
  if (found) race(range, address, bytes, access, *found);
}

// The fiber's own stack, the emulator's variables, constants, and what the launch was given by value.
bool Checker::is_exempt(std::uintptr_t address, std::size_t bytes) const noexcept {
  if (BlockRunner::running()->is_on_stack(address)) return true;
  const auto parameters = job_.module().parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (address - reinterpret_cast<std::uintptr_t>(job_.launch().arguments[i]) < parameters[i].size) return true;
  }
  const auto is_in = [&](const auto& object) {
    return address - reinterpret_cast<std::uintptr_t>(&object) < sizeof object;
  };
  if (is_in(*worker_) || is_in(job_.launch())) return true;
  if (is_in(services()) || is_in(check_services())) return true;
  if (shared_.holds(address)) {
    return std::ranges::any_of(variables_.own, [&](const KernelVariable& variable) {
      const std::uintptr_t begin = thread_locals_ + variable.begin;
      return address >= begin && address + bytes <= begin + variable.bytes;
    });
  }
  if (!job_.module().holds(address)) return false;
  // A variable that is never written, or what has no name: values that the compiler keeps, with room to the variables.
  const Memory nearest = variable_at(address);
  const std::int64_t begin = nearest.offset, size = static_cast<std::int64_t>(nearest.bytes);
  if (begin >= 0 && begin + static_cast<std::int64_t>(bytes) <= size) return true;
  constexpr auto zone = static_cast<std::int64_t>(zone_between_arrays);
  return size == 0 || begin < -zone || begin - size >= zone;
}

void Checker::race(const ShadowedRange& range, std::uintptr_t address, std::size_t bytes, const Access& access,
                   const Conflict& conflict) {
  if (!checks(Check::race) || sightings_.size() >= most_sightings) return;
  if (!seen_.emplace(Kind::race, conflict.code, access.code).second) return;
  sightings_.push_back({.kind = Kind::race,
                        .memory = memory_at(range, address),
                        .address = address,
                        .bytes = static_cast<std::int64_t>(bytes),
                        .now = {block_of(access.moment), access.thread, access.code, access.writes},
                        .before = Witness{block_of(conflict.moment), conflict.thread, conflict.code, conflict.writes}});
  if (access.strong && conflict.strong) sightings_.back().flag = address;
  const auto may_be_guess = [](const auto& read, const auto& write) {
    return !read.writes && !read.synchronising && write.synchronising;
  };
  if (may_be_guess(access, conflict)) sightings_.back().plain_read = Sighting::PlainRead::now;
  if (may_be_guess(conflict, access)) sightings_.back().plain_read = Sighting::PlainRead::before;
}

void Checker::uninitialised(const ShadowedRange& range, std::uintptr_t address, std::size_t bytes,
                            std::uintptr_t code) {
  const std::uint32_t offset = offset_of(code);
  if (sightings_.size() >= most_sightings || !seen_.emplace(Kind::initialisation, 0U, offset).second) return;
  sightings_.push_back({.kind = Kind::initialisation,
                        .memory = memory_at(range, address),
                        .address = address,
                        .bytes = static_cast<std::int64_t>(bytes),
                        .now = {block_of(happens_before_.now(thread())), thread(), offset, false},
                        .before = std::nullopt});
}

// Moments tell how many blocks have run before.
long Checker::block_of(HappensBefore::Moment moment) const noexcept {
  return job_.block_at(happens_before_.block_of(moment));
}

std::optional<Witness> Checker::last_writer(std::uintptr_t address) {
  const ShadowedRange* const range = range_of(address);
  if (range == nullptr) return std::nullopt;
  const std::size_t offset = address - range->begin;
  const Accesses* written = &range->cells[offset / cell_bytes].written;
  if (accesses::moment(written->word) < range->oldest) return std::nullopt;
  if ((written->word & accesses::bytewise) != 0)
    written = &range->bytewise[written->others][offset % cell_bytes].written;
  if (accesses::moment(written->word) < range->oldest) return std::nullopt;
  return Witness{block_of(accesses::moment(written->word)), accesses::thread(written->word), written->code, true};
}

Memory Checker::memory_at(const ShadowedRange& range, std::uintptr_t address) const {
  if (&range == &device_) {
    const Surroundings surroundings = Registry::instance().surroundings(address);
    return {Memory::Of::device, surroundings.label, surroundings.bytes,
            static_cast<std::int64_t>(address - surroundings.base)};
  }
  return &range == &shared_ ? shared_memory_at(address) : variable_at(address);
}

namespace {

// Looks for what holds an address, or else the nearest to it.
class Nearest {
 public:
  Nearest(Memory::Of of, std::uintptr_t offset) : offset_(static_cast<std::int64_t>(offset)), found_{.of = of} {}

  void consider(Memory::Of of, const std::string& name, std::uintptr_t begin, std::size_t bytes) {
    const std::int64_t from = offset_ - static_cast<std::int64_t>(begin);
    const std::int64_t behind = from - static_cast<std::int64_t>(bytes) + 1;
    const std::int64_t distance = std::max({-from, behind, std::int64_t{0}});
    if (distance >= least_) return;
    least_ = distance;
    found_ = {of, name, bytes, from};
  }
  [[nodiscard]] const Memory& found() const noexcept { return found_; }

 private:
  std::int64_t offset_;
  Memory found_;
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace

Memory Checker::variable_at(std::uintptr_t address) const {
  Nearest nearest(Memory::Of::global, address - module_base_);
  for (const KernelVariable& variable : variables_.globals) {
    nearest.consider(Memory::Of::global, variable.name, variable.begin, variable.bytes);
  }
  return nearest.found();
}

Memory Checker::shared_memory_at(std::uintptr_t address) const {
  Nearest nearest(Memory::Of::shared, address - thread_locals_);
  for (const KernelVariable& array : variables_.shared) {
    nearest.consider(Memory::Of::shared, array.name, array.begin, array.bytes);
  }
  if (variables_.dynamic_shared) {
    nearest.consider(Memory::Of::dynamic_shared, "", *variables_.dynamic_shared, job_.shared_bytes());
  }
  return nearest.found();
}

// Of the instructions of all sightings, and then of the guesses.
std::vector<std::uintptr_t> Checker::codes_seen() const {
  std::vector<std::uintptr_t> codes;
  const auto add = [&](std::uint32_t code) { codes.push_back(instruction_before(module_base_ + code)); };
  for (const Sighting& sighting : sightings_) {
    add(sighting.now.code);
    add(sighting.before ? sighting.before->code : sighting.now.code);
  }
  for (const std::uint32_t code : uses_.guesses()) add(code);
  return codes;
}

std::vector<Finding> Checker::findings() const {
  if (sightings_.empty()) return {};
  const auto codes = codes_seen();
  const auto lines = lines_of(job_.module(), codes);
  using Place = std::tuple<std::string, int, std::uintptr_t>;  // a line, which may be many instructions, if it is known
  const auto place = [&](std::size_t i) {
    return lines[i] ? Place(lines[i]->file, lines[i]->number, 0) : Place("", 0, codes[i]);
  };
  std::set<Place> guesses;
  for (std::size_t i = 2 * sightings_.size(); i < lines.size(); ++i) guesses.insert(place(i));
  const auto is_harmless = [&](std::size_t i) {
    const Sighting& sighting = sightings_[i];
    if (sighting.flag && uses_.is_polled(*sighting.flag)) return true;
    if (sighting.plain_read == Sighting::PlainRead::none) return false;
    return guesses.contains(place(sighting.plain_read == Sighting::PlainRead::now ? 2 * i : 2 * i + 1));
  };
  const auto arrays = arrays_of(job_.module(), job_.launch());
  std::vector<Finding> findings;
  std::set<std::tuple<Kind, int, int>> told;
  for (std::size_t i = 0; i < sightings_.size(); ++i) {
    if (is_harmless(i)) continue;
    Finding finding = finding_of(sightings_[i], job_.launch(), lines[2 * i], lines[2 * i + 1]);
    finding.kernel = job_.kernel();
    if (auto index = multi_index(arrays, sightings_[i].address)) finding.index = std::move(*index);
    const auto [low, high] = std::minmax(finding.sites.front().line, finding.sites.back().line);
    if (told.emplace(finding.kind, low, high).second) findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
