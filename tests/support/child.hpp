// SPDX-License-Identifier: MIT
// Code run in a child process: to be killed, or to have fewer rights than the test itself.
#pragma once

#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <utility>

namespace mylos_test {

/// A forked process that runs `f` and ends without destructors of statics; f's exception: status 1 and its text.
class Child {
 public:
  template <class F>
  explicit Child(F&& f) {
    std::fflush(nullptr);
    id_ = ::fork();
    if (id_ < 0) throw std::runtime_error("cannot fork");
    if (id_ > 0) return;
    int status = 0;
    try {
      std::forward<F>(f)();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
      status = 1;
    }
    std::fflush(nullptr);
    ::_exit(status);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (id_ > 0) kill();
  }

  /// The exit status; minus the signal's number when a signal ended the child.
  int wait() {
    int status = 0;
    ::waitpid(std::exchange(id_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  int kill() {
    ::kill(id_, SIGKILL);
    return wait();
  }

 private:
  pid_t id_ = 0;
};

/// Gives up root for good, so that permissions hold; nothing for another user. Only in a child.
inline void become_nobody() {
  constexpr uid_t nobody = 65534;
  if (::geteuid() == 0 && (::setgid(nobody) != 0 || ::setuid(nobody) != 0)) {
    throw std::runtime_error("cannot give up root");
  }
}

/// Mode bits hold for root, too, from here on, and in the programs that it runs. Only in a child.
inline void obey_permissions() {
  if (::geteuid() != 0) return;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  bool done = ::syscall(SYS_capget, &header, sets.data()) == 0;
  for (const unsigned capability : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH}) {
    done = done && ::prctl(PR_CAPBSET_DROP, capability) == 0;
    for (auto* const set : {&sets[0].effective, &sets[0].permitted, &sets[0].inheritable}) *set &= ~(1U << capability);
  }
  if (!done || ::syscall(SYS_capset, &header, sets.data()) != 0)
    throw std::runtime_error("cannot give up capabilities");
}

}  // namespace mylos_test
