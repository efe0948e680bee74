// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a trial finds of edits: which of them remove a race or a task that outlives a variable, and which leave it. The
// lines of the sources end with marks: @1 and @2 for the two accesses, @a and @b for the constructs of their tasks.
#include "reports/explanation/causes/causes.hpp"
#include "reports/repair/trial/trial.hpp"
#include "test/reports/marked_source.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fletcher::reports {
namespace {

/// An edit: in front of the line with a mark (or behind the last one), or in its place.
struct Change {
  char mark = '1';
  std::string text;
  bool replaces = false;
};

enum class Who { threads, tasks, task_and_creator };

Verdict verdict(const std::string& source, const std::vector<Change>& changes, Who who, Cause cause = Cause::unknown,
                const std::string& variable = "x") {
  const Workspace workspace;
  const std::string file = workspace.file("a.c");
  Marks marks;
  const SourcePlace nowhere{file, 1, 1};
  for (const char mark : {'a', 'b'}) marks.add(mark, nowhere);
  const std::string text = without_marks(source, [&](std::uint32_t number, std::string_view, char mark) {
    if (mark != 0) marks.add(mark, {file, number, 1});
  });
  workspace.write("a.c", text);
  const bool threads = who == Who::threads;
  const TaskKind kind = threads ? TaskKind::implicit : TaskKind::explicit_;
  Diagnostic race = reports::race(cause, variable, {marks['1'], AccessType::write, marks['a'], kind, {}},
                                  {marks['2'], AccessType::write, marks['b'], kind, {}});
  const LineageTask creator{TaskId{1}, "initial task", {}, 0};
  const std::string name = threads ? "thread 0 of the region" : "task";
  race.participants = {{"write", marks['1'], {{TaskId{2}, name, marks['a'], 0}, creator}},
                       {"write", marks['2'], {{TaskId{3}, name, threads ? marks['a'] : marks['b'], 0}, creator}}};
  if (who == Who::task_and_creator) race.participants[1].tasks = {creator};
  race.notes.push_back({Note::Kind::other_access, "", {}, marks['2']});
  std::vector<Edit> edits;
  for (const Change& one : changes) edits.push_back({marks[one.mark], one.text, one.replaces});
  SourceText sources(workspace.folder().string());
  Codes codes(sources);
  return Trial(edits, codes).of(race);
}

TEST(Trial, ATaskwaitOrdersATaskBeforeWhatItsCreatorDoesBehindIt) {
  const std::string source = "void f(void) {\n#pragma omp task @a\n  x = 1; @1\n  g(); @g\n  x = 2; @2\n  h(); @h\n}\n";
  const auto with = [&](char mark) { return verdict(source, {{mark, "#pragma omp taskwait"}}, Who::task_and_creator); };
  EXPECT_EQ(with('2'), Verdict::removed);
  EXPECT_EQ(with('g'), Verdict::removed);
  EXPECT_EQ(with('h'), Verdict::kept);
  EXPECT_EQ(with('a'), Verdict::kept);
}

TEST(Trial, WhoMayPassByAWaitDoesNotWait) {
  EXPECT_EQ(verdict("void f(void) {\n#pragma omp task @a\n  x = 1; @1\n  if (c) {\n    g(); @g\n  }\n  x = 2; @2\n}\n",
                    {{'g', "#pragma omp taskwait"}}, Who::task_and_creator),
            Verdict::kept);
}

TEST(Trial, BetweenTasksOfALoopBothWaysNeedAWait) {
  const auto in_loop = [](const std::vector<Change>& changes) {
    return verdict("void f(void) {\n  for (;;) {\n#pragma omp task @a\n    x = 1; @1\n#pragma omp task @b\n    x = 2; "
                   "@2\n    g(); @g\n  }\n}\n",
                   changes, Who::tasks);
  };
  EXPECT_EQ(in_loop({{'b', "#pragma omp taskwait"}}), Verdict::kept);
  EXPECT_EQ(in_loop({{'b', "#pragma omp taskwait"}, {'g', "#pragma omp taskwait"}}), Verdict::removed);
}

TEST(Trial, AThreadDoesNotWaitForTheTasksOfIterationsThatOthersHave) {
  const auto with = [](const std::string& construct) {
    return verdict("void f(void) {\n" + construct +
                       "\n  for (int i = 0; i < n; i++) {\n    g();\n    x = 2; @2\n#pragma omp task @a\n    x = 1; "
                       "@1\n  }\n}\n",
                   {{'2', "#pragma omp taskwait"}}, Who::task_and_creator);
  };
  EXPECT_EQ(with(""), Verdict::removed);
  EXPECT_EQ(with("#pragma omp for"), Verdict::kept);
}

TEST(Trial, ItemsOrderTasksThatNameThemAndDoNotOnlyRead) {
  const auto with = [](const std::string& one, const std::string& other) {
    return verdict(
        "void f(void) {\n#pragma omp task @a\n  x = 1; @1\n#pragma omp task @b\n  x = 2; @2\n}\n",
        {{'a', "#pragma omp task depend(" + one + ")", true}, {'b', "#pragma omp task depend(" + other + ")", true}},
        Who::tasks);
  };
  EXPECT_EQ(with("out: x", "in: x"), Verdict::removed);
  EXPECT_EQ(with("mutexinoutset: x", "mutexinoutset: x"), Verdict::removed);
  EXPECT_EQ(with("in: x", "in: x"), Verdict::kept);
  EXPECT_EQ(with("inoutset: x", "inoutset: x"), Verdict::kept);
  EXPECT_EQ(with("out: x", "out: y"), Verdict::kept);
  EXPECT_EQ(with("out: y[i]", "out: y[i]"), Verdict::unknown); // may be another element each time
  EXPECT_EQ(with("out: y[0]", "out: y[0]"), Verdict::removed);
}

TEST(Trial, ABarrierOrdersTheThreadsOfARegion) {
  const auto with = [](const std::string& first, char mark, const std::string& text, bool replaces) {
    return verdict("void f(void) {\n#pragma omp parallel @a\n  {\n" + first +
                       " @f\n    for (int i = 0; i < n; i++) x = i; @1\n    g(x); @2\n    h(); @h\n  }\n}\n",
                   {{mark, text, replaces}}, Who::threads);
  };
  EXPECT_EQ(with("#pragma omp for nowait", 'f', "#pragma omp for", true), Verdict::removed);
  EXPECT_EQ(with("#pragma omp for nowait", '2', "#pragma omp barrier", false), Verdict::removed);
  EXPECT_EQ(with("#pragma omp for nowait", 'h', "#pragma omp barrier", false), Verdict::kept);
}

TEST(Trial, ExclusionIsNeededOnBothSides) {
  const std::string source =
      "void f(void) {\n#pragma omp parallel @a\n  {\n    x += 1; @1\n    g();\n    x += 2; @2\n  }\n}\n";
  for (const std::string construct : {"#pragma omp atomic", "#pragma omp critical (c)"}) {
    EXPECT_EQ(verdict(source, {{'1', construct}, {'2', construct}}, Who::threads), Verdict::removed);
    EXPECT_EQ(verdict(source, {{'1', construct}}, Who::threads), Verdict::kept);
  }
  EXPECT_EQ(verdict(source, {{'1', "#pragma omp critical (c)"}, {'2', "#pragma omp critical (d)"}}, Who::threads),
            Verdict::kept);
}

TEST(Trial, ACopyIsNeededWhereTheVariableIsUsed) {
  const auto with = [](const std::string& clause, const std::string& line) {
    return verdict("void f(void) {\n#pragma omp parallel for @a\n  for (int i = 0; i < n; i++)\n    " + line +
                       " @1\n  g(); @2\n}\n",
                   {{'a', "#pragma omp parallel for " + clause, true}}, Who::threads);
  };
  EXPECT_EQ(with("private(x)", "x = i;"), Verdict::removed);
  EXPECT_EQ(with("private(y)", "x = i;"), Verdict::kept);
  EXPECT_EQ(with("private(x)", "set(i);"), Verdict::kept);
}

// The checker offers a taskwait that another iteration's thread does not pass.
TEST(Trial, WhatLeavesTheFindingIsNoEdit) {
  const Workspace workspace;
  const std::string file =
      workspace.write("a.c", "void f(void) {\n#pragma omp task\n  x = 1;\n  if (c) {\n    g();\n  }\n  x = 2;\n}\n");
  const SourcePlace task{file, 2, 1}, first{file, 3, 3}, then{file, 7, 3};
  Diagnostic race =
      reports::race(Cause::missing_taskwait, "x", {first, AccessType::write, task, TaskKind::explicit_, {}},
                    {then, AccessType::write, {}, TaskKind::initial, {}});
  const LineageTask creator{TaskId{1}, "initial task", {}, 0};
  race.participants = {{"write", first, {{TaskId{2}, "task", task, 0}, creator}}, {"write", then, {creator}}};
  race.notes = {{Note::Kind::other_access, "", {}, then}, {Note::Kind::fix, "fix: wait", {}, then}};
  race.edits = {{{file, 5, 1}, "#pragma omp taskwait", false}};
  SourceText sources(workspace.folder().string());
  const auto causes = grouped_by_cause({race}, sources);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_TRUE(causes[0].edits.empty());
  EXPECT_EQ(causes[0].notes.back().message, "fix: wait; this alone does not remove it");
  std::vector<Diagnostic> alone{race};
  try_edits(alone, sources);
  EXPECT_TRUE(alone[0].edits.empty());
}

// What an outer function's text seems to order is not known where it did not in the run.
TEST(Trial, WhatTheSourceSeemsToOrderAlreadyProvesNothing) {
  EXPECT_EQ(verdict("void f(void) {\n#pragma omp task @a\n  x = 1; @1\n#pragma omp taskwait\n  x = 2; @2\n}\n",
                    {{'2', "#pragma omp taskwait"}}, Who::task_and_creator),
            Verdict::unknown);
}

TEST(Trial, StatementsThatChangeAreNotJudged) {
  EXPECT_EQ(verdict("void f(void) {\n#pragma omp task @a\n  x = 1; @1\n  x = 2; @2\n}\n", {{'2', "  y = 2;", true}},
                    Who::task_and_creator),
            Verdict::unknown);
}

TEST(Trial, LanesAreKeptApartByShortVectors) {
  const auto with = [](const std::string& directive) {
    return verdict(
        "void f(void) {\n#pragma omp simd @a\n  for (int i = 2; i < n; i++) x[i] = x[i - 2]; @1\n  g(); @2\n}\n",
        {{'a', directive, true}}, Who::threads, Cause::simd_lanes);
  };
  EXPECT_EQ(with("#pragma omp simd safelen(4)"), Verdict::kept);
  EXPECT_EQ(with("#pragma omp parallel for"), Verdict::removed);
}

TEST(Trial, ATaskIsAwaitedOnEachWayOutOfTheBlockOfItsVariable) {
  const auto with = [](const std::string& between, char mark) {
    const Workspace workspace;
    const std::string file = workspace.file("a.c");
    Marks marks;
    workspace.write("a.c",
                    without_marks("void f(void) {\n  int x = 0; @d\n#pragma omp task shared(x) @a\n  x = 1;\n  " +
                                      between + "\n  g(); @g\n} @e\n",
                                  [&](std::uint32_t number, std::string_view, char one) {
                                    if (one != 0) marks.add(one, {file, number, 1});
                                  }));
    Diagnostic finding = of_rule(Rule::missing_taskwait, marks['a']);
    finding.variable = "x";
    finding.declared = marks['d'];
    SourceText sources(workspace.folder().string());
    Codes codes(sources);
    return Trial({{marks[mark], "#pragma omp taskwait", false}}, codes).of(finding);
  };
  EXPECT_EQ(with("h();", 'e'), Verdict::removed);
  EXPECT_EQ(with("h();", 'a'), Verdict::kept);
  EXPECT_EQ(with("if (n == 0) return;", 'e'), Verdict::kept);
}

} // namespace
} // namespace fletcher::reports
