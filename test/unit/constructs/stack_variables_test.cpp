// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frames that findings give for the variables on a stack that they speak of.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {
namespace {

constexpr Address variable = 0x18010;

bool operator==(const StackVariable& a, const StackVariable& b) {
  return a.address == b.address && a.frame.call == b.frame.call && a.frame.details == b.frame.details;
}

StackFrame unwound(const CallFrame& call, Address end) {
  FrameDetails details;
  details.end = end;
  return {call, std::make_shared<const FrameDetails>(details)};
}

/// Thread n has its stack at [n * 0x10000, n * 0x10000 + 0x10000). The initial task begins a team of two from 0x1e000,
/// whose first member is on thread 1.
class StackVariables : public testing::Test, public Driver {
protected:
  StackVariables() {
    for (const unsigned thread : {1u, 2u}) {
      checker.thread(ThreadId{thread}).stack_low = thread * 0x10000;
      checker.thread(ThreadId{thread}).stack_high = thread * 0x10000 + 0x10000;
    }
    const TeamId team{9};
    checker.on(ParallelBegin{ThreadId{1}, root, team, 2, false, region.pc, region.stack_pointer, region,
                             std::make_shared<const StackWalk>(StackWalk{{outer}})});
    for (const unsigned thread : {1u, 2u}) {
      checker.on(ImplicitTaskBegin{ThreadId{thread}, team, TaskId{90 + thread}, thread - 1, 2});
      current[thread] = TaskId{90 + thread};
    }
  }
  TaskId create_at(const CallFrame& call, std::vector<Address> captures, std::vector<Dependence> list = {},
                   std::vector<StackFrame> frames = {}) {
    const TaskId t{++last_};
    checker.on(TaskCreate{
        ThreadId{1}, current[1], t, TaskKind::explicit_, {}, call.pc, call.stack_pointer, 0, captures, call, frames});
    if (!list.empty()) checker.on(TaskDependences{ThreadId{1}, t, list, {}, 0, call, frames});
    return t;
  }
  void run_empty(TaskId task, Address stack_base = 0x17000) {
    checker.on(TaskSwitch{ThreadId{1}, current[1], task, stack_base});
    checker.on(TaskEnd{.thread = ThreadId{1}, .task = task, .next = current[1]});
  }
  /// Of the first finding.
  std::vector<StackVariable> told() const {
    return recorder.findings.empty() ? std::vector<StackVariable>() : recorder.findings.front().stack_variables;
  }

  static constexpr CallFrame region{0x9000, 0x1e000, 0x1e040};
  const StackFrame outer = unwound({0x9800, 0x1f000, 0}, 0x1f100); ///< of a function around it

private:
  std::uint32_t last_ = 100;
};

TEST_F(StackVariables, OfACapturedVariableThatOfItsTasksCreation) {
  const CallFrame call{0x8001, 0x18000, 0x18040};
  run_empty(create_at(call, {variable}));
  run_empty(create_at({0x8002, 0x18008, 0x18048}, {0x18020})); // a later call says nothing of it
  sync(1, SyncKind::taskwait, true, 0x19000);
  ASSERT_FALSE(told().empty());
  EXPECT_TRUE((told().front() == StackVariable{variable, {call, nullptr}}));
}

TEST_F(StackVariables, ARegisterThatIsNoFramePointerIsLeftOut) {
  run_empty(create_at({0x8001, variable, 0x7000'0000'0000}, {variable}));
  sync(1, SyncKind::taskwait, true, 0x19000);
  ASSERT_FALSE(told().empty());
  EXPECT_EQ(told().front().frame.call.stack_pointer, variable);
  EXPECT_LT(told().front().frame.call.frame_pointer, variable + 0x1000);
}

TEST_F(StackVariables, WhereTheCallIsNotKnownNothingIsTold) {
  const TaskId t{200};
  const Address captures[] = {variable};
  checker.on(TaskCreate{ThreadId{1}, current[1], t, TaskKind::explicit_, {}, 0x8001, 0x18000, 0, captures});
  run_empty(t);
  sync(1, SyncKind::taskwait, true, 0x19000);
  ASSERT_EQ(recorder.findings.size(), 1U);
  EXPECT_TRUE(told().empty());
}

TEST_F(StackVariables, OfAListItemThatOfTheDeclaration) {
  const CallFrame call{0x8001, 0x18000, 0x18040};
  run_empty(create_at(call, {}, {{variable, DependenceType::out}}));
  sync(1, SyncKind::taskwait, true, 0x19000);
  ASSERT_FALSE(told().empty());
  EXPECT_TRUE((told().front() == StackVariable{variable, {call, nullptr}}));
}

TEST_F(StackVariables, OfAListItemAboveTheRegionThatOfTheRegion) {
  constexpr Address above = 0x1e010;
  const CallFrame call{0x8001, 0x18000, 0x18040};
  const TaskId first = create_at(call, {}), second = create_at(call, {});
  for (const TaskId parent : {first, second}) {
    checker.on(TaskSwitch{ThreadId{1}, TaskId{91}, parent, 0x17000});
    current[1] = parent;
    run_empty(create_at({0x8005 + number(parent), 0x16000, 0x16040}, {}, {{above, DependenceType::inout}}), 0x15000);
    checker.on(TaskEnd{.thread = ThreadId{1}, .task = parent, .next = TaskId{91}});
    current[1] = TaskId{91};
  }
  ASSERT_FALSE(told().empty());
  EXPECT_EQ(recorder.findings.front().rule, Rule::non_sibling_dependence);
  EXPECT_TRUE((told().front() == StackVariable{above, {region, nullptr}}));
}

TEST_F(StackVariables, WhatWasUnwoundIsKept) {
  const CallFrame call{0x8001, 0x18000, 0x18040};
  const StackFrame caller = unwound({0x8801, 0x18008, 0}, 0x18080);
  for (const bool named : {false, true}) {
    recorder.findings.clear();
    const CallFrame now{call.pc + named, call.stack_pointer, call.frame_pointer};
    run_empty(named ? create_at(now, {}, {{variable, DependenceType::out}}, {caller})
                    : create_at(now, {variable}, {}, {caller}));
    sync(1, SyncKind::taskwait, true, 0x19000);
    ASSERT_EQ(recorder.findings.size(), 1U) << named;
    EXPECT_TRUE((told().front() == StackVariable{variable, caller})) << named;
  }
}

/// Children of two parents, all executed by thread 2, have conflicting clauses for `item`.
class OfAnotherThread : public StackVariables {
protected:
  void name(Address item) {
    for (const unsigned parent : {300u, 301u}) {
      checker.on(TaskCreate{.thread = ThreadId{1},
                            .creator = TaskId{91},
                            .task = TaskId{parent},
                            .traits = {},
                            .pc = region.pc + parent,
                            .stack_pointer = 0x1c000,
                            .call = {region.pc + parent, 0x1c000, 0},
                            .walk = members});
      checker.on(TaskSwitch{ThreadId{2}, TaskId{92}, TaskId{parent}, 0x27000});
      const Dependence list[] = {{item, DependenceType::inout}};
      const TaskId child{parent + 10};
      checker.on(
          TaskCreate{.thread = ThreadId{2}, .creator = TaskId{parent}, .task = child, .traits = {}, .pc = parent});
      checker.on(TaskDependences{.thread = ThreadId{2}, .task = child, .list = list});
      checker.on(TaskSwitch{ThreadId{2}, TaskId{parent}, child, 0x26000});
      checker.on(TaskEnd{.thread = ThreadId{2}, .task = child, .next = TaskId{parent}});
      checker.on(TaskEnd{.thread = ThreadId{2}, .task = TaskId{parent}, .next = TaskId{92}});
    }
  }
  std::shared_ptr<const StackWalk> members;
};

TEST_F(OfAnotherThread, ACallersFrameBelowTheRegion) {
  const StackFrame caller = unwound({0x8801, 0x1d000, 0}, 0x1d080);
  members = std::make_shared<const StackWalk>(StackWalk{{unwound({0x8001, 0x1c000, 0}, 0x1d000), caller}});
  name(0x1d010);
  ASSERT_FALSE(told().empty());
  EXPECT_TRUE((told().front() == StackVariable{0x1d010, caller}));
}

TEST_F(OfAnotherThread, ACallersFrameAboveTheRegion) {
  name(0x1f010);
  ASSERT_FALSE(told().empty());
  EXPECT_TRUE((told().front() == StackVariable{0x1f010, outer}));
}

TEST_F(StackVariables, OfALockThatOfItsInitialisation) {
  const StackFrame call{{0x8001, 0x18000, 0x18040}, nullptr};
  const auto event = [&](MutexStep step, const StackFrame* frame = nullptr) {
    checker.on(MutexEvent{ThreadId{1}, current[1], {MutexKind::lock, variable}, step, 0, 0x6000, false, frame});
  };
  event(MutexStep::init, &call);
  event(MutexStep::destroy);
  event(MutexStep::init); // another one at the same place
  event(MutexStep::destroy);
  event(MutexStep::acquiring);
  ASSERT_EQ(recorder.findings.size(), 1U);
  EXPECT_TRUE(told().empty());
  event(MutexStep::init, &call);
  event(MutexStep::destroy);
  checker.on(MutexEvent{ThreadId{1}, current[1], {MutexKind::lock, variable}, MutexStep::acquiring, 0, 0x6001});
  ASSERT_EQ(recorder.findings.size(), 2U);
  ASSERT_FALSE(recorder.findings.back().stack_variables.empty());
  EXPECT_TRUE((recorder.findings.back().stack_variables.front() == StackVariable{variable, call}));
}

} // namespace
} // namespace fletcher::test
