// SPDX-License-Identifier: MIT
// The table in docs/transfers.md: which copies are seen, by a scope and by the connector. Each row is done here, and
// the page must say what happened.
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>
#include <Kokkos_DynRankView.hpp>
#include <Kokkos_OffsetView.hpp>
#include <Kokkos_StdAlgorithms.hpp>

#include <mylos/core/conversions.hpp>
#include <mylos/core/host_call.hpp>
#include <mylos/core/output_in.hpp>
#include <mylos/kernel.hpp>
#include <mylos/transfers/scope.hpp>

#include "core/support.hpp"
#include "transfers/told_copy.hpp"

namespace mylos_test {
namespace {

namespace tools = Kokkos::Tools::Experimental;
using Space = Kokkos::Tools::SpaceHandle;
using HostExec = Kokkos::DefaultHostExecutionSpace;
using OnDevice = Kokkos::View<double*, DeviceSpace>;
using OnHost = Kokkos::View<double*, HostSpace>;
using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, DeviceSpace>;
using HostMatrix = Kokkos::View<double**, Kokkos::LayoutRight, HostSpace>;
using HostMatrixLeft = Kokkos::View<double**, Kokkos::LayoutLeft, HostSpace>;

// "1 to host, 2 on the device", waits left out unless there is nothing else.
std::string words(const mylos::CopyCounts& counts, bool with_waits = false) {
  std::string text;
  const auto add = [&](std::int64_t number, mylos::CopyKind kind) {
    if (number > 0) text += (text.empty() ? "" : ", ") + std::to_string(number) + ' ' + std::string(to_string(kind));
  };
  add(counts.to_host, mylos::CopyKind::to_host);
  add(counts.to_device, mylos::CopyKind::to_device);
  add(counts.device_copy, mylos::CopyKind::device_copy);
  add(counts.host_copy, mylos::CopyKind::host_copy);
  add(counts.fallback, mylos::CopyKind::fallback);
  if (with_waits) add(counts.sync, mylos::CopyKind::wait);
  return text.empty() ? "no" : text;
}

// What the connector would count, by the same code behind the same callbacks.
mylos::detail::PendingCopy pending;
mylos::CopyCounts told;

template <class F>
std::string seen_by_connector(const F& f, bool with_waits) {
  const tools::EventSet before = tools::get_callbacks();
  told = {};
  tools::set_begin_deep_copy_callback([](Space to, const char* to_label, const void* to_address, Space from,
                                         const char* from_label, const void* from_address, std::uint64_t bytes) {
    pending.begin({to.name, to_label, to_address}, {from.name, from_label, from_address}, bytes);
  });
  tools::set_end_deep_copy_callback([] {
    if (const auto copy = pending.end()) told.add(*copy);
  });
  tools::set_begin_fence_callback([](const char*, std::uint32_t device, std::uint64_t* handle) {
    *handle = 0;
    if (mylos::detail::is_device_type(device)) told.add({.kind = mylos::CopyKind::wait});
  });
  f();
  tools::set_begin_deep_copy_callback(before.begin_deep_copy);
  tools::set_end_deep_copy_callback(before.end_deep_copy);
  tools::set_begin_fence_callback(before.begin_fence);
  return words(told, with_waits);
}

struct Row {
  std::string copy;
  std::function<void()> run;
  bool is_wait = false;
};

struct Views {
  OnDevice d{"d", 12}, e{"e", 12};
  OnHost h{"h", 12}, g{"g", 12};
  Matrix matrix{"matrix", 3, 4};
  HostMatrix host_matrix{"host matrix", 3, 4};
  HostMatrixLeft left{"left", 3, 4};
};

template <class View>
auto column(const View& view) {
  return Kokkos::subview(view, Kokkos::ALL, 1);
}

std::vector<Row> rows_of_deep_copy(const Views& v) {
  return {
      {"`deep_copy`, host to device", [=] { Kokkos::deep_copy(v.d, v.h); }},
      {"`deep_copy`, device to host", [=] { Kokkos::deep_copy(v.h, v.d); }},
      {"`deep_copy`, within the device", [=] { Kokkos::deep_copy(v.e, v.d); }},
      {"`deep_copy`, within the host", [=] { Kokkos::deep_copy(v.g, v.h); }},
      {"`deep_copy` with a `Device`", [=] { Kokkos::deep_copy(Device(), v.d, v.h); }},
      {"`deep_copy` with a host execution space", [=] { Kokkos::deep_copy(HostExec(), v.g, v.h); }},
      {"`deep_copy`, columns on the device",
       [=] { Kokkos::deep_copy(column(v.matrix), Kokkos::subview(v.d, std::pair(0, 3))); }},
      {"`deep_copy`, another layout on the host", [=] { Kokkos::deep_copy(v.left, v.host_matrix); }},
      {"`deep_copy`, one element of a device View to a value",
       [=] {
         double value = 0;
         Kokkos::deep_copy(value, Kokkos::subview(v.d, 3));
       }},
      {"`deep_copy` of a value (a fill), on either side",
       [=] {
         Kokkos::deep_copy(v.d, 1.0);
         Kokkos::deep_copy(v.h, 1.0);
       }},
      {"`deep_copy` of a View to itself, or of no elements",
       [=] {
         Kokkos::deep_copy(v.h, v.h);
         Kokkos::deep_copy(OnDevice("none", 0), OnHost("none", 0));
       }},
  };
}

std::vector<Row> rows_of_kokkos(const Views& v) {
  return {
      {"a View is made, initialised, destroyed", [] { const OnDevice made("made", 3); }},
      {"`create_mirror_view_and_copy` to the host",
       [=] { (void)Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v.d); }},
      {"`DualView::sync_device`, then `sync_host`",
       [] {
         Kokkos::DualView<double*, DeviceSpace::device_type> dual("dual", 4);
         dual.modify_host();
         dual.sync_device();
         dual.modify_device();
         dual.sync_host();
       }},
      {"`resize` of a device View",
       [] {
         OnDevice view("grows", 4);
         Kokkos::resize(view, 8);
       }},
      {"`resize` of a host View",
       [] {
         OnHost view("grows", 4);
         Kokkos::resize(view, 8);
       }},
      {"`realloc`",
       [] {
         OnDevice view("fresh", 4);
         Kokkos::realloc(view, 8);
       }},
      {"`deep_copy` of DynRankViews, device to host",
       [] {
         const Kokkos::DynRankView<double, Kokkos::LayoutRight, DeviceSpace> from("from", 3, 2);
         const Kokkos::DynRankView<double, Kokkos::LayoutRight, HostSpace> to("to", 3, 2);
         Kokkos::deep_copy(to, from);
       }},
      {"`deep_copy` of OffsetViews, device to host",
       [] {
         const Kokkos::Experimental::OffsetView<double*, DeviceSpace> from("from", {-1, 4});
         const auto to = Kokkos::Experimental::OffsetView<double*, HostSpace>("to", {-1, 4});
         Kokkos::deep_copy(to, from);
       }},
      {"`Kokkos::Experimental::copy`, and other algorithms and loops",
       [=] { Kokkos::Experimental::copy(HostExec(), v.h, v.g); }},
      {"`std::memcpy`, raw pointers", [=] { std::memcpy(v.g.data(), v.h.data(), 12 * sizeof(double)); }},
      {"`parallel_reduce` into a value on the host",
       [=] {
         double sum = 0;
         Kokkos::parallel_reduce(Kokkos::RangePolicy<HostExec>(0, 12), [=](int i, double& s) { s += v.h(i); }, sum);
       }},
      {"`Device().fence()`", [] { Device().fence(); }, true},
      {"`Kokkos::fence()`", [] { Kokkos::fence(); }, true},
  };
}

std::vector<Row> rows_of_mylos(const Views& v) {
  return {
      {"`to_host` of a device View", [=] { (void)mylos::to_host(v.d); }},
      {"`to_host` of a host View", [=] { (void)mylos::to_host(v.h); }},
      {"`to_device` of a host View", [=] { (void)mylos::to_device(v.h); }},
      {"`copy_to<HostSpace>` of a host View", [=] { (void)mylos::copy_to<HostSpace>(v.h); }},
      {"`copy_view`, a column on the device to the host",
       [=] { mylos::copy_view(column(v.host_matrix), column(v.matrix)); }},
      {"`as_contiguous<DeviceSpace>` of a device column",
       [=] { (void)mylos::as_contiguous<DeviceSpace>(column(v.matrix)); }},
      {"`host_call` with a View that it reads",
       [=] { mylos::host_call([](const auto&) {}, Kokkos::View<const double*, DeviceSpace>(v.d)); }},
      {"`host_call` with a View that it writes", [=] { mylos::host_call([](const auto&) {}, v.d); }},
      {"`output_in<HostSpace>` of a device View", [=] { auto out = mylos::output_in<HostSpace>(v.d); }},
  };
}

std::vector<Row> rows_of_kernels(const Views& v) {
  const mylos::CudaKernel counting("__device__ int calls; extern \"C\" __global__ void count() { ++calls; }", "count");
  const auto functor = [](std::int64_t i, const auto& x) { x(i) = 1; };
  const mylos::Kernel no_port("fill", functor, {}, {.missing_cuda = mylos::MissingCuda::fallback});
  return {
      {"`CudaKernel::set_variable`", [=] { counting.set_variable("calls", 1); }},
      {"`CudaKernel::variable`", [=] { (void)counting.variable<int>("calls"); }},
      {"a launch", [=] { counting({.threads = 1}); }},
      {"a `Kernel` that falls back to the host, with a View that it writes", [=] { no_port(v.d); }},
  };
}

std::string line_of(const Row& row) {
  mylos::TransferCounts counts = mylos::count_transfers(row.run);
  return "| " + row.copy + " | " + words(counts, row.is_wait) + " | " + seen_by_connector(row.run, row.is_wait) + " |";
}

TEST(SeenCopies, AreAsTheTableSays) {
  std::ifstream guide(MYLOS_TRANSFERS_GUIDE);
  std::vector<std::string> lines;
  for (std::string line; std::getline(guide, line);) lines.push_back(line);
  const Views views;
  std::vector<Row> rows = rows_of_deep_copy(views);
  for (const Row& row : rows_of_kokkos(views)) rows.push_back(row);
  for (const Row& row : rows_of_mylos(views)) rows.push_back(row);
  for (const Row& row : rows_of_kernels(views)) rows.push_back(row);
  std::size_t in_table = 0;
  for (const std::string& line : lines) in_table += line.starts_with("| `") || line.starts_with("| a ") ? 1 : 0;
  EXPECT_EQ(in_table, rows.size()) << "the table has rows that nothing here does";
  for (const Row& row : rows) {
    const std::string line = line_of(row);
    EXPECT_NE(std::ranges::find(lines, line), lines.end())
        << "docs/transfers.md does not say, and Kokkos " << KOKKOS_VERSION << " does:\n"
        << line;
  }
}

}  // namespace
}  // namespace mylos_test
