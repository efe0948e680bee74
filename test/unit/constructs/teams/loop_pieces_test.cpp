// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pieces of static loops: a larger team would give them to several threads. They are concurrent with each other, and
// with nothing else that their thread does.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000;
using Pairs = Driver::Pairs;

/// A static loop of thread 1's in two pieces.
template <class First, class Second> void loop(Driver& d, First first, Second second) {
  d.work(1, WorkKind::loop_static, true);
  d.piece(1);
  first();
  d.piece(1);
  second();
  d.work(1, WorkKind::loop_static, false);
}

TEST(LoopPieces, TwoOfOneThreadRaceInATeamOfAnySize) {
  for (const unsigned size : {1u, 2u}) {
    Driver d;
    const TeamId team = d.fork(1, size);
    loop(d, [&] { d.write(1, x, 11); }, [&] { d.read(1, x, 12), d.read(1, y, 13); });
    d.join(team);
    EXPECT_EQ(d.races(), (Pairs{{11, 12}})) << size;
    EXPECT_TRUE(d.recorder.findings.front().divided);
  }
}

TEST(LoopPieces, WhatTheThreadDoesBeforeAndAfterTheLoopIsOrderedWithThem) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  loop(d, [&] { d.read(1, x, 12), d.write(1, y, 13); }, [&] { d.write(1, y + 8, 14); });
  d.write(1, x, 15);
  d.write(1, y, 16);
  d.write(1, y + 8, 17);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(LoopPieces, TwoLoopsGiveThreadsTheSameIterations) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  for (const Address pc : {Address{11}, Address{21}})
    loop(d, [&] { d.write(1, x, pc); }, [&] { d.write(1, y, pc + 1); });
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(LoopPieces, UnitsBeforeTheLoopComeFirst) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.work(1, WorkKind::loop_dynamic, true);
  d.chunk(1);
  d.write(1, x, 11);
  d.work(1, WorkKind::loop_dynamic, false);
  loop(d, [&] { d.write(1, y, 12); }, [&] { d.write(1, x, 13); });
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(LoopPieces, OtherThreadsRaceWithTheLoopAsAWhole) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  loop(d, [&] { d.write(1, x, 11); }, [&] { d.write(1, y, 12); });
  d.read(2, x, 13);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 13}}));
  EXPECT_FALSE(d.recorder.findings.front().divided);
}

TEST(LoopPieces, ATaskIsConcurrentWithOtherPiecesThanItsCreators) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, y, 10);
  loop(
      d, [&] { d.write(1, x, 11); },
      [&] {
        d.write(1, y + 8, 12);
        d.run(2, d.create(1), x, access::Kind::write, 13);
        d.run(2, d.create(1), y, access::Kind::write, 14);
        d.run(2, d.create(1), y + 8, access::Kind::write, 15);
      });
  EXPECT_EQ(d.races(), (Pairs{{11, 13}}));
  d.join(team);
}

TEST(LoopPieces, WhoeverMayKnowItsThreadHasNone) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.checker.asked_thread_number(d.checker.thread(ThreadId{1}));
  loop(d, [&] { d.write(1, x, 11); }, [&] { d.write(1, x, 12); });
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(LoopPieces, SectionsOfOneThreadRaceWhereThereAreOthersWhoCouldHaveThem) {
  for (const unsigned size : {1u, 2u}) {
    Driver d;
    const TeamId team = d.fork(1, size);
    d.write(1, y, 10);
    d.work(1, WorkKind::sections, true);
    d.piece(1);
    d.write(1, x, 11);
    d.piece(1);
    d.write(1, x, 12);
    d.read(1, y, 13);
    d.work(1, WorkKind::sections, false);
    d.join(team);
    EXPECT_EQ(d.races(), size == 1 ? Pairs{} : (Pairs{{11, 12}, {10, 13}}));
    for (const Finding& finding : d.recorder.findings) EXPECT_FALSE(finding.divided);
  }
}

} // namespace
} // namespace fletcher::test
