// SPDX-License-Identifier: MIT
#include "emulator/arena.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>

#include "base/texts.hpp"

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t largest_reservation = std::size_t{512} << 30;
constexpr std::size_t smallest_reservation = std::size_t{1} << 30;

// As long as an OS thread lives that has opened the arena.
class User {
 public:
  User() { ++alive; }
  ~User() { --alive; }
  User(const User&) = delete;
  User& operator=(const User&) = delete;

  static inline std::atomic<int> alive = 0;
};

}  // namespace

std::atomic<Arena*> Arena::existing_ = nullptr;

Arena& Arena::instance() {
  // Never destroyed: Views of static storage duration may be freed after it would be.
  static Arena* const arena = new Arena;
  return *arena;
}

Arena::Arena() {
  // Addresses cost nothing, but limits (ulimit -v, containers) may allow fewer.
  void* range = MAP_FAILED;
  for (size_ = largest_reservation; size_ >= smallest_reservation; size_ /= 2) {
    range = ::mmap(nullptr, size_ + huge_page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range != MAP_FAILED) break;
  }
  if (range == MAP_FAILED) {
    throw BackendError(
        fmt::format("cannot reserve {} bytes of addresses for the emulated device: {}: raise the limit on virtual "
                    "memory (ulimit -v)",
                    smallest_reservation, mylos::detail::system_reason(errno)));
  }
  base_ = (reinterpret_cast<std::uintptr_t>(range) + huge_page - 1) / huge_page * huge_page;
  // Advice only: without huge pages opening takes longer. Core dumps leave the range out.
  ::madvise(reinterpret_cast<void*>(base_), size_, MADV_HUGEPAGE);
  ::madvise(reinterpret_cast<void*>(base_), size_, MADV_DONTDUMP);
  existing_.store(this, std::memory_order_release);
}

bool Arena::protect(std::size_t begin, std::size_t end, int protection) const noexcept {
  return begin == end || ::mprotect(reinterpret_cast<void*>(base_ + begin), end - begin, protection) == 0;
}

void Arena::use_up_to(std::size_t end) {
  const std::lock_guard lock(mutex_);
  const std::size_t wanted = std::min((end + huge_page - 1) / huge_page * huge_page, size_);
  if (wanted <= used_) return;
  if (is_open() && !protect(used_, wanted, PROT_READ | PROT_WRITE)) {
    throw BackendError(fmt::format("cannot extend the emulated device's memory to {} bytes: {}: free memory", wanted,
                                   mylos::detail::system_reason(errno)));
  }
  used_ = wanted;
}

void Arena::discard(std::size_t begin, std::size_t end) const noexcept {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  begin = (begin + page - 1) / page * page;
  end = end / page * page;
  if (begin < end) ::madvise(reinterpret_cast<void*>(base_ + begin), end - begin, MADV_DONTNEED);
}

bool Arena::has_several_users() noexcept { return User::alive.load(std::memory_order_relaxed) > 1; }

void Arena::open() {
  thread_local const User user;
  int openings = openings_.load(std::memory_order_relaxed);
  while (openings > 0) {
    if (openings_.compare_exchange_weak(openings, openings + 1, std::memory_order_acquire)) return;
  }
  const std::lock_guard lock(mutex_);
  if (!is_open() && !protect(0, used_, PROT_READ | PROT_WRITE)) {
    throw BackendError(fmt::format("cannot open the emulated device's memory ({} bytes): {}: free memory", used_,
                                   mylos::detail::system_reason(errno)));
  }
  openings_.fetch_add(1, std::memory_order_release);
}

void Arena::close() noexcept {
  int openings = openings_.load(std::memory_order_relaxed);
  while (openings > 1) {
    if (openings_.compare_exchange_weak(openings, openings - 1, std::memory_order_release)) return;
  }
  const std::lock_guard lock(mutex_);
  if (openings_.fetch_sub(1, std::memory_order_acq_rel) == 1 && !protect(0, used_, PROT_NONE)) {
    log::error("cannot close the emulated device's memory: host accesses to it stay unnoticed");
  }
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
