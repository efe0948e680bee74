// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of different lines to different parts of the same 8 bytes: more of them than a granule has cells.

#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

namespace fletcher::test {
namespace {

constexpr Address granule = 0x40000;

class GranuleParts : public testing::TestWithParam<access::Kind> {};

TEST_P(GranuleParts, OfOneStrandAreAllKept) {
  for (Address byte = 0; byte < 8; ++byte) {
    Driver d;
    d.fork(1, 2);
    for (Address part = 0; part < 8; ++part) d.access(1, granule + part, GetParam(), 0x100 + 0x10 * part, 1);
    d.access(2, granule + byte, access::Kind::write, 0x1, 1);
    EXPECT_EQ(d.races(), (Driver::Pairs{{0x1, 0x100 + 0x10 * byte}}));
  }
}

// As the copies of a line in an unrolled loop.
TEST_P(GranuleParts, OfOneStrandTakeOneCell) {
  Driver d;
  d.fork(1, 3);
  const auto first = [&] { return access::Cell(*access::first_cell(d.checker.thread(ThreadId{1}), granule)); };
  const auto go = [&](std::uint32_t thread, access::Kind kind) {
    for (Address part = 0; part < 8; part += 2) d.access(thread, granule + part, kind, 0x100 + 0x10 * (part % 4), 2);
  };
  go(1, GetParam());
  EXPECT_EQ(first().further(), 0U);
  EXPECT_EQ(first().mask(), 0xff);
  if (access::writes(GetParam())) return;
  go(2, GetParam()); // readers as a set
  EXPECT_EQ(first().further(), 0U);
  EXPECT_EQ(first().mask(), 0xff);
  d.access(3, granule + 6, access::Kind::write, 0x1, 2);
  EXPECT_EQ(d.races(), (Driver::Pairs{{0x1, 0x120}}));
}

TEST_P(GranuleParts, AreJoinedWithTheNearestInTheCode) {
  Driver d;
  d.fork(1, 2);
  for (const Address pc : {0x100, 0x200, 0x300, 0x400}) d.access(1, granule + pc / 0x100, GetParam(), pc, 1);
  d.access(1, granule + 5, GetParam(), 0x308, 1);
  d.access(2, granule + 1, access::Kind::write, 0x1, 1);
  d.access(2, granule + 2, access::Kind::write, 0x2, 1);
  d.access(2, granule + 4, access::Kind::write, 0x4, 1);
  d.access(2, granule + 5, access::Kind::write, 0x5, 1);
  EXPECT_EQ(d.races(), (Driver::Pairs{{0x1, 0x100}, {0x2, 0x200}, {0x4, 0x400}, {0x5, 0x308}}));
}

TEST_P(GranuleParts, KeepTheirLinesWhereMoreThreadsThanCellsAccessBoth) {
  for (const Address half : {0, 4}) {
    Driver d;
    d.fork(1, 9);
    for (std::uint32_t thread = 1; thread <= 8; ++thread) {
      d.access(thread, granule, GetParam(), 0x200, 4);
      d.access(thread, granule + 4, GetParam(), 0x300, 4);
    }
    d.access(9, granule + half, access::Kind::write, 0x1, 4);
    for (const auto& [first, second] : d.races()) // the eight write it, too, in one of the cases
      EXPECT_EQ(second, first == 0x1U ? (half == 0 ? 0x200U : 0x300U) : first);
    EXPECT_TRUE(d.races().contains({0x1, half == 0 ? 0x200U : 0x300U}));
  }
}

/// What a task did before and after it created another one, in both halves: four cells. The other one's `x++` needs a
/// fifth, and must not meet its own read only.
TEST(GranuleParts, OfOneStrandAreJoinedForAnother) {
  for (const bool first_half : {false, true}) {
    Driver d;
    d.fork(1, 2);
    const Address x = granule + (first_half ? 0 : 4), y = granule + (first_half ? 4 : 0);
    d.access(1, x, access::Kind::write, 0x100, 4);
    d.access(1, y, access::Kind::write, 0x200, 4);
    const TaskId other = d.create(1);
    d.access(1, x, access::Kind::read, 0x310, 4);
    d.access(1, y, access::Kind::read, 0x350, 4);
    d.start(2, other);
    d.access(2, x, access::Kind::read, 0x400, 4);
    d.access(2, x, access::Kind::write, 0x410, 4);
    EXPECT_EQ(d.races().size(), 1U);
    d.end(2);
  }
}

/// Five tasks access a byte each of one granule, the last one by `fifth`; then a sixth task writes each of these bytes.
/// Which of the five are reported with it (docs/design/gaps.md).
std::set<int> remembered(access::Kind others, access::Kind fifth) {
  Driver d;
  d.fork(1, 2);
  const auto run = [&](Address byte, access::Kind kind, Address pc) {
    d.start(2, d.create(1));
    d.access(2, granule + byte, kind, pc, 1);
    d.end(2);
  };
  for (Address byte = 0; byte < 4; ++byte) run(byte, others, 1 + byte);
  run(4, fifth, 5);
  d.start(2, d.create(1));
  for (Address byte = 0; byte < 5; ++byte) d.access(2, granule + byte, access::Kind::write, 0x10 + byte, 1);
  d.end(2);
  std::set<int> places;
  for (const auto& [first, second] : d.races()) {
    EXPECT_EQ(second, 0x10 + first - 1);
    places.insert(static_cast<int>(first));
  }
  return places;
}

TEST(GranuleOfFiveTasks, LosesTheReadNotAWrite) {
  EXPECT_EQ(remembered(access::Kind::write, access::Kind::read), (std::set{1, 2, 3, 4}));
  const std::set<int> with_write = remembered(access::Kind::read, access::Kind::write);
  EXPECT_TRUE(with_write.contains(5));
  EXPECT_EQ(with_write.size(), 4U);
}

/// Tasks add to a variable under a lock, one reads it without: it takes the place of an earlier addition. The last one
/// stays, which somebody may read.
TEST(GranuleOfFiveTasks, KeepsAReadAtALineOfItsOwnAmongWritesAtOne) {
  constexpr Address lock = 0x3000;
  Driver d;
  d.fork(1, 2);
  const auto add = [&] { d.lock(2, lock), d.access(2, granule, access::Kind::write, 0x11, 4), d.unlock(2, lock); };
  for (int i = 0; i < 4; ++i) d.start(2, d.create(1)), add(), d.end(2);
  d.start(2, d.create(1));
  add();
  d.access(2, granule, access::Kind::read, 0x21, 4);
  d.end(2);
  EXPECT_EQ(d.races(), Driver::Pairs{});
  d.start(2, d.create(1)), add(), d.end(2);
  EXPECT_EQ(d.races(), (Driver::Pairs{{0x11, 0x21}}));
}

TEST(GranuleOfFiveTasks, LosesOneOfFiveAlike) {
  for (const access::Kind kind : {access::Kind::read, access::Kind::write})
    EXPECT_EQ(remembered(kind, kind).size(), 4U);
}

/// Thread 1 writes the halves; two tasks read one each, and a third writes both.
void halves_then_readers_and_a_writer(Driver& d) {
  d.access(1, granule, access::Kind::write, 0x200, 4);
  d.access(1, granule + 4, access::Kind::write, 0x300, 4);
  for (const Address byte : {0, 4}) {
    d.start(2, d.create(1));
    d.access(2, granule + byte, access::Kind::read, 1 + byte, 1);
    d.end(2);
  }
  d.start(2, d.create(1));
  for (const Address byte : {0, 4}) d.access(2, granule + byte, access::Kind::write, 0x11 + byte, 1);
  d.end(2);
}

/// An access to all of a granule, then later ones by the same task to its halves: these two are all that has to be
/// kept, which leaves room for two readers.
TEST(Granule, OfWhichTheHalvesWereAccessedLaterIsForgotten) {
  Driver d;
  d.fork(1, 2);
  d.access(1, granule, access::Kind::write, 0x100, 8);
  d.create(1); // another strand
  halves_then_readers_and_a_writer(d);
  EXPECT_EQ(d.races(), (Driver::Pairs{{0x1, 0x11}, {0x5, 0x15}}));
}

/// The same where that access stands in a further cell, behind a read of all by a later strand.
TEST(Granule, OfWhichTheHalvesWereAccessedAfterAReadOfAllIsForgotten) {
  Driver d;
  d.fork(1, 2);
  d.access(1, granule, access::Kind::write, 0x100, 8);
  d.create(1); // another strand
  d.access(1, granule, access::Kind::read, 0x180, 8);
  d.create(1);
  halves_then_readers_and_a_writer(d);
  EXPECT_EQ(d.races(), (Driver::Pairs{{0x1, 0x11}, {0x5, 0x15}}));
}

/// Tasks one after the other read and write both halves of a granule, or all of it, at few places; whatever one of them
/// did, who is concurrent with all of them meets it. They do the same to another granule before, so that they know then
/// who comes before them.
TEST(Granule, TellsOfAllThatTasksInTurnDidToItsHalves) {
  struct Access {
    Address half;
    unsigned size;
    access::Kind kind;
    Address pc;
    bool by_next; // a task of its own from here on
  };
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int program = 0; program < 500; ++program) {
    std::vector<Access> accesses(1 + random() % 12);
    for (Access& a : accesses) {
      const auto part = random() % 3;
      a = {.half = part == 1 ? Address{4} : Address{0},
           .size = part == 2 ? 8U : 4U,
           .kind = random() % 2 == 0 ? access::Kind::read : access::Kind::write,
           .pc = 0x100 + 0x10 * (random() % 3),
           .by_next = random() % 2 == 0};
    }
    for (const Address half : {0, 4})
      for (const access::Kind kind : {access::Kind::read, access::Kind::write}) {
        Driver d;
        d.fork(1, 2);
        const auto start_another = [&] {
          d.start(1, d.create(1));
          d.checker.thread(ThreadId{1}).stack.push(1, 0);
        };
        start_another();
        bool expected = false;
        std::string told;
        for (const Access& a : accesses) {
          if (a.by_next) {
            d.end(1);
            d.taskwait(1);
            start_another();
          }
          for (const Address first : {granule - 8, granule}) d.access(1, first + a.half, a.kind, a.pc, a.size);
          expected = expected || ((a.half == half || a.size == 8) && access::conflict(a.kind, kind));
          told += (a.by_next ? " | " : " ") + std::to_string(static_cast<int>(a.kind)) + "@" + std::to_string(a.half) +
                  "+" + std::to_string(a.size) + " at " + std::to_string(a.pc);
        }
        d.access(2, granule + half, kind, 0x1, 4);
        ASSERT_EQ(!d.races().empty(), expected) << told;
        d.end(1);
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, GranuleParts, testing::Values(access::Kind::read, access::Kind::write));

} // namespace
} // namespace fletcher::test
