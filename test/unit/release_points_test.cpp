// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a lock or an atomic variable tells is worked out only where somebody takes it who does not know it: whoever
// does know it, or comes later, or by another way, has to learn all of it the same.
#include "checker/constructs/atomic_order.hpp"
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

using constructs::MemoryOrder;
using Pairs = Driver::Pairs;

constexpr Address x = 0x1000, lock = 0x3000, other = 0x3008, third = 0x3010, many = 0x100000, counter = 0x2000;
constexpr unsigned threads = 12;

/// One thread more, which has had more locks than the log of prediction has room for: what locks tell is an order.
struct ReleasePoints : testing::Test {
  ReleasePoints() : team(d.fork(1, threads + 1)) {
    constexpr Address locks = 40'000;
    for (Address i = 0; i < locks; ++i) section(threads + 1, many + i * 8);
  }
  void section(unsigned thread, Address l) {
    d.lock(thread, l);
    d.unlock(thread, l);
  }
  access::ThreadState& thread(unsigned t) { return d.checker.thread(ThreadId{t}); }
  void update(unsigned t, MemoryOrder order, Address at = counter) {
    thread(t).atomics->update(thread(t), at, order, [] {});
  }
  void load(unsigned t, Address at = counter) { thread(t).atomics->after_load(thread(t), at, MemoryOrder::acquire); }
  void store(unsigned t, Address at = counter) {
    thread(t).atomics->store(thread(t), at, MemoryOrder::release, [] {});
  }
  Address of(unsigned t) { return x + t * 8; }
  Driver d;
  TeamId team;
};

TEST_F(ReleasePoints, AreOfAllSectionsSinceSomebodyElseHadTheLock) {
  d.write(2, of(2), 12);
  section(2, lock);
  d.write(1, of(1), 11);
  section(1, lock);
  section(1, lock);
  d.write(1, of(3), 13);
  section(1, lock);
  section(3, lock);
  for (const unsigned t : {1u, 2u, 3u}) d.read(3, of(t), 20 + t);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(ReleasePoints, ThatOtherLocksToldArePassedOnAllTheSame) {
  d.write(1, of(1), 11);
  section(1, lock);
  section(1, other);
  section(2, other); // it knows now what `lock` tells
  section(2, lock);
  d.write(2, of(2), 12);
  section(2, third);
  section(3, lock);
  d.read(3, of(1), 21);
  EXPECT_EQ(d.races(), Pairs{});
  d.read(3, of(2), 22);
  EXPECT_EQ(d.races(), (Pairs{{12, 22}}));
}

TEST_F(ReleasePoints, OfAnEarlierReleaseTellNothingOfALaterOne) {
  section(1, lock);
  section(1, other);
  section(2, other);
  d.write(1, of(1), 11);
  section(1, lock);
  section(2, other); // nothing new
  d.read(2, of(1), 21);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
  section(3, lock);
  d.read(3, of(1), 22);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}}));
}

TEST_F(ReleasePoints, OfAReleaseSequenceAreTakenTogether) {
  for (unsigned t = 1; t < threads; ++t) d.write(t, of(t), 10 + t), update(t, MemoryOrder::release);
  update(1, MemoryOrder::release);
  load(threads);
  for (unsigned t = 1; t < threads; ++t) d.read(threads, of(t), 30 + t);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(ReleasePoints, EndWithTheReleaseSequence) {
  d.write(1, of(1), 11), update(1, MemoryOrder::release);
  d.write(2, of(2), 12), update(2, MemoryOrder::release);
  d.write(3, of(3), 13), store(3);
  load(4);
  d.read(4, of(3), 23);
  EXPECT_EQ(d.races(), Pairs{});
  d.read(4, of(1), 21);
  d.read(4, of(2), 22);
  EXPECT_EQ(d.races(), (Pairs{{11, 21}, {12, 22}}));
}

TEST_F(ReleasePoints, AreTakenByWhoHasReadTheValueBefore) {
  store(1);
  load(2), load(2);
  d.write(1, of(1), 11);
  store(1);
  load(2), load(2);
  d.read(2, of(1), 21);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST_F(ReleasePoints, TellWhatWasLearnedSinceTheStrandBegan) {
  d.write(1, of(1), 11);
  store(1);
  d.write(2, of(2), 12);
  load(2);
  store(2, counter + 8);
  load(3, counter + 8);
  d.read(3, of(1), 21);
  d.read(3, of(2), 22);
  EXPECT_EQ(d.races(), Pairs{});
}

} // namespace
} // namespace fletcher::test
