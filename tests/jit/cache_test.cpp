// SPDX-License-Identifier: MIT
#include <mylos/jit/cache.hpp>

#include <unistd.h>

#include <chrono>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <pwd.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/base/hash.hpp>

#include "jit/cache_keys.hpp"
#include "jit/keeping.hpp"
#include "support/contains.hpp"
#include "support/log_lines.hpp"
#include "support/random_seed.hpp"
#include "support/scoped_variable.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

namespace fs = std::filesystem;
using mylos::jit::Cache;

std::string random_bytes(std::mt19937_64& random, std::size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

class CacheTest : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path folder() const { return outer_ / "the cache"; }
  [[nodiscard]] fs::path file_of(const std::string& name) const { return folder() / (key_of(name) + ".kernel"); }
  static fs::perms permissions(const fs::path& path) { return fs::status(path).permissions(); }
  static void make_old(const fs::path& path, std::chrono::minutes age) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - age);
  }

  TemporaryFolder outer_;
  LogLines log_;
};

TEST_F(CacheTest, KeepsBytesForOtherProcesses) {
  std::mt19937_64 random(random_seed());
  const std::vector<std::string> values = {"", "text", std::string("\0\n\0", 3), random_bytes(random, 1 << 20)};
  for (const std::string& value : values) {
    Cache(folder()).store(key_of("k"), "kernel 'k'\nof two lines", value);
    EXPECT_EQ(Cache(folder()).load(key_of("k")), value);
    EXPECT_EQ(Cache(folder()).load(key_of("other")), std::nullopt);
  }
  EXPECT_EQ(log_.take(), std::vector<std::string>{});
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 1) << "no temporary file stays";
}

TEST_F(CacheTest, LooksWithoutMakingFolders) {
  EXPECT_EQ(Cache(folder()).load(key_of("k")), std::nullopt);
  EXPECT_TRUE(Cache(folder()).entries().empty());
  EXPECT_EQ(Cache(folder()).clear(), 0U);
  EXPECT_FALSE(fs::exists(folder()));
}

TEST_F(CacheTest, MakesFoldersForTheirOwnerOnly) {
  Cache(folder() / "v 1" / "kernels").store(key_of("k"), "", "bytes");
  for (const fs::path& made : {folder(), folder() / "v 1", folder() / "v 1" / "kernels"}) {
    EXPECT_EQ(permissions(made), fs::perms::owner_all) << made;
  }
  EXPECT_EQ(permissions(folder() / "v 1" / "kernels" / (key_of("k") + ".kernel")),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(CacheTest, RefusesWhatIsNoKey) {
  Cache cache(folder());
  for (const std::string& key : {std::string(), std::string("../../x"), key_of("k") + "0", std::string(32, 'G')}) {
    EXPECT_TRUE(contains(thrown<mylos::ValueError>([&] { cache.store(key, "", "bytes"); }), {key, "Hasher::hex()"}));
    EXPECT_EQ(cache.load(key), std::nullopt);
  }
}

TEST_F(CacheTest, DamagedEntriesAreToldAndReplaced) {
  Cache cache(folder());
  cache.store(key_of("k"), "kernel 'k'", "the bytes");
  const std::string whole = mylos::read_file(file_of("k"));
  std::vector<std::string> damaged = {"", whole.substr(0, 10), whole.substr(0, whole.size() - 1), whole + "x"};
  for (std::size_t i = 0; i < whole.size(); ++i) {
    damaged.push_back(whole);
    damaged.back()[i] = static_cast<char>(whole[i] ^ (1 << (i % 8)));
  }
  for (const std::string& contents : damaged) {
    std::ofstream(file_of("k"), std::ios::binary) << contents;
    EXPECT_EQ(cache.load(key_of("k")), std::nullopt) << contents;
    const auto lines = log_.take();
    ASSERT_EQ(lines.size(), 1U) << contents;
    EXPECT_TRUE(contains(lines[0], {"damaged", "compiled again", file_of("k").string()}));
  }
  cache.store(key_of("k"), "kernel 'k'", "the bytes");
  EXPECT_EQ(cache.load(key_of("k")), "the bytes");
}

TEST_F(CacheTest, AnEntryUnderAnotherKeysNameIsDamaged) {
  Cache cache(folder());
  cache.store(key_of("k"), "", "bytes of k");
  fs::rename(file_of("k"), file_of("other"));
  EXPECT_EQ(cache.load(key_of("other")), std::nullopt);
  EXPECT_EQ(log_.take_count("damaged"), 1);
}

TEST_F(CacheTest, EntriesThatAreNoFilesOrOthersMayWriteAreReplaced) {
  Cache cache(folder());
  cache.store(key_of("k"), "", "bytes");
  fs::permissions(file_of("k"), fs::perms{0666});
  EXPECT_EQ(cache.load(key_of("k")), std::nullopt);
  EXPECT_EQ(log_.take_count("may be written by others (mode 0666)"), 1);
  cache.store(key_of("k"), "", "bytes");
  EXPECT_EQ(cache.load(key_of("k")), "bytes");

  fs::create_directory(file_of("folder"));
  EXPECT_EQ(cache.load(key_of("folder")), std::nullopt);
  EXPECT_EQ(log_.take_count("cannot be read"), 1);
}

TEST_F(CacheTest, LeavesFilesOfOthersAlone) {
  Cache cache(folder());
  for (const char* name : {"a", "b", "c"}) cache.store(key_of(name), std::string("kernel ") + name, "bytes");
  make_old(file_of("b"), std::chrono::hours(2));
  std::ofstream(folder() / "thesis.tex") << "text";
  std::ofstream(folder() / ("." + key_of("a") + ".kernel.host.1.00.tmp")) << "half";
  const auto entries = cache.entries();
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[2].key, key_of("b")) << "the one used last comes first";
  EXPECT_EQ(entries[2].description, "kernel b");
  EXPECT_EQ(entries[2].bytes, fs::file_size(file_of("b")));
  EXPECT_EQ(cache.clear(), 3U);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 1);
  EXPECT_EQ(mylos::read_file(folder() / "thesis.tex"), "text");
}

TEST_F(CacheTest, RemovesWhatWasNotUsedForLongest) {
  const std::string bytes(10000, 'x');
  constexpr mylos::jit::CacheOptions options{.shared = false, .most_bytes = 85000};
  for (int i = 0; i < 8; ++i) {
    Cache(folder(), options).store(key_of(std::to_string(i)), "", bytes);
    make_old(file_of(std::to_string(i)), std::chrono::hours(20 - i));
  }
  EXPECT_EQ(Cache(folder(), options).load(key_of("0")), bytes) << "used now";
  Cache(folder(), options).store(key_of("new"), "", bytes);
  std::set<std::string> left;
  for (const auto& entry : Cache(folder()).entries()) left.insert(entry.key);
  std::set<std::string> expected = {key_of("0"), key_of("new")};
  for (int i = 3; i < 8; ++i) expected.insert(key_of(std::to_string(i)));
  EXPECT_EQ(left, expected);

  Cache(folder(), options).store(key_of("huge"), "", std::string(90000, 'x'));
  EXPECT_EQ(Cache(folder()).entries().size(), expected.size()) << "what is larger than the bound is not kept";
}

TEST_F(CacheTest, RemovesHalfWrittenFilesThatAreOlderThanAnHour) {
  fs::create_directories(folder());
  fs::permissions(folder(), fs::perms::owner_all);
  const fs::path old = folder() / ("." + key_of("a") + ".kernel.host.1.00.tmp");
  const fs::path fresh = folder() / ("." + key_of("b") + ".kernel.host.1.00.tmp");
  for (const fs::path& path : {old, fresh}) std::ofstream(path) << "half";
  make_old(old, std::chrono::minutes(61));
  Cache(folder()).store(key_of("k"), "", "bytes");
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh)) << "its process may still write it";
}

TEST_F(CacheTest, MayBeUsedByThreads) {
  Cache cache(folder(), {.shared = false, .most_bytes = 200000});
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&cache] {
      for (int i = 0; i < 40; ++i) {
        const std::string name = std::to_string(i % 10), bytes(1000 * (1 + i % 10), name[0]);
        if (const auto found = cache.load(key_of(name))) {
          EXPECT_EQ(*found, bytes);
        }
        cache.store(key_of(name), "", bytes);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cache.entries().size(), 10U);
  EXPECT_EQ(log_.take(), std::vector<std::string>{});
}

// Two versions of Mylos that share a folder: neither takes what the other has compiled, both find their own.
TEST_F(CacheTest, VersionsOfMylosDoNotShareEntries) {
  const auto key = [](const char* version) { return mylos::jit::detail::begin_key("NVRTC 13.0", version).hex(); };
  Cache(folder()).store(key("v0_1 0.1.0"), "", "old");
  Cache(folder()).store(key("v0_1 0.1.1"), "", "new");
  EXPECT_EQ(Cache(folder()).load(key("v0_1 0.1.0")), "old");
  EXPECT_EQ(Cache(folder()).load(key("v0_1 0.1.1")), "new");
  EXPECT_EQ(mylos::jit::detail::begin_key("NVRTC 13.0").hex(), key(mylos::jit::detail::own_version().c_str()));
  EXPECT_NE(mylos::jit::detail::begin_key("NVRTC 12.9").hex(), mylos::jit::detail::begin_key("NVRTC 13.0").hex());
}

class CacheOfProcess : public ::testing::Test {
 protected:
  static fs::path folder() {
    Cache* const cache = Cache::of_process();
    return cache == nullptr ? fs::path("none") : cache->folder();
  }

  ScopedVariable on_{"MYLOS_CACHE", nullptr}, folder_{"MYLOS_CACHE_DIR", nullptr}, xdg_{"XDG_CACHE_HOME", nullptr},
      shared_{"MYLOS_CACHE_SHARED", nullptr}, size_{"MYLOS_CACHE_SIZE", nullptr}, home_{"HOME", "/homes/of me"};
};

TEST_F(CacheOfProcess, IsWhereTheFirstVariableSays) {
  EXPECT_EQ(folder(), "/homes/of me/.cache/mylos");
  const ScopedVariable xdg("XDG_CACHE_HOME", "/xdg");
  EXPECT_EQ(folder(), "/xdg/mylos");
  const ScopedVariable own("MYLOS_CACHE_DIR", "/own folder");
  EXPECT_EQ(folder(), "/own folder");
  EXPECT_EQ(Cache::of_process(), Cache::of_process());
  const ScopedVariable relative("MYLOS_CACHE_DIR", "here");
  EXPECT_EQ(folder(), fs::current_path() / "here");
}

TEST_F(CacheOfProcess, TakesARelativeXdgFolderForNone) {
  const ScopedVariable xdg("XDG_CACHE_HOME", "here");
  EXPECT_EQ(folder(), "/homes/of me/.cache/mylos");
}

TEST_F(CacheOfProcess, AsksTheListOfUsersWhereThereIsNoHome) {
  const ScopedVariable home("HOME", nullptr);
  const passwd* const user = ::getpwuid(::geteuid());
  EXPECT_EQ(folder(), user != nullptr ? fs::path(user->pw_dir) / ".cache" / "mylos" : fs::path("none"));
}

TEST_F(CacheOfProcess, IsSwitchedOff) {
  const ScopedVariable off("MYLOS_CACHE", "0");
  EXPECT_EQ(Cache::of_process(), nullptr);
}

TEST_F(CacheOfProcess, RefusesOtherValues) {
  for (const auto& [name, value] : std::vector<std::pair<std::string, const char*>>{
           {"MYLOS_CACHE", "maybe"}, {"MYLOS_CACHE_SHARED", "2"}, {"MYLOS_CACHE_SIZE", "0"}}) {
    const ScopedVariable bad(name, value);
    EXPECT_TRUE(contains(thrown<mylos::ValueError>([] { static_cast<void>(Cache::of_process()); }), {name, value}));
  }
}

}  // namespace
}  // namespace mylos_test
