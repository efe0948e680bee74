// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is over is forgotten, and what it ordered stays: long lists of readers, threads that were joined, tasks in
// chains.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000;
constexpr Dependence in{x, DependenceType::in}, inout{x, DependenceType::inout};

TEST(Readers, AWriterComesAfterAllOfManyThatEnded) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  for (int i = 0; i < 300; ++i) d.run(1, d.create(1, {in}), x, access::Kind::read, 1);
  d.run(2, d.create(1, {inout}), x, access::Kind::write, 2);
  EXPECT_EQ(d.races(), Driver::Pairs());
  d.run(2, d.create(1), x, access::Kind::write, 3);
  EXPECT_TRUE(d.races().contains({2, 3}));
  d.join(team);
}

TEST(Readers, AMemberOfASetComesAfterManyThatEnded) {
  constexpr Dependence set{x, DependenceType::inoutset};
  Driver d;
  const TeamId team = d.fork(1, 2);
  for (int i = 0; i < 300; ++i) d.run(1, d.create(1, {in}), x, access::Kind::read, 1);
  for (int i = 0; i < 300; ++i) d.run(1, d.create(1, {set}), x + 8, access::Kind::write, 2);
  d.run(2, d.create(1, {set}), x, access::Kind::write, 3);
  d.run(2, d.create(1, {in}), x, access::Kind::read, 4);
  EXPECT_EQ(d.races(), Driver::Pairs({{2, 2}}));
  d.join(team);
}

TEST(Chains, ManyTasksOneAfterTheOtherOnTwoThreads) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  for (unsigned i = 0; i < 1000; ++i) d.run(1 + i % 2, d.create(1, {inout}), x, access::Kind::write, 1);
  d.taskwait(1);
  d.write(1, x, 2);
  EXPECT_EQ(d.races(), Driver::Pairs());
  d.run(2, d.create(1, {inout}), x, access::Kind::write, 3);
  d.write(1, x, 4);
  EXPECT_EQ(d.races(), Driver::Pairs({{3, 4}}));
  d.join(team);
}

/// The runtime reports an untied task's end on the thread that came back from one of its parts last, which need not
/// have run the last part. Whoever has may go on to another task only after the ended one's memory is a new task's.
TEST(Untied, ATaskMayEndBeforeTheThreadThatRanItsLastPartHasLeftIt) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  const TaskId member = d.current[1], other = d.current[2];
  const TaskId task = d.create(1, {}, {.untied = true});
  d.checker.on(TaskSwitch{ThreadId{1}, member, task});
  d.checker.on(TaskSwitch{ThreadId{1}, task, member});
  d.checker.on(TaskSwitch{ThreadId{2}, other, task});
  d.write(2, x, 1);
  d.checker.on(TaskSwitch{ThreadId{1}, member, task});
  d.checker.on(TaskEnd{.thread = ThreadId{1}, .task = task, .next = member});
  const TaskId next = d.create(1), third = d.create(1);
  d.checker.on(TaskSwitch{ThreadId{2}, other, third});
  d.write(2, x + 8, 2);
  d.checker.on(TaskEnd{.thread = ThreadId{2}, .task = third, .next = other});
  d.run(1, next, x, access::Kind::write, 3);
  EXPECT_EQ(d.races(), (Driver::Pairs{{1, 3}}));
  d.join(team);
}

class Threads : public testing::Test {
protected:
  static constexpr Address object = 0x50;
  /// A thread of the program's own uses memory and ends.
  void run_thread() {
    const TaskId task = d.begin_root(2, TaskKind::foreign);
    d.write(2, x, 1);
    d.checker.on(Release{ThreadId{2}, object});
    d.checker.on(InitialTaskEnd{ThreadId{2}, task});
  }
  /// How far the horizon moves in a parallel region.
  std::uint32_t region_moves_horizon() {
    const auto horizon = [&] { return number(d.checker.thread(ThreadId{1}).horizon); };
    const std::uint32_t before = horizon();
    const TeamId team = d.fork(1, 2, 3);
    d.write(1, x + 64, 2);
    d.join(team);
    return horizon() - before;
  }
  Driver d;
};

TEST_F(Threads, CountFromTheirCreation) {
  d.checker.on(ThreadCreate{ThreadId{1}});
  EXPECT_EQ(region_moves_horizon(), 0u);
  d.write(1, x, 1);
  const TaskId task = d.begin_root(2, TaskKind::foreign, true);
  d.read(2, x, 2);
  EXPECT_EQ(d.races(), (Driver::Pairs{{1, 2}}));
  d.checker.on(Release{ThreadId{2}, object});
  d.checker.on(InitialTaskEnd{ThreadId{2}, task});
  d.checker.on(Acquire{ThreadId{1}, object});
  EXPECT_NE(region_moves_horizon(), 0u);
}

TEST_F(Threads, ThatCannotBeCreatedDoNotCount) {
  d.checker.on(ThreadCreate{ThreadId{1}});
  d.checker.on(ThreadCreate{.thread = ThreadId{1}, .failed = true});
  EXPECT_NE(region_moves_horizon(), 0u);
}

TEST_F(Threads, TheirPastIsNoMoreConcurrentWhenTheyAreJoined) {
  run_thread();
  EXPECT_EQ(region_moves_horizon(), 0u);
  d.checker.on(Acquire{ThreadId{1}, object});
  EXPECT_NE(region_moves_horizon(), 0u);
  EXPECT_EQ(d.races(), Driver::Pairs());
}

TEST_F(Threads, AnAcquisitionOfSomethingElseJoinsNothing) {
  run_thread();
  d.checker.on(Acquire{ThreadId{1}, object + 8});
  EXPECT_EQ(region_moves_horizon(), 0u);
  const TeamId team = d.fork(1, 2, 3);
  d.write(1, x, 3);
  d.join(team);
  EXPECT_EQ(d.races(), Driver::Pairs({{1, 3}}));
}

} // namespace
} // namespace fletcher::test
