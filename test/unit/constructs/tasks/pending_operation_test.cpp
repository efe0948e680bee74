// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of a library that go on beside the task that began them, until another call completes them.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address buffer = 0x1000;

/// The tasks' numbers of these begin far from the driver's.
struct Operations : Driver {
  /// The running task of `thread` begins one, which writes the buffer at `pc`; its end has the number `object`.
  void begin(unsigned thread, Address object, Address pc, access::Kind kind = access::Kind::write) {
    const ThreadId executor{50};
    const TaskId task{10000 + ++begun};
    checker.on(InitialTaskBegin{executor, task, TaskKind::operation, false, ThreadId{thread}, pc});
    access::check(checker.thread(executor), buffer, 8, kind, pc);
    checker.on(Release{executor, object, true});
    checker.on(InitialTaskEnd{executor, task});
  }
  void complete(unsigned thread, Address object) { checker.on(Acquire{ThreadId{thread}, object}); }
  std::uint32_t begun = 0;
};

TEST(PendingOperation, IsConcurrentWithWhatItsCreatorDoesNext) {
  Operations d;
  d.begin(1, 7, 10);
  d.read(1, buffer, 11);
  d.complete(1, 7);
  d.read(1, buffer, 12);
  EXPECT_EQ(d.races(), (Driver::Pairs{{10, 11}}));
  ASSERT_EQ(d.recorder.findings.size(), 1u);
  EXPECT_EQ(d.recorder.findings[0].cause, Cause::pending_operation);
  EXPECT_EQ(d.recorder.findings[0].accesses[1].tasks.front().kind, TaskKind::operation);
}

TEST(PendingOperation, ComesAfterWhatItsCreatorDidBefore) {
  Operations d;
  const TeamId team = d.fork(1, 2);
  d.write(1, buffer, 9);
  d.begin(1, 7, 10);
  d.complete(1, 7);
  d.write(1, buffer, 11);
  EXPECT_EQ(d.races(), Driver::Pairs{});
  d.write(2, buffer, 12);
  EXPECT_EQ(d.races(), (Driver::Pairs{{11, 12}}));
  d.join(team);
}

TEST(PendingOperation, MayBeReadWhileItReads) {
  Operations d;
  d.begin(1, 7, 10, access::Kind::read);
  d.read(1, buffer, 11);
  EXPECT_EQ(d.races(), Driver::Pairs{});
  d.write(1, buffer, 12);
  EXPECT_EQ(d.races(), (Driver::Pairs{{10, 12}}));
}

TEST(PendingOperation, OutlastsBarriers) {
  Operations d;
  const TeamId team = d.fork(1, 2);
  d.begin(1, 7, 10);
  d.barrier(team);
  d.write(2, buffer, 11);
  EXPECT_EQ(d.races(), (Driver::Pairs{{10, 11}}));
  d.join(team);
}

TEST(PendingOperation, OutlastsRegionsAndWaits) {
  Operations d;
  d.join(d.fork(1, 2));
  d.begin(1, 7, 10);
  d.taskwait(1);
  const TeamId team = d.fork(1, 2);
  d.write(1, buffer, 11);
  d.join(team);
  EXPECT_EQ(d.races(), (Driver::Pairs{{10, 11}}));
}

TEST(PendingOperation, IsOverForAllWhoComeAfterItsCompletion) {
  Operations d;
  const TeamId team = d.fork(1, 2);
  d.begin(1, 7, 10);
  d.barrier(team);
  d.complete(2, 7);
  d.barrier(team);
  d.write(1, buffer, 11);
  EXPECT_EQ(d.races(), Driver::Pairs{});
  d.join(team);
}

TEST(PendingOperation, IsNotOverForOthers) {
  Operations d;
  const TeamId team = d.fork(1, 2);
  d.begin(1, 7, 10);
  d.complete(1, 7);
  d.read(2, buffer, 11);
  EXPECT_EQ(d.races(), (Driver::Pairs{{10, 11}}));
  d.join(team);
}

TEST(PendingOperation, ObjectsThatAreUsedAgainTellNothingOfTheirEarlierOnes) {
  Operations d;
  const TeamId team = d.fork(1, 2);
  d.write(1, buffer + 8, 9);
  d.begin(1, 7, 10);
  d.complete(1, 7);
  d.begin(2, 7, 11, access::Kind::read); // of the same buffer: not ordered with the first one
  d.complete(2, 7);
  d.write(2, buffer + 8, 12);
  EXPECT_EQ(d.races(), (Driver::Pairs{{9, 12}, {10, 11}}));
  d.join(team);
}

TEST(PendingOperation, LeavesSerialCodeSerial) {
  Operations d;
  EXPECT_GT(d.checker.thread(ThreadId{1}).off, 0);
  d.begin(1, 7, 10);
  EXPECT_LE(d.checker.thread(ThreadId{1}).off, 0);
  d.complete(1, 7);
  EXPECT_GT(d.checker.thread(ThreadId{1}).off, 0);
}

} // namespace
} // namespace fletcher::test
