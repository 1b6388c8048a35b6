// SPDX-License-Identifier: MIT
#include <mylos/base/files.hpp>

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>

#include "support/child.hpp"
#include "support/contains.hpp"
#include "support/random_seed.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  const TemporaryFolder folder_;
  const fs::path path_ = folder_ / "file.bin";
};

void expect(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

TEST_F(Files, GivesBackEveryByte) {
  std::mt19937_64 random(random_seed());
  for (const std::size_t size : {0UL, 1UL, 65536UL, 1000003UL}) {
    std::string bytes(size, '\0');
    std::ranges::generate(bytes, [&] { return static_cast<char>(random()); });
    mylos::write_file_atomically(path_, bytes);
    EXPECT_EQ(mylos::read_file(path_), bytes);
  }
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"file.bin"}));
}

TEST_F(Files, ReadsFilesThatHideTheirSize) { EXPECT_TRUE(contains(mylos::read_file("/proc/self/status"), {"Pid:"})); }

TEST_F(Files, WhatCannotBeReadIsNamed) {
  EXPECT_TRUE(contains(thrown<mylos::Error>([&] { (void)mylos::read_file(path_); }),
                       {"cannot read", path_.string(), "No such file"}));
  EXPECT_TRUE(contains(thrown<mylos::Error>([&] { (void)mylos::read_file(folder_.path()); }),
                       {"cannot read", folder_.path().string(), "Is a directory"}));
  EXPECT_TRUE(contains(thrown<mylos::Error>([] { (void)mylos::read_file("/dev/null"); }),
                       {"cannot read", "/dev/null", "not a regular file"}));
}

TEST_F(Files, NotPublishedIsNotThere) {
  mylos::write_file_atomically(path_, "old");
  {
    mylos::StagedFile staged(path_);
    staged.write("new");
    EXPECT_EQ(staged.target(), path_);
    EXPECT_EQ(staged.path().parent_path(), path_.parent_path());
    EXPECT_EQ(mylos::read_file(path_), "old");
    EXPECT_EQ(mylos::read_file(staged.path()), "new");
  }
  EXPECT_EQ(mylos::read_file(path_), "old");
  EXPECT_EQ(folder_.names().size(), 1U);
}

TEST_F(Files, PublishedOnceOnly) {
  mylos::StagedFile staged(path_);
  staged.write("a");
  staged.write("b");
  staged.publish();
  EXPECT_EQ(mylos::read_file(path_), "ab");
  EXPECT_TRUE(contains(thrown<mylos::Error>([&] { staged.publish(); }), {path_.string(), "published already"}));
  EXPECT_TRUE(contains(thrown<mylos::Error>([&] { staged.write("c"); }), {path_.string(), "published already"}));
}

TEST_F(Files, NewFileDoesNotReplaceOneThatCameInBetween) {
  mylos::StagedFile staged(path_);
  staged.write("late");
  mylos::write_file_atomically(path_, "early");
  EXPECT_TRUE(contains(thrown<mylos::Error>([&] { staged.publish(mylos::IfExists::refuse); }),
                       {"rename to", path_.string(), "File exists"}));
  EXPECT_EQ(mylos::read_file(path_), "early");
  std::filesystem::remove(path_);
  staged.publish(mylos::IfExists::refuse);
  EXPECT_EQ(mylos::read_file(path_), "late");
}

TEST_F(Files, TwoWritersOfOneTargetDoNotMeet) {
  mylos::StagedFile first(path_);
  mylos::StagedFile second(path_);
  EXPECT_NE(first.path(), second.path());
  first.write("first");
  second.write("second");
  second.publish();
  EXPECT_EQ(mylos::read_file(path_), "second");
  first.publish();
  EXPECT_EQ(mylos::read_file(path_), "first");
}

TEST_F(Files, LongestNameWorks) {
  const fs::path path = folder_ / std::string(255, 'x');
  mylos::write_file_atomically(path, "long");
  EXPECT_EQ(mylos::read_file(path), "long");
}

TEST_F(Files, RespectsTheMask) {
  const mode_t before = ::umask(027);
  mylos::write_file_atomically(path_, "x");
  ::umask(before);
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms{0640});
}

TEST_F(Files, TargetsThatNoFileCanTakeThePlaceOfAreRefused) {
  const auto refusal = [](const fs::path& target) {
    return thrown<mylos::Error>([&] { const mylos::StagedFile file(target); });
  };
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  fs::create_directory_symlink(folder_.path(), folder_ / "link");
  EXPECT_TRUE(contains(refusal(""), {"cannot create file ''", "the path is empty", "give the name of a file"}));
  for (const fs::path& folder : {folder_.path(), folder_.path() / "", folder_ / "link", fs::path("/")}) {
    EXPECT_TRUE(contains(refusal(folder), {"cannot create file", folder.string(), "it is a folder"}));
  }
  for (const fs::path& other : {pipe, fs::path("/dev/null")}) {
    EXPECT_TRUE(contains(refusal(other), {"cannot create file", other.string(), "is not a regular file"}));
  }
  EXPECT_TRUE(contains(refusal(folder_ / std::string(300, 'x')), {"xxx", "File name too long"}));
  EXPECT_EQ(folder_.names().size(), 2U);
}

TEST_F(Files, FolderThatIsAFileIsRefused) {
  mylos::write_file_atomically(path_, "x");
  EXPECT_TRUE(contains(thrown<mylos::Error>([&] { mylos::write_file_atomically(path_ / "below", "y"); }),
                       {"cannot create", "below", "Not a directory", "may be written"}));
}

TEST_F(Files, FolderWithoutPermissionIsRefused) {
  fs::permissions(folder_.path(), fs::perms{0555});
  Child child([&] {
    become_nobody();
    try {
      mylos::write_file_atomically(path_, "x");
    } catch (const mylos::Error& error) {
      expect(contains(error.what(), {"cannot create", "file.bin", "Permission denied"}), error.what());
      return;
    }
    expect(false, "it was written");
  });
  EXPECT_EQ(child.wait(), 0);
  fs::permissions(folder_.path(), fs::perms{0755});
}

TEST_F(Files, FullDiskLeavesTheOldFile) {
  mylos::write_file_atomically(path_, "old");
  Child child([&] {
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::signal(SIGXFSZ, SIG_IGN);
    try {
      mylos::write_file_atomically(path_, std::string(5000, 'n'));
    } catch (const mylos::Error& error) {
      expect(contains(error.what(), {"cannot write", "file.bin", "File too large"}), error.what());
      return;
    }
    expect(false, "it was written");
  });
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(mylos::read_file(path_), "old");
  EXPECT_EQ(folder_.names(), (std::vector<std::string>{"file.bin"}));
}

TEST_F(Files, KilledWriterLeavesAWholeFile) {
  constexpr std::size_t size = 1 << 18;
  std::mt19937_64 random(random_seed());
  mylos::write_file_atomically(path_, std::string(size, 'a'));
  for (int i = 0; i < 20; ++i) {
    Child writer([&] {
      for (char letter = 'a';; letter = letter == 'z' ? 'a' : static_cast<char>(letter + 1)) {
        mylos::StagedFile staged(path_);
        for (int half = 0; half < 2; ++half) staged.write(std::string(size / 2, letter));
        staged.publish();
      }
    });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 10000));
    EXPECT_EQ(writer.kill(), -SIGKILL);
    const std::string bytes = mylos::read_file(path_);
    ASSERT_EQ(bytes.size(), size);
    EXPECT_EQ(bytes, std::string(size, bytes[0]));
  }
}

}  // namespace
}  // namespace mylos_test
