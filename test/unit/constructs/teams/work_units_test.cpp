// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Units of work: chunks of dynamic loops, sections, single. What one thread did in them by chance races as if two
// threads had.
#include "test/unit/constructs/teams/two_chunks.hpp"

#include <gtest/gtest.h>

#include <array>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000, lock_a = 0x3000;
using Pairs = Driver::Pairs;

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
