// SPDX-License-Identifier: MIT
// Runs a program of the tests and takes what it prints.
#pragma once

#include <stdlib.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace mylos_test {

struct Ended {
  int status = 0;    ///< exit status; 128 + signal when a signal ended it, as a shell says
  std::string text;  ///< what it wrote, errors included
};

/// `program`: path and arguments, as a shell takes them; `environment` is put in front: "MYLOS_BACKEND=cuda".
inline Ended run_program(const std::string& program, const std::string& environment = "") {
  // What the caller's environment chooses is not what is tested, nor what Kokkos thinks of the number of threads.
  const std::string command = "env -u MYLOS_BACKEND -u MYLOS_DEVICE -u MYLOS_LOG KOKKOS_DISABLE_WARNINGS=1 " +
                              environment + " " + program + " 2>&1";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  Ended ended;
  std::array<char, 512> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) ended.text += line.data();
  const int status = ::pclose(pipe);
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ended;
}

}  // namespace mylos_test
