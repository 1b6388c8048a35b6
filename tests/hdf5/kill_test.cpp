// SPDX-License-Identifier: MIT
#include <signal.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <random>
#include <thread>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <mylos/hdf5/file.hpp>

#include "support/child.hpp"
#include "support/random_seed.hpp"
#include "support/temporary_folder.hpp"

namespace mylos_test {
namespace {

using mylos::hdf5::File;
using mylos::hdf5::Mode;

// A generation: every element of every dataset is its number.
void write_generation(const std::filesystem::path& path, int generation) {
  const Kokkos::View<int**, Kokkos::LayoutLeft, Kokkos::HostSpace> view("view", 300, 200);
  Kokkos::deep_copy(view, generation);
  File file(path, Mode::replace);
  for (const char* name : {"a", "b", "c"}) file.write(name, view);
}

TEST(Hdf5Kill, WriterThatIsKilledLeavesAWholeFile) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "checkpoint.h5";
  std::mt19937_64 random(random_seed());
  int newest = 0;
  const auto start = std::chrono::steady_clock::now();
  write_generation(path, newest);
  // Long enough for a few generations, on a slow or busy machine as well.
  const auto longest = 10 * std::chrono::ceil<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
  for (int i = 0; i < 20; ++i) {
    Child writer([&] {
      for (int generation = newest + 1;; ++generation) write_generation(path, generation);
    });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % static_cast<std::uint64_t>(longest.count())));
    EXPECT_EQ(writer.kill(), -SIGKILL);
    const File file(path, Mode::read);
    const int found = file.read<int, 2>("a")(0, 0);
    EXPECT_GE(found, newest);
    for (const char* name : {"a", "b", "c"}) {
      const auto view = file.read<int, 2>(name);
      for (std::size_t n = 0; n < view.size(); ++n) ASSERT_EQ(view.data()[n], found);
    }
    newest = found;
  }
  EXPECT_GT(newest, 0);
}

}  // namespace
}  // namespace mylos_test
