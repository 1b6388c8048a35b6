// SPDX-License-Identifier: MIT
// The one hook through which every copy and every wait of Mylos' is published, and a plain counter on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>

#include <mylos/base/abi.hpp>

namespace mylos::inline MYLOS_ABI {

enum class CopyKind { to_host, to_device, device_copy, host_copy, wait, fallback };

/// One copy, one wait of the host for the device, or one fallback: a Kernel without a port that ran on the host, whose
/// copies are events of their own. Texts are valid during the call only.
///
/// Published are: each Kokkos::deep_copy that has a View in DeviceSpace (in a build where DeviceSpace is Mylos' own),
/// each copy of Mylos' functions, each fence of a Device, each fallback. Not copies, therefore not published: fills,
/// the initialisation of Views, the headers that Kokkos writes in front of allocations.
struct CopyEvent {
  CopyKind kind = CopyKind::wait;
  std::size_t bytes = 0;              ///< 0 for a wait and a fallback
  std::string_view destination = {};  ///< the View's label; empty where it is not known
  std::string_view source = {};       ///< likewise; for a wait: what waited; for a fallback: the Kernel
  const void* destination_address = nullptr;
  const void* source_address = nullptr;
  std::source_location place = {};  ///< the call of Mylos' function; line 0 where it is not known
};

/// Hears the events of the thread that made it, from construction to destruction. Listeners nest, each hears all.
/// With none on the thread an event costs one test. Must be destroyed by the thread that made it.
class MYLOS_EXPORT CopyListener {
 public:
  CopyListener(const CopyListener&) = delete;
  CopyListener& operator=(const CopyListener&) = delete;

 protected:
  CopyListener();
  virtual ~CopyListener();

 private:
  /// Must not copy between spaces itself. What it throws is logged and dropped.
  virtual void on_event(const CopyEvent& event) = 0;

  CopyListener** head_;  // the list of the thread that made it
  CopyListener* next_;
  friend struct CopyListeners;
};

/// Numbers of events, and their bytes.
struct CopyCounts {
  std::int64_t to_host = 0, to_device = 0, device_copy = 0, host_copy = 0, fallback = 0, sync = 0;
  std::int64_t bytes_to_host = 0, bytes_to_device = 0;

  void add(const CopyEvent& event) noexcept;
  MYLOS_EXPORT CopyCounts& operator+=(const CopyCounts& other);
  friend bool operator==(const CopyCounts&, const CopyCounts&) = default;
};

inline void CopyCounts::add(const CopyEvent& event) noexcept {
  const auto bytes = static_cast<std::int64_t>(event.bytes);
  switch (event.kind) {
    case CopyKind::to_host:
      ++to_host;
      bytes_to_host += bytes;
      break;
    case CopyKind::to_device:
      ++to_device;
      bytes_to_device += bytes;
      break;
    case CopyKind::device_copy: ++device_copy; break;
    case CopyKind::host_copy: ++host_copy; break;
    case CopyKind::wait: ++sync; break;
    case CopyKind::fallback: ++fallback; break;
  }
}

/// "2 to host (64 bytes), 1 to device (32 bytes), 0 on the device, 0 on the host, 3 waits, 0 fallbacks".
MYLOS_EXPORT std::string to_string(const CopyCounts& counts);

/// Counts the events of its thread while it lives.
///
///     mylos::CopyCounter counter;
///     auto host = mylos::to_host(view);
///     assert(counter.counts().to_host == 1);
class MYLOS_EXPORT CopyCounter final : public CopyListener {
 public:
  CopyCounter() = default;
  ~CopyCounter() override;
  [[nodiscard]] const CopyCounts& counts() const noexcept { return counts_; }
  void reset() noexcept { counts_ = {}; }

 private:
  void on_event(const CopyEvent& event) override;
  CopyCounts counts_;
};

namespace detail {

/// Whether anyone on this thread would hear an event.
MYLOS_EXPORT bool listening() noexcept;
/// Whether a copy between these addresses gets both labels from a CopyOrigin or from tell_labels.
MYLOS_EXPORT bool labels_are_known(const void* destination, const void* source) noexcept;
MYLOS_EXPORT void publish(const CopyEvent& event) noexcept;

/// While it lives, copies of this thread that are published without labels, or without a place, carry these.
class MYLOS_EXPORT CopyOrigin {
 public:
  CopyOrigin(std::string destination, std::string source, std::source_location place) noexcept;
  ~CopyOrigin();
  CopyOrigin(const CopyOrigin&) = delete;
  CopyOrigin& operator=(const CopyOrigin&) = delete;

 private:
  std::string destination_, source_;
  std::source_location place_;
  const CopyOrigin* outer_;
  friend void publish(const CopyEvent& event) noexcept;
  friend bool labels_are_known(const void* destination, const void* source) noexcept;
};

/// The labels of the Views at two addresses, as Kokkos tells its tools of a copy that begins on this thread: the event
/// of that copy carries them. Null addresses end it.
MYLOS_EXPORT void tell_labels(const void* destination, std::string_view destination_label, const void* source,
                              std::string_view source_label);

/// While it lives, the copies of this thread that Kokkos tells its tools of are published already.
class MYLOS_EXPORT CopyIsPublished {
 public:
  CopyIsPublished() noexcept;
  ~CopyIsPublished();
  CopyIsPublished(const CopyIsPublished&) = delete;
  CopyIsPublished& operator=(const CopyIsPublished&) = delete;
};
[[nodiscard]] MYLOS_EXPORT bool copy_is_published() noexcept;

}  // namespace detail
}  // namespace mylos::inline MYLOS_ABI
