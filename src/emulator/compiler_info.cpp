// SPDX-License-Identifier: MIT
#include <exception>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/emulator/compiler.hpp>

#include "base/process.hpp"
#include "emulator/command_line.hpp"

namespace mylos::inline MYLOS_ABI::emulator {

CompilerInfo compiler_info() {
  std::vector<std::string> question = detail::compiler_command();
  CompilerInfo info;
  info.command = fmt::format("{}", fmt::join(question, " "));
  question.emplace_back("--version");
  try {
    const mylos::detail::ProcessResult answer = mylos::detail::run_process(question);
    if (!answer.started) {
      info.unusable_reason = fmt::format("cannot run '{}': there is no such program", question.front());
    } else if (answer.exit_code != 0) {
      info.unusable_reason = fmt::format("'{} --version' ends with status {}", info.command, answer.exit_code);
    } else {
      info.version = answer.output.substr(0, answer.output.find('\n'));
    }
  } catch (const std::exception& error) {
    info.unusable_reason = error.what();
  }
  return info;
}

}  // namespace mylos::inline MYLOS_ABI::emulator
