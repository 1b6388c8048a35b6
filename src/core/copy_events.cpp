// SPDX-License-Identifier: MIT
#include <mylos/core/copy_events.hpp>

#include <utility>

#include <fmt/format.h>

#include <mylos/base/log.hpp>

namespace mylos::inline MYLOS_ABI {

namespace {

thread_local CopyListener* first_listener = nullptr;
thread_local const detail::CopyLabels* innermost_labels = nullptr;

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
  sync += other.sync;
  bytes_to_host += other.bytes_to_host;
  bytes_to_device += other.bytes_to_device;
  return *this;
}

std::string to_string(const CopyCounts& counts) {
  return fmt::format("{} to host ({} bytes), {} to device ({} bytes), {} on the device, {} on the host, {} waits",
                     counts.to_host, counts.bytes_to_host, counts.to_device, counts.bytes_to_device, counts.device_copy,
                     counts.host_copy, counts.sync);
}

CopyCounter::~CopyCounter() = default;

void CopyCounter::on_event(const CopyEvent& event) {
  const auto bytes = static_cast<std::int64_t>(event.bytes);
  switch (event.kind) {
    case CopyKind::to_host:
      ++counts_.to_host;
      counts_.bytes_to_host += bytes;
      break;
    case CopyKind::to_device:
      ++counts_.to_device;
      counts_.bytes_to_device += bytes;
      break;
    case CopyKind::device_copy: ++counts_.device_copy; break;
    case CopyKind::host_copy: ++counts_.host_copy; break;
    case CopyKind::wait: ++counts_.sync; break;
  }
}

namespace detail {

bool listening() noexcept { return first_listener != nullptr; }

void publish(const CopyEvent& event) noexcept {
  if (first_listener == nullptr) return;
  CopyEvent labelled = event;
  if (innermost_labels != nullptr && event.kind != CopyKind::wait) {
    if (!innermost_labels->destination_.empty()) labelled.destination = innermost_labels->destination_;
    if (!innermost_labels->source_.empty()) labelled.source = innermost_labels->source_;
  }
  CopyListeners::tell(labelled);
}

CopyLabels::CopyLabels(std::string destination, std::string source) noexcept
    : destination_(std::move(destination)), source_(std::move(source)), outer_(innermost_labels) {
  innermost_labels = this;
}

CopyLabels::~CopyLabels() { innermost_labels = outer_; }

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
