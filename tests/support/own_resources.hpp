// SPDX-License-Identifier: MIT
// What this process holds of the system: to see that nothing is left behind.
#pragma once

#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <iterator>

namespace mylos_test {

inline std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

/// Running, or ended and not waited for.
inline bool has_children() {
  siginfo_t unused;
  return ::waitid(P_ALL, 0, &unused, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

}  // namespace mylos_test
