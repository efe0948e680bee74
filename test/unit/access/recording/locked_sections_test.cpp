// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What many tasks do in sections of one lock (access/recording/in_section.cpp), and a lock that is let go of before the
// runtime says so.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include <sys/resource.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, other = 0x2000, lock = 0x3000;
using Pairs = Driver::Pairs;
using access::Kind;

/// Five members, and tasks of theirs.
struct Sections {
  Sections() : team(d.fork(1, 5)) {}
  void locked(unsigned thread, Kind kind, Address pc, std::size_t size = 8) {
    d.lock(thread, lock);
    d.access(thread, x, kind, pc, size);
    d.unlock(thread, lock);
  }
  void by_task(unsigned thread, Address pc, Kind kind = Kind::write) {
    d.start(thread, d.create(thread));
    locked(thread, kind, pc);
    d.end(thread);
  }
  Driver d;
  TeamId team;
};
struct LockedSections : testing::Test, Sections {};

TEST_F(LockedSections, DoNotRace) {
  for (int i = 0; i < 20; ++i) by_task(1 + i % 2, 11), by_task(1 + i % 3, 12, Kind::read);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(LockedSectionsOfTasks, AreMetByWhoHasNoLock) {
  for (int tasks = 1; tasks <= 12; ++tasks) {
    Sections of;
    for (int i = 0; i < tasks; ++i) of.by_task(1 + i % 2, 11);
    of.d.write(4, x, 21);
    EXPECT_EQ(of.d.races(), (Pairs{{11, 21}})) << tasks;
  }
}

TEST(LockedSectionsOfTasks, MeetWhoHadNoLock) {
  for (int before = 0; before <= 12; ++before) {
    Sections of;
    for (int i = 0; i < before; ++i) of.by_task(1 + i % 2, 11);
    of.d.read(4, x, 21);
    for (int i = 0; i < 6; ++i) of.by_task(1 + i % 2, 12);
    const Pairs races = of.d.races();
    EXPECT_TRUE(races.contains({12, 21})) << before;
    EXPECT_EQ(races.contains({11, 21}), before != 0);
  }
}

/// The key and the value of a node, of which a section reads both and writes one.
TEST_F(LockedSections, AreMetByWhatTheyReadAndByWhatTheyWrite) {
  for (int i = 0; i < 8; ++i) {
    const unsigned thread = 1 + i % 2;
    d.lock(thread, lock);
    d.access(thread, x, Kind::read, 11, 4);
    d.access(thread, x + 4, Kind::write, 12, 4);
    d.unlock(thread, lock);
  }
  EXPECT_EQ(d.races(), Pairs{});
  d.access(4, x, Kind::write, 21, 4);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
  d.access(5, x + 4, Kind::read, 22, 4);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {12, 22}}));
}

TEST_F(LockedSections, OfAnotherLockAreMet) {
  for (int i = 0; i < 8; ++i) by_task(1 + i % 2, 11);
  d.lock(4, other);
  d.write(4, x, 21);
  d.unlock(4, other);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
}

/// Those that come before others give way to them, though not at once.
TEST_F(LockedSections, ThatComeBeforeGiveWay) {
  for (int i = 0; i < 8; ++i) by_task(3, 11);
  d.taskwait(3);
  for (int i = 0; i < 16; ++i) locked(3, Kind::write, 12);
  by_task(1, 13);
  by_task(2, 14);
  d.write(4, x, 21);
  EXPECT_EQ(d.races(), (Pairs{{12, 21}, {13, 21}, {14, 21}}));
}

TEST(LockedSectionsOfTasks, OfARegionBeforeCountNoMore) {
  Sections of;
  Driver& d = of.d;
  for (int i = 0; i < 8; ++i) of.by_task(1 + i % 3, 11);
  d.join(of.team);
  d.fork(1, 5);
  for (const unsigned thread : {1u, 2u, 3u}) of.by_task(thread, 20 + thread);
  d.write(4, x, 31);
  EXPECT_EQ(d.races(), (Pairs{{21, 31}, {22, 31}, {23, 31}}));
}

/// Of the chunks that a thread had one is reported.
TEST_F(LockedSections, OfAThreadsChunksTakeOneCell) {
  for (const unsigned thread : {1u, 2u, 3u, 4u, 5u}) d.work(thread, WorkKind::loop_dynamic, true);
  for (unsigned round = 0; round < 4; ++round)
    for (const unsigned thread : {1u, 2u, 3u, 4u}) d.chunk(thread), locked(thread, Kind::write, 10 * thread + round);
  d.chunk(5);
  d.write(5, x, 51);
  EXPECT_EQ(d.races(), (Pairs{{13, 51}, {23, 51}, {33, 51}, {43, 51}}));
}

/// All cells report writes of which a read may depend: it goes unrecorded rather than push one out.
TEST_F(LockedSections, AReadPushesOutNoWriteOfPart) {
  for (Address byte = 0; byte < 4; ++byte) {
    d.start(1, d.create(1));
    d.lock(1, lock), d.access(1, x + byte, Kind::write, 11 + byte, 1), d.unlock(1, lock);
    d.end(1);
  }
  by_task(2, 15, Kind::read);
  for (Address byte = 0; byte < 4; ++byte) d.access(4, x + byte, Kind::write, 21, 1);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {12, 21}, {13, 21}, {14, 21}}));
}

/// A section that reads and writes is recorded by one cell.
TEST_F(LockedSections, ThatReadAndWriteTakeOneCell) {
  for (int i = 0; i < 12; ++i) {
    const unsigned thread = 1 + i % 3;
    d.start(thread, d.create(thread));
    d.lock(thread, lock), d.read(thread, x, 10 + thread), d.write(thread, x, 20 + thread), d.unlock(thread, lock);
    d.end(thread);
  }
  d.write(4, x, 31);
  EXPECT_EQ(d.races(), (Pairs{{21, 31}, {22, 31}, {23, 31}}));
}

/// Each section takes the place of the same member's one before, and of no other.
TEST(LockedSectionsOfMembers, ByTurnsAreAllMet) {
  for (const Kind unlocked : {Kind::read, Kind::write}) {
    Sections of;
    for (int round = 0; round < 6; ++round)
      for (const unsigned thread : {1u, 2u}) {
        of.locked(thread, Kind::write, 20 + thread, 4);
        of.locked(thread, Kind::read, 10 + thread, 4);
      }
    of.d.access(4, x, unlocked, 31, 4);
    Pairs expected{{21, 31}, {22, 31}};
    if (unlocked == Kind::write) expected.insert({{11, 31}, {12, 31}});
    EXPECT_EQ(of.d.races(), expected);
  }
}

/// What was done without the lock does not come before who takes it.
TEST(LockedSectionsOfMembers, MeetWhoHadNoLockWhereverItsCellIs) {
  for (int before = 0; before < 3; ++before) {
    Sections of;
    for (int i = 0; i < before; ++i) of.locked(1 + i, Kind::read, 11);
    of.d.read(4, x, 21);
    for (int i = 0; i < 4; ++i) of.locked(1 + i % 2, Kind::read, 12);
    EXPECT_EQ(of.d.races(), Pairs{});
    of.locked(2, Kind::write, 13);
    EXPECT_EQ(of.d.races(), (Pairs{{13, 21}}));
  }
}

/// Where the record of a write is lost of which somebody may read, nothing is predicted any more.
TEST(LockedSectionsOfTasks, ThatWriteMorePartsThanThereAreCellsKeepTheirOrder) {
  for (Address byte = 0; byte < 8; ++byte) {
    Sections of;
    Driver& d = of.d;
    for (Address part = 0; part < 8; ++part) {
      d.start(1, d.create(1));
      if (part == byte) d.write(1, other, 11);
      d.lock(1, lock), d.access(1, x + part, Kind::write, 12, 1), d.unlock(1, lock);
      d.end(1);
    }
    d.lock(2, lock), d.access(2, x + byte, Kind::read, 13, 1), d.unlock(2, lock);
    d.write(2, other, 14);
    EXPECT_EQ(d.races(), Pairs{}) << "byte " << byte;
  }
}

/// Whoever wrote last wrote what is read: that one's own order counts, whoever wrote before.
TEST(LockedSectionsOfTasks, KeepTheOrderOfWhoWroteWhatIsRead) {
  for (unsigned sections = 1; sections < 8; ++sections) {
    Sections of;
    Driver& d = of.d;
    d.write(1, other, 11);
    for (unsigned i = 0; i < sections; ++i) of.by_task(1 + i % 2, 12);
    d.lock(1, lock), d.write(1, x, 13), d.unlock(1, lock);
    d.lock(4, lock), d.read(4, x, 14), d.unlock(4, lock);
    d.write(4, other, 15);
    EXPECT_EQ(d.races(), Pairs{}) << sections;
  }
}

/// Who lets go of another one's lock knows less than it tells.
TEST_F(LockedSections, AreInTheirOrderWhoeverLetsGo) {
  d.write(1, other, 11);
  locked(1, Kind::write, 12);
  d.lock(2, lock);
  d.unlock(3, lock);
  d.lock(4, lock);
  d.write(4, other, 13);
  EXPECT_EQ(d.races(), Pairs{});
  d.unlock(4, lock);
}

TEST_F(LockedSections, AreInTheirOrderWhereTheHolderLetsGoTooLate) {
  d.lock(1, lock);
  d.unlock(2, lock);
  d.write(3, other, 11);
  locked(3, Kind::write, 12);
  d.unlock(1, lock);
  d.lock(4, lock);
  d.write(4, other, 13);
  EXPECT_EQ(d.races(), Pairs{});
  d.unlock(4, lock);
}

/// How often this thread has let others have its processor because it had to wait.
long times_asleep() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

/// `releasing` was reported, which is before the lock is free; `released` comes after somebody else has it.
struct LetGo : testing::TestWithParam<MutexKind> {
  LetGo() { d.fork(1, 2); }
  void step(unsigned thread, MutexStep step) {
    MutexEvent event{ThreadId{thread}, d.current[thread], {GetParam(), lock}, step, 0, 0x6000};
    event.announced = step == MutexStep::released && std::exchange(announced[thread], false);
    if (step == MutexStep::releasing) announced[thread] = true;
    d.checker.on(event);
  }
  std::map<unsigned, bool> announced;
  Driver d;
};

TEST_P(LetGo, WhoHasTheLockNextNeedNotWaitForTheReport) {
  const long before = times_asleep();
  for (int i = 0; i < 200; ++i) {
    const unsigned first = 1 + i % 2, next = 3 - first;
    if (i == 0) step(first, MutexStep::acquired);
    d.write(first, x, 11);
    step(first, MutexStep::releasing);
    step(next, MutexStep::acquired);
    d.write(next, x, 11);
    step(first, MutexStep::released);
  }
  EXPECT_EQ(d.races(), Pairs{});
  EXPECT_LT(times_asleep() - before, 100); // to wait in vain takes 100 each time
}

TEST_P(LetGo, WhatComesAfterItIsNotUnderTheLock) {
  step(1, MutexStep::acquired);
  step(1, MutexStep::releasing);
  d.write(1, x, 11);
  step(2, MutexStep::acquired);
  step(1, MutexStep::released);
  d.write(2, x, 21);
  step(2, MutexStep::releasing);
  step(2, MutexStep::released);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
}

TEST_P(LetGo, TheReportEndsNoOtherSection) {
  step(1, MutexStep::acquired);
  step(1, MutexStep::releasing);
  step(2, MutexStep::acquired);
  step(1, MutexStep::released);
  EXPECT_EQ(d.count(Rule::lock_misuse), 0);
  d.life(1, lock, MutexStep::destroy);
  EXPECT_EQ(d.count(Rule::lock_misuse), GetParam() == MutexKind::lock ? 1 : 0) << "the other thread holds it";
}

/// Of a call that is not seen only the report comes.
TEST_P(LetGo, AReportAloneCounts) {
  for (const unsigned thread : {1u, 2u, 1u}) {
    step(thread, MutexStep::acquired);
    d.write(thread, x, 11);
    step(thread, MutexStep::released);
  }
  d.write(1, x, 12);
  step(2, MutexStep::acquired);
  d.write(2, x, 21);
  EXPECT_EQ(d.races(), (Pairs{{12, 21}}));
}

INSTANTIATE_TEST_SUITE_P(, LetGo, testing::Values(MutexKind::critical, MutexKind::lock), [](const auto& kind) {
  return std::string(kind.param == MutexKind::lock ? "lock" : "critical");
});

} // namespace
} // namespace fletcher::test
