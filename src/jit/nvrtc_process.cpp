// SPDX-License-Identifier: MIT
#include "jit/nvrtc_process.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <exception>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <mylos/base/error.hpp>
#include <mylos/base/log.hpp>

#include "jit/keeping.hpp"
#include "jit/nvrtc_messages.hpp"

namespace mylos::inline MYLOS_ABI::jit::detail {
namespace {

namespace fs = std::filesystem;
using mylos::detail::Channel;
using mylos::detail::ChildProcess;

constinit thread_local ScopedNvrtcProcess* innermost = nullptr;

std::string ending(std::optional<int> exit_code) {
  if (!exit_code) return "ended";
  return *exit_code > 128 ? fmt::format("was ended by signal {}", *exit_code - 128)
                          : fmt::format("ended with exit code {}", *exit_code);
}

// Throws Error for a program that is not there, or is not ours.
std::unique_ptr<ChildProcess> started(const std::string& program) {
  if (program.empty())
    throw Error("the library of Mylos, static or copied alone, has no mylos_kernel_compiler beside it");
  auto process = std::make_unique<ChildProcess>(std::vector<std::string>{program, "serve"});
  const std::optional<std::string> version = process->channel().receive();
  if (!version) throw Error(fmt::format("{} {}", program, ending(process->end())));
  if (*version != own_version()) throw Error(fmt::format("{} is of another Mylos, {}", program, *version));
  log::debug(fmt::format("{} compiles for this process, as process {}", program, process->id()));
  return process;
}

void tell_once(const char* why) {
  static std::atomic<bool> told = false;
  if (told.exchange(true)) return;
  log::info(fmt::format(
      "kernels are compiled for GPUs one at a time, whatever the number of jobs: NVRTC does no more in a process, and "
      "no other one can be had to compile for this one: {}",
      why));
}

}  // namespace

std::string nvrtc_program() {
  static const char inside = 0;
  Dl_info info = {};
  if (::dladdr(&inside, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code code;
  const fs::path folder = fs::canonical(info.dli_fname, code).parent_path();
  for (const char* place : {MYLOS_PROGRAM_FROM_LIBRARY, MYLOS_PROGRAM_FROM_BUILT_LIBRARY}) {
    const fs::path program = (folder / place).lexically_normal();
    if (!code && ::access(program.c_str(), X_OK) == 0) return program.string();
  }
  return {};
}

ScopedNvrtcProcess::ScopedNvrtcProcess(std::string program)
    : program_(std::move(program)), outer_(std::exchange(innermost, this)) {}

ScopedNvrtcProcess::~ScopedNvrtcProcess() { innermost = outer_; }

cuda::NvrtcResult ScopedNvrtcProcess::compile(const cuda::Nvrtc& nvrtc, const cuda::NvrtcRequest& request) {
  // One that leaves by an exception may still be answering: it is not asked again.
  std::unique_ptr<ChildProcess> process = std::move(process_);
  try {
    if (process == nullptr && is_usable_) process = started(program_);
  } catch (const std::exception& error) {
    is_usable_ = false;
    tell_once(error.what());
  }
  if (process == nullptr) return nvrtc.compile(request);
  std::optional<std::string> answer;
  if (process->channel().send(packed(nvrtc.path(), request))) answer = process->channel().receive();
  if (!answer) {
    throw CompileError(
        fmt::format("{} does not compile: the process that compiled it by NVRTC {} ({}) {}: it may have needed more "
                    "memory than there is, or that NVRTC has a fault: try fewer jobs, or another NVRTC (MYLOS_NVRTC)",
                    request.file_name, nvrtc.version(), nvrtc.path(), ending(process->end())),
        "");
  }
  process_ = std::move(process);
  return result_in(*answer);
}

cuda::NvrtcResult compile_by_nvrtc(const cuda::Nvrtc& nvrtc, const cuda::NvrtcRequest& request) {
  return innermost == nullptr ? nvrtc.compile(request) : innermost->compile(nvrtc, request);
}

void serve_nvrtc() {
  Channel channel(STDIN_FILENO);
  if (!channel.send(own_version())) {
    throw Error("cannot compile for another program: the standard input is no socket: only a library of Mylos asks so");
  }
  while (const std::optional<std::string> request = channel.receive()) {
    if (!channel.send(answer_to(*request))) return;
  }
}

}  // namespace mylos::inline MYLOS_ABI::jit::detail
