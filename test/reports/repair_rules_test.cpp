// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits for locks, waits, barriers, lanes and teams: which one a finding gets in which source, and where it gets none.
#include "reports/explanation/causes/causes.hpp"
#include "reports/repair/repair.hpp"
#include "test/reports/marked_source.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fletcher::reports {
namespace {

// ---- locks
// ------------------------------------------------------------------------------------------------------------

Diagnostic of_two_locks(const Marks& marks, MutexKind kind = MutexKind::lock) {
  return race(Cause::different_locks, "x", in_thread(marks['2'], AccessType::write, {{kind, marks['1']}}),
              in_thread(marks['4'], AccessType::write, {{kind, marks['3']}}));
}

/// Two functions with a lock each; `more` stands behind them.
std::string two_locks(const std::string& more = "", const std::string& inside = "") {
  return edits_of("a.c",
                  "void f(void) {\n  omp_set_lock(&a); @1\n  x++; @2\n  omp_unset_lock(&a);\n}\nvoid g(void) {\n" +
                      inside + "\n  omp_set_lock(&b); @3\n  x++; @4\n  omp_unset_lock(&b);\n}\n" + more,
                  [](const Marks& marks) { return of_two_locks(marks); });
}

TEST(RepairOfLocks, ALockOfOneSectionGivesWayToTheOther) {
  EXPECT_EQ(two_locks(), "=8 omp_set_lock(&a);\n=10 omp_unset_lock(&a);");
  EXPECT_EQ(two_locks("void h(void) {\n  omp_set_lock(&b);\n  y++;\n  omp_unset_lock(&b);\n}"),
            "+3 #pragma omp atomic\n+9 #pragma omp atomic"); // that section would lose its exclusion
  EXPECT_EQ(two_locks("void h(void) {\n  if (omp_test_lock(&b)) y++;\n}"),
            "+3 #pragma omp atomic\n+9 #pragma omp atomic");
  EXPECT_EQ(edits_of("a.c", R"(void f(void) {
  omp_set_lock(&a); @1
  x++; @2
  omp_unset_lock(&a);
}
void g(void) {
  omp_set_lock(&b); @3
  omp_set_lock(&a);
  y++;
  omp_unset_lock(&a);
  x++; @4
  omp_unset_lock(&b);
})",
                     [](const Marks& marks) { return of_two_locks(marks); }),
            "+3 #pragma omp atomic\n+11 #pragma omp atomic");
  EXPECT_EQ(edits_of("a.f90", R"(subroutine f
  call omp_set_lock(a) @1
  x = x + 1 @2
  call omp_unset_lock(a)
  call omp_set_lock(b) @3
  x = x + 1 @4
  call omp_unset_lock(b)
end subroutine)",
                     [](const Marks& marks) { return of_two_locks(marks); }),
            "=5 call omp_set_lock(a)\n=7 call omp_unset_lock(a)");
}

TEST(RepairOfLocks, AMutexOfOneGuardGivesWay) {
  const auto guarded = [](const std::string& more) {
    return edits_of("a.cpp",
                    "std::mutex a, b;\nvoid f() {\n  std::lock_guard<std::mutex> guard(a); @1\n  x++; @2\n}\nvoid g() "
                    "{\n  std::scoped_lock guard{b}; @3\n  x++; @4\n}\n" +
                        more,
                    [](const Marks& marks) { return of_two_locks(marks, MutexKind::lock); });
  };
  EXPECT_EQ(guarded(""), "=7 std::scoped_lock guard{a};");
  EXPECT_EQ(guarded("void h() { b.lock(); }"), "+4 #pragma omp atomic\n+8 #pragma omp atomic");
}

TEST(RepairOfLocks, CriticalConstructsOfOneNameHaveOneHint) {
  EXPECT_EQ(edits_of("a.c", R"(void f(void) {
#pragma omp critical(a) hint(omp_sync_hint_contended) @1
  x++; @2
#pragma omp critical(b) @3
  x++; @4
})",
                     [](const Marks& marks) { return of_two_locks(marks, MutexKind::critical); }),
            "=4 #pragma omp critical (a) hint(omp_sync_hint_contended)");
}

TEST(RepairOfLocks, WhatStandsAloneTakesTheLockOfTheOtherSide) {
  const auto one_side = [](const std::string& statement) {
    return edits_of(
        "a.c", "void f(void) {\n  omp_set_lock(&a); @1\n  x++; @2\n  omp_unset_lock(&a);\n  " + statement + " @3\n}",
        [](const Marks& marks) {
          return race(Cause::one_side_locked, "x",
                      in_thread(marks['2'], AccessType::write, {{MutexKind::lock, marks['1']}}), in_thread(marks['3']));
        });
  };
  EXPECT_EQ(one_side("x += 2;"), "+5 omp_set_lock(&a);\n+6 omp_unset_lock(&a);");
  EXPECT_EQ(one_side("if (late) x += 2;"), "-4\n+6 omp_unset_lock(&a);");
}

/// Calls of a function that takes the two locks that it is given.
std::string order_of_calls(const std::string& inside, const std::string& function = "both") {
  return edits_of("a.c",
                  "static void both(int me, omp_lock_t* first, omp_lock_t* second) {\n  omp_set_lock(first); @1\n  "
                  "omp_set_lock(second); @2\n  " +
                      inside +
                      "\n  omp_unset_lock(second);\n  omp_unset_lock(first);\n}\nvoid f(void) {\n  both(0, &a, &b); "
                      "@3\n  both(g(1, 2), &b, &a[0]); @4\n}",
                  [&](const Marks& marks) {
                    Diagnostic out = of_rule(Rule::lock_order_cycle, marks['2'], {marks['1'], marks['2'], marks['1']});
                    out.stack = {frame(function, marks['2']), frame("f", marks['4'])};
                    out.notes[0].stack = {frame(function, marks['1']), frame("f", marks['4'])};
                    out.notes[1].stack = {frame(function, marks['2']), frame("f", marks['3'])};
                    out.notes[2].stack = {frame(function, marks['1']), frame("f", marks['3'])};
                    return out;
                  });
}

TEST(RepairOfLocks, ACallHandsItsLocksOverInTheOtherOrder) {
  EXPECT_EQ(order_of_calls("x++;"), "=10 both(g(1, 2), &a[0], &b);");
  EXPECT_EQ(order_of_calls("x++;", "(anonymous namespace)::both(...)"), "=10 both(g(1, 2), &a[0], &b);");
  EXPECT_EQ(order_of_calls("note(first);"), "");
}

TEST(RepairOfLocks, CallsOnNeighbouringLinesChangePlaces) {
  EXPECT_EQ(edits_of("a.c", R"(void f(void) {
  omp_set_lock(&a); @1
  omp_set_lock(&b); @2
}
void g(void) {
  omp_set_lock(&b); @3
  omp_set_lock(&a); @4
})",
                     [](const Marks& marks) {
                       return of_rule(Rule::lock_order_cycle, marks['4'], {marks['3'], marks['2'], marks['1']});
                     }),
            "=6 omp_set_lock(&a);\n=7 omp_set_lock(&b);");
}

TEST(RepairOfLocks, AGuardComesBeforeAnother) {
  const auto of_guards = [](const std::string& between) {
    return edits_of(
        "a.cpp",
        "void f() {\n  std::lock_guard<std::mutex> x(a.m); @1\n  std::lock_guard<std::mutex> y(b.m); @2\n}\n"
        "void g() {\n  std::unique_lock first(b.m); @3\n  std::scoped_lock second(a.m); @4\n}\n"
        "void h() {\n  std::unique_lock first(b.m); @5\n" +
            between + "  std::scoped_lock second(a.m); @6\n}\n",
        [&](const Marks& marks) {
          const char first = between.empty() ? '3' : '5', second = between.empty() ? '4' : '6';
          return of_rule(Rule::lock_order_cycle, marks[second], {marks[first], marks['2'], marks['1']});
        });
  };
  EXPECT_EQ(of_guards(""), "=6 std::scoped_lock second(a.m);\n=7 std::unique_lock first(b.m);");
  EXPECT_EQ(of_guards("  work(n);\n"), "+10 std::scoped_lock second(a.m);\n-12");
  EXPECT_EQ(of_guards("  first.unlock();\n"),
            "=2 std::lock_guard<std::mutex> y(b.m);\n=3 std::lock_guard<std::mutex> x(a.m);");
}

TEST(RepairOfLocks, ALockIsSetAroundACriticalConstructOfTheOtherTaskToo) {
  EXPECT_EQ(edits_of("a.c", R"(void f(void) {
#pragma omp critical(c) @1
  {
    omp_set_lock(&a); @2
    x++;
    omp_unset_lock(&a);
  }
}
void g(void) {
  omp_set_lock(&a); @3
#pragma omp critical(c) @4
  x++;
  omp_unset_lock(&a);
})",
                     [](const Marks& marks) {
                       return of_rule(Rule::lock_order_cycle, marks['4'], {marks['3'], marks['2'], marks['1']});
                     }),
            "=2 omp_set_lock(&a);\n=3 #pragma omp critical(c)\n=4 {\n=6 }\n=7 omp_unset_lock(&a);");
}

TEST(RepairOfLocks, CriticalConstructsOfWhichOneIsAllThatTheOtherHasChangeNames) {
  const auto nested = [](const std::string& before) {
    return edits_of(
        "a.c",
        "void f(void) {\n#pragma omp critical(a) @1\n  {\n    y++;\n#pragma omp critical(b) @2\n    x++;\n  "
        "}\n}\nvoid g(void) {\n#pragma omp critical(b) @3\n  {\n" +
            before + "\n#pragma omp critical(a) @4\n    x++;\n  }\n}",
        [](const Marks& marks) {
          return of_rule(Rule::lock_order_cycle, marks['4'], {marks['3'], marks['2'], marks['1']});
        });
  };
  EXPECT_EQ(nested(""), "=10 #pragma omp critical(a)\n=13 #pragma omp critical(b)");
  EXPECT_EQ(nested("    y++;"), "");
}

const std::string left_set = "the task sets lock 'a' here and ends without unsetting it";

/// A lock that a task leaves set, and what it does then.
std::string left(const std::string& then) {
  return edits_of("a.c", "void f(int n) {\n  omp_set_lock(&a); @1\n" + then + "}\n",
                  [](const Marks& marks) { return of_rule(Rule::lock_misuse, marks['1'], {}, left_set); });
}

TEST(RepairOfLocks, ALockIsUnsetOnEachWayOutOfItsBlock) {
  EXPECT_EQ(left("  x++;\n"), "+4 omp_unset_lock(&a);");
  EXPECT_EQ(left("  if (n == 0) {\n    return;\n  }\n  x++;\n  omp_unset_lock(&a);\n"), "+4 omp_unset_lock(&a);");
  EXPECT_EQ(left("  if (n == 0) {\n    omp_unset_lock(&a);\n    return;\n  }\n  x++;\n"), "+8 omp_unset_lock(&a);");
  EXPECT_EQ(left("  if (n == 0) return;\n  omp_unset_lock(&a);\n"), "=3 if (n == 0) { omp_unset_lock(&a); return; }");
  EXPECT_EQ(left("  for (int i = 0; i < n; i++)\n    if (b[i] == n)\n      return i;\n  omp_unset_lock(&a);\n"),
            "=5 { omp_unset_lock(&a); return i; }");
  EXPECT_EQ(left("  if (n == 0) return;\n  else x++;\n  omp_unset_lock(&a);\n"), "");
  EXPECT_EQ(left("  while (n > 0) if (n-- == 7) return;\n  omp_unset_lock(&a);\n"), "");
  EXPECT_EQ(left("  if (n == 0) {\n    return use(x);\n  }\n  omp_unset_lock(&a);\n"), "");
  EXPECT_EQ(left("  x++;\n  omp_unset_lock(&b);\n"), "=4 omp_unset_lock(&a);");
  EXPECT_EQ(left("  omp_set_lock(&b);\n  x++;\n  omp_unset_lock(&b);\n"), "+6 omp_unset_lock(&a);");
  EXPECT_EQ(left("  omp_set_lock(&a);\n  omp_unset_lock(&a);\n  return;\n"), "+5 omp_unset_lock(&a);");
}

TEST(RepairOfLocks, ALockThatACallerHoldsIsMadeNestable) {
  const auto again = [](const std::string& more) {
    return edits_of(
        "a.c",
        "static omp_lock_t a;\nvoid f(void) {\n  omp_set_lock(&a); @1\n  omp_unset_lock(&a);\n}\nvoid g(void) "
        "{\n  omp_set_lock(&a); @2\n  f();\n" +
            more + "}\n",
        [](const Marks& marks) {
          return of_rule(Rule::lock_misuse, marks['1'], {marks['2']}, "the task sets lock 'a', which it holds already");
        });
  };
  EXPECT_EQ(again(""), "=1 static omp_nest_lock_t a;\n=3 omp_set_nest_lock(&a);\n=4 omp_unset_nest_lock(&a);\n=7 "
                       "omp_set_nest_lock(&a);");
  EXPECT_EQ(again("  use(&a);\n"), "");
}

TEST(RepairOfWaits, AnEarlyReturnWaitsForTheTasks) {
  const auto early = [](const std::string& way_out) {
    return edits_of("a.c",
                    "int f(int n) {\n  int x = n; @1\n#pragma omp task shared(x) @2\n  use(x);\n  " + way_out +
                        "\n#pragma omp taskwait\n  return 0;\n}\n",
                    [](const Marks& marks) {
                      Diagnostic out = of_rule(Rule::missing_taskwait, marks['2']);
                      out.cause = Cause::task_outlives_frame;
                      out.variable = "x";
                      out.declared = marks['1'];
                      return out;
                    });
  };
  EXPECT_EQ(early("if (n == 0) return 1;"), "+5 #pragma omp taskwait");
  EXPECT_EQ(early("if (n == 0) { note(); return 1; }"), "");
}

TEST(RepairOfLocks, ALockThatWasNeverSetHasTheWrongName) {
  const auto unset = [](const std::string& before) {
    return edits_of("a.c", "void f(void) {\n" + before + "  x++;\n  omp_unset_lock(&b); @1\n}",
                    [](const Marks& marks) { return of_rule(Rule::lock_misuse, marks['1'], {}, "not set"); });
  };
  EXPECT_EQ(unset("  omp_set_lock(&a);\n"), "=4 omp_unset_lock(&a);");
  EXPECT_EQ(unset(""), "");
}

TEST(RepairOfLocks, ALockIsUnsetBeforeItIsDestroyed) {
  const auto destroyed = [](const std::string& between) {
    return edits_of("a.c", "void f(void) {\n  omp_set_lock(&a); @1\n" + between + "  omp_destroy_lock(&a); @2\n}",
                    [](const Marks& marks) { return of_rule(Rule::lock_misuse, marks['2'], {marks['1']}, "set"); });
  };
  EXPECT_EQ(destroyed("  x++;\n"), "+4 omp_unset_lock(&a);");
  EXPECT_EQ(destroyed("  if (late) {\n    omp_unset_lock(&a);\n  }\n"), "");
}

// ---- waits that cannot end
// --------------------------------------------------------------------------------------------

std::string held_in_a_wait(const std::string& before, const std::string& behind) {
  return edits_of(
      "a.c",
      "void f(void) {\n" + before + "#pragma omp taskwait @2\n" + behind +
          "}\nvoid g(void) {\n  omp_set_lock(&a); @3\n}",
      [](const Marks& marks) { return of_rule(Rule::dependence_cycle, marks['2'], {marks['1'], marks['3']}); });
}

TEST(RepairOfWaits, NobodyWaitsWithALockThatTheOthersNeed) {
  EXPECT_EQ(held_in_a_wait("  omp_set_lock(&a); @1\n  x++;\n", "  omp_unset_lock(&a);\n"),
            "=4 omp_unset_lock(&a);\n=5 #pragma omp taskwait");
  EXPECT_EQ(held_in_a_wait("  omp_set_lock(&a); @1\n", "  x++;\n  omp_unset_lock(&a);\n"),
            "=2 #pragma omp taskwait\n=3 omp_set_lock(&a);");
  EXPECT_EQ(held_in_a_wait("  omp_set_lock(&a); @1\n  x++;\n", "  x++;\n  omp_unset_lock(&a);\n"), "");
}

TEST(RepairOfWaits, AWaitComesOutOfACriticalConstruct) {
  const auto waiting = [](const std::string& before, const std::string& behind) {
    return edits_of(
        "a.c",
        "void f(void) {\n#pragma omp critical @1\n  {\n" + before + "#pragma omp taskwait @2\n" + behind +
            "  }\n}\nvoid g(void) {\n#pragma omp critical @3\n  x++;\n}",
        [](const Marks& marks) { return of_rule(Rule::dependence_cycle, marks['2'], {marks['1'], marks['3']}); });
  };
  EXPECT_EQ(waiting("    x++;\n", ""), "=5 }\n=6 #pragma omp taskwait");
  EXPECT_EQ(waiting("", "    x++;\n"), "+2 #pragma omp taskwait\n-4");
  EXPECT_EQ(waiting("    x++;\n", "    x++;\n"), "");
}

TEST(RepairOfWaits, AnEventIsFulfilledAfterWhatItsTaskStandsFor) {
  const auto fulfilled = [](const std::string& declared, const std::string& between, const std::string& later) {
    return edits_of("a.c",
                    "void f(void) {\n#pragma omp task detach(done) depend(" + declared +
                        ")\n  { }\n#pragma omp task @1\n  {\n    omp_fulfill_event(done);\n" + between +
                        "    x = 42; @2\n  }\n#pragma omp task depend(" + later + ") @3\n  use(x); @4\n}",
                    [](const Marks& marks) {
                      return race(Cause::missing_dependence, "x",
                                  {marks['2'], AccessType::write, marks['1'], TaskKind::explicit_, {}},
                                  {marks['4'], AccessType::read, marks['3'], TaskKind::explicit_, {}});
                    });
  };
  EXPECT_EQ(fulfilled("out: x", "", "in: x"), "-6\n+8 omp_fulfill_event(done);");
  EXPECT_EQ(fulfilled("out: x", "    y++;\n", "in: x"), "-6\n+9 omp_fulfill_event(done);");
  EXPECT_EQ(fulfilled("out: x", "#pragma omp taskwait\n", "in: x"), ""); // which may wait for the event
  EXPECT_EQ(fulfilled("out: x", "    if (y) return;\n", "in: x"), "");
  EXPECT_EQ(fulfilled("in: x", "", "in: x"), ""); // orders no reader
  EXPECT_EQ(fulfilled("out: z", "", "in: x").find("fulfill"), std::string::npos);
}

TEST(RepairOfWaits, AnEventIsFulfilledBeforeTheWaitForItsTask) {
  const auto fulfilled = [](const std::string& call) {
    return edits_of("a.c",
                    "void f(void) {\n#pragma omp task detach(event)\n  x++;\n#pragma omp taskwait @1\n" + call + "}",
                    [](const Marks& marks) {
                      return of_rule(Rule::dependence_cycle, marks['1'], {}, "2 tasks wait for each other in a circle");
                    });
  };
  EXPECT_EQ(fulfilled("  omp_fulfill_event(event);\n"), "+4 omp_fulfill_event(event);\n-5");
  EXPECT_EQ(fulfilled("  if (late) {\n    omp_fulfill_event(event);\n  }\n"), "");
  EXPECT_EQ(fulfilled("  omp_fulfill_event(other);\n"), "");
}

TEST(RepairOfWaits, AnIterationWaitsForOneThatComesBefore) {
  const auto sink = [](const std::string& arguments) {
    return edits_of("a.c", "#pragma omp ordered depend(sink: " + arguments + ") @1\n",
                    [](const Marks& marks) { return of_rule(Rule::dependence_cycle, marks['1']); });
  };
  EXPECT_EQ(sink("i + 2"), "=1 #pragma omp ordered depend(sink: i - 2)");
  EXPECT_EQ(sink("i + 1, j"), "");
}

TEST(RepairOfWaits, ABarrierStandsInFrontOfTheConstructThatReads) {
  const auto between = [](const std::string& construct, const std::string& before = "") {
    return edits_of(
        "a.c",
        "double part[64];\nvoid f(void) {\n#pragma omp parallel\n  {\n    int me = omp_get_thread_num();\n" + before +
            "    part[me] = work(me); @1\n" + construct +
            "    for (int t = 0; t < 4; t++)\n      sum += part[t]; @2\n  }\n}",
        [](const Marks& marks) {
          return race(Cause::missing_barrier, "part", in_thread(marks['1']), in_thread(marks['2'], AccessType::read));
        });
  };
  for (const char* construct : {"master", "masked", "single", "for"})
    EXPECT_EQ(between(std::string("#pragma omp ") + construct + "\n"), "+7 #pragma omp barrier");
  EXPECT_EQ(between("    if (me < 3)\n#pragma omp master\n"), "");
  EXPECT_EQ(between("#pragma omp master\n", "    if (me > 3) return;\n"), "");
}

TEST(RepairOfWaits, ABarrierComesBehindTheCondition) {
  const auto mismatch = [](const std::string& head, const std::string& tail) {
    return edits_of("a.c",
                    "void f(void) {\n#pragma omp parallel\n  {\n    " + head +
                        " {\n      x = 1;\n#pragma omp barrier @1\n    }" + "\n    " + tail + "\n  }\n}",
                    [](const Marks& marks) { return of_rule(Rule::barrier_mismatch, marks['1']); });
  };
  EXPECT_EQ(mismatch("if (me == 0)", "use(x);"), "=6 }\n=7 #pragma omp barrier");
  EXPECT_EQ(mismatch("if (me == 0)", "else use(x);"), "");
  EXPECT_EQ(mismatch("for (int i = 0; i < me; i++)", "use(x);"), "");
}

TEST(RepairOfWaits, ABarrierOfAFunctionComesOutOfItsCondition) {
  const auto moved = [](const std::string& inside, const std::string& before) {
    return edits_of("a.c", "void f(int me) {\n" + before + "  if (me < 3) {\n" + inside + "  }\n  z++;\n}\n",
                    [](const Marks& marks) { return of_rule(Rule::barrier_mismatch, marks['1']); });
  };
  EXPECT_EQ(moved("#pragma omp barrier @1\n    x++;\n", "  y++;\n"), "=3 #pragma omp barrier\n=4 if (me < 3) {");
  EXPECT_EQ(moved("    x++;\n#pragma omp barrier @1\n", "  y++;\n"), "=5 }\n=6 #pragma omp barrier");
  EXPECT_EQ(moved("#pragma omp barrier @1\n    x++;\n", "  if (me == 7) return;\n"), "");
}

TEST(RepairOfWaits, AnIterationEndsWithABarrierWhereTheNextOneWritesAgain) {
  const auto steps = [](const std::string& head, const std::string& between) {
    return edits_of("a.c",
                    "void f(int n) {\n#pragma omp parallel\n  {\n    int me = number();\n    " + head +
                        " {\n      a[me] = 1; @1\n" + between + "      use(a[me + 1]); @2\n    }\n  }\n}",
                    [](const Marks& marks) {
                      Diagnostic out = race(Cause::missing_mutual_exclusion, "a", in_thread(marks['1']),
                                            in_thread(marks['2'], AccessType::read));
                      out.whole_variable = false;
                      return out;
                    });
  };
  EXPECT_EQ(steps("for (int i = 0; i < n; i++)", "#pragma omp barrier\n"), "+9 #pragma omp barrier");
  EXPECT_EQ(steps("for (int i = 0; i < me; i++)", "#pragma omp barrier\n"), "");
  EXPECT_EQ(steps("for (int i = 0; i < n; i++)", "      if (a[me]) continue;\n#pragma omp barrier\n"), "");
  EXPECT_EQ(steps("for (int i = 0; i < n; i++)", ""), "");
}

TEST(RepairOfWaits, ATaskloopWaitsWithoutNogroup) {
  const auto loops = [](const std::string& clause) {
    return edits_of("a.c",
                    "void f(void) {\n#pragma omp taskloop" + clause +
                        " @1\n  for (int i = 0; i < n; i++) a[i] = i; @2\n#pragma omp taskloop @3\n  for (int i = 0; i "
                        "< n; i++) use(a[i]); @4\n}",
                    [](const Marks& marks) {
                      return race(Cause::missing_taskwait, "a",
                                  {marks['2'], AccessType::write, marks['1'], TaskKind::explicit_, {}},
                                  {marks['4'], AccessType::read, marks['3'], TaskKind::explicit_, {}});
                    });
  };
  EXPECT_EQ(loops(" nogroup"), "=2 #pragma omp taskloop");
  EXPECT_EQ(loops(""), "");
}

TEST(RepairOfWaits, ATaskWithTheDependenceWaitsForItsChild) {
  const auto child = [](const std::string& clause) {
    return edits_of("a.c",
                    "void f(void) {\n#pragma omp task depend(out: x) @1\n  {\n#pragma omp task @2\n    x = 1; @3\n  "
                    "}\n#pragma omp task" +
                        clause + " @4\n  y = x; @5\n}",
                    [](const Marks& marks) {
                      Diagnostic out = race(Cause::missing_taskwait, "x", in_thread(marks['3']),
                                            in_thread(marks['5'], AccessType::read));
                      const auto task = [](std::uint32_t id, const SourcePlace& created) {
                        return LineageTask{TaskId{id}, "task", created, 0};
                      };
                      const LineageTask creator = task(1, {});
                      out.participants = {{"write", marks['3'], {task(3, marks['2']), task(2, marks['1']), creator}},
                                          {"read", marks['5'], {task(4, marks['4']), creator}}};
                      return out;
                    });
  };
  EXPECT_EQ(child(" depend(in: x)"), "+6 #pragma omp taskwait");
  EXPECT_EQ(child(""), "");
}

TEST(RepairOfWaits, ATaskwaitNamesWhatTheTaskNames) {
  const auto waiting = [](const std::string& clause) {
    return edits_of("a.c",
                    "void f(void) {\n#pragma omp task depend(out: x[0:8]) @1\n  x[7] = 1; @2\n#pragma omp taskwait" +
                        clause + "\n  y = x[7]; @3\n}",
                    [](const Marks& marks) {
                      Diagnostic out = race(Cause::missing_taskwait, "x",
                                            {marks['2'], AccessType::write, marks['1'], TaskKind::explicit_, {}},
                                            in_thread(marks['3'], AccessType::read));
                      out.whole_variable = false;
                      out.edits = {{marks['3'], "#pragma omp taskwait", false}};
                      return out;
                    });
  };
  EXPECT_EQ(waiting(" depend(in: x[4:4])"), "=4 #pragma omp taskwait depend(in: x[0:8])");
  EXPECT_EQ(waiting(" depend(in: y)"), "=4 #pragma omp taskwait depend(in: x[0:8])");
  EXPECT_EQ(waiting(" depend(in: x[0:8])"), "");
}

TEST(RepairOfWaits, AReductionWithNowaitGetsItsBarrierBack) {
  EXPECT_EQ(edits_of("a.c", R"(void f(void) {
#pragma omp parallel
  {
#pragma omp for reduction(+: sum) nowait @1
    for (int i = 0; i < n; i++) sum += i;
#pragma omp masked
    sum = 0; @2
  }
})",
                     [](const Marks& marks) {
                       return race(Cause::one_side_locked, "sum", in_thread(marks['2']),
                                   in_thread(marks['1'], AccessType::read, {{MutexKind::atomic, marks['1']}}));
                     }),
            "=4 #pragma omp for reduction(+: sum)");
}

/// How many causes two variables have that one task writes and the next one reads, and what is said of the second.
std::pair<std::size_t, std::size_t> causes_of_two(const std::string& head) {
  const Workspace workspace;
  const std::string file = workspace.write("a.c", "int x, y;\nvoid f(void) {\n  " + head +
                                                      " {\n#pragma omp task\n    { x = 1; y = 2; }\n#pragma omp "
                                                      "task\n    use(x, y);\n  }\n}\n");
  std::vector<Diagnostic> all;
  for (const std::string variable : {"x", "y"}) {
    const SourcePlace first{file, 4, 1}, second{file, 6, 1};
    Diagnostic one =
        race(Cause::missing_dependence, variable, {{file, 5, 7}, AccessType::write, first, TaskKind::explicit_, {}},
             {{file, 7, 9}, AccessType::read, second, TaskKind::explicit_, {}});
    one.whole_variable = variable == "x"; // of the other one no item can be named
    one.declared = {variable == "x" ? file : "", 1, 1};
    one.message = "data race: " + variable;
    one.fingerprint = variable;
    one.notes.push_back({Note::Kind::other_access, "the other access", {}, {file, 7, 9}});
    one.notes.push_back({Note::Kind::fix, "fix: change it", {}, one.place});
    one.participants = {{"write", one.place, {{TaskId{2}, "task", first, 0}, {TaskId{1}, "task", {}, 0}}},
                        {"read", {file, 7, 9}, {{TaskId{3}, "task", second, 0}, {TaskId{1}, "task", {}, 0}}}};
    all.push_back(std::move(one));
  }
  SourceText sources(workspace.folder().string());
  const auto causes = grouped_by_cause(std::move(all), sources);
  return {causes.size(), causes.front().also.size()};
}

TEST(RepairOfDependences, WhatTheSameTwoTasksDoIsOneCause) {
  EXPECT_EQ(causes_of_two(""), std::pair(std::size_t{1}, std::size_t{1}));
  EXPECT_EQ(causes_of_two("for (int i = 0; i < n; i++)"),
            std::pair(std::size_t{1}, std::size_t{1})); // the item orders each with each
}

// ---- dependences, lanes, teams, atomic operations
// ---------------------------------------------------------------------

TEST(RepairOfDependences, WhatAFunctionWritesByAParameterIsDeclaredSo) {
  const auto written = [](const std::string& clauses) {
    return edits_of("a.c",
                    "static void add(const double* a, double* c) {\n  c[0] += a[0]; @1\n}\nvoid f(void) {\n#pragma omp "
                    "task " +
                        clauses + " @2\n  add(t[i], t[j]); @3\n}",
                    [](const Marks& marks) {
                      const Site site{marks['1'], AccessType::write, marks['2'], TaskKind::explicit_, {}};
                      Diagnostic out = race(Cause::wrong_dependence_type, "t", site, site);
                      out.whole_variable = false;
                      out.stack = {frame("add", marks['1']), frame("f", marks['3'])};
                      return out;
                    });
  };
  EXPECT_EQ(written("depend(in: t[i]) depend(in: t[j])"), "=5 #pragma omp task depend(in: t[i]) depend(inout: t[j])");
  EXPECT_EQ(written("depend(in: t[i], t[j][0])"), "=5 #pragma omp task depend(in: t[i]) depend(inout: t[j][0])");
  EXPECT_EQ(written("depend(in: t[i], t[k])"), "");
}

TEST(RepairOfLocks, OneGuardTakesTwoMutexes) {
  const auto guards = [](const std::string& second, const std::string& then = "x++;") {
    return edits_of("a.cpp",
                    "void move(account& a, account& b) {\n  std::lock_guard<std::mutex> one(a.lock); @1\n  " + second +
                        " @2\n  " + then + "\n}\n",
                    [](const Marks& marks) {
                      return of_rule(Rule::lock_order_cycle, marks['2'], {marks['1'], marks['2'], marks['1']});
                    });
  };
  const std::string other = "std::lock_guard<std::mutex> other(b.lock);";
  EXPECT_EQ(guards(other), "=2 std::scoped_lock one(a.lock, b.lock);\n-3");
  EXPECT_EQ(guards("std::unique_lock<std::mutex> other(b.lock);"), ""); // may be unlocked earlier
  EXPECT_EQ(guards(other, "use(other);"), "");
}

/// Two tasks that call functions with elements of one array; the second of them has this clause more.
std::string of_arguments(const std::string& first, const std::string& second, bool has_no_match = false) {
  return edits_of_group(
      "a.c",
      std::string(has_no_match ? "double b[9][9]; " : "") +
          "void put(double* to) {\n  to[0] = 1; @1\n}\nvoid get(const double* from) {\n  sum += from[0]; "
          "@2\n}\n"
          "void f(void) {\n  for (int s = 0; s < 9; s++) {\n#pragma omp task depend(" +
          first + ") @3\n    put(b[s]); @4\n#pragma omp task depend(" + second + ") @5\n    get(b[s]); @6\n  }\n}\n",
      [&](const Marks& marks) {
        Diagnostic out = race(Cause::missing_dependence, "b",
                              Site{marks['1'], AccessType::write, marks['3'], TaskKind::explicit_, {}},
                              Site{marks['2'], AccessType::read, marks['5'], TaskKind::explicit_, {}});
        out.whole_variable = false;
        out.sites[1].place.column = 10;
        out.stack = {frame("put", marks['1']), frame("f", marks['4'])};
        out.notes.insert(out.notes.begin(), Note{Note::Kind::other_access, "the other access", {}, marks['2']});
        out.notes.front().stack = {frame("get", marks['2']), frame("f", marks['6'])};
        std::vector<Diagnostic> all{std::move(out)};
        if (has_no_match) all.push_back(of_rule(Rule::unmatched_dependence, marks['5']));
        return all;
      });
}

TEST(RepairOfDependences, AClauseThatNamesAnotherElementNamesWhatTheTaskHandsOver) {
  EXPECT_EQ(of_arguments("out: b[s][0]", "in: b[s][1]", true), "=11 #pragma omp task depend(in: b[s][0])");
  EXPECT_EQ(of_arguments("out: b[s][0]", "in: b[s][1]"),
            "=11 #pragma omp task depend(in: b[s][1]) depend(in: b[s][0])");
  EXPECT_EQ(of_arguments("out: b[s + 1][0]", "in: b[s][1]", true), "");
}

TEST(RepairOfDependences, WhatATaskHandsToAFunctionItNames) {
  EXPECT_EQ(of_arguments("in: a[s], b[s]", "in: b[s]"), "=9 #pragma omp task depend(in: a[s]) depend(inout: b[s])");
  EXPECT_EQ(of_arguments("out: b[s]", "in: a[s]"), "=11 #pragma omp task depend(in: a[s]) depend(in: b[s])");
  EXPECT_EQ(of_arguments("out: a[s]", "in: a[s]"), "");
  EXPECT_EQ(of_arguments("out: b[s][0:n]", "in: a[s]"), "=11 #pragma omp task depend(in: a[s]) depend(in: b[s][0:n])");
}

TEST(RepairOfDependences, AParameterChoosesTheElement) {
  const auto smoothed = [](const std::string& get, const std::string& arguments = "a, i") {
    return edits_of("a.c",
                    "void put(double* to, int k) {\n  to[k] = 1; @1\n}\nvoid get(const double* from, int k) {\n  " +
                        get +
                        " @2\n}\nvoid f(void) {\n#pragma omp task depend(out: a[i]) @3\n    put(a, i); @4\n"
                        "#pragma omp task depend(in: a[i]) @5\n    get(" +
                        arguments + "); @6\n}\n",
                    [](const Marks& marks) {
                      Diagnostic out = race(Cause::missing_dependence, "heap",
                                            Site{marks['1'], AccessType::write, marks['3'], TaskKind::explicit_, {}},
                                            Site{marks['2'], AccessType::read, marks['5'], TaskKind::explicit_, {}});
                      out.sites[1].place.column = 10;
                      out.stack = {frame("put", marks['1']), frame("f", marks['4'])};
                      out.notes.push_back(Note{Note::Kind::other_access, "the other access", {}, marks['2']});
                      out.notes.front().stack = {frame("get", marks['2']), frame("f", marks['6'])};
                      return out;
                    });
  };
  EXPECT_EQ(smoothed("sum += from[k - 1];"), "=10 #pragma omp task depend(in: a[i]) depend(in: a[i - 1])");
  EXPECT_EQ(smoothed("sum += from[k - 1];", "a, i + 2"),
            "=10 #pragma omp task depend(in: a[i]) depend(in: a[(i + 2) - 1])");
  EXPECT_EQ(smoothed("sum += from[k - l];"), "");
  EXPECT_EQ(smoothed("sum += from[k - 1]; k++;"), "");
}

TEST(RepairOfDependences, OfFortranNameTheElementsThatTheyRead) {
  const auto read = [](const std::string& clause, const std::string& statement) {
    return edits_of("a.f90",
                    "subroutine f\n  do i = 1, n\n  !$omp task depend(out: x(i)) @3\n  x(i) = i @1\n  !$omp end task\n"
                    "  end do\n  do i = 2, n\n  !$omp task " +
                        clause + " @4\n  " + statement + " @2\n  !$omp end task\n  end do\nend subroutine\n",
                    [](const Marks& marks) {
                      Diagnostic out = race(Cause::missing_dependence, "x",
                                            {marks['1'], AccessType::write, marks['3'], TaskKind::explicit_, {}},
                                            {marks['2'], AccessType::read, marks['4'], TaskKind::explicit_, {}});
                      out.whole_variable = false;
                      return out;
                    });
  };
  EXPECT_EQ(read("depend(in: x(i))", "y(i) = x(i) + x(i-1)"), "=8 !$omp task depend(in: x(i)) depend(in: x(i-1))");
  EXPECT_EQ(read("depend(in: x(i))", "y(i) = x(i) + x(k)"), ""); // k may have changed by then
  EXPECT_EQ(read("depend(in: x(i))", "y(i) = sum(x(1:i))"), "");
}

TEST(RepairOfDependences, OfFortranNameTheTilesThatTheyHandOver) {
  const auto summed = [](const std::string& clause, const std::string& statement) {
    return edits_of("a.f90",
                    "subroutine fill(t)\n  t(1, 1) = 1 @1\nend subroutine\nsubroutine add(s, t)\n  " + statement +
                        " @2\nend subroutine\nsubroutine f\n  !$omp task depend(out: a(1,1,k)) @3\n"
                        "  call fill(a(:,:,k)) @4\n  !$omp end task\n  !$omp task " +
                        clause + " @5\n  call add(a(:,:,k-1), a(:,:,k)) @6\n  !$omp end task\nend subroutine\n",
                    [](const Marks& marks) {
                      Diagnostic out = race(Cause::missing_dependence, "tiles::a",
                                            Site{marks['1'], AccessType::write, marks['3'], TaskKind::explicit_, {}},
                                            Site{marks['2'], AccessType::read, marks['5'], TaskKind::explicit_, {}});
                      out.whole_variable = false;
                      out.stack = {frame("fill", marks['1']), frame("f", marks['4'])};
                      out.notes.push_back(Note{Note::Kind::other_access, "the other access", {}, marks['2']});
                      out.notes.front().stack = {frame("add", marks['2']), frame("f", marks['6'])};
                      return out;
                    });
  };
  EXPECT_EQ(summed("depend(inout: a(1,1,k))", "t(i, j) = t(i, j) + s(i, j)"),
            "=11 !$omp task depend(inout: a(1,1,k)) depend(in: a(1,1,k-1))");
  EXPECT_EQ(summed("depend(inout: b)", "t(i, j) = t(i, j) + s(i, j)"), "") << "it may be t that is read";
  EXPECT_EQ(summed("depend(inout: a(1,1,k))", "call g(s, t)"), "");
}

TEST(RepairOfExclusion, AnElementIsCapturedWithItsDeclaration) {
  const auto captured = [](const std::string& statement) {
    return edits_of("a.c",
                    "void f(void) {\n#pragma omp parallel for\n  for (int i = 0; i < n; i++) {\n    " + statement +
                        " @1\n    row[at] = i;\n  }\n}\n",
                    [](const Marks& marks) {
                      Diagnostic out =
                          race(Cause::missing_mutual_exclusion, "heap:f", in_thread(marks['1']), in_thread(marks['1']));
                      out.whole_variable = false;
                      return out;
                    });
  };
  EXPECT_EQ(captured("int at = fill[key[i]]++;"), "=4 int at;\n+5 #pragma omp atomic capture\n+5 at = fill[key[i]]++;");
  EXPECT_EQ(captured("const int at = fill[key[i]]++;").find("capture"), std::string::npos);
}

TEST(RepairOfLanes, VectorsAreNoLongerThanTheDistanceOrLeftOut) {
  const auto lanes = [](const std::string& directive, std::uint64_t distance) {
    return edits_of(
        "a.c", "void f(void) {\n#pragma omp " + directive + "\n  for (int i = 0; i < n; i++) a[i + k] = a[i]; @1\n}",
        [&](const Marks& marks) {
          Diagnostic out = race(Cause::simd_lanes, "a", in_thread(marks['1']), in_thread(marks['1'], AccessType::read));
          out.whole_variable = false;
          out.lane_distance = distance;
          return out;
        });
  };
  EXPECT_EQ(lanes("simd", 3), "=2 #pragma omp simd safelen(3)");
  EXPECT_EQ(lanes("simd", 1), "-2");
  EXPECT_EQ(lanes("parallel for simd schedule(static)", 1), "=2 #pragma omp parallel for schedule(static)");
  EXPECT_EQ(lanes("simd private(x)", 1), "");
  EXPECT_EQ(lanes("simd safelen(8)", 3), "");
}

TEST(RepairOfTeams, NothingButAnAtomicOperationIsBetweenTeams) {
  const auto counted = [](const std::string& directives, const std::string& more, bool locked) {
    return edits_of("a.c",
                    "void f(void) {\n#pragma omp " + directives + "\n" + (locked ? "#pragma omp critical @2\n" : "") +
                        "  count++; @1\n" + more + "}",
                    [&](const Marks& marks) {
                      Site site = in_thread(marks['1']);
                      if (locked) site.locks = {{MutexKind::critical, marks['2']}};
                      Diagnostic out = race(Cause::missing_mutual_exclusion, "count", site, site);
                      out.between_teams = true;
                      return out;
                    });
  };
  EXPECT_EQ(counted("teams distribute parallel for\n  for (int i = 0; i < n; i++)", "", true), "=4 #pragma omp atomic");
  EXPECT_EQ(counted("parallel", "", false), "+3 #pragma omp atomic");
  EXPECT_EQ(counted("teams", "", false), ""); // an atomic construct may not stand directly in it
  EXPECT_EQ(counted("parallel", "#pragma omp critical\n  count = 0;\n", true), "");
}

TEST(RepairOfAtomics, TheResultOfAnUpdateIsReadInTheSameOperation) {
  const auto drawn = [](const std::string& reader) {
    return edits_of("a.c", "void f(void) {\n#pragma omp atomic update\n  next += 1; @1\n  " + reader + " @2\n}",
                    [](const Marks& marks) {
                      return race(Cause::not_atomic, "next",
                                  in_thread(marks['1'], AccessType::write, {{MutexKind::atomic, marks['1']}}),
                                  in_thread(marks['2'], AccessType::read));
                    });
  };
  EXPECT_EQ(drawn("mine = next;"), "=2 #pragma omp atomic capture\n=3 { next += 1; mine = next; }\n-4");
  EXPECT_EQ(drawn("mine = next + 1;"), "");
}

TEST(RepairOfAtomics, AFlagIsReadAtomically) {
  const auto flag = [](const std::string& clause, const std::string& statement) {
    return edits_of("a.c",
                    "void f(void) {\n#pragma omp atomic" + clause + "\n  " + statement + " @1\n  seen = flag; @2\n}",
                    [](const Marks& marks) {
                      return race(Cause::not_atomic, "flag",
                                  in_thread(marks['1'], AccessType::write, {{MutexKind::atomic, marks['1']}}),
                                  in_thread(marks['2'], AccessType::read));
                    });
  };
  EXPECT_EQ(flag(" write", "flag = 1;"), "+4 #pragma omp atomic read");
  EXPECT_EQ(flag(" write seq_cst", "flag = 1;"), "+4 #pragma omp atomic read");
  EXPECT_EQ(flag("", "flag *= 2;"), "=2 #pragma omp atomic capture\n=3 { flag *= 2; seen = flag; }\n-4");
}

} // namespace
} // namespace fletcher::reports
