// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks and regions of units of work: they are concurrent with other units than their creator's, unless they may come
// after them.
#include "test/unit/constructs/teams/two_chunks.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000;
using Pairs = Driver::Pairs;

TEST(WorkUnits, ATaskIsConcurrentWithOtherUnitsThanItsCreators) {
  Driver d;
  TaskId task{};
  const Pairs races = two_chunks(
      d,
      [&] {
        d.write(1, x, 11);
        d.write(1, y, 12);
      },
      [&] {
        d.write(1, y + 8, 13);
        task = d.create(1);
        d.run(2, task, x, access::Kind::write, 14);
        task = d.create(1);
        d.run(2, task, y + 8, access::Kind::write, 15); // after its creator
      });
  EXPECT_EQ(races, (Pairs{{11, 14}}));
}

/// Though it is as if it were a part of its creator.
TEST(WorkUnits, AnUndeferredTaskIsConcurrentWithOtherUnitsThanItsCreators) {
  const auto undeferred = [](Driver& d, Address pc) {
    d.run(1, d.create(1, {}, {.undeferred = true}), x, access::Kind::write, pc);
  };
  const auto plain = [](Driver& d, Address pc) { d.write(1, x, pc); };
  EXPECT_EQ(two_chunks([&](Driver& d) { plain(d, 11); }, [&](Driver& d) { undeferred(d, 12); }), (Pairs{{11, 12}}));
  EXPECT_EQ(two_chunks([&](Driver& d) { undeferred(d, 11); }, [&](Driver& d) { plain(d, 12); }), (Pairs{{11, 12}}));
  EXPECT_EQ(two_chunks([&](Driver& d) { undeferred(d, 11); }, [&](Driver& d) { undeferred(d, 12); }),
            (Pairs{{11, 12}}));
  EXPECT_EQ(two_chunks([&](Driver& d) { plain(d, 11), undeferred(d, 12), plain(d, 13), undeferred(d, 14); },
                       [&](Driver& d) { d.write(1, y, 21), undeferred(d, 22); }),
            (Pairs{{11, 22}}));
}

TEST(WorkUnits, ATaskwaitInAUnitForgetsNothing) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.read(1, x, 11);
  d.work(1, WorkKind::single_executor, true);
  d.checker.on(SyncBegin{ThreadId{2}, d.current[2], team, SyncKind::barrier_workshare, 0, 0});
  d.taskwait(1);
  d.write(1, x, 12);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST(WorkUnits, ATaskWithAPredecessorMayComeAfterOtherUnits) {
  Driver d;
  TaskId before{};
  const Pairs races = two_chunks(
      d,
      [&] {
        d.write(1, x, 11);
        before = d.create(1, {{y, DependenceType::out, false}});
        d.run(1, before, y, access::Kind::write, 12);
      },
      [&] {
        const TaskId after = d.create(1, {{y, DependenceType::in, false}});
        d.run(2, after, x, access::Kind::write, 13);
      });
  EXPECT_EQ(races, Pairs{});
}

TEST(WorkUnits, ARegionInAUnitIsConcurrentWithOtherUnits) {
  Driver d;
  const Pairs races = two_chunks(
      d, [&] { d.write(1, x, 11); },
      [&] {
        d.write(1, y, 12);
        const TeamId inner = d.fork(1, 2, 5);
        d.write(5, x, 13);
        d.write(5, y, 14);
        d.join(inner);
        d.write(1, y, 15);
      });
  EXPECT_EQ(races, (Pairs{{11, 13}}));
}

// A sibling that it comes after may come after other units.
TEST(WorkUnits, ATaskWithADependClauseIsOfItsUnitIfItHasNoPredecessor) {
  for (const bool predecessor : {false, true}) {
    Driver d;
    const Dependence out{y, DependenceType::out};
    const auto first = [&] {
      d.write(1, x, 11);
      if (predecessor) d.run(1, d.create(1, {out}), y, access::Kind::write, 13);
    };
    const auto second = [&] { d.run(1, d.create(1, {out}), x, access::Kind::write, 12); };
    EXPECT_EQ(two_chunks(d, first, second), predecessor ? Pairs{} : (Pairs{{11, 12}}));
  }
}

} // namespace
} // namespace fletcher::test
