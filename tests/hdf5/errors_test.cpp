// SPDX-License-Identifier: MIT
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>
#include <mylos/hdf5/file.hpp>

#include "support/child.hpp"
#include "support/contains.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

namespace hdf5 = mylos::hdf5;
using hdf5::File;
using hdf5::Mode;
using Vector = Kokkos::View<double*, Kokkos::HostSpace>;

class Hdf5Errors : public ::testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "file.h5";
  const Vector three_{"three", 3};

  // The text of an Hdf5Error, which always names the file. HDF5 itself prints nothing.
  template <class F>
  std::string refusal(F&& f) {
    ::testing::internal::CaptureStderr();
    const std::string text = thrown<mylos::Hdf5Error>(f);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    EXPECT_TRUE(contains(text, {path_.string()}));
    return text;
  }
  std::string refusal_to_open(Mode mode) {
    return refusal([&] { const File file(path_, mode); });
  }
  void write_three() { File(path_, Mode::create).write("group/a", three_); }
};

TEST_F(Hdf5Errors, MissingFile) {
  for (const Mode mode : {Mode::read, Mode::read_write}) {
    EXPECT_TRUE(contains(refusal_to_open(mode), {"cannot open", "no such file", "check the path"}));
  }
}

TEST_F(Hdf5Errors, FileThatIsNoneOrNotWhole) {
  write_three();
  const std::string whole = mylos::read_file(path_);
  for (const std::string& bytes : {std::string(), std::string("no HDF5"), whole.substr(0, whole.size() / 2)}) {
    mylos::write_file_atomically(path_, bytes);
    for (const Mode mode : {Mode::read, Mode::read_write, Mode::append}) {
      EXPECT_TRUE(contains(refusal_to_open(mode), {"cannot open", "complete HDF5 file"}));
    }
  }
}

TEST_F(Hdf5Errors, CreateRefusesAnExistingFile) {
  write_three();
  EXPECT_TRUE(contains(refusal_to_open(Mode::create), {"exists already", "Mode::replace"}));
  EXPECT_TRUE(File(path_, Mode::read).exists("group/a"));
}

TEST_F(Hdf5Errors, CreateRefusesAFileThatCameInBetween) {
  File file(path_, Mode::create);
  mylos::write_file_atomically(path_, "somebody's");
  EXPECT_TRUE(contains(refusal([&] { file.close(); }), {"File exists"}));
  EXPECT_EQ(mylos::read_file(path_), "somebody's");
  EXPECT_EQ(folder_.names().size(), 1U);
}

TEST_F(Hdf5Errors, FolderThatCannotBeWritten) {
  mylos::write_file_atomically(path_, "a file, no folder");
  for (const Mode mode : {Mode::create, Mode::replace, Mode::append}) {
    EXPECT_TRUE(contains(refusal([&] { const File file(path_ / "x.h5", mode); }), {"cannot create", "may be written"}));
  }
}

TEST_F(Hdf5Errors, PathsThatNoFileCanHave) {
  const std::filesystem::path folder = folder_ / "folder", pipe = folder_ / "pipe", lost = folder_ / "lost";
  std::filesystem::create_directory(folder);
  std::filesystem::create_directory_symlink(folder, folder_ / "link");
  std::filesystem::create_symlink("nowhere", lost);
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto text = [](const std::filesystem::path& path, Mode mode) {
    return thrown<mylos::Hdf5Error>([&] { const File file(path, mode); });
  };
  for (const Mode mode : {Mode::create, Mode::replace, Mode::append, Mode::read, Mode::read_write}) {
    EXPECT_TRUE(contains(text("", mode), {"file ''"}));
    EXPECT_TRUE(contains(text(folder_ / std::string(300, 'x'), mode), {"xxx", "File name too long"}));
    if (mode == Mode::create) continue;  // refuses what is there already, whatever it is
    for (const auto& path : {folder, folder / "", folder_ / "link"}) {
      EXPECT_TRUE(contains(text(path, mode), {path.string(), "it is a folder"}));
    }
    EXPECT_TRUE(contains(text(pipe, mode), {pipe.string(), "is not a regular file"}));
  }
  for (const auto& path : {folder, pipe, lost}) EXPECT_TRUE(contains(text(path, Mode::create), {"exists already"}));
  EXPECT_EQ(folder_.names().size(), 4U);
}

TEST_F(Hdf5Errors, TwoFilesWriteOnePath) {
  const auto second = [&](const std::filesystem::path& path, Mode mode) {
    return refusal([&] { const File file(path, mode); });
  };
  for (const Mode first : {Mode::create, Mode::replace}) {
    std::filesystem::remove(path_);
    File file(path_, first);
    file.append("x", 1);
    EXPECT_TRUE(contains(second(path_, Mode::replace), {"another File of this program", "close that File first"}));
    EXPECT_TRUE(contains(second(path_, Mode::create), {"another File of this program"}));
    EXPECT_TRUE(contains(second(path_, Mode::append), {"another File of this program"}));
    file.close();
    File(path_, Mode::append).append("x", 2);
    EXPECT_EQ(File(path_, Mode::read).extents("x"), std::vector<std::int64_t>{2});
  }
  for (const Mode first : {Mode::read_write, Mode::append}) {
    const File file(path_, first);
    EXPECT_TRUE(contains(second(path_, Mode::replace), {"another File of this program writes it, in place"}));
    const auto same = folder_.path() / "." / "file.h5";
    EXPECT_TRUE(contains(thrown<mylos::Hdf5Error>([&] { const File other(same, Mode::replace); }), {"another File"}));
    File(path_, Mode::append).append("x", 3);  // the two share the file
  }
  const File reader(path_, Mode::read);
  File(path_, Mode::replace).append("new", 1);
  EXPECT_TRUE(reader.exists("x"));  // what is replaced stays whole for who reads it
  EXPECT_TRUE(File(path_, Mode::read).exists("new"));
}

TEST_F(Hdf5Errors, FolderWithoutPermission) {
  std::filesystem::permissions(folder_.path(), std::filesystem::perms{0555});
  Child child([&] {
    become_nobody();
    for (const Mode mode : {Mode::create, Mode::replace, Mode::append}) {
      try {
        const File file(path_, mode);
      } catch (const mylos::Hdf5Error& error) {
        if (contains(error.what(), {"cannot create", "file.h5"})) continue;
        throw;
      }
      throw std::runtime_error("it was created");
    }
  });
  EXPECT_EQ(child.wait(), 0);
  std::filesystem::permissions(folder_.path(), std::filesystem::perms{0755});
}

TEST_F(Hdf5Errors, WritingAFileThatIsRead) {
  write_three();
  File file(path_, Mode::read);
  const std::vector<std::string> texts = {
      refusal([&] { file.write("b", three_); }), refusal([&] { file.append("b", 1.0); }),
      refusal([&] { file.attribute("/", "b", 1); }), refusal([&] { file.attribute("/", "b", "text"); })};
  for (const auto& text : texts) EXPECT_TRUE(contains(text, {"Mode::read", "Mode::read_write"}));
}

TEST_F(Hdf5Errors, AfterClose) {
  File file(path_, Mode::create);
  file.close();
  EXPECT_TRUE(contains(refusal([&] { file.write("a", three_); }), {"is closed", "open it again"}));
  EXPECT_TRUE(contains(refusal([&] { (void)file.list(); }), {"is closed"}));
}

TEST_F(Hdf5Errors, AfterMove) {
  File first(path_, Mode::create);
  File file = std::move(first);
  const auto refused = [](auto&& f) {
    EXPECT_TRUE(contains(thrown<mylos::Hdf5Error>(f), {"moved from", "the File that it was moved to"}));
  };
  // NOLINTBEGIN(bugprone-use-after-move): that is what is tested
  refused([&] { first.write("a", three_); });
  refused([&] { first.read("a", three_); });
  refused([&] { (void)first.read<double, 1>("a"); });
  refused([&] { first.append("a", 1); });
  refused([&] { first.attribute("/", "a", 1); });
  refused([&] { first.attribute("/", "a", "text"); });
  refused([&] { (void)first.attribute<int>("/", "a"); });
  refused([&] { (void)first.attribute<std::string>("/", "a"); });
  refused([&] { (void)first.attribute<std::vector<int>>("/", "a"); });
  refused([&] { (void)first.exists("a"); });
  refused([&] { (void)first.has_attribute("/", "a"); });
  refused([&] { (void)first.list(); });
  refused([&] { (void)first.extents("a"); });
  refused([&] { (void)first.path(); });
  refused([&] { (void)first.mode(); });
  refused([&] { first.flush(); });
  refused([&] { first.close(); });
  file.append("a", 1);
  first = std::move(file);
  // NOLINTEND(bugprone-use-after-move)
  first.append("a", 2);
  first = File(folder_ / "other.h5", Mode::create);  // ends the work on the first file
  EXPECT_EQ(File(path_, Mode::read).extents("a"), std::vector<std::int64_t>{2});
}

TEST_F(Hdf5Errors, NamesThatLeadNowhere) {
  write_three();
  File file(path_, Mode::read_write);
  EXPECT_TRUE(contains(refusal([&] { file.read("b", three_); }), {"'b'", "cannot open", "File::list"}));
  EXPECT_TRUE(contains(refusal([&] { file.read("group", three_); }), {"'group'", "cannot open"}));
  EXPECT_TRUE(contains(refusal([&] { file.write("group", three_); }), {"'group'", "cannot open"}));
  const std::vector<std::string> below = {refusal([&] { file.write("group/a/below", three_); }),
                                          refusal([&] { file.append("/group/a//below/", 1); }),
                                          refusal([&] { file.read("group/a/x/y", three_); }),
                                          refusal([&] { (void)file.extents("group/a/below"); }),
                                          refusal([&] { (void)file.list("group/a/below"); }),
                                          refusal([&] { file.attribute("group/a/below", "unit", "m"); })};
  for (const auto& text : below) EXPECT_TRUE(contains(text, {"'group/a' is no group", "choose another name"}));
  EXPECT_FALSE(file.exists("group/a/below"));
  EXPECT_TRUE(contains(refusal([&] { file.write("", three_); }), {"empty text"}));
  EXPECT_TRUE(contains(refusal([&] { (void)file.list("group/a"); }), {"'group/a'", "is a group"}));
  EXPECT_TRUE(contains(refusal([&] { (void)file.attribute<int>("group", "no"); }), {"'no'", "'group'"}));
  EXPECT_TRUE(contains(refusal([&] { file.attribute("nobody", "a", 1); }), {"'nobody'", "cannot open"}));
}

TEST_F(Hdf5Errors, OtherExtentsNameBoth) {
  write_three();
  File file(path_, Mode::read_write);
  const Vector four("four", 4);
  for (const auto& text :
       {refusal([&] { file.read("group/a", four); }), refusal([&] { file.write("group/a", four); })}) {
    EXPECT_TRUE(contains(text, {"'group/a'", "(3)", "'four'", "(4)", "float64"}));
  }
  const Kokkos::View<double**, Kokkos::HostSpace> matrix("matrix", 3, 1);
  EXPECT_TRUE(contains(refusal([&] { file.read("group/a", matrix); }), {"(3)", "(3, 1)"}));
  EXPECT_TRUE(contains(refusal([&] { (void)file.read<double, 2>("group/a"); }), {"rank 1, not 2", "read<T, 1>"}));
}

TEST_F(Hdf5Errors, TypesAreNotConverted) {
  File file(path_, Mode::create);
  file.write("whole", Kokkos::View<std::int64_t*, Kokkos::HostSpace>("whole", 2));
  file.write("unsigned", Kokkos::View<std::uint64_t*, Kokkos::HostSpace>("unsigned", 2));
  file.write("complex", Kokkos::View<Kokkos::complex<double>*, Kokkos::HostSpace>("complex", 2));
  EXPECT_TRUE(
      contains(refusal([&] { (void)file.read<std::int32_t, 1>("whole"); }), {"int64", "int32", "not converted"}));
  EXPECT_TRUE(contains(refusal([&] { (void)file.read<std::uint64_t, 1>("whole"); }), {"int64", "uint64"}));
  EXPECT_TRUE(contains(refusal([&] { (void)file.read<double, 1>("unsigned"); }), {"uint64", "float64"}));
  EXPECT_TRUE(contains(refusal([&] { (void)file.read<double, 1>("complex"); }), {"complex128", "float64"}));
  EXPECT_TRUE(contains(refusal([&] { (void)file.read<bool, 1>("whole"); }), {"int64", "bool"}));
}

TEST_F(Hdf5Errors, AttributesAreNotConverted) {
  File file(path_, Mode::create);
  file.attribute("/", "k", 0.5);
  file.attribute("/", "name", "text");
  file.attribute("/", "list", std::vector<double>{1, 2});
  EXPECT_TRUE(contains(refusal([&] { (void)file.attribute<float>("/", "k"); }), {"'k'", "float64", "float32"}));
  EXPECT_TRUE(contains(refusal([&] { (void)file.attribute<std::string>("/", "k"); }), {"float64", "string"}));
  EXPECT_TRUE(contains(refusal([&] { (void)file.attribute<double>("/", "name"); }), {"string", "float64"}));
  EXPECT_TRUE(contains(refusal([&] { (void)file.attribute<double>("/", "list"); }), {"(2)", "std::vector"}));
  EXPECT_TRUE(contains(refusal([&] { (void)file.attribute<std::vector<double>>("/", "k"); }), {"the value"}));
  EXPECT_TRUE(contains(refusal([&] { file.attribute("/", "zero", std::string_view("a\0b", 3)); }), {"zero byte"}));
}

TEST_F(Hdf5Errors, RowsThatDoNotFit) {
  File file(path_, Mode::create);
  file.append("rows", three_);
  EXPECT_TRUE(
      contains(refusal([&] { file.append("rows", Vector("four", 4)); }),
               {"a row of dataset 'rows'", "is float64 of extents (3), the View 'four' is float64 of extents (4)"}));
  EXPECT_TRUE(contains(refusal([&] { file.append("rows", 1.0); }), {"extents (3), the value is one float64"}));
  EXPECT_TRUE(contains(refusal([&] { file.append("rows", Vector("", 2)); }), {"the View without a label is float64"}));
  file.append("numbers", 1.0);
  EXPECT_TRUE(contains(refusal([&] { file.append("numbers", 1); }), {"is one float64, the value is one int32"}));
  file.write("fixed", three_);
  EXPECT_TRUE(contains(refusal([&] { file.append("fixed", 1.0); }), {"'fixed'", "extend", "File::append created"}));
  file.write("value", Kokkos::View<double, Kokkos::HostSpace>("value"));
  EXPECT_TRUE(contains(refusal([&] { file.append("value", 1.0); }), {"'value'", "one value", "File::append created"}));
}

TEST_F(Hdf5Errors, ChunksAndCompressionOutOfRange) {
  File file(path_, Mode::create);
  const auto write = [&](const hdf5::WriteOptions& options) {
    return refusal([&] { file.write("a", three_, options); });
  };
  for (const std::int64_t chunk : {4, 0, -1}) EXPECT_TRUE(contains(write({.chunks = {chunk}}), {"'a'", "(3)"}));
  EXPECT_TRUE(contains(write({.chunks = {1, 1}}), {"(1, 1)", "(3)", "WriteOptions::chunks"}));
  EXPECT_TRUE(contains(write({.deflate = 10}), {"level 10", "WriteOptions::deflate"}));
  EXPECT_FALSE(file.exists("a"));
}

TEST_F(Hdf5Errors, ExceptionLeavesTheOldFile) {
  write_three();
  try {
    File file(path_, Mode::replace);
    file.append("b", 1);
    throw std::runtime_error("the run failed");
  } catch (const std::runtime_error&) {
  }
  EXPECT_TRUE(File(path_, Mode::read).exists("group/a"));
  EXPECT_EQ(folder_.names().size(), 1U);
}

TEST_F(Hdf5Errors, FullDiskLeavesTheOldFile) {
  write_three();
  Child child([&] {
    const rlimit limit{1 << 20, 1 << 20};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::signal(SIGXFSZ, SIG_IGN);
    File file(path_, Mode::replace);
    try {
      file.write("large", Vector("large", 1 << 20));
    } catch (const mylos::Hdf5Error& error) {
      if (!contains(error.what(), {"cannot write dataset 'large'", "disk has space"})) throw;
      try {
        file.close();
      } catch (const mylos::Hdf5Error& second) {
        if (!contains(second.what(), {"file.h5"})) throw;
        return;
      }
      throw std::runtime_error("it was closed");
    }
    throw std::runtime_error("it was written");
  });
  EXPECT_EQ(child.wait(), 0);
  EXPECT_TRUE(File(path_, Mode::read).exists("group/a"));
  EXPECT_EQ(folder_.names().size(), 1U);
}

// Runs `f` in a process that cannot make files larger than `bytes`, and ends it as programs end.
template <class F>
void with_full_disk(rlim_t bytes, F&& f) {
  const auto program = [&] {
    const rlimit limit{bytes, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::signal(SIGXFSZ, SIG_IGN);
    f();
    std::fprintf(stderr, "%zd identifiers left\n", H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL));
    H5close();  // says so when it cannot close something
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  };
  EXPECT_EXIT(program(), ::testing::ExitedWithCode(0), "^0 identifiers left\n$");
}

TEST_F(Hdf5Errors, FullDiskWhileAppending) {
  const Vector row("row", 1000);
  {
    File file(path_, Mode::append);
    for (int i = 0; i < 5; ++i) {
      Kokkos::deep_copy(row, i);
      file.append("rows", row);
    }
  }
  for (const Mode mode : {Mode::append, Mode::read_write}) {
    with_full_disk(400'000, [&] {
      File file(path_, mode);
      const auto append_all = [&] {
        for (int i = 0; i < 1000; ++i) file.append("rows", row);
      };
      EXPECT_TRUE(contains(thrown<mylos::Hdf5Error>(append_all),
                           {"cannot write dataset 'rows'", path_.string(), "File too large", "disk has space"}));
      const std::string text = thrown<mylos::Hdf5Error>([&] { file.close(); });
      EXPECT_TRUE(contains(text, {"cannot close file", path_.string(), "File too large", "the last flush"}));
      EXPECT_EQ(text.find("0x"), std::string::npos) << text;
      file.close();
    });
    const auto rows = File(path_, Mode::read).read<double, 2>("rows");
    ASSERT_EQ(rows.extent(0), 5U);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(rows(i, 999), i);
  }
}

TEST_F(Hdf5Errors, FullDiskLeavesWhatWasFlushed) {
  with_full_disk(100'000, [&] {
    File file(path_, Mode::append);
    file.append("rows", three_);
    file.flush();
    EXPECT_THROW(file.write("wide", Vector("wide", 100'000)), mylos::Hdf5Error);
    for (const auto& text :
         {thrown<mylos::Hdf5Error>([&] { file.flush(); }), thrown<mylos::Hdf5Error>([&] { (void)file.list(); })}) {
      EXPECT_TRUE(contains(text, {path_.string(), "File too large", "open it again"}));
    }
    EXPECT_THROW(file.close(), mylos::Hdf5Error);
  });
  EXPECT_EQ(File(path_, Mode::read).extents("rows"), (std::vector<std::int64_t>{1, 3}));
}

TEST_F(Hdf5Errors, FullDiskAtTheVeryBeginning) {
  with_full_disk(100, [&] {
    for (const Mode mode : {Mode::append, Mode::create}) {
      const std::string text = thrown<mylos::Hdf5Error>([&] { File(path_, mode).close(); });
      EXPECT_TRUE(contains(text, {path_.string(), "File too large"}));
    }
  });
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(Hdf5Errors, ExceptionOnAFullDiskLeavesNothing) {
  with_full_disk(100'000, [&] {
    EXPECT_THROW(
        {
          File file(path_, Mode::replace);
          for (int i = 0; i < 1000; ++i) file.append("rows", Vector("row", 1000));
        },
        mylos::Hdf5Error);
  });
  EXPECT_TRUE(folder_.names().empty());
}

// Pages of this process in memory. None under AddressSanitizer: it keeps freed memory for a while, and finds leaks
// itself.
long resident_pages() {
  [[maybe_unused]] long total = 0;
  long resident = 0;
#ifndef __SANITIZE_ADDRESS__
  std::ifstream("/proc/self/statm") >> total >> resident;
#endif
  return resident;
}

TEST_F(Hdf5Errors, NothingStaysOpen) {
  long pages = 0;
  for (int i = 0; i < 1000; ++i) {
    try {
      File file(path_, Mode::replace);
      for (const char* name : {"a", "b/c", "d"}) file.write(name, three_);
      file.attribute("d", "text", "abc");
      if (i % 7 == 0) file.write("a", Vector("four", 4));
    } catch (const mylos::Hdf5Error&) {
      EXPECT_EQ(i % 7, 0);
    }
    ASSERT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    if (i == 100) pages = resident_pages();
  }
  EXPECT_LT(resident_pages() - pages, 2000);  // less than 8 MiB in 900 files
  const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(file, 0);
  H5Fclose(file);
}

herr_t count_report(hid_t /*stack*/, void* count) {
  ++*static_cast<int*>(count);
  return 0;
}

TEST_F(Hdf5Errors, ProgramsOwnReportingIsLeftAsItWas) {
  int reports = 0;
  H5E_auto2_t before = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  H5Eset_auto2(H5E_DEFAULT, &count_report, &reports);
  refusal_to_open(Mode::read);
  EXPECT_EQ(reports, 0);
  EXPECT_LT(H5Fopen("nowhere.h5", H5F_ACC_RDONLY, H5P_DEFAULT), 0);
  EXPECT_EQ(reports, 1);
  H5Eset_auto2(H5E_DEFAULT, before, data);
}

TEST_F(Hdf5Errors, ThreadsTakeTurns) {
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        File file(folder_ / ("thread" + std::to_string(t) + ".h5"), Mode::create);
        for (int i = 0; i < 100; ++i) file.append("a", t);
      });
    }
  }
  for (int t = 0; t < 4; ++t) {
    const auto rows = File(folder_ / ("thread" + std::to_string(t) + ".h5"), Mode::read).read<int, 1>("a");
    ASSERT_EQ(rows.extent(0), 100U);
    for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(rows(i), t);
  }
}

}  // namespace
}  // namespace mylos_test
