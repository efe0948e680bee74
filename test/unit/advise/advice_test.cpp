// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What advice says of small runs, which are given event by event: what is needed stays unmentioned, what is not is
// named, and what cannot be known is left alone.
#include "checker/advise/advice.hpp"

#include "checker/access/thread_state.hpp"
#include "checker/advise/recorder.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <memory>
#include <vector>

namespace fletcher::advise {
namespace {

using access::Kind;
using Kinds = std::vector<std::pair<Advice::Kind, Address>>;

constexpr Address x = 0x10000, y = 0x20000, token = 0x30000;

/// A team of two on threads 1 and 2, in a region that the initial task of thread 1 encounters.
class AdviceTest : public testing::Test {
protected:
  AdviceTest() {
    for (unsigned t = 1; t <= 2; ++t) {
      states_[t] = std::make_unique<access::ThreadState>();
      states_[t]->id = ThreadId{t};
    }
    recorder.on(InitialTaskBegin{ThreadId{1}, initial});
    recorder.on(ParallelBegin{ThreadId{1}, initial, team, 2});
    for (unsigned t = 1; t <= 2; ++t) {
      recorder.on(ImplicitTaskBegin{ThreadId{t}, team, member(t), t - 1, 2});
      current_[t] = member(t);
    }
  }

  static TaskId member(unsigned thread) { return TaskId{1 + thread}; }

  void access(unsigned thread, Address address, Kind kind, Address pc = 0x99, std::size_t size = 4) {
    recorder.accesses(*states_[thread], address, size, kind, pc, false);
  }
  void barrier(Address pc, SyncKind kind = SyncKind::barrier_explicit) {
    for (unsigned t = 1; t <= 2; ++t) recorder.on(SyncBegin{ThreadId{t}, member(t), team, kind, pc});
    for (unsigned t = 1; t <= 2; ++t) recorder.on(SyncEnd{ThreadId{t}, member(t), team, kind, pc});
  }
  void taskwait(unsigned thread, Address pc) {
    recorder.on(SyncBegin{ThreadId{thread}, current_[thread], team, SyncKind::taskwait, pc});
    recorder.on(SyncEnd{ThreadId{thread}, current_[thread], team, SyncKind::taskwait, pc});
  }
  /// A task with one access, which runs at once.
  void task(unsigned thread, Address pc, Address address, Kind kind, std::initializer_list<Dependence> list = {}) {
    const TaskId made{++last_};
    recorder.on(TaskCreate{ThreadId{thread}, current_[thread], made, TaskKind::explicit_, {}, pc});
    if (list.size() != 0) {
      const std::vector<Storage> storage(list.size(), Storage{4});
      recorder.on(TaskDependences{ThreadId{thread}, made, {list.begin(), list.size()}, storage});
    }
    recorder.on(TaskSwitch{ThreadId{thread}, current_[thread], made});
    access(thread, address, kind);
    recorder.on(TaskEnd{.thread = ThreadId{thread}, .task = made, .next = current_[thread]});
  }
  void locked(unsigned thread, Address lock, Address pc, Address address, Kind kind) {
    const Mutex mutex{MutexKind::critical, lock};
    recorder.on(MutexEvent{ThreadId{thread}, current_[thread], mutex, MutexStep::acquired, 0, pc});
    access(thread, address, kind);
    recorder.on(MutexEvent{ThreadId{thread}, current_[thread], mutex, MutexStep::released, 0, pc});
  }
  Kinds advice() {
    barrier(0x77, SyncKind::barrier_parallel);
    Kinds out;
    for (const Advice& one : advise(recorder.take()).list) out.emplace_back(one.kind, one.pc);
    return out;
  }

  const TaskId initial{1};
  const TeamId team{1};
  Recorder recorder{[](Address) noexcept { return true; }};

private:
  std::map<unsigned, std::unique_ptr<access::ThreadState>> states_;
  std::map<unsigned, TaskId> current_;
  std::uint32_t last_ = 10;
};

TEST_F(AdviceTest, ABarrierBetweenAccessesThatConflictIsNeeded) {
  access(1, x, Kind::write);
  barrier(0x50);
  access(2, x, Kind::read);
  EXPECT_EQ(advice(), Kinds());
}

TEST_F(AdviceTest, ABarrierBetweenOtherAccessesIsNot) {
  access(1, x, Kind::write);
  access(2, y, Kind::write);
  barrier(0x50);
  access(1, x, Kind::read);
  access(2, y, Kind::read);
  EXPECT_EQ(advice(), (Kinds{{Advice::Kind::idle_barrier, 0x50}}));
}

TEST_F(AdviceTest, OfTwoBarriersOneIsEnough) {
  access(1, x, Kind::write);
  barrier(0x50);
  barrier(0x60);
  access(2, x, Kind::read);
  EXPECT_EQ(advice().size(), 1U);
}

TEST_F(AdviceTest, ABarrierThatIsNeededOnceIsNeeded) {
  for (int turn = 0; turn < 3; ++turn) {
    access(1, x, turn == 1 ? Kind::write : Kind::read);
    barrier(0x50);
    access(2, x, Kind::read);
    barrier(0x60);
  }
  EXPECT_EQ(advice(), Kinds());
}

TEST_F(AdviceTest, AReductionNeedsItsBarrier) {
  recorder.on(Reduction{ThreadId{1}, member(1), team, true, 0});
  barrier(0x50);
  EXPECT_EQ(advice(), Kinds());
}

TEST_F(AdviceTest, OutputStaysInOrder) {
  recorder.prints(ThreadId{1}, 0x99);
  barrier(0x50);
  recorder.prints(ThreadId{2}, 0x99);
  EXPECT_EQ(advice(), Kinds());
}

TEST_F(AdviceTest, NothingIsSaidOfARegionWithUnseenCode) {
  recorder.meets_unseen_code(ThreadId{2});
  barrier(0x50);
  EXPECT_EQ(advice(), Kinds());
}

TEST_F(AdviceTest, NorOfARunThatIsNotKnown) {
  barrier(0x50);
  recorder.on(Cancel{ThreadId{1}, member(1), CancelKind::loop});
  EXPECT_FALSE(advise(recorder.take()).unknown.empty());
}

TEST_F(AdviceTest, ATaskwaitBetweenATaskAndItsReaderIsNeeded) {
  task(1, 0x40, x, Kind::write);
  taskwait(1, 0x50);
  access(1, x, Kind::read);
  EXPECT_EQ(advice(), Kinds());
}

TEST_F(AdviceTest, ATaskwaitForWhatNobodyUsesIsNot) {
  task(1, 0x40, x, Kind::write);
  taskwait(1, 0x50);
  access(1, y, Kind::write);
  EXPECT_EQ(advice(), (Kinds{{Advice::Kind::idle_wait, 0x50}}));
}

TEST_F(AdviceTest, ATaskwaitIsNeededForMemoryThatIsFreed) {
  task(1, 0x40, x, Kind::write);
  taskwait(1, 0x50);
  recorder.on(MemoryEnd{ThreadId{1}, x, 64});
  EXPECT_EQ(advice(), Kinds());
}

TEST_F(AdviceTest, ANewBlockAtTheSamePlaceIsOtherMemory) {
  task(1, 0x40, x, Kind::write);
  taskwait(1, 0x50);
  recorder.on(MemoryBegin{ThreadId{1}, x, 64});
  access(1, x, Kind::write);
  EXPECT_EQ(advice(), (Kinds{{Advice::Kind::idle_wait, 0x50}}));
}

TEST_F(AdviceTest, AnItemThatNoTaskUsesIsNamed) {
  task(1, 0x40, x, Kind::write, {{x, DependenceType::out}});
  task(1, 0x48, x, Kind::read, {{x, DependenceType::in}, {token, DependenceType::inout}});
  EXPECT_EQ(advice(), (Kinds{{Advice::Kind::unused_item, 0x48}}));
}

TEST_F(AdviceTest, AnItemThatStandsForSomethingElseIsNeeded) {
  task(1, 0x40, x, Kind::write, {{token, DependenceType::out}});
  task(1, 0x48, x, Kind::read, {{token, DependenceType::in}});
  EXPECT_EQ(advice(), Kinds());
}

TEST_F(AdviceTest, AnItemThatOrdersReadersOnlyIsNamed) {
  task(1, 0x40, x, Kind::read, {{x, DependenceType::inout}});
  task(1, 0x40, x, Kind::read, {{x, DependenceType::inout}});
  EXPECT_EQ(advice(), (Kinds{{Advice::Kind::idle_item, 0x40}}));
}

TEST_F(AdviceTest, ALockIsInitialisedBeforeItIsUsed) {
  recorder.on(MutexEvent{ThreadId{1}, member(1), {MutexKind::lock, 0x5000}, MutexStep::init, 0, 0x40});
  barrier(0x50);
  recorder.on(MutexEvent{ThreadId{2}, member(2), {MutexKind::lock, 0x5000}, MutexStep::acquired, 0, 0x60});
  recorder.on(MutexEvent{ThreadId{2}, member(2), {MutexKind::lock, 0x5000}, MutexStep::released, 0, 0x60});
  EXPECT_EQ(advice(), Kinds());
}

TEST_F(AdviceTest, ALockAroundDataOfEachThreadsOwnIsNotNeeded) {
  for (unsigned t = 1; t <= 2; ++t) locked(t, 0x5000, 0x50, t == 1 ? x : y, Kind::write);
  EXPECT_EQ(advice(), (Kinds{{Advice::Kind::lone_lock, 0x50}}));
}

TEST_F(AdviceTest, ALockAroundSharedDataIs) {
  for (unsigned t = 1; t <= 2; ++t) locked(t, 0x5000, 0x50, x, Kind::write);
  EXPECT_EQ(advice(), Kinds());
}

TEST_F(AdviceTest, OfOneLockEachPlaceCounts) {
  for (unsigned t = 1; t <= 2; ++t) locked(t, 0x5000, 0x50, x, Kind::write);
  for (unsigned t = 1; t <= 2; ++t) locked(t, 0x5000, 0x60, t == 1 ? token : y, Kind::write);
  EXPECT_EQ(advice(), (Kinds{{Advice::Kind::lone_lock, 0x60}}));
}

TEST_F(AdviceTest, WhatAnotherThreadCouldHaveExecutedSaysNothingOfAtomicOperations) {
  recorder.on(Work{ThreadId{1}, member(1), team, WorkKind::loop_dynamic, true, 4, 0x30});
  recorder.on(Dispatch{ThreadId{1}, member(1), team, DispatchKind::loop_chunk, 0, 4});
  access(1, x, Kind::atomic_write, 0x50);
  recorder.on(Work{ThreadId{1}, member(1), team, WorkKind::loop_dynamic, false, 4, 0x30});
  EXPECT_EQ(advice(), Kinds());
}

TEST_F(AdviceTest, AnAtomicOperationOnDataOfOneThreadIsNotNeeded) {
  access(1, x, Kind::atomic_write, 0x50);
  access(2, y, Kind::atomic_write, 0x50);
  access(1, token, Kind::atomic_write, 0x60);
  access(2, token, Kind::atomic_write, 0x60);
  EXPECT_EQ(advice(), (Kinds{{Advice::Kind::lone_atomic, 0x50}}));
}

} // namespace
} // namespace fletcher::advise
