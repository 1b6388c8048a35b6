// SPDX-License-Identifier: MIT
// Calls kernels before Kokkos starts and after it ended, and says what each call throws.
#include <cstdio>
#include <exception>
#include <functional>
#include <string>

#include <Kokkos_Core.hpp>

#include <mylos/core/session.hpp>
#include <mylos/kernel.hpp>

namespace mylos_test {
namespace {

int count = 0;

const mylos::CudaKernel port(R"cuda(extern "C" __global__ void nothing(int n) {})cuda", "nothing");
const mylos::Kernel per_element("per_element", [](std::int64_t, int) { ++count; });
const mylos::Kernel whole("whole", mylos::whole([](const auto&, int) { ++count; }));

void attempt(const std::string& what, const std::function<void()>& call) {
  try {
    call();
    std::printf("%s: ran\n", what.c_str());
  } catch (const std::exception& error) {
    std::printf("%s: %s\n", what.c_str(), error.what());
  }
}

void call_all(const std::string& when) {
  attempt(when + ", port", [] { port({.threads = 1}, 7); });
  attempt(when + ", per element", [] { per_element({.threads = 1}, 7); });
  attempt(when + ", whole", [] { whole(7); });
}

}  // namespace
}  // namespace mylos_test

int main(int argc, char** argv) {
  mylos_test::call_all("early");
  {
    const mylos::Session session(argc, argv);
    mylos_test::call_all("meanwhile");
  }
  mylos_test::call_all("late");
  std::printf("%d\n", mylos_test::count);
}
