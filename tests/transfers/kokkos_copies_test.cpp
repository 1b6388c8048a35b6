// SPDX-License-Identifier: MIT
// Kokkos' callbacks for copies with other tools about: none loses an event, and afterwards all is as it was.
#include <mylos/transfers/detail/kokkos_copies.hpp>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <mylos/base/error.hpp>
#include <mylos/transfers/scope.hpp>

#include "support/contains.hpp"
#include "support/log_lines.hpp"
#include "support/thrown.hpp"

namespace mylos_test {
namespace {

namespace tools = Kokkos::Tools::Experimental;
using mylos::TransferScope;
using OnHost = Kokkos::View<double*, Kokkos::HostSpace>;
using Begin = Kokkos::Tools::beginDeepCopyFunction;
using End = Kokkos::Tools::endDeepCopyFunction;
using Space = Kokkos::Tools::SpaceHandle;

// A tool of somebody else's; `next`: what it found, if it is one that chains.
template <int I>
struct Tool {
  static inline int begins = 0, ends = 0;
  static inline Begin next_begin = nullptr;
  static inline End next_end = nullptr;

  static void begin(Space to, const char* to_label, const void* to_address, Space from, const char* from_label,
                    const void* from_address, std::uint64_t bytes) {
    ++begins;
    if (next_begin != nullptr) next_begin(to, to_label, to_address, from, from_label, from_address, bytes);
  }
  static void end() {
    ++ends;
    if (next_end != nullptr) next_end();
  }
  static void enter(bool chains) {
    const tools::EventSet now = tools::get_callbacks();
    next_begin = chains ? now.begin_deep_copy : nullptr;
    next_end = chains ? now.end_deep_copy : nullptr;
    begins = ends = 0;
    tools::set_begin_deep_copy_callback(begin);
    tools::set_end_deep_copy_callback(end);
  }
  static void leave() {
    tools::set_begin_deep_copy_callback(next_begin);
    tools::set_end_deep_copy_callback(next_end);
  }
};

class KokkosCopies : public ::testing::Test {
 protected:
  KokkosCopies() : before_(tools::get_callbacks()) {}
  ~KokkosCopies() override {
    tools::set_begin_deep_copy_callback(before_.begin_deep_copy);
    tools::set_end_deep_copy_callback(before_.end_deep_copy);
  }
  void copy() const { Kokkos::deep_copy(to_, from_); }
  [[nodiscard]] static bool are_callbacks(Begin begin, End end) {
    const tools::EventSet now = tools::get_callbacks();
    return now.begin_deep_copy == begin && now.end_deep_copy == end;
  }

  LogLines log_;

 private:
  tools::EventSet before_;
  OnHost to_{"to", 4}, from_{"from", 4};
};

TEST_F(KokkosCopies, AToolThatWasThereHearsAllAndIsRestored) {
  Tool<0>::enter(false);
  {
    const TransferScope scope;
    copy();
    EXPECT_EQ(scope.counts().host_copy, 1);
    EXPECT_TRUE(scope.counts().complete);
  }
  copy();
  EXPECT_EQ(Tool<0>::begins, 2);
  EXPECT_EQ(Tool<0>::ends, 2);
  EXPECT_TRUE(are_callbacks(Tool<0>::begin, Tool<0>::end));
  EXPECT_EQ(log_.take(), std::vector<std::string>());
}

TEST_F(KokkosCopies, NestedScopesInEveryOrderLeaveTheTableAsItWas) {
  Tool<0>::enter(false);
  for (const bool first_ends_first : {false, true}) {
    auto first = std::make_unique<TransferScope>();
    auto second = std::make_unique<TransferScope>();
    copy();
    (first_ends_first ? first : second).reset();
    copy();
    EXPECT_EQ((first_ends_first ? second : first)->counts().host_copy, 2);
    (first_ends_first ? second : first).reset();
    EXPECT_TRUE(are_callbacks(Tool<0>::begin, Tool<0>::end));
  }
  EXPECT_EQ(Tool<0>::begins, 4);
}

TEST_F(KokkosCopies, WithoutAToolTheTableIsEmptyAgain) {
  tools::set_begin_deep_copy_callback(nullptr);
  tools::set_end_deep_copy_callback(nullptr);
  {
    const TransferScope scope;
  }
  EXPECT_TRUE(are_callbacks(nullptr, nullptr));
}

TEST_F(KokkosCopies, AToolThatReplacesOursIsReported) {
  {
    const TransferScope scope;
    copy();
    Tool<0>::enter(false);
    copy();
    EXPECT_EQ(scope.counts().host_copy, 1);
    EXPECT_FALSE(scope.counts().complete);
    EXPECT_TRUE(contains(scope.counts().report(), {"not complete"}));
  }
  EXPECT_EQ(log_.take_count("another tool took Kokkos' callbacks"), 1);
  EXPECT_TRUE(are_callbacks(Tool<0>::begin, Tool<0>::end));
  EXPECT_EQ(Tool<0>::begins, 1);
  const std::string text =
      thrown<mylos::TransferError>([] { mylos::assert_no_transfers([] { Tool<0>::enter(false); }); });
  EXPECT_TRUE(contains(text, {"cannot be told", "not complete"}));
}

TEST_F(KokkosCopies, ALossIsKnownThoughAnotherScopeTookTheCallbackAgain) {
  const TransferScope scope;
  Tool<0>::enter(false);
  copy();
  {
    const TransferScope later;
    copy();
    EXPECT_EQ(later.counts().host_copy, 1);
    EXPECT_TRUE(later.counts().complete);
  }
  EXPECT_FALSE(scope.counts().complete);
  EXPECT_THROW(mylos::assert_no_transfers([&] {
                 Tool<1>::enter(false);
                 copy();
                 const TransferScope hides;
               }),
               mylos::TransferError);
}

// It keeps what it found and calls it, then puts it back: in the meantime nothing is lost, and nothing calls itself.
TEST_F(KokkosCopies, AToolThatChainsOursIsServed) {
  Tool<0>::enter(false);
  auto scope = std::make_unique<TransferScope>();
  Tool<1>::enter(true);
  copy();
  EXPECT_EQ(scope->counts().host_copy, 1);
  scope.reset();
  copy();
  const TransferScope later;
  copy();
  EXPECT_EQ(later.counts().host_copy, 1);
  EXPECT_EQ(Tool<0>::begins, 3);
  EXPECT_EQ(Tool<1>::begins, 3);
  EXPECT_EQ(Tool<1>::ends, 3);
}

TEST_F(KokkosCopies, OursInTheMiddleIsTakenOutWhenTheOtherHasLeft) {
  Tool<0>::enter(false);
  auto scope = std::make_unique<TransferScope>();
  Tool<1>::enter(true);
  scope.reset();
  Tool<1>::leave();
  copy();
  EXPECT_EQ(Tool<0>::begins, 1);
  {
    const TransferScope again;
  }
  EXPECT_TRUE(are_callbacks(Tool<0>::begin, Tool<0>::end));
}

TEST_F(KokkosCopies, AToolThatTakesOursAgainAndAgainStaysWithOneOfOurs) {
  for (int round = 0; round < 40; ++round) {
    const TransferScope scope;
    copy();
    EXPECT_EQ(scope.counts().host_copy, 1);
    Tool<0>::enter(false);
  }
  EXPECT_EQ(log_.take_count("are not counted any more"), 0);
}

// Ours below it and above it.
TEST_F(KokkosCopies, AToolThatChainsOursTwiceDoesNotCallItselfForEver) {
  Tool<0>::enter(false);
  for (int round = 0; round < 3; ++round) {
    const TransferScope scope;
    Tool<1>::enter(true);
    copy();
    EXPECT_EQ(scope.counts().host_copy, 1);
  }
  EXPECT_GE(Tool<1>::begins, 1);
}

template <int... I>
void take_over(std::integer_sequence<int, I...> /*tools*/) {
  const auto one = []<int J>(std::integral_constant<int, J>) {
    const TransferScope scope;
    Tool<J>::enter(false);
  };
  (one(std::integral_constant<int, I>()), ...);
}

// In a child: what is left behind stays.
TEST_F(KokkosCopies, ManyToolsThatStayEndInAnErrorThatSaysSo) {
  const auto run = [] {
    take_over(std::make_integer_sequence<int, 20>());
    const TransferScope scope;
    std::exit(scope.counts().complete ? 1 : 0);
  };
  mylos::log::set_sink({});
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(0), "are not counted any more");
}

TEST_F(KokkosCopies, PausedToolsAreReported) {
  const TransferScope scope;
  tools::pause_tools();
  copy();
  EXPECT_FALSE(scope.counts().complete);
  tools::resume_tools();
  copy();
  EXPECT_EQ(scope.counts().host_copy, 1);
}

}  // namespace
}  // namespace mylos_test
