// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who a thread is and what it knows of itself in units of work: memory of its own is left alone, and so is what an
// earlier unit may have told a later one.
#include "checker/constructs/locks/atomic_order.hpp"
#include "test/unit/constructs/teams/two_chunks.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000, lock_a = 0x3000;
using Pairs = Driver::Pairs;

TEST(WorkUnits, WhoeverKnowsItsThreadMayHaveAPlaceOfItsOwn) {
  const auto write = [](Address pc) { return [pc](Driver& d) { d.write(1, x, pc); }; };
  const auto asks = [](Driver& d) { d.checker.asked_thread_number(d.checker.thread(ThreadId{1})); };
  EXPECT_EQ(two_chunks([&](Driver& d) { asks(d), d.write(1, x, 11); }, write(12)), Pairs{});
  EXPECT_EQ(two_chunks([&](Driver& d) { d.lock(1, lock_a), d.unlock(1, lock_a), d.write(1, x, 11); }, write(12)),
            Pairs{});
  const auto draws = [](Driver& d) {
    constexpr auto relaxed = constructs::MemoryOrder::relaxed;
    access::ThreadState& one = d.checker.thread(ThreadId{1});
    one.atomics->update(one, y, relaxed, [] {});
  };
  EXPECT_EQ(two_chunks([&](Driver& d) { draws(d), d.write(1, x, 11); }, write(12)), Pairs{});
  Driver d;
  d.checker.thread(ThreadId{1}).tls_low = y;
  d.checker.thread(ThreadId{1}).tls_high = y + 8;
  EXPECT_EQ(two_chunks(d, [&] { d.read(1, y, 13), d.write(1, x, 11); }, [&] { d.write(1, x, 12); }), Pairs{});
}

// What the thread did before it held a lock or drew a number, any thread would have done.
TEST(WorkUnits, WhatWasDoneBeforeANumberWasDrawnStaysJudged) {
  const auto update = [](Driver& d, constructs::MemoryOrder order, Address address = y) {
    access::ThreadState& one = d.checker.thread(ThreadId{1});
    one.atomics->update(one, address, order, [] {});
  };
  using enum constructs::MemoryOrder;
  const auto section = [](Driver& d) { d.lock(1, lock_a), d.unlock(1, lock_a); };
  const auto write = [](Driver& d, Address pc) { d.write(1, x, pc); };
  // Before the first chunk's end, and in the second one.
  EXPECT_EQ(two_chunks([&](Driver& d) { write(d, 11), section(d); }, [&](Driver& d) { write(d, 12); }),
            (Pairs{{11, 12}}));
  EXPECT_EQ(two_chunks([&](Driver& d) { write(d, 11); }, [&](Driver& d) { section(d), write(d, 12); }),
            (Pairs{{11, 12}}));
  EXPECT_EQ(two_chunks([&](Driver& d) { write(d, 11); },
                       [&](Driver& d) { d.lock(1, lock_a), write(d, 12), d.unlock(1, lock_a); }),
            (Pairs{{11, 12}}));
  EXPECT_EQ(two_chunks([&](Driver& d) { write(d, 11), update(d, relaxed); }, [&](Driver& d) { write(d, 12); }),
            (Pairs{{11, 12}}));
  EXPECT_EQ(two_chunks([&](Driver& d) { write(d, 11); }, [&](Driver& d) { update(d, relaxed), write(d, 12); }),
            (Pairs{{11, 12}}));
  // What it notes of itself by its number it may find again.
  EXPECT_EQ(two_chunks([&](Driver& d) { write(d, 11); },
                       [&](Driver& d) {
                         d.checker.asked_thread_number(d.checker.thread(ThreadId{1}));
                         write(d, 12);
                       }),
            Pairs{});
  // Of two chunks after that nothing is judged, whatever comes between.
  EXPECT_EQ(two_chunks([&](Driver& d) { d.read(1, x + 16, 13), section(d), write(d, 11); },
                       [&](Driver& d) { d.chunk(1), d.read(1, x + 32, 14), d.chunk(1), write(d, 12); }),
            Pairs{});
}

// What it learned a later chunk knows if it reads it in memory of the thread's own.
TEST(WorkUnits, ASectionThatKeepsWhatItLearnsDrawsNoNumber) {
  constexpr Address own = 0x20000;
  const auto chunks = [](bool keeps, bool reads) {
    Driver d;
    access::ThreadState& one = d.checker.thread(ThreadId{1});
    one.stack_low = own;
    one.stack_high = own + 0x1000;
    const auto section = [&] {
      one.keeps_inside = keeps;
      d.lock(1, lock_a);
      one.keeps_inside = false;
      d.write(1, own, 10);
      d.unlock(1, lock_a);
    };
    const auto second = [&] {
      if (reads) d.read(1, own, 13);
      d.write(1, x, 12);
    };
    return two_chunks(d, [&] { section(), d.write(1, x, 11); }, second);
  };
  EXPECT_EQ(chunks(true, false), (Pairs{{11, 12}}));
  EXPECT_EQ(chunks(true, true), Pairs{});
  EXPECT_EQ(chunks(false, false), Pairs{});
}

// The lock or the atomic variable may tell the later unit of the earlier one.
TEST(WorkUnits, ALockThatBothHeldMayHandOver) {
  const auto section = [](Driver& d) { d.lock(1, lock_a), d.unlock(1, lock_a); };
  const auto handing = [&](Driver& d) { d.write(1, x, 11), section(d); };
  EXPECT_EQ(two_chunks(handing, [&](Driver& d) { section(d), d.write(1, x, 12); }), Pairs{});
  EXPECT_EQ(two_chunks(handing, [&](Driver& d) { d.lock(1, lock_a), d.write(1, x, 12), d.unlock(1, lock_a); }),
            Pairs{});
  EXPECT_EQ(two_chunks(handing, [&](Driver& d) { d.chunk(1), section(d), d.chunk(1), d.write(1, x, 12); }), Pairs{});
  const auto update = [](Driver& d) {
    access::ThreadState& one = d.checker.thread(ThreadId{1});
    one.atomics->update(one, y, constructs::MemoryOrder::acq_rel, [] {});
  };
  EXPECT_EQ(
      two_chunks([&](Driver& d) { d.write(1, x, 11), update(d); }, [&](Driver& d) { update(d), d.write(1, x, 12); }),
      Pairs{});
  // Between the units, too.
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.work(1, WorkKind::loop_dynamic, true);
  d.chunk(1);
  handing(d);
  d.work(1, WorkKind::loop_dynamic, false);
  section(d);
  d.work(1, WorkKind::loop_dynamic, true);
  d.chunk(1);
  d.write(1, x, 12);
  d.work(1, WorkKind::loop_dynamic, false);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(WorkUnits, WhoeverKnowsItsThreadGoesOnInOneStrand) {
  for (const bool knows : {false, true}) {
    Driver d;
    access::ThreadState& t = d.checker.thread(ThreadId{1});
    StrandId first{}, second{};
    const auto begin = [&] {
      if (knows) d.checker.asked_thread_number(t);
      d.read(1, x, 11);
      first = t.strand();
    };
    const auto next = [&] {
      d.read(1, y, 12);
      second = t.strand();
    };
    EXPECT_EQ(two_chunks(d, begin, next), Pairs{});
    EXPECT_EQ(second == first, knows);
  }
}

TEST(WorkUnits, WhatAThreadThatKnowsItselfGivesToTasksIsItsOwn) {
  for (const bool knows : {false, true}) {
    Driver d;
    const auto chunk = [&](Address pc) {
      if (knows) d.checker.asked_thread_number(d.checker.thread(ThreadId{1}));
      d.run(1, d.create(1), x, access::Kind::write, pc);
      d.taskwait(1);
    };
    EXPECT_EQ(two_chunks(d, [&] { d.chunk(1), chunk(11); }, [&] { chunk(12); }), knows ? Pairs{} : (Pairs{{11, 12}}));
  }
}

TEST(WorkUnits, FramesOfTheRegionBelongToTheThread) {
  Driver d;
  access::ThreadState& t = d.checker.thread(ThreadId{1});
  t.stack_low = 0x8000;
  t.stack_high = 0x9000;
  const TeamId team{77};
  const TaskId first{1001}, second{1002};
  d.checker.on(ParallelBegin{ThreadId{1}, d.root, team, 2, false, 0x9000, 0x8800});
  d.checker.on(ImplicitTaskBegin{ThreadId{1}, team, first, 0, 2});
  d.checker.on(ImplicitTaskBegin{ThreadId{2}, team, second, 1, 2});
  d.current[1] = first;
  d.work(1, WorkKind::loop_dynamic, true);
  for (const Address pc : {Address{11}, Address{13}}) {
    d.chunk(1);
    d.write(1, 0x8900, pc);     // main's frame
    d.write(1, 0x8700, pc + 1); // the region's
  }
  EXPECT_EQ(d.races(), (Pairs{{11, 13}}));
}

struct Half final : access::MemoryMap {
  bool is_static(Address) const override { return false; }
  bool is_named(Address) const override { return false; }
  bool is_cxx_library(Address) const override { return false; }
  access::MemoryExtent around(Address a, ThreadId) const override {
    ++asked;
    return a < 0x1800 ? access::MemoryExtent{0x1000, 0x1800, true} : access::MemoryExtent{0x1800, 0x2000, false};
  }
  mutable int asked = 0;
};

TEST(WorkUnits, WhoeverReadsWhatItNotedInAnotherUnitKnowsWhatItDid) {
  for (const bool reads : {false, true}) {
    const Half memory;
    CheckerConfig config = small_config();
    config.memory = &memory;
    Driver d(config);
    const auto note = [&] { d.write(1, 0x1000, 11), d.write(1, 0x1800, 12); };
    const auto look = [&] {
      if (reads) d.read(1, 0x1800, 13);
      d.write(1, 0x1000, 14);
    };
    EXPECT_EQ(two_chunks(d, note, look), reads ? Pairs{} : (Pairs{{11, 14}}));
  }
}

TEST(WorkUnits, TheProcessSaysWhoseOtherMemoryIs) {
  const Half memory;
  CheckerConfig config = small_config();
  config.memory = &memory;
  Driver d(config);
  const auto both = [&](Address pc) {
    for (Address a = 0x1800; a < 0x1900; a += 8) d.write(1, a, pc);
    d.write(1, 0x1000, pc + 1);
  };
  EXPECT_EQ(two_chunks(d, [&] { both(11); }, [&] { both(13); }), (Pairs{{12, 14}}));
  EXPECT_EQ(memory.asked, 2) << "one answer holds for a block";
}

// On another thread the unit would have other frames of the region, and its inner team with it.
TEST(WorkUnits, FramesOfTheRegionBelongToTheThreadForItsInnerTeamsToo) {
  Driver d;
  access::ThreadState& t = d.checker.thread(ThreadId{1});
  t.stack_low = 0x8000;
  t.stack_high = 0x9000;
  const TeamId outer{77};
  const TaskId first{1001}, second{1002};
  d.checker.on(ParallelBegin{ThreadId{1}, d.root, outer, 2, false, 0x9000, 0x8800});
  d.checker.on(ImplicitTaskBegin{ThreadId{1}, outer, first, 0, 2});
  d.checker.on(ImplicitTaskBegin{ThreadId{2}, outer, second, 1, 2});
  d.current[1] = first;
  d.work(1, WorkKind::loop_dynamic, true);
  TeamId inner{88};
  for (const Address pc : {Address{11}, Address{13}}) {
    d.chunk(1);
    d.write(1, 0x8708, 20); // the outer region's
    const TaskId one{static_cast<std::uint32_t>(2000 + pc)}, other{static_cast<std::uint32_t>(3000 + pc)};
    d.checker.on(ParallelBegin{ThreadId{1}, first, inner, 2, false, 0x9100, 0x8400});
    d.checker.on(ImplicitTaskBegin{ThreadId{1}, inner, one, 0, 2});
    d.checker.on(ImplicitTaskBegin{ThreadId{3}, inner, other, 1, 2});
    d.current[1] = one;
    d.write(1, 0x8700, pc + 1); // the outer region's
    d.write(1, 0x8900, pc);     // main's frame
    d.checker.on(SyncBegin{ThreadId{1}, one, inner, SyncKind::barrier_parallel, 0, 0});
    d.checker.on(SyncBegin{ThreadId{3}, other, inner, SyncKind::barrier_parallel, 0, 0});
    d.checker.on(SyncEnd{ThreadId{1}, one, inner, SyncKind::barrier_parallel, 0});
    d.checker.on(ImplicitTaskEnd{ThreadId{1}, inner, one});
    d.checker.on(ParallelEnd{ThreadId{1}, first, inner, 0});
    d.current[1] = first;
    inner = TeamId{89};
  }
  EXPECT_EQ(d.races(), (Pairs{{11, 13}}));
}

/// Two large blocks: the first is the team's, the second the thread's own.
struct TwoBlocks final : access::MemoryMap {
  static constexpr Address shared = 0x10000, own = 0x20000, size = 0x2000;
  bool is_static(Address) const override { return false; }
  bool is_named(Address) const override { return false; }
  bool is_cxx_library(Address) const override { return false; }
  access::MemoryExtent around(Address a, ThreadId) const override {
    return a < own ? access::MemoryExtent{shared, shared + size, true, true}
                   : access::MemoryExtent{own, own + size, false, true};
  }
};

// The same lines access both, so that their granules look alike.
TEST(WorkUnits, WhereARaceWasReportedWhatTheThreadReadsInItsOwnMemoryStillCounts) {
  const TwoBlocks memory;
  CheckerConfig config = small_config();
  config.memory = &memory;
  Driver d(config);
  const TeamId team = d.fork(1, 2);
  d.work(1, WorkKind::loop_dynamic, true);
  const auto note = [&](Address at) { d.read(1, at, 10), d.write(1, at, 11); };
  for (int i = 0; i < 3; ++i) {
    d.chunk(1);
    note(TwoBlocks::shared);
  }
  EXPECT_EQ(d.races(), (Pairs{{10, 11}, {11, 11}}));
  d.chunk(1);
  note(TwoBlocks::shared + 0x100), note(TwoBlocks::own), d.write(1, TwoBlocks::shared + 0x200, 14);
  d.chunk(1);
  d.read(1, TwoBlocks::shared + 0x100, 10), d.read(1, TwoBlocks::own, 10), d.write(1, TwoBlocks::shared + 0x200, 15);
  d.work(1, WorkKind::loop_dynamic, false);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{10, 11}, {11, 11}})) << "it may know what it did in the chunk before";
}

} // namespace
} // namespace fletcher::test
