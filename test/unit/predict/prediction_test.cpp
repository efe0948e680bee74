// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races that only this run's order of locks hides: which are reported, and which orders are kept.
#include "checker/access/check.hpp"
#include "checker/constructs/locks/atomic_order.hpp"
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000, z = 0x2100, lock_a = 0x3000, lock_b = 0x3008;
using Pairs = Driver::Pairs;

Pairs predicted(const Driver& d) {
  Pairs result;
  for (const Finding& f : d.recorder.findings)
    if (f.rule == Rule::data_race && f.predicted)
      result.insert(std::minmax(f.accesses[0].stack.front(), f.accesses[1].stack.front()));
  return result;
}

/// A critical section around one access.
void section(Driver& d, unsigned thread, Address lock, Address a, access::Kind kind, Address pc) {
  d.lock(thread, lock);
  d.access(thread, a, kind, pc);
  d.unlock(thread, lock);
}
using enum access::Kind;

TEST(Prediction, AnOrderThatNothingDependsOnIsAnAccident) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  section(d, 1, lock_a, y, write, 21);
  section(d, 2, lock_a, z, write, 22);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(predicted(d), (Pairs{{11, 12}}));
  EXPECT_EQ(d.races(), predicted(d));
}

TEST(Prediction, AValueReadInTheSectionKeepsTheOrder) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  section(d, 1, lock_a, y, write, 21);
  section(d, 2, lock_a, y, read, 22);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

// The plugin has seen that nobody looks at what is counted there.
TEST(Prediction, AValueThatIsOnlyCountedKeepsNone) {
  for (const bool looks : {false, true}) {
    Driver d;
    const TeamId team = d.fork(1, 2);
    d.write(1, x, 11);
    section(d, 1, lock_a, y, write, 21);
    access::ThreadState& counts = d.checker.thread(ThreadId{2});
    counts.only_counts = true;
    d.lock(2, lock_a);
    counts.only_counts = false;
    d.write(2, looks ? z : y, 22);
    d.unlock(2, lock_a);
    if (looks) section(d, 2, lock_a, y, read, 23);
    d.write(2, x, 12);
    d.join(team);
    EXPECT_EQ(predicted(d), looks ? Pairs{} : (Pairs{{11, 12}}));
  }
}

// More writers and readers of the value than a granule has cells: whichever are forgotten, no order becomes an
// accident.
TEST(Prediction, AValueThatManyWriteAndReadKeepsTheOrder) {
  for (unsigned writers = 3; writers <= 6; ++writers)
    for (unsigned readers = 1; readers <= 4; ++readers) {
      Driver d;
      const unsigned threads = writers + readers;
      const TeamId team = d.fork(1, threads);
      for (unsigned t = 1; t <= threads; ++t) {
        d.write(t, x + 8 * t, 11); // what is handed over
        if (t > writers) continue;
        section(d, t, lock_a, y, write, 21);
      }
      for (unsigned round = 0; round < 2; ++round)
        for (unsigned t = writers + 1; t <= threads; ++t) section(d, t, lock_a, y, read, 22);
      for (unsigned t = writers + 1; t <= threads; ++t)
        for (unsigned other = 1; other <= writers; ++other) d.read(t, x + 8 * other, 12);
      d.join(team);
      EXPECT_EQ(d.races(), Pairs{}) << writers << " writers, " << readers << " readers";
    }
}

/// A new task of `thread`, executed by `executing`: a section around one access.
void task_with_section(Driver& d, unsigned thread, unsigned executing, Address a, access::Kind kind, Address pc) {
  const TaskId task = d.create(thread);
  d.start(executing, task);
  section(d, executing, lock_a, a, kind, pc);
  d.end(executing);
}

// No release follows the access on its thread, but one in a task that comes after it, whose own section need not have
// been.
TEST(Prediction, AnAccessAfterWhichOnlyItsTasksTakeTheLock) {
  for (const bool reads : {false, true}) {
    Driver d;
    const TeamId team = d.fork(1, 3);
    d.write(1, x, 11);
    task_with_section(d, 1, 3, y, write, 31);
    section(d, 2, lock_a, reads ? y : z, reads ? read : write, 22);
    d.write(2, x, 12);
    d.join(team);
    EXPECT_EQ(predicted(d), reads ? Pairs{} : (Pairs{{11, 12}})) << reads;
    EXPECT_EQ(d.races(), predicted(d)) << reads;
  }
}

// The section before it has to have been, that of the task that it creates has not.
TEST(Prediction, AnAccessBetweenItsOwnSectionAndItsTasks) {
  for (const access::Kind kind : {write, read}) {
    Driver d;
    const TeamId team = d.fork(1, 3);
    section(d, 1, lock_a, y, write, 21);
    d.write(1, x, 11);
    task_with_section(d, 1, 3, z, write, 31);
    section(d, 2, lock_a, y, kind, 22);
    d.write(2, x, 12);
    d.join(team);
    EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
  }
}

TEST(Prediction, AValueWrittenAfterWhichOnlyTasksTakeTheLock) {
  Driver d;
  const TeamId team = d.fork(1, 3);
  d.write(1, x, 11);
  d.access(1, y, atomic_write, 21);
  task_with_section(d, 1, 3, z, write, 31);
  section(d, 2, lock_a, z + 8, write, 22);
  d.access(2, y, atomic_read, 23);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

// It alone races with who takes the same lock.
TEST(Prediction, AnAccessWithoutALockIsRememberedBesideOneWithIt) {
  for (const bool by_task : {false, true})
    for (const access::Kind kind : {read, write}) {
      Driver d;
      const TeamId team = d.fork(1, 3);
      d.access(1, x, kind, 11);
      if (by_task)
        task_with_section(d, 1, 3, x, kind, 31);
      else
        section(d, 1, lock_a, x, kind, 31);
      section(d, 2, lock_a, x, write, 12);
      d.join(team);
      EXPECT_EQ(predicted(d), (Pairs{{11, 12}})) << by_task;
      EXPECT_EQ(d.races(), predicted(d)) << by_task;
    }
}

// The second read is reported by the first one: that the write came between them is known from the race only.
TEST(Prediction, AValueReadAgainAfterARace) {
  for (const bool races : {false, true}) {
    Driver d;
    const TeamId team = d.fork(1, 2);
    d.write(1, x, 11);
    section(d, 1, lock_a, y, write, 21);
    section(d, 2, lock_a, z, write, 22);
    d.access(2, z + 8, read, 31);
    if (races) d.write(1, z + 8, 32);
    d.access(2, z + 8, read, 33);
    d.write(2, x, 12);
    d.join(team);
    EXPECT_EQ(predicted(d), races ? Pairs{} : (Pairs{{11, 12}}));
  }
}

TEST(Prediction, AValueReadAfterTheSectionKeepsTheOrder) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  d.access(1, y, atomic_write, 20);
  section(d, 1, lock_a, z, write, 21);
  d.access(1, y, atomic_write, 22);
  d.access(2, y, atomic_read, 23); // repeated by the same strand
  d.access(2, y, atomic_read, 23);
  section(d, 2, lock_a, z + 8, write, 24);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Prediction, AnAtomicReadThatIsRepeatedSeesTheLastWrite) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  section(d, 1, lock_a, z, write, 21);
  d.access(2, y, atomic_read, 23);
  d.access(1, y, atomic_write, 22);
  d.access(2, y, atomic_read, 23);
  section(d, 2, lock_a, z + 8, write, 24);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

// Another thread's access to bytes beside them may overwrite what shadow memory knows of a write; whose value an atomic
// operation reads is known nevertheless.
TEST(Prediction, AWriteThatShadowMemoryLostIsRead) {
  constexpr auto relaxed = constructs::MemoryOrder::relaxed;
  for (const bool updates : {false, true}) {
    Driver d;
    const TeamId team = d.fork(1, 2);
    const auto thread = [&](unsigned t) -> access::ThreadState& { return d.checker.thread(ThreadId{t}); };
    d.write(1, x, 11);
    section(d, 1, lock_a, z, write, 21);
    d.access(1, y, atomic_write, 22);
    thread(1).atomics->store(thread(1), y, relaxed, [] {});
    *access::first_cell(thread(1), y) = 0;
    if (updates)
      thread(2).atomics->update(thread(2), y, relaxed, [] {});
    else
      thread(2).atomics->after_load(thread(2), y, relaxed);
    section(d, 2, lock_a, z + 8, write, 24);
    d.write(2, x, 12);
    d.join(team);
    EXPECT_EQ(d.races(), Pairs{}) << updates;
  }
}

// The first section goes on only if the second one has not been yet.
TEST(Prediction, AnAccessInsideItsSectionComesBeforeTheNextSection) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.lock(1, lock_a);
  d.read(1, y, 21);
  d.write(1, x, 11);
  d.unlock(1, lock_a);
  section(d, 2, lock_a, y, write, 22);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Prediction, ValuesTravelThroughAThirdThread) {
  Driver d;
  const TeamId team = d.fork(1, 3);
  d.write(1, x, 11);
  section(d, 1, lock_a, y, write, 21);
  d.lock(3, lock_a);
  d.read(3, y, 31);
  d.write(3, z, 32);
  d.unlock(3, lock_a);
  section(d, 2, lock_a, z, read, 22);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Prediction, AnAncestorsSectionShieldsItsChildren) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.lock(1, lock_a);
  d.write(1, z, 21);
  d.run(1, d.create(1, {}, {.undeferred = true}), x, write, 11);
  d.unlock(1, lock_a);
  d.lock(2, lock_a);
  d.write(2, z + 8, 22);
  d.run(2, d.create(2, {}, {.undeferred = true}), x, write, 12);
  d.unlock(2, lock_a);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Prediction, ALockTestedInVainIsASignal) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  d.lock(1, lock_a);
  d.write(1, y, 21);
  d.mutex(2, {MutexKind::lock, lock_a}, MutexStep::testing, 0x6000);
  d.unlock(1, lock_a);
  section(d, 2, lock_a, z, write, 22);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Prediction, ALockTestedWithSuccessIsNone) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  section(d, 1, lock_a, y, write, 21);
  d.test_lock(2, lock_a);
  d.write(2, z, 22);
  d.unlock(2, lock_a);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST(Prediction, ALockHeldSinceBeforeABarrier) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.lock(1, lock_a);
  d.barrier(team);
  d.write(1, x, 11);
  d.unlock(1, lock_a);
  section(d, 2, lock_a, z, write, 22);
  d.write(2, x, 12); // after the release in every run
  d.barrier(team);
  d.write(1, y, 13);
  section(d, 1, lock_b, z, write, 23);
  section(d, 2, lock_b, z + 8, write, 24);
  d.write(2, y, 14);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{13, 14}}));
}

TEST(Prediction, MembersOfAMutexinoutsetRunInAnyOrder) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  const Dependence exclusive{z, DependenceType::mutexinoutset};
  const TaskId a = d.create(1, {exclusive}), b = d.create(1, {exclusive});
  d.start(1, a);
  const TaskId child = d.create(1);
  d.write(1, y, 21);
  d.end(1);
  d.start(2, b);
  d.write(2, x, 12);
  d.end(2);
  d.run(1, child, x, write, 11);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST(Prediction, OfOnePairIsToldOnce) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  for (Address i = 0; i < 20; ++i) d.write(1, x + 8 * i, 11);
  section(d, 1, lock_a, y, write, 21);
  section(d, 2, lock_a, z, write, 22);
  for (Address i = 0; i < 20; ++i) d.write(2, x + 8 * i, 12);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
  EXPECT_EQ(d.recorder.repeated, 0);
}

TEST(Prediction, LocksOfOneContentionGroupOrderNothingInAnother) {
  Driver d;
  const TeamId league = d.fork(1, 2, 2, true);
  d.write(1, x, 11);
  section(d, 1, lock_a, y, write, 21);
  section(d, 2, lock_a, z, write, 22);
  d.write(2, x, 12);
  d.join(league);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
  EXPECT_TRUE(predicted(d).empty());
}

// What an atomic read taught the section's task comes before the release, too, though no strand began after it: that
// the next one to take the lock was created in the section tells less.
TEST(Prediction, ALockCarriesWhatWasLearnedInItsSection) {
  Driver d;
  const TeamId team = d.fork(1, 3);
  const auto thread = [&](unsigned t) -> access::ThreadState& { return d.checker.thread(ThreadId{t}); };
  d.write(3, x, 11);
  thread(3).atomics->store(thread(3), z, constructs::MemoryOrder::release, [] {});
  d.lock(1, lock_a);
  d.write(1, y, 21);
  const TaskId next = d.create(1);
  thread(1).atomics->after_load(thread(1), z, constructs::MemoryOrder::acquire);
  d.unlock(1, lock_a);
  d.start(2, next);
  d.lock(2, lock_a);
  d.unlock(2, lock_a);
  d.write(2, x, 12);
  d.end(2);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

} // namespace
} // namespace fletcher::test
