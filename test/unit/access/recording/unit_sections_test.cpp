// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections of a lock in units of work (access/recording/in_section.cpp): they do not race with each other, and who
// comes without the lock meets what other units did in theirs, whichever thread executed them.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, lock = 0x3000, other = 0x4000;
using Pairs = Driver::Pairs;
using access::Kind;

/// Three members in a dynamic loop. Their sections keep what they learn, so that they draw no number (keeps_inside).
struct UnitSections : testing::Test {
  UnitSections() {
    d.fork(1, 3);
    for (const unsigned thread : {1u, 2u, 3u}) {
      d.work(thread, WorkKind::loop_dynamic, true);
      state(thread).stack.push(1, 0); // the places in the code are known when they are met again
    }
  }
  access::ThreadState& state(unsigned thread) { return d.checker.thread(ThreadId{thread}); }
  void locked(unsigned thread, Kind kind, Address pc, Address held = lock) {
    state(thread).keeps_inside = true;
    d.lock(thread, held);
    state(thread).keeps_inside = false;
    d.access(thread, x, kind, pc);
    d.access(thread, x, kind, pc);
    d.unlock(thread, held);
  }
  void chunks(unsigned members, int count, Kind kind, Address pc) {
    for (int i = 0; i < count; ++i) {
      d.chunk(1 + i % members);
      locked(1 + i % members, kind, pc);
    }
  }
  Driver d;
};

TEST_F(UnitSections, DoNotRace) {
  for (int i = 0; i < 8; ++i) {
    chunks(2, 3, Kind::read, 11);
    chunks(2, 3, Kind::write, 12);
    chunks(1, 3, Kind::write, 13);
  }
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(UnitSections, ThatReadAreMetByAWrite) {
  for (const unsigned members : {1u, 2u}) {
    chunks(members, 9, Kind::read, 10 + members);
    d.chunk(3);
    d.write(3, x, 20 + members); // each in a chunk of its own
  }
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {11, 22}, {12, 21}, {12, 22}, {21, 22}}));
}

TEST_F(UnitSections, ThatWriteAreMetByARead) {
  chunks(2, 9, Kind::write, 11);
  d.chunk(3);
  d.read(3, x, 21);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
}

TEST_F(UnitSections, ThatWriteAreMetByTheNextChunk) {
  chunks(1, 6, Kind::write, 11);
  d.chunk(1);
  d.read(1, x, 21);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
}

TEST_F(UnitSections, OfAnotherLockAreMet) {
  chunks(2, 8, Kind::write, 11);
  locked(3, Kind::read, 21, other);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
}

TEST_F(UnitSections, MeetWhatWasDoneWithoutTheLock) {
  chunks(2, 5, Kind::read, 11);
  d.chunk(3);
  d.read(3, x, 21);
  chunks(2, 6, Kind::write, 12);
  EXPECT_EQ(d.races(), (Pairs{{12, 21}}));
}

/// It may have found a place of its own; another member has not.
TEST_F(UnitSections, OfAThreadThatKnowsItselfAreMetByOthers) {
  for (const unsigned thread : {1u, 2u}) d.checker.asked_thread_number(state(thread));
  chunks(1, 6, Kind::write, 11);
  d.chunk(1);
  d.read(1, x, 12);
  EXPECT_EQ(d.races(), Pairs{});
  d.chunk(2);
  d.write(2, x, 21);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {12, 21}}));
}

/// What it reads in memory of its own may tell it what it did before.
TEST_F(UnitSections, FindWhatTheyLeftInMemoryOfTheirOwn) {
  constexpr Address own = 0x20000, shared = 0x5000;
  state(1).stack_low = own;
  state(1).stack_high = own + 0x1000;
  const auto section = [&](Kind kind) {
    state(1).keeps_inside = true;
    d.lock(1, lock);
    state(1).keeps_inside = false;
    d.access(1, own, kind, 13);
    d.unlock(1, lock);
  };
  d.chunk(1);
  section(Kind::write);
  d.write(1, shared, 11);
  d.chunk(1);
  section(Kind::read);
  d.write(1, shared, 12);
  EXPECT_EQ(d.races(), Pairs{});
}

} // namespace
} // namespace fletcher::test
