// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which edit a cause gets in which source, and where it gets none. A line of a test's source ends with a mark that says
// what happens there: @r a read, @w a write, @u both, @c where the task or the region of what follows begins.
#include "reports/document/words.hpp"
#include "reports/repair/apply.hpp"
#include "reports/repair/repair.hpp"
#include "reports/repair/source/directives/directive_text.hpp"
#include "reports/repair/source/statement_form.hpp"
#include "test/reports/marked_source.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fletcher::reports {
namespace {

/// A source without its marks, and the races between all marked lines.
struct Marked {
  std::string text;
  std::vector<Diagnostic> races;
};

struct About {
  Cause cause = Cause::missing_mutual_exclusion;
  std::string variable = "sum";
  TaskKind task = TaskKind::implicit;
  bool whole = true;
  bool itself = true;   ///< a marked line races with itself, too
  bool in_call = false; ///< a function that it calls makes the accesses
};

Marked marked(const std::string& file, const std::string& source, const About& about) {
  Marked out;
  std::vector<Site> sites;
  SourcePlace declared, construct;
  out.text = without_marks(source, [&](std::uint32_t number, std::string_view line, char kind) {
    if (!declared.known() && line.find(about.variable) != std::string_view::npos) declared = {file, number, 0};
    if (kind == 'c') construct = {file, number, 1};
    const auto site = [&](AccessType type) {
      sites.push_back({{file, number, 0}, type, construct, about.task, {}, about.in_call});
    };
    if (kind == 'r' || kind == 'u') site(AccessType::read);
    if (kind == 'w' || kind == 'u') site(AccessType::write);
  });
  for (std::size_t i = 0; i < sites.size(); ++i)
    for (std::size_t j = about.cause == Cause::non_sibling_dependence || !about.itself ? i + 1 : i; j < sites.size();
         ++j) {
      if (!is_write(sites[i].type) && !is_write(sites[j].type)) continue;
      Diagnostic& race = out.races.emplace_back();
      race.cause = about.cause;
      race.variable = about.variable;
      race.whole_variable = about.whole;
      race.declared = declared;
      race.place = sites[i].place;
      race.sites = {sites[i], sites[j]};
    }
  return out;
}

/// The lines of the source that the repair makes, without blanks around them; empty for none.
std::string repaired(const std::string& name, const std::string& source, const About& about = {}) {
  const Workspace workspace;
  const Marked all = marked(workspace.file(name), source, about);
  workspace.write(name, all.text);
  SourceText sources(workspace.folder().string());
  Codes codes(sources);
  Group group;
  for (const Diagnostic& race : all.races) group.push_back(&race);
  const auto found = repair(group, codes);
  std::string out;
  if (found)
    for (const Edit& edit : found->edits) out += (out.empty() ? "" : "\n") + std::string(trimmed(edit.text));
  return out;
}

// ---- no exclusion
// -----------------------------------------------------------------------------------------------------

TEST(Repair, ASumOfALoopIsAReduction) {
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int sum = 0;
#pragma omp parallel for @c
  for (int i = 0; i < n; i++) sum += a[i]; @u
})"),
            "#pragma omp parallel for reduction(+: sum)");
  EXPECT_EQ(repaired("a.f90", R"(subroutine f
  real :: sum, x(9)
!$OMP PARALLEL DO & @c
!$omp& private(t) ! its own
  do i = 1, 9
    if (x(i) > 0) then
      Sum = x(i) + sum @u
    end if
  end do
end subroutine
)"),
            "!$omp& private(t) reduction(+: sum) ! its own");
}

// A function that the threads call writes what its argument points to; one of a library is not a call that is seen.
TEST(Repair, CallsWithASharedArgumentGoIntoACriticalConstruct) {
  const auto with = [](const std::string& call, const std::string& directive = "parallel", bool in_call = false) {
    return repaired("a.c",
                    "void f(void) {\n"
                    "  unsigned seed = 1;\n"
                    "#pragma omp " +
                        directive +
                        " @c\n"
                        "  {\n"
                        "    int own = 0;\n    " +
                        call + " @w\n    use(own);\n  }\n}\n",
                    {.variable = "seed", .whole = false, .in_call = in_call});
  };
  const std::string critical = "#pragma omp critical (seed_update)";
  for (const bool in_call : {false, true}) {
    EXPECT_EQ(with("own += rand_r(&seed) % 6;", "parallel", in_call), critical);
    EXPECT_EQ(with("own = draw(own, &seed); // the next one", "parallel", in_call), critical);
    EXPECT_EQ(with("shuffle(&seed, own);", "parallel", in_call), critical);
  }
  EXPECT_EQ(with("int next = rand_r(&seed);"), "");                  // it would end with the construct
  EXPECT_EQ(with("own = rand_r(&seed) + draw(own, &seed);"), "");    // which one is it?
  EXPECT_EQ(with("if (own) own = rand_r(&seed);"), "");              // nothing in front of a branch
  EXPECT_NE(with("own = rand_r(&seed);", "parallel for"), critical); // the order of the iterations may matter
}

TEST(Repair, CallsOfAContainerGoIntoACriticalConstruct) {
  const About map{.variable = "count", .whole = false, .in_call = true},
      heap{.variable = "", .whole = false, .in_call = true};
  const std::string updates = R"(void f(std::map<int, int>& count) {
#pragma omp parallel for @c
  for (int i = 0; i < n; i++) {
    const int k = a[i];
    count[k]++; @u
  }
})";
  for (const About& about : {map, heap})
    EXPECT_EQ(repaired("a.cpp", updates, about), "#pragma omp critical (count_update)");
  // What is looked at besides would have to be in it, and what declares a variable cannot be.
  EXPECT_EQ(repaired("a.cpp", R"(void f(std::map<int, int>& count) {
#pragma omp parallel for @c
  for (int i = 0; i < n; i++) {
    if (count.size() < 9)
      count[i]++; @u
  }
})",
                     map),
            "#pragma omp parallel for ordered\n#pragma omp ordered");
  EXPECT_EQ(repaired("a.cpp", R"(void f(std::map<int, int>& count) {
#pragma omp parallel for @c
  for (int i = 0; i < n; i++) {
    int& own = count[i]; @u
    own++;
  }
})",
                     map),
            "#pragma omp parallel for ordered\n#pragma omp ordered\n{\n}");
}

TEST(Repair, AClauseGoesBehindTheLastOneOfAContinuedDirective) {
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  double best = 0;
#pragma omp parallel @c
#pragma omp for schedule(static) \
    private(t) // its own
  for (int i = 0; i < n; i++)
    if (a[i] > best) @r
      best = a[i]; @w
})",
                     {.variable = "best"}),
            "private(t) reduction(max: best) // its own");
}

TEST(Repair, SharedGivesWay) {
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int sum = 0;
#pragma omp parallel for shared(a, sum) default(none) @c
  for (int i = 0; i < n; i++) sum++; @u
})"),
            "#pragma omp parallel for shared(a) reduction(+: sum) default(none)");
}

TEST(Repair, AVariableThatEachIterationSetsFirstIsPrivate) {
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int j;
#pragma omp parallel for @c
  for (int i = 0; i < n; i++)
    for (j = 0; j < n; j++) @u
      a[i][j] = 0; @r
  for (j = 0; j < n; j++) use(j);
})",
                     {.variable = "j"}),
            "#pragma omp parallel for private(j)");
  EXPECT_EQ(repaired("a.f90", R"(subroutine f
  real :: tmp, x(9)
!$omp parallel do @c
  do i = 1, 9
    tmp = x(i) @w
    y(i) = tmp @r
  end do
end subroutine
)",
                     {.variable = "tmp"}),
            "!$omp parallel do private(tmp)");
}

TEST(Repair, AVariableOfABlockOfFortranIsSetFirstInThere) {
  const auto with = [](const std::string& body, const std::string& before = "", const std::string& behind = "") {
    return repaired("a.f90",
                    "subroutine f\n  real :: tmp, x(9), y(9)\n" + before + "!$omp parallel do @c\n  do j = 1, 9\n" +
                        body + "  end do\n" + behind + "end subroutine\n",
                    {.variable = "tmp"});
  };
  const std::string set = "    tmp = x(i) @w\n    y(i) = tmp\n", clause = "!$omp parallel do private(tmp)";
  EXPECT_EQ(with("   do i = 1, 9\n" + set + "   end do\n"), clause);
  EXPECT_EQ(with("   if (x(j) > 0 .and. &\n      & j > 3) then\n" + set + "   else\n    y(j) = 0\n   end if\n"),
            clause);
  EXPECT_EQ(with("   if (j > 3) then\n" + set + "   else\n    y(j) = tmp\n   end if\n").find("private"),
            std::string::npos);
  EXPECT_EQ(with("   do i = 1, 9\n" + set + "   end do\n   y(j) = tmp\n").find("private"), std::string::npos);
  EXPECT_EQ(with("   do 10 i = 1, 9\n" + set + "10 continue\n").find("private"), std::string::npos);
  EXPECT_EQ(with(set, "  do while (tmp > 1)\n", "  end do\n").find("private"), std::string::npos);
}

TEST(Repair, OthersAreAtomicWhereTheyStandAlone) {
  EXPECT_EQ(repaired("a.c", R"(int hist[9];
void f(void) {
#pragma omp parallel for @c
  for (int i = 0; i < n; i++) {
    if (a[i])
      hist[a[i]]++; @u
    else
      hist[0] += 2; @u
  }
})",
                     {.variable = "hist", .whole = false}),
            "#pragma omp atomic\n#pragma omp atomic");
  EXPECT_EQ(repaired("a.c", R"(int hist[9];
void f(void) {
#pragma omp parallel for @c
  for (int i = 0; i < n; i++) {
    int k = a[i];
    hist[k]++; @u
  }
})",
                     {.variable = "hist", .whole = false}),
            "#pragma omp atomic");
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int sum = 0;
#pragma omp task @c
  {
    s = sum++; @u
  }
})",
                     {.task = TaskKind::explicit_}),
            "#pragma omp atomic capture");
}

TEST(Repair, AStatementOfAFunctionOnOneLineGetsALineOfItsOwn) {
  const auto add = [](const std::string& function) {
    return repaired("a.c", "static double sum;\n" + function + " @u\n", {.whole = true});
  };
  EXPECT_EQ(add("static void add(double v) { sum += v; }"),
            "static void add(double v) {\n#pragma omp atomic\nsum += v; }");
  EXPECT_EQ(add("void add(double v) { log(v); sum += v; }"),
            "void add(double v) { log(v);\n#pragma omp atomic\nsum += v; }");
  EXPECT_EQ(add("void add(double v) { if (v > sum) sum = v; }"), "");
  EXPECT_EQ(add("double add(double v) { sum += v; return sum; }"), "");
}

TEST(Repair, WhatIterationsNeedOfEachOtherIsDoneInTheirOrder) {
  const std::string loop = "#pragma omp parallel for ordered\n#pragma omp ordered", block = loop + "\n{\n}";
  const std::vector<std::pair<std::string, std::string>> bodies{
      {"    sum = sum * 0.5 + a[i]; @u\n", loop},
      {"    sum += a[i]; @u\n    b[i] = sum; @r\n", block}, // a prefix sum
      {"    sum += a[i]; @u\n    if (sum > 9) c(); @r\n", block},
      {"    if (a[i]) sum = 1; @w\n    b[i] = sum; @r\n", block}, // of an earlier iteration
      {"    int own = a[i] + sum; @r\n    sum = own; @w\n    b[i] = own;\n", block},
      {"    f(sum += a[i]); @u\n", loop},
      {"    sum -= sum * a[i]; @u\n", loop},
      {"#pragma omp cancel for\n    sum += a[i], c(); @u\n", ""},
      {"    sum += a[i], c(); @u\n    if (sum > 9) return;\n", ""}, // out of the construct
      {"    sum += a[i], c(); @u\n    if (sum > 9) continue;\n", ""},
      {"#pragma omp ordered\n    c();\n    sum += a[i], c(); @u\n", ""}, // an iteration has one
  };
  for (const auto& [body, expected] : bodies)
    EXPECT_EQ(repaired("a.c", "void f(void) {\n  int sum = 0;\n#pragma omp parallel for @c\n"
                              "  for (int i = 0; i < n; i++) {\n" +
                                  body + "  }\n  use(sum);\n}\n"),
              expected)
        << body;
  for (const char* other : {"parallel for simd safelen(8)", "distribute parallel for", "parallel for ordered(1)",
                            "parallel for schedule(nonmonotonic: dynamic)", "parallel for linear(sum)"})
    EXPECT_EQ(repaired("a.c", std::string("void f(void) {\n  int sum = 0;\n#pragma omp ") + other +
                                  " @c\n  for (int i = 0; i < n; i++)\n    f(sum += a[i]); @u\n}\n"),
              "")
        << other;
  EXPECT_EQ(repaired("a.c", "void f(void) {\n  int sum = 0;\n#pragma omp parallel for collapse(2) @c\n"
                            "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++) f(sum += a[i]); @u\n}\n"),
            "#pragma omp parallel for collapse(2) ordered\nfor (int j = 0; j < n; j++)\n#pragma omp ordered\nf(sum += "
            "a[i]);");
}

TEST(Repair, ATaskTakesPartInTheReductionAroundIt) {
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < n; i++) {
#pragma omp task shared(sum) @c
    sum += i; @u
  }
})",
                     {.task = TaskKind::explicit_}),
            "#pragma omp task in_reduction(+: sum)");
}

TEST(Repair, WhatIsReducedForTasksElsewhereIsNotAtomic) {
  EXPECT_EQ(repaired("a.c", R"(int sum;
void walk(int n) {
#pragma omp task @c
  sum += n; @u
}
void f(void) {
#pragma omp taskgroup task_reduction(+: sum)
  walk(4);
})",
                     {.task = TaskKind::explicit_}),
            "#pragma omp task in_reduction(+: sum)");
}

TEST(Repair, MemoryOfTheHeapGoesByWhatTheStatementCallsIt) {
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int* hist = malloc(9);
#pragma omp parallel for @c
  for (int i = 0; i < n; i++) {
    hist[a[i]]++; @u
  }
})",
                     {.variable = "heap:f", .whole = false}),
            "#pragma omp atomic");
}

TEST(Repair, WhatTheWholeFileKnowsIsNotPrivate) {
  EXPECT_EQ(repaired("a.c", R"(static int tmp;
static void f(void) {
#pragma omp for @c
  for (int i = 0; i < n; i++) {
    tmp = a[i]; @w
    b[i] = tmp; @r
  }
})",
                     {.variable = "tmp"}),
            "#pragma omp for ordered\n#pragma omp ordered\n{\n}");
}

TEST(Repair, WhatNobodyMayCopyIsNoReduction) {
  for (const char* declaration : {"text sum;", "int sum[3];", "int* sum;", "std::vector<int> sum;"})
    EXPECT_EQ(
        repaired("a.cpp", std::string("void f() {\n  ") + declaration +
                              "\n#pragma omp parallel for @c\n  for (int i = 0; i < n; i++) sum += a[i]; @u\n}\n"),
        "#pragma omp parallel for ordered\nfor (int i = 0; i < n; i++)\n#pragma omp ordered\nsum += a[i];")
        << declaration;
  EXPECT_EQ(repaired("a.c", "void f(void) {\n  int sum = 0;\n#pragma omp parallel @c\n#pragma omp for nowait\n"
                            "  for (int i = 0; i < n; i++) sum += a[i]; @u\n}\n"),
            "for (int i = 0; i < n; i++)\n#pragma omp atomic\nsum += a[i];");
}

TEST(Repair, TeamsOfALeagueHaveNoReductionOfTheirLoopsAlone) {
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int sum = 0;
#pragma omp target map(tofrom: sum)
#pragma omp teams
#pragma omp distribute parallel for @c
  for (int i = 0; i < n; i++)
    sum += a[i]; @u
})"),
            "#pragma omp atomic");
}

TEST(Repair, AValueThatLeavesTheLoopIsNotPrivate) {
  for (const char* behind : {"  use(tmp);\n", "  int* p = &tmp;\n", "  x = tmp + 1;\n"})
    EXPECT_EQ(repaired("a.c",
                       std::string("void f(void) {\n  int tmp;\n#pragma omp parallel for @c\n"
                                   "  for (int i = 0; i < n; i++) {\n    tmp = a[i]; @w\n    b[i] = tmp; @r\n  }\n") +
                           behind + "}\n",
                       {.variable = "tmp"}),
              "#pragma omp parallel for ordered\n#pragma omp ordered\n{\n}")
        << behind;
}

// ---- tasks
// --------------------------------------------------------------------------------------------------------------

TEST(Repair, TasksThatSayNothingGetDependClauses) {
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int x;
#pragma omp task shared(x) @c
  x = 1; @w
#pragma omp task depend(out: y) \
    shared(x) @c
  y = x; @r
})",
                     {Cause::missing_dependence, "x", TaskKind::explicit_}),
            "");
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int x;
#pragma omp task shared(x) @c
  x = 1; @w
#pragma omp task depend(out: y) @c
  y = x; @r
})",
                     {Cause::missing_dependence, "x", TaskKind::explicit_}),
            "#pragma omp task shared(x) depend(inout: x)\n#pragma omp task depend(out: y) depend(in: x)");
}

TEST(Repair, OneItemIsForAllTasksOfABlock) {
  const About array{.cause = Cause::missing_dependence,
                    .variable = "a",
                    .task = TaskKind::explicit_,
                    .whole = false,
                    .itself = false};
  EXPECT_EQ(repaired("a.c", R"(int a[8];
void f(void) {
  {
#pragma omp task depend(out: a[2]) @c
    a[2] = 5; @w
#pragma omp task depend(in: a[1]) depend(out: b) @c
    b = a[2]; @r
  }
})",
                     array),
            "#pragma omp task depend(in: a[2]) depend(out: b)");
  EXPECT_EQ(repaired("a.c", R"(int a[8];
void f(void) {
  {
#pragma omp task @c
    fill(a); @w
#pragma omp task shared(b) @c
    b = a[2]; @r
  }
})",
                     array),
            "#pragma omp task depend(inout: a)\n#pragma omp task shared(b) depend(in: a)");
  // Another task is ordered by the item that does not match here.
  EXPECT_EQ(repaired("a.c", R"(int a[8];
void f(void) {
  {
#pragma omp task depend(out: a[2]) @c
    a[2] = 5; @w
#pragma omp task depend(out: a[1])
    a[1] = 5;
#pragma omp task depend(in: a[1]) @c
    b = a[2] + a[1]; @r
  }
})",
                     array),
            "#pragma omp task depend(in: a[1]) depend(in: a[2])");
  for (const char* const reader : {"    if (n)\n#pragma omp task @c\n    b = a[2]; @r\n", // under a condition
                                   "    for (int j = 0; j < n; j++) {\n#pragma omp task @c\n    b = a[2]; @r\n    }\n"})
    EXPECT_EQ(
        repaired("a.c",
                 std::string("int a[8];\nvoid f(void) {\n  {\n#pragma omp task depend(out: a[2]) @c\n    a[2] = 5; "
                             "@w\n") +
                     reader + "  }\n}",
                 array),
        "");
  // Which element it is depends on the loop, and the reader reads another one.
  EXPECT_EQ(repaired("a.c", R"(int a[8];
void f(void) {
  for (int i = 1; i < 8; i++) {
#pragma omp task depend(out: a[i]) @c
    a[i] = 5; @w
#pragma omp task @c
    use(a[i - 1]); @r
  }
})",
                     array),
            "");
}

TEST(Repair, ATaskThatSetsOneElementAndReadsAnotherNamesBoth) {
  const auto chain = [](const std::string& clauses) {
    return repaired(
        "a.c",
        "int a[4];\nvoid f(void) {\n#pragma omp single\n  {\n#pragma omp task depend(out: a[2]) @c\n    a[2] = "
        "5; @w\n#pragma omp task " +
            clauses + " @c\n    a[3] = a[2] + 1; @r\n  }\n}\n",
        {Cause::missing_dependence, "a", TaskKind::explicit_, false, false});
  };
  EXPECT_EQ(chain("depend(out: a[3])"), "#pragma omp task depend(out: a[3]) depend(in: a[2])");
  EXPECT_EQ(chain("depend(in: a[1]) depend(out: a[3])"), "#pragma omp task depend(in: a[2]) depend(out: a[3])");
}

TEST(Repair, TasksOfAWavefrontNameWhatTheyRead) {
  EXPECT_EQ(
      repaired("a.c", R"(int a[8][8];
void f(void) {
  for (int i = 1; i < 8; i++)
    for (int j = 1; j < 8; j++)
#pragma omp task depend(in: a[i][j - 1]) depend(out: a[i][j]) @c
      a[i][j] = a[i - 1][j] + a[i][j - 1]; @u
})",
               {.cause = Cause::missing_dependence, .variable = "a", .task = TaskKind::explicit_, .whole = false}),
      "#pragma omp task depend(in: a[i][j - 1]) depend(out: a[i][j]) depend(in: a[i - 1][j])");
}

TEST(Repair, AFlagReleasesAndAcquires) {
  const About data{.variable = "data", .itself = false};
  EXPECT_EQ(repaired("a.c", R"(int data, flag;
void f(void) {
#pragma omp parallel @c
  {
    if (me() == 0) {
      data = 42; @w
#pragma omp atomic write
      flag = 1;
    } else {
      int ready = 0;
      while (!ready) {
#pragma omp atomic read
        ready = flag;
      }
      use(data); @r
    }
  }
})",
                     data),
            "#pragma omp atomic write release\n#pragma omp atomic read acquire");
  EXPECT_EQ(repaired("a.c", R"(int data, flag, other;
void f(void) {
#pragma omp parallel @c
  {
    if (me() == 0) {
      data = 42; @w
#pragma omp atomic write
      other = 1;
    } else {
      int ready = 0;
      while (!ready) {
#pragma omp atomic read
        ready = flag;
      }
      use(data); @r
    }
  }
})",
                     data),
            "");
}

TEST(Repair, ThreadsWaitForEachOtherBetweenTwoStatements) {
  const About all{.variable = "a", .whole = false, .itself = false};
  EXPECT_EQ(repaired("a.c", R"(int a[8];
void f(void) {
#pragma omp parallel @c
  {
    int me = number();
    a[me] = me; @w
    use(a[(me + 1) % 8]); @r
  }
})",
                     all),
            "#pragma omp barrier");
  for (const std::string around : {"if (me < 4)", "for (int k = 0; k < 9; k++)"})
    EXPECT_EQ(repaired("a.c",
                       "int a[8];\nvoid f(void) {\n#pragma omp parallel @c\n  {\n    int me = number();\n    " +
                           around + " {\n      a[me] = me; @w\n      use(a[(me + 1) % 8]); @r\n    }\n  }\n}",
                       all),
              "")
        << around;
}

TEST(Repair, ATaskDeclaresWhatItDoes) {
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int x;
#pragma omp task depend(in: y, x) @c
  x++; @u
})",
                     {Cause::wrong_dependence_type, "x", TaskKind::explicit_}),
            "#pragma omp task depend(inout: x) depend(in: y)");
}

/// A read in the task at line 5 and a write at the line of the mark.
std::string copied(const std::string& body, std::uint32_t write, const std::string& declaration = "int i;") {
  const Workspace workspace;
  const std::string file = workspace.write("a.c", "void f(void) {\n  " + declaration +
                                                      "\n  while (i < n) {\n#pragma omp task shared(i)\n    " + body +
                                                      "\n    i++;\n  }\n}\n");
  Diagnostic race;
  race.cause = Cause::missing_taskwait;
  race.variable = "i";
  race.whole_variable = true;
  race.declared = {file, 2, 0};
  race.place = {file, 5, 1};
  race.sites = {{race.place, AccessType::read, {file, 4, 1}, TaskKind::explicit_, {}},
                {{file, write, 1}, AccessType::write, {}, TaskKind::implicit, {}}};
  SourceText sources(workspace.folder().string());
  Codes codes(sources);
  const auto found = repair({&race}, codes);
  return found ? found->edits.front().text : "";
}

TEST(Repair, ATaskThatOnlyReadsGetsACopy) {
  EXPECT_EQ(copied("use(i);", 6), "#pragma omp task firstprivate(i)");
  EXPECT_EQ(copied("use(i);", 6, "struct node *i = first;"), "#pragma omp task firstprivate(i)");
  EXPECT_EQ(copied("use(i);", 6, "char *i[9];"), "");
  EXPECT_EQ(copied("use(&i);", 6), "");
  EXPECT_EQ(copied("{ use(i); i = 0; }", 6), "");
  EXPECT_EQ(copied("use(i);", 5), "");
}

TEST(Repair, TasksThatAreNoSiblingsAreOrderedByTheirParents) {
  const About about{Cause::non_sibling_dependence, "x", TaskKind::explicit_};
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int x;
#pragma omp single
  {
#pragma omp task shared(x)
  {
#pragma omp task depend(out: x) @c
    x = 1; @w
  }
#pragma omp task depend(in: x) @c
  y = x; @r
  }
})",
                     about),
            "#pragma omp task shared(x) depend(out: x)\n#pragma omp taskwait");
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
  int x;
#pragma omp single
  {
#pragma omp task depend(out: x)
  {
#pragma omp task depend(out: x) @c
    x = 1; @w
  }
#pragma omp task depend(in: x) @c
  y = x; @r
  }
})",
                     about),
            "#pragma omp taskwait");
  EXPECT_EQ(repaired("a.c", R"(void f(void) {
#pragma omp single
  {
#pragma omp task
  {
    int* x = g();
#pragma omp task depend(out: x[0]) @c
    x[0] = 1; @w
  }
#pragma omp task depend(in: x[0]) @c
  y = x[0]; @r
  }
})",
                     about),
            "");
}

TEST(Repair, ATaskgroupWaitsForDescendantsOfAChild) {
  const Workspace workspace;
  const auto edited = [&](std::uint32_t read) {
    const std::string file = workspace.write("a.c", R"(void f(void) {
  for (int i = 0; i < n; i++) {
#pragma omp task
    {
#pragma omp task
      x = 1;
    }
  }
#pragma omp taskwait
  y = x;
}
void g(void) { y = x; }
)");
    Diagnostic race;
    race.cause = Cause::missing_taskwait;
    race.variable = "x";
    race.place = {file, 6, 7};
    const SourcePlace other{file, read, 7};
    const auto task = [&](std::uint32_t id, std::uint32_t line) {
      return LineageTask{TaskId{id}, "task", {file, line, 1}, 0};
    };
    race.participants = {{"write", race.place, {task(3, 5), task(2, 3), task(1, 1)}}, {"read", other, {task(1, 1)}}};
    race.sites = {{race.place, AccessType::write, {file, 5, 1}, TaskKind::explicit_, {}},
                  {other, AccessType::read, {}, TaskKind::implicit, {}}};
    SourceText sources(workspace.folder().string());
    Codes codes(sources);
    const auto found = repair({&race}, codes);
    return found ? std::to_string(found->edits.front().place.line) + ":" + found->edits.front().text : "";
  };
  EXPECT_EQ(edited(10), "2:  #pragma omp taskgroup");
  EXPECT_EQ(edited(12), "") << "the line of another function";
}

// ---- whatever stands in the file
// ---------------------------------------------------------------------------------------

TEST(Repair, ReadsAnyText) {
  const std::string whole =
      "void f(int x) {\n#pragma omp parallel for \\\n shared(x) // {\n for (;;) { if (x) x++; else"
      " do x = (1; while (0); }\n!$omp parallel do &\n!$omp& private(x)\ndo i = 1, 2\n x(i) = '}'\n"
      "end do\n!$omp end parallel do\n#pragma omp task depend(in: x\n/* \n */ case x: \"\\\n}\n";
  for (const char* name : {"a.c", "a.f90", "a.f"})
    for (std::size_t from = 0; from < whole.size(); from += 3) {
      const Workspace workspace;
      const std::string file = workspace.write(name, whole.substr(from) + whole.substr(0, from));
      SourceText sources(workspace.folder().string());
      Codes codes(sources);
      const Code& code = codes.of(file);
      for (std::uint32_t line = 0; line <= code.lines() + 1; ++line) {
        Diagnostic race;
        race.variable = "x";
        race.place = race.declared = {file, line, line % 7};
        race.sites = {{race.place, AccessType::write, race.place, TaskKind::explicit_, {}},
                      {race.place, AccessType::read, race.place, TaskKind::implicit, {}}};
        race.whole_variable = line % 2 == 0;
        for (const Cause cause : {Cause::missing_mutual_exclusion, Cause::missing_dependence, Cause::missing_taskwait,
                                  Cause::missing_barrier, Cause::wrong_dependence_type, Cause::task_outlives_frame}) {
          race.cause = cause;
          const auto found = repair({&race}, codes);
          if (found) {
            EXPECT_FALSE(found->edits.empty());
          }
        }
      }
    }
}

// ---- edits in a text
// ---------------------------------------------------------------------------------------------------

TEST(Edits, KeepEverythingElse) {
  const std::vector<Edit> edits{{{"a.c", 2, 1}, "new", true}, {{"a.c", 3, 1}, "before", false}};
  EXPECT_EQ(with_edits("one\ntwo\nthree", edits), "one\nnew\nbefore\nthree");
  EXPECT_EQ(with_edits("one\r\ntwo\r\nthree\r\n", edits), "one\r\nnew\r\nbefore\r\nthree\r\n");
  EXPECT_EQ(with_edits("one", {{{"a.c", 2, 1}, "behind", false}}), "one\nbehind\n");
}

TEST(Edits, AreShownAsADifference) {
  EXPECT_EQ(
      unified_diff("a.c", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", {{{"a.c", 5, 1}, "five", true}, {{"a.c", 6, 1}, "+", false}}),
      "--- a.c\n+++ a.c\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n++\n 6\n 7\n 8\n");
}

} // namespace
} // namespace fletcher::reports
