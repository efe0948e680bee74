// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team of one of which the program leaves the size open: what every member of a larger team would do, and work that
// any of them could get.
#include "checker/constructs/strand.hpp"
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000;
using Pairs = Driver::Pairs;
using access::Kind;

/// What is found of a region that `body` executes.
template <class Body> Pairs region(Body body, bool open = true) {
  Driver d;
  const TeamId team = d.fork(1, 1, 2, false, open);
  body(d);
  d.join(team);
  return d.races();
}

TEST(TeamOfOne, AWriteRacesWithItsLike) {
  EXPECT_EQ(region([](Driver& d) { d.write(1, x, 11); }), (Pairs{{11, 11}}));
  EXPECT_EQ(region([](Driver& d) { d.write(1, x, 11); }, false), Pairs{});
  EXPECT_EQ(region([](Driver& d) { d.read(1, x, 11); }), Pairs{});
  EXPECT_EQ(region([](Driver& d) { d.access(1, x, Kind::atomic_write, 11); }), Pairs{});
}

TEST(TeamOfOne, TheFindingSaysThatOneThreadWasAlone) {
  Driver d;
  d.join((d.fork(1, 1, 2, false, true)));
  const TeamId team = d.fork(1, 1, 2, false, true);
  d.write(1, x, 11);
  d.join(team);
  ASSERT_EQ(d.recorder.findings.size(), 1u);
  EXPECT_TRUE(d.recorder.findings.front().alone);
}

TEST(TeamOfOne, WhoMayKnowItselfWritesWhereOthersDoNot) {
  EXPECT_EQ(region([](Driver& d) {
              constructs::identify(d.checker.thread(ThreadId{1}));
              d.write(1, x, 11);
            }),
            Pairs{});
  EXPECT_EQ(region([](Driver& d) {
              d.checker.asked_thread_number(d.checker.thread(ThreadId{1}));
              d.write(1, x, 11);
            }),
            Pairs{});
}

TEST(TeamOfOne, NothingIsSaidFromTheFirstConstructOn) {
  EXPECT_EQ(region([](Driver& d) {
              d.work(1, WorkKind::single_executor, true);
              d.write(1, x, 11);
              d.work(1, WorkKind::single_executor, false);
              d.write(1, x + 8, 12);
            }),
            Pairs{});
  EXPECT_EQ(region([](Driver& d) {
              constructs::close_team(d.checker.thread(ThreadId{1}));
              d.write(1, x, 11);
            }),
            Pairs{});
}

/// A section that keeps what it learns; it writes at `to`.
void section(Driver& d, Address to) {
  d.checker.thread(ThreadId{1}).keeps_inside = true;
  d.lock(1, 0x100);
  d.checker.thread(ThreadId{1}).keeps_inside = false;
  d.write(1, to, 10);
  d.unlock(1, 0x100);
}

TEST(TeamOfOne, ASectionThatKeepsWhatItLearnsTellsNothing) {
  EXPECT_EQ(region([](Driver& d) {
              section(d, x + 8);
              d.write(1, x, 11);
            }),
            (Pairs{{11, 11}}));
  EXPECT_EQ(region([](Driver& d) {
              d.lock(1, 0x100);
              d.write(1, x + 8, 10);
              d.unlock(1, 0x100);
              d.write(1, x, 11);
            }),
            Pairs{});
}

TEST(TeamOfOne, WhatItWritesInTheThreadsOwnMemoryMayTellWhoReadsIt) {
  constexpr Address own = 0x20000;
  const auto finds = [](auto read) {
    return region([&](Driver& d) {
      d.checker.thread(ThreadId{1}).stack_low = own;
      d.checker.thread(ThreadId{1}).stack_high = own + 0x1000;
      section(d, own + 8);
      read(d);
      d.write(1, x, 11);
    });
  };
  EXPECT_EQ(finds([](Driver& d) { d.read(1, own + 8, 12); }), Pairs{});
  EXPECT_EQ(finds([](Driver& d) { d.access(1, own, Kind::write, 12, 16); }), Pairs{});
  EXPECT_EQ(finds([](Driver& d) { d.read(1, own, 12); }), (Pairs{{11, 11}}));
  EXPECT_EQ(finds([](Driver& d) { section(d, own + 8); }), (Pairs{{11, 11}}));
  EXPECT_EQ(finds([](Driver& d) {
              const TaskId task = d.create(1);
              d.start(1, task);
              d.read(1, own + 8, 12);
              d.end(1);
            }),
            Pairs{});
}

TEST(TeamOfOne, UnitsOfWorkAreConcurrent) {
  const auto singles = [](Driver& d) {
    for (const Address pc : {Address{11}, Address{12}}) {
      d.work(1, WorkKind::single_executor, true);
      d.write(1, x, pc);
      d.work(1, WorkKind::single_executor, false);
    }
  };
  EXPECT_EQ(region(singles), (Pairs{{11, 12}}));
  EXPECT_EQ(region(singles, false), Pairs{});
}

} // namespace
} // namespace fletcher::test
