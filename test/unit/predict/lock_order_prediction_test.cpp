// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lock-order-cycle: which circles another run is sure to come to, and which only may be.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fletcher::test {
namespace {

constexpr Address a = 0x3000, b = 0x3008, guard = 0x3010, x = 0x1000, y = 0x2000;

class LockOrderPrediction : public testing::TestWithParam<bool>, public Driver {
protected:
  LockOrderPrediction() : Driver(config()) {}
  static CheckerConfig config() {
    CheckerConfig c = small_config();
    c.accesses = GetParam();
    return c;
  }
  /// Level native; else the accesses of a test are not seen.
  static bool sees_accesses() { return GetParam(); }
  void set(unsigned thread, Address l, Address pc) { lock(thread, l, MutexKind::lock, pc); }
  void touch(unsigned thread, Address at, access::Kind kind, Address pc) {
    if (sees_accesses()) access(thread, at, kind, pc);
  }
  std::ptrdiff_t found(Severity severity) const {
    return std::count_if(recorder.findings.begin(), recorder.findings.end(),
                         [&](const Finding& f) { return f.rule == Rule::lock_order_cycle && f.severity == severity; });
  }
  std::ptrdiff_t errors() const { return found(Severity::error); }
  std::ptrdiff_t warnings() const { return found(Severity::warning); }
  bool says(std::string_view what) const {
    return std::any_of(recorder.findings.begin(), recorder.findings.end(),
                       [&](const Finding& f) { return f.message.find(what) != std::string::npos; });
  }
};

TEST_P(LockOrderPrediction, OppositeOrdersAreAnError) {
  const TeamId team = fork(1, 2);
  set(1, a, 109), set(1, b, 110);
  touch(1, x, access::Kind::write, 11);
  unlock(1, b), unlock(1, a);
  set(2, b, 119), set(2, a, 120);
  touch(2, x, access::Kind::write, 12);
  unlock(2, a), unlock(2, b);
  join(team);
  EXPECT_EQ(errors(), 1);
  EXPECT_EQ(warnings(), 0);
}

// One thread executed two chunks, each of which takes two locks in an order of its own.
class LockOrderOfUnits : public LockOrderPrediction {
protected:
  /// `between`, `inside`: after the first chunk's locks; after it has taken the first one.
  template <class Between, class Inside> void two_orders(Between between, Inside inside, Address gate = 0) {
    const TeamId team = fork(1, 2);
    work(1, WorkKind::loop_dynamic, true);
    chunk(1);
    if (gate != 0) set(1, gate, 108);
    set(1, a, 109), inside(), set(1, b, 110);
    touch(1, x, access::Kind::write, 11);
    unlock(1, b), unlock(1, a);
    if (gate != 0) unlock(1, gate);
    between();
    if (gate != 0) set(1, gate, 118);
    set(1, b, 119), set(1, a, 120);
    touch(1, x, access::Kind::write, 12);
    unlock(1, a), unlock(1, b);
    if (gate != 0) unlock(1, gate);
    work(1, WorkKind::loop_dynamic, false);
    join(team);
  }
  static void nothing() {}
};
INSTANTIATE_TEST_SUITE_P(Levels, LockOrderOfUnits, testing::Bool());

TEST_P(LockOrderOfUnits, TwoChunksMayWaitForEachOther) {
  two_orders([&] { chunk(1); }, nothing);
  EXPECT_EQ(warnings(), sees_accesses() ? 1 : 0); // else the thread may have a number of its own
  EXPECT_EQ(errors(), 0);
}

TEST_P(LockOrderOfUnits, NotOfWhatAThreadMayHaveKeptOfItself) {
  own_values_are_told = false;
  two_orders([&] { chunk(1); }, nothing);
  EXPECT_EQ(warnings() + errors(), 0);
}

TEST_P(LockOrderOfUnits, OneChunkDoesNot) {
  two_orders(nothing, nothing);
  EXPECT_EQ(warnings() + errors(), 0);
}

TEST_P(LockOrderOfUnits, NorDoTwoUnderOneLock) {
  two_orders([&] { chunk(1); }, nothing, guard);
  EXPECT_EQ(warnings() + errors(), 0);
}

TEST_P(LockOrderOfUnits, NorThoseOfAThreadThatMayKnowItself) {
  two_orders([&] { chunk(1), checker.asked_thread_number(checker.thread(ThreadId{1})); }, nothing);
  EXPECT_EQ(warnings() + errors(), 0);
}

TEST_P(LockOrderOfUnits, NorThoseOfOneThatHadANumberBefore) {
  two_orders([&] { chunk(1); }, [&] { touch(1, y, access::Kind::write, 13); });
  EXPECT_EQ(warnings() + errors(), 0);
}

TEST_P(LockOrderOfUnits, NorTwoWithABarrierBetweenThem) {
  for (const bool waits : {false, true}) {
    Driver d(config());
    const TeamId team = d.fork(1, 2);
    const auto single = [&](Address first, Address second) {
      d.work(1, WorkKind::single_executor, true);
      d.lock(1, first), d.lock(1, second);
      d.unlock(1, second), d.unlock(1, first);
      d.work(1, WorkKind::single_executor, false);
    };
    single(a, b);
    if (waits) d.barrier(team);
    single(b, a);
    d.join(team);
    EXPECT_EQ(d.count(Rule::lock_order_cycle), !waits && sees_accesses() ? 1 : 0);
  }
}

/// At level tsan a semaphore may keep the two apart, or a mutex.
TEST(LockOrderWithoutPosix, NoCircleIsTold) {
  for (const bool posix_is_told : {true, false}) {
    CheckerConfig config = small_config();
    config.accesses = false;
    config.posix_is_told = posix_is_told;
    Driver d(config);
    const TeamId team = d.fork(1, 2);
    for (const unsigned thread : {1u, 2u}) {
      const auto [first, second] = thread == 1 ? std::pair(a, b) : std::pair(b, a);
      d.lock(thread, first, MutexKind::lock, 100 + thread), d.lock(thread, second, MutexKind::lock, 110 + thread);
      d.unlock(thread, second), d.unlock(thread, first);
    }
    d.join(team);
    EXPECT_EQ(d.recorder.findings.size(), posix_is_told ? 1U : 0U);
  }
}

// The second one counted before it took its locks, the first one with both in hand. That the second one's count has the
// first one's in it matters only where somebody looks at it.
TEST_P(LockOrderPrediction, WhatIsOnlyCountedKeepsNobodyApart) {
  for (const bool looks : {false, true}) {
    Driver d(config());
    const auto count = [&](unsigned thread, Address pc) {
      access::ThreadState& counts = d.checker.thread(ThreadId{thread});
      counts.only_counts = !looks;
      d.lock(thread, guard, MutexKind::critical, pc);
      counts.only_counts = false;
      if (sees_accesses()) d.write(thread, x, pc + 1);
      d.unlock(thread, guard, MutexKind::critical);
    };
    const TeamId team = d.fork(1, 2);
    d.lock(1, a, MutexKind::lock, 109), d.lock(1, b, MutexKind::lock, 110);
    count(1, 111);
    d.unlock(1, b), d.unlock(1, a);
    count(2, 117);
    d.lock(2, b, MutexKind::lock, 119), d.lock(2, a, MutexKind::lock, 120);
    d.unlock(2, a), d.unlock(2, b);
    d.join(team);
    ASSERT_EQ(d.recorder.findings.size(), 1u);
    EXPECT_EQ(d.recorder.findings.front().severity, looks && sees_accesses() ? Severity::warning : Severity::error);
  }
}

// Whoever holds b is counted under a: nobody asks for it meanwhile with a in hand. So the first reader locks the
// writers out, and the last one lets them in.
TEST_P(LockOrderPrediction, WhoHoldsTheInnerLockIsCounted) {
  const TeamId team = fork(1, 2);
  for (const unsigned thread : {1u, 2u}) {
    const Address pc = 100 + 20 * thread;
    set(thread, a, pc);
    touch(thread, x, access::Kind::write, 11);
    set(thread, b, pc + 1);
    unlock(thread, a);
    set(thread, a, pc + 2);
    touch(thread, x, access::Kind::write, 12);
    unlock(thread, b), unlock(thread, a);
  }
  join(team);
  EXPECT_EQ(errors() + warnings(), 0);
}

// The same guard, but nothing under it keeps the two apart.
TEST_P(LockOrderPrediction, AGuardThatGuardsSomethingElse) {
  const TeamId team = fork(1, 2);
  const auto both = [&](unsigned thread, Address first, Address second, Address data) {
    const Address pc = 100 + 20 * thread;
    set(thread, guard, pc);
    touch(thread, data, access::Kind::write, 11);
    set(thread, first, pc + 1);
    unlock(thread, guard);
    set(thread, second, pc + 2);
    touch(thread, data + 8, access::Kind::write, 12);
    unlock(thread, second), unlock(thread, first);
  };
  both(1, a, b, x);
  both(2, b, a, y);
  join(team);
  EXPECT_EQ(errors(), sees_accesses() ? 1 : 0);
  EXPECT_EQ(warnings(), sees_accesses() ? 0 : 1);
}

// Two that set all that they need under one guard, and wait for each other's word there.
TEST_P(LockOrderPrediction, TurnsThatAGuardGives) {
  const TeamId team = fork(1, 2);
  set(1, a, 109), set(1, b, 110);
  unlock(1, b), unlock(1, a);
  set(1, guard, 111);
  touch(1, x, access::Kind::write, 11);
  unlock(1, guard);
  set(2, guard, 121);
  touch(2, x, access::Kind::read, 12);
  unlock(2, guard);
  set(2, b, 119), set(2, a, 120);
  unlock(2, a), unlock(2, b);
  join(team);
  EXPECT_EQ(errors(), sees_accesses() ? 0 : 1) << "without accesses nothing tells of the turns";
  EXPECT_EQ(warnings(), sees_accesses() ? 1 : 0);
  EXPECT_EQ(says("keep them apart"), sees_accesses());
}

// That a section came first matters only where its value was read.
TEST_P(LockOrderPrediction, TheOrderOfOtherSectionsIsAnAccident) {
  const TeamId team = fork(1, 2);
  set(1, a, 109), set(1, b, 110);
  unlock(1, b), unlock(1, a);
  set(1, guard, 111);
  touch(1, x, access::Kind::write, 11);
  unlock(1, guard);
  set(2, guard, 121);
  touch(2, y, access::Kind::write, 12);
  unlock(2, guard);
  set(2, b, 119), set(2, a, 120);
  unlock(2, a), unlock(2, b);
  join(team);
  EXPECT_EQ(errors(), 1);
  EXPECT_EQ(warnings(), 0);
}

TEST_P(LockOrderPrediction, AnErrorComesAfterAWarningOfTheSamePlaces) {
  const TeamId team = fork(1, 3);
  const auto both = [&](unsigned thread, Address first, Address second, Address pc) {
    set(thread, first, pc), set(thread, second, pc + 1);
    unlock(thread, second), unlock(thread, first);
  };
  both(1, a, b, 109);
  touch(1, x, access::Kind::write, 11);
  set(2, guard, 121);
  touch(2, x, access::Kind::read, 12);
  unlock(2, guard);
  both(2, b, a, 119);
  const auto before = errors();
  both(3, b, a, 119);
  join(team);
  EXPECT_EQ(before, sees_accesses() ? 0 : 1);
  EXPECT_EQ(errors(), 1);
}

INSTANTIATE_TEST_SUITE_P(Levels, LockOrderPrediction, testing::Bool(),
                         [](const auto& level) { return level.param ? "Native" : "Graph"; });

} // namespace
} // namespace fletcher::test
