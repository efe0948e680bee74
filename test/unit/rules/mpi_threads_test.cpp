// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of MPI against the level of thread support.
#include "checker/constructs/strand.hpp"
#include "checker/rules/mpi_threads.hpp"
#include "checker/rules/mpi_usage.hpp"
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>

namespace fletcher::test {
namespace {

struct Calls : Driver {
  explicit Calls(ThreadSupport level) : provided(level) { call(1, 9); } // MPI_Init_thread
  void call(unsigned thread, Address pc, std::uint32_t communicator = 0) {
    if (communicator != 0)
      use(thread, pc, {.of = MpiUse::Of::collective, .number = communicator});
    else
      make(thread, pc, {});
  }
  void use(unsigned thread, Address pc, const MpiUse& use) { make(thread, pc, std::span(&use, 1)); }
  void make(unsigned thread, Address pc, std::span<const MpiUse> uses) {
    checker.calls(checker.thread(ThreadId{thread}), {.pc = pc,
                                                     .function = "MPI_Send",
                                                     .phase = phase,
                                                     .type = type,
                                                     .provided = provided,
                                                     .on_main_thread = thread == 1,
                                                     .uses = uses,
                                                     .unfinished = unfinished});
  }
  void probe(unsigned thread, Address pc, const MpiMessage& sought, const MpiMessage& message) {
    checker.found(checker.thread(ThreadId{thread}), pc, sought, message);
  }
  void receive(unsigned thread, Address pc, const MpiMessage& message) {
    checker.receives(checker.thread(ThreadId{thread}), pc, message);
  }
  std::ptrdiff_t found() const { return count(Rule::mpi_threads); }

  ThreadSupport provided;
  MpiCall::Phase phase = MpiCall::Phase::running;
  MpiCall::Type type = MpiCall::Type::usual;
  std::span<const Address> unfinished;
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

TEST(MpiThreads, AMistakeIsToldWithTheCallThatItHasToDoWith) {
  Calls d(ThreadSupport::multiple);
  const MpiMistake mistake{
      .pc = 10, .message = "{task} does it twice", .fix = "once", .earlier = 8, .meaning = "first"};
  d.checker.mistaken(d.checker.thread(ThreadId{1}), mistake);
  ASSERT_EQ(d.found(), 1);
  const Finding& told = d.recorder.findings[0];
  EXPECT_EQ(told.severity, Severity::error);
  EXPECT_EQ(told.message, mistake.message);
  ASSERT_EQ(told.steps.size(), 2U);
  EXPECT_EQ(told.steps[0].place(), 9U);
  EXPECT_FALSE(told.steps[0].tasks.empty());
  EXPECT_EQ(told.steps[1].place(), 7U);
  EXPECT_EQ(told.steps[1].message, "first");
}

TEST(MpiThreads, WhatAnOperationUsesNeedsNoThreadOfItsOwn) {
  Calls d(ThreadSupport::funneled);
  const TeamId team = d.fork(1, 2);
  const auto operate = [&](unsigned thread, Address pc, access::Kind kind) {
    d.checker.operates(d.checker.thread(ThreadId{thread}), {MpiUse::Of::place, 1, kind}, pc);
  };
  operate(2, 10, access::Kind::write); // a call by this thread would be a mistake
  EXPECT_EQ(d.found(), 0);
  operate(1, 11, access::Kind::read);
  EXPECT_EQ(d.found(), 1);
  d.join(team);
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

TEST(MpiThreads, BehindASingleWhoseEndIsToldLateAllMembersComeByButThoseThatKnowTheirNumber) {
  for (const bool knows : {false, true}) {
    Calls d(ThreadSupport::funneled);
    const TeamId team = d.fork(1, 2);
    access::ThreadState& thread = d.checker.thread(ThreadId{1});
    d.checker.on(Work{thread.id, d.current[1], TeamId::none, WorkKind::single_executor, true, 0, 0x5000, true});
    if (knows) constructs::identify(thread);
    d.call(1, 10);
    EXPECT_EQ(d.found(), knows ? 0 : 1);
    d.join(team);
  }
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

TEST(MpiThreads, AnyThreadMayAskAndTheMainThreadFinalises) {
  Calls d(ThreadSupport::funneled);
  const TeamId team = d.fork(1, 2);
  d.type = MpiCall::Type::question;
  d.call(2, 10);
  EXPECT_EQ(d.found(), 0);
  d.join(team);
  Calls many(ThreadSupport::multiple);
  const TeamId other = many.fork(1, 2);
  many.type = MpiCall::Type::finalize;
  many.call(2, 10);
  EXPECT_EQ(many.found(), 1);
  many.join(other);
}

TEST(MpiThreads, WhoeverGetsASingleDoesNotFinalise) {
  Calls d(ThreadSupport::multiple);
  const TeamId team = d.fork(1, 2);
  d.call(1, 10);
  d.work(1, WorkKind::single_executor, true);
  d.call(1, 11);
  EXPECT_EQ(d.found(), 0);
  d.type = MpiCall::Type::finalize;
  d.call(1, 12);
  d.work(1, WorkKind::single_executor, false);
  EXPECT_EQ(d.found(), 1);
  d.join(team);
}

TEST(MpiThreads, FinalisingComesAfterAllCalls) {
  for (const bool ordered : {true, false}) {
    Calls d(ThreadSupport::multiple);
    const TeamId team = d.fork(1, 2);
    d.call(2, 10);
    if (ordered) d.barrier(team);
    d.type = MpiCall::Type::finalize;
    d.call(1, 11);
    EXPECT_EQ(d.found(), ordered ? 0 : 1);
    d.join(team);
  }
}

TEST(MpiThreads, FinalisingLeavesNothingPending) {
  Calls d(ThreadSupport::single);
  d.type = MpiCall::Type::finalize;
  constexpr std::array<Address, 2> begun{5, 6};
  d.unfinished = begun;
  d.call(1, 11);
  EXPECT_EQ(d.found(), 2);
  EXPECT_EQ(d.recorder.findings.at(0).steps.at(0).stack, Stack{5});
}

TEST(MpiThreads, TwoReceivesOfOneMessageDoNotKnowWhichTheyGet) {
  const auto found = [](const MpiMessage& one, const MpiMessage& other, bool ordered) {
    Calls d(ThreadSupport::multiple);
    const TeamId team = d.fork(1, 2);
    d.receive(1, 10, one);
    if (ordered) d.barrier(team);
    d.receive(2, 11, other);
    const auto count = d.found();
    EXPECT_TRUE(count == 0 || d.recorder.findings.at(0).severity == Severity::warning);
    d.join(team);
    return count;
  };
  EXPECT_EQ(found({1, 0, 5}, {1, 0, 5}, false), 1);
  EXPECT_EQ(found({1, 0, 5}, {1, 0, 5}, true), 0);
  EXPECT_EQ(found({1, 0, 5}, {1, 0, 6}, false), 0) << "another tag";
  EXPECT_EQ(found({1, 0, 5}, {2, 0, 5}, false), 0) << "another communicator";
  EXPECT_EQ(found({1, MpiMessage::any, 5}, {1, MpiMessage::any, 5}, false), 0) << "any will do";
}

TEST(MpiThreads, WhoeverUsesAWindowIsInAnEpochThatNobodyEndsMeanwhile) {
  Calls d(ThreadSupport::multiple);
  const TeamId team = d.fork(1, 2);
  const MpiUse operation{MpiUse::Of::epochs, 7, access::Kind::read}, fence{MpiUse::Of::epochs, 7};
  d.use(1, 10, operation);
  d.use(2, 11, operation);
  d.barrier(team);
  d.use(2, 12, fence);
  EXPECT_EQ(d.found(), 0);
  d.use(1, 13, operation);
  EXPECT_EQ(d.found(), 1);
  d.join(team);
}

TEST(MpiThreads, OperationsAtOnePlaceOfAWindowBothReadOrBothCombine) {
  const auto found = [](access::Kind first, access::Kind second) {
    Calls d(ThreadSupport::multiple);
    const TeamId team = d.fork(1, 2);
    d.use(1, 10, {MpiUse::Of::place, 7, first});
    d.use(2, 11, {MpiUse::Of::place, 7, second});
    const auto count = d.found();
    d.join(team);
    return count;
  };
  using enum access::Kind;
  EXPECT_EQ(found(write, write), 1);
  EXPECT_EQ(found(read, write), 1);
  EXPECT_EQ(found(read, atomic_write), 1);
  EXPECT_EQ(found(read, read), 0);
  EXPECT_EQ(found(atomic_write, atomic_write), 0);
  EXPECT_EQ(found(atomic_write, atomic_read), 0);
}

/// Task 1 finds a message and receives it, task 2 receives one at any time.
struct Probes {
  MpiMessage sought, found, received;
  bool received_by_the_finder = true;
  std::ptrdiff_t findings(bool other_first) const {
    Calls d(ThreadSupport::multiple);
    const TeamId team = d.fork(1, 2);
    if (other_first) d.receive(2, 12, received);
    d.probe(1, 10, sought, found);
    if (!other_first) d.receive(2, 12, received);
    if (received_by_the_finder) d.receive(1, 11, found);
    const auto is_error = [](const Finding& one) { return one.severity == Severity::error; };
    const std::ptrdiff_t findings =
        std::ranges::count_if(d.recorder.findings, is_error); // without those of two receives
    d.join(team);
    return findings;
  }
};

TEST(MpiThreads, AMessageThatIsFoundMayBeReceivedByAnotherThread) {
  constexpr int any = MpiMessage::any;
  for (const bool first : {true, false}) {
    EXPECT_EQ((Probes{{1, any, any}, {1, 0, 5}, {1, 0, 5}}.findings(first)), 1);
    EXPECT_EQ((Probes{{1, any, 5}, {1, 0, 5}, {1, any, any}}.findings(first)), 1);
    EXPECT_EQ((Probes{{1, any, any}, {1, 0, 5}, {1, 0, 6}}.findings(first)), 0) << "another tag";
    EXPECT_EQ((Probes{{1, any, any}, {1, 0, 5}, {2, 0, 5}}.findings(first)), 0) << "another communicator";
    EXPECT_EQ((Probes{{1, any, any}, {1, 0, 5}, {1, 0, 5}, false}.findings(first)), 0) << "it only looks";
  }
}

TEST(MpiThreads, TwoWhoLookForAnyMessageMayFindTheSame) {
  constexpr int any = MpiMessage::any;
  for (const bool ordered : {true, false}) {
    Calls d(ThreadSupport::multiple);
    const TeamId team = d.fork(1, 2);
    d.probe(1, 10, {1, any, any}, {1, 0, 5});
    d.receive(1, 11, {1, 0, 5});
    if (ordered) d.barrier(team);
    d.probe(2, 10, {1, any, any}, {1, 0, 6});
    d.receive(2, 11, {1, 0, 6});
    EXPECT_EQ(d.found(), ordered ? 0 : 1);
    d.join(team);
  }
}

} // namespace
} // namespace fletcher::test
