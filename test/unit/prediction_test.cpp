// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races that only this run's order of locks hides: which are told, and which orders are kept.
#include "test/unit/driver.hpp"
#include "test/unit/reordering.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace fletcher::test {
namespace {

constexpr Address x = 0x1000, y = 0x2000, z = 0x2100, lock_a = 0x3000, lock_b = 0x3008;
using Pairs = Driver::Pairs;

Pairs predicted(const Driver& d) {
  Pairs result;
  for (const Finding& f : d.recorder.findings)
    if (f.rule == Rule::data_race && f.predicted)
      result.insert(std::minmax(f.accesses[0].stack.front(), f.accesses[1].stack.front()));
  return result;
}

/// The trace as a team of its threads makes it. The place of the event i is 100 + i.
void play(Driver& d, const Trace& trace, unsigned threads) {
  const TeamId team = d.fork(1, threads);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const TraceEvent& e = trace[i];
    const unsigned thread = e.thread + 1;
    const Address lock = lock_a + 8 * e.object, variable = x + 16 * e.object, pc = 100 + i;
    if (e.op == TraceEvent::Op::acquire) d.lock(thread, lock);
    if (e.op == TraceEvent::Op::release) d.unlock(thread, lock);
    if (e.op == TraceEvent::Op::read) d.read(thread, variable, pc);
    if (e.op == TraceEvent::Op::write) d.write(thread, variable, pc);
  }
  d.join(team);
}

std::string text(const Trace& trace) {
  std::string out;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const TraceEvent& e = trace[i];
    static const char* const words[] = {"acquire", "release", "read", "write"};
    out += std::to_string(100 + i) + ": " + std::string(e.thread * 12, ' ') + words[static_cast<int>(e.op)] + " " +
           std::to_string(e.object) + "\n";
  }
  return out;
}

/// The variables with a pair of accesses that some reordering brings together.
std::set<unsigned> racy_variables(const Trace& trace, const Reorderings& reorderings) {
  const auto accesses = [&](std::size_t i) { return trace[i].op >= TraceEvent::Op::read; };
  const auto writes = [&](std::size_t i) { return trace[i].op == TraceEvent::Op::write; };
  std::set<unsigned> result;
  for (std::size_t i = 0; i < trace.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (accesses(i) && accesses(j) && (writes(i) || writes(j)) && trace[i].object == trace[j].object &&
          reorderings.adjacent(i, j))
        result.insert(trace[i].object);
  return result;
}

// Whatever is predicted, some correct reordering brings together; and little of what one brings together is missed.
TEST(Prediction, AgreesWithAllReorderings) {
  const std::uint32_t traces = std::getenv("FLETCHER_TEST_LONG") != nullptr ? 30000 : 1500;
  std::size_t told = 0, racy = 0, found = 0;
  for (std::uint32_t seed = 0; seed < traces; ++seed) {
    const unsigned threads = 2 + seed % 2;
    const Trace trace = random_trace(seed, threads, 2, 3);
    const Reorderings reorderings(trace);
    Driver d;
    play(d, trace, threads);
    const Pairs predictions = predicted(d);
    for (const auto& [a, b] : predictions)
      ASSERT_TRUE(reorderings.adjacent(a - 100, b - 100)) << "seed " << seed << ": " << a << ", " << b << '\n'
                                                          << text(trace);
    told += predictions.size();
    std::set<unsigned> reported;
    for (const auto& [a, b] : d.races()) reported.insert(trace[a - 100].object);
    for (const unsigned variable : racy_variables(trace, reorderings)) {
      ++racy;
      found += reported.contains(variable);
    }
  }
  EXPECT_GT(told, traces / 8);
  EXPECT_GT(found * 100, racy * 92);
}

/// A critical section around one access.
void section(Driver& d, unsigned thread, Address lock, Address a, access::Kind kind, Address pc) {
  d.lock(thread, lock);
  d.access(thread, a, kind, pc);
  d.unlock(thread, lock);
}
using enum access::Kind;

TEST(Prediction, AnOrderThatNothingDependsOnIsAnAccident) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  section(d, 1, lock_a, y, write, 21);
  section(d, 2, lock_a, z, write, 22);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(predicted(d), (Pairs{{11, 12}}));
  EXPECT_EQ(d.races(), predicted(d));
}

TEST(Prediction, AValueReadInTheSectionKeepsTheOrder) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  section(d, 1, lock_a, y, write, 21);
  section(d, 2, lock_a, y, read, 22);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Prediction, AValueReadAfterTheSectionKeepsTheOrder) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  d.access(1, y, atomic_write, 20);
  section(d, 1, lock_a, z, write, 21);
  d.access(1, y, atomic_write, 22);
  d.access(2, y, atomic_read, 23); // repeated by the same strand
  d.access(2, y, atomic_read, 23);
  section(d, 2, lock_a, z + 8, write, 24);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Prediction, AnAtomicReadThatIsRepeatedSeesTheLastWrite) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  section(d, 1, lock_a, z, write, 21);
  d.access(2, y, atomic_read, 23);
  d.access(1, y, atomic_write, 22);
  d.access(2, y, atomic_read, 23);
  section(d, 2, lock_a, z + 8, write, 24);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

// The first section goes on only if the second one has not been yet.
TEST(Prediction, AnAccessInsideItsSectionComesBeforeTheNextSection) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.lock(1, lock_a);
  d.read(1, y, 21);
  d.write(1, x, 11);
  d.unlock(1, lock_a);
  section(d, 2, lock_a, y, write, 22);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Prediction, ValuesTravelThroughAThirdThread) {
  Driver d;
  const TeamId team = d.fork(1, 3);
  d.write(1, x, 11);
  section(d, 1, lock_a, y, write, 21);
  d.lock(3, lock_a);
  d.read(3, y, 31);
  d.write(3, z, 32);
  d.unlock(3, lock_a);
  section(d, 2, lock_a, z, read, 22);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Prediction, AnAncestorsSectionShieldsItsChildren) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.lock(1, lock_a);
  d.write(1, z, 21);
  d.run(1, d.create(1, {}, {.undeferred = true}), x, write, 11);
  d.unlock(1, lock_a);
  d.lock(2, lock_a);
  d.write(2, z + 8, 22);
  d.run(2, d.create(2, {}, {.undeferred = true}), x, write, 12);
  d.unlock(2, lock_a);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Prediction, ALockTestedInVainIsASignal) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  d.lock(1, lock_a);
  d.write(1, y, 21);
  d.mutex(2, {MutexKind::lock, lock_a}, MutexStep::testing, 0x6000);
  d.unlock(1, lock_a);
  section(d, 2, lock_a, z, write, 22);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), Pairs{});
}

TEST(Prediction, ALockTestedWithSuccessIsNone) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.write(1, x, 11);
  section(d, 1, lock_a, y, write, 21);
  d.test_lock(2, lock_a);
  d.write(2, z, 22);
  d.unlock(2, lock_a);
  d.write(2, x, 12);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST(Prediction, ALockHeldSinceBeforeABarrier) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  d.lock(1, lock_a);
  d.barrier(team);
  d.write(1, x, 11);
  d.unlock(1, lock_a);
  section(d, 2, lock_a, z, write, 22);
  d.write(2, x, 12); // after the release in every run
  d.barrier(team);
  d.write(1, y, 13);
  section(d, 1, lock_b, z, write, 23);
  section(d, 2, lock_b, z + 8, write, 24);
  d.write(2, y, 14);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{13, 14}}));
}

TEST(Prediction, MembersOfAMutexinoutsetRunInAnyOrder) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  const Dependence exclusive{z, DependenceType::mutexinoutset};
  const TaskId a = d.create(1, {exclusive}), b = d.create(1, {exclusive});
  d.start(1, a);
  const TaskId child = d.create(1);
  d.write(1, y, 21);
  d.end(1);
  d.start(2, b);
  d.write(2, x, 12);
  d.end(2);
  d.run(1, child, x, write, 11);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
}

TEST(Prediction, OfOnePairIsToldOnce) {
  Driver d;
  const TeamId team = d.fork(1, 2);
  for (Address i = 0; i < 20; ++i) d.write(1, x + 8 * i, 11);
  section(d, 1, lock_a, y, write, 21);
  section(d, 2, lock_a, z, write, 22);
  for (Address i = 0; i < 20; ++i) d.write(2, x + 8 * i, 12);
  d.join(team);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
  EXPECT_EQ(d.recorder.repeated, 0);
}

TEST(Prediction, LocksOfOneContentionGroupOrderNothingInAnother) {
  Driver d;
  const TeamId league = d.fork(1, 2, 2, true);
  d.write(1, x, 11);
  section(d, 1, lock_a, y, write, 21);
  section(d, 2, lock_a, z, write, 22);
  d.write(2, x, 12);
  d.join(league);
  EXPECT_EQ(d.races(), (Pairs{{11, 12}}));
  EXPECT_TRUE(predicted(d).empty());
}

} // namespace
} // namespace fletcher::test
