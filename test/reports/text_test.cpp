// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text form: lines that problem matchers understand, and what a reader must find in them.
#include "reports/explanation/fingerprint.hpp"
#include "reports/explanation/rule_catalogue.hpp"
#include "reports/forms/text.hpp"
#include "reports/render.hpp"
#include "test/reports/samples.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

namespace fletcher::reports {
namespace {

const std::regex
    diagnostic_line(R"(^([^\s:][^:\n]*):(?:(\d+):)?(?:\d+:)? (error|warning): .*\[([a-z][a-z0-9-]*)\]\s*$)");
const std::regex note_line(R"(^([^\s:][^:\n]*):(?:(\d+):)?(?:\d+:)? note: (.*)$)");

struct Parsed {
  std::string file, severity, rule, text;
  int line = 0;
  std::vector<std::pair<int, std::string>> notes;
};

/// 0: the place has no line.
int line_number(const std::string& digits) { return digits.empty() ? 0 : std::stoi(digits); }

/// As a problem matcher reads it. Every line must be a diagnostic, a note, indented, empty, or begin with "fletcher".
std::vector<Parsed> parsed(const std::string& text) {
  std::vector<Parsed> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_match(line, match, diagnostic_line)) {
      out.push_back({match[1], match[3], match[4], line, line_number(match[2]), {}});
    } else if (std::regex_match(line, match, note_line)) {
      EXPECT_FALSE(out.empty());
      if (!out.empty()) out.back().notes.emplace_back(line_number(match[2]), match[3]);
    } else {
      EXPECT_TRUE(line.empty() || line.front() == ' ' || line.starts_with("fletcher")) << line;
    }
  }
  return out;
}

std::vector<Diagnostic> diagnostics(const Workspace& workspace, const std::vector<Finding>& findings) {
  const Document document = workspace.document(findings);
  SourceText sources(workspace.folder().string());
  return merged(diagnose(document, symbolize(document, workspace.symbolizer()), sources));
}

std::string text_of(const Workspace& workspace, const std::vector<Finding>& findings, TextStyle style = {}) {
  SourceText sources(workspace.folder().string());
  return text_report({workspace.document({}).run}, diagnostics(workspace, findings), sources, style);
}

bool has_note(const Parsed& diagnostic, int line, const std::string& part) {
  for (const auto& [number, text] : diagnostic.notes)
    if (number == line && text.find(part) != std::string::npos) return true;
  return false;
}

TEST(Text, ARaceTellsBothLinesTheVariableTheTasksTheCauseAndTheChange) {
  const Workspace workspace;
  const std::string text = text_of(workspace, {race()});
  const auto all = parsed(text);
  ASSERT_EQ(all.size(), 1U) << text;
  const Parsed& one = all[0];
  EXPECT_EQ(one.file, "sample.c");
  EXPECT_EQ(one.line, 41); // the write leads
  EXPECT_EQ(one.severity, "error");
  EXPECT_EQ(one.rule, "data-race");
  EXPECT_NE(
      one.text.find("data race: write of 4 bytes of 'table' (bytes 12-15 of 40) in the task created at line 40 is "
                    "not ordered with the read at line 52 in the task created at line 50"),
      std::string::npos)
      << text;
  ASSERT_FALSE(one.notes.empty());
  EXPECT_EQ(one.notes[0].first, 52);
  EXPECT_NE(one.notes[0].second.find("read of 4 bytes"), std::string::npos);
  EXPECT_TRUE(has_note(one, 40, "created here")) << text;
  EXPECT_TRUE(has_note(one, 50, "created here")) << text;
  EXPECT_TRUE(has_note(one, 3, "'table' is declared here")) << text;
  EXPECT_TRUE(has_note(one, 41, "why: ")) << text;
  EXPECT_TRUE(has_note(one, 41, "fix: ")) << text;
  EXPECT_NE(text.find("    41 |   statement_41(table);\n        |     ^\n"), std::string::npos) << text;
  EXPECT_NE(text.find("called from f2 at sample.c:21:3"), std::string::npos) << text;
  EXPECT_TRUE(text.starts_with("fletcher 1.2.3: level native")) << text;
  EXPECT_NE(text.find("fletcher: 1 error, 0 warnings\n"), std::string::npos) << text;
}

TEST(Text, WhatCannotBeAtomicIsNotToBecomeAtomic) {
  const Workspace workspace;
  Finding finding = race();
  finding.cause = Cause::not_atomic;
  finding.fix = "make the other access atomic too";
  finding.accesses[0].type = AccessType::atomic_read;
  const auto words = [&](AccessType other, std::uint32_t size) {
    finding.accesses[1].type = other;
    finding.accesses[1].size = size;
    return text_of(workspace, {finding});
  };
  EXPECT_NE(words(AccessType::write, 4).find("fix: make the other access atomic too"), std::string::npos);
  for (const auto& text : {words(AccessType::write, 24), words(AccessType::free, 24)})
    EXPECT_EQ(text.find("atomic too"), std::string::npos) << text;
  EXPECT_NE(words(AccessType::free, 24).find("fix: free it where no other task can still use it"), std::string::npos);
}

TEST(Text, MemoryWithoutANameIsToldWithoutTheRunsAddresses) {
  const Workspace workspace;
  const auto words = [&](Address address) {
    Finding finding = race();
    finding.object.kind = ObjectKind::unknown;
    for (AccessDescription& access : finding.accesses) access.address = address;
    return text_of(workspace, {finding});
  };
  EXPECT_NE(words(app_base + 0x4010).find("write of 4 bytes of memory at app+0x4010 in"), std::string::npos);
  EXPECT_NE(words(0x7f12'3456'7890).find("write of 4 bytes of memory of unknown origin in"), std::string::npos);
  EXPECT_NE(words(0).find("write of 4 bytes of memory in"), std::string::npos);
}

TEST(Text, EveryRuleAndCauseHasTheShape) {
  const Workspace workspace;
  const auto findings = one_of_each();
  const std::string text = text_of(workspace, findings);
  const auto all = parsed(text);
  EXPECT_EQ(all.size(), findings.size()) << text;
  std::set<std::string> rules;
  for (const auto& one : all) rules.insert(one.rule);
  EXPECT_EQ(rules.size(), rule_catalogue().size());
}

TEST(Text, EqualPairsOfPlacesAreOneDiagnosticWithACount) {
  const Workspace workspace;
  Finding swapped = race();
  std::swap(swapped.accesses[0], swapped.accesses[1]);
  swapped.count = 4;
  Finding other = race();
  other.accesses[1].stack.front() = pc_at(43, 5);
  const std::string text = text_of(workspace, {race(), swapped, other});
  const auto all = parsed(text);
  ASSERT_EQ(all.size(), 2U) << text;
  EXPECT_NE(all[0].text.find("(seen at least 5 times) [data-race]"), std::string::npos) << text;
  EXPECT_EQ(all[1].text.find("seen"), std::string::npos);
}

TEST(Text, ThreadsOfOneRegionAreNamed) {
  const Workspace workspace;
  Finding finding = race();
  finding.accesses = {access_at(AccessType::write, 41, task_at(TaskKind::implicit, 3, 30, 0)),
                      access_at(AccessType::write, 41, task_at(TaskKind::implicit, 4, 30, 1))};
  const auto all = parsed(text_of(workspace, {finding}));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NE(all[0].text.find("in thread 0 of the parallel region at line 30 is not ordered with the write on the same "
                             "line in thread 1 [data-race]"),
            std::string::npos)
      << all[0].text;
  EXPECT_EQ(all[0].notes[0].first, 41);
  EXPECT_TRUE(has_note(all[0], 30, "parallel region begins here"));
}

TaskDescription team_at(std::uint32_t id, std::uint32_t index) {
  TaskDescription team = task_at(TaskKind::implicit, id, 30, index);
  team.of_league = true;
  return team;
}

TEST(Text, TeamsOfOneLeagueAreNamedAndNoLockIsRecommended) {
  const Workspace workspace;
  Finding finding = race();
  finding.cause = Cause::missing_mutual_exclusion;
  finding.accesses = {access_at(AccessType::write, 41, team_at(3, 0)), access_at(AccessType::write, 42, team_at(4, 1))};
  const std::string text = text_of(workspace, {finding});
  const auto all = parsed(text);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NE(
      all[0].text.find("in team 1 of the teams construct at line 30 is not ordered with the write at line 41 in team "
                       "0 [data-race]"),
      std::string::npos)
      << all[0].text;
  EXPECT_TRUE(has_note(all[0], 30, "teams construct begins here")) << text;
  EXPECT_TRUE(has_note(all[0], 42, "fix: make the accesses atomic, or give each team")) << text;
  EXPECT_EQ(text.find("parallel region"), std::string::npos) << text;
}

TEST(Text, ThreadsAndTasksOfTwoTeamsAreToldWithTheirTeam) {
  const Workspace workspace;
  Finding finding = race();
  finding.cause = Cause::missing_mutual_exclusion;
  for (const std::uint32_t i : {0U, 1U}) {
    AccessDescription& access = finding.accesses[i];
    access = access_at(AccessType::write, 41, task_at(TaskKind::implicit, 13 + i, 35, 0));
    access.tasks.insert(access.tasks.begin() + 1, team_at(3 + i, i));
  }
  std::string text = text_of(workspace, {finding});
  EXPECT_NE(
      text.find("in thread 0 of the parallel region at line 35 in team 0 is not ordered with the write on the same "
                "line in thread 0 in team 1 [data-race]"),
      std::string::npos)
      << text;
  for (const std::uint32_t i : {0U, 1U}) finding.accesses[i].tasks.front() = task_at(TaskKind::explicit_, 13 + i, 36);
  text = text_of(workspace, {finding});
  EXPECT_NE(
      text.find("in the task created at line 36 in team 0 is not ordered with the write on the same line in another "
                "task created there in team 1 [data-race]"),
      std::string::npos)
      << text;
}

TEST(Text, WhatHelpsBetweenTeamsIsAdvisedWhicheverWasMetFirst) {
  const Workspace workspace;
  Finding within = race(), between = race();
  within.cause = between.cause = Cause::missing_mutual_exclusion;
  for (const std::uint32_t i : {0U, 1U}) {
    within.accesses[i] = access_at(AccessType::write, 41, task_at(TaskKind::implicit, 13 + i, 35, i));
    within.accesses[i].tasks.insert(within.accesses[i].tasks.begin() + 1, team_at(3, 0));
    between.accesses[i] = access_at(AccessType::write, 41, team_at(3 + i, i));
  }
  for (const auto& findings : {std::vector{within, between}, std::vector{between, within}}) {
    const std::string text = text_of(workspace, findings);
    const auto all = parsed(text);
    ASSERT_EQ(all.size(), 1U) << text;
    EXPECT_TRUE(has_note(all[0], 41, "fix: make the accesses atomic, or give each team")) << text;
    EXPECT_NE(all[0].text.find("(seen at least 2 times)"), std::string::npos) << text;
  }
}

TEST(Text, AConstructWithTwoCallsOnOneLineIsNoMismatch) {
  const Workspace workspace;
  const auto mismatch = [](Address first, Address second) {
    Finding finding;
    finding.rule = Rule::barrier_mismatch;
    finding.if_lines_differ = true;
    finding.message = "{task 0} comes to a barrier here, but {task 1} to another one";
    finding.steps.push_back({"", Stack{first}});
    finding.steps.push_back({"{task} comes to it here", Stack{second}});
    return finding;
  };
  EXPECT_EQ(parsed(text_of(workspace, {mismatch(pc_at(41, 5), pc_at(42, 5))})).size(), 1U);
  EXPECT_EQ(text_of(workspace, {mismatch(pc_at(41, 5), pc_at(41, 9))}), "");
  EXPECT_EQ(text_of(workspace, {mismatch(pc_at(41, 5), Address{0x10})}), "") << "a line that is not known";
}

/// Both change the whole variable 'table' on one line.
Finding accumulation(Cause cause, TaskKind kind) {
  Finding finding;
  finding.cause = cause;
  finding.fix = cause == Cause::missing_taskwait ? "taskwait" : "";
  finding.object.kind = ObjectKind::global;
  finding.accesses = {access_at(AccessType::write, 41, task_at(kind, 3, 30, 0)),
                      access_at(AccessType::write, 41, task_at(kind, 4, 30, 1))};
  for (AccessDescription& access : finding.accesses) {
    access.address = table_address;
    access.size = 40;
  }
  return finding;
}

TEST(Text, ALockThatBothAccessesHoldIsOneNote) {
  const Workspace workspace;
  const auto notes = [&](MutexKind kind, Address other) {
    Finding finding = accumulation(Cause::missing_mutual_exclusion, TaskKind::implicit);
    for (AccessDescription& access : finding.accesses) access.locks = {{{kind, 0x10}, {pc_at(21, 3)}}};
    finding.accesses.back().locks.front().mutex.address = other;
    return text_of(workspace, {finding});
  };
  const std::string one = notes(MutexKind::lock, 0x10), two = notes(MutexKind::lock, 0x20);
  EXPECT_NE(one.find("both accesses hold the lock"), std::string::npos) << one;
  EXPECT_EQ(one.find("the write holds"), std::string::npos) << one;
  EXPECT_NE(two.find("the write holds the lock"), std::string::npos) << two;
  const std::string construct = notes(MutexKind::critical, 0x10);
  EXPECT_NE(construct.find("both accesses are in the critical construct, entered here"), std::string::npos)
      << construct;
}

TEST(Text, ALockBesideTheDataIsNamedByTheBlockOfBoth) {
  const Workspace workspace;
  const auto held = [&](Address lock) {
    Finding finding = accumulation(Cause::one_side_locked, TaskKind::implicit);
    finding.object = {ObjectKind::heap, 0x7f0000, 64, {pc_at(13, 2)}, ThreadId{3}, 0, 0};
    for (AccessDescription& access : finding.accesses) access.address = 0x7f0030;
    finding.accesses.front().locks = {{{MutexKind::posix, lock}, {pc_at(21, 3)}}};
    return text_of(workspace, {finding});
  };
  EXPECT_NE(held(0x7f0008).find("mutex in the same heap block (byte 8), acquired here"), std::string::npos)
      << held(0x7f0008);
  EXPECT_EQ(held(0x7f0040).find("in the same heap block"), std::string::npos);
}

TEST(Text, ALockElsewhereIsNamedAsWhereItIsTaken) {
  const Workspace workspace;
  std::string source;
  for (int line = 1; line <= 60; ++line)
    source += line == 21 ? "  std::lock_guard<std::mutex> guard(mutex_);\n" : "  statement(table);\n";
  workspace.write("sample.c", source);
  const auto held = [&](Cause cause) {
    Finding finding = accumulation(cause, TaskKind::implicit);
    finding.object = {ObjectKind::heap, 0x7f0000, 64, {pc_at(13, 2)}, ThreadId{3}, 0, 0};
    for (AccessDescription& access : finding.accesses) access.address = 0x7f0030;
    finding.accesses.front().locks = {{{MutexKind::posix, 0x7e0000}, {pc_at(21, 3)}}};
    return text_of(workspace, {finding});
  };
  EXPECT_NE(held(Cause::one_side_locked).find("mutex 'mutex_', acquired here"), std::string::npos)
      << held(Cause::one_side_locked);
  EXPECT_NE(held(Cause::different_locks).find("mutex 0x7e0000, acquired here"), std::string::npos)
      << held(Cause::different_locks);
}

TEST(Text, OneLineThatChangesOneVariableNeedsExclusionNotATaskwait) {
  const Workspace workspace;
  const std::string text = text_of(workspace, {accumulation(Cause::missing_taskwait, TaskKind::explicit_)});
  EXPECT_NE(text.find("fix: put both accesses into the same critical construct"), std::string::npos) << text;
  EXPECT_EQ(text.find("make the update atomic"), std::string::npos) << "no atomic construct has 40 bytes";
  EXPECT_EQ(text.find("taskwait"), std::string::npos) << text;
  Finding part = accumulation(Cause::missing_taskwait, TaskKind::explicit_); // of an array: parts meet that should not
  for (AccessDescription& access : part.accesses) access.size = 8;
  EXPECT_NE(text_of(workspace, {part}).find("fix: add a taskwait"), std::string::npos);
  Finding lines = accumulation(Cause::missing_taskwait, TaskKind::explicit_);
  lines.accesses[1].stack.front() = pc_at(43, 5);
  EXPECT_NE(text_of(workspace, {lines}).find("fix: add a taskwait"), std::string::npos);
}

TEST(Text, TasksOfOneConstructWithoutDependClausesNeedExclusion) {
  const Workspace workspace;
  const auto advice = [&](Address other_construct, std::vector<Dependence> declared) {
    Finding part = accumulation(Cause::missing_dependence, TaskKind::explicit_); // of an unrolled loop
    for (AccessDescription& access : part.accesses) access.size = 8;
    part.accesses[0].tasks[0].creation = {pc_at(40, 3), pc_at(20, 3)};
    part.accesses[1].tasks[0].creation = {pc_at(other_construct, 3), pc_at(20, 3)};
    part.accesses[0].declared = std::move(declared);
    return text_of(workspace, {part});
  };
  const std::string why = "why: several tasks execute this at the same time";
  EXPECT_NE(advice(40, {}).find(why), std::string::npos) << advice(40, {});
  EXPECT_EQ(advice(44, {}).find(why), std::string::npos);
  EXPECT_EQ(advice(40, {{table_address, DependenceType::in, false}}).find(why), std::string::npos);
}

TEST(Text, OneVariableThatAllThreadsWriteMayBePrivateOrReduced) {
  const Workspace workspace;
  const std::string text = text_of(workspace, {accumulation(Cause::missing_mutual_exclusion, TaskKind::implicit)});
  EXPECT_NE(text.find("why: 'table' is shared by all threads of the region, and each of them writes it"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("(private)"), std::string::npos) << text;
}

TEST(Text, APredictedRaceSaysThatTheOrderOfLocksWasAnAccident) {
  const Workspace workspace;
  Finding finding = race();
  finding.predicted = true;
  const auto all = parsed(text_of(workspace, {finding}));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NE(all[0].text.find("predicted data race: write of 4 bytes"), std::string::npos) << all[0].text;
  EXPECT_TRUE(has_note(all[0], 41, "this run happened to take locks in an order that kept the two apart"));
}

TEST(Text, ALockThatTwoTeamsOfALeagueHoldIsNoAdvice) {
  const Workspace workspace;
  Finding finding = race();
  finding.cause = Cause::missing_mutual_exclusion;
  for (AccessDescription& access : finding.accesses) access.locks = {{{MutexKind::critical, 0x7000}, {}}};
  const auto all = parsed(text_of(workspace, {finding}));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(has_note(all[0], 41, "in two teams of a league"));
}

TEST(Text, AFixThatCanBeMadeIsShownAsALine) {
  const Workspace workspace;
  Finding finding = race();
  finding.fix = "taskwait";
  finding.fix_place = {pc_at(45, 3)};
  const std::string text = text_of(workspace, {finding});
  EXPECT_NE(text.find("sample.c:45:3: note: fix: add '#pragma omp taskwait' before this line\n"
                      "      + |   #pragma omp taskwait\n"
                      "     45 |   statement_45(table);"),
            std::string::npos)
      << text;
}

TEST(Diagnostic, AFixElsewhereIsToldWithItsLine) {
  const Note fix{Note::Kind::fix, "fix: add a taskwait before this line", {}, {"/s/a.c", 10, 3}};
  EXPECT_EQ(fix_with_line(fix, {"/s/a.c", 10, 8}), fix.message);
  EXPECT_EQ(fix_with_line(fix, {"/s/a.c", 7, 3}), "fix at line 10: add a taskwait before this line");
  EXPECT_EQ(fix_with_line(fix, {"/s/b.c", 10, 3}), "fix in a.c at line 10: add a taskwait before this line");
}

/// A recursion: the ancestor reads at line 45, in a call from line 27 of f2; its child was created at line 25 of f2.
Finding recursion(std::uint32_t generations) {
  Finding finding;
  finding.cause = Cause::missing_taskwait;
  finding.object.kind = ObjectKind::global;
  AccessDescription above = access_at(AccessType::read, 45, task_at(TaskKind::explicit_, 11, 10));
  above.stack = {pc_at(45, 5), pc_at(27, 3), pc_at(12, 3)};
  AccessDescription below = access_at(AccessType::write, 41, task_at(TaskKind::explicit_, 20, 0));
  below.tasks.clear();
  for (std::uint32_t i = 0; i < generations; ++i) {
    TaskDescription task = task_at(TaskKind::explicit_, 20 - i, 0);
    task.creation = {pc_at(25, 1), pc_at(12, 3)};
    below.tasks.push_back(task);
  }
  below.tasks.insert(below.tasks.end(), above.tasks.begin(), above.tasks.end());
  finding.accesses = {above, below};
  return finding;
}

TEST(Text, AMissingTaskwaitBelongsWhereCreatorAndAccessPart) {
  const Workspace workspace;
  for (const std::uint32_t generations : {1U, 3U}) {
    const std::string text = text_of(workspace, {recursion(generations)});
    EXPECT_NE(text.find("sample.c:27:3: note: fix: add '#pragma omp taskwait' before this line\n      + |   #pragma"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("why: nothing waits for the task created at line 25:"), std::string::npos) << text;
  }
  Finding nested = recursion(2);
  nested.accesses[1].tasks[0].creation = {pc_at(25, 1)}; // its construct stands within that of the task around it
  EXPECT_NE(text_of(workspace, {nested}).find("sample.c:27:3: note: fix: wait for the descendants before this line"),
            std::string::npos);
  Finding mixed = recursion(2);
  mixed.accesses[1].tasks[0].creation = {pc_at(35, 1), pc_at(12, 3)}; // created by f3, which may not wait either
  const std::string text = text_of(workspace, {mixed});
  EXPECT_NE(text.find("sample.c:27:3: note: fix: wait for the descendants before this line"), std::string::npos)
      << text;
}

TEST(Text, WithoutPlacesTheModuleStandsIn) {
  const Workspace workspace;
  Finding finding = race();
  finding.accesses[0].stack = {app_base + 5}; // the stand-in knows nothing below offset 16
  finding.accesses[1].stack = {0xdead0000};   // in no module
  const std::string text = text_of(workspace, {finding});
  const auto all = parsed(text);
  ASSERT_EQ(all.size(), 1U) << text;
  EXPECT_EQ(all[0].line, 0);
  EXPECT_NE(text.find("0xdead0000: error: "), std::string::npos) << text;
  EXPECT_NE(text.find("app+0x5: note: the other access"), std::string::npos) << text;
}

TEST(Text, ANamelessStackDoesNotLoseTheFinding) {
  const Workspace workspace;
  Finding bare;
  bare.rule = Rule::lock_misuse;
  Finding race_without_stacks = race();
  for (auto& access : race_without_stacks.accesses) access.stack.clear(), access.tasks.clear();
  const std::string text = text_of(workspace, {bare, race_without_stacks});
  EXPECT_EQ(parsed(text).size(), 2U) << text;
}

TEST(Text, ACleanRunIsSilentUnlessAsked) {
  const Workspace workspace;
  EXPECT_EQ(text_of(workspace, {}), "");
  const std::string verbose = text_of(workspace, {}, {false, true});
  EXPECT_NE(verbose.find("fletcher: 0 errors, 0 warnings"), std::string::npos);
  EXPECT_NE(verbose.find("level native"), std::string::npos);
}

TEST(Text, ColourIsOnlyPaint) {
  const Workspace workspace;
  const std::string plain = text_of(workspace, one_of_each()),
                    coloured = text_of(workspace, one_of_each(), {true, false});
  EXPECT_EQ(plain.find('\033'), std::string::npos);
  EXPECT_NE(coloured, plain);
  EXPECT_EQ(std::regex_replace(coloured, std::regex("\033\\[[0-9;]*m"), ""), plain);
}

TEST(Fingerprint, SurvivesMovedLinesAndSwappedAccesses) {
  const Workspace workspace;
  const auto name = [&](const Finding& finding) { return diagnostics(workspace, {finding}).at(0).fingerprint; };
  const std::string before = name(race());
  Finding swapped = race();
  std::swap(swapped.accesses[0], swapped.accesses[1]);
  EXPECT_EQ(name(swapped), before);
  Finding other = race();
  other.accesses[0].stack.front() = pc_at(53, 5);
  EXPECT_NE(name(other), before);

  // Two lines more above: the same statements, two lines further down.
  const std::string source = read_whole(workspace.file("sample.c"));
  workspace.write("sample.c", "int added_a;\nint added_b;\n" + source);
  Finding moved = race();
  moved.accesses[0].stack.front() = pc_at(54, 5);
  moved.accesses[1].stack.front() = pc_at(43, 5);
  EXPECT_EQ(name(moved), before);
}

} // namespace
} // namespace fletcher::reports
