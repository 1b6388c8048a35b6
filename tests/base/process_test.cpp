// SPDX-License-Identifier: MIT
#include "base/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/base/files.hpp>

#include "support/child.hpp"
#include "support/contains.hpp"
#include "support/own_resources.hpp"
#include "support/random_seed.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::detail::ChildProcess;
using mylos::detail::run_process;

std::string random_bytes(std::size_t size) {
  std::mt19937_64 random(random_seed());
  std::string bytes(size, '\0');
  std::ranges::generate(bytes, [&] { return static_cast<char>(random()); });
  return bytes;
}

TEST(RunProcess, TellsHowAProgramEndsAndAllThatItPrints) {
  const auto result = run_process({"sh", "-c", "head -c 1000000 /dev/zero; echo error >&2; echo $LC_ALL; exit 3"});
  EXPECT_TRUE(result.started);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.output, std::string(1000000, '\0') + "error\nC\n");
  EXPECT_EQ(run_process({"sh", "-c", "kill -9 $$"}).exit_code, 128 + SIGKILL);
  EXPECT_FALSE(run_process({"no-such-program"}).started);
}

TEST(RunProcess, HasAsMuchTimeAsItIsGiven) {
  using std::chrono::milliseconds;
  const auto quick = run_process({"sh", "-c", "echo quick; exit 3"}, milliseconds(60'000));
  EXPECT_FALSE(quick.timed_out);
  EXPECT_EQ(quick.exit_code, 3);
  EXPECT_EQ(quick.output, "quick\n");
  for (const char* endless : {"echo begun; exec sleep 60", "echo begun; exec >&- 2>&-; exec sleep 60",
                              "echo begun; while :; do echo more; done"}) {
    const auto begin = std::chrono::steady_clock::now();
    const auto ended = run_process({"sh", "-c", endless}, milliseconds(4000));
    EXPECT_TRUE(ended.timed_out) << endless;
    EXPECT_EQ(ended.exit_code, 128 + SIGKILL) << endless;
    EXPECT_TRUE(ended.output.starts_with("begun\n")) << endless;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(30'000)) << endless;
  }
  EXPECT_FALSE(has_children());
}

TEST(RunProcess, IsEndedWithAllThatItStarted) {
  const TemporaryFolder folder;
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const int reader = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const std::string script = "exec 3>" + fifo + "; echo begun; sleep 60 & sleep 60";
  const auto ended = run_process({"sh", "-c", script}, std::chrono::milliseconds(4000));
  EXPECT_TRUE(ended.timed_out);
  EXPECT_EQ(ended.output, "begun\n");
  pollfd closed{.fd = reader, .events = 0, .revents = 0};
  EXPECT_EQ(::poll(&closed, 1, 30'000), 1) << "somebody has it open still";
  ::close(reader);
}

TEST(RunProcess, EndsWhatHasALimitWhenTheUserEndsThisProgram) {
  using std::chrono::milliseconds;
  const std::string tells_its_parent = "echo begun; kill -INT $PPID; exec sleep 60";
  for (int round = 0; round < 20; ++round) {  // the signal may come before or behind the output
    const auto ended = run_process({"sh", "-c", tells_its_parent}, milliseconds(60'000));
    EXPECT_EQ(ended.interrupted_by, SIGINT);
    EXPECT_FALSE(ended.timed_out);
    EXPECT_EQ(ended.exit_code, 128 + SIGKILL);
    EXPECT_EQ(ended.output, "begun\n") << round;
    EXPECT_FALSE(has_children());
  }
  EXPECT_EQ(run_process({"sh", "-c", "kill -INT $$"}, milliseconds(60'000)).exit_code, 128 + SIGINT)
      << "it has the signals that we had";
  ::signal(SIGINT, SIG_IGN);  // as nohup does
  const auto ignored = run_process({"sh", "-c", "kill -INT $PPID; exit 3"}, milliseconds(60'000));
  ::signal(SIGINT, SIG_DFL);
  EXPECT_EQ(ignored.interrupted_by, 0);
  EXPECT_EQ(ignored.exit_code, 3);
}

TEST(ProgramFile, IsWhatThePathSays) {
  EXPECT_EQ(run_process({"sh", "-c", "command -v env"}).output, mylos::detail::program_file("env") + "\n");
  EXPECT_EQ(mylos::detail::program_file("no-such-program"), "");
  EXPECT_EQ(mylos::detail::program_file("/no/such/program"), "");
}

// A message is its size, eight bytes, and itself: this program sends each one back when it has read all of it.
TEST(ChildProcess, TakesMessagesOfAnySizeAndAnswers) {
  const TemporaryFolder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{5'000'000}}) {
    const std::string file = folder / "message";
    const std::string count = std::to_string(size + 8);
    ChildProcess child(
        {"sh", "-c", "echo printed; head -c " + count + " > " + file + "; cat " + file + " >&0; exit 5"});
    const std::string message = random_bytes(size);
    EXPECT_TRUE(child.channel().send(message));
    EXPECT_TRUE(child.channel().receive() == message) << size << " bytes";
    EXPECT_EQ(child.channel().receive(), std::nullopt);
    EXPECT_EQ(child.end(), 5);
  }
}

TEST(ChildProcess, ThatHasEndedIsNoSignalToUs) {
  ChildProcess child({"sh", "-c", "kill -SEGV $$"});
  EXPECT_EQ(child.channel().receive(), std::nullopt);
  EXPECT_FALSE(child.channel().send(std::string(10'000'000, 'x')));
  EXPECT_EQ(child.end(), 128 + SIGSEGV);
  EXPECT_EQ(child.end(), std::nullopt);
  EXPECT_TRUE(contains(thrown<mylos::Error>([] { const ChildProcess none({"/no/such/program"}); }),
                       {"cannot start /no/such/program", "No such file"}));
}

TEST(ChildProcess, LeavesNothingBehind) {
  const auto before = open_descriptors();
  for (int i = 0; i < 3; ++i) {
    const ChildProcess idle({"cat"}), ended({"true"});
    EXPECT_TRUE(has_children());
    EXPECT_THROW(ChildProcess({"/no/such/program"}), mylos::Error);
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_FALSE(has_children());
}

// A copy of this process has a copy of the socket, which must not keep the program waiting for more.
TEST(ChildProcess, EndsThoughACopyOfThisProcessLives) {
  ChildProcess child({"cat"});
  Child copy([] { ::pause(); });
  EXPECT_EQ(child.end(), 0);
  EXPECT_EQ(copy.kill(), -SIGKILL);
}

}  // namespace
}  // namespace mylos_test
