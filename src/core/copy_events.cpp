// SPDX-License-Identifier: MIT
#include <mylos/core/copy_events.hpp>

#include <utility>

#include <fmt/format.h>

#include <mylos/base/log.hpp>

#include "base/short_text.hpp"

namespace mylos::inline MYLOS_ABI {

namespace {

thread_local CopyListener* first_listener = nullptr;
thread_local const detail::CopyOrigin* innermost_origin = nullptr;
thread_local int published_copies = 0;

// What Kokkos told last of a copy of this thread.
struct ToldLabels {  // without a destructor: static objects copy when those of the thread have ended
  const void* destination_address = nullptr;
  const void* source_address = nullptr;
  detail::ShortText destination, source;

  [[nodiscard]] bool are_complete() const noexcept { return !destination.view().empty() && !source.view().empty(); }
  [[nodiscard]] bool are_of(const void* to, const void* from) const noexcept {
    return to != nullptr && to == destination_address && from == source_address;
  }
};
thread_local constinit ToldLabels told_labels;

}  // namespace

/// Walks the list that only CopyListener itself may see.
struct CopyListeners {
  static void tell(const CopyEvent& event) noexcept {
    for (CopyListener* listener = first_listener; listener != nullptr; listener = listener->next_) {
      try {
        listener->on_event(event);
      } catch (...) {
        log::caught("a listener for copies threw, though events cannot fail");
      }
    }
  }
};

CopyListener::CopyListener() : head_(&first_listener), next_(first_listener) { first_listener = this; }

CopyListener::~CopyListener() {
  if (head_ != &first_listener) {
    log::error("a listener for copies ends on another thread than the one that made it: it hears that thread's events");
  }
  for (CopyListener** link = head_; *link != nullptr; link = &(*link)->next_) {
    if (*link == this) {
      *link = next_;
      return;
    }
  }
}

CopyCounts& CopyCounts::operator+=(const CopyCounts& other) {
  to_host += other.to_host;
  to_device += other.to_device;
  device_copy += other.device_copy;
  host_copy += other.host_copy;
  fallback += other.fallback;
  sync += other.sync;
  bytes_to_host += other.bytes_to_host;
  bytes_to_device += other.bytes_to_device;
  return *this;
}

std::string to_string(const CopyCounts& counts) {
  return fmt::format(
      "{} to host ({} bytes), {} to device ({} bytes), {} on the device, {} on the host, {} waits, {} fallbacks",
      counts.to_host, counts.bytes_to_host, counts.to_device, counts.bytes_to_device, counts.device_copy,
      counts.host_copy, counts.sync, counts.fallback);
}

CopyCounter::~CopyCounter() = default;

void CopyCounter::on_event(const CopyEvent& event) { counts_.add(event); }

namespace detail {

bool listening() noexcept { return first_listener != nullptr; }

bool labels_are_known(const void* destination, const void* source) noexcept {
  if (innermost_origin != nullptr) {
    return !innermost_origin->destination_.empty() && !innermost_origin->source_.empty();
  }
  const ToldLabels& told = told_labels;
  return told.are_of(destination, source) && told.are_complete();
}

void publish(const CopyEvent& event) noexcept {
  if (first_listener == nullptr) return;
  CopyEvent full = event;
  const bool is_copy = event.kind != CopyKind::wait && event.kind != CopyKind::fallback;
  if (innermost_origin != nullptr) {
    if (event.place.line() == 0) full.place = innermost_origin->place_;
    if (is_copy && !innermost_origin->destination_.empty()) full.destination = innermost_origin->destination_;
    if (is_copy && !innermost_origin->source_.empty()) full.source = innermost_origin->source_;
  } else if (const ToldLabels& told = told_labels;
             is_copy && told.are_of(event.destination_address, event.source_address)) {
    if (!told.destination.view().empty()) full.destination = told.destination.view();
    if (!told.source.view().empty()) full.source = told.source.view();
  }
  CopyListeners::tell(full);
}

CopyOrigin::CopyOrigin(std::string destination, std::string source, std::source_location place) noexcept
    : destination_(std::move(destination)), source_(std::move(source)), place_(place), outer_(innermost_origin) {
  innermost_origin = this;
}

CopyOrigin::~CopyOrigin() { innermost_origin = outer_; }

void tell_labels(const void* destination, std::string_view destination_label, const void* source,
                 std::string_view source_label) {
  ToldLabels& told = told_labels;
  if (destination == nullptr && told.destination_address == nullptr) return;
  told.destination_address = destination;
  told.source_address = source;
  told.destination.assign(destination_label);
  told.source.assign(source_label);
}

CopyIsPublished::CopyIsPublished() noexcept { ++published_copies; }
CopyIsPublished::~CopyIsPublished() { --published_copies; }
bool copy_is_published() noexcept { return published_copies > 0; }

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
