// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits for what is held in a wait, for locks that are initialised again or unset by a task inside, and for reductions
// of teams, of loops in lanes and of tasks further below.
#include "test/reports/marked_source.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fletcher::reports {
namespace {

/// A wait at '2', of a thread that holds what it took at '1'.
Diagnostic held_in_wait(const Marks& marks) {
  Diagnostic out = of_rule(Rule::dependence_cycle, marks['2'], {}, "a task holds a lock while it waits");
  out.notes.push_back({Note::Kind::step, "thread 0 holds the lock 'lock', taken here", {}, marks['1']});
  return out;
}

TEST(RepairOfHeldLocks, TheLockIsUnsetWhereItsBlockEnds) {
  const auto held = [](const std::string& later, const std::string& inside = "") {
    return edits_of(
        "a.c",
        "void f(void) {\n#pragma omp parallel\n  {\n    if (me == 0) {\n      omp_set_lock(&lock); @1\n      "
        "x++;\n" +
            inside + "    }\n#pragma omp barrier @2\n    y++;\n" + later + "  }\n}",
        held_in_wait);
  };
  EXPECT_EQ(held("    if (me == 0) omp_unset_lock(&lock);\n"), "+7 omp_unset_lock(&lock);\n-10");
  EXPECT_EQ(held("    omp_unset_lock(&lock);\n"), "+7 omp_unset_lock(&lock);\n-10");
  EXPECT_EQ(held("    omp_unset_lock(&other);\n"), "");
  EXPECT_EQ(held("    if (next()) omp_unset_lock(&lock);\n"), "");
  EXPECT_EQ(held("    omp_unset_lock(&lock);\n", "      if (x > 2) return;\n"), "");
}

TEST(RepairOfHeldLocks, TheLockIsSetAgainBehindTheWait) {
  const auto held = [](const std::string& wait, const std::string& before = "") {
    return edits_of("a.c",
                    "void f(void) {\n#pragma omp single\n  {\n    omp_set_lock(&lock); @1\n    y++;\n" + before + wait +
                        "    x++;\n    omp_unset_lock(&lock);\n  }\n}",
                    held_in_wait);
  };
  EXPECT_EQ(held("#pragma omp taskwait @2\n"), "+6 omp_unset_lock(&lock);\n+7 omp_set_lock(&lock);");
  EXPECT_EQ(held("#pragma omp taskgroup\n    {\n#pragma omp task\n      y++;\n    } @2\n"),
            "+6 omp_unset_lock(&lock);\n+11 omp_set_lock(&lock);");
  EXPECT_EQ(held("#pragma omp taskwait @2\n", "    if (x) return;\n"), "");
  EXPECT_EQ(held("    if (x) {\n#pragma omp taskwait @2\n    }\n"), "");
}

TEST(RepairOfHeldLocks, ACriticalConstructAroundTasksThatEnterItIsNotNeeded) {
  const auto around = [](const std::string& more) {
    return edits_of("a.c",
                    "void f(void) {\n#pragma omp critical(total) @1\n  {\n" + more +
                        "#pragma omp taskloop @2\n    for (int i = 0; i < n; i++) add(i);\n  }\n}",
                    held_in_wait);
  };
  EXPECT_EQ(around(""), "-2");
  EXPECT_EQ(around("    x++;\n"), "");
}

TEST(RepairOfHeldLocks, ACriticalConstructInOneOfItsNameGetsAnotherName) {
  const auto nested = [](const std::string& inner, const std::string& outer) {
    return edits_of(
        "a.c",
        "void g(void) {\n#pragma omp critical(account) @2\n  " + inner +
            "\n}\nvoid f(void) {\n#pragma omp critical(account) @1\n  {\n    " + outer + "\n    g();\n  }\n}",
        [](const Marks& marks) {
          Diagnostic out = of_rule(Rule::dependence_cycle, marks['2'], {}, "dependence cycle: a task waits for itself");
          out.notes.push_back({Note::Kind::step, "thread 0 acquired it here", {}, marks['1']});
          return out;
        });
  };
  EXPECT_EQ(nested("entries++;", "balance += amount;"), "=2 #pragma omp critical(entries_update)");
  EXPECT_EQ(nested("entries++;", "entries += amount;"), "");
  EXPECT_EQ(nested("entries += next();", "balance += amount;"), "");
}

// ---- locks
// ------------------------------------------------------------------------------------------------------------

TEST(RepairOfLockCalls, ALockThatIsInitialisedBeforeIsNotInitialisedAgain) {
  const auto again = [](const std::string& first, const std::string& second) {
    return edits_of("a.c",
                    "void f(void) {\n  omp_init_lock(" + first + "); @1\n#pragma omp parallel\n  {\n" + second +
                        "    omp_init_lock(&table.lock); @2\n    use();\n  }\n}",
                    [](const Marks& marks) {
                      return of_rule(Rule::lock_misuse, marks['2'], {marks['1']}, "lock is initialised again");
                    });
  };
  EXPECT_EQ(again("&table.lock", ""), "-5");
  EXPECT_EQ(again("&table.lock", "#pragma omp critical\n"), "-5\n-6");
  EXPECT_EQ(again("&table.lock", "    if (late)\n"), "");
  EXPECT_EQ(again("&other.lock", ""), "");
}

/// Another thread waits for the lock that an iteration has left set in front of the statement.
std::string left_by(const std::string& statement) {
  return edits_of("a.c",
                  "void f(void) {\n#pragma omp for @2\n  for (int i = 0; i < n; i++) {\n    omp_set_lock(&lock); @1\n" +
                      statement + "    x++;\n    omp_unset_lock(&lock);\n  }\n}\n",
                  [](const Marks& marks) {
                    Diagnostic out = of_rule(Rule::dependence_cycle, marks['1']);
                    out.message = "dependence cycle: 2 tasks wait for each other in a circle";
                    out.notes.push_back({Note::Kind::step, "thread 1 waits here for the lock 'lock'", {}, marks['1']});
                    out.notes.push_back({Note::Kind::step, "thread 0 acquired it here", {}, marks['1']});
                    out.notes.push_back({Note::Kind::step, "thread 0 waits at a barrier", {}, marks['2']});
                    return out;
                  });
}

TEST(RepairOfHeldLocks, AnIterationUnsetsItsLockBeforeItGoesOnWithTheNext) {
  EXPECT_EQ(left_by("    if (i == 3) continue;\n"), "=5 if (i == 3) { omp_unset_lock(&lock); continue; }");
  EXPECT_EQ(left_by("    for (int j = 0; j < i; j++) {\n      if (j == 3) continue;\n    }\n"), "");
  EXPECT_EQ(left_by("    for (int j = 0; j < i; j++)\n      if (j == 3) continue;\n"), "");
  EXPECT_EQ(left_by("    y++;\n"), "");
}

TEST(RepairOfLockCalls, ALockIsUnsetBehindTheConstructInItsBlock) {
  const auto inside = [](const std::string& construct, const std::string& before = "") {
    return edits_of("a.c",
                    "void f(void) {\n  omp_set_lock(&lock); @1\n#pragma omp " + construct + "\n  {\n" + before +
                        "    x++;\n    omp_unset_lock(&lock); @2\n  }\n}",
                    [](const Marks& marks) {
                      return of_rule(Rule::lock_misuse, marks['2'], {marks['1']}, "which another task has set");
                    });
  };
  EXPECT_EQ(inside("task if(0)"), "-6\n+8 omp_unset_lock(&lock);");
  EXPECT_EQ(inside("parallel"), "-6\n+8 omp_unset_lock(&lock);");
  EXPECT_EQ(inside("single"), "");
  EXPECT_EQ(inside("task if(0)", "    omp_set_lock(&lock);\n"), "");
}

// ---- reductions
// -------------------------------------------------------------------------------------------------------

TEST(RepairOfReductions, WhatALoopAddsUpMayBeWrittenAtItsEnd) {
  const auto summed = [](const std::string& construct) {
    return edits_of("a.c",
                    "void f(void) {\n  int sum = 0; @3\n#pragma omp parallel\n#pragma omp single\n#pragma omp " +
                        construct + " @1\n  for (int i = 0; i < n; i++)\n    sum += a[i]; @2\n}",
                    [](const Marks& marks) {
                      const Site end{marks['1'], AccessType::write, marks['1'], TaskKind::explicit_, {}},
                          step{marks['2'], AccessType::read, marks['1'], TaskKind::explicit_, {}};
                      Diagnostic out = race(Cause::missing_mutual_exclusion, "sum", end, step);
                      out.declared = marks['3'];
                      return out;
                    });
  };
  EXPECT_EQ(summed("taskloop simd"), "=5 #pragma omp taskloop simd reduction(+: sum)");
  EXPECT_EQ(summed("taskloop simd nogroup"), "");
}

TEST(RepairOfReductions, TasksOfAFunctionTakePart) {
  const auto part = [](const std::string& group) {
    return edits_of("a.c",
                    "static int total;\nvoid walk(int n) {\n#pragma omp task @2\n  total += n; @1\n}\nvoid f(void) "
                    "{\n#pragma omp taskgroup " +
                        group + "\n  walk(4);\n}",
                    [](const Marks& marks) {
                      const Site site{marks['1'], AccessType::write, marks['2'], TaskKind::explicit_, {}};
                      return race(Cause::missing_mutual_exclusion, "total", site, site);
                    });
  };
  EXPECT_EQ(part("task_reduction(+ : total)"), "=3 #pragma omp task in_reduction(+: total)");
  EXPECT_EQ(part("task_reduction(* : total)"), "");
}

TEST(RepairOfLocks, ASectionIsAsLongAsItsAccesses) {
  const auto deposit = [](const std::string& body, AccessType outside = AccessType::write) {
    return edits_of("a.c", "void deposit(struct account* a, long amount) {\n  long sum;\n" + body + "}\n",
                    [&](const Marks& marks) {
                      return race(Cause::one_side_locked, "acc", in_thread(marks['1'], outside),
                                  in_thread(marks['2'], AccessType::read, {{MutexKind::lock, marks['3']}}));
                    });
  };
  const std::string section =
                        "  omp_set_lock(&a->lock); @3\n  sum = a->balance + amount; @2\n  omp_unset_lock(&a->lock);\n",
                    write = "  a->balance = sum; @1\n";
  EXPECT_EQ(deposit(section + write), "-5\n+7 omp_unset_lock(&a->lock);");
  EXPECT_EQ(deposit(section + "  log(amount);\n" + write), "-5\n+8 omp_unset_lock(&a->lock);");
  EXPECT_EQ(deposit(section + "  if (sum < 0) return;\n" + write), "");
  EXPECT_EQ(deposit(section + "  omp_set_lock(&other);\n" + write), "");
  EXPECT_EQ(deposit(section + "#pragma omp taskwait\n" + write), "");
  EXPECT_EQ(deposit("  sum = a->balance; @1\n  omp_set_lock(&lock); @3\n  a->balance = sum + amount; @2\n  "
                    "omp_unset_lock(&lock);\n",
                    AccessType::read),
            "+3 omp_set_lock(&lock);\n-4");
  EXPECT_EQ(deposit("  if (amount) {\n  " + section + "  }\n" + write), "");
}

TEST(RepairOfLocks, ACriticalConstructIsAsLongAsItsAccesses) {
  const auto counted = [](const std::string& block, const std::string& behind) {
    return edits_of(
        "a.c",
        "int next;\nvoid f(void) {\n#pragma omp parallel for\n  for (int i = 0; i < n; i++) {\n    int id;\n"
        "#pragma omp critical @3\n" +
            block + behind + "  }\n}\n",
        [](const Marks& marks) {
          return race(Cause::one_side_locked, "next", in_thread(marks['1']),
                      in_thread(marks['2'], AccessType::read, {{MutexKind::critical, marks['3']}}));
        });
  };
  const std::string block = "    {\n      id = next; @2\n    }\n";
  EXPECT_EQ(counted(block, "    use(id);\n    next = id + 1; @1\n"), "-9\n+12 }");
  EXPECT_EQ(counted(block, "    if (id < 0) continue;\n    next = id + 1; @1\n"), "");
  EXPECT_EQ(counted(block, "#pragma omp critical (other)\n    use(id);\n    next = id + 1; @1\n"), "");
  EXPECT_EQ(counted("    id = next; @2\n", "    next = id + 1; @1\n"), "");
}

TEST(RepairOfLocks, StatementsThatChangeAnObjectTogetherAreInOneConstruct) {
  const auto pushed = [](const std::string& statements) {
    return edits_of_group(
        "a.c",
        "void push(struct queue* q, int v) {\n" + statements +
            "}\nint pop(struct queue* q) {\n#pragma omp critical (queue) @3\n  return q->item[q->head++]; @4\n}\n",
        [](const Marks& marks) {
          const Site locked = in_thread(marks['4'], AccessType::read, {{MutexKind::critical, marks['3']}});
          return std::vector{race(Cause::one_side_locked, "q", in_thread(marks['1']), locked),
                             race(Cause::one_side_locked, "q", in_thread(marks['2']), locked)};
        });
  };
  EXPECT_EQ(pushed("  q->item[q->tail] = v; @1\n  q->tail++; @2\n"), "+2 #pragma omp critical (queue)\n+2 {\n+4 }");
  EXPECT_EQ(pushed("  q->item[q->tail] = v; @1\n  log(v);\n  q->tail++; @2\n"), "");
  EXPECT_EQ(pushed("  q->item[0] = v; @1\n  q->tail = 1; @2\n"), "") << "either may have to come first";
}

TEST(RepairOfReductions, TeamsHaveCopies) {
  const auto counted = [](const std::string& statement, const std::string& more = "") {
    return edits_of("a.c",
                    "void f(void) {\n  int count = 0; @2\n#pragma omp teams shared(count)\n  {\n    " + statement +
                        " @1\n" + more + "  }\n}",
                    [](const Marks& marks) {
                      Diagnostic out =
                          race(Cause::missing_mutual_exclusion, "count", in_thread(marks['1']), in_thread(marks['1']));
                      out.between_teams = true;
                      out.declared = marks['2'];
                      return out;
                    });
  };
  EXPECT_EQ(counted("count++;"), "=3 #pragma omp teams reduction(+: count)");
  EXPECT_EQ(counted("count = 2 * count + 1;"), "");
  EXPECT_EQ(counted("count++;", "    use(count);\n"), "");
}

TEST(RepairOfDependences, AWholeArrayOfFortranIsAnItem) {
  const auto tasks = [](const std::string& second) {
    return edits_of("a.f90",
                    "subroutine f\n  integer :: a(200), b(200)\n  !$omp task @3\n  a = 0 @1\n  !$omp end task\n  !$omp "
                    "task @4\n  " +
                        second + " @2\n  !$omp end task\nend subroutine",
                    [](const Marks& marks) {
                      Diagnostic out = race(Cause::missing_dependence, "a",
                                            {marks['1'], AccessType::write, marks['3'], TaskKind::explicit_, {}},
                                            {marks['2'], AccessType::read, marks['4'], TaskKind::explicit_, {}});
                      out.whole_variable = false;
                      return out;
                    });
  };
  EXPECT_EQ(tasks("b = a"), "=3 !$omp task depend(inout: a)\n=6 !$omp task depend(in: a)");
  EXPECT_EQ(tasks("b(1) = a(2)"), "");
}

} // namespace
} // namespace fletcher::reports
