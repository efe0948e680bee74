// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Units of work: chunks of dynamic loops, sections, single. What one thread did in them by chance races as if two
// threads had, where the memory is certainly there for both; memory of the thread's own is left alone.
#include "checker/constructs/locks/atomic_order.hpp"
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <array>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000, lock_a = 0x3000;
using Pairs = Driver::Pairs;

/// Two chunks of a dynamic loop, both taken by thread 1: `first` and `second` are what they do.
template <class First, class Second> Pairs two_chunks(Driver& d, First first, Second second) {
  const TeamId team = d.fork(1, 2);
  d.work(1, WorkKind::loop_dynamic, true);
  d.chunk(1);
  first();
  d.chunk(1);
  second();
  d.work(1, WorkKind::loop_dynamic, false);
  d.join(team);
  return d.races();
}
template <class First, class Second> Pairs two_chunks(First first, Second second) {
  Driver d;
  return two_chunks(d, [&] { first(d); }, [&] { second(d); });
}

TEST(WorkUnits, TwoChunksOfOneThreadRace) {
  EXPECT_EQ(two_chunks([](Driver& d) { d.write(1, x, 11); }, [](Driver& d) { d.write(1, x, 12); }), (Pairs{{11, 12}}));
  EXPECT_EQ(two_chunks([](Driver& d) { d.read(1, x, 11); }, [](Driver& d) { d.write(1, x, 12); }), (Pairs{{11, 12}}));
  EXPECT_EQ(two_chunks([](Driver& d) { d.read(1, x, 11); }, [](Driver& d) { d.read(1, x, 12); }), Pairs{});
}

TEST(WorkUnits, AReadIsRememberedThoughTheNextChunkReadsBeforeItWrites) {
  EXPECT_EQ(two_chunks([](Driver& d) { d.read(1, x, 11); }, [](Driver& d) { d.read(1, x, 12), d.write(1, x, 13); }),
            (Pairs{{11, 13}}));
}

// Of what earlier chunks read one is kept; not one that the chunk comes after by now.
TEST(WorkUnits, AReadThatTheChunkHasLearnedOfStandsForNoOther) {
  using access::Kind;
  Driver d;
  const auto ordered = [&](auto reads) {
    d.lock(1, lock_a, MutexKind::ordered);
    reads();
    d.unlock(1, lock_a, MutexKind::ordered);
  };
  const auto first = [&] {
    ordered([&] { d.access(1, x, Kind::atomic_read, 11); });
    d.chunk(1);
    d.access(1, x, Kind::atomic_read, 12);
  };
  const auto last = [&] {
    d.write(1, y, 13);
    ordered([&] { d.access(1, x, Kind::read, 14, 4), d.access(1, x + 4, Kind::read, 14, 4); });
    d.write(1, x, 15);
  };
  EXPECT_EQ(two_chunks(d, first, last), (Pairs{{12, 15}}));
}

// What an earlier chunk has read is not recorded again: what was recorded must stand for it.
TEST(WorkUnits, AReadThatAnEarlierChunkMadeRacesAllTheSame) {
  using access::Kind;
  for (const Kind kind : {Kind::read, Kind::atomic_read})
    for (const bool others : {false, true}) { // the first cell is another thread's
      Driver d;
      const auto first = [&] {
        d.access(1, x, kind, 11);
        if (others) d.access(2, x, kind, 13);
      };
      EXPECT_EQ(two_chunks(d, first, [&] { d.access(1, x, kind, 11), d.write(2, x, 12); }), (Pairs{{11, 12}}));
    }
}
TEST(WorkUnits, AChunksAtomicReadRacesWithAnEarlierOnesPlainWrite) {
  using access::Kind;
  const auto read = [](Driver& d) { d.access(1, x, Kind::atomic_read, 12); };
  EXPECT_EQ(two_chunks([](Driver& d) { d.write(1, x, 11); }, read), (Pairs{{11, 12}}));
  EXPECT_EQ(two_chunks([](Driver& d) { d.access(1, x, Kind::atomic_write, 11); }, read), Pairs{});
}
TEST(WorkUnits, AChunksPlainReadIsMoreThanAnEarlierOnesAtomicRead) {
  using access::Kind;
  const auto reads = [](Driver& d) { d.access(1, x, Kind::read, 12), d.access(2, x, Kind::atomic_write, 13); };
  EXPECT_EQ(two_chunks([](Driver& d) { d.access(1, x, Kind::atomic_read, 11); }, reads), (Pairs{{12, 13}}));
}

// An atomic operation that an earlier chunk performed is not recorded again; a plain write is another matter.
TEST(WorkUnits, AnAtomicOperationThatAnEarlierChunkMadeStandsForIt) {
  using access::Kind;
  const auto atomic = [](Kind kind, Address pc) {
    return [=](Driver& d) { d.read(1, y, 14), d.chunk(1), d.access(1, x, kind, pc); }; // not the thread's first
  };
  const auto then_by = [](unsigned thread, Kind kind) {
    return [=](Driver& d) { d.read(1, y, 14), d.access(1, x, Kind::atomic_write, 12), d.access(thread, x, kind, 13); };
  };
  EXPECT_EQ(two_chunks(atomic(Kind::atomic_write, 11), then_by(2, Kind::read)), (Pairs{{11, 13}}));
  EXPECT_EQ(two_chunks(atomic(Kind::atomic_write, 11), then_by(2, Kind::atomic_write)), Pairs{});
  EXPECT_EQ(two_chunks(atomic(Kind::atomic_write, 11), then_by(1, Kind::write)), (Pairs{{11, 13}}));
  EXPECT_EQ(two_chunks(atomic(Kind::atomic_read, 11), then_by(2, Kind::read)), (Pairs{{12, 13}})) << "it is more";
  EXPECT_EQ(two_chunks(atomic(Kind::write, 11), then_by(2, Kind::atomic_read)), (Pairs{{11, 12}, {11, 13}}));
}

// Whatever the thread has learned about the chunk before: what that wrote does not stand for a read.
TEST(WorkUnits, AChunksReadRacesWithAnEarlierOnesWriteThoughTheyReadAlike) {
  std::array<Address, 32> tables{};
  for (std::size_t i = 0; i < tables.size(); ++i) tables[i] = 0x5000 + 16 * i;
  const auto writes = [&](Driver& d) {
    d.read(1, y, 14);
    d.chunk(1); // not the thread's first
    for (const Address table : tables) d.read(1, table, 11);
    d.write(1, x, 13);
    d.write(1, x + 8, 13);
  };
  const auto reads = [&](Driver& d) {
    d.read(1, y, 14);
    for (const Address table : tables) d.read(1, table, 11);
    d.read(1, x, 15);
  };
  const auto reads_pair = [&](Driver& d) {
    d.read(1, y, 14);
    for (const Address table : tables) d.read(1, table, 11);
    d.access(1, x, access::Kind::read, 15, 16);
  };
  EXPECT_EQ(two_chunks(writes, reads), (Pairs{{13, 15}}));
  EXPECT_EQ(two_chunks(writes, reads_pair), (Pairs{{13, 15}}));
}

TEST(WorkUnits, StaticLoopsAndTeamsOfOneHaveNone) {
  for (const unsigned size : {1u, 2u}) {
    Driver d;
    const TeamId team = d.fork(1, size);
    const WorkKind kind = size == 1 ? WorkKind::loop_dynamic : WorkKind::loop_static;
    d.work(1, kind, true);
    d.chunk(1);
    d.write(1, x, 11);
    d.chunk(1);
    d.write(1, x, 12);
    d.work(1, kind, false);
    d.join(team);
    EXPECT_EQ(d.races(), Pairs{}) << size;
  }
}

TEST(WorkUnits, SingleRacesWithWhatItsThreadDidSinceTheBarrier) {
  for (const bool barrier : {false, true}) {
    Driver d;
    const TeamId team = d.fork(1, 2);
    d.write(1, x, 11);
    if (barrier) d.barrier(team);
    d.work(1, WorkKind::single_executor, true);
    d.read(1, x, 12);
    d.work(1, WorkKind::single_executor, false);
    d.join(team);
    EXPECT_EQ(d.races(), barrier ? Pairs{} : (Pairs{{11, 12}}));
  }
}

TEST(WorkUnits, AMemberMayRememberWhatItsUnitsDid) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.work(1, WorkKind::single_executor, true);
  d.write(1, x, 11);
  d.work(1, WorkKind::single_executor, false);
  d.write(1, x, 12); // `if (it was me)`
  d.work(1, WorkKind::sections, true);
  d.read(1, x, 13); // but this is for whoever comes
  d.work(1, WorkKind::sections, false);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{12, 13}}));
}

TEST(WorkUnits, ASingleWhoseEndIsUntoldIsNone) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  d.checker.on(Work{ThreadId{1}, d.current[1], team, WorkKind::single_executor, true, 0, 0x5000, true});
  d.write(1, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(WorkUnits, OrderedAndDoacrossOrderChunks) {
  const auto ordered = [](Driver& d, Address pc) {
    d.lock(1, lock_a, MutexKind::ordered);
    d.write(1, x, pc);
    d.unlock(1, lock_a, MutexKind::ordered);
  };
  EXPECT_EQ(two_chunks([&](Driver& d) { ordered(d, 11); }, [&](Driver& d) { ordered(d, 12); }), Pairs{});
  EXPECT_EQ(two_chunks([&](Driver& d) { ordered(d, 11), d.write(1, y, 13); },
                       [&](Driver& d) { ordered(d, 12), d.write(1, y, 14); }),
            (Pairs{{13, 14}}));
  const auto doacross = [](Driver& d, bool source, std::uint64_t i) {
    d.checker.on(Doacross{ThreadId{1}, d.current[1], TeamId::none, source, {&i, 1}});
  };
  EXPECT_EQ(two_chunks([&](Driver& d) { d.write(1, x, 11), doacross(d, true, 0), d.write(1, y, 13); },
                       [&](Driver& d) { doacross(d, false, 0), d.write(1, x, 12), d.write(1, y, 14); }),
            (Pairs{{13, 14}}));
}

// What a chunk learns in its turn, the next one of the same thread does not know; nor does a chunk learn anything from
// itself. What another way tells as well counts.
TEST(WorkUnits, WhatAnEarlierChunkWasToldInItsTurnIsNotKnown) {
  const auto chunks = [](auto first, auto second, auto third) {
    Driver d;
    return two_chunks(d, [&] { first(d), d.chunk(1), second(d); }, [&] { third(d); });
  };
  const auto ordered = [](Driver& d) {
    d.lock(1, lock_a, MutexKind::ordered), d.unlock(1, lock_a, MutexKind::ordered);
  };
  const auto iteration = [](bool source, std::uint64_t i) {
    return [source, i](Driver& d) { d.checker.on(Doacross{ThreadId{1}, d.current[1], TeamId::none, source, {&i, 1}}); };
  };
  for (const bool doacross : {false, true}) {
    const auto end = [&](std::uint64_t i) {
      return [=](Driver& d) { doacross ? iteration(true, i)(d) : d.unlock(1, lock_a, MutexKind::ordered); };
    };
    const auto begin = [&](std::uint64_t i) {
      return [=](Driver& d) { doacross ? iteration(false, i)(d) : d.lock(1, lock_a, MutexKind::ordered); };
    };
    // Chunks 1 and 3 write before their turns; between the turns of 1 and 3 comes that of 2.
    EXPECT_EQ(chunks([&](Driver& d) { d.write(1, x, 11), begin(0)(d), end(1)(d); },
                     [&](Driver& d) { begin(1)(d), end(2)(d); }, [&](Driver& d) { d.write(1, x, 12), begin(2)(d); }),
              (Pairs{{11, 12}}));
    EXPECT_EQ(chunks([&](Driver& d) { d.write(1, x, 11), begin(0)(d), end(1)(d); },
                     [&](Driver& d) { begin(1)(d), end(2)(d); }, [&](Driver& d) { begin(2)(d), d.write(1, x, 12); }),
              Pairs{});
  }
  // It waits for an iteration of its own.
  EXPECT_EQ(
      chunks([&](Driver& d) { d.write(1, x, 11); }, [](Driver&) {},
             [&](Driver& d) { d.write(1, y, 13), iteration(true, 5)(d), iteration(false, 5)(d), d.write(1, x, 12); }),
      (Pairs{{11, 12}}));
  EXPECT_EQ(chunks([&](Driver& d) { d.write(1, x, 11); }, [](Driver&) {},
                   [&](Driver& d) { d.write(1, y, 13), ordered(d), ordered(d), d.write(1, x, 12); }),
            (Pairs{{11, 12}}));
  // The third chunk waits for the first one's flag, too.
  const auto flag = [](Driver& d, bool sets) {
    sets ? d.checker.on(Release{ThreadId{1}, y}) : d.checker.on(Acquire{ThreadId{1}, y});
  };
  EXPECT_EQ(chunks([&](Driver& d) { d.write(1, x, 11), flag(d, true), ordered(d); }, [&](Driver& d) { ordered(d); },
                   [&](Driver& d) { flag(d, false), d.write(1, x, 12); }),
            Pairs{});
}

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

/// A large block that is the team's, until somebody else gets it.
struct Block final : access::MemoryMap {
  static constexpr Address begin = 0x10000, end = 0x12000;
  bool is_static(Address) const override { return false; }
  bool is_named(Address) const override { return false; }
  bool is_cxx_library(Address) const override { return false; }
  access::MemoryExtent around(Address, ThreadId) const override {
    ++asked;
    return {begin, end, shared, true};
  }
  mutable int asked = 0;
  bool shared = true;
};

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

TEST(WorkUnits, ARaceThatWasReportedIsNotJudgedAgain) {
  Block memory;
  CheckerConfig config = small_config();
  config.memory = &memory;
  Driver d(config);
  const auto chunk = [&](Address pc) {
    d.chunk(1);
    for (Address a = Block::begin; a < Block::begin + 0x800; a += 8) d.write(1, a, pc);
  };
  const TeamId team = d.fork(1, 2);
  d.work(1, WorkKind::loop_dynamic, true);
  for (int i = 0; i < 10; ++i) chunk(11);
  EXPECT_EQ(d.races(), (Pairs{{11, 11}}));
  EXPECT_EQ(memory.asked, 1) << "the block is known";
  memory.shared = false;
  d.checker.on(MemoryEnd{ThreadId{2}, Block::begin, Block::end - Block::begin, MemoryKind::mapping, 20});
  for (int i = 0; i < 3; ++i) chunk(12);
  d.work(1, WorkKind::loop_dynamic, false);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 11}})) << "whose memory it was means nothing for its next owner";
}

// Each chunk would have to look at all of it anew.
TEST(WorkUnits, ALoopWhoseChunksConflictAllTheTimeIsDividedNoFurther) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  const auto strand = [&] { return d.checker.thread(ThreadId{1}).strand(); };
  const auto chunk = [&] {
    d.chunk(1);
    for (Address a = 0; a < 4096; ++a) d.write(1, 0x10000 + 8 * a, 11);
    return strand();
  };
  for (int loop = 0; loop < 2; ++loop) {
    d.work(1, WorkKind::loop_dynamic, true);
    EXPECT_NE(chunk(), chunk()) << "loop " << loop;
    for (int i = 0; i < 16; ++i) chunk();
    EXPECT_EQ(chunk(), chunk()) << "loop " << loop;
    d.work(1, WorkKind::loop_dynamic, false);
  }
  d.write(2, 0x10000, 12);
  d.join(team);
  EXPECT_EQ(d.races(), (Driver::Pairs{{11, 11}, {11, 12}}));
}

} // namespace
} // namespace fletcher::test
