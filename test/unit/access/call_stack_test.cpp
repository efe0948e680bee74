// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow call stack: who looks for a frame goes down from its top to the base of the running task, so the base must
// not be above the top, whatever the runtime tells.
#include "test/unit/driver.hpp"

#include "checker/access/call_stack.hpp"

#include <gtest/gtest.h>

#include <array>

namespace fletcher::access {
namespace {

class ShadowStack : public testing::Test {
protected:
  ShadowStack() {
    stack_.attach(frames_.data(), frames_.size());
    for (Address pc = 1; pc <= 4; ++pc) stack_.push(pc, 0);
  }
  std::array<Frame, 8> frames_{};
  CallStack stack_;
};

TEST_F(ShadowStack, BaseIsAtMostTheTop) {
  stack_.set_base(&frames_[6]);
  EXPECT_EQ(stack_.base(), stack_.top());
  stack_.push(5, 0);
  EXPECT_EQ(stack_.base(), &frames_[4]);
}

TEST_F(ShadowStack, BaseGoesDownWithTheTop) {
  stack_.set_base(&frames_[3]);
  stack_.pop();
  EXPECT_EQ(stack_.base(), &frames_[3]);
  stack_.pop();
  EXPECT_EQ(stack_.base(), &frames_[2]);
  EXPECT_EQ(stack_.top(), &frames_[2]);
  stack_.unwind_to(&frames_[1]);
  EXPECT_EQ(stack_.base(), &frames_[1]);
  for (int i = 0; i < 3; ++i) stack_.pop();
  EXPECT_EQ(stack_.base(), stack_.begin());
  EXPECT_EQ(stack_.top(), stack_.begin());
}

TEST_F(ShadowStack, BaseInAnotherStackIsItsBeginning) {
  std::array<Frame, 24> others{};
  for (Frame* const base : {&others.front(), &others.back()}) {
    stack_.set_base(base);
    EXPECT_EQ(stack_.base(), stack_.begin());
  }
}

// As LLVM's runtime told the leagues of gcc's programs: a team's region begins on its only thread, a region inside
// begins with the outer one's name, and no end comes but that of the inner task.
TEST(ShadowStackOfTheChecker, WrongEventsLeaveItWhole) {
  test::Driver d;
  ThreadState& thread = d.checker.thread(ThreadId{1});
  constexpr ThreadId on{1};
  constexpr TaskId outer{100}, inner{101};
  constexpr TeamId team{50}, untold{51};
  for (Address pc = 1; pc <= 3; ++pc) thread.stack.push(pc, 0);
  d.checker.on(ParallelBegin{on, d.root, team, 1, false, 0x9000});
  d.checker.on(ImplicitTaskBegin{on, team, outer, 0, 1});
  thread.stack.push(4, 0);
  d.checker.on(ParallelBegin{on, outer, untold, 1, false, 0x9001});
  d.checker.on(ImplicitTaskBegin{on, team, inner, 0, 1});
  d.checker.on(ImplicitTaskEnd{on, team, inner});
  d.checker.on(ParallelEnd{on, d.root, team, 0});
  d.checker.on(ParallelEnd{on, d.root, team, 0});
  d.checker.on(SyncBegin{on, outer, team, SyncKind::barrier_teams, 0, 0});
  for (int i = 0; i < 4; ++i) {
    EXPECT_LE(thread.stack.begin(), thread.stack.base());
    EXPECT_LE(thread.stack.base(), thread.stack.top());
    d.write(1, 0x1000, 0x10);
    thread.stack.pop();
  }
}

} // namespace
} // namespace fletcher::access
