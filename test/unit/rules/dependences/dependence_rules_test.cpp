// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules that judge depend clauses and captured variables without accesses: non-sibling-dependence,
// unmatched-dependence, missing-taskwait.
#include "test/unit/driver.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fletcher {
namespace {

using test::Driver;

constexpr Address x = 0x1000, y = 0x1100;
constexpr auto in = DependenceType::in, inout = DependenceType::inout;

CheckerConfig without_accesses() {
  CheckerConfig config = test::small_config();
  config.accesses = false;
  return config;
}

/// A team of two whose first member creates tasks; its stack is at [0x10000, 0x20000).
class Team : public Driver {
public:
  explicit Team(const CheckerConfig& config = test::small_config()) : Driver(config), team_(fork(1, 2)) {
    for (const unsigned thread : {1u, 2u}) {
      checker.thread(ThreadId{thread}).stack_low = thread * 0x10000;
      checker.thread(ThreadId{thread}).stack_high = thread * 0x10000 + 0x10000;
    }
  }
  void finish() {
    join(team_);
    checker.conclude();
  }
  /// As create(), at a construct of its own place.
  TaskId create_at(Address pc, std::vector<Dependence> list, std::vector<Storage> storage = {}) {
    const TaskId t = created_at(pc, {});
    checker.on(TaskDependences{ThreadId{1}, t, list, storage});
    return t;
  }
  TaskId created_at(Address pc, std::vector<Address> captures, Address stack_pointer = 0) {
    const TaskId t{++last_};
    checker.on(TaskCreate{ThreadId{1}, current[1], t, TaskKind::explicit_, {}, pc, stack_pointer, 0, captures});
    return t;
  }
  void start_on(unsigned thread, TaskId task, Address stack_base) {
    checker.on(TaskSwitch{ThreadId{thread}, current[thread], task, stack_base});
    before_ = std::exchange(current[thread], task);
  }
  void end_on(unsigned thread) {
    checker.on(TaskEnd{.thread = ThreadId{thread}, .task = current[thread], .next = before_});
    current[thread] = before_;
  }
  void run_empty(unsigned thread, TaskId task) {
    start(thread, task);
    end(thread);
  }
  /// Two tasks, one on each thread after the other, with a child each.
  void cousins(Dependence first, Dependence second) {
    const TaskId a = create(1), b = create(1);
    start(1, a);
    run_empty(1, create(1, {first}));
    end(1);
    start(2, b);
    run_empty(2, create(2, {second}));
    end(2);
  }

private:
  TeamId team_;
  std::uint32_t last_ = 100;
  TaskId before_{};
};

TEST(NonSiblingDependence, OfWhichKinds) {
  struct Case {
    DependenceType first, second;
    bool conflict;
  };
  for (const Case& c :
       {Case{in, in, false}, Case{in, inout, true}, Case{DependenceType::out, in, true},
        Case{DependenceType::inoutset, DependenceType::inoutset, false}, Case{DependenceType::inoutset, in, true},
        // Siblings would exclude each other; these do not.
        Case{DependenceType::mutexinoutset, DependenceType::mutexinoutset, true}}) {
    Team d;
    d.cousins({x, c.first}, {x, c.second});
    d.finish();
    EXPECT_EQ(d.count(Rule::non_sibling_dependence), c.conflict ? 1 : 0);
  }
}

/// One member creates two tasks that name x; `between` comes after the first one.
template <class Between>
std::ptrdiff_t conflicts_of_member(Between between, WorkKind kind = WorkKind::loop_dynamic, bool by_plugin = true) {
  Driver d;
  d.own_values_are_told = by_plugin;
  const TeamId team = d.fork(1, 3);
  d.work(1, kind, true);
  d.chunk(1);
  d.run(2, d.create(1, {{x, inout}}), x, access::Kind::write, 11);
  between(d, team);
  d.run(3, d.create(1, {{x, inout}}), x, access::Kind::write, 12);
  d.work(1, kind, false);
  d.join(team);
  return d.count(Rule::non_sibling_dependence);
}
void next_single(Driver& d) {
  d.work(1, WorkKind::single_executor, false);
  d.work(1, WorkKind::single_executor, true);
}

TEST(NonSiblingDependence, OfUnitsThatOneThreadExecutedByChance) {
  const auto none = [](Driver&, TeamId) {};
  const auto chunk = [](Driver& d, TeamId) { d.chunk(1); };
  const auto single = [](Driver& d, TeamId) { next_single(d); };
  const auto section = [](Driver& d, TeamId) { d.piece(1); };
  EXPECT_EQ(conflicts_of_member(none), 0);
  EXPECT_EQ(conflicts_of_member(chunk), 1);
  EXPECT_EQ(conflicts_of_member(chunk, WorkKind::loop_dynamic, false), 0); // it may have kept what it did before
  EXPECT_EQ(conflicts_of_member(single, WorkKind::single_executor), 1);
  EXPECT_EQ(conflicts_of_member(section, WorkKind::sections), 1);
  EXPECT_EQ(conflicts_of_member(section, WorkKind::loop_static), 0); // the same thread has them in every run
}

// Another thread could have executed the single, and no other one the masked construct.
TEST(NonSiblingDependence, OfASingleAndAMaskedConstruct) {
  for (const bool masked_first : {false, true})
    for (const bool waits : {false, true}) {
      Driver d;
      const TeamId team = d.fork(1, 3);
      for (const bool masked : {masked_first, !masked_first}) {
        const auto construct = [&](bool begin) {
          masked ? d.masked(1, begin) : d.work(1, WorkKind::single_executor, begin);
        };
        construct(true);
        d.run(masked ? 2 : 3, d.create(1, {{x, inout}}), x, access::Kind::write, masked ? 11 : 12);
        construct(false);
        if (waits) d.barrier(team);
      }
      d.join(team);
      EXPECT_EQ(d.count(Rule::non_sibling_dependence), waits ? 0 : 1) << masked_first;
    }
}

TEST(NonSiblingDependence, OfUnitsThatAreOrdered) {
  const auto waits = [](Driver& d, TeamId team) {
    d.work(1, WorkKind::single_executor, false);
    d.barrier(team);
    d.work(1, WorkKind::single_executor, true);
  };
  EXPECT_EQ(conflicts_of_member(waits, WorkKind::single_executor), 0);
}

TEST(NonSiblingDependence, OfUnitsOfAThreadThatMayKnowItself) {
  const auto asks = [](Driver& d, TeamId) {
    d.checker.asked_thread_number(d.checker.thread(ThreadId{1}));
    d.chunk(1);
  };
  const auto locks = [](Driver& d, TeamId) {
    d.lock(1, 0x3000);
    d.unlock(1, 0x3000);
    d.chunk(1);
  };
  EXPECT_EQ(conflicts_of_member(asks), 0);
  EXPECT_EQ(conflicts_of_member(locks), 0);
}

TEST(NonSiblingDependence, OfUnitsThatWaitForTheirOwnTask) {
  const auto waits = [](Driver& d, TeamId) {
    d.taskwait(1);
    d.chunk(1);
  };
  EXPECT_EQ(conflicts_of_member(waits), 1);
}

// Whoever comes after the last of several siblings comes after all of them only where clauses order these.
TEST(NonSiblingDependence, WithEachOfSeveralSiblingsThatNothingOrders) {
  for (const auto& [type, conflicts] : {std::pair(in, 2), std::pair(DependenceType::inoutset, 2),
                                        std::pair(DependenceType::mutexinoutset, 2), std::pair(inout, 1)}) {
    Team d;
    const TaskId a = d.create(1), b = d.create(1);
    d.start(1, a);
    for (const Address pc : {0x500u, 0x600u}) d.run_empty(1, d.create_at(pc, {{x, type}}));
    d.end(1);
    d.start(2, b);
    d.run_empty(2, d.create(2, {{x, inout}}));
    d.end(2);
    d.finish();
    EXPECT_EQ(d.count(Rule::non_sibling_dependence), conflicts) << static_cast<int>(type);
  }
}

TEST(NonSiblingDependence, NamesTheChildOfTheCommonAncestor) {
  Team d;
  const TaskId outer = d.create(1, {{x, inout}});
  d.start(1, outer);
  d.run_empty(1, d.create(1, {{x, inout}}));
  d.end(1);
  d.run_empty(1, d.create(1, {{x, inout}}));
  d.finish();
  ASSERT_EQ(d.count(Rule::non_sibling_dependence), 1);
  const Finding& f = d.recorder.findings.front();
  ASSERT_EQ(f.steps.size(), 2u);
  EXPECT_EQ(f.steps[0].stack.front(), 0x8000 + number(outer));
  EXPECT_NE(f.steps[0].message.find("a taskwait"), std::string::npos);
}

TEST(NonSiblingDependence, TaskwaitThatMeansAGrandchild) {
  for (const bool first : {true, false}) { // the grandchild runs before the wait, or after
    Team d;
    const Dependence list[] = {{x, in}};
    const TaskId outer = d.create(1);
    const auto run_outer = [&] {
      d.start(2, outer);
      d.run_empty(2, d.create(2, {{x, inout}}));
      d.end(2);
    };
    if (first) run_outer();
    d.checker.on(TaskwaitDepend{ThreadId{1}, d.current[1], list, true, 0x7100});
    d.checker.on(TaskwaitDepend{ThreadId{1}, d.current[1], {}, false, 0x7100});
    if (!first) run_outer();
    d.finish();
    EXPECT_EQ(d.count(Rule::non_sibling_dependence), 1);
  }
}

TEST(NonSiblingDependence, VariablesOfTwoTasksAtOneAddress) {
  Team d;
  const TaskId a = d.create(1), b = d.create(1);
  for (const TaskId t : {a, b}) {
    d.start_on(2, t, 0x28000);
    const TaskId child = d.create(2, {{0x27000, inout}});
    d.start(2, child);
    d.end(2);
    d.end_on(2);
  }
  d.finish();
  EXPECT_EQ(d.count(Rule::non_sibling_dependence), 0);
}

TEST(NonSiblingDependence, HeapBlocksAtOneAddress) {
  Team told;
  const TaskId a = told.create(1), b = told.create(1);
  told.start(1, a);
  told.run_empty(1, told.create(1, {{x, inout}}));
  told.checker.on(MemoryEnd{ThreadId{1}, x - 16, 64, MemoryKind::heap, 20});
  told.end(1);
  told.start(1, b);
  told.run_empty(1, told.create(1, {{x, inout}}));
  told.end(1);
  told.finish();
  EXPECT_EQ(told.count(Rule::non_sibling_dependence), 0);

  Team untold(without_accesses());
  untold.cousins({x, inout}, {x, inout});
  untold.finish();
  EXPECT_EQ(untold.count(Rule::non_sibling_dependence), 0);

  // Both tasks were there when the first one had not ended: that is one block, whoever ran when.
  Team together(without_accesses());
  const TaskId c = together.create(1), e = together.create(1);
  together.start(1, c);
  const TaskId first = together.create(1, {{x, inout}});
  together.end(1);
  together.start(2, e);
  const TaskId second = together.create(2, {{x, inout}});
  together.end(2);
  together.run_empty(1, first);
  together.run_empty(2, second);
  together.finish();
  EXPECT_EQ(together.count(Rule::non_sibling_dependence), 1);

  Team permanent(without_accesses());
  permanent.cousins({x, inout, false, true}, {x, inout, false, true});
  permanent.finish();
  EXPECT_EQ(permanent.count(Rule::non_sibling_dependence), 1);
}

TEST(UnmatchedDependence, OverlapThatNothingOrders) {
  Team d;
  d.run_empty(1, d.create_at(0x8001, {{x, inout}}, {{32, 0}}));
  d.run_empty(1, d.create_at(0x8002, {{x + 16, in}}, {{4, 0}})); // inside
  d.run_empty(1, d.create_at(0x8003, {{x + 64, inout}}, {{8, 0}}));
  d.run_empty(1, d.create_at(0x8004, {{x + 60, inout}}, {{8, 0}})); // reaches into it
  d.run_empty(1, d.create_at(0x8005, {{x + 72, inout}}, {{8, 0}})); // beside it
  d.finish();
  EXPECT_EQ(d.count(Rule::unmatched_dependence), 2);
  for (const Finding& f : d.recorder.findings) EXPECT_EQ(f.severity, Severity::warning);
}

TEST(UnmatchedDependence, OverlapOfTasksThatAreOrderedOtherwise) {
  Team d;
  d.run_empty(1, d.create_at(0x8001, {{x, inout}, {y, inout}}, {{32, 0}, {8, 0}}));
  d.run_empty(1, d.create_at(0x8002, {{x + 16, inout}, {y, inout}}, {{4, 0}, {8, 0}}));
  d.taskwait(1);
  d.run_empty(1, d.create_at(0x8003, {{x + 8, inout}}, {{4, 0}}));
  d.finish();
  EXPECT_EQ(d.count(Rule::unmatched_dependence), 0);
}

// A large item and small ones that begin far behind its beginning, with many others in between.
TEST(UnmatchedDependence, OverlapWithALargeItemAmongManySmallOnes) {
  Team d;
  constexpr unsigned small = 2000;
  d.run_empty(1, d.create_at(0x8001, {{x, inout}}, {{small * 8, 0}}));
  for (unsigned i = 1; i < small; ++i) d.run_empty(1, d.create_at(0x8002, {{x + small * 8 + i * 8, inout}}, {{8, 0}}));
  d.run_empty(1, d.create_at(0x8003, {{x + small * 8 - 8, in}}, {{8, 0}}));
  d.finish();
  EXPECT_EQ(d.count(Rule::unmatched_dependence), 1);
}

TEST(UnmatchedDependence, WhatWasReportedIsNotComparedAgain) {
  Team d;
  for (unsigned i = 0; i < 1000; ++i) d.run_empty(1, d.create_at(0x8001, {{x + i * 8, inout}}, {{(1000 - i) * 8, 0}}));
  d.finish();
  EXPECT_EQ(d.count(Rule::unmatched_dependence), 1);
  EXPECT_LT(d.recorder.repeated, 100);
}

TEST(UnmatchedDependence, TilesOfAMatrixDoNotOverlap) {
  Team d;
  for (unsigned i = 0; i < 4; ++i) d.run_empty(1, d.create_at(0x8001, {{x + i * 128, inout}}, {{15 * 512 + 128, 0}}));
  d.finish();
  EXPECT_EQ(d.count(Rule::unmatched_dependence), 0);
}

TEST(UnmatchedDependence, PointerAndWhatItPointsTo) {
  for (const bool pointer_first : {true, false}) {
    Team d;
    const auto reader = [&] { d.run_empty(1, d.create_at(0x8001, {{x, in}}, {{8, y}})); };
    if (pointer_first) reader();
    d.run_empty(1, d.create_at(0x8002, {{y, inout}}, {{4, 0}}));
    if (!pointer_first) reader();
    d.finish();
    EXPECT_EQ(d.count(Rule::unmatched_dependence), 1);
  }
  Team d; // the pointer itself is passed from task to task
  d.run_empty(1, d.create_at(0x8001, {{x, inout}}, {{8, y}}));
  d.run_empty(1, d.create_at(0x8002, {{y, inout}}, {{4, 0}}));
  d.run_empty(1, d.create_at(0x8003, {{x, in}}, {{8, y}}));
  d.finish();
  EXPECT_EQ(d.count(Rule::unmatched_dependence), 0);
}

// What an item holds looks like a pointer as long as it does not change all the time, as numbers do.
TEST(UnmatchedDependence, PointerAmongManyValues) {
  constexpr Address object = 0x700000;
  for (const unsigned values : {1u, 10u, 1000u}) {
    Team d;
    for (unsigned i = 1; i < values; ++i) d.run_empty(1, d.create_at(0x8001, {{x, in}}, {{8, y + 8 * i}}));
    d.run_empty(1, d.create_at(0x8001, {{x, in}}, {{8, object}}));
    d.run_empty(1, d.create_at(0x8002, {{object, inout}}, {{4, 0}}));
    const bool is_pointer = values <= 10;
    EXPECT_EQ(d.count(Rule::unmatched_dependence), is_pointer ? 1 : 0) << values;
    d.finish();
  }
}

TEST(UnmatchedDependence, ConstructThatNeverMatches) {
  Team never;
  never.run_empty(1, never.create_at(0x8001, {{x, inout}}));
  never.run_empty(1, never.create_at(0x8002, {{y, in}}));
  EXPECT_EQ(never.count(Rule::unmatched_dependence), 0); // a later sibling may still write it
  never.finish();
  EXPECT_EQ(never.count(Rule::unmatched_dependence), 1);

  Team once; // as the first step of a wavefront
  once.run_empty(1, once.create_at(0x8001, {{x, inout}}));
  once.run_empty(1, once.create_at(0x8002, {{y, in}}));
  once.run_empty(1, once.create_at(0x8002, {{x, in}}));
  once.finish();
  EXPECT_EQ(once.count(Rule::unmatched_dependence), 0);

  Team later;
  later.run_empty(1, later.create_at(0x8001, {{x, in}}));
  later.taskwait(1);
  later.run_empty(1, later.create_at(0x8002, {{x, inout}}));
  later.finish();
  EXPECT_EQ(later.count(Rule::unmatched_dependence), 0);
}

TEST(UnmatchedDependence, EveryReaderByOption) {
  for (const bool every : {false, true}) {
    CheckerConfig config = test::small_config();
    config.every_unmatched_reader = every;
    Team d(config);
    d.run_empty(1, d.create_at(0x8001, {{x, inout}, {y, in}}));
    d.run_empty(1, d.create_at(0x8002, {{x, in}}));
    d.finish();
    EXPECT_EQ(d.count(Rule::unmatched_dependence), every ? 1 : 0);
  }
}

TEST(UnmatchedDependence, TaskwaitThatWaitsForNothing) {
  for (const bool matches : {false, true}) {
    Team d;
    d.run_empty(1, d.create_at(0x8001, {{x, inout}}));
    const Dependence list[] = {{matches ? x : y, in}};
    d.checker.on(TaskwaitDepend{ThreadId{1}, d.current[1], list, true, 0x7100});
    d.checker.on(TaskwaitDepend{ThreadId{1}, d.current[1], {}, false, 0x7100});
    d.finish();
    EXPECT_EQ(d.count(Rule::unmatched_dependence), matches ? 0 : 1);
  }
}

TEST(MissingTaskwait, CapturedVariableOfAFrameThatReturns) {
  Team d;
  d.run_empty(1, d.created_at(0x8001, {0x18010}, 0x18000));
  d.run_empty(1, d.created_at(0x8002, {0x18010}, 0x18000)); // still in the frame
  EXPECT_EQ(d.count(Rule::missing_taskwait), 0);
  d.sync(1, SyncKind::taskwait, true, 0x19000);
  EXPECT_EQ(d.count(Rule::missing_taskwait), 1);
}

TEST(MissingTaskwait, CapturedVariableOfAFrameThatWaits) {
  for (const SyncKind kind : {SyncKind::taskwait, SyncKind::taskgroup}) {
    Team d;
    if (kind == SyncKind::taskgroup) d.sync(1, kind, true, 0x18000);
    d.run_empty(1, d.created_at(0x8001, {0x18010}, 0x18000));
    if (kind == SyncKind::taskwait) d.sync(1, kind, true, 0x18000);
    d.sync(1, kind, false);
    d.sync(1, SyncKind::taskwait, true, 0x19000);
    d.sync(1, SyncKind::taskwait, false);
    d.finish();
    EXPECT_EQ(d.count(Rule::missing_taskwait), 0);
  }
}

TEST(MissingTaskwait, VariableOfAFunctionThatWasPutIntoItsCaller) {
  const auto findings = [](Address variable, bool waits) {
    Team d;
    d.run(1, d.created_at(0x8001, {variable}, 0x18000), x, access::Kind::read, 11);
    for (const bool begin : {true, false})
      if (waits) d.sync(1, SyncKind::taskwait, begin, 0x18000);
    d.checker.on(MemoryEnd{ThreadId{1}, 0x18010, 8, MemoryKind::stack, 0x8003});
    return d.count(Rule::missing_taskwait);
  };
  EXPECT_EQ(findings(0x18010, false), 1);
  EXPECT_EQ(findings(0x18010, true), 0);
  EXPECT_EQ(findings(0x18018, false), 0);
}

TEST(MissingTaskwait, CapturedByATaskOfATask) {
  enum { nobody, by_child, by_group };
  for (const bool returns_by_call : {true, false})
    for (const int waits : {nobody, by_child, by_group}) {
      Team d;
      if (waits == by_group) d.sync(1, SyncKind::taskgroup, true, 0x18000);
      const TaskId child = d.created_at(0x8001, {0x18010}, 0x18000);
      d.start_on(1, child, 0x17000);
      const TaskId of_child = d.created_at(0x8002, {0x18010}, 0x16000); // it has not run yet
      if (waits == by_child) d.run_empty(2, of_child);
      for (const bool begin : {true, false})
        if (waits == by_child) d.sync(1, SyncKind::taskwait, begin, 0x16000);
      d.end_on(1);
      for (const bool begin : {true, false}) d.sync(1, SyncKind::taskwait, begin, 0x18000);
      if (waits == by_group) d.run_empty(2, of_child), d.sync(1, SyncKind::taskgroup, false);
      if (returns_by_call)
        d.checker.on(MemoryEnd{ThreadId{1}, 0x18010, 8, MemoryKind::stack, 0x8003});
      else
        d.sync(1, SyncKind::taskwait, true, 0x19000);
      ASSERT_EQ(d.count(Rule::missing_taskwait), waits == nobody ? 1 : 0) << waits << ' ' << returns_by_call;
      if (waits != nobody) continue;
      EXPECT_EQ(d.recorder.findings.front().accesses.front().stack.front(), 0x8002u);
      EXPECT_EQ(d.recorder.findings.front().cause, Cause::descendant_outlives_frame);
    }
}

TEST(MissingTaskwait, AccessesOfATaskThatHasTheAddressByAnotherWay) {
  constexpr Address variable = 0x18010;
  for (const bool runs_first : {true, false})
    for (const bool waits : {true, false}) {
      Team d;
      const TaskId task = d.created_at(0x8001, {}, 0x18000);
      if (runs_first || waits) d.run(2, task, variable, access::Kind::read, 11);
      for (const bool begin : {true, false})
        if (waits) d.sync(1, SyncKind::taskwait, begin, 0x18000);
      d.checker.on(MemoryEnd{ThreadId{1}, variable, 8, MemoryKind::stack, 0x8003});
      if (!runs_first && !waits) d.run(2, task, variable, access::Kind::read, 11);
      EXPECT_EQ(d.count(Rule::missing_taskwait), waits ? 0 : 1) << runs_first;
      EXPECT_EQ(d.count(Rule::data_race), 0);
    }
}

TEST(MissingTaskwait, WhatIsNotTheCreatorsIsNotJudged) {
  Team d;
  d.run_empty(1, d.created_at(0x8001, {0x17000, 0x28010, x, 4}, 0x18000)); // below, another's stack, heap, a length
  d.sync(1, SyncKind::taskwait, true, 0x1f000);
  EXPECT_EQ(d.count(Rule::missing_taskwait), 0);
}

TEST(MissingTaskwait, CapturedVariableOfATaskThatEnds) {
  Team d;
  const TaskId outer = d.create(1);
  d.start_on(1, outer, 0x18000);
  const TaskId inner = d.created_at(0x8001, {0x17010}, 0x17000);
  d.end_on(1);
  EXPECT_EQ(d.count(Rule::missing_taskwait), 1);
  d.run_empty(1, inner);
  d.finish();
}

TEST(DataRace, WrongDependenceTypeIsToldOfTheTaskThatWrites) {
  for (const bool writer_first : {true, false}) {
    Team d;
    const TaskId a = d.create(1, {{x, in}}), b = d.create(1, {{x, in}});
    d.run(1, a, x, writer_first ? access::Kind::write : access::Kind::read, 11);
    d.run(2, b, x, writer_first ? access::Kind::read : access::Kind::write, 12);
    d.finish();
    ASSERT_EQ(d.count(Rule::data_race), 1);
    const auto race = std::find_if(d.recorder.findings.begin(), d.recorder.findings.end(),
                                   [](const Finding& f) { return f.rule == Rule::data_race; });
    EXPECT_EQ(race->cause, Cause::wrong_dependence_type);
    EXPECT_EQ(race->fix_place.front(), 0x8000 + number(writer_first ? a : b));
  }
}

TEST(BoundedMemory, RulesRememberSoManyStrandsOfARegion) {
  Driver d(without_accesses());
  d.fork(1, 2);
  constexpr unsigned tasks = 200'000; // each would have four ids of its own
  for (unsigned i = 0; i < tasks; ++i) {
    d.start(2, d.create(1, {{0x1000 + Address{i} * 8, DependenceType::out, false}}));
    d.end(2);
  }
  EXPECT_LT(d.checker.statistics().strands, 3 * tasks);
  EXPECT_GT(d.checker.statistics().strands, 2 * tasks);
}

} // namespace
} // namespace fletcher
