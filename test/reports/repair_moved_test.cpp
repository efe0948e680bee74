// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits by which a statement, or a wait, comes to another place: in front of what lets others go on, behind the wait
// for them, between tasks, into an ordered construct; and constructs that are divided or leave a condition.
#include "test/reports/marked_source.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fletcher::reports {
namespace {

Site in_task(const SourcePlace& place, const SourcePlace& construct, AccessType type = AccessType::write) {
  return {place, type, construct, TaskKind::explicit_, {}};
}

LineageTask lineage_task(std::uint32_t id) {
  LineageTask out;
  out.id = TaskId{id};
  return out;
}

/// A write at '1' and a read at '2', of threads.
Diagnostic written_then_read(const Marks& marks) {
  return race(Cause::missing_mutual_exclusion, "data", in_thread(marks['1']), in_thread(marks['2'], AccessType::read));
}

TEST(RepairByMove, WhatAThreadUsesIsSetBeforeItIsStarted) {
  const auto edits = [](const std::string& value, const std::string& function = "show") {
    return edits_of("a.c",
                    "static void* " + function +
                        "(void* unused) {\n  use(data); @2\n  return unused;\n}\nint main(void) {\n  pthread_t t;\n  "
                        "pthread_create(&t, NULL, show, NULL);\n  data = " +
                        value + "; @1\n  work();\n}",
                    written_then_read);
  };
  EXPECT_EQ(edits("5"), "+7 data = 5;\n-8");
  EXPECT_EQ(edits("t"), "");            // it uses what the call sets
  EXPECT_EQ(edits("5", "another"), ""); // the thread executes another function
}

TEST(RepairByMove, WhatAThreadSetsIsReadWhenItIsJoined) {
  const auto edits = [](const std::string& join, const std::string& between = "") {
    return edits_of(
        "a.c",
        "static int add(void* unused) {\n  data = 1; @1\n  return 0;\n}\nint main(void) {\n  thrd_t t, u;\n "
        " thrd_create(&t, add, NULL);\n  got = data; @2\n" +
            between + "  thrd_join(" + join + ", &result);\n}",
        written_then_read);
  };
  EXPECT_EQ(edits("t"), "+8 thrd_join(t, &result);\n-9");
  EXPECT_EQ(edits("u"), "");
  EXPECT_EQ(edits("t", "  other();\n"), "");
}

TEST(RepairByMove, DataIsWrittenBeforeTheMutexIsUnset) {
  const auto edits = [](const std::string& wait) {
    return edits_of("a.c",
                    "void f(void) {\n  mtx_lock(&m);\n  ready = 1;\n  cnd_signal(&c);\n  mtx_unlock(&m);\n  data = 42; "
                    "@1\n}\nvoid g(void) {\n  mtx_lock(&m);\n  " +
                        wait + "\n  mtx_unlock(&m);\n  got = data; @2\n}",
                    written_then_read);
  };
  EXPECT_EQ(edits("while (!ready) cnd_wait(&c, &m);"), "+2 data = 42;\n-6");
  EXPECT_EQ(edits("seen++;"), "");
}

TEST(RepairByMove, AnIterationsStatementGoesIntoTheOrderedConstructAbove) {
  const auto edits = [](const std::string& clause) {
    return edits_of("a.c",
                    "void f(void) {\n#pragma omp parallel for" + clause +
                        "\n  for (int i = 0; i < n; i++) {\n#pragma omp ordered\n    {\n      a[i] = i;\n    }\n    "
                        "order[made++] = i; @1\n  }\n}",
                    [](const Marks& marks) {
                      return race(Cause::missing_private_or_reduction, "made", in_thread(marks['1']),
                                  in_thread(marks['1']));
                    });
  };
  EXPECT_EQ(edits(" ordered"), "=7 order[made++] = i;\n=8 }");
}

/// Tasks made at 'a' and 'b' by one task, that write at '1' and '2'.
Diagnostic of_siblings(const Marks& marks) {
  Diagnostic out =
      race(Cause::missing_dependence, "", in_task(marks['1'], marks['a']), in_task(marks['2'], marks['b']));
  out.whole_variable = false;
  for (const std::uint32_t own : {2U, 3U})
    out.participants.push_back({"write", marks['1'], {lineage_task(own), lineage_task(1)}});
  return out;
}

TEST(RepairByWait, StandsBetweenTheTasksOfOneCreator) {
  const auto edits = [](const std::string& between, const std::string& end = "") {
    return edits_of("a.c",
                    "void f(int n) {\n  {\n#pragma omp task @a\n    make(p); @1\n" + between +
                        "#pragma omp task @b\n    make(q); @2\n" + end + "  }\n}",
                    of_siblings);
  };
  EXPECT_EQ(edits(""), "+5 #pragma omp taskwait");
  EXPECT_EQ(edits("    for (int i = 0; i < n; i++) {\n", "    }\n"), "+5 #pragma omp taskwait");
  EXPECT_EQ(edits("    if (n > 1) {\n", "    }\n"), "");
  EXPECT_EQ(edits("    omp_fulfill_event(event);\n"), "");
  EXPECT_EQ(
      edits_of("a.c",
               "void f(int n) {\n  for (int i = 0; i < n; i++) {\n#pragma omp task @a\n    make(p); @1\n#pragma omp "
               "task @b\n    make(q); @2\n  }\n}",
               of_siblings),
      ""); // the next iteration's first task is not ordered
}

TEST(RepairOfLeagues, EachOfTwoLoopsGetsALeague) {
  const auto edits = [](const std::string& more, const std::string& behind = "") {
    return edits_of(
        "a.c",
        "void f(void) {\n#pragma omp target map(tofrom: a, b)\n#pragma omp teams\n  {\n" + more +
            "#pragma omp distribute\n    for (int i = 0; i < n; i++) a[i] = i; @1\n#pragma omp distribute\n    "
            "for (int i = 0; i < n; i++) b[i] = a[n - 1 - i]; @2\n" +
            behind + "  }\n}",
        [](const Marks& marks) {
          Diagnostic out = written_then_read(marks);
          out.between_teams = true;
          out.variable = "a";
          out.whole_variable = false;
          return out;
        });
  };
  EXPECT_EQ(edits(""), "+7 }\n+7 #pragma omp target map(tofrom: a, b)\n+7 #pragma omp teams\n+7 {");
  EXPECT_EQ(edits("    int own = 1;\n"), "");
}

Diagnostic mismatch(const Marks& marks) {
  Diagnostic out = of_rule(Rule::barrier_mismatch, marks['1'], {}, "threads of a team encounter different constructs");
  out.stack = {frame("step", marks['1']), frame("f", marks['2'])};
  return out;
}

TEST(RepairOfTeamFunctions, WhoReturnsEarlyComesToTheBarrier) {
  const auto edits = [](const std::string& leaves, const std::string& behind = "") {
    return edits_of("a.c",
                    "static void step(int me) {\n  if (bad(me)) {\n    failed = 1;\n    " + leaves +
                        "\n  }\n  done++;\n#pragma omp barrier @1\n" + behind +
                        "}\nvoid f(void) {\n#pragma omp parallel\n  step(1); @2\n}",
                    mismatch);
  };
  EXPECT_EQ(edits("return;"), "=4 } else {\n-5\n+7 }");
  EXPECT_EQ(edits("exit(1);"), "");
  EXPECT_EQ(edits("return;", "  use(done);\n"), "");
}

TEST(RepairOfTeamFunctions, TheBarrierComesBehindTheConstructThatCallsTheFunction) {
  const auto edits = [](const std::string& construct, const std::string& more = "") {
    return edits_of("a.c",
                    "static void step(void) {\n  x = 1;\n#pragma omp barrier @1\n}\nvoid f(void) {\n#pragma omp "
                    "parallel\n  {\n#pragma omp " +
                        construct + "\n    step(); @2\n    y++;\n" + more + "  }\n}",
                    mismatch);
  };
  EXPECT_EQ(edits("master"), "-3\n+10 #pragma omp barrier");
  EXPECT_EQ(edits("master", "    step();\n"), ""); // somebody else calls it
  EXPECT_EQ(edits("task"), "");
}

TEST(RepairOfTeamFunctions, BranchesWithTheSameCallsBecomeOne) {
  const auto edits = [](const std::string& other) {
    return edits_of(
        "a.c",
        "static void step(void) {\n#pragma omp for nowait @1\n  for (int i = 0; i < n; i++) a[i] = 1;\n}\n"
        "void f(void) {\n#pragma omp parallel\n  {\n    if (omp_get_thread_num() == 1) {\n      step(); @2\n"
        "      note();\n    } else {\n" +
            other + "    }\n  }\n}",
        mismatch);
  };
  EXPECT_EQ(edits("      note();\n      step();\n"), "=8 {\n=11 }\n-12\n-13\n-14");
  EXPECT_EQ(edits("      note();\n"), "");
}

TEST(RepairOfTeamFunctions, ATaskHasNoTeam) {
  const auto edits = [](const std::string& construct, const std::string& other = "") {
    return edits_of("a.c",
                    "static void step(void) {\n" + construct +
                        "  x++;\n}\nvoid f(void) {\n#pragma omp task\n  step(); "
                        "@2\n" +
                        other + "}",
                    [](const Marks& marks) {
                      Diagnostic out = mismatch(marks);
                      out.message = "the task encounters a barrier, which is for the threads of a team, not for a task "
                                    "that one of them executes";
                      return out;
                    });
  };
  EXPECT_EQ(edits("#pragma omp barrier @1\n"), "=2 #pragma omp taskwait");
  EXPECT_EQ(edits("#pragma omp for schedule(dynamic) @1\n  for (int i = 0; i < n; i++)\n"),
            "=2 #pragma omp parallel for schedule(dynamic)");
  EXPECT_EQ(edits("#pragma omp barrier @1\n", "  step();\n"), "");
}

TEST(RepairOfFlags, AreSetAndReadByAtomicOperations) {
  const auto edits = [](const std::string& set, const std::string& read) {
    return edits_of("a.c",
                    "void f(void) {\n#pragma omp parallel\n  {\n    if (me == 0) {\n      data = 9; @1\n      " + set +
                        "\n    } else {\n      int v = 0;\n      while (!v) {\n        " + read +
                        "\n      }\n      got = data; @2\n    }\n  }\n}",
                    written_then_read);
  };
  EXPECT_EQ(edits("flag = 1;", "v = flag;"),
            "+6 #pragma omp atomic write release\n+10 #pragma omp atomic read acquire");
  EXPECT_EQ(edits("flag = next();", "v = flag;"), "");
  EXPECT_EQ(edits("flag = 1;", "v = other;"), "");
  EXPECT_EQ(edits("other = 1;", "v = flag;"), "");
}

TEST(RepairOfFlags, RelaxedOperationsReleaseAndAcquire) {
  const auto edits = [](const std::string& order, const std::string& loaded) {
    return edits_of(
        "a.cpp",
        "void f() {\n#pragma omp parallel\n  {\n    if (me == 0) {\n      data = 9; @1\n      ready.store(true, " +
            order + ");\n    } else {\n      while (!" + loaded +
            ".load(std::memory_order_relaxed)) {\n      }\n      got = data; @2\n    }\n  }\n}",
        written_then_read);
  };
  EXPECT_EQ(edits("std::memory_order_relaxed", "ready"),
            "=6 ready.store(true, std::memory_order_release);\n=8 while (!ready.load(std::memory_order_acquire)) {");
  EXPECT_EQ(edits("std::memory_order_release", "ready"), "");
  EXPECT_EQ(edits("std::memory_order_relaxed", "other"), "");
}

TEST(RepairOfWaits, EachTaskInBetweenWaitsForItsChild) {
  const auto edits = [](const std::string& waits) {
    return edits_of(
        "a.c",
        "void f(void) {\n  double row[64];\n#pragma omp task shared(row)\n  {\n#pragma omp task shared(row)\n  "
        "  {\n#pragma omp task shared(row) @1\n      seen = row[0];\n    }\n" +
            waits + "  }\n#pragma omp taskwait\n}",
        [](const Marks& marks) {
          Diagnostic out = of_rule(Rule::missing_taskwait, marks['1']);
          out.cause = Cause::descendant_outlives_frame;
          return out;
        });
  };
  EXPECT_EQ(edits(""), "+9 #pragma omp taskwait\n+10 #pragma omp taskwait");
  EXPECT_EQ(edits("#pragma omp taskwait\n"), "+9 #pragma omp taskwait");
}

TEST(RepairOfLockOrder, TheLockIsSetAroundTheCriticalConstruct) {
  const auto edits = [](const std::string& last) {
    return edits_of("a.c",
                    "void f(void) {\n  g();\n#pragma omp critical\n  {\n    omp_set_lock(&a); @1\n    ++value;\n    " +
                        last + "\n  }\n}",
                    [](const Marks& marks) { return of_rule(Rule::lock_order_cycle, marks['1']); });
  };
  EXPECT_EQ(edits("omp_unset_lock(&a);"),
            "=3 omp_set_lock(&a);\n=4 #pragma omp critical\n=5 {\n=7 }\n=8 omp_unset_lock(&a);");
  EXPECT_EQ(edits("omp_unset_lock(&b);"), "");
}

} // namespace
} // namespace fletcher::reports
