// SPDX-License-Identifier: MIT
// A program that counts its own copies; "early": from before Kokkos::initialize.
#include <iostream>
#include <memory>

#include <Kokkos_Core.hpp>

#include <mylos/core/spaces.hpp>
#include <mylos/transfers/scope.hpp>

int main(int argc, char** argv) {
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
