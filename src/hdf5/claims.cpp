// SPDX-License-Identifier: MIT
#include "hdf5/claims.hpp"

#include <mutex>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>

namespace mylos::inline MYLOS_ABI::hdf5 {

struct Claim::Entry {
  std::filesystem::path place;
  Writing writing;
};

namespace {

std::mutex& entries_mutex() {
  static auto* const mutex = new std::mutex;  // never destroyed: Files may be closed by static destructors
  return *mutex;
}

// The same for every way to write a path. A link is followed where the file behind it is what is written.
std::filesystem::path place_of(const std::filesystem::path& path, Writing writing) {
  std::error_code unreachable;
  const auto absolute = std::filesystem::absolute(path, unreachable);
  const auto place = writing == Writing::in_place
                         ? std::filesystem::weakly_canonical(absolute, unreachable)
                         : std::filesystem::weakly_canonical(absolute.parent_path(), unreachable) / path.filename();
  return unreachable ? absolute : place;
}

}  // namespace

std::list<Claim::Entry>& Claim::entries() {
  static auto* const list = new std::list<Entry>;
  return *list;
}

Claim::Claim(const std::filesystem::path& path, Writing writing) {
  Entry entry{place_of(path, writing), writing};
  const std::scoped_lock lock(entries_mutex());
  for (const Entry& other : entries()) {
    if (other.place != entry.place) continue;
    if (writing == Writing::in_place && other.writing == Writing::in_place) continue;
    throw Hdf5Error(fmt::format(
        "cannot open file '{}' for writing: another File of this program writes it, {}, and the one that "
        "is closed last would take away what the other has written: close that File first",
        path.string(), other.writing == Writing::aside ? "to put it in its place when closed" : "in place"));
  }
  entry_ = entries().insert(entries().end(), std::move(entry));
}

Claim::~Claim() {
  const std::scoped_lock lock(entries_mutex());
  entries().erase(entry_);
}

}  // namespace mylos::inline MYLOS_ABI::hdf5
