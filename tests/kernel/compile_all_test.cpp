// SPDX-License-Identifier: MIT
#include <mylos/kernel/compile_all.hpp>

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/kernel/debug.hpp>

#include "support/contains.hpp"
#include "support/log_lines.hpp"
#include "support/nvrtc_test.hpp"
#include "support/own_resources.hpp"
#include "support/scoped_variable.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

using mylos::detail::compile_together;
using Tasks = std::vector<mylos::detail::CompileTask>;

mylos::CudaKernel kernel(const std::string& body) { return {"__global__ void k() { " + body + " }", "k"}; }

TEST(CompileAll, CompilesEveryKernelWithAnyNumberOfJobs) {
  for (const int jobs : {1, 2, 9}) {
    const Tasks tasks = {{"a", kernel("")}, {"b", kernel("return;")}, {"c", kernel("")}};
    EXPECT_EQ(compile_together("here", tasks, {.jobs = jobs}), 3);
    for (const auto& task : tasks) EXPECT_TRUE(task.kernel->is_compiled()) << task.name << ", jobs " << jobs;
  }
  EXPECT_EQ(compile_together("here", {}, {.jobs = 2}), 0);
}

TEST(CompileAll, EveryJobHasTheCallersSettings) {
  const Tasks tasks = {{"a", kernel("")}, {"b", kernel("")}};
  {
    const mylos::ScopedDebug scope;
    static_cast<void>(compile_together("here", tasks, {.jobs = 2}));
    for (const auto& task : tasks) EXPECT_TRUE(task.kernel->is_compiled()) << task.name;
  }
  for (const auto& task : tasks) EXPECT_FALSE(task.kernel->is_compiled()) << task.name << " without debugging";
}

TEST(CompileAll, TellsAllProblemsAtTheEnd) {
  const Tasks tasks = {{"bad", kernel("oops")}, {"none", {}, "there is no such text"}, {"good", kernel("")}};
  const std::string text =
      thrown<mylos::CompileError>([&] { static_cast<void>(compile_together("here", tasks, {.jobs = 2})); });
  EXPECT_TRUE(
      contains(text, {"here: kernels that do not compile", "\nbad: ", "oops", "\nnone: there is no such text"}));
  EXPECT_EQ(text.find("good: "), std::string::npos);
  EXPECT_TRUE(tasks.back().kernel->is_compiled());
}

// NVRTC compiles one kernel at a time in a process: all jobs but the first have another one.
class CompileAllForGpus : public NvrtcTest<> {
 protected:
  static Tasks tasks(const std::string& last) {
    Tasks result;
    for (int i = 0; i < 8; ++i) result.push_back({"k" + std::to_string(i), kernel("")});
    result.push_back({"last", kernel(last)});
    return result;
  }

  ScopedVariable cache_{"MYLOS_CACHE", "0"};
};

TEST_F(CompileAllForGpus, HasAProcessForEachJobButTheFirst) {
  for (const int jobs : {1, 3}) {
    LogLines log(mylos::log::Level::debug);
    EXPECT_EQ(compile_together("here", tasks(""), {.arch = "sm_90", .jobs = jobs}), 9);
    const int processes = log.take_count("compiles for this process");
    EXPECT_LE(processes, jobs - 1);
    EXPECT_EQ(processes > 0, MYLOS_IS_SHARED && jobs > 1);  // a late thread may find nothing left to compile
  }
  EXPECT_FALSE(has_children());
}

TEST_F(CompileAllForGpus, HasTheSameProblemsInEveryProcess) {
  const auto problems = [](int jobs) {
    return thrown<mylos::CompileError>(
        [&] { static_cast<void>(compile_together("here", tasks("oops;"), {.arch = "sm_90", .jobs = jobs})); });
  };
  const std::string one = problems(1);
  EXPECT_TRUE(contains(one, {"\nlast: kernel 'k' does not compile: NVRTC", "k.cu:1:", "oops"}));
  EXPECT_EQ(problems(2), one);
}

TEST(CompileAll, NeedsAJob) {
  EXPECT_TRUE(contains(thrown<mylos::ValueError>([] { static_cast<void>(compile_together("here", {}, {.jobs = 0})); }),
                       {"here: ", "0 jobs", "give jobs = 1 or more"}));
}

}  // namespace
}  // namespace mylos_test
