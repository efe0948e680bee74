// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a data race's finding says of its two accesses: the bytes that each is known to touch, and which one is the end
// of a heap block.

#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using access::Kind;

constexpr Address x = 0x40000;

/// The place, type, first byte and size of an access.
struct Side {
  Address pc;
  AccessType type;
  Address address;
  std::uint32_t size;
  friend bool operator==(const Side&, const Side&) = default;
};

/// The later access first.
std::vector<Side> only_race(const Driver& d) {
  EXPECT_EQ(d.recorder.findings.size(), 1U);
  std::vector<Side> sides;
  for (const AccessDescription& access : d.recorder.findings.at(0).accesses)
    sides.push_back({access.stack.front(), access.type, access.address, access.size});
  return sides;
}

void free(Driver& d, unsigned thread, Address base, std::size_t size, Address pc) {
  d.checker.on(MemoryEnd{ThreadId{thread}, base, size, MemoryKind::heap, pc});
}

TEST(RaceSides, EachHasItsOwnSize) {
  Driver d;
  d.fork(1, 2);
  d.access(1, x, Kind::read, 11, 4);
  d.access(2, x + 2, Kind::write, 12, 1);
  EXPECT_EQ(only_race(d), (std::vector<Side>{{12, AccessType::write, x + 2, 1}, {11, AccessType::read, x, 4}}));
}

TEST(RaceSides, TheLaterOneHasNothingOfWhatItsLineDidBefore) {
  Driver d;
  d.fork(1, 2);
  d.access(2, x + 4, Kind::write, 12, 4);
  d.access(1, x, Kind::write, 11, 4);
  d.access(1, x + 4, Kind::write, 11, 4);
  EXPECT_EQ(only_race(d), (std::vector<Side>{{11, AccessType::write, x + 4, 4}, {12, AccessType::write, x + 4, 4}}));
}

TEST(RaceSides, BytesThatBelongTogetherAreToldAsAWhole) {
  Driver d;
  d.fork(1, 2);
  d.access(1, x + 21, Kind::write, 11, 1);
  access::check_whole(d.checker.thread(ThreadId{2}), x + 3, 30, Kind::read, 12);
  EXPECT_EQ(only_race(d), (std::vector<Side>{{12, AccessType::read, x + 3, 30}, {11, AccessType::write, x + 21, 1}}));
}

TEST(RaceSides, AnotherAccessWithinThemIsNotThem) {
  Driver d;
  d.fork(1, 2);
  d.access(1, x + 8, Kind::write, 11, 8);
  access::check_whole(d.checker.thread(ThreadId{2}), x + 16, 30, Kind::read, 12);
  access::check_whole(d.checker.thread(ThreadId{1}), x + 80, 30, Kind::read, 13);
  d.access(1, x + 18, Kind::write, 14, 2);
  const std::vector<Side> sides = only_race(d);
  EXPECT_EQ(sides.at(0), (Side{14, AccessType::write, x + 18, 2}));
  EXPECT_EQ(sides.at(1), (Side{12, AccessType::read, x + 16, 8})); // as much as is kept of it
}

TEST(RaceSides, AFreeIsNoAccessOfSomeBytes) {
  for (const bool first : {true, false}) {
    Driver d;
    d.fork(1, 2);
    if (first) free(d, 1, x, 40, 11);
    d.access(2, x + 8, Kind::write, 12, 1);
    if (!first) free(d, 1, x, 40, 11);
    const std::vector<Side> sides = only_race(d);
    EXPECT_EQ(sides.at(first ? 1 : 0), (Side{11, AccessType::free, x + 8, 0})) << first;
    EXPECT_EQ(sides.at(first ? 0 : 1), (Side{12, AccessType::write, x + 8, 1})) << first;
  }
}

} // namespace
} // namespace fletcher::test
