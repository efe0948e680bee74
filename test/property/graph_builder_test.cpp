// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each row of the table in docs/design/semantics.md, by hand: what it orders, and what it must not.
#include "graph_script.hpp"

#include <gtest/gtest.h>

namespace fletcher::property {
namespace {

using graph::Vertex;

TEST(Parallel, ForkAndJoinOrderTheRegionWithItsSurroundings) {
  Script s;
  const Vertex serial = s.here(1);
  s.fork(1, 2);
  const Vertex first = s.here(10), second = s.here(11);
  s.barrier_in(10, SyncKind::barrier_parallel);
  s.barrier_in(11, SyncKind::barrier_parallel);
  s.barrier_out(10, SyncKind::barrier_parallel);
  s.member_end(10);
  s.join(1);
  const Vertex after = s.here(1);
  s.member_end(11); // a worker's end is reported late
  EXPECT_TRUE(s.before(serial, first) && s.before(serial, second));
  EXPECT_TRUE(s.concurrent(first, second));
  EXPECT_TRUE(s.before(first, after) && s.before(second, after));
  EXPECT_TRUE(s.before(serial, after));
}

TEST(Parallel, TeamOfOneClosesWithoutABarrier) {
  Script s;
  s.fork(1, 1);
  const Vertex member = s.here(10);
  const Vertex task = s.create_and_run(10, 100);
  EXPECT_TRUE(s.concurrent(task, s.here(10)));
  s.member_end(10);
  s.join(1);
  EXPECT_TRUE(s.before(member, s.here(1)));
  EXPECT_TRUE(s.before(task, s.here(1)));
}

TEST(Parallel, NestedRegionBelongsToItsEncounteringTask) {
  Script s;
  s.fork(1, 2);
  const Vertex other = s.here(11);
  s.fork(2, 2, 10);
  const Vertex inner = s.here(21);
  s.barrier_in(20, SyncKind::barrier_parallel);
  s.barrier_in(21, SyncKind::barrier_parallel);
  s.barrier_out(20, SyncKind::barrier_parallel);
  s.member_end(20);
  s.join(2, 10);
  EXPECT_TRUE(s.before(inner, s.here(10)));
  EXPECT_TRUE(s.concurrent(inner, other));
  EXPECT_EQ(s.builder.graph()[inner].region, TeamId{1});
  EXPECT_EQ(s.builder.parent(TaskId{21}), TaskId{10});
}

TEST(Task, IsConcurrentWithItsCreatorAndItsSiblings) {
  Script s;
  s.fork(1, 2);
  const Vertex creating = s.here(10);
  const Vertex first = s.create_and_run(10, 100); // at once, on the same thread
  const Vertex between = s.here(10);
  const Vertex second = s.create_and_run(10, 101);
  EXPECT_TRUE(s.before(creating, first));
  EXPECT_TRUE(s.concurrent(first, between));
  EXPECT_TRUE(s.before(between, second));
  EXPECT_TRUE(s.concurrent(first, second));
  EXPECT_TRUE(s.concurrent(first, s.here(11)));
}

TEST(Task, UndeferredIsBeforeWhatFollowsButItsChildrenAreNot) {
  Script s;
  s.fork(1, 2);
  s.create(10, 100, {}, true);
  s.start(100, 10);
  const Vertex body = s.here(100);
  const Vertex child = s.create_and_run(100, 101);
  s.end(100, 10);
  EXPECT_TRUE(s.before(body, s.here(10)));
  EXPECT_TRUE(s.concurrent(child, s.here(10)));
}

TEST(Taskwait, WaitsForChildrenOnly) {
  Script s;
  s.fork(1, 2);
  s.create(10, 100);
  s.start(100, 10);
  const Vertex child = s.here(100);
  s.create(100, 101);
  s.end(100, 10);
  const Vertex grandchild = s.run(101, 10);
  s.taskwait(10);
  EXPECT_TRUE(s.before(child, s.here(10)));
  EXPECT_TRUE(s.concurrent(grandchild, s.here(10)));
}

TEST(Taskgroup, WaitsForDescendantsMadeInside) {
  Script s;
  s.fork(1, 2);
  s.create(10, 100);
  const Vertex outside = s.run(100, 10);
  s.sync_in(10, SyncKind::taskgroup);
  s.create(10, 101);
  s.start(101, 10);
  const Vertex child = s.here(101);
  s.create(101, 102);
  s.end(101, 10);
  const Vertex grandchild = s.run(102, 10);
  s.sync_out(10, SyncKind::taskgroup);
  const Vertex later = s.create_and_run(10, 103);
  EXPECT_TRUE(s.before(child, s.here(10)) && s.before(grandchild, s.here(10)));
  EXPECT_TRUE(s.concurrent(outside, s.here(10)));
  EXPECT_TRUE(s.concurrent(later, s.here(10)));
}

TEST(Barrier, OrdersEveryMemberAndEveryTaskOfTheTeam) {
  Script s;
  s.fork(1, 2);
  const Vertex first = s.here(10), second = s.here(11);
  s.create(11, 100);
  s.barrier_in(10);
  s.barrier_in(11);
  s.start(100, 10);
  const Vertex task = s.here(100);
  s.create(100, 101);
  s.end(100, 10);
  const Vertex grandchild = s.run(101, 10);
  s.barrier_out(10);
  // The first to leave makes a task before the second's end of the barrier is heard of.
  const Vertex early = s.create_and_run(10, 102);
  s.barrier_out(11);
  for (const std::uint32_t member : {10u, 11u}) {
    EXPECT_TRUE(s.before(first, s.here(member)) && s.before(second, s.here(member)));
    EXPECT_TRUE(s.before(task, s.here(member)) && s.before(grandchild, s.here(member)));
  }
  EXPECT_TRUE(s.concurrent(early, s.here(11)));
  EXPECT_TRUE(s.concurrent(s.here(10), s.here(11)));
}

TEST(Barrier, OfAnotherTeamOrdersNothing) {
  Script s;
  s.fork(1, 2);
  const Vertex other = s.here(11);
  s.fork(2, 2, 10);
  s.barrier({20, 21});
  EXPECT_TRUE(s.concurrent(other, s.here(20)));
}

class Depend : public testing::Test {
protected:
  void SetUp() override { s.fork(1, 2); }
  Vertex task(std::vector<Dependence> list) { return s.create_and_run(10, next++, std::move(list)); }
  Script s;
  std::uint32_t next = 100;
};

TEST_F(Depend, ReadersAreOrderedWithWritersOnly) {
  const Vertex writer = task({{8, out}});
  const Vertex left = task({{8, in}}), right = task({{8, in}});
  const Vertex other = task({{16, out}});
  const Vertex second = task({{8, inout}});
  EXPECT_TRUE(s.before(writer, left) && s.before(writer, right));
  EXPECT_TRUE(s.concurrent(left, right));
  EXPECT_TRUE(s.before(left, second) && s.before(right, second));
  EXPECT_TRUE(s.concurrent(other, writer) && s.concurrent(other, second));
}

TEST_F(Depend, SetsAreUnorderedInside) {
  for (const DependenceType type : {mutexinoutset, inoutset}) {
    const Vertex before = task({{8, in}});
    const Vertex left = task({{8, type}}), right = task({{8, type}});
    const Vertex after = task({{8, in}});
    EXPECT_TRUE(s.before(before, left) && s.before(before, right));
    EXPECT_TRUE(s.concurrent(left, right));
    EXPECT_TRUE(s.before(left, after) && s.before(right, after));
  }
}

TEST_F(Depend, AllMemoryIsOrderedWithEverythingThatDepends) {
  const Vertex one = task({{8, in}}), two = task({{16, inoutset}}), free = task({});
  const Vertex all = task({{0, out, true}});
  const Vertex later = task({{24, in}}), again = task({{8, in}});
  EXPECT_TRUE(s.before(one, all) && s.before(two, all));
  EXPECT_TRUE(s.concurrent(free, all));
  EXPECT_TRUE(s.before(all, later) && s.before(all, again));
}

TEST_F(Depend, NonSiblingsAreNotOrdered) {
  const Vertex mine = task({{8, out}});
  s.create(11, 200, {{8, out}});
  const Vertex cousin = s.run(200, 11);
  EXPECT_TRUE(s.concurrent(mine, cousin));
}

TEST_F(Depend, TaskwaitDependWaitsForMatchingSiblingsOnly) {
  const Vertex matching = task({{8, out}}), before = task({{16, out}});
  const Vertex reader = task({{8, in}});
  s.taskwait_depend(10, {{8, in}});
  EXPECT_TRUE(s.before(matching, s.here(10)));
  EXPECT_TRUE(s.concurrent(reader, s.here(10)));
  EXPECT_TRUE(s.concurrent(before, s.here(10)));
}

TEST_F(Depend, DiscardedTaskStillPassesOrderOn) {
  const Vertex first = task({{8, out}});
  s.create(10, 150, {{8, inout}});
  s.end(150, 10, false, true);
  const Vertex last = task({{8, in}});
  EXPECT_TRUE(s.before(first, last));
}

TEST(Detach, EndsWithBodyAndFulfil) {
  Script s;
  s.fork(1, 2);
  s.create(10, 100, {{8, out}});
  const Vertex fulfilling = s.here(11);
  s.start(100, 10);
  const Vertex body = s.here(100);
  s.end(100, 10, true);
  s.builder.on(TaskFulfill{ThreadId{11}, TaskId{100}, false});
  const Vertex after_fulfil = s.here(11);
  const Vertex dependent = s.create_and_run(10, 101, {{8, in}});
  EXPECT_TRUE(s.before(body, dependent) && s.before(fulfilling, dependent));
  EXPECT_TRUE(s.concurrent(after_fulfil, dependent));
  s.taskwait(10);
  EXPECT_TRUE(s.before(fulfilling, s.here(10)));
}

TEST(Ordered, RegionsFollowEachOtherWithinOneLoop) {
  Script s;
  s.fork(1, 2);
  s.loop(10);
  s.loop(11);
  s.mutex(10, MutexKind::ordered, MutexStep::acquired);
  const Vertex zero = s.here(10);
  s.mutex(10, MutexKind::ordered, MutexStep::released);
  const Vertex after_zero = s.here(10), before_one = s.here(11);
  s.mutex(11, MutexKind::ordered, MutexStep::acquired);
  const Vertex one = s.here(11);
  EXPECT_TRUE(s.before(zero, one));
  EXPECT_TRUE(s.concurrent(zero, before_one));
  EXPECT_TRUE(s.concurrent(after_zero, one));
  // The next loop came without a barrier: its first ordered region does not wait for the last of this one.
  s.mutex(11, MutexKind::ordered, MutexStep::released);
  s.loop(10);
  s.mutex(10, MutexKind::ordered, MutexStep::acquired);
  EXPECT_TRUE(s.concurrent(one, s.here(10)));
}

TEST(Doacross, SourceIsBeforeItsSinks) {
  Script s;
  s.fork(1, 2);
  s.loop(10);
  s.loop(11);
  const Vertex zero = s.here(10);
  s.doacross(10, true, 0);
  const Vertex after = s.here(10);
  const Vertex early = s.here(11);
  s.doacross(11, false, 0);
  EXPECT_TRUE(s.before(zero, s.here(11)));
  EXPECT_TRUE(s.concurrent(zero, early));
  EXPECT_TRUE(s.concurrent(after, s.here(11)));
}

TEST(Mutex, OrdersNothingByItself) {
  Script s;
  s.fork(1, 2);
  s.mutex(10, MutexKind::critical, MutexStep::acquired);
  const Vertex inside = s.here(10);
  s.mutex(10, MutexKind::critical, MutexStep::released);
  s.mutex(11, MutexKind::critical, MutexStep::acquired);
  EXPECT_TRUE(s.concurrent(inside, s.here(11)));
}

TEST(Mutex, OrderOfThisRunGoesFromReleaseToTheNextAcquisition) {
  Script s(graph::GraphOptions{true});
  s.fork(1, 2);
  s.mutex(10, MutexKind::lock, MutexStep::acquired);
  const Vertex inside = s.here(10);
  s.mutex(10, MutexKind::lock, MutexStep::released);
  s.mutex(11, MutexKind::lock, MutexStep::acquired);
  EXPECT_TRUE(s.before(inside, s.here(11)));
  EXPECT_TRUE(s.concurrent(s.here(10), s.here(11)));
}

TEST(Objects, AcquireComesAfterEarlierReleasesOnly) {
  Script s;
  s.fork(1, 2);
  const Vertex first = s.here(10);
  s.builder.on(Release{ThreadId{1}, 0x50});
  const Vertex second = s.here(10);
  s.builder.on(Acquire{ThreadId{11}, 0x50});
  const Vertex acquired = s.here(11);
  s.builder.on(Release{ThreadId{1}, 0x50});
  EXPECT_TRUE(s.before(first, acquired));
  EXPECT_TRUE(s.concurrent(second, acquired));
  s.builder.on(Acquire{ThreadId{11}, 0x50});
  EXPECT_TRUE(s.before(second, s.here(11)));
}

TEST(Taskloop, ChunksOfAHelperTaskFollowTheHelper) {
  Script s;
  s.fork(1, 2);
  s.create(10, 100);
  const Vertex creator_later = s.here(10);
  s.start(100, 10);
  // The helper creates a chunk in the name of task 10.
  s.create(10, 101);
  s.end(100, 10);
  const Vertex chunk = s.run(101, 10);
  EXPECT_TRUE(s.concurrent(creator_later, chunk));
  s.taskwait(10);
  EXPECT_TRUE(s.before(chunk, s.here(10)));
}

} // namespace
} // namespace fletcher::property
