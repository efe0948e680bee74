// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What members do in section after section of a lock, once prediction follows sections no more: an access takes the
// place of the member's own of the section before (access/recording/in_section.cpp), which it finds where the places in
// the code are known.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, lock = 0x3000, other = 0x4000, object = 0x5000;
using Pairs = Driver::Pairs;
using access::Kind;

/// Three members. Somebody let go of another one's lock, after which nothing is predicted.
struct Members {
  explicit Members(bool places_are_known) {
    d.fork(1, 3);
    d.lock(1, 0x9000);
    d.unlock(2, 0x9000);
    if (!places_are_known) return;
    for (const unsigned thread : {1u, 2u, 3u}) d.checker.thread(ThreadId{thread}).stack.push(1, 0);
    for (const unsigned thread : {1u, 2u, 3u})
      for (const Kind kind : {Kind::read, Kind::write})
        for (const Address held : {Address{0}, lock, other}) access(thread, kind, held, 0x8000 + 0x100 * thread);
  }
  /// At a line of its own for each thread and kind, with the lock or without one.
  void access(unsigned thread, Kind kind, Address held, Address address = x) {
    if (held != 0) d.lock(thread, held);
    const bool is_first = sections++ % 2 == 0; // of what is accessed in the section
    if (!is_first) d.access(thread, 0x7000 + 0x100 * thread, kind, 99);
    d.access(thread, address, kind, line(thread, kind, held));
    if (held != 0) d.unlock(thread, held);
  }
  static Address line(unsigned thread, Kind kind, Address held = 0) {
    return 100 * thread + (kind == Kind::write ? 50 : 0) + held / 0x1000;
  }
  /// What `from` has done comes before what `to` does next.
  void order(unsigned from, unsigned to) {
    d.checker.on(Release{ThreadId{from}, object + from, true});
    d.checker.on(Acquire{ThreadId{to}, object + from});
  }
  Driver d;
  unsigned sections = 0;
};

struct LateSections : testing::TestWithParam<Kind> {
  LateSections() : of(true) {}
  Members of;
};

TEST_P(LateSections, AreMetByWhoHasNoLock) {
  for (int i = 0; i < 6; ++i) of.access(1 + i % 2, GetParam(), lock);
  EXPECT_EQ(of.d.races(), Pairs{});
  of.access(3, Kind::write, 0);
  EXPECT_EQ(of.d.races(), (Pairs{{Members::line(1, GetParam(), lock), Members::line(3, Kind::write)},
                                 {Members::line(2, GetParam(), lock), Members::line(3, Kind::write)}}));
}

/// The last of them is met, not only the first, which comes before.
TEST_P(LateSections, AreMetByWhoKnowsOfTheFirstOnes) {
  for (int sections = 0; sections < 3; ++sections) {
    Members late(true);
    for (int i = 0; i < 3; ++i) late.access(1, GetParam(), lock);
    late.order(1, 3);
    for (int i = 0; i < sections; ++i) late.access(1, GetParam(), lock);
    late.access(3, Kind::write, 0);
    EXPECT_EQ(late.d.races().size(), sections == 0 ? 0U : 1U) << sections;
  }
}

TEST_P(LateSections, MeetWhoWroteInBetween) {
  for (const Address held : {Address{0}, other}) {
    Members late(true);
    for (int i = 0; i < 3; ++i) late.access(1, GetParam(), lock);
    late.order(1, 3);
    late.access(3, Kind::write, held);
    EXPECT_EQ(late.d.races(), Pairs{});
    late.access(1, GetParam(), lock);
    EXPECT_EQ(late.d.races(), (Pairs{{Members::line(1, GetParam(), lock), Members::line(3, Kind::write, held)}}));
  }
}

/// The reads of two members by turns, among which one wrote before.
TEST(LateSectionsByTurns, AreAllMet) {
  Members late(true);
  for (int i = 0; i < 3; ++i)
    for (const unsigned thread : {1u, 2u})
      late.access(thread, Kind::write, lock), late.access(thread, Kind::read, lock);
  for (int i = 0; i < 6; ++i) late.access(1 + i % 2, Kind::read, lock);
  late.access(3, Kind::write, 0);
  Pairs expected;
  for (const unsigned thread : {1u, 2u})
    for (const Kind kind : {Kind::read, Kind::write})
      expected.insert({Members::line(thread, kind, lock), Members::line(3, Kind::write)});
  EXPECT_EQ(late.d.races(), expected);
}

/// Whether the granule is raced for does not depend on whether the short way is taken, as long as there are cells for
/// all that threads do there: two kinds of accesses of two threads, or one of each of three.
TEST(LateSectionsAtRandom, AreJudgedAsWhereNothingIsKnown) {
  const unsigned seed = std::random_device{}();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
  const auto any_kind = [&] { return below(2) != 0 ? Kind::write : Kind::read; };
  for (int program = 0; program < 4000; ++program) {
    Members quick(true), slow(false);
    const auto both = [&](auto act) { act(quick), act(slow); };
    const unsigned threads = 2 + below(2);
    const std::array<Kind, 3> kinds{any_kind(), any_kind(), any_kind()};
    const std::array<Address, 3> last_holds{lock, other, 0};
    const Address held_by_last = last_holds[below(3)];
    for (unsigned step = 0; step < 16 && slow.d.races().empty(); ++step) {
      const unsigned thread = 1 + below(threads);
      if (below(6) == 0) {
        const unsigned to = 1 + (thread - 1 + 1 + below(threads - 1)) % threads;
        both([&](Members& one) { one.order(thread, to); });
        continue;
      }
      const Kind kind = threads == 2 ? any_kind() : kinds[thread - 1];
      both([&](Members& one) { one.access(thread, kind, thread == threads ? held_by_last : lock); });
      ASSERT_EQ(quick.d.races().empty(), slow.d.races().empty()) << "program " << program << ", step " << step;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, LateSections, testing::Values(Kind::read, Kind::write),
                         [](const auto& kind) { return std::string(kind.param == Kind::read ? "reads" : "writes"); });

} // namespace
} // namespace fletcher::test
