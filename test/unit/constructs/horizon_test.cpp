// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The horizon in the first task of a recursion: it passes where the task has waited for all that it created, the team
// waits for that task, and nothing is concurrent with it; and nowhere else.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000;
using Pairs = Driver::Pairs;
using access::Kind;

struct FirstTask : testing::Test {
  FirstTask() { team = d.fork(1, 2); }
  ~FirstTask() override {
    for (const unsigned t : {1U, 2U})
      d.checker.on(SyncEnd{ThreadId{t}, d.current[t], team, SyncKind::barrier_explicit, 0});
    d.join(team);
  }
  void arrive(unsigned t) {
    d.checker.on(SyncBegin{ThreadId{t}, d.current[t], team, SyncKind::barrier_explicit, 0, 0});
  }
  /// Thread 2 begins the task, creates another one, which thread 1 executes, and waits for it.
  void phase(TaskId task) {
    d.start(2, task);
    d.run(1, d.create(2), x, Kind::write, 11);
    d.taskwait(2);
  }
  StrandId horizon() { return d.checker.thread(ThreadId{2}).horizon; }
  Driver d;
  TeamId team{};
};

TEST_F(FirstTask, IsAHorizonWhereItHasWaitedForAll) {
  const TaskId task = d.create(1);
  arrive(1), arrive(2);
  const StrandId before = horizon();
  phase(task);
  EXPECT_GT(horizon(), before);
  d.write(2, x, 21);
  d.run(1, d.create(2), x, Kind::write, 31);
  EXPECT_EQ(d.races(), Pairs{});
  d.write(2, x, 22);
  EXPECT_EQ(d.races(), (Pairs{{22, 31}}));
  d.end(2);
}

TEST_F(FirstTask, IsNoneWhereAnotherTaskOfItsCreatorEnded) {
  const TaskId other = d.create(1), task = d.create(1);
  arrive(1), arrive(2);
  d.run(1, other, y, Kind::write, 41);
  phase(task);
  d.write(2, y, 21);
  EXPECT_EQ(d.races(), (Pairs{{21, 41}}));
  d.end(2);
}

TEST_F(FirstTask, IsNoneWhereItsCreatorWentOn) {
  const TaskId task = d.create(1);
  d.write(1, y, 41);
  arrive(1), arrive(2);
  phase(task);
  d.write(2, y, 21);
  EXPECT_EQ(d.races(), (Pairs{{21, 41}}));
  d.end(2);
}

TEST_F(FirstTask, IsNoneWhereAnotherMemberDidSomething) {
  const TaskId task = d.create(1);
  d.write(2, y, 41);
  arrive(1), arrive(2);
  phase(task);
  d.write(2, y, 21);
  EXPECT_EQ(d.races(), (Pairs{{21, 41}}));
  d.end(2);
}

TEST_F(FirstTask, IsNoneAtTheEndOfAGroupThatItDidNotCreateAllIn) {
  const TaskId task = d.create(1);
  arrive(1), arrive(2);
  d.start(2, task);
  d.run(2, d.create(2), y, Kind::write, 41);
  d.sync(2, SyncKind::taskgroup, true), d.sync(2, SyncKind::taskgroup, false);
  d.write(2, y, 21);
  EXPECT_EQ(d.races(), (Pairs{{21, 41}}));
  d.end(2);
}

} // namespace
} // namespace fletcher::test
