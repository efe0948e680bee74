// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which edit the accesses of a race without exclusion get in which source, and where they get none.
#include "test/reports/marked_races.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fletcher::reports {
namespace {

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

} // namespace
} // namespace fletcher::reports
