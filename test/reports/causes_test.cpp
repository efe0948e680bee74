// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings that one change removes are one diagnostic, and others are not.
#include "reports/explanation/causes/causes.hpp"
#include "reports/forms/text.hpp"

#include <gtest/gtest.h>

namespace fletcher::reports {
namespace {

/// A race of two lines; `fix_line` 0: a change without a place.
Diagnostic race(std::uint32_t line, std::uint32_t other, Cause cause, const std::string& variable,
                std::uint32_t fix_line = 0) {
  Diagnostic out;
  out.cause = cause;
  out.variable = variable;
  out.place = {"a.c", line, 1};
  out.message = "data race: write of 4 bytes";
  out.fingerprint = std::to_string(line) + "-" + std::to_string(other);
  out.notes.push_back({Note::Kind::other_access, "the other access", {}, {"a.c", other, 1}});
  Note fix{Note::Kind::fix, "fix: change it", {}, fix_line != 0 ? SourcePlace{"a.c", fix_line, 1} : out.place};
  if (fix_line != 0) fix.stack.emplace_back().place = fix.place;
  out.notes.push_back(std::move(fix));
  out.participants = {{"write of 4 bytes", out.place, {}}, {"read of 4 bytes", {"a.c", other, 1}, {}}};
  return out;
}

std::vector<Diagnostic> grouped(std::vector<Diagnostic> diagnostics) {
  SourceText sources(".");
  return grouped_by_cause(std::move(diagnostics), sources);
}

TEST(Causes, OneChangeAtOnePlaceIsOneDiagnostic) {
  const auto all = grouped({race(3, 9, Cause::missing_taskwait, "x", 7), race(4, 9, Cause::missing_taskwait, "y", 7),
                            race(5, 9, Cause::missing_taskwait, "x", 8)});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].place.line, 3U);
  ASSERT_EQ(all[0].also.size(), 1U);
  EXPECT_EQ(all[0].also[0].place.line, 4U);
  EXPECT_EQ(all[0].also[0].message, "write of 4 bytes of 'y', not ordered with the read of 4 bytes at line 9");
  EXPECT_TRUE(all[1].also.empty());
}

TEST(Causes, AVariableThatNothingProtectsIsOneDiagnostic) {
  const auto all =
      grouped({race(3, 3, Cause::missing_private_or_reduction, "sum"), race(3, 5, Cause::not_atomic, "sum"),
               race(3, 6, Cause::missing_mutual_exclusion, "other"), race(3, 7, Cause::missing_barrier, "sum")});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].also.size(), 1U);
}

/// The same between tasks, or in regions, that were created at these lines.
Diagnostic between(Diagnostic race, std::uint32_t one, std::uint32_t other) {
  race.participants[0].tasks.emplace_back().created = {"a.c", one, 1};
  race.participants[1].tasks.emplace_back().created = {"a.c", other, 1};
  return race;
}

/// A finding about what is at these lines.
Diagnostic other_rule(Rule rule, Note::Kind kind, std::uint32_t line, std::uint32_t other,
                      const std::string& variable = {}) {
  Diagnostic out;
  out.rule = rule;
  out.variable = variable;
  out.place = {"a.c", line, 1};
  out.message = "title: what is wrong";
  out.notes.push_back({kind, "the other place", {}, {"a.c", other, 1}});
  return out;
}

TEST(Causes, WhatCannotBeTriedIsAdviceWithoutAnEdit) {
  Diagnostic misuse = other_rule(Rule::lock_misuse, Note::Kind::step, 3, 5);
  misuse.notes.push_back({Note::Kind::fix, "fix: set the lock here", {}, misuse.place});
  misuse.edits = {{misuse.place, "omp_set_lock(&lock);", false}};
  const auto all = grouped({misuse});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(all[0].edits.empty());
  EXPECT_EQ(all[0].notes.back().message, "fix: set the lock here");
  EXPECT_EQ(without_trial("fix: wait; this removes all 9 places"), "fix: wait");
}

TEST(Causes, OneVariableIsTwoMattersInTwoRegions) {
  const auto at = [](std::uint32_t line, std::uint32_t region) {
    return between(race(line, line, Cause::missing_mutual_exclusion, "sum"), region, region);
  };
  EXPECT_EQ(grouped({at(3, 1), at(4, 1), at(9, 8)}).size(), 2U);
}

TEST(Causes, ADependenceThatIsMissingIsOneAcrossAllTasksOfTheVariable) {
  const auto at = [](const std::string& variable, std::uint32_t one, std::uint32_t other) {
    return between(race(one, other, Cause::missing_dependence, variable, other), one, other);
  };
  EXPECT_EQ(grouped({at("x", 1, 3), at("x", 3, 5), at("y", 1, 3), at("x", 11, 13)}).size(), 3U);
}

TEST(Causes, ARaceLeadsTheClausesThatLetItHappen) {
  const Diagnostic clauses = other_rule(Rule::non_sibling_dependence, Note::Kind::other_access, 5, 2, "x");
  const auto all = grouped({between(race(3, 6, Cause::non_sibling_dependence, "x", 5), 2, 5), clauses});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].rule, Rule::data_race);
  EXPECT_EQ(all[0].also[0].rule, Rule::non_sibling_dependence);
}

TEST(Causes, ClausesThatDoNotMatchExplainTheRaceOfTheirTasks) {
  Diagnostic clauses = other_rule(Rule::unmatched_dependence, Note::Kind::other_access, 5, 2, "p");
  clauses.severity = Severity::warning;
  const auto at = [](std::uint32_t one, std::uint32_t other) {
    return between(race(one + 1, other + 1, Cause::missing_dependence, "x"), one, other);
  };
  const auto all = grouped({at(2, 5), at(12, 15), clauses});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].severity, Severity::error);
  EXPECT_EQ(all[0].also.size(), 1U);
}

TEST(Causes, AClauseThatNothingMatchesExplainsTheRaceOfItsTask) {
  const auto clause = [](std::uint32_t line, const std::string& variable) {
    Diagnostic out = other_rule(Rule::unmatched_dependence, Note::Kind::object, line, 1, variable);
    out.severity = Severity::warning;
    return out;
  };
  const Diagnostic of_tasks = between(race(3, 6, Cause::missing_dependence, "x"), 2, 5);
  EXPECT_EQ(grouped({of_tasks, clause(5, "x")}).size(), 1U);
  EXPECT_EQ(grouped({of_tasks, clause(5, "y")}).size(), 2U);
  EXPECT_EQ(grouped({of_tasks, clause(7, "x")}).size(), 2U);
}

TEST(Causes, ACircleIsOneWhetherItCameAboutOrWasPredicted) {
  Diagnostic predicted = other_rule(Rule::lock_order_cycle, Note::Kind::step, 7, 4);
  predicted.predicted = true;
  const auto all = grouped({predicted, other_rule(Rule::dependence_cycle, Note::Kind::step, 4, 7)});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].rule, Rule::dependence_cycle);
}

TEST(Causes, AfterAMismatchEverythingInTheRegionIsOutOfStep) {
  const auto at = [](std::uint32_t line, std::uint32_t region) {
    return other_rule(Rule::barrier_mismatch, Note::Kind::creation, line, region);
  };
  EXPECT_EQ(grouped({at(3, 1), at(4, 1), at(9, 8)}).size(), 2U);
}

TEST(Causes, WhoUnsetsALockOfAnotherTaskIsTheConsequenceOfWhoLeftItSet) {
  const auto unset = other_rule(Rule::lock_misuse, Note::Kind::step, 9, 4, "lock");
  Diagnostic set = unset;
  set.place.line = 4;
  set.notes.clear();
  EXPECT_EQ(grouped({set, unset}).size(), 1U);
  EXPECT_EQ(grouped({other_rule(Rule::lock_misuse, Note::Kind::step, 5, 4, "lock"), unset}).size(), 2U);
}

TEST(Causes, WhoWaitsForALockThatIsLeftSetIsTheConsequence) {
  Diagnostic set = other_rule(Rule::lock_misuse, Note::Kind::step, 4, 4, "");
  set.notes.clear();
  Diagnostic waits = other_rule(Rule::dependence_cycle, Note::Kind::step, 9, 9, "");
  waits.notes.clear();
  waits.notes.push_back({Note::Kind::step,
                         "waits for the lock, which was set by a task that has ended without unsetting it",
                         {},
                         {"a.c", 9, 1}});
  waits.notes.push_back({Note::Kind::step, "it was set here", {}, {"a.c", 4, 1}});
  const auto both = grouped({waits, set});
  ASSERT_EQ(both.size(), 1U);
  EXPECT_EQ(both.front().rule, Rule::lock_misuse);
  waits.notes.back().place.line = 5;
  EXPECT_EQ(grouped({waits, set}).size(), 2U);
}

/// A task that outlives its function's frame meets other frames in its place.
TEST(Causes, WhatATaskDoesToAFrameThatIsGoneIsTheMissingTaskwait) {
  const auto with_variable = [](Diagnostic one) {
    one.notes.push_back({Note::Kind::object, "'x' is declared here", {}, {"a.c", 1, 1}});
    return one;
  };
  Diagnostic wait;
  wait.rule = Rule::missing_taskwait;
  wait.cause = Cause::task_outlives_frame;
  wait.variable = "x";
  wait.place = {"a.c", 2, 1};
  wait = with_variable(wait);
  const auto of_tasks = [&](TaskId creator, TaskId other) {
    Diagnostic one = between(race(3, 5, Cause::missing_dependence, "x"), 2, 4);
    one.stack.emplace_back().function.outlined = Outlined::task;
    one.participants[0].tasks[0].id = TaskId{7};
    one.participants[0].tasks.emplace_back().id = creator;
    one.participants[1].tasks[0].id = other;
    return with_variable(one);
  };
  EXPECT_EQ(grouped({of_tasks(TaskId{5}, TaskId{6}), wait}).size(), 1U);
  EXPECT_EQ(grouped({of_tasks(TaskId{5}, TaskId{5}), wait}).size(), 2U); // the frame is its creator's
  Diagnostic gone = of_tasks(TaskId{5}, TaskId{6});                      // neither frame is known any more
  std::erase_if(gone.notes, [](const Note& note) { return note.kind == Note::Kind::object; });
  EXPECT_EQ(grouped({gone, wait}).size(), 1U);
  wait.variable = "y";
  EXPECT_EQ(grouped({of_tasks(TaskId{5}, TaskId{6}), wait}).size(), 2U);
}

/// The boundary of a grid is used before the call that completes both of its receives.
TEST(Causes, OneCallThatCompletesTwoOperationsTooLateIsOne) {
  const auto pending = [](std::uint32_t begun, std::uint32_t used, std::uint32_t completed) {
    Diagnostic out = race(begun, used, Cause::pending_operation, "");
    out.notes.push_back({Note::Kind::step, "MPI_Irecv may write it until MPI_Waitall here", {}, {"a.c", completed, 1}});
    return out;
  };
  EXPECT_EQ(grouped({pending(3, 5, 7), pending(4, 5, 7)}).size(), 1U);
  EXPECT_EQ(grouped({pending(3, 5, 7), pending(4, 5, 8)}).size(), 2U);
  EXPECT_EQ(grouped({pending(3, 5, 7), pending(4, 6, 7)}).size(), 2U);
}

TEST(Causes, MemoryWithoutANameKeepsItsPairs) {
  EXPECT_EQ(grouped({race(3, 3, Cause::missing_mutual_exclusion, ""), race(4, 4, Cause::missing_mutual_exclusion, "")})
                .size(),
            2U);
}

TEST(Causes, TheFingerprintDoesNotDependOnThePairsThatARunShows) {
  const auto one = grouped({race(3, 9, Cause::missing_taskwait, "x", 7), race(4, 9, Cause::missing_taskwait, "x", 7)});
  const auto two = grouped({race(4, 9, Cause::missing_taskwait, "x", 7)});
  EXPECT_EQ(one[0].fingerprint, two[0].fingerprint);
  EXPECT_NE(one[0].fingerprint, grouped({race(4, 9, Cause::missing_taskwait, "x", 8)})[0].fingerprint);
}

TEST(Causes, WhatHappenedLeads) {
  Diagnostic predicted = race(3, 9, Cause::one_side_locked, "x");
  predicted.predicted = true;
  const auto all = grouped({predicted, race(4, 9, Cause::one_side_locked, "x")});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_FALSE(all[0].predicted);
  EXPECT_EQ(all[0].also[0].place.line, 3U);
}

TEST(Causes, WhatIsSuppressedStaysApart) {
  Diagnostic suppressed = race(3, 9, Cause::missing_taskwait, "x", 7);
  suppressed.suppressed = true;
  EXPECT_EQ(grouped({suppressed, race(4, 9, Cause::missing_taskwait, "x", 7)}).size(), 2U);
}

TEST(Causes, TheTextHasALineForEachOtherPlace) {
  const auto all = grouped({race(3, 9, Cause::missing_taskwait, "x", 7), race(4, 9, Cause::missing_taskwait, "x", 7)});
  SourceText sources(".");
  const std::string text = text_report({}, all, sources, {});
  EXPECT_NE(text.find("a.c:4:1: note: the same cause: write of 4 bytes, not ordered with"), std::string::npos) << text;
  EXPECT_NE(text.find("1 error, 0 warnings"), std::string::npos) << text;
}

TEST(Causes, TheTextEndsWithWhatThereIsToDo) {
  auto all = grouped({race(3, 9, Cause::missing_taskwait, "x", 7), race(4, 9, Cause::missing_taskwait, "x", 8)});
  all[1].edits.push_back({{"a.c", 8, 1}, "#pragma omp taskwait", false});
  SourceText sources(".");
  const std::string text = text_report({}, all, sources, {});
  EXPECT_TRUE(text.ends_with("\nfletcher: 'fletcher fix' can make these changes:\n  a.c:8: change it\n"
                             "\nfletcher: to change by hand:\n  a.c:7: change it\n\nfletcher: 2 errors, 0 warnings\n"))
      << text;
  all[1].edits.clear();
  EXPECT_TRUE(text_report({}, all, sources, {})
                  .ends_with("\nfletcher: what to change:\n  a.c:7: change it\n  a.c:8: change it\n"
                             "\nfletcher: 2 errors, 0 warnings\n"));
  all.resize(1);
  EXPECT_EQ(text_report({}, all, sources, {}).find("what to change"), std::string::npos);
}

} // namespace
} // namespace fletcher::reports
