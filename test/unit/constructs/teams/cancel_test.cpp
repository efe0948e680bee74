// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cancelled constructs: who is cancelled goes on at the construct's end, after the same barriers or tasks as ever.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000, z = 0x4000;
using Pairs = Driver::Pairs;

class Cancelling : public testing::Test {
protected:
  void cancel(unsigned thread, CancelKind kind, bool activated) {
    d.checker.on(Cancel{ThreadId{thread}, d.current[thread], kind, activated, false, 0x100});
  }
  void discard(unsigned thread, TaskId task) {
    d.checker.on(Cancel{ThreadId{thread}, task, CancelKind::taskgroup, false, true, 0});
    d.checker.on(TaskEnd{.thread = ThreadId{thread}, .task = task, .next = d.current[thread], .cancelled = true});
  }
  Driver d;
};

TEST_F(Cancelling, ARegionsMembersStayConcurrentUntilItsEnd) {
  const TeamId team = d.fork(1, 3);
  d.write(1, x, 11);
  cancel(1, CancelKind::parallel, true);
  d.write(2, x, 12); // not cancelled yet
  cancel(2, CancelKind::parallel, false);
  d.write(3, y, 13);
  cancel(3, CancelKind::parallel, false);
  d.join(team);
  d.write(1, x, 14);
  d.write(1, y, 15);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

/// One member has left the region by the cancellation, the others meet at a barrier that it will not come to.
TEST_F(Cancelling, ABarrierThatACancelledMemberLeftOutOrdersNothingMore) {
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  cancel(1, CancelKind::parallel, true);
  d.sync(2, SyncKind::barrier_explicit, true); // is told of the cancellation there
  cancel(2, CancelKind::parallel, false);
  d.join(team);
  const TeamId next = d.fork(1, 2, 3);
  d.write(3, x, 12);
  d.join(next);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(Cancelling, TheEndOfCancelledSectionsAndLoopsIsABarrier) {
  for (const auto& [kind, work] :
       {std::pair(CancelKind::sections, WorkKind::sections), std::pair(CancelKind::loop, WorkKind::loop_static)}) {
    Driver each;
    const TeamId team = each.fork(1, 2);
    for (const unsigned t : {1u, 2u}) each.work(t, work, true);
    each.write(1, x, 11);
    each.checker.on(Cancel{ThreadId{1}, each.current[1], kind, true, false, 0x100});
    each.write(2, x, 12);
    each.write(2, y, 13);
    each.checker.on(Cancel{ThreadId{2}, each.current[2], kind, false, false, 0x100});
    for (const unsigned t : {1u, 2u}) each.work(t, work, false);
    each.barrier(team);
    each.write(1, y, 14);
    each.write(2, x, 15);
    each.join(team);
    EXPECT_EQ(each.races(), (Pairs{{11, 12}}));
  }
}

TEST_F(Cancelling, ATaskgroupsEndWaitsForWhoRanAndForgetsWhoWasDiscarded) {
  const TeamId team = d.fork(1, 2);
  d.sync(1, SyncKind::taskgroup, true);
  const TaskId runs = d.create(1), cancels = d.create(1), never = d.create(1);
  d.start(2, runs);
  d.write(2, x, 11);
  d.end(2);
  d.start(1, cancels);
  d.write(1, x, 12);
  cancel(1, CancelKind::taskgroup, true);
  d.end(1);
  discard(2, never);
  d.sync(1, SyncKind::taskgroup, false);
  d.write(1, x, 13);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
  d.join(team);
}

/// A discarded task comes after its predecessors, and its successors after it.
TEST_F(Cancelling, DependencesHoldThroughADiscardedTask) {
  constexpr Dependence out{y, DependenceType::out}, both{z, DependenceType::inout};
  const TeamId team = d.fork(1, 2);
  d.sync(1, SyncKind::taskgroup, true);
  const TaskId first = d.create(1, {out}), never = d.create(1, {{y, DependenceType::in}, both}),
               last = d.create(1, {both}), other = d.create(1);
  d.start(2, first);
  d.write(2, x, 11);
  cancel(2, CancelKind::taskgroup, true);
  d.end(2);
  discard(2, never);
  d.start(1, last);
  d.write(1, x, 12);
  d.end(1);
  d.run(1, other, x, access::Kind::write, 13);
  d.sync(1, SyncKind::taskgroup, false);
  EXPECT_EQ(d.races(), (Pairs{{12, 13}}));
  d.join(team);
}

} // namespace
} // namespace fletcher::test
