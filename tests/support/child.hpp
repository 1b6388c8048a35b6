// SPDX-License-Identifier: MIT
// Code run in a child process: to be killed, or to have fewer rights than the test itself.
#pragma once

#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

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

}  // namespace mylos_test
