// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The short ways by which accesses get into shadow memory: what a strand does after its first accesses, at places that
// it has been at before.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000;
using Pairs = Driver::Pairs;
using access::Kind;

/// Two members; the first one, on thread 1, has been at the places 11 and 12.
struct Recording : testing::Test {
  Recording() : team(d.fork(1, 2)), first(d.checker.thread(ThreadId{1})) {
    first.stack.push(1, 0);
    for (const Address pc : {11, 12}) d.write(1, 0x8000 + pc * 8, pc);
    first.careful = 0;
  }
  Driver d;
  TeamId team;
  access::ThreadState& first;
};

TEST_F(Recording, MoreOfAReadLeavesWhatOthersRead) {
  d.access(2, x, Kind::read, 21, 4);
  d.access(1, x, Kind::read, 11, 4);
  d.access(1, x + 4, Kind::read, 11, 4);
  d.access(1, x, Kind::write, 12, 4);
  EXPECT_EQ(d.races(), (Pairs{{12, 21}}));
}

TEST_F(Recording, AReadOfPartLeavesTheWriteThatItComesAfter) {
  const TaskId task = d.create(1);
  d.start(1, task);
  d.write(1, x, 21);
  d.end(1);
  d.taskwait(1);
  first.stack.push(1, 0);
  for (const Address pc : {11, 12}) d.write(1, 0x8000 + pc * 8, pc);
  d.read(1, x, 11); // asks for the order
  d.write(1, x + 8, 12);
  first.careful = 0;
  d.access(1, x, Kind::read, 11, 4);
  d.access(1, x + 4, Kind::read, 11, 4);
  d.read(2, x, 31);
  EXPECT_EQ(d.races(), (Pairs{{21, 31}}));
}

TEST_F(Recording, PiecesOfARowMeetWhatOthersDid) {
  d.write(2, x + 16, 21);
  access::check_strided(first, x, 16, 8, 3, Kind::write, 11);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
  d.read(2, x, 22), d.read(2, x + 8, 23), d.read(2, x + 32, 24), d.read(2, x + 48, 25);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {11, 22}, {11, 24}}));
}

TEST_F(Recording, PiecesOfARowMayComeDownwards) {
  access::check_strided(first, x + 32, Address{0} - 16, 8, 3, Kind::read, 11);
  d.write(2, x + 40, 21), d.write(2, x, 22);
  EXPECT_EQ(d.races(), (Pairs{{11, 22}}));
}

TEST_F(Recording, PiecesOfARowMayBeOfSeveralWords) {
  d.read(2, x + 40, 21);
  access::check_strided(first, x, 32, 16, 2, Kind::write, 11); // words 0, 1, 4, 5
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
  int place = 22;
  for (const Address word : {0, 8, 16, 24, 32, 48}) d.read(2, x + word, place++);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {11, 22}, {11, 23}, {11, 26}}));
}

/// Fields of records, whatever their size and distance: another thread meets the bytes that were accessed, and no
/// other.
TEST_F(Recording, PiecesOfARowMayBeginAndEndAnywhere) {
  for (const Kind kind : {Kind::read, Kind::write})
    for (const Address offset : {0, 1, 4, 7})
      for (const std::size_t size : {1, 3, 4, 8, 12, 20})
        for (const Address step : {21, 24, 28, 40}) {
          Driver of;
          of.fork(1, 2);
          access::ThreadState& thread = of.checker.thread(ThreadId{1});
          thread.stack.push(1, 0);
          of.write(1, 0x8000, 11);
          thread.careful = 0;
          for (const bool down : {false, true}) {
            const Address begin = x + offset + (down ? 3 * step : 0);
            access::check_strided(thread, begin, down ? Address{0} - step : step, size, 4, kind, 11);
          }
          for (Address byte = 0; byte < offset + 4 * step; ++byte) {
            const bool accessed = byte >= offset && (byte - offset) % step < size;
            of.access(2, x + byte, Kind::write, 100 + byte, 1);
            EXPECT_EQ(of.races().contains({11, 100 + byte}), accessed) << offset << ' ' << size << ' ' << step;
          }
        }
}

// What raced stays, so that whoever comes next meets it, too.
TEST(RecordingOfThree, EachTwoRaceInEveryOrder) {
  std::array<unsigned, 3> order{1, 2, 3};
  do {
    Driver d;
    d.fork(1, 3);
    for (const unsigned thread : order) {
      if (thread == 3)
        d.read(thread, 0x1000, 13);
      else
        d.write(thread, 0x1000, 10 + thread);
    }
    EXPECT_EQ(d.races(), (Pairs{{11, 12}, {11, 13}, {12, 13}})) << order[0] << order[1] << order[2];
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_F(Recording, ARangeIsRecordedToItsLastByte) {
  for (const std::size_t size : {2, 7, 12, 40, 200}) {
    const Address begin = x + 1024 * size + 3;
    const int places = static_cast<int>(100 * size);
    for (const bool again : {false, true}) // the second time it goes the short way, or is recorded
      access::check_range(first, begin, size, Kind::write, static_cast<Address>(again ? 12 : 11));
    d.access(2, begin - 1, Kind::read, static_cast<Address>(places), 1);
    d.access(2, begin, Kind::read, static_cast<Address>(places + 1), 1);
    d.access(2, begin + size - 1, Kind::read, static_cast<Address>(places + 2), 1);
    d.access(2, begin + size, Kind::read, static_cast<Address>(places + 3), 1);
  }
  Pairs expected;
  for (const std::size_t size : {2, 7, 12, 40, 200})
    for (const std::size_t place : {1, 2}) expected.insert({11, 100 * size + place});
  EXPECT_EQ(d.races(), expected);
}

/// Both short ways, and the first accesses of a strand, which go one by one.
TEST_F(Recording, ARangeWhosePartHasANewOwnerIsRecordedThere) {
  for (const unsigned careful : {0, 3, 200}) {
    const Address begin = x + 0x1000 * (careful + 1);
    constexpr std::size_t words = 64;
    for (access::ThreadState* reader : {&first, &d.checker.thread(ThreadId{2})}) {
      first.careful = static_cast<std::uint8_t>(careful);
      access::check_range(*reader, begin, words * 8, Kind::read, reader == &first ? 11 : 21);
    }
    d.checker.on(MemoryBegin{first.id, begin + 40 * 8, 8 * 8});
    access::check_range(first, begin, words * 8, Kind::read, 11);
    const Address place = 100 * (careful + 1);
    d.write(2, begin + 39 * 8, place), d.write(2, begin + 44 * 8, place + 1), d.write(2, begin + 48 * 8, place + 2);
  }
  Pairs expected;
  for (const Address careful : {0, 3, 200})
    for (const Address word : {0, 1, 2}) expected.insert({11, 100 * (careful + 1) + word});
  EXPECT_EQ(d.races(), expected);
}

// Each is the only one of its thread at its place, and neither thread's first. With one core they take turns.
TEST_F(Recording, TwoAccessesAtTheSameMomentSeeEachOther) {
  constexpr unsigned rounds = 900;
  access::ThreadState& second = d.checker.thread(ThreadId{2});
  second.stack.push(1, 0);
  d.write(2, 0x8000, 21);
  second.careful = 0;
  std::atomic<unsigned> arrived = 0;
  const auto member = [&](access::ThreadState& thread, Address place) {
    for (unsigned round = 0; round < rounds; ++round) {
      ++arrived;
      while (arrived.load() < 2 * (round + 1)) std::this_thread::yield();
      access::check(thread, x + 8 * round, 8, Kind::write, place + round);
    }
  };
  std::thread other([&] { member(second, 20000); });
  member(first, 10000);
  other.join();
  Pairs expected;
  for (Address round = 0; round < rounds; ++round) expected.insert({10000 + round, 20000 + round});
  EXPECT_EQ(d.races(), expected);
}

TEST(Granule, IsRememberedOfEachLineWhenManyTasksAreAtOne) {
  for (const Kind kind : {Kind::atomic_write, Kind::read}) {
    Driver d;
    const TeamId team = d.fork(1, 2);
    d.run(2, d.create(1), x, kind, 11);
    d.sync(1, SyncKind::taskgroup, true);
    for (int i = 0; i < 10; ++i) d.run(2, d.create(1), x, kind, i == 5 ? 13 : 12);
    d.sync(1, SyncKind::taskgroup, false);
    d.write(1, x, 21);
    EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
    d.join(team);
  }
}

TEST_F(Recording, TheFirstPlaceOfARepeatedAccessIsTold) {
  access::check_strided(first, x, 8, 8, 2, Kind::write, 11);
  access::check_strided(first, x, 8, 8, 3, Kind::write, 12);
  d.read(2, x, 21), d.read(2, x + 16, 22);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {12, 22}}));
}

TEST_F(Recording, APartAndAnotherOfTheSameStrandAreBothKept) {
  d.access(1, x, Kind::write, 11, 4);
  d.access(1, x + 4, Kind::read, 12, 4);
  d.access(2, x, Kind::read, 21, 4), d.access(2, x + 4, Kind::write, 22, 4);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {12, 22}}));
}

TEST_F(Recording, PartsOfConcurrentStrandsAreBothKept) {
  d.access(2, x, Kind::write, 21, 4);
  d.access(1, x + 4, Kind::write, 11, 4);
  EXPECT_EQ(d.races(), Pairs{});
  d.access(1, x, Kind::read, 12, 4), d.access(2, x + 4, Kind::read, 22, 4);
  EXPECT_EQ(d.races(), (Pairs{{12, 21}, {11, 22}}));
}

TEST(Granule, IsLookedAtAgainByAReadThatFoundNoPlaceInIt) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  const auto start = [&] { d.start(2, d.create(1)); };
  for (Address byte = 0; byte < 4; ++byte) start(), d.access(2, x + byte, Kind::write, 11 + byte, 1), d.end(2);
  start();
  for (int again = 0; again < 3; ++again) d.access(2, x + 4, Kind::read, 21, 1);
  EXPECT_EQ(d.races(), Pairs{});
  d.access(1, x + 4, Kind::write, 31, 1);
  d.access(2, x + 4, Kind::read, 21, 1);
  EXPECT_EQ(d.races(), (Pairs{{21, 31}}));
  d.end(2);
  d.join(team);
}

TEST_F(Recording, OfForgottenAccessesIsGone) {
  d.write(1, x, 11), d.write(1, x + 8, 12);
  d.checker.forget_accesses();
  d.read(1, x + 8, 13);
  d.write(2, x, 21), d.write(2, x + 8, 22);
  EXPECT_EQ(d.races(), (Pairs{{13, 22}}));
}

struct LibraryBelow0x2000 final : access::MemoryMap {
  access::MemoryExtent around(Address address, ThreadId) const override { return {address, address + 8, false}; }
  bool is_static(Address) const override { return false; }
  bool is_named(Address) const override { return false; }
  bool is_cxx_library(Address address) const override { return address < 0x2000; }
};

// Each byte by a strand of its own, so that a read finds no place. One byte was another thread's.
TEST_F(Recording, ARangeThatWasWrittenPieceByPieceIsLookedAtToItsEnd) {
  constexpr Address words = 12, last = x + words * 8 - 8;
  for (Address byte = 0; byte < 4; ++byte) {
    for (Address word = x; word <= last; word += 8)
      d.access(word == last && byte == 2 ? 2 : 1, word + byte, Kind::write, 21 + byte, 1);
    d.create(1);
  }
  access::check_range(first, x, words * 8 - 8, Kind::read, 11);
  EXPECT_EQ(d.races(), Pairs{});
  access::check_range(first, x, words * 8, Kind::read, 12);
  EXPECT_EQ(d.races(), (Pairs{{12, 23}}));
}

// Four reads at one line under a lock do not stand for a fifth one without it; for one with it they do.
TEST(CrowdedGranules, KeepAReadUnderOtherLocks) {
  constexpr Address lock = 0x3000, words = 40;
  for (const bool locked : {false, true}) {
    Driver d;
    const TeamId team = d.fork(1, 6);
    for (unsigned t = 1; t <= 5; ++t) {
      d.checker.thread(ThreadId{t}).stack.push(1, 0);
      const bool holds = t <= 4 || locked;
      if (holds) d.lock(t, lock);
      for (Address word = 0; word < words; ++word) d.read(t, x + word * 8, 11);
      if (holds) d.unlock(t, lock);
    }
    d.lock(6, lock);
    d.write(6, x + (words - 1) * 8, 12);
    d.unlock(6, lock);
    d.join(team);
    EXPECT_EQ(d.races(), locked ? Pairs{} : (Pairs{{11, 12}}));
  }
}

TEST(CxxLibrary, WhatItsHeadersDoWithItsVariablesIsNotTheProgramsRace) {
  const LibraryBelow0x2000 memory;
  CheckerConfig config = small_config();
  config.memory = &memory;
  Driver d(config);
  d.fork(1, 2);
  for (const unsigned thread : {1U, 2U}) {
    d.write(thread, 0x1ff8, thread);
    d.write(thread, 0x2000, 10 + thread);
  }
  EXPECT_EQ(d.races(), (Driver::Pairs{{11, 12}}));
}

} // namespace
} // namespace fletcher::test
