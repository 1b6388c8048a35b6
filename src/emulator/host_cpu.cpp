// SPDX-License-Identifier: MIT
#include "emulator/host_cpu.hpp"

#ifdef __x86_64__
#  include <cpuid.h>
#else
#  include <sys/auxv.h>
#endif

#include <array>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>

namespace mylos::inline MYLOS_ABI::emulator::detail {
namespace {

#ifdef __x86_64__

// What g++ and clang++ look at for -march=native: model and features. Not /proc/cpuinfo, which takes milliseconds on
// machines of many cores; not what differs from one core of a machine to the next.
std::string ask() {
  struct Question {
    unsigned leaf, subleaf;
    std::array<unsigned, 4> mask;  // of eax, ebx, ecx, edx
  };
  constexpr unsigned all = ~0U;
  constexpr unsigned without_core_number = 0x0000FFFF;  // of leaf 1's ebx
  constexpr std::array questions{
      Question{0, 0, {all, all, all, all}},
      Question{1, 0, {all, without_core_number, all, all}},
      Question{7, 0, {all, all, all, all}},
      Question{7, 1, {all, all, all, all}},
      Question{0xD, 1, {all, 0, 0, 0}},
      Question{0x14, 0, {all, all, all, all}},
      Question{0x19, 0, {all, all, all, all}},
      Question{0x24, 0, {all, all, all, all}},
      Question{0x80000001, 0, {all, all, all, all}},
      Question{0x80000008, 0, {0, all, 0, 0}},
  };
  std::string text;
  for (const Question& question : questions) {
    std::array<unsigned, 4> answer{};
    __get_cpuid_count(question.leaf, question.subleaf, &answer[0], &answer[1], &answer[2], &answer[3]);
    for (std::size_t i = 0; i < answer.size(); ++i) answer[i] &= question.mask[i];
    text += fmt::format("{:08x} ", fmt::join(answer, " "));
  }
  // Whether the system saves the wide registers.
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_OSXSAVE) != 0) {
    unsigned low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    text += fmt::format("{:08x}{:08x}", high, low);
  }
  return text;
}

#else

std::string ask() {
  std::string text = fmt::format("{:x} {:x}", ::getauxval(AT_HWCAP), ::getauxval(AT_HWCAP2));
  try {
    text += read_file("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1");
  } catch (const Error&) {
    return text;  // a processor of another kind: its features are what is known
  }
  return text;
}

#endif

}  // namespace

const std::string& host_cpu() {
  static const std::string answer = ask();
  return answer;
}

}  // namespace mylos::inline MYLOS_ABI::emulator::detail
