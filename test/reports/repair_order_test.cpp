// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits by which all threads come to a construct, a lock is set and unset by one task, the last iteration sets a value,
// and updates that may come in any order become atomic.
#include "test/reports/marked_source.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace fletcher::reports {
namespace {

// ---- constructs of a part of the team
// ---------------------------------------------------------------------------------

std::string part_of_team(const std::string& in_region, const std::string& functions = "") {
  return edits_of("a.c", functions + "void f(void) {\n#pragma omp parallel @2\n  {\n" + in_region + "\n  }\n}",
                  [](const Marks& marks) { return of_rule(Rule::barrier_mismatch, marks['1']); });
}

TEST(RepairOfTeamConstructs, TheConditionGoesWhereTheConstructIsAllThatItIsOf) {
  const auto single = [](const std::string& condition, const std::string& more = "") {
    return part_of_team("    if " + condition + " {\n#pragma omp single @1\n      x++;\n" + more + "    }");
  };
  EXPECT_EQ(single("(even)"), "=4 {");
  EXPECT_EQ(single("(omp_get_thread_num() % 2 == 0)"), "=4 {");
  EXPECT_EQ(single("(next() > 2)"), "");
  EXPECT_EQ(single("(seen = flag)"), "");
  EXPECT_EQ(single("(n--)"), "");
  EXPECT_EQ(single("(even)", "      y++;\n"), "");
  EXPECT_EQ(single("(even)", "#pragma omp atomic\n      y++;\n"), "");
  EXPECT_EQ(part_of_team("    while (even) {\n#pragma omp single @1\n      x++;\n    }"), "");
  EXPECT_EQ(part_of_team("    if (none) return;\n    if (even) {\n#pragma omp single @1\n      x++;\n    }"), "");
}

TEST(RepairOfTeamConstructs, TheOtherBranchKeepsItsCondition) {
  const std::string loop = "#pragma omp for @1\n      for (int i = 0; i < n; i++) a[i] = i;\n";
  EXPECT_EQ(part_of_team("    if (me == 0) {\n" + loop + "    } else {\n      x = 1;\n    }"),
            "=4 {\n=7 }\n+8 if (!(me == 0)) {");
  EXPECT_EQ(part_of_team("    if (me == 0) {\n      x = 1;\n    } else {\n" + loop + "    }"), "=6 }\n+7 {");
  EXPECT_EQ(part_of_team("    if (me == 0) {\n#pragma omp single\n      x = 1;\n    } else {\n" + loop + "    }"),
            "=4 {\n=7 }\n+8 {");
  // Of two loops each iteration would be executed twice.
  EXPECT_EQ(part_of_team("    if (me == 0) {\n#pragma omp for\n      for (int i = 0; i < n; i++) a[i] = 0;\n    } else "
                         "{\n" +
                         loop + "    }"),
            "");
  EXPECT_EQ(part_of_team("    if (me == 0) {\n#pragma omp barrier\n      x = 1;\n    } else {\n" + loop + "    }"), "");
}

TEST(RepairOfTeamConstructs, AFunctionThatIsNothingElseIsCalledByAll) {
  const auto called = [](const std::string& call, const std::string& more = "") {
    return edits_of("a.c",
                    "static void fill(void) {\n#pragma omp for @1\n  for (int i = 0; i < n; i++) a[i] = i;\n" + more +
                        "}\nvoid f(void) {\n#pragma omp parallel\n  {\n    " + call + " @2\n  }\n}",
                    [](const Marks& marks) {
                      Diagnostic out = of_rule(Rule::barrier_mismatch, marks['1']);
                      out.stack = {frame("fill", marks['1']), frame("f", marks['2'])};
                      return out;
                    });
  };
  EXPECT_EQ(called("if (me != 0) fill();"), "=8 fill();");
  EXPECT_EQ(called("if (me != 0) fill();", "  count();\n"), "");
  EXPECT_EQ(called("if (draw()) fill();"), "");
}

TEST(RepairOfTeamConstructs, TwoRolesMeetAtOneBarrier) {
  const std::string first = "    if (me == 0) {\n      data = 42;\n#pragma omp barrier @1\n", other = "    } else {\n";
  EXPECT_EQ(part_of_team(first + "      x++;\n" + other + "#pragma omp barrier\n      use(data);\n    }"),
            "=6 }\n+7 #pragma omp barrier\n+7 if (me == 0) {\n-9");
  EXPECT_EQ(part_of_team(first + other + "      prepare();\n#pragma omp barrier\n      use(data);\n    }"),
            "=9 }\n+10 #pragma omp barrier\n+10 if (!(me == 0)) {\n-6");
  EXPECT_EQ(
      part_of_team(first + "      x++;\n" + other + "      prepare();\n#pragma omp barrier\n      use(data);\n    }"),
      "");
  EXPECT_EQ(part_of_team("    if (me == 0) {\n      me = 1;\n#pragma omp barrier @1\n" + other +
                         "#pragma omp barrier\n      use(data);\n    }"),
            "");
}

TEST(RepairOfTeamConstructs, ABarrierAtTheEndOfAConstructComesBehindIt) {
  const auto in = [](Rule rule, const std::string& construct, const std::string& behind = "") {
    return edits_of("a.c",
                    "static void next(void) {\n#pragma omp barrier @1\n}\nvoid f(void) {\n#pragma omp parallel\n  "
                    "{\n#pragma omp " +
                        construct + "\n    {\n      x++;\n      next(); @2\n" + behind + "    }\n  }\n}",
                    [&](const Marks& marks) {
                      Diagnostic out = of_rule(rule, marks['1']);
                      out.stack = {frame("next", marks['1']), frame("f", marks['2'])};
                      return out;
                    });
  };
  EXPECT_EQ(in(Rule::barrier_mismatch, "single"), "=10 }\n=11 next();");
  EXPECT_EQ(in(Rule::dependence_cycle, "critical"), "=10 }\n=11 next();");
  EXPECT_EQ(in(Rule::barrier_mismatch, "single", "      x++;\n"), "");
  EXPECT_EQ(in(Rule::barrier_mismatch, "single nowait"), "");
}

// ---- locks
// ------------------------------------------------------------------------------------------------------------

TEST(RepairOfLockCalls, WhoUnsetsALockSetsIt) {
  const auto unset = [](const std::string& before, const std::string& outer = "") {
    return edits_of("a.c",
                    "void f(void) {\n" + outer + "#pragma omp task\n  {\n" + before +
                        "    x++;\n    omp_unset_lock(&lock); @1\n  }\n}",
                    [](const Marks& marks) { return of_rule(Rule::lock_misuse, marks['1'], {}, "not set"); });
  };
  EXPECT_EQ(unset(""), "+4 omp_set_lock(&lock);");
  EXPECT_EQ(unset("#pragma omp taskwait\n"), "");
  EXPECT_EQ(unset("", "  omp_set_lock(&lock);\n"), ""); // it would be set twice
  EXPECT_EQ(edits_of("a.c",
                     "void f(void) {\n#pragma omp task\n  {\n    omp_set_lock(&lock); @1\n    x++;\n  }\n#pragma omp "
                     "task\n  {\n    x++;\n    omp_unset_lock(&lock); @2\n  }\n}",
                     [](const Marks& marks) {
                       return of_rule(Rule::lock_misuse, marks['2'], {marks['1']}, "which another task has set");
                     }),
            "+9 omp_set_lock(&lock);\n+6 omp_unset_lock(&lock);");
}

TEST(RepairOfLockCalls, ALockThatIsUnsetOnceIsSetOnce) {
  const auto twice = [](const std::string& between, const std::string& unset) {
    return edits_of("a.c",
                    "int f(void) {\n  omp_set_lock(&lock); @1\n" + between + "  omp_set_lock(&lock); @2\n  x++;\n" +
                        unset + "  return 0;\n}",
                    [](const Marks& marks) {
                      return of_rule(Rule::lock_misuse, marks['2'], {marks['1']}, "sets lock, which it holds already");
                    });
  };
  const std::string unset = "  omp_unset_lock(&lock);\n";
  EXPECT_EQ(twice("", unset), "-3");
  EXPECT_EQ(twice("", unset + unset), "");
  EXPECT_EQ(twice("  if (x)\n", unset), "");
}

TEST(RepairOfLockCalls, ALockIsDestroyedBehindItsLastUse) {
  const auto destroyed = [](const std::string& behind) {
    return edits_of("a.c", "void f(void) {\n  omp_destroy_lock(&lock); @1\n  omp_set_lock(&lock); @2\n" + behind + "}",
                    [](const Marks& marks) {
                      return of_rule(Rule::lock_misuse, marks['2'], {marks['1']}, "is used after it was destroyed");
                    });
  };
  EXPECT_EQ(destroyed("  x++;\n  omp_unset_lock(&lock);\n"), "-2\n+6 omp_destroy_lock(&lock);");
  EXPECT_EQ(destroyed("  if (x) return;\n  omp_unset_lock(&lock);\n"), "");
  EXPECT_EQ(destroyed("  while (x) {\n    omp_unset_lock(&lock);\n  }\n"), "");
}

TEST(RepairOfLockCalls, TheRoutinesAreThoseOfTheLocksKind) {
  const auto called = [](const std::string& declaration) {
    return edits_of("a.c",
                    declaration + "\nvoid f(void) {\n  omp_init_nest_lock(&lock);\n"
                                  "  omp_set_lock((omp_lock_t*)&lock); @1\n  omp_unset_lock((omp_lock_t*)&lock);\n}",
                    [](const Marks& marks) {
                      return of_rule(Rule::lock_misuse, marks['1'], {}, "a routine for simple locks is called");
                    });
  };
  EXPECT_EQ(called("static omp_nest_lock_t lock;"), "=4 omp_set_nest_lock(&lock);\n=5 omp_unset_nest_lock(&lock);");
  EXPECT_EQ(called("static omp_lock_t lock;"), "=3 omp_init_lock(&lock);\n=4 omp_set_lock(&lock);\n=5 "
                                               "omp_unset_lock(&lock);");
  EXPECT_EQ(called("extern table_t lock;"), "");
}

// ---- events
// -----------------------------------------------------------------------------------------------------------

TEST(RepairOfEvents, AnEventIsFulfilledInsideOfTheTaskgroup) {
  const auto fulfilled = [](const std::string& group) {
    return edits_of("a.c",
                    "void f(void) {\n  omp_event_handle_t event;\n#pragma omp " + group +
                        "\n  {\n#pragma omp task detach(event) @1\n    x++;\n  }\n  omp_fulfill_event(event);\n}",
                    [](const Marks& marks) {
                      return of_rule(Rule::dependence_cycle, marks['1'], {}, "tasks wait for each other in a circle");
                    });
  };
  EXPECT_EQ(fulfilled("taskgroup"), "=7 omp_fulfill_event(event);\n=8 }");
  EXPECT_EQ(fulfilled("single nowait"), "");
}

TEST(RepairOfEvents, WhoFulfilsAnEventDoesNotDependOnItsTask) {
  const auto fulfilled = [](const std::string& body) {
    return edits_of("a.c",
                    "void f(void) {\n#pragma omp task detach(event) depend(out: x) @1\n  x++;\n#pragma omp task "
                    "depend(in: x) firstprivate(event)\n" +
                        body + "}",
                    [](const Marks& marks) {
                      return of_rule(Rule::dependence_cycle, marks['1'], {}, "tasks wait for each other in a circle");
                    });
  };
  EXPECT_EQ(fulfilled("  omp_fulfill_event(event);\n"), "=4 #pragma omp task firstprivate(event)");
  EXPECT_EQ(fulfilled("  {\n    use(x);\n    omp_fulfill_event(event);\n  }\n"), "");
}

// ---- values
// -----------------------------------------------------------------------------------------------------------

std::string set_in_loop(const std::string& directive, const std::string& head, const std::string& statement) {
  return edits_of(
      "a.c", "void f(void) {\n#pragma omp " + directive + "\n  for (" + head + ")\n    " + statement + " @1\n}",
      [](const Marks& marks) {
        Diagnostic out = race(Cause::missing_mutual_exclusion, "last", in_thread(marks['1']), in_thread(marks['1']));
        out.whole_variable = false;
        return out;
      });
}

TEST(RepairOfLoops, TheLastIterationSetsWhatAllWouldSet) {
  const auto headed = [](const std::string& head) { return set_in_loop("parallel for", head, "last[2] = a[i];"); };
  EXPECT_EQ(headed("int i = 0; i < n; i++"), "=4 if (i == n - 1) last[2] = a[i];");
  EXPECT_EQ(headed("long i = 0; i <= n; ++i"), "=4 if (i == n) last[2] = a[i];");
  EXPECT_EQ(headed("int i = n - 1; i >= 0; i--"), "=4 if (i == 0) last[2] = a[i];");
  EXPECT_EQ(headed("int i = n; i > from + 1; i--"), "=4 if (i == (from + 1) + 1) last[2] = a[i];");
  const std::string ordered = "=2 #pragma omp parallel for ordered\n+4 #pragma omp ordered";
  EXPECT_EQ(headed("int i = 0; i < n; i += 2"), ordered);
  EXPECT_EQ(headed("int i = 0; i < size(); i++"), ordered);
  for (const char* other : {"last[i / 2] = a[i];", "last[2] = next();", "last[2] = last[1];", "if (a[i]) last[2] = i;"})
    EXPECT_EQ(set_in_loop("parallel for", "int i = 0; i < n; i++", other), ordered) << other;
  EXPECT_EQ(set_in_loop("teams distribute", "int i = 0; i < n; i++", "last[2] = a[i];"),
            "=4 if (i == n - 1) last[2] = a[i];");
}

TEST(RepairOfLoops, LanesAndLoopsOfAnyOrderGiveWayToAnOrder) {
  const auto neighbours = [](const std::string& directive) {
    return set_in_loop(directive, "int i = 1; i < n; i++", "last[i] = last[i - 1] + 1;");
  };
  EXPECT_EQ(neighbours("parallel for simd schedule(static)"),
            "=2 #pragma omp parallel for schedule(static) ordered\n+4 #pragma omp ordered");
  EXPECT_EQ(neighbours("parallel loop"), "=2 #pragma omp parallel for ordered\n+4 #pragma omp ordered");
  EXPECT_EQ(neighbours("parallel for simd safelen(4)"), "");
  EXPECT_EQ(neighbours("parallel loop bind(parallel)"), "");
  EXPECT_EQ(neighbours("teams distribute"), "");
}

TEST(RepairOfLoops, WhatIsComputedInOrderMayBeInAFunction) {
  const auto called = [](const std::string& clauses, const std::string& before = "") {
    return edits_of(
        "a.c",
        "static void advance(int i) {\n  state = 3 * state + i; @1\n}\nvoid f(void) {\n#pragma omp parallel "
        "for" +
            clauses + "\n  for (int i = 0; i < n; i++) {\n" + before + "    advance(i); @2\n  }\n}",
        [](const Marks& marks) {
          Diagnostic out =
              race(Cause::missing_private_or_reduction, "state", in_thread(marks['1']), in_thread(marks['1']));
          out.stack = {frame("advance", marks['1']), frame("f", marks['2'])};
          out.notes.push_back({Note::Kind::other_access, "", out.stack, marks['1']});
          return out;
        });
  };
  EXPECT_EQ(called(""), "=5 #pragma omp parallel for ordered\n+7 #pragma omp ordered");
  EXPECT_EQ(called(" ordered"), "+7 #pragma omp ordered");
  EXPECT_EQ(called(" ordered", "    use(i);\n"), "+8 #pragma omp ordered");
  EXPECT_EQ(called(" ordered", "    advance(-i);\n"), "+7 #pragma omp ordered\n+7 {\n+9 }"); // which races, too
  EXPECT_EQ(called(" firstprivate(state)"), "");
}

TEST(RepairOfLoops, AnIterationIsDoneBehindItsLastWrite) {
  const auto written = [](const std::string& behind) {
    return edits_of(
        "a.c",
        "void f(void) {\n#pragma omp parallel for ordered(1)\n  for (int i = 1; i < n; i++) {\n#pragma omp "
        "ordered depend(sink : i - 1)\n    int before = a[i - 1]; @1\n#pragma omp ordered depend(source)\n  "
        "  a[i] = before + 1; @2\n" +
            behind + "  }\n}",
        [](const Marks& marks) {
          return race(Cause::missing_mutual_exclusion, "a", in_thread(marks['1'], AccessType::read),
                      in_thread(marks['2']));
        });
  };
  EXPECT_EQ(written(""), "-6\n+8 #pragma omp ordered depend(source)");
  EXPECT_EQ(written("    if (a[i]) continue;\n"), "");
}

TEST(RepairOfLoops, AnIterationWaitsForAllWhoseResultsItReads) {
  const auto reads = [](const std::string& statement, const std::string& sink = "depend(sink : i, j - 1)") {
    return edits_of(
        "a.c",
        "void f(void) {\n#pragma omp parallel for ordered(2)\n  for (int i = 1; i < n; i++)\n    for (int j = "
        "1; j < n; j++) {\n#pragma omp ordered " +
            sink + "\n" + statement + " @1\n#pragma omp ordered depend(source)\n    }\n}",
        [](const Marks& marks) {
          return race(Cause::missing_mutual_exclusion, "t", in_thread(marks['1']),
                      in_thread(marks['1'], AccessType::read));
        });
  };
  EXPECT_EQ(reads("t[i][j] = t[i - 1][j] + t[i][j - 1];"),
            "=5 #pragma omp ordered depend(sink : i, j - 1) depend(sink: i - 1, j)");
  EXPECT_EQ(reads("t[i][j] = t[i - 1][j - 2];", "doacross(sink : i, j - 1)"),
            "=5 #pragma omp ordered doacross(sink : i, j - 1) doacross(sink: i - 1, j - 2)");
  EXPECT_EQ(reads("t[i][j] = t[i + 1][j];"), ""); // of an iteration that comes later
  EXPECT_EQ(reads("t[i][j] = t[k][j];"), "");
  EXPECT_EQ(reads("t[i][j] = t[i][j - 1];"), "");
}

TEST(RepairOfAtomics, ConstantsAreWrittenAtomically) {
  const auto written = [](const std::string& first, const std::string& second, const std::string& more = "") {
    return edits_of("a.c",
                    "static int x;\nvoid f(void) {\n#pragma omp parallel\n  {\n    int me = number();\n    " + first +
                        " @1\n    " + second + " @2\n" + more + "  }\n}",
                    [](const Marks& marks) {
                      Diagnostic out =
                          race(Cause::missing_mutual_exclusion, "x", in_thread(marks['1']), in_thread(marks['2']));
                      out.declared = SourcePlace{marks['1'].file, 1, 1};
                      return out;
                    });
  };
  EXPECT_EQ(written("x = 1;", "x = 1;"), "+6 #pragma omp atomic write\n+7 #pragma omp atomic write");
  EXPECT_EQ(written("x = -1;", "x = 2.5;"), "+6 #pragma omp atomic write\n+7 #pragma omp atomic write");
  const std::string barrier = "+7 #pragma omp barrier";
  EXPECT_EQ(written("x = me;", "x = 1;"), barrier);
  EXPECT_EQ(written("x = 1;", "x = 1;", "    use(x);\n"), barrier);
}

TEST(RepairOfAtomics, UpdatesInAnyOrderAreAtomicWhateverLocksTheyHold) {
  const auto locked = [](const std::string& first, const std::string& second, const std::string& more = "") {
    return edits_of("a.c",
                    "void f(void) {\n  omp_set_lock(&a); @3\n  " + first +
                        " @1\n  omp_unset_lock(&a);\n}\nvoid g(void) {\n#pragma omp critical @4\n  " + second +
                        " @2\n" + more + "}",
                    [](const Marks& marks) {
                      return race(Cause::different_locks, "x",
                                  in_thread(marks['1'], AccessType::write, {{MutexKind::lock, marks['3']}}),
                                  in_thread(marks['2'], AccessType::write, {{MutexKind::critical, marks['4']}}));
                    });
  };
  EXPECT_EQ(locked("x += 3;", "x -= 1;"), "+3 #pragma omp atomic\n+8 #pragma omp atomic");
  EXPECT_EQ(locked("x += 3;", "x *= 2;"), "");
  EXPECT_EQ(locked("x += 3;", "x += f(x);"), "");
  EXPECT_EQ(locked("x += 3;", "x -= 1;", "  use(x);\n"), "");
}

} // namespace
} // namespace fletcher::reports
