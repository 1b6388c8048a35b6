// SPDX-License-Identifier: MIT
// Small programs for tests that need a process of their own: what is chosen once, and how a process ends.
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <Kokkos_Core.hpp>

#include <mylos/base/version.hpp>
#include <mylos/core.hpp>

namespace mylos_test {
namespace {

using mylos::Backend;
using DeviceVector = Kokkos::View<double*, mylos::DeviceSpace>;

struct Arguments {
  int& argc;
  char**& argv;
};

void say(const std::string& text) { std::printf("%s\n", text.c_str()); }

void say_backend() { say(std::string(to_string(mylos::backend()))); }

void touch_device() { Kokkos::deep_copy(DeviceVector("touched", 3), 1.0); }

/// Runs `f` and says what it throws.
void attempt(const std::function<void()>& f) {
  try {
    f();
    say("ok");
  } catch (const std::exception& error) {
    say(error.what());
  }
}

void backend(Arguments) { say_backend(); }

void backend_twice(Arguments) {
  attempt(say_backend);
  attempt(say_backend);
}

void precedence(Arguments) {
  say_backend();
  mylos::set_backend(Backend::host);
  say_backend();
  const mylos::ScopedBackend scoped(Backend::emulated);
  say_backend();
}

void cuda_without_driver(Arguments) {
  say(mylos::cuda_available() ? "available" : "not available");
  attempt([] { mylos::set_backend(Backend::cuda); });
  say_backend();
  attempt([] { const mylos::ScopedBackend scoped(Backend::cuda); });
  mylos::set_backend(Backend::cuda, mylos::Fallback::to_host);
  say_backend();
}

void device_is_late(Arguments arguments) {
  const mylos::Session session(arguments.argc, arguments.argv);
  attempt([] { mylos::set_device(7); });
  attempt([] { mylos::set_device(0); });
  touch_device();
  attempt([] { mylos::set_device(0); });
}

void device_of_environment(Arguments arguments) {
  const mylos::Session session(arguments.argc, arguments.argv);
  attempt(touch_device);
}

void info(Arguments) { say(mylos::backend_info()); }

void nothing(Arguments arguments) { const mylos::Session session(arguments.argc, arguments.argv); }

void use(Arguments arguments) {
  const mylos::Session session(arguments.argc, arguments.argv);
  touch_device();
  const auto streams = Kokkos::Experimental::partition_space(mylos::Device(), 1);
  const mylos::CopyCounter counter;
  mylos::to_host(DeviceVector("copied", 3));
}

void left_allocations(Arguments arguments) {
  const mylos::Session session(arguments.argc, arguments.argv);
  for (const std::size_t bytes : {100, 200, 300}) static_cast<void>(mylos::DeviceSpace().allocate("left", bytes));
}

void nested_sessions(Arguments arguments) {
  const mylos::Session outer(arguments.argc, arguments.argv);
  {
    const mylos::Session inner(arguments.argc, arguments.argv);
  }
  say(Kokkos::is_finalized() ? "ended" : "alive");
  touch_device();
}

void session_inside_kokkos(Arguments arguments) {
  Kokkos::initialize(arguments.argc, arguments.argv);
  {
    const mylos::Session session(arguments.argc, arguments.argv);
  }
  say(Kokkos::is_finalized() ? "ended" : "alive");
  touch_device();
  Kokkos::finalize();
}

void kokkos_ends_first(Arguments arguments) {
  const mylos::Session session(arguments.argc, arguments.argv);
  touch_device();
  Kokkos::finalize();
}

void session_after_the_end(Arguments arguments) {
  {
    const mylos::Session session(arguments.argc, arguments.argv);
  }
  attempt([&] { const mylos::Session again(arguments.argc, arguments.argv); });
}

void thrown_out_of_main(Arguments arguments) {
  const mylos::Session session(arguments.argc, arguments.argv);
  const DeviceVector view("view", 3);
  throw std::runtime_error("out of main");
}

void engine_after_the_end(Arguments arguments) {
  {
    const mylos::Session session(arguments.argc, arguments.argv);
    touch_device();
  }
  attempt([] { mylos::memory_info(); });
  mylos::Device().fence();  // nothing is under way, so this is no error
}

void engine_before_the_start(Arguments) {
  const mylos::Device early;
  Kokkos::View<double*, mylos::DeviceSpace> unallocated;
  attempt([] { mylos::memory_info(); });
  say(std::to_string(mylos::max_shared_memory_per_block()));
}

void view_before_the_start(Arguments) { touch_device(); }

void static_view(Arguments arguments) {
  static DeviceVector outlives;
  const mylos::Session session(arguments.argc, arguments.argv);
  outlives = DeviceVector("outlives_everything", 3);
}

void static_empty_view(Arguments arguments) {
  static DeviceVector outlives;
  const mylos::Session session(arguments.argc, arguments.argv);
  outlives = DeviceVector("empty_but_alive", 0);
}

void static_stream(Arguments arguments) {
  static std::optional<mylos::Device> outlives;
  const mylos::Session session(arguments.argc, arguments.argv);
  outlives = Kokkos::Experimental::partition_space(mylos::Device(), 1)[0];
}

const std::map<std::string, void (*)(Arguments)> programs{
    {"backend", backend},
    {"backend_twice", backend_twice},
    {"cuda_without_driver", cuda_without_driver},
    {"device_is_late", device_is_late},
    {"device_of_environment", device_of_environment},
    {"engine_after_the_end", engine_after_the_end},
    {"engine_before_the_start", engine_before_the_start},
    {"info", info},
    {"kokkos_ends_first", kokkos_ends_first},
    {"left_allocations", left_allocations},
    {"nested_sessions", nested_sessions},
    {"nothing", nothing},
    {"precedence", precedence},
    {"session_after_the_end", session_after_the_end},
    {"session_inside_kokkos", session_inside_kokkos},
    {"static_empty_view", static_empty_view},
    {"static_stream", static_stream},
    {"static_view", static_view},
    {"thrown_out_of_main", thrown_out_of_main},
    {"use", use},
    {"view_before_the_start", view_before_the_start},
};

}  // namespace
}  // namespace mylos_test

int main(int argc, char** argv) {
  try {
    mylos_test::programs.at(argv[1])({argc, argv});
  } catch (const std::exception& error) {
    std::printf("main: %s\n", error.what());
    return 1;
  }
}
