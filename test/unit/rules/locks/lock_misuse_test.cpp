// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lock-misuse: what OpenMP's locks forbid, and what only looks like it.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fletcher::test {
namespace {

constexpr Address a = 0x3000, b = 0x3008;

class LockMisuseTest : public testing::Test, public Driver {
protected:
  explicit LockMisuseTest(const CheckerConfig& config = small_config()) : Driver(config) {}
  using Places = std::multiset<Address>;
  Places misuses() const {
    Places result;
    for (const Finding& f : recorder.findings)
      if (f.rule == Rule::lock_misuse) result.insert(f.steps.front().stack.front());
    return result;
  }
  bool says(std::string_view what) const {
    return std::any_of(recorder.findings.begin(), recorder.findings.end(),
                       [&](const Finding& f) { return f.message.find(what) != std::string::npos; });
  }
  void nest(unsigned thread, Address l, bool deeper, Address pc) {
    checker.on(MutexEvent{ThreadId{thread},
                          current[thread],
                          {MutexKind::nest_lock, l},
                          deeper ? MutexStep::nested : MutexStep::unnested,
                          0,
                          pc});
  }
};

TEST_F(LockMisuseTest, SetAndUnsetByTheOwner) {
  life(1, a, MutexStep::init);
  const TeamId team = fork(1, 2);
  lock(1, a, MutexKind::lock, 10);
  unlock(1, a, MutexKind::lock, 11);
  lock(2, a, MutexKind::lock, 12);
  unlock(2, a, MutexKind::lock, 13);
  join(team);
  life(1, a, MutexStep::destroy);
  EXPECT_EQ(misuses(), Places{});
}

TEST_F(LockMisuseTest, UnsetByAnotherTaskOfTheSameThread) {
  const TeamId team = fork(1, 2);
  lock(1, a, MutexKind::lock, 10);
  const TaskId child = create(1);
  start(1, child);
  unlock(1, a, MutexKind::lock, 11);
  end(1);
  join(team);
  EXPECT_EQ(misuses(), Places{11});
  EXPECT_TRUE(says("another task has set"));
}

TEST_F(LockMisuseTest, UnsetOfALockThatIsNotSet) {
  lock(1, a, MutexKind::lock, 10);
  unlock(1, a, MutexKind::lock, 11);
  unlock(1, a, MutexKind::lock, 12);
  EXPECT_EQ(misuses(), Places{12});
}

TEST_F(LockMisuseTest, AnnouncedUnsetsAreToldOnce) {
  lock(1, a, MutexKind::lock, 10);
  const auto unset = [&](Address pc) {
    MutexEvent event{ThreadId{1}, current[1], {MutexKind::lock, a}, MutexStep::releasing, 0, pc};
    checker.on(event);
    event.step = MutexStep::released;
    event.announced = true;
    checker.on(event);
  };
  unset(11);
  EXPECT_EQ(misuses(), Places{});
  unset(12);
  EXPECT_EQ(misuses(), Places{12});
  EXPECT_EQ(recorder.repeated, 0);
}

TEST_F(LockMisuseTest, SetTwice) {
  lock(1, a, MutexKind::lock, 10);
  acquiring(1, a, MutexKind::lock, 11);
  EXPECT_EQ(misuses(), Places{11});
}

TEST_F(LockMisuseTest, NestLocksMayBeSetTwice) {
  lock(1, a, MutexKind::nest_lock, 10);
  acquiring(1, a, MutexKind::nest_lock, 11);
  nest(1, a, true, 11);
  nest(1, a, false, 12);
  unlock(1, a, MutexKind::nest_lock, 13);
  EXPECT_EQ(misuses(), Places{});
  nest(1, a, false, 14);
  EXPECT_EQ(misuses(), Places{14});
}

TEST_F(LockMisuseTest, TestingALockThatOneHoldsIsAllowed) {
  lock(1, a, MutexKind::lock, 10);
  checker.on(MutexEvent{ThreadId{1}, current[1], {MutexKind::lock, a}, MutexStep::testing, 0, 11});
  unlock(1, a, MutexKind::lock, 12);
  EXPECT_EQ(misuses(), Places{});
}

TEST_F(LockMisuseTest, TasksAndMembersEndWithoutLocks) {
  const TeamId team = fork(1, 2);
  const TaskId child = create(1);
  start(1, child);
  lock(1, a, MutexKind::lock, 10);
  end(1);
  lock(2, b, MutexKind::nest_lock, 11);
  nest(2, b, true, 12);
  unlock(2, b, MutexKind::nest_lock, 13);
  lock(2, b, MutexKind::nest_lock, 14);
  nest(2, b, true, 15);
  EXPECT_EQ(misuses(), Places{10});
  join(team);
  EXPECT_EQ(misuses(), (Places{10, 14}));
  EXPECT_TRUE(says("it is set 2 times"));
}

TEST_F(LockMisuseTest, ATaskOverWhoseLockIsUnsetByAnotherIsToldOnce) {
  const TeamId team = fork(1, 2);
  const TaskId child = create(1);
  start(1, child);
  lock(1, a, MutexKind::lock, 10);
  unlock(2, a, MutexKind::lock, 11);
  end(1);
  join(team);
  EXPECT_EQ(misuses(), Places{11});
}

TEST_F(LockMisuseTest, DestroyedWhileSet) {
  lock(1, a, MutexKind::lock, 10);
  life(1, a, MutexStep::destroy, 11);
  EXPECT_EQ(misuses(), Places{11});
}

TEST_F(LockMisuseTest, UsedAfterItsEnd) {
  life(1, a, MutexStep::init, 9);
  life(1, a, MutexStep::destroy, 10);
  lock(1, a, MutexKind::lock, 11);
  unlock(1, a, MutexKind::lock, 12);
  life(1, a, MutexStep::destroy, 13);
  EXPECT_EQ(misuses(), (Places{11, 13}));
  life(1, a, MutexStep::init, 14);
  lock(1, a, MutexKind::lock, 15);
  unlock(1, a, MutexKind::lock, 16);
  life(1, a, MutexStep::destroy, 17);
  EXPECT_EQ(misuses(), (Places{11, 13}));
}

TEST_F(LockMisuseTest, SimpleRoutinesOnANestLock) {
  life(1, a, MutexStep::init_nest, 9);
  lock(1, a, MutexKind::lock, 10);
  unlock(1, a, MutexKind::lock, 11);
  life(1, a, MutexStep::destroy_nest, 12);
  life(1, a, MutexStep::init, 13);
  lock(1, a, MutexKind::lock, 14);
  unlock(1, a, MutexKind::lock, 15);
  EXPECT_EQ(misuses(), Places{10});
}

TEST_F(LockMisuseTest, RoutinesForNestLocksOnASimpleLock) {
  life(1, a, MutexStep::init, 9);
  lock(1, a, MutexKind::nest_lock, 10);
  unlock(1, a, MutexKind::nest_lock, 11);
  EXPECT_EQ(misuses(), Places{10});
  EXPECT_TRUE(says("for nestable locks"));
}

TEST_F(LockMisuseTest, HeldAtTheEndOfTheProgram) {
  lock(1, a, MutexKind::lock, 10);
  lock(1, b, MutexKind::lock, 11);
  unlock(1, b, MutexKind::lock, 12);
  checker.on(InitialTaskEnd{ThreadId{1}, root});
  ASSERT_EQ(misuses(), Places{10});
  EXPECT_EQ(recorder.findings.front().severity, Severity::warning);
}

/// Of a program in which the initialisation of every lock is reported.
struct StaticBelow0x3008 final : access::MemoryMap {
  access::MemoryExtent around(Address, ThreadId) const override { return {}; }
  bool is_static(Address address) const override { return address < 0x3008; }
  bool is_named(Address) const override { return false; }
  bool is_cxx_library(Address) const override { return false; }
};

class LocksInMemoryTest : public LockMisuseTest {
protected:
  LocksInMemoryTest() : LockMisuseTest(config()) {}
  static CheckerConfig config() {
    static const StaticBelow0x3008 memory;
    CheckerConfig c = small_config();
    c.memory = &memory;
    return c;
  }
};

TEST_F(LocksInMemoryTest, InitialisedTwice) {
  life(1, a, MutexStep::init, 10);
  life(1, a, MutexStep::init, 11);
  life(1, a, MutexStep::destroy, 12);
  life(1, a, MutexStep::init, 13);
  EXPECT_EQ(misuses(), Places{11});
  EXPECT_TRUE(says("initialised again"));
}

TEST_F(LocksInMemoryTest, OtherMemoryMayHaveBecomeAnotherLock) {
  life(1, b, MutexStep::init, 10);
  life(1, b, MutexStep::init, 11);
  EXPECT_EQ(misuses(), Places{});
}

class LockLivesTest : public LockMisuseTest {
protected:
  static CheckerConfig told() {
    CheckerConfig config = small_config();
    config.lock_lives_are_told = true;
    return config;
  }
  LockLivesTest() : LockMisuseTest(told()) {}
};

TEST_F(LockLivesTest, UsedWithoutInitialisation) {
  life(1, a, MutexStep::init, 9);
  lock(1, a, MutexKind::lock, 10);
  unlock(1, a, MutexKind::lock, 11);
  life(1, b, MutexStep::calling, 12); // where the runtime aborts
  lock(1, b, MutexKind::lock, 12);
  unlock(1, b, MutexKind::lock, 13);
  EXPECT_EQ(misuses(), Places{12});
  EXPECT_TRUE(says("without having been initialised"));
  life(1, b, MutexStep::init_nest, 14);
  lock(1, b, MutexKind::nest_lock, 15);
  unlock(1, b, MutexKind::nest_lock, 16);
  EXPECT_EQ(misuses(), Places{12});
}

TEST_F(LockLivesTest, MoreLocksThanAreRemembered) {
  constexpr unsigned many = 70'000;
  for (unsigned i = 0; i < many; ++i) life(1, 0x10000 + 8 * Address{i}, MutexStep::init, 9);
  for (unsigned i = 0; i < many; ++i) {
    lock(1, 0x10000 + 8 * Address{i}, MutexKind::lock, 10);
    unlock(1, 0x10000 + 8 * Address{i}, MutexKind::lock, 11);
  }
  EXPECT_EQ(misuses(), Places{});
}

TEST_F(LockLivesTest, DestroyedOnesMakeRoom) {
  constexpr unsigned many = 70'000;
  for (unsigned i = 0; i < many; ++i) {
    life(1, 0x10000 + 8 * Address{i}, MutexStep::init, 9);
    life(1, 0x10000 + 8 * Address{i}, MutexStep::destroy, 10);
  }
  lock(1, a, MutexKind::lock, 11);
  unlock(1, a, MutexKind::lock, 12);
  EXPECT_EQ(misuses(), Places{11});
}

TEST_F(LockMisuseTest, MutexesOfPosixBelongToThreads) {
  lock(1, a, MutexKind::posix, 10);
  const TeamId team = fork(1, 2);
  unlock(1, a, MutexKind::posix, 11);
  lock(2, a, MutexKind::posix, 12);
  join(team);
  EXPECT_EQ(misuses(), Places{});
}

TEST_F(LockMisuseTest, AReleaseToldLateIsNoMisuse) {
  life(1, a, MutexStep::init);
  const TeamId team = fork(1, 2);
  lock(1, a, MutexKind::lock, 10);
  lock(2, a, MutexKind::lock, 11); // the runtime has let it in, but not reported yet that thread 1 let go
  unlock(2, a, MutexKind::lock, 12);
  life(2, a, MutexStep::destroy, 13);
  unlock(1, a, MutexKind::lock, 14);
  join(team);
  EXPECT_EQ(misuses(), Places{});
}

TEST_F(LockMisuseTest, AThreadThatBecomesKnownToTheRuntimeKeepsItsLocks) {
  lock(1, a, MutexKind::lock, 10);
  begin_root(1, TaskKind::initial);
  unlock(1, a, MutexKind::lock, 11);
  EXPECT_EQ(misuses(), Places{});
}

} // namespace
} // namespace fletcher::test
