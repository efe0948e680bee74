// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics of every memory order, fences and flushes: which of them order what is around them (C11, 5.1.2.4; OpenMP 5.1,
// 1.4.4 and 1.4.5).
#include "checker/constructs/locks/atomic_order.hpp"
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace fletcher::test {
namespace {

using constructs::MemoryOrder;
using enum constructs::MemoryOrder;
using Pairs = Driver::Pairs;

constexpr Address x = 0x1000, flag = 0x2000, other_flag = 0x3000;

/// Two threads, or more, that pass x on: what the first one wrote, the last one reads.
class AtomicOrders : public testing::Test {
protected:
  AtomicOrders() { team = d.fork(1, 4); }
  ~AtomicOrders() override { d.join(team); }

  access::ThreadState& thread(unsigned t) { return d.checker.thread(ThreadId{t}); }
  void store(unsigned t, MemoryOrder order, Address at = flag) {
    thread(t).atomics->store(thread(t), at, order, [] {});
  }
  void load(unsigned t, MemoryOrder order, Address at = flag) {
    if (order == relaxed) thread(t).atomics->read_before_fences(at);
    if (!thread(t).atomics->load_tells_nothing(thread(t), at, order))
      thread(t).atomics->after_load(thread(t), at, order);
  }
  void update(unsigned t, MemoryOrder order, Address at = flag) {
    thread(t).atomics->update(thread(t), at, order, [] {});
  }
  /// It does nothing with the value from before.
  void count(unsigned t, MemoryOrder order) {
    thread(t).atomics->update(thread(t), flag, order, [] {}, constructs::OldValue::unused);
  }
  void exchange_in_loop(unsigned t, MemoryOrder order) {
    thread(t).atomics->exchange(
        thread(t), flag, order, relaxed, [] { return std::pair(0, true); }, constructs::OldValue::unused);
  }
  void fail_to_exchange(unsigned t, MemoryOrder success, MemoryOrder failure) {
    thread(t).atomics->exchange(thread(t), flag, success, failure, [] { return std::pair(0, false); });
  }
  void exchange(unsigned t, MemoryOrder order) {
    thread(t).atomics->exchange(thread(t), flag, order, order, [] { return std::pair(0, true); });
  }
  void fence(unsigned t, MemoryOrder order) { thread(t).atomics->fence(thread(t), order); }
  void flush(unsigned t) { d.checker.on(Flush{ThreadId{t}, d.current[t], 0}); }
  void give() { d.write(1, x, 11); }
  /// Whether what thread 1 gave is ordered before what `t` does now.
  bool ordered(unsigned t) {
    d.read(t, x, 12);
    return d.races().empty();
  }

  Driver d;
  TeamId team;
};

TEST_F(AtomicOrders, ReleaseAndAcquireSynchronise) {
  give();
  store(1, release);
  load(2, acquire);
  EXPECT_TRUE(ordered(2));
}
TEST_F(AtomicOrders, SequentiallyConsistentOnesDoToo) {
  give();
  store(1, seq_cst);
  load(2, seq_cst);
  EXPECT_TRUE(ordered(2));
}
TEST_F(AtomicOrders, ConsumeIsTakenForAcquire) {
  give();
  store(1, release);
  load(2, consume);
  EXPECT_TRUE(ordered(2));
}
TEST_F(AtomicOrders, RelaxedOnesDoNot) {
  give();
  store(1, relaxed);
  load(2, relaxed);
  EXPECT_FALSE(ordered(2));
}
TEST_F(AtomicOrders, ARelaxedStoreReleasesNothing) {
  give();
  store(1, relaxed);
  load(2, acquire);
  EXPECT_FALSE(ordered(2));
}
TEST_F(AtomicOrders, ARelaxedLoadAcquiresNothing) {
  give();
  store(1, release);
  load(2, relaxed);
  EXPECT_FALSE(ordered(2));
}
TEST_F(AtomicOrders, WhatComesAfterTheReleaseIsNotReleased) {
  store(1, release);
  give();
  load(2, acquire);
  EXPECT_FALSE(ordered(2));
}
TEST_F(AtomicOrders, UpdatesReleaseAndAcquire) {
  give();
  update(1, release);
  update(2, acquire);
  EXPECT_TRUE(ordered(2));
}
TEST_F(AtomicOrders, UpdatesPassOnWhatTheyAcquired) {
  give();
  update(1, acq_rel);
  update(2, acq_rel);
  update(3, acq_rel);
  EXPECT_TRUE(ordered(3));
}
TEST_F(AtomicOrders, AnExchangeIsAnUpdateWhereItWrites) {
  give();
  exchange(1, acq_rel);
  exchange(2, acq_rel);
  EXPECT_TRUE(ordered(2));
}
// To know a later strand of the one that published last is not to know what the other one published.
TEST_F(AtomicOrders, WhatTwoReleasedOneAfterTheOtherIsMoreThanTheSecondOneKnew) {
  give(), store(1, release);
  d.write(2, x + 8, 21), update(2, release);
  d.write(2, x + 8, 21), store(2, release, other_flag);
  load(3, acquire, other_flag);
  load(3, acquire);
  EXPECT_TRUE(ordered(3));
}
// It has accessed nothing: what it learned last is reported as its own.
TEST_F(AtomicOrders, SoItIsWithWhatATaskWithoutAStrandLearned) {
  give(), store(1, release);
  d.write(3, x + 8, 31), store(3, release, other_flag);
  load(2, acquire), load(2, acquire, other_flag), store(2, release);
  d.write(3, x + 8, 31), store(3, release, other_flag);
  load(4, acquire, other_flag);
  load(4, acquire);
  EXPECT_TRUE(ordered(4));
}
TEST_F(AtomicOrders, WhatATaskLearnsInAStrandIsNotKnownToWhoKnowsTheStrand) {
  give(), store(1, release);
  d.write(2, x + 8, 21), store(2, release, other_flag);
  load(3, acquire, other_flag);
  load(2, acquire), store(2, release, other_flag); // nothing was accessed between
  load(3, acquire, other_flag);
  EXPECT_TRUE(ordered(3));
}
TEST_F(AtomicOrders, NorToWhoUpdatesAfterIt) {
  give(), store(1, release);
  d.write(2, x + 8, 21), store(2, release, other_flag);
  update(3, acquire, other_flag);
  load(2, acquire), store(2, release, other_flag);
  update(3, acquire, other_flag);
  EXPECT_TRUE(ordered(3));
}
// What its value carries is known before the access is recorded: the object may have been made by a plain write.
TEST_F(AtomicOrders, AnUpdateComesAfterWhatItsValueCarries) {
  d.write(1, flag, 11);
  update(1, acq_rel);
  thread(2).atomics->update(thread(2), flag, acq_rel, [&] { d.access(2, flag, access::Kind::atomic_write, 12); });
  EXPECT_EQ(d.races(), Driver::Pairs{});
}
// The value is there before the update has told what it carries, for the first time at its address.
TEST_F(AtomicOrders, WhoReadsTheValueOfAnUpdateThatGoesOnWaitsForItsEnd) {
  give();
  std::jthread reader;
  thread(1).atomics->update(thread(1), flag, release, [&] {
    reader = std::jthread([&] { load(2, acquire); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  reader.join();
  EXPECT_TRUE(ordered(2));
}

TEST_F(AtomicOrders, ARelaxedUpdateContinuesTheReleaseSequence) {
  give();
  store(1, release);
  update(2, relaxed);
  load(3, acquire);
  EXPECT_TRUE(ordered(3));
}
TEST_F(AtomicOrders, ARelaxedUpdateTakesNothingItself) {
  give();
  store(1, release);
  update(2, relaxed);
  EXPECT_FALSE(ordered(2));
}
TEST_F(AtomicOrders, AnotherThreadsStoreEndsTheReleaseSequence) {
  give();
  store(1, release);
  store(2, relaxed);
  load(3, acquire);
  EXPECT_FALSE(ordered(3));
}
// It could have come first, and nothing would be different.
TEST_F(AtomicOrders, AnUpdateWhoseValueIsLeftAcquiresNothing) {
  give();
  count(1, acq_rel);
  count(2, seq_cst);
  EXPECT_FALSE(ordered(2));
}
TEST_F(AtomicOrders, NorDoesAnExchangeOfThatKind) {
  give();
  exchange_in_loop(1, seq_cst);
  exchange_in_loop(2, seq_cst);
  EXPECT_FALSE(ordered(2));
}
TEST_F(AtomicOrders, WhoReadsTheValueComesAfterAllWhoCounted) {
  give();
  count(1, seq_cst);
  count(2, seq_cst);
  count(1, seq_cst);
  count(2, seq_cst);
  load(3, acquire);
  EXPECT_TRUE(ordered(3));
}
TEST_F(AtomicOrders, WhoCountedLearnsByTheNextLook) {
  give();
  count(1, acq_rel);
  count(2, acq_rel);
  load(2, relaxed);
  EXPECT_TRUE(ordered(2));
}
TEST_F(AtomicOrders, AlsoByAnUpdate) {
  give();
  count(1, acq_rel);
  count(2, acq_rel);
  update(2, relaxed);
  EXPECT_TRUE(ordered(2));
}
TEST_F(AtomicOrders, ARelaxedLookIsNotEnoughForWhoDidNotCount) {
  give();
  count(1, acq_rel);
  count(2, acq_rel);
  load(3, relaxed);
  EXPECT_FALSE(ordered(3));
}
TEST_F(AtomicOrders, AFenceAfterwardsBindsNoValueThatWasLeft) {
  give();
  count(1, seq_cst);
  count(2, seq_cst);
  flush(2);
  EXPECT_FALSE(ordered(2));
}
TEST_F(AtomicOrders, ALookAfterThatFenceDoes) {
  give();
  count(1, seq_cst);
  count(2, seq_cst);
  flush(2);
  load(2, relaxed);
  EXPECT_TRUE(ordered(2));
}
TEST_F(AtomicOrders, AFailedExchangeAcquiresByItsOwnOrder) {
  give();
  store(1, release);
  fail_to_exchange(2, acq_rel, acquire);
  EXPECT_TRUE(ordered(2));
  fail_to_exchange(3, acq_rel, relaxed);
  EXPECT_FALSE(ordered(3));
}
TEST_F(AtomicOrders, FencesOrderWithRelaxedAtomics) {
  give();
  fence(1, release);
  store(1, relaxed);
  load(2, relaxed);
  fence(2, acquire);
  EXPECT_TRUE(ordered(2));
}
TEST_F(AtomicOrders, AReleaseFenceIsEnoughForAnAcquireLoad) {
  give();
  fence(1, release);
  store(1, relaxed);
  load(2, acquire);
  EXPECT_TRUE(ordered(2));
}
TEST_F(AtomicOrders, AFenceAfterTheStoreIsTooLate) {
  give();
  store(1, relaxed);
  fence(1, release);
  load(2, relaxed);
  fence(2, acquire);
  EXPECT_FALSE(ordered(2));
}
TEST_F(AtomicOrders, AFenceBeforeTheLoadIsTooEarly) {
  give();
  fence(1, release);
  store(1, relaxed);
  fence(2, acquire);
  load(2, relaxed);
  EXPECT_FALSE(ordered(2));
}
TEST_F(AtomicOrders, FencesAloneOrderNothing) {
  give();
  fence(1, seq_cst);
  fence(2, seq_cst);
  EXPECT_FALSE(ordered(2));
}
TEST_F(AtomicOrders, FlushesAreFences) {
  give();
  flush(1);
  store(1, relaxed);
  load(2, relaxed);
  flush(2);
  EXPECT_TRUE(ordered(2));
}

/// Who waits for a flag reads it many times.
TEST_F(AtomicOrders, WhoReadsAgainLearnsWhatWasReleasedSince) {
  store(1, release);
  load(2, acquire);
  EXPECT_TRUE(thread(2).atomics->load_tells_nothing(thread(2), flag, acquire));
  give();
  store(1, release);
  EXPECT_FALSE(thread(2).atomics->load_tells_nothing(thread(2), flag, acquire));
  load(2, acquire);
  EXPECT_TRUE(ordered(2));
}
TEST_F(AtomicOrders, WhatWasReadForAFenceIsNotYetAcquired) {
  fence(3, seq_cst);
  give();
  store(1, release);
  load(2, relaxed);
  EXPECT_TRUE(thread(2).atomics->load_tells_nothing(thread(2), flag, relaxed));
  EXPECT_FALSE(thread(2).atomics->load_tells_nothing(thread(2), flag, acquire));
  load(2, relaxed), load(2, acquire);
  EXPECT_TRUE(ordered(2));
}
TEST_F(AtomicOrders, WhatAnotherTaskOfTheThreadAcquiredATaskHasNot) {
  for (const bool acquires : {false, true}) {
    const TaskId task = d.create(3);
    const Address at = acquires ? x + 8 : x;
    d.write(1, at, acquires ? 21 : 11);
    store(1, release);
    load(2, acquire);
    d.start(2, task);
    if (acquires) load(2, acquire);
    d.read(2, at, 12);
    EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
    d.end(2);
  }
}

/// The program's first fence may come while another thread's relaxed operation is under way, which reads what was
/// written after it.
TEST_F(AtomicOrders, TheFirstFenceMayComeDuringARelaxedUpdate) {
  give();
  thread(2).atomics->update(thread(2), flag, relaxed, [&] {
    fence(1, release);
    store(1, relaxed);
  });
  fence(2, acquire);
  EXPECT_TRUE(ordered(2));
}

/// What was released before the program's first fence was met, that fence binds all the same.
TEST_F(AtomicOrders, TheFirstFenceBindsALoadBeforeIt) {
  give();
  store(1, release);
  load(2, relaxed);
  fence(2, acquire);
  EXPECT_TRUE(ordered(2));
}
TEST_F(AtomicOrders, TheFirstFenceBindsAnUpdateBeforeIt) {
  give();
  update(1, release);
  update(2, relaxed);
  fence(3, release);
  fence(2, acquire);
  EXPECT_TRUE(ordered(2));
}
TEST_F(AtomicOrders, TheFirstFenceBindsAFailedExchangeBeforeIt) {
  give();
  store(1, release);
  fail_to_exchange(2, relaxed, relaxed);
  fence(2, acquire);
  EXPECT_TRUE(ordered(2));
}
TEST_F(AtomicOrders, TheFirstFenceBindsALoadOfWhatIsOverwrittenByThen) {
  give();
  store(1, release);
  load(2, relaxed);
  store(3, release);
  store(3, relaxed);
  fence(2, acquire);
  EXPECT_TRUE(ordered(2));
}
TEST_F(AtomicOrders, WhatNobodyReadBeforeTheFirstFenceItDoesNotBind) {
  give();
  store(1, release);
  fence(2, acquire);
  EXPECT_FALSE(ordered(2));
}
TEST_F(AtomicOrders, NorWhatWasReadOfOthers) {
  give();
  load(2, relaxed);
  store(1, release);
  load(2, relaxed, other_flag);
  fence(2, acquire);
  EXPECT_FALSE(ordered(2));
}
TEST_F(AtomicOrders, AfterTheFirstFenceWhoReadsWhatIsExact) {
  fence(2, acquire);
  give();
  store(1, release);
  load(3, relaxed);
  fence(2, acquire);
  EXPECT_FALSE(ordered(2));
}

} // namespace
} // namespace fletcher::test
