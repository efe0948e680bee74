// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of MPI against the level of thread support.
#include "checker/rules/mpi_threads.hpp"
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

struct Calls : Driver {
  explicit Calls(ThreadSupport level) : provided(level) { call(1, 9); } // MPI_Init_thread
  void call(unsigned thread, Address pc, std::uint32_t communicator = 0) {
    checker.calls(checker.thread(ThreadId{thread}), {.pc = pc,
                                                     .function = "MPI_Send",
                                                     .phase = phase,
                                                     .provided = provided,
                                                     .on_main_thread = thread == 1,
                                                     .communicator = communicator});
  }
  std::ptrdiff_t found() const { return count(Rule::mpi_threads); }

  ThreadSupport provided;
  MpiCall::Phase phase = MpiCall::Phase::running;
};

TEST(MpiThreads, FunneledIsForTheMainThread) {
  Calls d(ThreadSupport::funneled);
  const TeamId team = d.fork(1, 2);
  d.call(1, 10);
  EXPECT_EQ(d.found(), 0);
  d.call(2, 11);
  EXPECT_EQ(d.found(), 1);
  d.call(2, 11);
  EXPECT_EQ(d.found(), 1);
  EXPECT_NE(d.recorder.findings[0].message.find("MPI_THREAD_FUNNELED"), std::string::npos);
  d.join(team);
  EXPECT_EQ(d.races(), Driver::Pairs{});
}

TEST(MpiThreads, WorkThatTheMainThreadGotByChanceCounts) {
  Calls d(ThreadSupport::single);
  const TeamId team = d.fork(1, 2);
  d.work(1, WorkKind::single_executor, true);
  d.call(1, 10);
  d.work(1, WorkKind::single_executor, false);
  EXPECT_EQ(d.found(), 1);
  const TaskId task = d.create(1);
  d.start(1, task);
  d.call(1, 11);
  d.end(1);
  EXPECT_EQ(d.found(), 2);
  d.join(team);
}

TEST(MpiThreads, WorkOfWhoKnowsItsNumberIsNoChance) {
  Calls d(ThreadSupport::funneled);
  const TeamId team = d.fork(1, 2);
  d.work(1, WorkKind::single_executor, true);
  d.checker.asked_thread_number(d.checker.thread(ThreadId{1}));
  d.call(1, 10);
  d.work(1, WorkKind::single_executor, false);
  const TaskId undeferred = d.create(1, {}, {.undeferred = true});
  d.start(1, undeferred);
  d.call(1, 11);
  d.end(1);
  EXPECT_EQ(d.found(), 0);
  d.join(team);
}

TEST(MpiThreads, SerializedCallsAreOrderedOrExcluded) {
  Calls d(ThreadSupport::serialized);
  const TeamId team = d.fork(1, 2);
  d.lock(1, 0x100);
  d.call(1, 10);
  d.unlock(1, 0x100);
  d.lock(2, 0x100);
  d.call(2, 11);
  d.unlock(2, 0x100);
  d.barrier(team);
  d.call(2, 12);
  d.barrier(team);
  EXPECT_EQ(d.found(), 0);
  d.call(1, 13);
  d.call(2, 14);
  EXPECT_EQ(d.found(), 1);
  d.join(team);
  EXPECT_EQ(d.races(), Driver::Pairs{});
}

TEST(MpiThreads, MultipleAllowsAllButCollectivesOnOneCommunicator) {
  Calls d(ThreadSupport::multiple);
  const TeamId team = d.fork(1, 2);
  d.call(1, 10);
  d.call(2, 11);
  d.call(1, 12, 1);
  d.call(2, 13, 2);
  EXPECT_EQ(d.found(), 0);
  d.call(2, 14, 1);
  EXPECT_EQ(d.found(), 1);
  d.join(team);
}

TEST(MpiThreads, HasToBeInitialisedAndNotFinalised) {
  Calls d(ThreadSupport::multiple);
  d.phase = MpiCall::Phase::before_init;
  d.call(1, 10);
  d.phase = MpiCall::Phase::finalized;
  d.call(1, 11);
  EXPECT_EQ(d.found(), 2);
}

} // namespace
} // namespace fletcher::test
