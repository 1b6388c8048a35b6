// SPDX-License-Identifier: MIT
// What other processes, other users and the disk do to a cache.
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <list>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/jit/cache.hpp>

#include "jit/cache_keys.hpp"
#include "support/child.hpp"
#include "support/contains.hpp"
#include "support/log_lines.hpp"
#include "support/random_seed.hpp"
#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

namespace fs = std::filesystem;
using mylos::jit::Cache;

// What a child finds wrong ends it with a message; EXPECT would be lost in it.
void demand(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error(what);
}

// Uses a cache as several compilations do; returns what was logged.
std::vector<std::string> use(const fs::path& folder, std::size_t bytes = 10) {
  LogLines log;
  Cache cache(folder);
  for (const char* name : {"a", "b", "c"}) {
    static_cast<void>(cache.load(key_of(name)));
    cache.store(key_of(name), name, std::string(bytes, name[0]));
  }
  return log.take();
}

void demand_one_line(const std::vector<std::string>& lines, std::initializer_list<std::string_view> pieces) {
  demand(lines.size() == 1, std::to_string(lines.size()) + " lines are logged, not one");
  const auto result = contains(lines[0], pieces);
  demand(result, result.message());
}

// A child that nobody may disturb: as nobody, so that permissions hold for it.
int as_nobody(const std::function<void()>& action) {
  return Child([&] {
           become_nobody();
           action();
         })
      .wait();
}

class CacheProcesses : public ::testing::Test {
 protected:
  void SetUp() override { fs::permissions(outer_.path(), fs::perms{0755}); }

  /// A folder with these permissions, of the user that as_nobody() becomes or of the test's own.
  fs::path make_folder(unsigned mode, bool of_nobody) const {
    const fs::path folder = outer_ / "cache";
    fs::create_directory(folder);
    constexpr uid_t nobody = 65534;
    if (of_nobody && ::geteuid() == 0) {
      EXPECT_EQ(::chown(folder.c_str(), nobody, nobody), 0);
    }
    fs::permissions(folder, fs::perms{mode});
    return folder;
  }
  static std::size_t files_in(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
  }

  TemporaryFolder outer_;
};

TEST_F(CacheProcesses, AFolderThatOthersMayWriteToIsRefusedWithOneWarning) {
  for (const unsigned mode : {0777U, 0770U, 01777U}) {
    const fs::path folder = make_folder(mode, false);
    const auto lines = use(folder);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_TRUE(contains(lines[0], {folder.string(), "may be written by others", "chmod go-w", "MYLOS_CACHE_DIR",
                                    "MYLOS_CACHE_SHARED=1"}));
    EXPECT_EQ(files_in(folder), 0U);
  }
  Cache shared(outer_ / "cache", {.shared = true});
  shared.store(key_of("a"), "", "bytes");
  EXPECT_EQ(shared.load(key_of("a")), "bytes");
}

TEST_F(CacheProcesses, AFolderOfAnotherUserIsRefusedWithOneWarning) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder to another user";
  const fs::path folder = make_folder(0755, true);
  const auto lines = use(folder);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(contains(lines[0], {folder.string(), "belongs to another user", "65534", "MYLOS_CACHE_SHARED=1"}));
  EXPECT_EQ(files_in(folder), 0U);
}

TEST_F(CacheProcesses, AFolderWithoutPermissionIsToldOnce) {
  const fs::path folder = make_folder(0555, true);
  EXPECT_EQ(as_nobody([&] { demand_one_line(use(folder), {folder.string(), "Permission denied", "MYLOS_CACHE_DIR"}); }),
            0);
}

TEST_F(CacheProcesses, AFolderThatCannotBeMadeIsToldOnce) {
  const fs::path parent = make_folder(0555, true);
  EXPECT_EQ(as_nobody([&] {
              demand_one_line(use(parent / "a" / "b"), {(parent / "a" / "b").string(), "Permission denied"});
            }),
            0);
  const auto lines = use("/dev/null/cache");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(contains(lines[0], {"/dev/null/cache", "Not a directory", "MYLOS_CACHE=0"}));
}

// In a child of root: a disk of its own that ends with the child. Where the system forbids it, false.
bool mount_small_disk(const fs::path& folder, unsigned long flags = 0) {
  return ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("none", folder.c_str(), "tmpfs", flags, "size=64k,mode=0700") == 0;
}

TEST_F(CacheProcesses, AFullDiskIsToldOnceAndLeavesNoHalfEntries) {
  const fs::path folder = make_folder(0700, false);
  const auto fill = [&] {
    demand(use(folder).empty(), "the small entries fit");
    if (!mount_small_disk(folder)) {
      const rlimit limit{20000, 20000};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      ::signal(SIGXFSZ, SIG_IGN);
    }
    demand_one_line(use(folder, 100000), {"not kept", folder.string(), "make room", "MYLOS_CACHE_DIR"});
    for (const auto& entry : fs::directory_iterator(folder)) demand(entry.path().filename().string()[0] != '.', "half");
    demand(use(folder, 5).empty(), "there is room again");
  };
  EXPECT_EQ(Child(fill).wait(), 0);
}

TEST_F(CacheProcesses, AReadOnlyDiskIsReadAndToldOnce) {
  const fs::path folder = make_folder(0700, false);
  const int status =
      Child([&] {
        if (!mount_small_disk(folder)) ::_exit(77);
        Cache(folder).store(key_of("a"), "", "bytes");
        demand(::mount("none", folder.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0, "remount");
        demand(Cache(folder).load(key_of("a")) == "bytes", "it is read");
        demand_one_line(use(folder), {"Read-only file system", "MYLOS_CACHE_DIR"});
      }).wait();
  if (status == 77) GTEST_SKIP() << "this system lets nobody mount a disk";
  EXPECT_EQ(status, 0);
}

std::string bytes_of(const std::string& name) {
  std::string bytes;
  std::mt19937_64 random(std::hash<std::string>()(name));
  while (bytes.size() < 3000) bytes += static_cast<char>(random());
  return bytes;
}

// What a program of 50 kernels does at its start; half of the kernels are those of all ranks.
void start_as_rank(const fs::path& folder, int rank) {
  Cache cache(folder);
  for (int k = 0; k < 50; ++k) {
    const std::string name = std::to_string(k) + (k % 2 == 0 ? "" : "of " + std::to_string(rank));
    if (const auto found = cache.load(key_of(name))) {
      demand(*found == bytes_of(name), "wrong bytes");
    } else {
      cache.store(key_of(name), name, bytes_of(name));
    }
  }
}

// Runs 16 children that begin at the same moment.
void start_sixteen(const std::function<void(int)>& action) {
  std::array<int, 2> gate{};
  ASSERT_EQ(::pipe(gate.data()), 0);
  std::list<Child> children;
  for (int rank = 0; rank < 16; ++rank) {
    children.emplace_back([&] {
      ::close(gate[1]);
      char nothing = 0;
      static_cast<void>(::read(gate[0], &nothing, 1));  // until the parent closes its end
      action(rank);
    });
  }
  ::close(gate[0]);
  ::close(gate[1]);
  for (Child& child : children) EXPECT_EQ(child.wait(), 0);
}

TEST_F(CacheProcesses, SixteenMayStartAtOnceOnAnEmptyCache) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr int rounds = 5;  // each takes several times as long there
#else
  constexpr int rounds = 20;
#endif
  for (int round = 0; round < rounds; ++round) {
    const fs::path folder = outer_ / ("deep " + std::to_string(round)) / "cache";
    start_sixteen([&](int rank) {
      LogLines log;
      start_as_rank(folder, rank);
      const auto lines = log.take();
      demand(lines.empty(), lines.empty() ? "" : lines[0]);
    });
    Cache cache(folder);
    const auto entries = cache.entries();
    EXPECT_EQ(entries.size(), 25U + 16U * 25U);
    EXPECT_EQ(files_in(folder), entries.size()) << "no temporary file stays";
    for (const auto& entry : entries) ASSERT_EQ(cache.load(entry.key), bytes_of(entry.description));
  }
}

TEST_F(CacheProcesses, TheFolderMayBeRemovedMeanwhile) {
  const fs::path folder = outer_ / "cache";
  start_sixteen([&](int rank) {
    const LogLines log;  // who loses the folder twice in one store may say so
    for (int round = 0; round < 5; ++round) {
      if (rank == 0) {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
      } else {
        start_as_rank(folder, rank);
      }
    }
  });
}

TEST_F(CacheProcesses, AKilledOneLeavesWholeEntries) {
  const fs::path folder = outer_ / "cache";
  std::mt19937_64 random(random_seed());
  const auto bytes = [](char letter) { return std::string(1 << 18, letter); };
  Cache cache(folder);
  cache.store(key_of("k"), "", bytes('a'));
  LogLines log;
  for (int i = 0; i < 30; ++i) {
    Child writer([&] {
      Cache own(folder);
      for (char letter = 'a';; letter = letter == 'z' ? 'a' : static_cast<char>(letter + 1)) {
        own.store(key_of("k"), "", bytes(letter));
      }
    });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 10000));
    EXPECT_EQ(writer.kill(), -SIGKILL);
    const auto found = cache.load(key_of("k"));
    ASSERT_TRUE(found);
    ASSERT_EQ(*found, bytes(found->front()));
  }
  EXPECT_EQ(log.take(), std::vector<std::string>{});
  for (const auto& entry : fs::directory_iterator(folder)) {
    fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::hours(2));
  }
  Cache(folder).store(key_of("later"), "", "bytes");
  EXPECT_EQ(files_in(folder), 2U) << "what they left half-written is gone an hour later";
}

}  // namespace
}  // namespace mylos_test
