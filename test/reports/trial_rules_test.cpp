// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a trial finds of edits for locks, waits, teams, mapped data and statements that move: each edit that helps has
// one beside it that does not. The lines of the sources end with marks, by which findings and edits name them.
#include "checker/rules/mapping_words.hpp"
#include "reports/repair/trial/trial.hpp"
#include "test/reports/marked_source.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace fletcher::reports {
namespace {

/// In front of the line with a mark, or in its place; without a text the line goes.
struct Change {
  char mark = '1';
  std::string text;
  bool replaces = true;
};

Verdict verdict(const std::string& source, const std::vector<Change>& changes,
                const std::function<Diagnostic(const Marks&)>& finding) {
  const Workspace workspace;
  const std::string file = workspace.file("a.c");
  Marks marks;
  workspace.write("a.c", without_marks(source, [&](std::uint32_t number, std::string_view, char mark) {
                    if (mark != 0) marks.add(mark, {file, number, 1});
                  }));
  std::vector<Edit> edits;
  for (const Change& one : changes) edits.push_back({marks[one.mark], one.text, one.replaces});
  SourceText sources(workspace.folder().string());
  Codes codes(sources);
  return Trial(edits, codes).of(finding(marks));
}

void add_step(Diagnostic& to, const std::string& message, const SourcePlace& place) {
  to.notes.push_back({Note::Kind::step, message, {}, place});
}

Diagnostic lock_order(const Marks& marks) {
  Diagnostic out = of_rule(Rule::lock_order_cycle, marks['2'], {},
                           "lock order cycle: the lock 'b' is taken while the lock 'a' is held");
  add_step(out, "task 1 holds the lock 'a', taken here", marks['1']);
  add_step(out, "task 2 takes the lock 'a' here", marks['4']);
  add_step(out, "and holds the lock 'b', taken here", marks['3']);
  return out;
}

const std::string two_orders = "void f(void) {\n  omp_set_lock(&a); @1\n  omp_set_lock(&b); @2\n  x++;\n"
                               "  omp_unset_lock(&b);\n  omp_unset_lock(&a);\n}\nvoid g(void) {\n"
                               "  omp_set_lock(&b); @3\n  omp_set_lock(&a); @4\n  x++;\n}\n";
const Change a_first{'1', "  omp_set_lock(&b);"}, b_then{'2', "  omp_set_lock(&a);"};

TEST(TrialOfRules, OneOrderOfLocksMakesNoCircle) {
  EXPECT_EQ(verdict(two_orders, {a_first, b_then}, lock_order), Verdict::removed);
}

TEST(TrialOfRules, TheOtherOrderInBothTasksIsACircleToo) {
  EXPECT_EQ(
      verdict(two_orders, {a_first, b_then, {'3', "  omp_set_lock(&a);"}, {'4', "  omp_set_lock(&b);"}}, lock_order),
      Verdict::kept);
}

TEST(TrialOfRules, AGuardHoldsItsMutexAsLongAsItsBlock) {
  const std::string guards =
      "void f() {\n  std::lock_guard<std::mutex> x(a); @1\n  std::lock_guard<std::mutex> y(b); @2\n}\n"
      "void g() {\n  {\n    std::scoped_lock x(a);\n  }\n  std::scoped_lock y(b); @3\n"
      "  std::scoped_lock z(a); @4\n}\n";
  EXPECT_EQ(verdict(guards, {{'3', "  std::scoped_lock z(a);"}, {'4', "  std::scoped_lock y(b);"}}, lock_order),
            Verdict::removed);
  EXPECT_EQ(verdict(guards, {{'3', "  std::scoped_lock y(b);"}}, lock_order), Verdict::kept);
}

TEST(TrialOfRules, TheLockOfTheSmallerIndexComesFirst) {
  const std::string source =
      "void f(int i, int k) {\n  omp_set_lock(&l[i]); @1\n  omp_set_lock(&l[k]); @2\n  x++;\n}\n";
  const auto of_neighbours = [](const Marks& marks) {
    Diagnostic out = of_rule(Rule::lock_order_cycle, marks['2'], {}, "the lock 'l' + 8 bytes is taken while");
    add_step(out, "task 1 holds the lock 'l', taken here", marks['1']);
    add_step(out, "task 2 takes the lock 'l' here", marks['2']);
    add_step(out, "and holds the lock 'l' + 8 bytes, taken here", marks['1']);
    return out;
  };
  const auto chosen = [](const std::string& first, const std::string& second) {
    return std::vector<Change>{{'1', "  omp_set_lock(&l[i < k ? " + first + "]);"},
                               {'2', "  omp_set_lock(&l[i < k ? " + second + "]);"}};
  };
  EXPECT_EQ(verdict(source, chosen("i : k", "k : i"), of_neighbours), Verdict::removed);
  EXPECT_EQ(verdict(source, chosen("i : i", "k : k"), of_neighbours), Verdict::kept);
}

TEST(TrialOfRules, NoLockIsHeldInTheWait) {
  const std::string source = "void f(void) {\n  omp_set_lock(&a); @1\n#pragma omp task @t\n  g();\n  h(); @h\n"
                             "#pragma omp taskwait @2\n  x++; @x\n  omp_unset_lock(&a); @u\n}\n";
  const auto held = [](const Marks& marks) {
    Diagnostic out = of_rule(Rule::dependence_cycle, marks['2']);
    out.predicted = true;
    add_step(out, "task 1 holds the lock 'a', taken here", marks['1']);
    add_step(out, "task 2 takes the lock 'a' here, and the wait does not end before", marks['t']);
    return out;
  };
  const auto unset_before = [&](char mark) {
    return verdict(source, {{mark, "  omp_unset_lock(&a);", false}, {'u', ""}}, held);
  };
  EXPECT_EQ(unset_before('h'), Verdict::removed);
  EXPECT_EQ(unset_before('2'), Verdict::removed);
  EXPECT_EQ(unset_before('x'), Verdict::kept);
}

TEST(TrialOfRules, ALockIsUnsetOnEachWayOut) {
  const std::string source = "void f(int n) {\n  omp_set_lock(&a); @1\n  if (n == 0) {\n    return; @r\n  }\n"
                             "  if (n == 1) return; @s\n  omp_unset_lock(&a);\n}\n";
  const auto left = [](const Marks& marks) {
    return of_rule(Rule::lock_misuse, marks['1'], {}, "task 1 sets lock 'a' here and ends without unsetting it");
  };
  const Change at_first{'r', "    omp_unset_lock(&a);", false},
      at_second{'s', "  if (n == 1) { omp_unset_lock(&a); return; }"};
  EXPECT_EQ(verdict(source, {at_first, at_second}, left), Verdict::removed);
  EXPECT_EQ(verdict(source, {at_first}, left), Verdict::kept);
  EXPECT_EQ(verdict(source, {at_second}, left), Verdict::kept);
}

TEST(TrialOfRules, WhoUnsetsALockHasSetIt) {
  const std::string source = "void f(void) {\n#pragma omp task\n  {\n    x++; @x\n    omp_unset_lock(&a); @1\n  }\n"
                             "  g(); @g\n}\n";
  const auto not_set = [](const Marks& marks) {
    return of_rule(Rule::lock_misuse, marks['1'], {}, "task 1 unsets lock 'a', which is not set");
  };
  EXPECT_EQ(verdict(source, {{'x', "    omp_set_lock(&a);", false}}, not_set), Verdict::removed);
  EXPECT_EQ(verdict(source, {{'x', "    omp_set_lock(&b);", false}}, not_set), Verdict::kept);
  EXPECT_EQ(verdict(source, {{'g', "  omp_set_lock(&a);", false}}, not_set), Verdict::kept);
}

/// A move between two accounts, whose locks are set in the order of the parameters.
TEST(TrialOfRules, TheElementThatComesFirstInTheArrayIsLockedFirst) {
  const std::string source = "void move(int from, int to) {\n  struct account *a = &all[from], *b = &all[to];\n"
                             "  omp_set_lock(&a->lock); @1\n  omp_set_lock(&b->lock); @2\n  x++;\n}\n";
  const auto of_locks = [](const std::string& first, const std::string& second) {
    return [=](const Marks& marks) {
      Diagnostic out = of_rule(Rule::lock_order_cycle, marks['2'], {},
                               "lock order cycle: the " + second + " is taken while the " + first + " is held");
      add_step(out, "task 1 holds the " + first + ", taken here", marks['1']);
      add_step(out, "task 2 takes the " + first + " here", marks['2']);
      add_step(out, "and holds the " + second + ", taken here", marks['1']);
      return out;
    };
  };
  const std::vector<Change> by_address{{'1', "  omp_set_lock(a < b ? &a->lock : &b->lock);"},
                                       {'2', "  omp_set_lock(a < b ? &b->lock : &a->lock);"}};
  EXPECT_EQ(verdict(source, by_address, of_locks("lock 'all'", "lock 'all' + 16 bytes")), Verdict::removed);
  EXPECT_EQ(verdict(source, by_address, of_locks("lock 'one'", "lock 'other'")), Verdict::unknown);
  EXPECT_EQ(verdict(source, {{'1', "  omp_set_lock(&b->lock);"}, {'2', "  omp_set_lock(&a->lock);"}},
                    of_locks("lock 'all'", "lock 'all' + 16 bytes")),
            Verdict::kept);
}

TEST(TrialOfRules, AGuardOfTwoMutexesWaitsForNoneOfThemWithTheOther) {
  const std::string source = "void move(account& a, account& b) {\n  std::lock_guard<std::mutex> one(a.lock); @1\n"
                             "  std::lock_guard<std::mutex> other(b.lock); @2\n  x++;\n}\n";
  const auto of_mutexes = [](const Marks& marks) {
    Diagnostic out = of_rule(Rule::lock_order_cycle, marks['2'], {},
                             "lock order cycle: the mutex 'q' is taken while the mutex 'p' is held");
    add_step(out, "task 1 holds the mutex 'p', taken here", marks['1']);
    add_step(out, "task 2 takes the mutex 'p' here", marks['2']);
    add_step(out, "and holds the mutex 'q', taken here", marks['1']);
    return out;
  };
  EXPECT_EQ(verdict(source, {{'1', "  std::scoped_lock one(a.lock, b.lock);"}, {'2', ""}}, of_mutexes),
            Verdict::removed);
  EXPECT_NE(verdict(source, {{'1', "  std::scoped_lock one(a.lock, c.lock);"}, {'2', ""}}, of_mutexes),
            Verdict::removed);
}

TEST(TrialOfRules, ALockIsUnsetBeforeTheBarrierBehindItsIteration) {
  const std::string source =
      "void f(void) {\n#pragma omp parallel\n  {\n#pragma omp for @b\n"
      "    for (int i = 0; i < n; i++) {\n      omp_set_lock(&a); @1\n"
      "      if (i == 3) continue; @c\n      x++; @x\n      omp_unset_lock(&a);\n    }\n  }\n}\n";
  const auto circle = [](const Marks& marks) {
    Diagnostic out = of_rule(Rule::dependence_cycle, marks['1'], {}, "2 tasks wait for each other in a circle");
    add_step(out, "thread 1 waits here for the lock 'a', which thread 0 holds", marks['1']);
    add_step(out, "thread 0 acquired it here", marks['1']);
    add_step(out, "thread 0 waits at a barrier for thread 1", marks['b']);
    return out;
  };
  EXPECT_EQ(verdict(source, {{'c', "      if (i == 3) { omp_unset_lock(&a); continue; }"}}, circle), Verdict::removed);
  EXPECT_EQ(verdict(source, {{'x', "      y++;", false}}, circle), Verdict::kept);
}

TEST(TrialOfRules, WhoPassesTheConstructWithTheTestComesAfterTheInitialisation) {
  const std::string source = "static int ready, table;\nint at(int i) {\n  if (!ready) { @o\n#pragma omp critical\n"
                             "    if (!ready) {\n      table = i; @1\n      ready = 1; @v\n    }\n  }\n"
                             "  return table; @2\n}\n";
  const auto meets = [](const Marks& marks) {
    return race(Cause::one_side_locked, "table", in_thread(marks['1']), in_thread(marks['2'], AccessType::read));
  };
  EXPECT_EQ(verdict(source, {{'o', "  {"}}, meets), Verdict::removed);
  EXPECT_NE(verdict(source, {{'o', "  if (i) {"}}, meets), Verdict::removed);
  EXPECT_NE(verdict(source, {{'o', "  {"}, {'v', "      ready = g();"}}, meets), Verdict::removed)
      << "another thread may set it again";
}

TEST(TrialOfRules, AllThreadsComeToTheSameBarriers) {
  const std::string source = "void f(void) {\n#pragma omp parallel @p\n  {\n    if (omp_get_thread_num() == 0) {\n"
                             "      x = 1; @x\n#pragma omp barrier @1\n    } @e\n    g(x);\n  }\n}\n";
  const auto mismatch = [](const Marks& marks) {
    Diagnostic out = of_rule(Rule::barrier_mismatch, marks['1']);
    add_step(out, "thread 1 reaches the end of the region instead", marks['p']);
    return out;
  };
  EXPECT_EQ(verdict(source, {{'1', "    }"}, {'e', "#pragma omp barrier"}}, mismatch), Verdict::removed);
  EXPECT_EQ(verdict(source, {{'x', "#pragma omp barrier"}, {'1', "      x = 1;"}}, mismatch), Verdict::kept);
}

TEST(TrialOfRules, WhatTheDeviceHasSetIsCopiedBack) {
  const std::string source = "int f(void) {\n  int a[9];\n  a[0] = 1;\n#pragma omp target map(to : a) @m\n  a[0] = 2;\n"
                             "  return a[0]; @1\n}\n";
  const auto stale = [](const Marks& marks) {
    return of_rule(Rule::mapping_bug, marks['1'], {},
                   "the host reads an old value of 4 bytes of 'a': " +
                       std::string(rules::mapping_words::stale_on_host));
  };
  EXPECT_EQ(verdict(source, {{'m', "#pragma omp target map(tofrom : a)"}}, stale), Verdict::removed);
  EXPECT_EQ(verdict(source, {{'m', "#pragma omp target map(alloc : a)"}}, stale), Verdict::kept);
}

TEST(TrialOfRules, AWriteComesBeforeTheThreadThatReads) {
  const std::string source = "void* show(void* p) {\n  g(x); @2\n  return p;\n}\nint main(void) {\n  h(); @h\n"
                             "  pthread_create(&t, NULL, show, NULL); @c\n  x = 5; @1\n  i(); @i\n}\n";
  const auto meets = [](const Marks& marks) {
    Diagnostic out =
        race(Cause::missing_mutual_exclusion, "x", in_thread(marks['1']), in_thread(marks['2'], AccessType::read));
    out.notes.push_back({Note::Kind::other_access, "", {}, marks['2']});
    return out;
  };
  const auto moved_before = [&](char mark) { return verdict(source, {{mark, "  x = 5;", false}, {'1', ""}}, meets); };
  EXPECT_EQ(moved_before('c'), Verdict::removed);
  EXPECT_EQ(moved_before('h'), Verdict::removed);
  EXPECT_NE(moved_before('i'), Verdict::removed);
}

} // namespace
} // namespace fletcher::reports
