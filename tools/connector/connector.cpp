// SPDX-License-Identifier: MIT
// libmylos_transfers.so: a library for Kokkos Tools. Any Kokkos application, unmodified, that is started with
// KOKKOS_TOOLS_LIBS=.../libmylos_transfers.so tells at its end what it copied, on stderr, or as JSON in the file that
// MYLOS_TRANSFERS_REPORT names (%p in it: the process's number).
//
// It uses nothing of Kokkos: its functions have the names and C types that Kokkos looks for when it loads a tool
// (Kokkos Tools' "profiling hooks", interface version 20240906 and before).
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "transfer_log.hpp"
#include "transfers/told_copy.hpp"

namespace mylos_connector {
namespace {

TransferLog& transfer_log() {
  static TransferLog* const log = new TransferLog;  // never destroyed: Kokkos may end behind static objects
  return *log;
}

thread_local constinit mylos::detail::PendingCopy pending;

// Names of the thread's regions. They end with the thread, before static objects that may still copy.
thread_local constinit bool regions_ended = false;
struct Regions {
  std::vector<std::string> names;
  ~Regions() { regions_ended = true; }
};
std::vector<std::string>* regions() {
  thread_local Regions of_thread;
  return regions_ended ? nullptr : &of_thread.names;
}

std::string region_path() {
  std::string path;
  if (const auto* const names = regions()) {
    for (const std::string& region : *names) path += (path.empty() ? "" : "/") + region;
  }
  return path;
}

// The application goes on, whatever happens here.
template <class F>
void guarded(const F& f) noexcept {
  try {
    f();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mylos_transfers: an event is not counted: %s\n", error.what());
  } catch (...) {
    std::fprintf(stderr, "mylos_transfers: an event is not counted\n");
  }
}

std::string report_file() {
  const char* const named = std::getenv("MYLOS_TRANSFERS_REPORT");
  std::string name = named == nullptr ? "" : named;
  if (const std::size_t at = name.find("%p"); at != std::string::npos) name.replace(at, 2, std::to_string(::getpid()));
  return name;
}

void print_report() {
  const std::string file = report_file();
  if (!file.empty()) {
    std::ofstream out(file);
    out << transfer_log().json() << '\n';
    out.close();
    if (out) return;
    std::fprintf(stderr, "mylos_transfers: '%s' (MYLOS_TRANSFERS_REPORT) cannot be written; its report is:\n",
                 file.c_str());
  }
  std::fputs(transfer_log().report().c_str(), stderr);
}

}  // namespace
}  // namespace mylos_connector

// As Kokkos Tools declares them.
struct SpaceHandle { char name[64]; };
struct ToolSettings {
  bool requires_global_fencing;
  bool padding[255];
};

extern "C" {

// Regions and copies are told without a wait for the devices.
void kokkosp_request_tool_settings(const std::uint32_t /*settings*/, ToolSettings* settings) {
  settings->requires_global_fencing = false;
}

void kokkosp_begin_deep_copy(SpaceHandle to_space, const char* to, const void* to_address, SpaceHandle from_space,
                             const char* from, const void* from_address, std::uint64_t bytes) {
  mylos_connector::guarded([&] {
    mylos_connector::pending.begin({to_space.name, to, to_address}, {from_space.name, from, from_address}, bytes);
  });
}

void kokkosp_end_deep_copy() {
  mylos_connector::guarded([] {
    if (const auto copy = mylos_connector::pending.end()) {
      mylos_connector::transfer_log().add(*copy, mylos_connector::region_path());
    }
  });
}

void kokkosp_begin_fence(const char* name, std::uint32_t device, std::uint64_t* handle) {
  *handle = 0;
  if (!mylos::detail::is_device_type(device)) return;
  mylos_connector::guarded([&] {
    mylos_connector::transfer_log().add({.kind = mylos::CopyKind::wait, .source = name},
                                        mylos_connector::region_path());
  });
}

void kokkosp_end_fence(std::uint64_t /*handle*/) {}

void kokkosp_push_profile_region(const char* name) {
  mylos_connector::guarded([&] {
    if (auto* const names = mylos_connector::regions()) names->emplace_back(name);
  });
}

void kokkosp_pop_profile_region() {
  auto* const names = mylos_connector::regions();
  if (names != nullptr && !names->empty()) names->pop_back();
}

void kokkosp_finalize_library() { mylos_connector::guarded(mylos_connector::print_report); }

}  // extern "C"
