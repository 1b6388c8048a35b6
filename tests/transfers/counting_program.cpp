// SPDX-License-Identifier: MIT
// A program that counts its own copies; "early": from before Kokkos::initialize; "late": in destructors of static
// objects, which come behind those of the thread.
#include <iostream>
#include <memory>
#include <string_view>

#include <Kokkos_Core.hpp>

#include <mylos/core/spaces.hpp>
#include <mylos/transfers/region.hpp>
#include <mylos/transfers/scope.hpp>

namespace {

struct Solver {
  const Kokkos::View<double*, mylos::HostSpace> host{"a label that is no short string", 5},
      other{"likewise, not short", 5};
  const mylos::Region region{"the whole run"};
  const mylos::TransferScope scope;

  ~Solver() {
    Kokkos::deep_copy(other, host);
    std::cout << scope.counts().report() << std::endl;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "late") {
    static const Kokkos::ScopeGuard kokkos_of_all(argc, argv);
    static const Solver solver;
    Kokkos::deep_copy(solver.other, solver.host);
    return 0;
  }
  std::unique_ptr<mylos::TransferScope> scope;
  if (argc > 1) scope = std::make_unique<mylos::TransferScope>();
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (scope == nullptr) scope = std::make_unique<mylos::TransferScope>();
  const Kokkos::View<double*, mylos::DeviceSpace> device("device", 5);
  const Kokkos::View<double*, mylos::HostSpace> host("host", 5), other("other", 5);
  Kokkos::deep_copy(device, host);
  Kokkos::deep_copy(host, device);
  Kokkos::deep_copy(other, host);
  const mylos::TransferCounts& counts = scope->counts();
  std::cout << "scope: " << counts.to_device << " to device, " << counts.to_host << " to host, " << counts.host_copy
            << " on the host, " << (counts.complete ? "complete" : "not complete") << std::endl;
}
