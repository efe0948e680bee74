// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was recorded about memory ends with the memory's life: stacks, thread-local storage.

#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address stack_low = 0x10000, stack_high = 0x20000, tls_low = 0x20000, tls_high = 0x20100;

void give_stack(Driver& d, unsigned thread) {
  access::ThreadState& t = d.checker.thread(ThreadId{thread});
  t.stack_low = stack_low;
  t.stack_high = stack_high;
  t.tls_low = tls_low;
  t.tls_high = tls_high;
}

void start_on_stack(Driver& d, unsigned thread, TaskId task, Address stack_base) {
  d.checker.on(TaskSwitch{ThreadId{thread}, d.current[thread], task, stack_base});
  d.current[thread] = task;
}

TEST(Lifetimes, ATaskBeginsWithFreshStackBelowTheTaskThatItInterrupts) {
  Driver d;
  give_stack(d, 1);
  d.fork(1, 2);
  const TaskId task = d.create(1);
  d.write(1, 0x18000, 1); // in a function that its creator calls and that returns
  start_on_stack(d, 1, task, 0x19000);
  d.write(1, 0x18000, 2); // a variable of its own there
  EXPECT_EQ(d.races(), Driver::Pairs{});
}

TEST(Lifetimes, ATaskRacesForItsCreatorsLiveFrames) {
  Driver d;
  give_stack(d, 1);
  d.fork(1, 2);
  const TaskId task = d.create(1);
  d.write(1, 0x1a000, 1);
  start_on_stack(d, 1, task, 0x19000);
  d.write(1, 0x1a000, 2);
  EXPECT_EQ(d.races(), (Driver::Pairs{{1, 2}}));
}

/// An untied task runs in parts; between two of them its function has returned.
TEST(Lifetimes, PartsOfUntiedTasksLeaveNothingOnTheStack) {
  Driver d;
  give_stack(d, 1);
  d.fork(1, 2);
  const TaskId member = d.current[1];
  const TaskTraits untied{.untied = true};
  const TaskId first = d.create(1, {}, untied), second = d.create(1, {}, untied);
  for (const TaskId task : {first, second}) {
    start_on_stack(d, 1, task, 0x19000);
    d.write(1, 0x18000, number(task));
    start_on_stack(d, 1, member, 0);
  }
  d.write(1, 0x18000, 1); // a function that the member calls
  start_on_stack(d, 1, first, 0x19000);
  d.write(1, 0x18000, 2);
  start_on_stack(d, 1, member, 0);
  start_on_stack(d, 1, second, 0x1a000); // goes on higher up, as well
  d.write(1, 0x19800, 3);
  start_on_stack(d, 1, member, 0);
  d.write(1, 0x19800, 4);
  EXPECT_EQ(d.races(), Driver::Pairs{});
}

/// Another thread may take up what this one puts aside, before this one has told so.
TEST(Lifetimes, AnUntiedTaskMayBeTakenUpBeforeItIsPutAside) {
  Driver d;
  give_stack(d, 1);
  d.fork(1, 2);
  const TaskId member = d.current[1], other = d.current[2];
  const TaskId task = d.create(1, {}, {.untied = true});
  start_on_stack(d, 1, task, 0x19000);
  d.write(1, 0x18000, 1);
  d.write(1, 0x30000, 2);
  start_on_stack(d, 2, task, 0);
  start_on_stack(d, 1, member, 0);
  d.write(1, 0x18000, 3);
  d.write(1, 0x30000, 4); // races with the task, wherever that is
  d.checker.on(TaskEnd{.thread = ThreadId{2}, .task = task, .next = other});
  d.current[2] = other;
  EXPECT_EQ(d.races(), (Driver::Pairs{{2, 4}}));
}

/// What a thread does in its own thread-local storage is its own, also in a task that began on another thread.
TEST(Lifetimes, ThreadLocalStorageBelongsToTheThreadThatGoesOnWithAnUntiedTask) {
  Driver d;
  d.fork(1, 2);
  const TaskTraits untied{.untied = true};
  const TaskId other = d.current[2], first = d.create(1, {}, untied), second = d.create(1, {}, untied);
  give_stack(d, 2);
  for (const TaskId task : {first, second}) {
    start_on_stack(d, 1, task, 0x39000);
    d.write(1, 0x30000 + 8 * number(task), 1);
    start_on_stack(d, 2, task, 0x19000);
    d.write(2, tls_low, 2);
    d.checker.on(TaskEnd{.thread = ThreadId{2}, .task = task, .next = other});
    d.current[2] = other;
  }
  EXPECT_EQ(d.races(), Driver::Pairs{});
}

class NextThread : public testing::TestWithParam<Address> {};

TEST_P(NextThread, InheritsNothingOfTheStackAndTheThreadLocalStorage) {
  for (const bool ended : {false, true}) {
    Driver d;
    const TaskId first = d.begin_root(2, TaskKind::foreign);
    give_stack(d, 2);
    d.write(2, GetParam(), 1);
    d.checker.on(InitialTaskEnd{ThreadId{2}, first});
    if (ended) d.checker.on(ThreadEnd{ThreadId{2}});
    d.begin_root(3, TaskKind::foreign);
    give_stack(d, 3);
    d.write(3, GetParam(), 2);
    EXPECT_EQ(d.races(), ended ? Driver::Pairs{} : (Driver::Pairs{{1, 2}}));
  }
}

INSTANTIATE_TEST_SUITE_P(Places, NextThread, testing::Values(0x18000, 0x20080));

} // namespace
} // namespace fletcher::test
