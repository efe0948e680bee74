// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Edits of map clauses, of the initialisation of locks, and of what belongs together: which one a finding gets in which
// source, and where it gets none; and what a statement says of its accesses.
#include "checker/rules/mapping_words.hpp"
#include "reports/explanation/accessing_statement.hpp"
#include "reports/repair/repair.hpp"
#include "test/reports/samples.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fletcher::reports {
namespace {

namespace words = rules::mapping_words;

/// A source in a file of its own, and the repair of a diagnostic about it: "+7 text" a line in front of line 7, "=7
/// text" one in its place.
class Source {
public:
  Source(const std::string& name, const std::string& text) : name_(name) { workspace_.write(name, text); }

  SourcePlace at(std::uint32_t line, std::uint32_t column = 1) const { return {workspace_.file(name_), line, column}; }

  std::string edits(const std::vector<Diagnostic>& diagnostics) const {
    SourceText sources(workspace_.folder().string());
    Codes codes(sources);
    Group group;
    for (const Diagnostic& one : diagnostics) group.push_back(&one);
    const auto found = repair(group, codes);
    std::string out;
    if (found)
      for (const Edit& edit : found->edits)
        out += (out.empty() ? "" : "\n") + std::string(edit.replaces ? "=" : "+") + std::to_string(edit.place.line) +
               " " + std::string(trimmed(edit.text));
    return out;
  }

private:
  Workspace workspace_;
  std::string name_;
};

// ---- map clauses
// ------------------------------------------------------------------------------------------------------

Diagnostic mapping(std::string_view message, const SourcePlace& place, std::vector<Note> steps = {}) {
  Diagnostic out;
  out.rule = Rule::mapping_bug;
  out.place = place;
  out.message = "mapping bug: " + std::string(message);
  out.notes = std::move(steps);
  return out;
}

Note step(std::string_view message, const SourcePlace& place) {
  return {Note::Kind::step, std::string(message), {}, place};
}

TEST(RepairOfMaps, WhatTheDeviceSetsIsCopiedBack) {
  const Source source("a.c", "int f(void) {\n"
                             "  int a[9], b[9];\n"
                             "#pragma omp target map(always, to : b, a[0 : 9])\n"
                             "  for (int i = 0; i < 9; i++) a[i] = b[i];\n"
                             "  return a[7];\n"
                             "}\n");
  EXPECT_EQ(source.edits({mapping(words::stale_on_host, source.at(5, 10), {step(words::unmapped_here, source.at(3))})}),
            "=3 #pragma omp target map(always, to: b) map(always, tofrom: a[0 : 9])");
}

TEST(RepairOfMaps, ARegionOfDataLeavesWithWhatTheDeviceHasSet) {
  const Source source("a.c", "int f(void) {\n"
                             "  int a[9];\n"
                             "#pragma omp target enter data map(to: a)\n"
                             "#pragma omp target\n"
                             "  a[7] = 1;\n"
                             "#pragma omp target exit data map(release: a)\n"
                             "  return a[7];\n"
                             "}\n");
  EXPECT_EQ(source.edits({mapping(words::stale_on_host, source.at(7, 10), {step(words::unmapped_here, source.at(6))})}),
            "=6 #pragma omp target exit data map(from: a)");
}

/// The device reads what nothing has written: a copy helps only where the host has set it.
TEST(RepairOfMaps, WhatTheHostHasSetIsCopiedThere) {
  const auto with = [](const std::string& before) {
    const Source source("a.c", "void f(void) {\n"
                               "  int a[9];\n" +
                                   before +
                                   "\n#pragma omp target map(from: a)\n"
                                   "  for (int i = 0; i < 9; i++) a[i] += i;\n"
                                   "}\n");
    return source.edits({mapping(words::undefined, source.at(5, 31))});
  };
  EXPECT_EQ(with("  memset(a, 0, sizeof a);"), "=4 #pragma omp target map(tofrom: a)");
  EXPECT_EQ(with("  for (int i = 0; i < 9; i++) a[i] = 0;"), "=4 #pragma omp target map(tofrom: a)");
  EXPECT_EQ(with("  use(a[1] == 2);"), "");
}

TEST(RepairOfMaps, AnUpdateComesBeforeTheLoopThatReads) {
  const auto with = [](const std::string& inside) {
    const Source source("a.c", "int f(void) {\n"
                               "  int a[9], sum = 0;\n"
                               "#pragma omp target data map(tofrom: a[0:9])\n"
                               "  {\n"
                               "#pragma omp target\n"
                               "    for (int i = 0; i < 9; i++) a[i] += 1;\n" +
                                   inside +
                                   "\n    for (int i = 0; i < 9; i++) {\n"
                                   "      sum += a[i];\n"
                                   "    }\n"
                                   "  }\n"
                                   "  return sum;\n"
                                   "}\n");
    return source.edits({mapping(words::stale_on_host, source.at(9, 14))});
  };
  EXPECT_EQ(with(""), "+8 #pragma omp target update from(a[0:9])");
  EXPECT_EQ(with("    a[0] = 1;"), ""); // which the update would take away
}

TEST(RepairOfMaps, AVariableOfTheDevicesOwnIsCopiedBack) {
  const auto with = [](const std::string& between) {
    const Source source("a.c", "#pragma omp declare target\n"
                               "int table[9];\n"
                               "#pragma omp end declare target\n"
                               "int f(void) {\n"
                               "#pragma omp target\n"
                               "  for (int i = 0; i < 9; i++) table[i] = i;\n" +
                                   between +
                                   "\n  return table[5];\n"
                                   "}\n");
    Diagnostic read = mapping(words::stale_on_host, source.at(8, 10));
    read.variable = "table";
    read.declared = source.at(2);
    return source.edits({read});
  };
  EXPECT_EQ(with(""), "+8 #pragma omp target update from(table)");
  EXPECT_EQ(with("  table[3] = 1;"), ""); // which the update would take away
}

TEST(RepairOfMaps, TheDeviceGetsWhatTheHostHasChanged) {
  const auto with = [](const std::string& device) {
    const Source source("a.c", "void f(int n) {\n"
                               "  int a[9];\n"
                               "#pragma omp target enter data map(to: a)\n"
                               "  a[0] = n;\n"
                               "#pragma omp target map(tofrom: n)\n" +
                                   device + "\n}\n");
    return source.edits(
        {mapping(words::stale_on_device, source.at(6, 8), {step(words::changed_by_host, source.at(4))})});
  };
  EXPECT_EQ(with("  n += a[0];"), "+5 #pragma omp target update to(a)");
  EXPECT_EQ(with("  n += a[0], a[1] = 0;"), ""); // which the update would take away, next time
}

TEST(RepairOfMaps, APointerIsMappedWithWhatItPointsTo) {
  const auto with = [](const std::string& allocation) {
    const Source source("a.c", "void f(int n) {\n"
                               "  double* a = " +
                                   allocation +
                                   ";\n"
                                   "#pragma omp target\n"
                                   "  for (int i = 0; i < n; i++) a[i] = i;\n"
                                   "}\n");
    return source.edits({mapping(words::not_mapped, source.at(4, 31))});
  };
  for (const char* allocation : {"malloc(n * sizeof *a)", "malloc(sizeof(double) * n)", "(double*)malloc(n*sizeof(*a))",
                                 "calloc(n, sizeof(double))", "new double[n]"})
    EXPECT_EQ(with(allocation), "=3 #pragma omp target map(tofrom: a[0:n])") << allocation;
  for (const char* allocation : {"malloc(n)", "given()", "malloc(sizeof(block))"}) // the loop says how much
    EXPECT_EQ(with(allocation), "=3 #pragma omp target map(tofrom: a[0:n])") << allocation;
}

TEST(RepairOfMaps, ASectionThatIsTooShortIsWhole) {
  const Source source("a.c", "void f(int n) {\n"
                             "  double* a = malloc(n * n * sizeof *a);\n"
                             "#pragma omp target map(tofrom: a[0:n], n)\n"
                             "  for (int i = 0; i < n * n; i++) a[i] = i;\n"
                             "}\n");
  EXPECT_EQ(
      source.edits({mapping(std::string("right after the 8 bytes ") + std::string(words::beyond), source.at(4, 35))}),
      "=3 #pragma omp target map(tofrom: a[0:n * n], n)");
}

/// Of what comes from elsewhere the loop says how much it uses.
TEST(RepairOfMaps, ALoopSaysHowMuchItUses) {
  const auto with = [](const std::string& loop) {
    const Source source("a.c", "void f(double* a, int n) {\n"
                               "#pragma omp target map(tofrom: a[0:n - 1])\n  " +
                                   loop + "\n}\n");
    return source.edits({mapping(std::string("right after the 8 bytes ") + std::string(words::beyond), source.at(3))});
  };
  EXPECT_EQ(with("for (int i = 0; i < n; i++) a[i] = i;"), "=2 #pragma omp target map(tofrom: a[0:n])");
  EXPECT_EQ(with("for (int i = 1; i < n; i++) a[i] = a[i - 1];"), "=2 #pragma omp target map(tofrom: a[0:n])");
  EXPECT_EQ(with("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i * m + j] = 1;"),
            "=2 #pragma omp target map(tofrom: a[0:n * m])");
  for (const char* other : {"for (int i = 0; i <= n; i++) a[i] = i;", "for (int i = 0; i < n; i++) a[i + 1] = i;",
                            "for (int i = 0; i < n; i++) a[i] = i, n--;", "for (int i = 0; i < n; i++) a[2 * i] = i;"})
    EXPECT_EQ(with(other), "") << other;
}

TEST(RepairOfMaps, WhatTheDeviceOnlyReadsIsNotCopiedBack) {
  const Source source("a.c", "int f(void) {\n"
                             "  int a[9], sum = 0;\n"
                             "#pragma omp target data map(tofrom: a)\n"
                             "  {\n"
                             "#pragma omp target map(tofrom: sum)\n"
                             "    sum += a[1];\n"
                             "    a[7] = sum;\n"
                             "  }\n"
                             "  return a[7];\n"
                             "}\n");
  EXPECT_EQ(source.edits({mapping(words::replaced, source.at(9, 10), {step(words::unmapped_here, source.at(3))})}),
            "=3 #pragma omp target data map(to: a)");
}

// ---- the initialisation of locks
// --------------------------------------------------------------------------------------

TEST(RepairOfLocks, OneThreadInitialisesALock) {
  const auto with = [](const std::string& head) {
    const Source source("a.c", "void f(void) {\n" + head +
                                   "\n  {\n"
                                   "    omp_init_lock(&lock);\n"
                                   "    work();\n"
                                   "  }\n"
                                   "}\n");
    Diagnostic one;
    one.rule = Rule::lock_misuse;
    one.place = source.at(4);
    one.message = "lock misuse: lock 'lock' is initialised again, and was not destroyed before";
    return source.edits({one});
  };
  EXPECT_EQ(with("#pragma omp parallel"), "+4 #pragma omp single");
  EXPECT_EQ(with("#pragma omp parallel private(lock)"), "");
  EXPECT_EQ(with("#pragma omp parallel for\n  for (int i = 0; i < n; i++)"), "");
}

TEST(RepairOfLocks, ALockIsInitialisedBeforeTheRegionThatUsesIt) {
  const auto with = [](const std::string& before) {
    const Source source("a.c", "static omp_lock_t lock;\n"
                               "static void work(void) {\n"
                               "  omp_set_lock(&lock);\n"
                               "}\n"
                               "int main(void) {\n" +
                                   before +
                                   "\n#pragma omp parallel\n"
                                   "  work();\n"
                                   "}\n");
    Diagnostic one;
    one.rule = Rule::lock_misuse;
    one.place = source.at(3);
    one.message = "lock misuse: lock 'lock' is used without having been initialised";
    one.notes = {{Note::Kind::creation, "the parallel region begins here", {}, source.at(7)}};
    return source.edits({one});
  };
  EXPECT_EQ(with(""), "+7 omp_init_lock(&lock);");
  EXPECT_EQ(with("  for (int i = 0; i < 9; i++)"), ""); // again and again
  EXPECT_EQ(with("  if (late) omp_init_lock(&lock);"), "");
}

TEST(RepairOfLocks, TheSmallerIndexComesFirst) {
  const auto with = [](const std::string& second) {
    const Source source("a.c", "void move(int from, int to) {\n"
                               "  omp_set_lock(&account[from].lock);\n  " +
                                   second + "\n}\n");
    Diagnostic one;
    one.rule = Rule::lock_order_cycle;
    one.place = source.at(3);
    one.notes = {step("", source.at(2)), step("", source.at(3)), step("", source.at(2))};
    return source.edits({one});
  };
  EXPECT_EQ(with("omp_set_lock(&account[to].lock);"), "=2 omp_set_lock(&account[from < to ? from : to].lock);\n"
                                                      "=3 omp_set_lock(&account[from < to ? to : from].lock);");
  EXPECT_EQ(with("omp_set_lock(&bank[to].lock);"), "");
  EXPECT_EQ(with("omp_set_lock(&account[3].lock);"), "");
}

TEST(RepairOfLocks, TasksThatExcludeEachOtherNameOneItem) {
  const Source source("a.c", "void f(void) {\n"
                             "  int total = 0;\n"
                             "#pragma omp task depend(mutexinoutset: total)\n"
                             "  total += 1;\n"
                             "#pragma omp task depend(mutexinoutset: other) shared(total)\n"
                             "  total += 2;\n"
                             "}\n");
  Diagnostic race;
  race.cause = Cause::different_locks;
  race.variable = "total";
  race.place = source.at(6);
  race.sites = {{source.at(6), AccessType::write, source.at(5), TaskKind::explicit_, {}},
                {source.at(4), AccessType::write, source.at(3), TaskKind::explicit_, {}}};
  EXPECT_EQ(source.edits({race}), "=5 #pragma omp task depend(mutexinoutset: total) shared(total)");
}

// ---- what belongs together
// --------------------------------------------------------------------------------------------

/// A race of a line with another one, of the threads of a region.
Diagnostic race_of(const Source& source, const std::string& variable, std::uint32_t line, std::uint32_t other,
                   bool whole = true) {
  Diagnostic out;
  out.cause = Cause::missing_mutual_exclusion;
  out.variable = variable;
  out.whole_variable = whole;
  out.place = source.at(line);
  out.declared = source.at(2);
  out.sites = {{source.at(line, 0), AccessType::write, {}, TaskKind::implicit, {}},
               {source.at(other, 0), line == other ? AccessType::write : AccessType::read, {}, TaskKind::implicit, {}}};
  return out;
}

TEST(RepairOfSections, AnExtremeAndItsPlaceAreOneConstruct) {
  const Source c("a.c", "int f(void) {\n"
                        "  double best = 0; int place = 0;\n"
                        "#pragma omp parallel for\n"
                        "  for (int i = 0; i < n; i++) {\n"
                        "    if (a[i] > best) {\n"
                        "      best = a[i];\n"
                        "      place = i;\n"
                        "    }\n"
                        "  }\n"
                        "  return place + best;\n"
                        "}\n");
  EXPECT_EQ(c.edits({race_of(c, "best", 6, 5)}), "+5 #pragma omp critical (best_update)");
  EXPECT_EQ(c.edits({race_of(c, "place", 7, 7)}), "+5 #pragma omp critical (best_update)");
  const Source fortran("a.f90", "subroutine f\n"
                                "  real :: best\n"
                                "  !$omp parallel do\n"
                                "  do i = 1, n\n"
                                "    if (a(i) > best) then\n"
                                "      best = a(i)\n"
                                "      place = i\n"
                                "    end if\n"
                                "  end do\n"
                                "end subroutine\n");
  EXPECT_EQ(fortran.edits({race_of(fortran, "best", 6, 5)}),
            "+5 !$omp critical (best_update)\n+9 !$omp end critical (best_update)");
}

TEST(RepairOfSections, WhatLeavesTheConstructStaysAndWhatIsReadElsewhereIsInOrder) {
  const std::string ordered = "=3 #pragma omp parallel for ordered\n+5 #pragma omp ordered";
  const std::vector<std::pair<std::string, std::string>> cases{{"      break;\n    }\n", ""},
                                                               {"    }\n    b[i] = best;\n", ordered + "\n+5 {\n+10 }"},
                                                               {"    } else count++;\n", ordered}};
  for (const auto& [more, expected] : cases) {
    const Source c("a.c", "int f(void) {\n"
                          "  double best = 0; int place = 0;\n"
                          "#pragma omp parallel for\n"
                          "  for (int i = 0; i < n; i++) {\n"
                          "    if (a[i] > best) {\n"
                          "      best = a[i];\n"
                          "      place = i;\n" +
                              std::string(more) +
                              "  }\n"
                              "  return place + best;\n"
                              "}\n");
    EXPECT_EQ(c.edits({race_of(c, "best", 6, 5)}), expected) << more;
  }
}

TEST(RepairOfSections, WhereTheNextOneGoesAndWhatGoesThereAreOneConstruct) {
  const auto with = [](const std::string& statements, std::uint32_t other, const std::string& loop = "") {
    const Source c("a.c", "void f(void) {\n"
                          "  int count = 0;\n"
                          "#pragma omp parallel for" +
                              loop + "\n  for (int i = 0; i < n; i++) {\n" + statements + "  }\n}\n");
    return c.edits({race_of(c, "count", other, 5)});
  };
  EXPECT_EQ(with("    list[count++] = i;\n", 5), "+5 #pragma omp critical (count_update)");
  EXPECT_EQ(with("    list[count] = i;\n    count++;\n", 6), "+5 #pragma omp critical (count_update)\n+5 {\n+7 }");
  EXPECT_EQ(with("    list[count++] = i;\n", 5, " ordered"), "+5 #pragma omp ordered");
  EXPECT_EQ(with("    list[count++] = i;\n", 5, " firstprivate(count)"), "");
  EXPECT_EQ(with("    list[count++] = i;\n    other[count] = i;\n", 5),
            "=3 #pragma omp parallel for ordered\n+5 #pragma omp ordered\n+5 {\n+7 }");
}

TEST(RepairOfSections, UpdatesOfAStructuresMembersAreOneConstruct) {
  const auto with = [](const std::string& statements, std::uint32_t last) {
    const Source c("a.c", "struct stats s;\n"
                          "void f(void) {\n"
                          "#pragma omp parallel for\n"
                          "  for (int i = 0; i < n; i++) {\n" +
                              statements + "  }\n}\n");
    std::vector<Diagnostic> races;
    for (std::uint32_t line = 5; line <= last; ++line) races.push_back(race_of(c, "s", line, line, false));
    return c.edits(races);
  };
  const std::string extreme = "    if (v > s.max) s.max = v;\n";
  EXPECT_EQ(with("    s.count++;\n    s.sum += v;\n" + extreme, 7), "+5 #pragma omp critical (s_update)\n+5 {\n+8 }");
  EXPECT_EQ(with("    s.count++;\n    s.sum += v;\n", 6), "+5 #pragma omp atomic\n+6 #pragma omp atomic");
  const std::string in_order = "=3 #pragma omp parallel for ordered\n+5 #pragma omp ordered\n+5 {\n+8 }";
  EXPECT_EQ(with("    s.count++;\n    s.last = v;\n" + extreme, 7), in_order);
  EXPECT_EQ(with("    s.count++;\n    use(s.count);\n" + extreme, 7), in_order);
}

TEST(RepairOfSections, AStatementBehindAHeadGetsALineOfItsOwn) {
  const Source c("a.c", "void f(void) {\n"
                        "  int count[9];\n"
                        "#pragma omp parallel for\n"
                        "  for (int i = 0; i < n; i++) count[a[i]]++; // one more\n"
                        "}\n");
  EXPECT_EQ(c.edits({race_of(c, "count", 4, 4, false)}), "=4 for (int i = 0; i < n; i++)\n"
                                                         "+5 #pragma omp atomic\n"
                                                         "+5 count[a[i]]++; // one more");
}

TEST(RepairOfSections, MembersOfAnObjectGoByTheirOwnNames) {
  const Source c("a.cpp", "struct Histogram {\n"
                          "  void add(int bin) {\n"
                          "    bins[bin]++;\n"
                          "    total += 1;\n"
                          "  }\n"
                          "};\n");
  EXPECT_EQ(c.edits({race_of(c, "h", 3, 3, false), race_of(c, "h", 4, 4, false)}),
            "+3 #pragma omp atomic\n+4 #pragma omp atomic");
}

TEST(RepairOfSections, OtherMembersOfTheSameElementsMayBeRead) {
  const auto edits = [](const std::string& read) {
    const Source c("a.cpp", "void f(std::vector<P>& p) {\n"
                            "#pragma omp parallel for\n"
                            "  for (int i = 0; i < n; i++) {\n"
                            "    const double x = " +
                                read +
                                ";\n"
                                "    p[q[i]].force.x += x;\n"
                                "  }\n"
                                "}\n");
    return c.edits({race_of(c, "", 5, 5, false)});
  };
  EXPECT_EQ(edits("p[i].mass * p[i].force.y"), "+5 #pragma omp atomic");
  EXPECT_EQ(edits("p[i].force.x").find("atomic"), std::string::npos);
  EXPECT_EQ(edits("length(p[i].force)").find("atomic"), std::string::npos);
  EXPECT_EQ(edits("p[i].total()").find("atomic"), std::string::npos);
}

TEST(RepairOfCopies, AFunctionsWorkspaceIsEachThreadsOwn) {
  const auto edits = [](const std::string& declaration, const std::string& body, const std::string& more = "") {
    const Source c("a.c", declaration + "\nvoid f(const double* x, double* y, int n) {\n" + body + "}\n" + more);
    Diagnostic race = race_of(c, "work", 4, 4, false);
    race.declared = c.at(1);
    return c.edits({race});
  };
  const std::string sets = "  for (int i = 0; i < n; i++)\n    work[i] = x[i] * 2;\n",
                    reads = "  for (int i = 0; i < n; i++) y[i] = work[i];\n";
  EXPECT_EQ(edits("static double work[64];", sets + reads), "+2 #pragma omp threadprivate(work)");
  EXPECT_EQ(edits("double work[64];", sets + reads), ""); // others may know it
  EXPECT_EQ(edits("static double work[64];", sets + reads, "double last(void) { return work[3]; }\n"), "");
  EXPECT_EQ(edits("static double work[64];", reads + sets), ""); // of an earlier call
  EXPECT_EQ(edits("static double work[64];", "  if (n > 3)\n    work[3] = x[3];\n" + reads), "");
  EXPECT_EQ(edits("static double work[64];", sets + "  y[0] = work[n - 1];\n"), "");
}

TEST(RepairOfSections, TheLastIterationSetsWhatIsReadAfterwards) {
  const auto with = [](const std::string& body, const std::string& clause = {}) {
    const Source c("a.c", "int f(void) {\n"
                          "  int last = 0;\n"
                          "#pragma omp parallel for" +
                              clause +
                              "\n"
                              "  for (int i = 0; i < n; i++) {\n"
                              "    " +
                              body +
                              "\n  }\n"
                              "  return last;\n"
                              "}\n");
    return c.edits({race_of(c, "last", 5, 5)});
  };
  EXPECT_EQ(with("last = a[i];"), "=3 #pragma omp parallel for lastprivate(last)");
  const std::string ordered = "=3 #pragma omp parallel for ordered\n+5 #pragma omp ordered";
  for (const char* other : {"if (a[i] > 3) last = i;", "if (found) { found = 0; last = i; }", "if (test(i)) last = i;",
                            "if (found) last = found--;", "for (int j = 0; j < i; j++) last = j;"})
    EXPECT_EQ(with(other), ordered) << other;
  EXPECT_EQ(with("last = i;", " schedule(monotonic: dynamic)"),
            "=3 #pragma omp parallel for schedule(monotonic: dynamic) lastprivate(last)");
  EXPECT_EQ(with("last = i;", " schedule(dynamic)"), "=5 if (i == n - 1) last = i;");
  EXPECT_EQ(with("last = i; use(&last);"), ordered + "\n+5 {\n+6 }");
  EXPECT_EQ(with("last = i; if (a[i]) continue;"), "");
}

TEST(RepairOfCopies, AVariableThatALambdaSetsFirstIsDeclaredInside) {
  const auto edits = [](const std::string& body, const std::string& capture = "&", const std::string& behind = "") {
    const Source c("a.cpp", "void f(int n) {\n  double norm = 0, tmp;\n  parallel_for(n, [" + capture + "](int i) {\n" +
                                body + "  });\n" + behind + "}\n");
    Diagnostic race = race_of(c, "tmp", 4, 4);
    race.declared = c.at(2);
    return c.edits({race});
  };
  EXPECT_EQ(edits("    tmp = x[i];\n    y[i] = tmp;\n"), "=4 double tmp = x[i];");
  EXPECT_EQ(edits("    tmp = x[i];\n", "&tmp, n"), "=4 double tmp = x[i];");
  EXPECT_EQ(edits("    tmp = x[i];\n", "n"), "");
  EXPECT_EQ(edits("    tmp = x[i];\n", "&", "  use(tmp);\n"), "");
  EXPECT_EQ(edits("    y[i] = tmp;\n    tmp = x[i];\n"), "");
  EXPECT_EQ(edits("    if (i > 3)\n      tmp = x[i];\n    y[i] = tmp;\n"), "");
}

TEST(RepairOfSections, AnExtremeMayBeAMember) {
  const Source c("a.c", "void f(struct stats* s) {\n"
                        "#pragma omp parallel for\n"
                        "  for (int i = 0; i < n; i++) {\n"
                        "    if (x[i] > s->max)\n"
                        "      s->max = x[i];\n"
                        "  }\n"
                        "}\n");
  EXPECT_EQ(c.edits({race_of(c, "s", 4, 5, false)}), "+4 #pragma omp critical (s_update)");
}

TEST(RepairOfSections, AnAtomicUpdateIsNotEnoughWhereItsFunctionReadsTheVariable) {
  const auto edits = [](const std::string& body) {
    const Source c("a.cpp", "static int position;\nvoid write(int n) {\n  position += n;\n" + body + "}\n");
    return c.edits({race_of(c, "position", 3, 3)});
  };
  EXPECT_EQ(edits(""), "+3 #pragma omp atomic");
  EXPECT_EQ(edits("  copy(buffer + position);\n"), "");
  const Source c("a.cpp",
                 "std::vector<int> bins;\nvoid add(int v) {\n  int bin = v % bins.size();\n  ++bins[bin];\n}\n");
  EXPECT_EQ(c.edits({race_of(c, "bins", 4, 4, false)}), "+4 #pragma omp atomic"); // the size is no element
}

TEST(RepairOfSections, TheFunctionAroundALambdaReadsTheResultLater) {
  const auto edits = [](const std::string& behind) {
    const Source c("a.cpp",
                   "void f(int n) {\n  double total = 0;\n  pool.run(n, [&](int i) {\n    total += x[i];\n  });\n" +
                       behind + "}\n");
    return c.edits({race_of(c, "total", 4, 4)});
  };
  EXPECT_EQ(edits("  print(total);\n"), "+4 #pragma omp atomic");
  EXPECT_EQ(edits("  pool.run(n, [&](int i) {\n    y[i] = total;\n  });\n"), "");
}

TEST(RepairOfSections, AComponentOfFortranIsNoOther) {
  const auto edits = [](const std::string& component) {
    const Source fortran("a.f90",
                         "module fields\n  type field\n    real(8), allocatable :: rho(:)\n"
                         "    real(8) :: charge\n  end type\ncontains\nsubroutine f(g, n)\n"
                         "  type(field) :: g\n  !$omp parallel do\n  do i = 1, n\n    g%charge = g%charge + q(i)\n"
                         "    h(i) = g%" +
                             component + "(i)\n  end do\nend subroutine\nend module\n");
    return fortran.edits({race_of(fortran, "g", 11, 11, false)});
  };
  EXPECT_EQ(edits("rho"), "+11 !$omp atomic");
  EXPECT_EQ(edits("total"), ""); // may be a function that reads the charge
}

TEST(RepairOfSections, WhatBothBranchesSetIsPrivate) {
  const Source c("a.c", "void f(void) {\n"
                        "  double value;\n"
                        "#pragma omp parallel for\n"
                        "  for (int i = 0; i < n; i++) {\n"
                        "    if (a[i] > 0)\n"
                        "      value = a[i];\n"
                        "    else\n"
                        "      value = -a[i];\n"
                        "    b[i] = value;\n"
                        "  }\n"
                        "}\n");
  EXPECT_EQ(c.edits({race_of(c, "value", 6, 6), race_of(c, "value", 8, 9)}),
            "=3 #pragma omp parallel for private(value)");
}

// ---- what a statement says of its accesses
// ---------------------------------------------------------------------------

/// Two accesses of threads on one line.
struct Accesses {
  std::vector<AccessDescription> both;
  std::vector<Side> sides;

  explicit Accesses(const SourcePlace& place) : both(2) {
    both[0].type = AccessType::write;
    for (AccessDescription& one : both) {
      one.tasks.emplace_back().kind = TaskKind::implicit;
      Side& side = sides.emplace_back();
      side.access = &one;
      side.place = place;
    }
  }
};

TEST(Statements, AnIterationMayUseWhatAnotherOneSets) {
  const auto uses = [](const std::string& statement, const std::string& construct = "parallel for") {
    const Workspace workspace;
    workspace.write("a.c", "void f(void) {\n#pragma omp " + construct + "\n  for (int i = 1; i < n; i++)\n    " +
                               statement + "\n}\n");
    SourceText sources(workspace.folder().string());
    Codes codes(sources);
    return uses_other_iterations(Accesses({workspace.file("a.c"), 4, 0}).sides, codes);
  };
  EXPECT_TRUE(uses("a[i] = a[i - 1] + b[i];"));
  EXPECT_TRUE(uses("a[i] += a[i + 1];"));
  EXPECT_FALSE(uses("a[b[i]]++;"));
  EXPECT_FALSE(uses("a[b[i]] = a[b[i]] + 1;"));
  EXPECT_FALSE(uses("a[i] = a[i - 1] + b[i];", "parallel"));
}

TEST(Statements, UpdateOneMember) {
  const auto update = [](const std::string& statement, AccessType other = AccessType::write) {
    const Workspace workspace;
    workspace.write("a.cpp", "void f() {\n  " + statement + "\n}\n");
    SourceText sources(workspace.folder().string());
    Codes codes(sources);
    Accesses accesses({workspace.file("a.cpp"), 2, 0});
    accesses.both[1].type = other;
    return update_one_member(accesses.sides, codes);
  };
  EXPECT_FALSE(update("visited_++;", AccessType::read));
  EXPECT_FALSE(update("list[n]++;")); // a task may have to find it updated
  EXPECT_FALSE(update("*n += 1;"));
  EXPECT_FALSE(update("node->sum = f(node->sum);"));
  EXPECT_TRUE(update("visited_++;"));
  EXPECT_TRUE(update("node->sum += value;"));
}

TEST(Statements, NameWhatTheySet) {
  const auto name = [](const std::string& statement, const std::string& file = "a.f90") {
    const Workspace workspace;
    workspace.write(file, "subroutine f\n  real(8) :: t, a(9)\n  " + statement + "\nend subroutine\n");
    SourceText sources(workspace.folder().string());
    Codes codes(sources);
    Object object;
    name_by_assignment(object, Accesses({workspace.file(file), 3, 0}).sides, codes);
    return object.name + (object.whole ? " whole" : "");
  };
  EXPECT_EQ(name("t = 2 * x(i)"), "t whole");
  EXPECT_EQ(name("if (x(i) > 1) t = x(i)"), "t whole");
  EXPECT_EQ(name("a(i) = 2"), "");
  EXPECT_EQ(name("call g(t)"), "");
  EXPECT_EQ(name("t = 1;", "a.c"), "t"); // by a declaration that nothing knows of
}

TEST(Statements, NameTheArrayThatABlockIs) {
  const auto name = [](const std::string& allocation, const std::string& statement, const std::string& file = "a.f90") {
    const Workspace workspace;
    workspace.write(file, "subroutine f(n)\n  " + allocation + "\n  " + statement + "\nend subroutine\n");
    SourceText sources(workspace.folder().string());
    Codes codes(sources);
    Object object;
    object.place = {workspace.file(file), 2, 1};
    name_by_allocation(object, Accesses({workspace.file(file), 3, 0}).sides, codes);
    return object.name.empty() ? object.words : object.name;
  };
  const auto in_cpp = [&](const std::string& allocation, const std::string& statement) {
    return name(allocation, statement, "a.cpp");
  };
  EXPECT_EQ(in_cpp("std::vector<double> rows(n);", "rows[i] = s;"), "rows");
  EXPECT_EQ(in_cpp("std::vector<unsigned long> rows(n);", "rows[i]++;"), "rows");
  EXPECT_EQ(in_cpp("std::vector<std::string> rows(n);", "rows[i] = s;"), ""); // may be a string's own block
  EXPECT_EQ(in_cpp("std::vector<double> rows(n, 0.0), cols(n);", "rows[i] += cols[i];"), "");
  EXPECT_EQ(in_cpp("std::vector<double*> rows(n);", "rows[i][0] = s;"), "");
  EXPECT_EQ(in_cpp("rows.resize(n);", "rows[i] = s;"), "");
  EXPECT_EQ(in_cpp("rows.resize(n);", "std::vector<int> rows; rows[i] = s;"), "rows");
  EXPECT_EQ(in_cpp("std::vector<double> rows(n);", "*it = s;"), "");
  EXPECT_EQ(name("real(8) :: row(n)", "row(i) = 1"), "row");
  EXPECT_EQ(name("allocate(a(n), b(n))", "b(i) = 1"), "b");
  EXPECT_EQ(name("allocate(a(n), b(n))", "a(i) = b(i)"), "a"); // what is set
  EXPECT_EQ(name("allocate(f%rho(n), p(n))", "f%rho(i) = f%rho(i) + p(i)%q"), "'f%rho'");
  EXPECT_EQ(name("allocate(f%rho(n), p(n))", "g%rho(i) = p(i)%q"), "");
  EXPECT_EQ(name("allocate(x%data(n))", "data(i) = 1"), "");
  EXPECT_EQ(name("real(8) :: row(n)", "call g(i)"), "");
  EXPECT_EQ(name("p = new_block(n)", "p(i) = 1"), "");
}

} // namespace
} // namespace fletcher::reports
