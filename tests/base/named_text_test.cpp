// SPDX-License-Identifier: MIT
#include <mylos/base/named_text.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/files.hpp>

#include "base/embedded_texts.hpp"

namespace mylos_test {
namespace {

namespace fs = std::filesystem;

TEST(NamedText, OfLiteralsHoldsAllOfThem) {
  constexpr mylos::NamedText text = mylos::named_text("n", "a\0b");
  static_assert(text.name == "n" && text.text.size() == 3);
  EXPECT_EQ(text.text, std::string_view("a\0b", 3));
}

TEST(NamedText, EmbeddedFilesAreThereToTheLastByte) {
  const fs::path folder = fs::path(MYLOS_TEXTS_FOLDER);
  ASSERT_EQ(embedded::texts.size(), 3);
  for (const mylos::NamedText& file : embedded::texts.first(2)) {
    EXPECT_EQ(file.text, mylos::read_file(folder / file.name)) << file.name;
    EXPECT_EQ(*(file.text.data() + file.text.size()), '\0') << file.name;
  }
  EXPECT_EQ(embedded::texts[0].name, "empty.txt");
  EXPECT_EQ(embedded::texts[2].name, "any name: x");
  EXPECT_EQ(embedded::texts[2].text, embedded::texts[1].text);
}

// Beside the including file first, then beside the entry; each once, circles too.
TEST(NamedText, IncludedFilesComeWithTheirEntry) {
  ASSERT_EQ(embedded::headers.size(), 1);
  EXPECT_EQ(embedded::headers[0].name, "entry");
  const fs::path folder = fs::path(MYLOS_TEXTS_FOLDER);
  std::vector<std::string> names;
  for (const mylos::NamedText& file : embedded::included) {
    names.emplace_back(file.name);
    EXPECT_EQ(file.text, mylos::read_file(file.name)) << file.name;
  }
  const std::vector<std::string> expected = {folder / "folder/beside.hpp", folder / "beside_entry.hpp",
                                             folder / "entry.hpp", folder / "folder/deep.hpp"};
  EXPECT_EQ(names, expected);
}

}  // namespace
}  // namespace mylos_test
