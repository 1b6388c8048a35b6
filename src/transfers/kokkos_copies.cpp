// SPDX-License-Identifier: MIT
// Kokkos has one callback for each event. Ours calls the one that was there before; at the end that is put back, unless
// another tool took the place in the meantime: it may have kept ours to call it, so ours must stay good for ever, and a
// second time we need a new one: the old one would be called by what it calls.
#include <mylos/transfers/detail/kokkos_copies.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <utility>

#include <Kokkos_Core.hpp>

#include <mylos/base/log.hpp>
#include <mylos/core/copy_events.hpp>
#include <mylos/core/detail/copy_plan.hpp>

#include "core/engine.hpp"
#include "transfers/told_copy.hpp"

namespace mylos::inline MYLOS_ABI::detail {
namespace {

namespace tools = Kokkos::Tools::Experimental;
using Begin = Kokkos::Tools::beginDeepCopyFunction;
using End = Kokkos::Tools::endDeepCopyFunction;
using Space = Kokkos::Tools::SpaceHandle;

thread_local constinit PendingCopy pending;

void hear_begin(const ToldSide& destination, const ToldSide& source, std::uint64_t bytes) {
  if (!listening() || copy_is_published()) {
    pending.drop();
    return;
  }
  const bool of_device = is_device_space(destination.space) || is_device_space(source.space);
  if (of_device && engine_hears_kokkos) {
    pending.drop();
    tell_labels(destination.address, destination.label, source.address, source.label);
  } else {
    pending.begin(destination, source, bytes);
  }
}

void hear_end() {
  tell_labels(nullptr, {}, nullptr, {});
  if (const auto copy = pending.end()) publish(*copy);
}

// A copy must not fail because it is counted.
template <class F>
void hear(const F& f) noexcept {
  try {
    f();
  } catch (...) {
    log::caught("a copy that Kokkos tells of could not be counted");
  }
}

/// Of the callbacks that call one another, the first hears the event.
class CallDepth {
 public:
  CallDepth() noexcept { ++depth; }
  ~CallDepth() { --depth; }
  CallDepth(const CallDepth&) = delete;
  CallDepth& operator=(const CallDepth&) = delete;
  [[nodiscard]] static bool is_first() noexcept { return depth == 1; }

 private:
  static thread_local int depth;
};
thread_local int CallDepth::depth = 0;

struct Callbacks {
  Begin begin = nullptr;
  End end = nullptr;
  friend bool operator==(const Callbacks&, const Callbacks&) = default;
};

/// A pair of callbacks of ours. `next`: what they replaced.
struct Link {
  std::atomic<Begin> next_begin = nullptr;
  std::atomic<End> next_end = nullptr;
  bool is_free = true;  // in no chain

  [[nodiscard]] Callbacks next() const { return {next_begin, next_end}; }
  void set_next(const Callbacks& next) {
    next_begin = next.begin;
    next_end = next.end;
  }
};
constexpr std::size_t most_links = 16;
std::array<Link, most_links> links;

/// What a link replaced, unless it is being called by this link already: a tool that came again may hold it.
template <std::size_t I, class Next, class... Arguments>
void call_next(const std::atomic<Next>& next, Arguments... arguments) {
  thread_local bool is_under_way = false;
  const Next callback = next;
  if (callback == nullptr || is_under_way) return;
  struct UnderWay {
    UnderWay() { is_under_way = true; }
    ~UnderWay() { is_under_way = false; }
  } const now;
  callback(arguments...);
}

template <std::size_t I>
void begin(Space to_space, const char* to, const void* to_address, Space from_space, const char* from,
           const void* from_address, std::uint64_t bytes) {
  const CallDepth depth;
  call_next<I>(links[I].next_begin, to_space, to, to_address, from_space, from, from_address, bytes);
  if (!depth.is_first()) return;
  hear([&] { hear_begin({to_space.name, to, to_address}, {from_space.name, from, from_address}, bytes); });
}

template <std::size_t I>
void end() {
  const CallDepth depth;
  if (depth.is_first()) hear(hear_end);
  call_next<I>(links[I].next_end);
}

template <std::size_t... I>
constexpr std::array<Callbacks, sizeof...(I)> make_ours(std::index_sequence<I...> /*all*/) {
  return {Callbacks{&begin<I>, &end<I>}...};
}
constexpr auto ours = make_ours(std::make_index_sequence<most_links>());

Callbacks current() {
  const tools::EventSet set = tools::get_callbacks();
  return {set.begin_deep_copy, set.end_deep_copy};
}

/// Which of ours stands in Kokkos' table, wholly; most_links: none.
std::size_t link_in_place() {
  const Callbacks now = current();
  std::size_t i = 0;
  while (i < most_links && now != ours[i]) ++i;
  return i;
}

struct State {
  std::mutex mutex;
  int users = 0;
  std::int64_t losses = 0;  // times that ours were found to be away while somebody counted
  bool has_no_link = false;
};

State& state() {
  static State* const instance = new State;  // never destroyed: scopes of static storage may end after it
  return *instance;
}

// One that is in no chain, or one that stood on this callback before.
std::size_t link_for(const Callbacks& next) {
  std::size_t i = 0;
  while (i < most_links && (links[i].is_free || links[i].next() != next)) ++i;
  if (i < most_links) return i;
  i = 0;
  while (i < most_links && !links[i].is_free) ++i;
  return i;
}

void install() {
  if (link_in_place() < most_links) return;
  if (state().users > 1) ++state().losses;
  const Callbacks before = current();
  const std::size_t i = link_for(before);
  state().has_no_link = i == most_links;
  if (state().has_no_link) {
    log::error(
        "mylos: 16 tools took Kokkos' callbacks for copies from under scopes that counted them: copies that only "
        "Kokkos tells of are not counted any more: let a tool be there from the start, or end before the scope");
    return;
  }
  links[i].is_free = false;
  links[i].set_next(before);
  tools::set_begin_deep_copy_callback(ours[i].begin);
  tools::set_end_deep_copy_callback(ours[i].end);
}

void remove() {
  const std::size_t i = link_in_place();
  if (i == most_links) return;
  const Callbacks next = links[i].next();
  tools::set_begin_deep_copy_callback(next.begin);
  tools::set_end_deep_copy_callback(next.end);
  links[i].is_free = true;
}

}  // namespace

KokkosCopies::KokkosCopies() {
  const std::lock_guard lock(state().mutex);
  ++state().users;
  install();
  losses_before_ = state().losses;
}

KokkosCopies::~KokkosCopies() {
  const std::lock_guard lock(state().mutex);
  if (--state().users == 0) remove();
}

bool KokkosCopies::heard_all() const noexcept {
  const std::lock_guard lock(state().mutex);
  if (state().losses != losses_before_) return false;
  return !kokkos_is_running() || (!state().has_no_link && link_in_place() < most_links);
}

}  // namespace mylos::inline MYLOS_ABI::detail
