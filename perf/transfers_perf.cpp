// SPDX-License-Identifier: MIT
// What counting costs a copy, and what a strided View costs a transfer.
#include <stdlib.h>

#include <vector>

#include <Kokkos_Core.hpp>
#include <fmt/format.h>

#include <mylos/core/backend.hpp>
#include <mylos/core/conversions.hpp>
#include <mylos/core/session.hpp>
#include <mylos/transfers.hpp>

#include "support/interleaved.hpp"

namespace {

using mylos_perf::Row;
using OnHost = Kokkos::View<double, mylos::HostSpace>;

// Of one double: what is left is the call itself.
void counting() {
  constexpr int copies = 100'000;
  const OnHost from("from"), to("to");
  const Kokkos::View<double, mylos::DeviceSpace> device("device");
  const auto on_host = [&] {
    for (int i = 0; i < copies; ++i) Kokkos::deep_copy(to, from);
  };
  const auto to_host = [&] {
    for (int i = 0; i < copies / 10; ++i) Kokkos::deep_copy(to, device);
  };
  const auto counted = [](const auto& run) {
    return [&run] {
      const mylos::TransferScope scope;
      run();
    };
  };
  const auto print = [](const Row& row) {
    const std::vector<double> seconds = mylos_perf::smallest_seconds(row, 30);
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      fmt::print("| {} | {} | {:.1f} | {:+.1f} |\n", row.name, row.rivals[i].name, 1e9 * seconds[i] / row.units,
                 1e9 * (seconds[i] - seconds[0]) / row.units);
    }
  };
  print({.name = "copy within the host",
         .units = copies,
         .unit = "copy",
         .rivals = {{"not counted", on_host}, {"not counted, again", on_host}, {"in a scope", counted(on_host)}}});
  print({.name = "copy to the host",
         .units = copies / 10,
         .unit = "copy",
         .rivals = {{"not counted", to_host}, {"not counted, again", to_host}, {"in a scope", counted(to_host)}}});
}

// A column of a matrix of two, against a contiguous View of its size, and that with the packing done apart.
void strided() {
  constexpr int elements = 4'000'000;
  const Kokkos::View<double**, Kokkos::LayoutRight, mylos::DeviceSpace> matrix("matrix", elements, 2);
  const Kokkos::View<double*, mylos::DeviceSpace> row("row", elements);
  const auto column = Kokkos::subview(matrix, Kokkos::ALL, 0);
  const Row work{.name = "to_host, 4e6 doubles",
                 .units = elements,
                 .unit = "element",
                 .rivals = {{"contiguous", [&] { (void)mylos::to_host(row); }},
                            {"packing on the device, then contiguous",
                             [&] {
                               Kokkos::deep_copy(row, column);
                               (void)mylos::to_host(row);
                             }},
                            {"strided", [&] { (void)mylos::to_host(column); }}}};
  const std::vector<double> seconds = mylos_perf::smallest_seconds(work, 20);
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    fmt::print("| {} | {} | {:.2f} | {:.2f} |\n", work.name, work.rivals[i].name, 1e9 * seconds[i] / work.units,
               seconds[i] / seconds[1]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  ::setenv("MYLOS_EMULATOR_THREADS", "1", 1);
  const mylos::Session session(argc, argv);
  mylos::set_backend(mylos::Backend::emulated);
  fmt::print("## transfers\n\n| what | rival | ns per copy | more than the first |\n|---|---|---|---|\n");
  counting();
  fmt::print("\n| what | rival | ns per element | time relative to the second |\n|---|---|---|---|\n");
  strided();
}
