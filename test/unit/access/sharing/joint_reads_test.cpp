// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads by several members of a team at one place take one cell, and a write meets each of them.
#include "checker/constructs/locks/atomic_order.hpp"
#include "test/unit/driver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, flag = 0x2000;
using Pairs = Driver::Pairs;
using access::Kind;
using enum constructs::MemoryOrder;

struct JointReads {
  explicit JointReads(unsigned size) : team(d.fork(1, size)) {
    for (unsigned t = 1; t <= size; ++t) thread(t).stack.push(1, 0);
  }
  access::ThreadState& thread(unsigned t) { return d.checker.thread(ThreadId{t}); }
  void read(unsigned t, Address address = x, std::size_t size = 8, Address pc = 11) {
    d.access(t, address, Kind::read, pc, size);
  }
  /// What `from` did before comes before what `to` does now.
  void hand_over(unsigned from, unsigned to) {
    thread(from).atomics->store(thread(from), flag + 8 * from, release, [] {});
    thread(to).atomics->after_load(thread(to), flag + 8 * from, acquire);
  }
  access::Cell first(Address of = x) { return access::Cell(*access::first_cell(thread(1), of)); }
  Driver d;
  TeamId team;
};

TEST(JointReads, AnyNumberOfReadersTakesOneCell) {
  for (const unsigned size : {2, 3, 4, 5, 8, 9, 20, 64}) {
    JointReads j(size);
    for (int times = 0; times < 2; ++times)
      for (unsigned t = 1; t <= size; ++t) j.read(t);
    EXPECT_EQ(j.first().further(), 0U) << size << " readers";
  }
}

/// A reader that goes from one to the other finds each by one compare.
TEST(JointReads, TheSameReadersOfHalvesAndOfAllAreOneStrand) {
  JointReads j(3);
  for (unsigned t = 1; t <= 3; ++t) j.read(t), j.read(t, x + 64, 4), j.read(t, x + 132, 4);
  EXPECT_EQ(j.first(x + 64).strand(), j.first().strand());
  EXPECT_EQ(j.first(x + 128).strand(), j.first().strand());
  EXPECT_EQ(j.first(x + 64).mask(), 0x0f);
}

/// Tables that are read by different members of a team are not in each other's way.
TEST(JointReads, AReaderFindsEachOfSeveralSetsByOneCompare) {
  JointReads j(4);
  constexpr unsigned sets = 4;
  const auto member = [](unsigned set, unsigned t) { return t == 1 || (set + 1) % 4 != t - 1; };
  for (unsigned set = 0; set < sets; ++set)
    for (unsigned t = 4; t >= 1; --t)
      if (member(set, t)) j.read(t, x + 64 * set);
  const auto told = [&](unsigned set) {
    return j.thread(1).alike.told_jointly(j.first(x + 64 * set).raw(), access::Cell::need(Kind::read, 0xff));
  };
  for (unsigned set = 0; set < sets; ++set) EXPECT_TRUE(told(set)) << "set " << set;
}

/// Only new ones count against the most that a strand may make.
TEST(JointReads, SetsThatAreThereAlreadyAreMetWithoutEnd) {
  for (const unsigned size : {2u, 8u}) {
    JointReads j(size);
    for (Address a = x; a < x + 8000; a += 8)
      for (unsigned t = 1; t <= size; ++t) j.read(t, a + a / 8 % 2 * 4, a / 8 % 3 == 0 ? 4 : 8 - a / 8 % 2 * 4);
    EXPECT_EQ(j.first(x + 7992).further(), 0U) << size << " readers";
    EXPECT_GT(j.thread(2).joint_reads.new_left, 0U);
  }
}

/// Two threads in a dynamic loop. Each has done some chunks and is in one.
struct SeveralChunks : JointReads {
  SeveralChunks() : JointReads(2) {
    for (const unsigned t : {1U, 2U}) d.work(t, WorkKind::loop_dynamic, true, 0x5000, 8000);
    for (unsigned i = 0; i < 4; ++i) next_chunk(1), next_chunk(2);
  }
  void next_chunk(unsigned t) { d.chunk(t), read(t, x + 4096 + 8 * ++read_alone); }
  unsigned read_alone = 0;
};

/// Else readers of many chunks make a set for each pair of chunks.
TEST(JointReads, OfChunksThatAreAlikeTheFirstStandsForAll) {
  SeveralChunks j;
  for (unsigned i = 0; i < 20; ++i) {
    for (const unsigned t : {1U, 2U}) j.next_chunk(t), j.read(t, x + 64 * i);
    EXPECT_EQ(j.first(x + 64 * i).strand(), j.first().strand());
  }
}

TEST(JointReads, WhatAChunkReadItMayWriteOnceItKnowsTheOtherReaders) {
  for (const bool knows : {true, false}) {
    SeveralChunks j;
    j.read(1), j.read(2);
    if (knows) j.hand_over(2, 1);
    j.d.write(1, x, 21);
    EXPECT_EQ(j.d.races(), knows ? Pairs{} : (Pairs{{11, 21}}));
  }
}

/// The first chunk is named for what others read, too.
TEST(JointReads, WhatAnotherChunkReadIsARaceAllTheSame) {
  SeveralChunks j;
  j.read(1), j.read(2), j.next_chunk(1);
  j.d.write(1, x, 21);
  EXPECT_EQ(j.d.races(), (Pairs{{11, 21}}));
}

/// Each chunk reads a byte somewhere in a table. There is room for four cells, and for all bytes.
TEST(JointReads, BytesThatManyChunksReadAtRandomTakeOneCell) {
  constexpr unsigned granules = 40;
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  SeveralChunks j;
  std::array<unsigned, granules> read{};
  for (int times = 0; times < 4000; ++times) {
    const auto granule = static_cast<unsigned>(random() % granules), byte = static_cast<unsigned>(random() % 8);
    j.next_chunk(1), j.read(1, x + 8 * granule + byte, 1);
    read[granule] |= 1U << byte;
  }
  for (unsigned granule = 0; granule < granules; ++granule) {
    const access::Cell first = j.first(x + 8 * granule);
    EXPECT_TRUE(first.further() == 0 && first.mask() == read[granule]) << "granule " << granule;
    EXPECT_TRUE(j.thread(1).alike.told_jointly(first.raw(), access::Cell::need(Kind::read, first.mask())));
    for (unsigned byte = 0; byte < 8; ++byte) {
      if ((read[granule] >> byte & 1) == 0) continue;
      const Address place = 1000 + 8 * granule + byte;
      j.d.access(2, x + 8 * granule + byte, Kind::write, place, 1);
      EXPECT_EQ(j.d.races().count({11, place}), 1U) << "granule " << granule << ", byte " << byte;
    }
  }
}

/// A loop whose chunks race does so from its first chunks on: those are distinguished.
TEST(JointReads, AChunkThatWritesWhatAnEarlierOneReadRacesAmongManyBytes) {
  for (unsigned distance = 1; distance < 12; ++distance) {
    SeveralChunks j;
    for (unsigned i = 0; i < 64; ++i) {
      j.next_chunk(1), j.read(1, x + i + distance, 1);
      j.d.access(1, x + i, Kind::write, 21, 1);
    }
    EXPECT_EQ(j.d.races(), (Pairs{{11, 21}})) << "distance " << distance;
  }
}

TEST(JointReads, ManyReadersTakeFew) {
  JointReads j(150);
  for (unsigned t = 1; t <= 150; ++t) j.read(t);
  EXPECT_LE(j.first().further(), 2U);
}

TEST(JointReads, ReadsAtAnotherPlaceHaveTheirOwn) {
  JointReads j(2);
  j.read(1), j.read(2, x, 8, 12);
  EXPECT_EQ(j.first().further(), 1U);
  j.d.write(1, x, 21);
  EXPECT_EQ(j.d.races(), (Pairs{{12, 21}}));
}

/// With more readers than a granule has cells.
TEST(JointReads, AWriterMeetsTheOneThatItDoesNotKnowOf) {
  constexpr unsigned size = 7, writer = 7;
  for (unsigned missed = 1; missed < size; ++missed) {
    JointReads j(size);
    for (unsigned t = 1; t < size; ++t) j.read(t);
    for (unsigned t = 1; t < size; ++t)
      if (t != missed) j.hand_over(t, writer);
    j.d.write(writer, x, 21);
    EXPECT_EQ(j.d.races(), (Pairs{{11, 21}})) << "missed " << missed;
  }
}

TEST(JointReads, AReaderMeetsTheOthersOnly) {
  JointReads alone(2);
  alone.read(1), alone.read(2);
  alone.hand_over(2, 1);
  alone.d.write(1, x, 21);
  EXPECT_EQ(alone.d.races(), Pairs{});
  JointReads both(2);
  both.read(1), both.read(2);
  both.d.write(1, x, 21);
  EXPECT_EQ(both.d.races(), (Pairs{{11, 21}}));
}

TEST(JointReads, ABarrierOrdersAll) {
  JointReads j(3);
  for (unsigned t = 1; t <= 3; ++t) j.read(t);
  j.d.barrier(j.team);
  j.d.write(2, x, 21);
  EXPECT_EQ(j.d.races(), Pairs{});
}

/// Members read parts of a granule; some hand over to who writes a part of it. A race is what the writer does not know
/// of, byte by byte.
TEST(JointReads, BytesOfRandomReadersAreMet) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const auto part = [&] {
    const unsigned size = 1u << below(4);
    return std::pair(below(8 / size) * size, size);
  };
  const auto bytes = [](std::pair<unsigned, unsigned> of) { return ((1u << of.second) - 1) << of.first; };
  for (int program = 0; program < 2000; ++program) {
    const unsigned readers = 2 + below(4), writer = readers + 1;
    JointReads j(writer);
    std::array<unsigned, 8> read{};
    for (unsigned step = 1 + below(16); step > 0; --step) {
      const unsigned t = 1 + below(readers);
      const auto of = part();
      j.read(t, x + of.first, of.second);
      read[t] |= bytes(of);
    }
    const unsigned self = below(3) == 0 ? 1 + below(readers) : writer; // who writes
    for (unsigned t = 1; t <= readers; ++t)
      if (t != self && below(3) != 0) j.hand_over(t, self), read[t] = 0;
    read[self] = 0;
    const auto of = part();
    j.d.access(self, x + of.first, Kind::write, 21, of.second);
    bool races = false;
    for (unsigned t = 1; t <= readers; ++t) races = races || (read[t] & bytes(of)) != 0;
    EXPECT_EQ(!j.d.races().empty(), races) << "program " << program;
  }
}

/// Three members read at one place, write at others, and hand over, until there is a race. It is reported at once, and
/// nothing before it, whatever else was read and written there.
TEST(JointReads, WhatComesAfterReadsAndWritesIsMet) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  constexpr unsigned size = 3;
  struct Access {
    unsigned by, when;
    bool writes;
  };
  for (int program = 0; program < 2000; ++program) {
    JointReads j(size);
    std::array<std::array<unsigned, size + 1>, size + 1> known{};
    for (unsigned t = 1; t <= size; ++t) known[t][t] = 1;
    std::vector<Access> past;
    bool races = false;
    for (unsigned step = 40; step > 0 && !races; --step) {
      const unsigned t = 1 + below(size), other = 1 + (t + below(size - 1)) % size;
      const unsigned what = below(8);
      if (what < 3) {
        j.hand_over(t, other);
        for (unsigned of = 1; of <= size; ++of) known[other][of] = std::max(known[other][of], known[t][of]);
        ++known[t][t];
        continue;
      }
      const bool writes = what == 3;
      j.d.access(t, x, writes ? Kind::write : Kind::read, writes ? 20 + t : 11, 8);
      for (const Access& before : past)
        races = races || (before.by != t && (before.writes || writes) && before.when > known[t][before.by]);
      past.push_back({t, known[t][t], writes});
      ASSERT_EQ(!j.d.races().empty(), races) << "program " << program;
    }
  }
}

/// Strands, and joint ones with them, whose ids are given out again in a long region: nothing races until somebody
/// writes what another one has read that he knows nothing of.
TEST(JointReads, StayWhatTheyAreWhileIdsComeBack) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  constexpr unsigned size = 3, places = 8;
  using Known = std::array<unsigned, size + 1>;
  for (int program = 0; program < 40; ++program) {
    JointReads j(size);
    std::array<Known, size + 1> known{};
    for (unsigned t = 1; t <= size; ++t) known[t][t] = 1;
    struct Place {
      Known read{}, written{};
    };
    std::array<Place, places> past{};
    const auto knows = [&](unsigned t, const Known& all) {
      for (unsigned of = 1; of <= size; ++of)
        if (of != t && all[of] > known[t][of]) return false;
      return true;
    };
    for (unsigned step = 0; step < 2000; ++step) {
      const unsigned t = 1 + below(size), other = 1 + (t + below(size - 1)) % size, at = below(places);
      if (below(3) == 0) {
        j.hand_over(t, other);
        for (unsigned of = 1; of <= size; ++of) known[other][of] = std::max(known[other][of], known[t][of]);
        ++known[t][t];
      } else if (below(5) == 0) {
        if (!knows(t, past[at].read) || !knows(t, past[at].written)) continue;
        j.d.access(t, x + 8 * at, Kind::write, 20 + t, 8);
        past[at].written[t] = known[t][t];
      } else {
        if (!knows(t, past[at].written)) continue;
        j.read(t, x + 8 * at);
        past[at].read[t] = known[t][t];
      }
      if (step % 50 == 49) j.d.checker.sweep(true);
    }
    ASSERT_EQ(j.d.races(), Pairs{}) << "program " << program;
    for (unsigned at = 0; at < places; ++at) {
      const unsigned t = 1 + below(size);
      j.d.access(t, x + 8 * at, Kind::write, 31 + at, 8);
      const auto races = [&](const auto& pair) { return pair.first == 31 + at || pair.second == 31 + at; };
      ASSERT_EQ(std::ranges::any_of(j.d.races(), races), !knows(t, past[at].read) || !knows(t, past[at].written))
          << "program " << program << " place " << at;
    }
  }
}

} // namespace
} // namespace fletcher::test
