// SPDX-License-Identifier: MIT
#include "emulator/line_columns.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/elf_file.hpp"
#include "emulator/support.hpp"
#include "emulator/variants.hpp"
#include "support/random_seed.hpp"

namespace mylos_test {
namespace {

using emulator::detail::AddressInLine;
using emulator::detail::columns_of;
using mylos::detail::ElfFile;

std::string shared_object() {
  const auto program = compiled("k",
                                "extern \"C\" __global__ void k(int* x) {\n"
                                "  /* in front */ x[threadIdx.x] = 1;\n"
                                "}");
  return program->variants().usual().image().shared_object;
}

ElfFile::Section section_of(const std::string& bytes, const std::string& name) {
  const ElfFile file(bytes, "a kernel");
  const auto section = std::ranges::find(file.sections(), name, &ElfFile::Section::name);
  return section == file.sections().end() ? ElfFile::Section{} : *section;
}

// All addresses of the code, as if they were in a line.
std::vector<AddressInLine> code_in_line(const std::string& bytes, int line) {
  const auto code = section_of(bytes, ".text");
  std::vector<AddressInLine> places;
  for (std::uint64_t address = code.address; address < code.address + code.size; ++address) {
    places.push_back({address, line});
  }
  return places;
}

std::set<int> columns_in_line(const std::string& bytes, int line) {
  const auto found = columns_of(bytes, code_in_line(bytes, line));
  return {found.begin(), found.end()};
}

TEST(LineColumns, AreThoseOfTheText) {
  const std::string bytes = shared_object();
  const auto columns = columns_in_line(bytes, 2);
  EXPECT_TRUE(std::ranges::any_of(columns, [](int column) { return column >= 18 && column <= 35; }));
  EXPECT_EQ(columns_in_line(bytes, 1000000), std::set<int>{0}) << "no code is in that line";
}

// For the sanitizers: nothing outside of the tables is read, whatever they say.
TEST(LineColumns, DamagedTablesHaveNone) {
  const std::string bytes = shared_object();
  const auto table = section_of(bytes, ".debug_line");
  ASSERT_GT(table.size, 0U);
  std::mt19937_64 random(random_seed());
  for (int round = 0; round < 300; ++round) {
    std::string damaged = bytes;
    for (int i = 0; i < 4; ++i) damaged.at(table.offset + random() % table.size) = static_cast<char>(random());
    EXPECT_EQ(columns_of(damaged, std::vector<AddressInLine>{{4096, 2}}).size(), 1U);
  }
  EXPECT_EQ(columns_of("no file", std::vector<AddressInLine>{{0, 1}}), std::vector<int>{0});
}

}  // namespace
}  // namespace mylos_test
