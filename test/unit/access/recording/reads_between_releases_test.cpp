// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a task goes on reading after an atomic operation that told others what it had done: its latest read is met, and
// the reads of others stay (renew.cpp).
#include "checker/constructs/locks/atomic_order.hpp"
#include "test/unit/driver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, flag = 0x2000, elsewhere = 0x8000;
using Pairs = Driver::Pairs;
using access::Kind;
using testing::Contains;
using testing::Pair;
using enum constructs::MemoryOrder;

struct BetweenReleases {
  static constexpr unsigned members = 5;
  BetweenReleases() {
    d.fork(1, members);
    for (unsigned t = 1; t <= members; ++t) thread(t).stack.push(1, 0);
  }
  access::ThreadState& thread(unsigned t) { return d.checker.thread(ThreadId{t}); }
  /// What `t` did before comes before whoever acquires it; `t` learns nothing.
  void give(unsigned t, Address at = flag) {
    thread(t).atomics->store(thread(t), at, release, [] {});
  }
  void take(unsigned t, Address at = flag) { thread(t).atomics->after_load(thread(t), at, acquire); }
  void read(unsigned t, Address pc, Address address = x, std::size_t size = 8) {
    d.access(t, address, Kind::read, pc, size);
  }
  /// Reads of x by `t`, each after a release.
  void go_on_reading(unsigned t, Address pc, int times = 4) {
    for (int i = 0; i < times; ++i) give(t, flag + 8 * t), read(t, pc);
  }
  Driver d;
};

TEST(BetweenReleases, TheNextStrandHasTheSamePast) {
  BetweenReleases b;
  b.read(1, 11);
  EXPECT_FALSE(b.thread(1).same_past());
  b.give(1);
  EXPECT_TRUE(b.thread(1).continues_past());
  b.read(1, 11);
  EXPECT_TRUE(b.thread(1).same_past());
}

TEST(BetweenReleases, WhoLearnsSomethingHasAnotherPast) {
  BetweenReleases b;
  b.d.write(2, elsewhere, 21), b.give(2), b.d.write(3, elsewhere + 8, 31), b.give(3, flag + 8);
  b.read(1, 11);
  b.take(1);
  b.give(1, flag + 16);
  b.read(1, 11);
  EXPECT_FALSE(b.thread(1).same_past());
  b.give(1, flag + 16);
  b.take(1, flag + 8);
  b.read(1, 11);
  EXPECT_FALSE(b.thread(1).same_past());
}

/// Beside a write that comes before, too: it is settled that nothing conflicts.
TEST(BetweenReleases, TheLatestReadOfWhatWasWrittenBeforeIsMet) {
  for (const bool again : {false, true}) {
    BetweenReleases b;
    b.d.write(3, x, 31), b.give(3), b.take(1), b.take(2);
    b.read(2, 22), b.read(1, 11);
    b.go_on_reading(1, 11);
    b.give(1), b.take(2);
    if (again) b.read(1, 11);
    b.d.write(2, x, 21);
    EXPECT_EQ(b.d.races(), again ? (Pairs{{11, 21}}) : Pairs{});
  }
}

/// And beside one that does not, it is met by each.
TEST(BetweenReleases, AWriteThatDoesNotComeBeforeIsMetByEachRead) {
  BetweenReleases b;
  b.d.write(3, x, 31), b.give(3), b.take(1);
  b.read(1, 11);
  b.go_on_reading(1, 11);
  b.d.write(3, x, 32);
  b.go_on_reading(1, 12, 1);
  EXPECT_EQ(b.d.races(), (Pairs{{11, 32}, {12, 32}}));
}

TEST(BetweenReleases, TheLatestReadIsMet) {
  for (const bool again : {false, true}) {
    BetweenReleases b;
    b.read(3, 31), b.read(1, 11);
    b.go_on_reading(1, 11);
    b.give(1), b.take(2);
    if (again) b.read(1, 11);
    b.d.write(2, x, 21);
    EXPECT_EQ(b.d.races(), again ? (Pairs{{11, 21}, {21, 31}}) : (Pairs{{21, 31}}));
  }
}

TEST(BetweenReleases, AReadAtAnotherLineTakesTheTasksOwnPlace) {
  BetweenReleases b;
  b.read(3, 31), b.read(2, 21), b.read(1, 11);
  for (int i = 0; i < 4; ++i) b.go_on_reading(1, 11, 1), b.go_on_reading(1, 12, 1), b.go_on_reading(2, 21, 1);
  b.d.write(4, x, 41);
  EXPECT_EQ(b.d.races(), (Pairs{{11, 41}, {12, 41}, {21, 41}, {31, 41}}));
}

/// Two tasks that read at the same two lines, by turns, do not push out each other's reads.
TEST(BetweenReleases, TasksThatReadAtTheSameLinesLeaveEachOthersCellsAlone) {
  for (const unsigned knows : {1u, 2u}) {
    BetweenReleases b;
    b.read(1, 11), b.read(2, 12);
    for (int i = 0; i < 8; ++i)
      for (const unsigned t : {1u, 2u}) b.go_on_reading(t, i % 2 == 0 ? 11 : 12, 1);
    b.read(3, 12), b.read(3, 12);
    for (int i = 0; i < 8; ++i)
      for (const unsigned t : {1u, 2u}) b.go_on_reading(t, i % 2 == 0 ? 11 : 12, 1);
    b.give(knows), b.take(4);
    b.give(3, flag + 64), b.take(4, flag + 64);
    b.d.write(4, x, 41);
    EXPECT_THAT(b.d.races(), Contains(Pair(12, 41))) << "of the other one than " << knows;
  }
}

TEST(BetweenReleases, AStrandsReadsAtALineHaveOneCell) {
  BetweenReleases b;
  b.read(3, 31), b.read(1, 11, x, 4);
  b.give(1), b.read(1, 11, x, 4), b.read(1, 11, x + 4, 4);
  EXPECT_EQ(access::Cell(*access::first_cell(b.thread(1), x)).further(), 2U);
}

TEST(BetweenReleases, AWriteSinceIsMet) {
  BetweenReleases b;
  b.read(3, 31), b.read(1, 11);
  b.go_on_reading(1, 11);
  b.give(1), b.take(2), b.give(3), b.take(2);
  b.d.write(2, x, 21); // after the reads
  EXPECT_EQ(b.d.races(), Pairs{});
  b.read(1, 11);
  EXPECT_EQ(b.d.races(), (Pairs{{11, 21}}));
}

/// A task whose reads have two cells does not take one from who comes later.
TEST(BetweenReleases, FourTasksThatGoOnReadingAreMet) {
  for (const bool long_ago : {false, true}) {
    BetweenReleases b;
    b.read(3, 31), b.read(1, 11);
    b.go_on_reading(1, 11);
    b.read(2, 21);
    if (long_ago) b.go_on_reading(2, 21);
    b.read(4, 41);
    b.d.write(5, x, 51);
    EXPECT_EQ(b.d.races(), (Pairs{{11, 51}, {21, 51}, {31, 51}, {41, 51}}));
  }
}

TEST(BetweenReleases, OfTwoReadsTheOneOfMoreBytesStays) {
  BetweenReleases b;
  b.read(3, 31), b.read(1, 11);
  b.go_on_reading(1, 11);
  b.give(1), b.read(1, 11, x, 4);
  b.read(2, 21), b.read(4, 41);
  b.d.access(5, x + 4, Kind::write, 51, 4);
  EXPECT_EQ(b.d.races(), (Pairs{{11, 51}, {21, 51}, {31, 51}, {41, 51}}));
}

/// The fourth one has met the others' strands before, at another variable.
TEST(BetweenReleases, FourTasksThatGoOnReadingAtOneLineAreMet) {
  BetweenReleases b;
  constexpr Address y = 0x1100;
  const auto read_both = [&](unsigned t) { b.read(t, 11, y), b.read(t, 11, x); };
  for (const unsigned t : {2u, 3u, 1u}) read_both(t);
  b.give(1), read_both(1);
  read_both(4);
  for (const unsigned t : {1u, 2u, 3u}) b.give(t), b.take(5);
  b.d.write(5, y, 51), b.d.write(5, x, 52);
  EXPECT_EQ(b.d.races(), (Pairs{{11, 51}, {11, 52}}));
}

/// Not those of the others.
TEST(BetweenReleases, WhatComesBeforeGivesWayToAFifthRead) {
  for (const unsigned missed : {2u, 3u, 4u}) {
    BetweenReleases b;
    for (const unsigned t : {1u, 2u, 3u, 5u}) b.read(t, 11);
    b.give(1), b.take(4);
    b.read(4, 11, elsewhere), b.give(4), b.read(4, 11, elsewhere + 8);
    b.read(4, 11);
    for (const unsigned t : {1u, 2u, 3u, 4u})
      if (t != missed) b.give(t), b.take(5);
    b.d.write(5, x, 51);
    EXPECT_EQ(b.d.races(), (Pairs{{11, 51}})) << "of " << missed;
  }
}

/// Four members read a granule, or two its halves, release, and acquire what others released; then somebody who has
/// acquired some of it writes what was read. Told are members whose latest reads the writer does not know of: where
/// whole granules are read all of them, except for those that others who know of it have come after.
TEST(BetweenReleases, WhatIsToldIsWhatTheWriterDoesNotKnow) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (int program = 0; program < 6000; ++program) {
    BetweenReleases b;
    constexpr unsigned writer = 5;
    const unsigned parts = program % 3 == 0 ? 2 : 1, readers = 4 / parts;
    const std::size_t size = 8 / parts;
    const bool common = program % 2 == 1;                             // places
    using Times = std::array<unsigned, BetweenReleases::members + 1>; // by member: its latest release that is known
    struct Read {
      unsigned when = 0;
      Times known{};
    };
    std::array<Times, BetweenReleases::members + 1> known{}, given{};
    std::array<std::array<Read, 2>, BetweenReleases::members + 1> last{};
    Times now{};
    now.fill(1);
    const auto give = [&](unsigned t) {
      b.give(t, flag + 8 * t);
      known[t][t] = now[t]++;
      given[t] = known[t];
    };
    const auto take = [&](unsigned t, unsigned from) {
      b.take(t, flag + 8 * from);
      for (unsigned of = 1; of <= readers; ++of) known[t][of] = std::max(known[t][of], given[from][of]);
    };
    const unsigned learning = 1 + below(12);
    for (int step = 0; step < 60; ++step) {
      const unsigned t = 1 + below(readers);
      if (below(4) == 0) {
        give(t);
      } else if (below(4 * learning) == 0) {
        take(t, 1 + below(readers));
      } else if (below(8) == 0) {
        b.read(t, 60, elsewhere + 8 * t);
      } else {
        const unsigned part = below(parts);
        b.read(t, (common ? 10 : 10 * t) + below(2), x + part * size, size);
        last[t][part] = {now[t], known[t]};
      }
    }
    for (unsigned t = 1; t <= readers; ++t)
      if (below(4) != 0) give(t), take(writer, t);
    const unsigned part = below(parts);
    b.d.access(writer, x + part * size, Kind::write, 51, size);

    const auto races = [&](unsigned t) { return last[t][part].when > known[writer][t]; };
    if (common) {
      bool some = false;
      for (unsigned t = 1; t <= readers; ++t) some = some || races(t);
      EXPECT_TRUE(b.d.races().empty() ? !some || parts == 2 : some) << "program " << program;
      continue;
    }
    std::array<bool, BetweenReleases::members + 1> told{};
    for (const auto& [read, write] : b.d.races()) told[read / 10] = true;
    for (unsigned t = 1; t <= readers; ++t) {
      const auto came_after = [&](unsigned other) {
        return told[other] && last[other][part].known[t] >= last[t][part].when;
      };
      const bool stood_for = std::ranges::any_of(std::array{1u, 2u, 3u, 4u}, came_after);
      EXPECT_TRUE(told[t] ? races(t) : !races(t) || stood_for || parts == 2)
          << "member " << t << " in program " << program;
    }
  }
}

} // namespace
} // namespace fletcher::test
