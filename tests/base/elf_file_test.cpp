// SPDX-License-Identifier: MIT
#include "base/elf_file.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>

#include "support/contains.hpp"
#include "support/random_seed.hpp"
#include "support/thrown.hpp"

// Variables of this program, which is an ELF file.
extern "C" {
[[gnu::used]] unsigned mylos_test_numbers[3] = {7, 0, 4000000000};
[[gnu::used]] unsigned mylos_test_zeros[2];
}

namespace mylos_test {
namespace {

using mylos::detail::ElfFile;

const std::string& this_program() {
  static const std::string bytes = mylos::read_file("/proc/self/exe");
  return bytes;
}

std::string content_of(const ElfFile& file, const std::string& name) {
  const auto found = std::ranges::find(file.symbols(), name, &ElfFile::Symbol::name);
  return found == file.symbols().end() ? "not there" : file.content(*found);
}

TEST(ElfFile, KnowsVariables) {
  EXPECT_TRUE(ElfFile::is_elf(this_program()));
  const ElfFile file(this_program(), "this program");
  const std::string numbers = content_of(file, "mylos_test_numbers");
  ASSERT_EQ(numbers.size(), sizeof mylos_test_numbers);
  EXPECT_EQ(std::memcmp(numbers.data(), mylos_test_numbers, numbers.size()), 0);
  EXPECT_EQ(content_of(file, "mylos_test_zeros"), std::string(8, '\0'));
  EXPECT_EQ(content_of(file, "mylos_test_absent"), "not there");
}

TEST(ElfFile, KnowsSectionsByName) {
  const ElfFile file(this_program(), "this program");
  const auto symbols = std::ranges::find(file.sections(), ".symtab", &ElfFile::Section::name);
  ASSERT_NE(symbols, file.sections().end());
  EXPECT_EQ(symbols->type, std::uint32_t{SHT_SYMTAB});
}

TEST(ElfFile, RefusesWhatIsNone) {
  const auto refusal = [](const std::string& bytes) {
    return thrown<mylos::Error>([&] { const ElfFile file(bytes, "the image"); });
  };
  EXPECT_TRUE(contains(refusal(""), {"the image", "no 64-bit ELF file"}));
  EXPECT_TRUE(contains(refusal("// PTX"), {"no 64-bit ELF file"}));
  EXPECT_TRUE(contains(refusal(this_program().substr(0, 30)), {"no 64-bit ELF file"}));
  EXPECT_TRUE(contains(refusal(this_program().substr(0, this_program().size() / 2)), {"it ends early"}));
}

// Reads all that there is to read; what it says does not matter.
void read_all(const std::string& bytes) {
  try {
    const ElfFile file(bytes, "the image");
    for (const ElfFile::Section& section : file.sections()) static_cast<void>(file.content(section));
    static_cast<void>(content_of(file, "mylos_test_numbers"));
    static_cast<void>(content_of(file, "mylos_test_zeros"));
  } catch (const mylos::Error&) {
  }
}

// For the sanitizers: nothing outside of the bytes is read, whatever they say.
TEST(ElfFile, ReadsNothingOutsideOfDamagedBytes) {
  std::mt19937_64 random(random_seed());
  const ElfFile whole(this_program(), "this program");
  std::uint64_t headers = 0;
  std::memcpy(&headers, this_program().data() + 40, sizeof headers);  // e_shoff
  const std::uint64_t header_bytes = this_program().size() - headers;
  const auto number = [&](std::uint64_t below) {
    return std::uniform_int_distribution<std::uint64_t>(0, below - 1)(random);
  };
  for (int run = 0; run < 150; ++run) {
    std::string bytes = this_program();
    for (int flip = 0; flip < 3; ++flip) {
      const std::uint64_t at = run % 3 == 0 ? number(64) : headers + number(header_bytes);
      bytes[at] = static_cast<char>(bytes[at] ^ (1U << number(8)));
    }
    read_all(bytes);
    if (run % 3 == 1) read_all(bytes.substr(0, number(bytes.size())));
  }
}

}  // namespace
}  // namespace mylos_test
